package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// full is a disk without room.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if len(b) > f.room {
		return 0, errors.New("no space left on device")
	}
	f.room -= len(b)
	return len(b), nil
}

// small writes a collection in BEIR's layout and returns its folder.
func small(t *testing.T, corpus string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"corpus.jsonl": corpus, "queries.jsonl": `{"_id":"q1","text":"ferry"}` +
		"\n", "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const twoDocs = `{"_id":"d1","title":"Ferry","text":"The ferry sailed."}` + "\n" +
	`{"_id":"d2","title":"Rain","text":"A ferry waited."}` + "\n"

// Whatever is printed, output that cannot be written is exit code 3 with the reason, also where the last bytes fail.
func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	dir := small(t, twoDocs)
	for _, args := range [][]string{
		{"eval", qrels, alpha, "AP"}, {"eval", "-o", "json", qrels, alpha, "AP"},
		{"eval", "-o", "jsonl", qrels, alpha, "AP"}, {"eval", "-o", "trec_eval", qrels, alpha},
		{"search", dir, "-s", "bm25"}, {"convert", alpha}, {"convert", qrels, "-o", "json"}, {"version"}, {"help"},
		{"compare", "-h"},
		{"compare", qrels, alpha, beta}, {"compare", qrels, alpha, beta, "-o", "json"},
		{"compare", qrels, alpha, beta, "-o", "latex", "-q"}, {"compare", qrels, alpha, beta, "-query", "q1"},
		{"compare", qrels, alpha, beta, "-unjudged"}, {"compare", qrels, alpha, beta, "-residuals"},
		{"compare", qrels, alpha, beta, "-conventions"}, {"compare", qrels, alpha, beta, "-statistics"},
		{"compare", qrels, alpha, beta, "-link"}, {"compare", qrels, alpha, beta, "-gate", "AP>=1"},
	} {
		code, out, errs := call("", args...)
		if out == "" || code > 1 {
			t.Errorf("%q: exit code %d, %s", args, code, errs)
			continue
		}
		for _, room := range []int{0, len(out) - 1} {
			var e strings.Builder
			code := run(&context{in: strings.NewReader(""), out: &full{room}, err: &e}, args)
			if code != 3 || !strings.Contains(e.String(), "standard output: no space left on device") {
				t.Errorf("%q with room for %d of %d bytes: exit code %d, %s", args, room, len(out), code, e.String())
			}
		}
	}
}

// What help names is what there is.
func TestHelpNamesWhatIsRegistered(t *testing.T) {
	_, flags, _ := call("", "compare", "-h")
	for _, command := range []string{"compare", "run", "report"} {
		_, out, _ := call("", "help", command)
		for _, x := range export.Formats() {
			if !strings.Contains(out, x.Name) {
				t.Errorf("the help of %s does not name the output %s", command, x.Name)
			}
		}
	}
	for _, s := range report.Switches()[:2] {
		for _, o := range s.Options {
			if !strings.Contains(flags, " "+o+",") && !strings.Contains(flags, ", "+o) {
				t.Errorf("%s: no %s in\n%s", s.Name, o, flags)
			}
		}
	}
	for _, s := range measure.Switches() {
		if !strings.Contains(flags, s.Name) {
			t.Errorf("no switch %s in\n%s", s.Name, flags)
		}
	}
}

func TestLinesOfJSONHoldWhatTheTableHolds(t *testing.T) {
	code, out, errs := call("", "eval", "-quiet", "-q", "-o", "jsonl", qrelsFile, runFile, "RR", "AP")
	_, want, _ := call("", "eval", "-quiet", "-q", "-p", "-1", qrelsFile, runFile, "RR", "AP")
	var rows []string
	for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
		var v struct {
			Query   *string `json:"query_id"`
			Measure string
			Value   json.Number
			Warning string
		}
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		if v.Warning != "" {
			continue
		}
		query := "all"
		if v.Query != nil {
			query = *v.Query
		}
		rows = append(rows, query+"\t"+v.Measure+"\t"+v.Value.String())
	}
	if got := strings.Join(rows, "\n") + "\n"; code != 0 || got != want {
		t.Errorf("code %d, %s\n%s\nwant\n%s", code, errs, got, want)
	}
	if _, out, _ = call("", "eval", "-quiet", "-o", "json", "-q", qrelsFile, runFile, "RR"); !json.Valid([]byte(out)) ||
		strings.Count(out, "\n") != 1 {
		t.Errorf("not one document: %q", out)
	}
}

func TestAProviderIsAcceptedAndExplained(t *testing.T) {
	code, out, errs := call("", "eval", "--provider", "pytrec_eval", qrelsFile, runFile, "RR")
	if code != 0 || out != "RR\t0.5000\n" || !strings.Contains(errs, "has no effect") {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}

func TestVersion(t *testing.T) {
	code, out, errs := call("", "version")
	if code != 0 || !strings.HasPrefix(out, "rankbox") || strings.Count(out, "\n") != 1 ||
		!strings.Contains(out, "go1") {
		t.Errorf("code %d, %q, %q", code, out, errs)
	}
}

func TestSearchWritesNoIDThatIsReadAsAnother(t *testing.T) {
	for id, says := range map[string]string{"a b": "white space",
		`d1 1 9 t\nq1 Q0 d1`: "corpus.jsonl: line 1: id \"d1 1 9 t\\nq1 Q0 d1\" holds a line break"} {
		dir := small(t, `{"_id":"`+id+`","title":"Ferry","text":"The ferry sailed."}`+"\n")
		code, out, errs := call("", "search", dir, "-s", "bm25", "-quiet")
		if code != 3 || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: code %d, %q, %s", id, code, out, errs)
		}
	}
	dir := small(t, twoDocs)
	code, out, _ := call("", "search", dir, "-s", "bm25", "-quiet", "-t", "my tag\nq1 Q0 d9 1 99 x")
	if code != 0 || !strings.HasPrefix(out, "q1 Q0 d1 1 ") || strings.Count(out, "\n") != 2 ||
		!strings.Contains(out, " my_tag_q1_Q0_d9_1_99_x\n") {
		t.Errorf("code %d, %q", code, out)
	}
}

func TestLimitsAreFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		err  string
	}{
		{[]string{"eval", "-max-bytes", "10", qrelsFile, runFile, "RR"}, 3,
			"more than the limit of 10 (Bytes); -max-bytes raises it"},
		{[]string{"eval", "-max-bytes", "0", "-max-entries", "1", qrelsFile, runFile, "RR"}, 3, "(Entries)"},
		{[]string{"eval", "-max-queries", "1", qrelsFile, runFile, "RR"}, 3, "(Queries)"},
		{[]string{"eval", "-max-bytes", "20GiB", "-max-entries", "0", qrelsFile, runFile, "RR"}, 0, ""},
		{[]string{"eval", "-max-bytes", "much", qrelsFile, runFile, "RR"}, 2, "is not a size"},
		{[]string{"eval", "-max-entries", "-1", qrelsFile, runFile, "RR"}, 2, "whole number from 0"},
	} {
		if code, _, errs := call("", append(c.args, "-quiet")...); code != c.code || !strings.Contains(errs, c.err) {
			t.Errorf("%q: code %d, %s", c.args, code, errs)
		}
	}
	for text, want := range map[string]int64{"10": 10, "1e9": 1e9, "500MB": 500e6, "1.5 GiB": 3 << 29,
		"64kib": 64 << 10, "7B": 7} {
		if n, err := parseBytes(text); err != nil || n != want {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"", "MB", "-1", "NaN", "Inf", "1XB", "1e30"} {
		if n, err := parseBytes(text); err == nil {
			t.Errorf("%q: %d", text, n)
		}
	}
}

// 300 equal runs are 299 warnings of one kind: a few are printed and the others counted, on both streams. A name of
// 60,000 characters is cut in errors.
func TestFloodsAreCountedAndLongNamesCut(t *testing.T) {
	dir := t.TempDir()
	args := []string{"compare", filepath.Join(dir, "q.qrels")}
	put := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	put("q.qrels", "q0 0 d1 1\nq1 0 d1 1\n")
	for i := range 30 {
		args = append(args, put(fmt.Sprintf("r%d.run", i),
			"q0 Q0 d1 1 2 r\nq0 Q0 d2 2 1 r\nq1 Q0 d1 1 2 r\nq1 Q0 d2 2 1 r\n"))
	}
	code, out, errs := call("", append(args, "-m", "AP")...)
	if n := strings.Count(errs, "is the same as r0"); code != 0 || n != 5 ||
		!strings.Contains(errs, "and 24 warnings like these") {
		t.Errorf("%d, %d warnings: %.600s", code, n, errs)
	}
	if n := strings.Count(out, "are unjudged"); n != 1 || !strings.Contains(out, "(and 29 like it)") {
		t.Errorf("%d warnings in the report", n)
	}
	long := put("long.run", "q0 Q0 d1 1 2 r\nq0 "+strings.Repeat("y", 60000)+"\n")
	if code, _, errs = call("", "eval", args[1], long, "AP"); code != 3 || len(errs) > 1500 ||
		!strings.Contains(errs, "long.run") {
		t.Errorf("%d, %d bytes: %.300s", code, len(errs), errs)
	}
	if code, _, errs = call("", "eval", args[1], filepath.Join(dir, strings.Repeat("z", 60000)), "AP"); len(errs) > 1500 {
		t.Errorf("a name of a file: %d, %d bytes", code, len(errs))
	}
}
