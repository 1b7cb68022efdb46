package measure

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// The files of trec_eval 10's own quick test, each with the options in its Makefile.
func TestEqualsTrecEvalOwnTests(t *testing.T) {
	const dir = "oracle/trec_eval/"
	for _, c := range []struct {
		golden, qrels, run string
		o                  TrecEval
	}{
		{"out.test", "qrels.test", "results.test", TrecEval{}},
		{"out.test.a", "qrels.test", "results.test", TrecEval{Measures: []string{"all_trec"}}},
		{"out.test.aq", "qrels.test", "results.test", TrecEval{Measures: []string{"all_trec"}, PerQuery: true}},
		{"out.test.aqc", "qrels.test", "results.trunc",
			TrecEval{Measures: []string{"all_trec"}, PerQuery: true, Complete: true}},
		{"out.test.aqcM", "qrels.test", "results.trunc",
			TrecEval{Measures: []string{"all_trec"}, PerQuery: true, Complete: true, MaxDocs: 100}},
		{"out.test.aql", "qrels.rel_level", "results.test",
			TrecEval{Measures: []string{"all_trec", "relstring.20"}, PerQuery: true, Level: 2}},
		{"out.test.meas_params", "qrels.test", "results.test", TrecEval{PerQuery: true, Measures: []string{
			"iprec_at_recall..10,.20,.25,.75,.50", "P.5,7,3", "recall.20,2000", "Rprec_mult.5.0,0.2,0.35",
			"utility.2,-1,0,0",
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
					case "-n": // distilled runs have no figures of all queries
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
					// Without Faults only the affected lines change, and nothing is -nan.
					o.Faults = false
					got.Reset()
					if err := FormatTrecEval(&got, topics, o); err != nil {
						t.Fatal(err)
					}
					g, w := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
					for i := range w {
						name, _, _ := strings.Cut(w[i], " ")
						faulty := strings.Contains(w[i], "nan") || strings.HasPrefix(name, "rbp_resid") ||
							o.Level > 1 && name == "num_rel"
						if strings.Contains(g[i], "nan") || g[i] != w[i] && !faulty {
							t.Fatalf("line %d without faults: %q, trec_eval %q", i+1, g[i], w[i])
						}
					}
				})
			}
		})
	}
}

// Parameters after the point, and trec_eval's reading of them: numbers end where C's atof ends, cutoffs lose their
// fraction and are sorted, and rbp ignores unknown names. By hand, for grades 0, 3, unjudged, 1 if a document of
// grade 2 was not retrieved.
func TestTrecEvalParameters(t *testing.T) {
	topics := []Topic{{Query: "q", Ranked: []float64{0, 3, Unjudged, 1}, Judged: []float64{3, 1, 0, 2}}}
	for _, c := range []struct{ measure, want, err string }{
		{"ndcg.x=3", "", `measure: trec_eval: -m ndcg.x=3: unknown parameter "x"`},
		{"rbp.x=3", "rbp_x=3               \tall\t0.1143\n", ""},
		{"rbp.1=3", "rbp_1=3               \tall\t0.1143\n", ""},
		{"rbp.p=0.5", "rbp_p=0.5             \tall\t0.2708\n", ""},
		{"ndcg.1=3,1=4", "", `measure: trec_eval: -m ndcg.1=3,1=4: syntax: grade 1 is given twice`},
		{"ndcg.1", "", `measure: trec_eval: -m ndcg.1: syntax: expected grade=gain`},
		{"P.1000001", "", `measure: trec_eval: -m P.1000001: bad value: cutoff out of range`},
		{"P.1000000", "P_1000000             \tall\t0.0000\n", ""},
		{"P.5.9", "P_5                   \tall\t0.4000\n", ""},
		{"P.3,1", "P_1                   \tall\t0.0000\nP_3                   \tall\t0.3333\n", ""},
		{"P.abc", "", `measure: trec_eval: -m P.abc: bad value: cutoff out of range`},
		{"iprec_at_recall.0,1", "iprec_at_recall_0.00  \tall\t0.5000\niprec_at_recall_1.00  \tall\t0.0000\n", ""},
		{"iprec_at_recall.1.1", "", `measure: trec_eval: -m iprec_at_recall.1.1: bad value: cutoff out of range`},
		{"utility.1,2,3", "", `measure: trec_eval: -m utility.1,2,3: bad value: utility takes 4 numbers, not 3`},
		{"utility.1,2,3,4", "utility_1,2,3,4       \tall\t29.0000\n", ""},
		{"set_F.0.5x", "set_F_0.5x            \tall\t0.5455\n", ""},
		{"set_F.x", "set_F_x               \tall\t0.5000\n", ""},
		{"11pt_avg.0.5", "11pt_avg_0.5          \tall\t0.5000\n", ""},
		{"num_q.3", "", `measure: trec_eval: -m num_q.3: unknown parameter: num_q takes none`},
		{"num_ret.3", "", `measure: trec_eval: -m num_ret.3: unknown parameter: num_ret takes none`},
		{"map.3", "", `measure: trec_eval: -m map.3: unknown parameter: map takes none`},
		{"success", "success_1             \tall\t0.0000\nsuccess_5             \tall\t1.0000\nsuccess_10            " +
			"\tall\t1.0000\n", ""},
		{"unj", "unj_5                 \tall\t0.2000\nunj_10                \tall\t0.1000\nunj_20                " +
			"\tall\t0.0500\n", ""},
		{"Rprec_mult", "Rprec_mult_0.20       \tall\t0.0000\nRprec_mult_0.40       \tall\t0.5000\nRprec_mult_0.60    " +
			"   \tall\t0.5000\nRprec_mult_0.80       \tall\t0.3333\nRprec_mult_1.00       " +
			"\tall\t0.3333\nRprec_mult_1.20       \tall\t0.5000\nRprec_mult_1.40       " +
			"\tall\t0.4000\nRprec_mult_1.60       \tall\t0.4000\nRprec_mult_1.80       " +
			"\tall\t0.3333\nRprec_mult_2.00       \tall\t0.3333\n", ""},
		{"num_rel", "num_rel               \tall\t3\n", ""},
		{"nope", "", `measure: trec_eval: -m nope: unknown measure`},
		{"P.", "", `measure: trec_eval: -m P.: missing parameter: parameters`},
		{"runid.5", "runid                 \tall\tr\n", ""},
		{"recall.2,2", "", `measure: trec_eval: -m recall.2,2: bad value: duplicate cutoffs`},
	} {
		var b bytes.Buffer
		err := FormatTrecEval(&b, topics, TrecEval{Measures: []string{c.measure}, RunID: "r", Docs: 10})
		if b.String() != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("-m %s: %q (%v), want %q (%s)", c.measure, b.String(), err, c.want, c.err)
		}
	}
	for param, want := range map[string]string{"": "'03-1'", ".-3": "''", ".2": "'03'", ".x": "''", ".3.9": "'03-'",
		".100": "'03-1'"} {
		var b bytes.Buffer
		err := FormatTrecEval(&b, topics, TrecEval{Measures: []string{"relstring" + param}, PerQuery: true,
			NoSummary: true})
		if got := strings.TrimSpace(b.String()); err != nil || !strings.HasSuffix(got, "\tq\t"+want) {
			t.Errorf("relstring%s: %q (%v), want %s", param, got, err, want)
		}
	}
	// A repeated measure has the parameters that came first, and those of -l and -N.
	var b bytes.Buffer
	o := TrecEval{Measures: []string{"P.2", "P.4", "num_rel_ret", "num_ret"}, Level: 3}
	const want = "num_ret               \tall\t4\nnum_rel_ret           \tall\t1\nP_2                   \tall\t0.5000\n"
	if err := FormatTrecEval(&b, topics, o); err != nil || b.String() != want {
		t.Errorf("%q (%v), want %q", b.String(), err, want)
	}
	o.AllJudged = true
	b.Reset()
	if err := FormatTrecEval(&b, topics, o); err != nil ||
		b.String() != strings.NewReplacer("all\t1", "all\t3", "0.5000", "1.0000").Replace(want) {
		t.Errorf("-l 0: %q (%v)", b.String(), err)
	}
}
