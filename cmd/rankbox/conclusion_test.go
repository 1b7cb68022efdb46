package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Whatever the tests are, statistics have the p and the letters of the report.
func TestStatisticsHaveThePOfTheReport(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	for _, how := range [][]string{nil, {"-family", "baseline"}, {"-correction", "none"}, {"-test", "auto"},
		{"-test", "sign", "-correction", "bonferroni", "-family", "baseline", "-baseline", "2"}} {
		var of [2]struct {
			Pairs []map[string]any
			Runs  []map[string]any
		}
		for i, mode := range [][]string{{"compare"}, {"compare", "statistics"}} {
			args := append(append(append(mode, how...), "-quiet", "-m", "AP", "-o", "json"), qrels, alpha, beta, alpha)
			code, out, errs := call("", args...)
			if code != 0 {
				t.Fatalf("%v: %d %s", args, code, errs)
			}
			if err := json.Unmarshal([]byte(out), &of[i]); err != nil {
				t.Fatal(err)
			}
		}
		for i, p := range of[0].Pairs {
			q, adjusted := of[1].Pairs[i], any(nil)
			for key, v := range p {
				if strings.HasPrefix(key, "p_") {
					adjusted = v
				}
			}
			if p["p"] != q["p"] || adjusted != q["p_adjusted"] || p["low"] != q["low"] || p["high"] != q["high"] {
				t.Errorf("%v: the report has %v, the statistics %v", how, p, q)
			}
		}
	}
}

// Every option of a test that the help lists is taken by every mode that lists it.
func TestModesTakeTheOptionsThatTheyList(t *testing.T) {
	dir, qrels, alpha, beta, _ := files(t)
	first := map[string]string{"figure": "intervals", "pack": filepath.Join(dir, "p.rankbox"), "query": "q1",
		"detective": "AP 0.5", "reproduce": filepath.Join(dir, "r.rankbox")}
	if code, _, errs := call("", "compare", "pack", first["reproduce"], qrels, alpha); code != 0 {
		t.Fatal(errs)
	}
	for _, m := range modes {
		lists := map[string]bool{}
		f := flag.NewFlagSet("", flag.ContinueOnError)
		for _, g := range m.groups {
			g.flags(&comparing{}, f)
		}
		f.VisitAll(func(v *flag.Flag) { lists[v.Name] = true })
		args := []string{"compare"}
		if m.name != "" {
			args = append(args, m.name)
		}
		call := func(flags ...string) {
			t.Helper()
			words := append(append([]string(nil), args...), flags...)
			if w := first[m.name]; w != "" {
				words = append(words, w)
			}
			if code, _, errs := call("", append(words, "-quiet", qrels, alpha, beta)...); code != 0 {
				t.Errorf("%v: %d %s", words, code, errs)
			}
		}
		call()
		for _, s := range report.Switches() {
			if s.Name == "continuity" || !lists[s.Name] {
				continue
			}
			for _, o := range []string{s.Options[0], s.Options[len(s.Options)-1]} {
				call("-"+s.Name, o)
			}
		}
		if lists["o"] {
			for _, o := range m.written {
				call("-o", o)
			}
		}
	}
	for _, args := range [][]string{{"compare", "-sort", "B-A", qrels, alpha, beta},
		{"compare", "-where", "B-A>0", "-q", "-o", "json", qrels, alpha, beta},
		{"compare", "unjudged", "-m", "AP", qrels, alpha}, {"compare", "residuals", "-baseline", "2", qrels, alpha, beta},
		{"compare", "analyse", "-o", "csv", qrels, alpha, beta}} {
		if code, _, errs := call("", args...); code != 2 {
			t.Errorf("%v: a flag without an effect is taken: %d %s", args, code, errs)
		}
	}
}

// Runs and judgments that share nothing are refused by every command, with the reason. A run that answered nothing beside
// one that did is named, and has no figures.
func TestWithoutDataNothingIsConcluded(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	qrels := write("q.qrels", "q1 0 D1 1\nq2 0 D2 1\n")
	a, b := write("a.run", "q1 Q0 d1 1 2 a\nq2 Q0 d2 1 2 a\n"), write("b.run", "q1 Q0 d3 1 2 b\nq2 Q0 d1 1 2 b\n")
	const refused = "2 of 2 judged documents that the run has are under another spelling, which does not match: \"d1\" " +
		"in the run, \"D1\" in the judgments. -ids case takes them for the same"
	for _, args := range [][]string{{"compare", qrels, a, b}, {"compare", "-o", "json", qrels, a},
		{"compare", "statistics", qrels, a, b}, {"compare", "figure", "intervals", qrels, a, b},
		{"compare", "-gate", "AP>=0.1", qrels, a}, {"eval", qrels, a, "AP"}, {"eval", "-o", "json", qrels, a, "AP"}} {
		if code, out, errs := call("", args...); code != 3 || out != "" || !strings.Contains(errs, refused) {
			t.Errorf("%v: %d, wrote %q, said %s", args, code, out, errs)
		}
	}
	// trec_eval prints zeros
	if code, out, _ := call("", "eval", "-o", "trec_eval", qrels, a, "map"); code != 0 || !strings.Contains(out, "0.0000") {
		t.Errorf("as trec_eval: %d %s", code, out)
	}
	silent, good := write("silent.run", "x1 Q0 D1 1 2 s\n"), write("good.run", "q1 Q0 D1 1 2 g\nq2 Q0 d9 1 3 g\nq2 Q0 D2 2 2 g\n")
	code, out, errs := call("", "compare", "-quiet", qrels, silent, good)
	// (1 + 1/log2(3))/2 = 0.815
	if code != 0 || !strings.HasPrefix(out, "On 2 queries, good reaches 0.815 nDCG@10. silent answered no query.\n") ||
		strings.Contains(out, "p = ") || strings.Contains(out, "0.000 ") {
		t.Errorf("%d %s %s", code, errs, out)
	}
}

// 1 of 44 queries: what is printed for machines says so, and which are missing.
func TestMachinesAreWarned(t *testing.T) {
	dir := t.TempDir()
	var qrels strings.Builder
	for _, q := range strings.Fields("q1 q2 q3 q4 q5 q6 q7") {
		qrels.WriteString(q + " 0 d1 1\n")
	}
	q, run := filepath.Join(dir, "q.qrels"), filepath.Join(dir, "r.run")
	for name, text := range map[string]string{q: qrels.String(), run: "q1 Q0 d1 1 2 r\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const missing = "6 judged queries are not in the run: q2, q3, q4, q5, q6 …"
	for _, args := range [][]string{{"eval", "-o", "json", q, run, "AP"}, {"eval", "-o", "jsonl", q, run, "AP"},
		{"eval", "-o", "json", "-as", "pytrec_eval", q, run, "AP"}} {
		if code, out, _ := call("", args...); code != 0 || !strings.Contains(out, missing) {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	for _, args := range [][]string{{"compare", "-o", "json", q, run}, {"compare", "statistics", "-o", "json", q, run},
		{"compare", "analyse", "-o", "json", q, run}} {
		if code, out, _ := call("", args...); code != 0 || !strings.Contains(out, `"warnings":["r: 6 judged queries are not`) {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
}
