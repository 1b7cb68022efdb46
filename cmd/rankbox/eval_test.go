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

// Oracle: the trec_eval program, 9.0.4, on small random files: scripts/oracle/trec_eval/compare.py, which compares
// thousands of them. One file for each kind of judgments (-R); those of users have calls with -Z, too.
func TestEvalEqualsTrecEvalProgram(t *testing.T) {
	golden, err := filepath.Glob(filepath.Join("..", "..", "core", "measure", "testdata", "trec_eval-9.0.4*.txt"))
	if err != nil || len(golden) != 4 {
		t.Fatal(golden, err)
	}
	for _, name := range golden {
		b, err := os.ReadFile(name)
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
			if head == "qrels" || head == "run" || head == "zscores" {
				if err := os.WriteFile(filepath.Join(dir, head), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				continue
			}
			calls++
			args := append([]string{"eval", "-quiet", "-o", "trec_eval9", "-faults"},
				strings.Fields(strings.Replace(head, " zscores ", " "+filepath.Join(dir, "zscores")+" ", 1))...)
			if strings.HasPrefix(head, "-Z zscores ") {
				args = append([]string{"eval", "-quiet", "-o", "trec_eval9", "-faults", "-Z",
					filepath.Join(dir, "zscores")}, strings.Fields(head)[2:]...)
			}
			code, out, errs := call("", append(args, filepath.Join(dir, "qrels"), filepath.Join(dir, "run"))...)
			if code != 0 || out != text {
				t.Errorf("%s: %s: code %d, first difference %s\n%s", filepath.Base(name), head, code,
					difference(out, text), errs)
			}
		}
		if calls < 20 {
			t.Errorf("%s: %d calls", name, calls)
		}
	}
}

// Options in every form that trec_eval takes, and what it has not.
func TestEvalReadsTrecEvalsOptions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	qrels := file("qrels", "q1 0 a 1\nq1 0 b 2\nq2 0 a 1\n")
	run := file("run", "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq2 Q0 x 1 1 t\n")
	prefs := file("prefs", "q1 u s a 1\nq1 u s b 2\n")
	numbers := file("numbers", "1 7 1 4711 3\n1 7 1 4712 2\n")
	found := file("found", "1 Q0 4712 1 2 t\n")
	deviations := file("deviations", "q1 map 0.5 0.25\nq2 map 0 0\n")
	for _, c := range []struct {
		args string // behind -o trec_eval9
		want string // output; of an error, what it says
		code int
	}{
		{"-l2 -m recip_rank QRELS RUN", "recip_rank            \tall\t0.2500\n", 0},
		{"-ql 2 -m recip_rank -n QRELS RUN", "recip_rank            \tq1\t0.5000\nrecip_rank            \tq2\t0.0000\n",
			0},
		{"-qnmrecip_rank QRELS RUN", "recip_rank            \tq1\t1.0000\nrecip_rank            \tq2\t0.0000\n", 0},
		{"--level_for_rel=2 --measure recip_rank --Max_retrieved_per_topic 1 QRELS RUN",
			"recip_rank            \tall\t0.0000\n", 0},
		{"--query --nosumm -m map --Rel qrels QRELS RUN",
			"map                   \tq1\t1.0000\nmap                   \tq2\t0.0000\n", 0},
		{"-M 0 -m num_ret QRELS RUN", "num_ret               \tall\t0\n", 0},
		{"-D 0.q1 -m map QRELS RUN", "map                   \tall\t1.0000\n", 0},
		{"-D 0.q1 -c -m map QRELS RUN", "map                   \tall\t0.5000\n", 0},
		{"-Z DEVIATIONS -q -m map QRELS RUN",
			"Zmap                   \tq1\t2.0000\nZmap                   \tq2\t0.0000\nZmap                   " +
				"\tall\t1.0000\n", 0},
		{"-m prefs_simp PREFS RUN", "prefs_simp            \tall\t0.0000\n", 0},
		{"-R prefs -m prefs_simp NUMBERS FOUND", "prefs_simp            \tall\t0.0000\n", 0},
		{"-m prefs_simp NUMBERS FOUND", "prefs_simp            \tall\t0.0000\n", 0},
		{"-R qrels_prefs -m prefs_num_prefs_poss QRELS RUN", "prefs_num_prefs_poss  \tall\t1\n", 0},
		{"-R qrels_jg -m P_avgjg.2 QRELS RUN", "P_avgjg_2             \tall\t0.5000\n", 0},
		{"-m prefs_simp QRELS RUN", "it is computed from preferences (-R prefs)", 2},
		{"-m map PREFS RUN", "it is computed from grades (-R qrels)", 2},
		{"-R qrels -m map PREFS RUN", "holds preferences and no qrels", 3},
		{"-R prefs -m prefs_simp QRELS RUN", "line 1: 4 columns where preferences (prefs) have 5", 3},
		{"-R trec -m map QRELS RUN", "-R trec is not one of qrels, qrels_jg, prefs, qrels_prefs", 2},
		{"-T run -m map QRELS RUN", "-T run is not trec_results", 2},
		{"-D 3 -m map QRELS RUN", "levels 1 to 6 are not supported", 2},
		{"-Z RUN -m map QRELS RUN", "6 columns: deviations have 4", 3},
		{"--N 3 -m map QRELS RUN", "", 0},
		{"--nonsense -m map QRELS RUN", "unknown flag -nonsense", 2},
		{"-qx -m map QRELS RUN", "unknown flag -qx", 2},
	} {
		t.Run(c.args, func(t *testing.T) {
			args := []string{"eval", "-quiet", "-o", "trec_eval9"}
			for _, w := range strings.Fields(c.args) {
				for name, path := range map[string]string{"QRELS": qrels, "RUN": run, "PREFS": prefs,
					"NUMBERS": numbers, "FOUND": found, "DEVIATIONS": deviations} {
					if w == name {
						w = path
					}
				}
				args = append(args, w)
			}
			code, out, errs := call("", args...)
			if code != c.code || c.code == 0 && c.want != "" && out != c.want || c.code != 0 &&
				!strings.Contains(errs, c.want) {
				t.Errorf("code %d\n%q\nwant %q\n%s", code, out, c.want, errs)
			}
		})
	}
}

// Preferences and judgments per user in the other outputs, by measure, and what does not go together.
func TestEvalOfPreferences(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The example of core/measure, whose values trec_eval 9.0.4 prints; a and b are tied, and a comes first where ids
	// ascend.
	prefs := file("prefs", "q g1 s a 3\nq g1 s b 2\nq g1 s c 0\nq g2 a a 1\nq g2 a b 2\nq g2 b b 2\nq g2 b d 1\n")
	run := file("run", "q Q0 a 1 2 t\nq Q0 b 2 2 t\nq Q0 d 3 1 t\n")
	groups := file("groups", "q b a 1\nq a a 0\nq a b 1\nq b c 1\n")
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"-policy", "ties=docid-asc", prefs, run, "prefs_simp", "prefs_pair", "NumPrefs", "P@2"},
			"prefs_simp\t0.8000\nprefs_pair\t0.8750\nNumPrefs\t5.0000\nP@2\t1.0000\n", 0},
		// b before a: of the first user 2 of 3, of the second both
		{[]string{prefs, run, "prefs_simp"}, "prefs_simp\t0.8000\n", 0},
		{[]string{prefs, run, "prefs_avgjg"}, "prefs_avgjg\t0.8333\n", 0},
		{[]string{"-as", "trec_eval", prefs, run, "prefs_avgjg"}, "prefs_avgjg\t0.7500\n", 0},
		{[]string{"-as", "trec_eval9", "-R", "prefs", prefs, run, "prefs_avgjg", "prefs_simp_ret"},
			"prefs_avgjg\t0.7500\nprefs_simp(over='retrieved')\t0.6667\n", 0},
		{[]string{"-R", "qrels_prefs", groups, run, "prefs_simp"}, "prefs_simp\t1.0000\n", 0},
		// b before a: of user a 1, of user b (1/2) / 2
		{[]string{groups, run, "P_avgjg@2", "map_avgjg"}, "P_avgjg@2\t0.5000\nAP_avgjg\t0.6250\n", 0},
		{[]string{"-as", "pytrec_eval", prefs, run, "prefs_simp"}, "pytrec_eval has no prefs_simp", 2},
		{[]string{groups, run, "prefs_simp"}, "prefs_simp is about preferences: -R prefs reads", 2},
		{[]string{groups, run, "prefs_simp", "P_avgjg@2"}, "which cannot be combined", 2},
		{[]string{"-R", "prefs", prefs, run, "P_avgjg@2"}, "P_avgjg@2 is about grades of several users", 2},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			code, out, errs := call("", append([]string{"eval", "-quiet"}, c.args...)...)
			if code != c.code || c.code == 0 && out != c.want || c.code != 0 && !strings.Contains(errs, c.want) {
				t.Errorf("code %d\n%q\nwant %q\n%s", code, out, c.want, errs)
			}
		})
	}
}

// Oracle for the sub-topics: ir_measures 0.4.3 prints the same four places. The policies are computed by hand: with the
// first document only, one of two is relevant; in single precision 10 + 1e-8 is 10, and z comes before b; as in the
// file b comes first.
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
		{"sub-topics", []string{diversity, found, "alpha_nDCG@10", "StRecall@2", "ERR_IA@10", "P@2"},
			"alpha_nDCG@10\t0.9652\nStRecall@2\t0.5000\nERR_IA@10\t0.5711\nP@2\t1.0000\n"},
		{"sub-topics, only the first", []string{"-policy", "depth=1", diversity, found, "StRecall@3"},
			"StRecall@3\t0.5000\n"},
		{"depth", []string{"-policy", "depth=1", diversity, found, "P@2"}, "P@2\t0.5000\n"},
		{"double precision", []string{qrels, close, "RR"}, "RR\t1.0000\n"},
		{"single precision", []string{"-policy", "precision=single", qrels, close, "RR"}, "RR\t0.5000\n"},
		{"trec_eval 10", []string{"-o", "trec_eval", "-m", "recip_rank", qrels, close},
			"recip_rank            \tall\t1.0000\n"},
		{"trec_eval 9", []string{"-o", "trec_eval9", "-m", "recip_rank", qrels, close},
			"recip_rank            \tall\t0.5000\n"},
		{"by score", []string{qrels, upside, "RR"}, "RR\t0.5000\n"},
		{"not sorted", []string{"-policy", "ties=input", qrels, upside, "RR"}, "RR\t1.0000\n"},
		{"measures by -m", []string{"-m", "RR", "-m", "P@1", qrels, upside}, "RR\t0.5000\nP@1\t0.0000\n"},
		{"documents of the collection", []string{"-o", "trec_eval", "-N", "10", qrels, upside, "utility.0,0,0,1"},
			"utility_0,0,0,1       \tall\t8.0000\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code, out, errs := call("", append([]string{"eval", "-quiet"}, c.args...)...); code != 0 ||
				out != c.want {
				t.Errorf("code %d\n got %q\nwant %q\n%s", code, out, c.want, errs)
			}
		})
	}
	for _, args := range [][]string{
		{"-J", qrels, upside, "RR"}, {"-l", "2", qrels, upside, "RR"},
		{"-o", "trec_eval", "-policy", "ties=input", qrels, upside}, {"-o", "trec_eval", "-l", "-1", qrels, upside},
		{"-o", "trec_eval9", qrels, upside, "unj"},
	} {
		if code, out, errs := call("", append([]string{"eval", "-quiet"}, args...)...); code != 2 || out != "" {
			t.Errorf("%v: code %d, %q, %s", args, code, out, errs)
		}
	}
}

// What the tools themselves said of a small run, by query and in the mean: core/measure/testdata/conventions.json, with
// their versions.
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
				if d := math.Abs(v - want.Mean); d > 1e-9 && d > math.Pow(10, -float64(want.Decimals))/2+1e-9 ||
					d > 1e-9 && want.Decimals == 0 {
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
	for _, args := range [][]string{{"-as", "lucene"}, {"-as", "ranx", "-policy", "depth=1"},
		{"-as", "ranx", "-o", "trec_eval"}, {"-as", "ranx", "-summary", "median"}, {"-summary", "mode"}} {
		if code, out, _ := call("", append([]string{"eval", "-quiet", qrelsFile, runFile, "AP"},
			args...)...); code != 2 || out != "" {
			t.Errorf("%v: code %d, %q", args, code, out)
		}
	}
	if code, _, errs := call("", "eval", "-quiet", "-as", "ranx", qrelsFile, runFile, "infAP"); code != 2 ||
		!strings.Contains(errs, "ranx has no infAP") {
		t.Errorf("code %d, %s", code, errs)
	}
}

// By hand: AP is 5/6, 1/2 and 0 (see TestEval): the middle one, and the third root of 5/6 x 1/2 x 0.00001.
func TestEvalSummaries(t *testing.T) {
	for summary, want := range map[string]string{"median": "AP\t0.500000\nNumRel\t",
		"geometric": "AP\t0.016091\nNumRel\t"} {
		code, out, errs := call("", "eval", "-quiet", "-p", "6", "-summary", summary, qrelsFile, runFile, "AP",
			"NumRel")
		if code != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("%s: code %d, %q, %s", summary, code, out, errs)
		}
	}
}

// Anserini's ties come by ascending document id, trec_eval's by descending. By hand, all scores of a query being tied:
// of query 1 the first of two documents is relevant, RR and AP are 1 ascending and 1/2 descending; of query 2 the
// second and third of three, ascending RR is 1/2 and AP (1/2 + 2/3)/2 = 7/12, descending both are 1.
func TestAsAnserini(t *testing.T) {
	qrels := file(t, "cacm.qrels", "1 0 CACM-0001 1\n2 0 CACM-0002 1\n2 0 CACM-0003 1\n")
	run := file(t, "cacm.run",
		"1 Q0 CACM-0001 1 2 t\n1 Q0 CACM-0002 2 2 t\n2 Q0 CACM-0001 1 1 t\n2 Q0 CACM-0002 2 1 t\n2 Q0 CACM-0003 3 1 t\n")
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"-as", "anserini"}, "RR\t0.7500\nAP\t0.7917\n", 0}, // (1 + 1/2)/2, (1 + 7/12)/2
		{nil, "RR\t0.7500\nAP\t0.7500\n", 0},                         // (1/2 + 1)/2, (1/2 + 1)/2
		{[]string{"-as", "Anserini", "-policy", "rel=2"}, "", 2},
		{[]string{"-as", "Anserini", "-o", "trec_eval"}, "", 2},
	} {
		if code, out, errs := call("", append(append([]string{"eval", "-quiet"}, c.args...), qrels, run, "RR",
			"AP")...); code != c.code || out != c.want {
			t.Errorf("%q: code %d, %q, want %q, %s", c.args, code, out, c.want, errs)
		}
	}
}

// Anserini's published figures of BEIR's SciFact, BM25 with k1 0.9 and b 0.4: nDCG@10 .6789, R@100 .9253.
func TestSciFactAsAnserini(t *testing.T) {
	collection := reference(t, "data/scifact")
	run := filepath.Join(t.TempDir(), "bm25.run")
	code, out, errs := call("", "search", collection, "-s", "bm25(k1=0.9, b=0.4)", "-k", "1000", "-quiet")
	if code != 0 || os.WriteFile(run, []byte(out), 0o666) != nil {
		t.Fatal(errs)
	}
	if _, out, errs := call("", "eval", "-quiet", "-as", "anserini", filepath.Join(collection, "qrels", "test.tsv"),
		run, "nDCG@10", "R@100"); out != "nDCG@10\t0.6789\nR@100\t0.9253\n" {
		t.Errorf("%q, %s", out, errs)
	}
}
