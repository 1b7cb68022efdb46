package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An escape sequence, a mark that turns text round and a bell, in ids, names of files and words of the call: none
// reaches a terminal.
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

// Nor in what programs read: JSON escapes it and says the same; other files keep their bytes, but not on a terminal.
func TestFormatsForProgramsHoldNothingThatATerminalObeys(t *testing.T) {
	const evil, obeyed = "q\x1b[2J\u202e\u009b\ue000\U000f0000é", "\x1b\u202e\u009b\ue000\U000f0000"
	dir := t.TempDir()
	qrels, system := put(t, dir, "qrels", evil+" 0 "+evil+"d 1\nq2 0 d1 1\n"),
		put(t, dir, "a.run", evil+" Q0 "+evil+"d 1 2 "+evil+"\nq2 Q0 d1 1 2 t\n")
	beir := filepath.Join(dir, "beir")
	id, _ := json.Marshal(evil)
	put(t, beir, "corpus.jsonl", `{"_id": `+string(id)+`, "title": "", "text": "ferry"}`+"\n")
	put(t, beir, "queries.jsonl", `{"_id": `+string(id)+`, "text": "ferry"}`+"\n")
	put(t, beir, "qrels/test.tsv", "query-id\tcorpus-id\tscore\n"+evil+"\t"+evil+"\t1\n")
	experiment := filepath.Join(dir, "experiment")
	for _, name := range []string{textFile, methodsFile, citationsFile, analysesFile, metadataFile, pageFile} {
		put(t, experiment, name, evil+"\n")
	}
	put(t, experiment, outcomeFile, `{"name": "`+evil[strings.Index(evil, "\u202e"):]+`"}`)
	for _, c := range []struct {
		args           []string
		terminal, json bool
	}{
		{[]string{"eval", qrels, system, "RR", "-q", "-o", "json"}, false, true},
		{[]string{"eval", qrels, system, "RR", "-q", "-o", "jsonl"}, false, false},
		{[]string{"compare", qrels, system, system, "-q", "-o", "json"}, false, true},
		{[]string{"compare", qrels, system, system, "-q", "-o", "jsonl"}, false, false},
		{[]string{"compare", "analyse", qrels, system, system, "-o", "json"}, false, true},
		{[]string{"compare", "statistics", qrels, system, system, "-o", "json"}, false, true},
		{[]string{"agree", qrels, qrels, system, "-o", "json"}, false, true},
		{[]string{"analyze", "-a", "whitespace", "-o", "jsonl", evil}, false, true},
		{[]string{"convert", system, "-o", "json"}, false, true},
		{[]string{"convert", system, "-lint", "-o", "json"}, false, true},
		{[]string{"convert", qrels, "-o", "json"}, false, true},
		{[]string{"convert", qrels, "-o", "judged"}, false, true},
		{[]string{"search", beir, "-s", "bm25", "-f", "json"}, false, true},
		{[]string{"explain", beir, evil, evil, "-s", "bm25", "-o", "json"}, false, true},
		{[]string{"convert", system}, true, false},
		{[]string{"convert", system, "-o", "csv"}, true, false},
		{[]string{"convert", qrels, "-o", "tsv"}, true, false},
		{[]string{"search", beir, "-s", "bm25"}, true, false},
		{[]string{"index", beir, "-o", filepath.Join(dir, "made "+evil)}, false, false},
		{[]string{"report", experiment}, false, false},
		{[]string{"report", experiment, "-o", "methods"}, false, false},
		{[]string{"report", experiment, "-o", "bibtex"}, false, false},
		{[]string{"report", experiment, "-o", "analyses"}, false, false},
		{[]string{"report", experiment, "-o", "metadata"}, false, false},
		{[]string{"report", experiment, "-o", "html"}, true, false},
		{[]string{"report", experiment, "-o", "json"}, false, true},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.args, " "), dir, ""), func(t *testing.T) {
			var out, errs bytes.Buffer
			run(&context{in: strings.NewReader(""), out: &out, err: &errs, terminal: c.terminal}, c.args)
			if out.Len() == 0 {
				t.Fatal(errs.String())
			}
			if strings.ContainsAny(out.String()+errs.String(), obeyed) {
				t.Errorf("%q, %q", out.String(), errs.String())
			}
			if c.json && !json.Valid(out.Bytes()) {
				t.Errorf("no JSON: %q", out.String())
			}
		})
	}
	// What is written to a file is what was read.
	if _, out, _ := call("", "convert", system, "-quiet"); !strings.Contains(out, evil+" Q0 "+evil+"d 1 2 ") {
		t.Errorf("%q", out)
	}
	if _, out, _ := call("", "search", beir, "-s", "bm25"); !strings.HasPrefix(out, evil+" Q0 "+evil+" 1 ") {
		t.Errorf("%q", out)
	}
	_, out, _ := call("", "eval", qrels, system, "RR", "-q", "-o", "json")
	var got struct{ Queries map[string]map[string]float64 }
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Queries[evil]["RR"] != 1 {
		t.Errorf("%v, %q", err, out)
	}
}
