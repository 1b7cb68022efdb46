package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Oracle: the trec_eval program, 9.0.4, on small random files: scripts/oracle/trec_eval/compare.py, which compares thousands of them.
func TestEvalEqualsTrecEvalProgram(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "core", "measure", "testdata", "trec_eval-9.0.4.txt"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	calls := 0
	for _, s := range strings.Split("\n"+string(b), "\n== ")[1:] {
		head, text, _ := strings.Cut(s, "\n")
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if head == "qrels" || head == "run" {
			if err := os.WriteFile(filepath.Join(dir, head), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		calls++
		args := append([]string{"eval", "-quiet", "-o", "trec_eval9", "-faults"}, strings.Fields(head)...)
		code, out, errs := call("", append(args, filepath.Join(dir, "qrels"), filepath.Join(dir, "run"))...)
		if code != 0 || out != text {
			t.Errorf("%s: code %d, first difference %s\n%s", head, code, difference(out, text), errs)
		}
	}
	if calls < 20 {
		t.Errorf("%d calls", calls)
	}
}

// Oracle for the sub-topics: ir_measures 0.4.3 prints the same four places. The policies are computed by hand: with the first document
// only, one of two is relevant; in single precision 10 + 1e-8 is 10, and z comes before b; as in the file b comes first.
func TestEvalLooksAtSubtopicsAndEveryPolicy(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	diversity := file("diversity", "q1 1 d1 1\nq1 1 d2 1\nq1 2 d3 1\n")
	found := file("found", "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d3 3 1 t\n")
	qrels := file("qrels", "q 0 b 1\nq 0 z 0\n")
	close := file("close", "q Q0 b 1 10.00000001 t\nq Q0 z 2 10 t\n")
	upside := file("upside", "q Q0 b 1 1 t\nq Q0 z 2 2 t\n")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"sub-topics", []string{diversity, found, "alpha_nDCG@10", "StRecall@2", "ERR_IA@10", "P@2"}, "alpha_nDCG@10\t0.9652\nStRecall@2\t0.5000\nERR_IA@10\t0.5711\nP@2\t1.0000\n"},
		{"sub-topics, only the first", []string{"-policy", "depth=1", diversity, found, "StRecall@3"}, "StRecall@3\t0.5000\n"},
		{"depth", []string{"-policy", "depth=1", diversity, found, "P@2"}, "P@2\t0.5000\n"},
		{"double precision", []string{qrels, close, "RR"}, "RR\t1.0000\n"},
		{"single precision", []string{"-policy", "precision=single", qrels, close, "RR"}, "RR\t0.5000\n"},
		{"trec_eval 10", []string{"-o", "trec_eval", "-m", "recip_rank", qrels, close}, "recip_rank            \tall\t1.0000\n"},
		{"trec_eval 9", []string{"-o", "trec_eval9", "-m", "recip_rank", qrels, close}, "recip_rank            \tall\t0.5000\n"},
		{"by score", []string{qrels, upside, "RR"}, "RR\t0.5000\n"},
		{"not sorted", []string{"-policy", "ties=input", qrels, upside, "RR"}, "RR\t1.0000\n"},
		{"measures by -m", []string{"-m", "RR", "-m", "P@1", qrels, upside}, "RR\t0.5000\nP@1\t0.0000\n"},
		{"documents of the collection", []string{"-o", "trec_eval", "-N", "10", qrels, upside, "utility.0,0,0,1"}, "utility_0,0,0,1       \tall\t8.0000\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code, out, errs := call("", append([]string{"eval", "-quiet"}, c.args...)...); code != 0 || out != c.want {
				t.Errorf("code %d\n got %q\nwant %q\n%s", code, out, c.want, errs)
			}
		})
	}
	for _, args := range [][]string{
		{"-J", qrels, upside, "RR"}, {"-l", "2", qrels, upside, "RR"}, {"-o", "trec_eval", "-policy", "ties=input", qrels, upside}, {"-o", "trec_eval", "-l", "-1", qrels, upside},
		{"-o", "trec_eval9", qrels, upside, "unj"},
	} {
		if code, out, errs := call("", append([]string{"eval", "-quiet"}, args...)...); code != 2 || out != "" {
			t.Errorf("%v: code %d, %q, %s", args, code, out, errs)
		}
	}
}

// What the tools themselves said of a small run, by query and in the mean: core/measure/testdata/conventions.json, with their versions.
func TestEvalSaysWhatOtherToolsWould(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "core", "measure", "testdata", "conventions.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Lists []struct {
			Query     string    `json:"query"`
			IDs       []string  `json:"ids"`
			Scores    []float64 `json:"scores"`
			JudgedIDs []string  `json:"judged_ids"`
			Judged    []int     `json:"judged"`
		} `json:"lists"`
		Values map[string]map[string]struct {
			PerQuery map[string]float64 `json:"per_query"`
			Mean     float64            `json:"mean"`
			Decimals int                `json:"decimals"`
		} `json:"values"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var qrels, run strings.Builder
	for _, l := range file.Lists {
		for i, id := range l.JudgedIDs {
			fmt.Fprintf(&qrels, "%s 0 %s %d\n", l.Query, id, l.Judged[i])
		}
		for i, id := range l.IDs {
			fmt.Fprintf(&run, "%s Q0 %s %d %v t\n", l.Query, id, i+1, l.Scores[i])
		}
	}
	path := filepath.Join(t.TempDir(), "qrels")
	if err := os.WriteFile(path, []byte(qrels.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }
	for tool, measures := range file.Values {
		for m, want := range measures {
			code, out, errs := call(run.String(), "eval", "-quiet", "-q", "-o", "json", "-as", tool, path, "-", m)
			var got struct {
				Measures map[string]float64            `json:"measures"`
				Queries  map[string]map[string]float64 `json:"queries"`
			}
			if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil {
				t.Errorf("%s, %s: code %d, %v, %s", tool, m, code, err, errs)
				continue
			}
			for _, v := range got.Measures {
				if d := math.Abs(v - want.Mean); d > 1e-9 && d > math.Pow(10, -float64(want.Decimals))/2+1e-9 || d > 1e-9 && want.Decimals == 0 {
					t.Errorf("%s, %s: mean %v, want %v", tool, m, v, want.Mean)
				}
			}
			for q, values := range got.Queries {
				v, ok := want.PerQuery[q]
				for _, g := range values {
					if len(want.PerQuery) > 0 && (!ok || !near(g, v)) {
						t.Errorf("%s, %s, query %s: %v, want %v (%v)", tool, m, q, g, v, ok)
					}
				}
				if ok && len(values) == 0 {
					t.Errorf("%s, %s: query %s is left out", tool, m, q)
				}
			}
		}
	}
	for _, args := range [][]string{{"-as", "lucene"}, {"-as", "ranx", "-policy", "depth=1"}, {"-as", "ranx", "-o", "trec_eval"}, {"-as", "ranx", "-summary", "median"}, {"-summary", "mode"}} {
		if code, out, _ := call("", append([]string{"eval", "-quiet", qrelsFile, runFile, "AP"}, args...)...); code != 2 || out != "" {
			t.Errorf("%v: code %d, %q", args, code, out)
		}
	}
	if code, _, errs := call("", "eval", "-quiet", "-as", "ranx", qrelsFile, runFile, "infAP"); code != 2 || !strings.Contains(errs, "ranx has no infAP") {
		t.Errorf("code %d, %s", code, errs)
	}
}

// By hand: AP is 5/6, 1/2 and 0 (see TestEval): the middle one, and the third root of 5/6 x 1/2 x 0.00001.
func TestEvalSummaries(t *testing.T) {
	for summary, want := range map[string]string{"median": "AP\t0.500000\nNumRel\t", "geometric": "AP\t0.016091\nNumRel\t"} {
		code, out, errs := call("", "eval", "-quiet", "-p", "6", "-summary", summary, qrelsFile, runFile, "AP", "NumRel")
		if code != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("%s: code %d, %q, %s", summary, code, out, errs)
		}
	}
}
