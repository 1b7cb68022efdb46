package measure

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// The files of trec_eval 10's own quick test, each with the options that its Makefile runs them with.
func TestEqualsTrecEvalOwnTests(t *testing.T) {
	const dir = "oracle/trec_eval/"
	for _, c := range []struct {
		golden, qrels, run string
		o                  TrecEval
	}{
		{"out.test", "qrels.test", "results.test", TrecEval{}},
		{"out.test.a", "qrels.test", "results.test", TrecEval{Measures: []string{"all_trec"}}},
		{"out.test.aq", "qrels.test", "results.test", TrecEval{Measures: []string{"all_trec"}, PerQuery: true}},
		{"out.test.aqc", "qrels.test", "results.trunc", TrecEval{Measures: []string{"all_trec"}, PerQuery: true, Complete: true}},
		{"out.test.aqcM", "qrels.test", "results.trunc", TrecEval{Measures: []string{"all_trec"}, PerQuery: true, Complete: true, MaxDocs: 100}},
		{"out.test.aql", "qrels.rel_level", "results.test", TrecEval{Measures: []string{"all_trec", "relstring.20"}, PerQuery: true, Level: 2}},
		{"out.test.meas_params", "qrels.test", "results.test", TrecEval{PerQuery: true, Measures: []string{
			"iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.2,0.35", "utility.2,-1,0,0",
			"11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5", "ndcg_cut.10,20,23.4", "success.2,5,20"}}},
	} {
		t.Run(c.golden, func(t *testing.T) {
			want, err := os.ReadFile(shared.Path(t, dir+c.golden))
			if err != nil {
				t.Fatal(err)
			}
			r := readRun(t, dir+c.run)
			c.o.RunID = r.tag
			var got bytes.Buffer
			if err := FormatTrecEval(&got, readQrels(t, dir+c.qrels).topics(r, DocIDDesc, false), c.o); err != nil {
				t.Fatal(err)
			}
			diffLines(t, got.String(), string(want))
		})
	}
}

// diffLines fails with the first lines in which two texts differ.
func diffLines(t *testing.T, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(g) != len(w) {
		t.Errorf("%d lines, want %d", len(g), len(w))
	}
	bad := 0
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			if bad++; bad <= 10 {
				t.Errorf("line %d: %q, want %q", i+1, g[i], w[i])
			}
		}
	}
	t.Errorf("%d lines differ", bad)
}

// Every section of the trec_eval 10.0-rc3 output for the eleven reference runs, byte for byte.
func TestEqualsTrecEvalSections(t *testing.T) {
	for _, run := range oracleRuns {
		t.Run(run.run, func(t *testing.T) {
			q := readQrels(t, run.qrels)
			r := readRun(t, "oracle/measures/"+run.run+".run.gz")
			topics := q.topics(r, DocIDDesc, false)
			sections := strings.Split(openAll(t, "oracle/measures/"+run.run+".trec_eval.txt.gz"), "# trec_eval ")[1:]
			if len(sections) != 12 {
				t.Fatalf("%d sections, expected 12", len(sections))
			}
			for _, s := range sections {
				head, want, _ := strings.Cut(s, "\n")
				if strings.Contains(head, "exit status") {
					continue
				}
				o := TrecEval{RunID: r.tag, Faults: true}
				f := strings.Fields(head)
				for i := 0; i < len(f); i++ {
					switch f[i] {
					case "-q":
						o.PerQuery = true
					case "-n": // what is distilled of a run has no figures of all queries
						o.NoSummary = true
					case "-c":
						o.Complete = true
					case "-J":
						o.JudgedOnly = true
					case "-l":
						i++
						o.Level = int(leadingFloat(f[i]))
					case "-M":
						i++
						o.MaxDocs = int(leadingFloat(f[i]))
					case "-m":
						i++
						o.Measures = append(o.Measures, f[i])
					default:
						t.Fatalf("option %s", f[i])
					}
				}
				t.Run(strings.ReplaceAll(head, " ", ""), func(t *testing.T) {
					var got bytes.Buffer
					if err := FormatTrecEval(&got, topics, o); err != nil {
						t.Fatal(err)
					}
					diffLines(t, got.String(), want)
					// Without its faults only the lines that they touch change, and nothing is -nan.
					o.Faults = false
					got.Reset()
					if err := FormatTrecEval(&got, topics, o); err != nil {
						t.Fatal(err)
					}
					g, w := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
					for i := range w {
						name, _, _ := strings.Cut(w[i], " ")
						faulty := strings.Contains(w[i], "nan") || strings.HasPrefix(name, "rbp_resid") || o.Level > 1 && name == "num_rel"
						if strings.Contains(g[i], "nan") || g[i] != w[i] && !faulty {
							t.Fatalf("line %d without faults: %q, trec_eval %q", i+1, g[i], w[i])
						}
					}
				})
			}
		})
	}
}
