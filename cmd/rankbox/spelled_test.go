package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An escape sequence, a mark that turns text round and a bell, in ids, names of files and words of the call: none reaches a terminal.
func TestNothingThatATerminalObeysIsWritten(t *testing.T) {
	const evil = "q\x1b[2J\u202e\a"
	dir := t.TempDir()
	put := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	qrels := put("qrels", evil+" 0 d1 1\nq2 0 d1 1\n")
	run := put("a\x1b[31m.run", evil+" Q0 d1 1 2 t\x1b[1m\n"+evil+" Q0 d1 2 2 t\n"+evil+" Q0 d\u202e 3 1 t\n")
	broken := put("b\x1b[31m.run", "q Q0 d1\n")
	for _, c := range []struct {
		name string
		args []string
		want string // is in what is written
	}{
		{"eval", []string{"eval", qrels, run, "RR", "-q"}, "q[U+001B][2J[U+202E][U+0007]"},
		{"eval as trec_eval", []string{"eval", qrels, run, "recip_rank", "-q", "-o", "trec_eval"}, "q[U+001B][2J"},
		{"eval, a damaged file", []string{"eval", qrels, broken, "RR"}, "b[U+001B][31m.run"},
		{"eval, a file that is not there", []string{"eval", qrels, "no\x1b[2J", "RR"}, "no[U+001B][2J"},
		{"eval, a measure", []string{"eval", qrels, run, "RR\x1b[2J"}, ""},
		{"compare", []string{"compare", qrels, run, run}, "[U+001B]"},
		{"compare, queries", []string{"compare", qrels, run, run, "-q"}, "q[U+001B][2J[U+202E][U+0007]"},
		{"compare, a damaged file", []string{"compare", qrels, broken}, "b[U+001B][31m.run"},
		{"convert, what is odd", []string{"convert", run, "-lint"}, "a[U+001B][31m.run"},
		{"convert, a damaged file", []string{"convert", broken}, "b[U+001B][31m.run"},
		{"search", []string{"search", "no\x1b[2J", "-s", "bm25"}, "no[U+001B][2J"},
		{"explain", []string{"explain", "no\x1b[2J", "q", "d", "-s", "bm25"}, "no[U+001B][2J"},
		{"analyze", []string{"analyze", "-a", "whitespace", evil}, ""},
		{"analyze, no analyzer", []string{"analyze", "-a", evil, "x"}, ""},
		{"no command", []string{evil}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, out, err := call("", c.args...)
			if strings.ContainsAny(out+err, "\x1b\u202e\a") {
				t.Errorf("%q, %q", out, err)
			}
			if !strings.Contains(out+err, c.want) {
				t.Errorf("%q, %q, want %q", out, err, c.want)
			}
		})
	}
}
