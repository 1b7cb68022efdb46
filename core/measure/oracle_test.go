package measure

import (
	"encoding/json"
	"io"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// A minimal reader of TREC files for the tests, without checks.

func openAll(t testing.TB, name string) string {
	t.Helper()
	b, err := io.ReadAll(shared.Open(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// testQrels holds the grades by query and document, and the documents of each query in file order.
type testQrels struct {
	queries []string // ascending
	grade   map[string]map[string]float64
	order   map[string][]string
}

func readQrels(t testing.TB, name string) *testQrels { return parseQrels(t, name, openAll(t, name)) }

func parseQrels(t testing.TB, name, text string) *testQrels {
	t.Helper()
	q := &testQrels{grade: map[string]map[string]float64{}, order: map[string][]string{}}
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 3 {
			f = []string{f[0], "0", f[1], f[2]}
		}
		if len(f) != 4 || f[3] == "score" {
			continue
		}
		g, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatalf("%s: %q", name, line)
		}
		if q.grade[f[0]] == nil {
			q.grade[f[0]] = map[string]float64{}
			q.queries = append(q.queries, f[0])
		}
		if _, ok := q.grade[f[0]][f[2]]; !ok {
			q.order[f[0]] = append(q.order[f[0]], f[2])
		}
		q.grade[f[0]][f[2]] = float64(g)
	}
	sort.Strings(q.queries)
	return q
}

type testRun struct {
	tag    string
	ids    map[string][]string
	scores map[string][]float64
}

func readRun(t testing.TB, name string) *testRun { return parseRun(t, name, openAll(t, name)) }

func parseRun(t testing.TB, name, text string) *testRun {
	t.Helper()
	r := &testRun{ids: map[string][]string{}, scores: map[string][]float64{}}
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) < 6 {
			continue
		}
		s, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatalf("%s: %q", name, line)
		}
		r.ids[f[0]] = append(r.ids[f[0]], f[2])
		r.scores[f[0]] = append(r.scores[f[0]], s)
		r.tag = f[5]
	}
	return r
}

// topics ranks the run under a tie policy and joins it with the qrels: one topic per judged query, by ascending id.
func (q *testQrels) topics(r *testRun, ties Ties, single bool) []Topic {
	var out []Topic
	for _, id := range q.queries {
		t := Topic{Query: id, Ranked: []float64{}}
		ids, scores := r.ids[id], r.scores[id]
		t.Missing = len(ids) == 0
		for _, i := range order(ids, scores, ties, single) {
			g, ok := q.grade[id][ids[i]]
			if !ok {
				g = Unjudged
			}
			t.Ranked = append(t.Ranked, g)
			t.Scores = append(t.Scores, scores[i])
		}
		for _, d := range q.order[id] {
			t.Judged = append(t.Judged, q.grade[id][d])
		}
		out = append(out, t)
	}
	return out
}

type oracleMeasure struct {
	Provider string                     `json:"provider"`
	Mean     json.RawMessage            `json:"mean"` // absent for distilled runs
	PerQuery map[string]json.RawMessage `json:"per_query"`
}

func number(t testing.TB, raw json.RawMessage) float64 {
	v, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		t.Fatalf("not a number: %s", raw)
	}
	return v
}

var oracleRuns = []struct{ qrels, run string }{
	{"data/scifact/qrels/test.tsv", "scifact/bm25"},
	{"data/scifact/qrels/test.tsv", "scifact/bm25-r1"},
	{"data/scifact/qrels/test.tsv", "scifact/random"},
	{"data/scifact/qrels/test.tsv", "scifact/partial"},
	{"data/cranfield/qrels/test.tsv", "cranfield/bm25"},
	{"data/cranfield/qrels/test.tsv", "cranfield/bm25-r1"},
	{"data/cranfield/qrels/test.tsv", "cranfield/random"},
	{"data/cranfield/qrels/test.tsv", "cranfield/partial"},
	{"oracle/measures/synthetic/qrels.txt.gz", "synthetic/ties"},
	{"oracle/measures/synthetic/qrels.txt.gz", "synthetic/negative"},
	{"oracle/measures/synthetic/qrels.txt.gz", "synthetic/near"},
}

// providerTies is the order of ties in each of ir_measures' providers.
var providerTies = map[string]Ties{
	"pytrec_eval": DocIDDesc, "gdeval": DocIDDesc, "msmarco": DocIDAsc, "judged": DocIDAsc, "compat": DocIDAsc,
	"cwl_eval": Stable, "accuracy": Stable,
}

// Every value of ir_measures 0.4.3 for the eleven runs, per query, to 1e-9 if the provider computes in double
// precision.
func TestEqualsIRMeasures(t *testing.T) {
	for _, run := range oracleRuns {
		t.Run(run.run, func(t *testing.T) {
			q := readQrels(t, run.qrels)
			r := readRun(t, "oracle/measures/"+run.run+".run.gz")
			var doc struct {
				Measures map[string]oracleMeasure `json:"measures"`
			}
			if err := json.Unmarshal([]byte(openAll(t, "oracle/measures/"+run.run+".json")), &doc); err != nil {
				t.Fatal(err)
			}
			if len(doc.Measures) != 175 {
				t.Fatalf("%d measures, expected 175", len(doc.Measures))
			}
			topics := map[Ties][]Topic{}
			for _, ties := range []Ties{DocIDDesc, DocIDAsc, Stable} {
				topics[ties] = q.topics(r, ties, false)
			}
			single := q.topics(r, DocIDDesc, true)
			names := make([]string, 0, len(doc.Measures))
			for name := range doc.Measures {
				names = append(names, name)
			}
			sort.Strings(names)
			values, compat := 0, 0
			for _, name := range names {
				o := doc.Measures[name]
				m, err := Parse(name)
				if err != nil {
					t.Errorf("%v", err)
					continue
				}
				if m.String() != name {
					t.Errorf("%s prints as %s", name, m)
				}
				if o.Provider == "" {
					continue
				}
				ties, ok := providerTies[o.Provider]
				if !ok {
					t.Fatalf("%s: provider %s", name, o.Provider)
				}
				list := topics[ties]
				if o.Provider == "pytrec_eval" {
					list = single
				}
				if m.Info() == &infoIPrec { // trec_eval 9 is inside
					m = mustParse(t, strings.Replace(strings.Replace(name, "IPrec", "IPrec(version=9)", 1), ")(", ",",
						1))
				}
				bad := 0
				for i := range list {
					raw, ok := o.PerQuery[list[i].Query]
					if !ok && m.Info() == &infoAccuracy && m.Score(&list[i]) == 0 {
						continue // ir_measures omits queries without a retrieved relevant document
					}
					if !ok {
						t.Errorf("%s: query %s absent", name, list[i].Query)
						continue
					}
					want, got := number(t, raw), m.Score(&list[i])
					values++
					if m.Info() == &infoCompat && !isNear(got, want) {
						// ir_measures orders the ideal ranking by score, the authors' program and Rankbox by rank
						// (see the entry). Its rule, recomputed here, must give its figure.
						got = q.compatByScore(m, list[i].Query, r)
						compat++
					}
					if !agrees(m, o.Provider, &list[i], got, want) {
						if bad++; bad <= 3 {
							t.Errorf("%s (%s), query %s: %.12g, oracle %.12g", name, o.Provider, list[i].Query, got,
								want)
						}
					}
				}
				if bad > 3 {
					t.Errorf("%s (%s): %d queries differ", name, o.Provider, bad)
				}
			}
			t.Logf("%d values; Compat by the rule of ir_measures for %d of them", values, compat)
		})
	}
}

// agrees compares with the oracle, except for its rounding and its other decisions.
func agrees(m Measure, provider string, t *Topic, got, want float64) bool {
	if provider == "gdeval" { // prints five decimals
		return got-want <= 5.0001e-6 && want-got <= 5.0001e-6
	}
	if t.Missing && (m.Info() == &infoNumQ || m.Info() == &infoNumRel) {
		return want == 0 // ir_measures counts nothing for a query that the run lacks; trec_eval -c and Rankbox do
	}
	return isNear(got, want)
}

// compatByScore is Compat of ir_measures 0.4.3: it orders documents of the ideal ranking with equal grades by their
// score in the run, 0 if absent, then as in the qrels file.
func (q *testQrels) compatByScore(m Measure, query string, r *testRun) float64 {
	ids, scores := r.ids[query], r.scores[query]
	score := map[string]float64{}
	for i, id := range ids {
		score[id] = scores[i]
	}
	var ideal []string
	for _, d := range q.order[query] {
		if q.grade[query][d] > 0 {
			ideal = append(ideal, d)
		}
	}
	sort.SliceStable(ideal, func(i, j int) bool { return score[ideal[i]] > score[ideal[j]] })
	sort.SliceStable(ideal, func(i, j int) bool { return q.grade[query][ideal[i]] > q.grade[query][ideal[j]] })
	var ranking []string
	for _, i := range order(ids, scores, DocIDAsc, false) {
		ranking = append(ranking, ids[i])
	}
	p := m.Float("p")
	depth := max(len(ranking), len(ideal))
	rbo := func(a, b []string) float64 {
		inA, inB := map[string]bool{}, map[string]bool{}
		sum, norm, w := 0.0, 0.0, 1.0
		for i := range depth {
			if i < len(a) {
				inA[a[i]] = true
			}
			if i < len(b) {
				inB[b[i]] = true
			}
			n := 0
			for d := range inB {
				if inA[d] {
					n++
				}
			}
			sum += w * float64(n) / float64(i+1)
			norm += w
			w *= p
		}
		return sum / norm
	}
	if len(ideal) == 0 || len(ranking) == 0 {
		return 0
	}
	if m.Float("normalize") != 0 {
		return rbo(ranking, ideal) / rbo(ideal, ideal)
	}
	return rbo(ranking, ideal)
}

// Every value that pytrec_eval-terrier 0.5.11 (trec_eval 9 inside, scores in single precision) gives per query for
// all_trec, to 1e-9.
func TestEqualsPytrecEval(t *testing.T) {
	for _, run := range oracleRuns {
		t.Run(run.run, func(t *testing.T) {
			q := readQrels(t, run.qrels)
			r := readRun(t, "oracle/measures/"+run.run+".run.gz")
			var doc struct {
				PerQuery map[string]map[string]json.RawMessage `json:"per_query"`
			}
			if err := json.Unmarshal([]byte(openAll(t, "oracle/measures/"+run.run+".pytrec.json")), &doc); err != nil {
				t.Fatal(err)
			}
			rows, err := trecRows(TrecEval{Measures: []string{"all_trec"}})
			if err != nil {
				t.Fatal(err)
			}
			byName := map[string]trecRow{}
			for _, row := range rows {
				if in := row.measure.info; in == &infoIPrec || in == &infoIPrecAvg {
					row.measure.setFloat("version", 9)
				}
				byName[row.name] = row
			}
			values, bad := 0, 0
			for _, tp := range q.topics(r, DocIDDesc, true) {
				for name, raw := range doc.PerQuery[tp.Query] {
					row, ok := byName[name]
					if !ok {
						t.Fatalf("measure %s", name)
					}
					if row.kind == trecRunID || row.kind == trecRelString {
						continue
					}
					got, want := row.measure.Score(&tp), number(t, raw)
					if row.kind == trecGeo { // pytrec_eval returns the logarithm
						got = ln(max(got, GeometricFloor))
					}
					values++
					if !isNear(got, want) {
						if bad++; bad <= 10 {
							t.Errorf("%s, query %s: %.12g, oracle %.12g", name, tp.Query, got, want)
						}
					}
				}
			}
			t.Logf("%d values, %d differ", values, bad)
		})
	}
}

// Ten thousand random single-query runs with ties, and pytrec_eval-terrier 0.5.11's values: every one to 1e-9.
func TestEqualsPytrecEvalOnRandomRuns(t *testing.T) {
	rows := map[int][]trecRow{}
	for _, level := range []int{1, 2} {
		r, err := trecRows(TrecEval{Measures: []string{"all_trec"}, Level: level})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r {
			if in := r[i].measure.info; in == &infoIPrec || in == &infoIPrecAvg {
				r[i].measure.setFloat("version", 9)
			}
		}
		rows[level] = r
	}
	runs, values, bad := 0, 0, 0
	for _, line := range strings.Split(openAll(t, "oracle/measures/random-runs.jsonl.gz"), "\n") {
		if line == "" {
			continue
		}
		var in struct {
			IDs       []string           `json:"ids"`
			Scores    []float64          `json:"scores"`
			JudgedIDs []string           `json:"judged_ids"`
			Judged    []float64          `json:"judged"`
			Level     int                `json:"level"`
			Values    map[string]float64 `json:"values"`
		}
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatal(err)
		}
		l := List{Query: "q", IDs: in.IDs, Scores: in.Scores, Judged: in.Judged}
		grade := map[string]float64{}
		for i, id := range in.JudgedIDs {
			grade[id] = in.Judged[i]
		}
		for _, id := range in.IDs {
			g, ok := grade[id]
			if !ok {
				g = Unjudged
			}
			l.Grades = append(l.Grades, g)
		}
		tp := l.Topic(Policy{Float32: true})
		runs++
		for _, row := range rows[in.Level] {
			want, ok := in.Values[row.name]
			if !ok || row.kind == trecRunID || row.kind == trecRelString {
				continue
			}
			got := row.measure.Score(&tp)
			if row.kind == trecGeo {
				got = ln(max(got, GeometricFloor))
			}
			values++
			if !isNear(got, want) {
				if bad++; bad <= 10 {
					t.Errorf("run %d, %s at level %d: %.12g, oracle %.12g", runs, row.name, in.Level, got, want)
				}
			}
		}
	}
	if runs != 10000 && runs != 400 || values < 90*runs { // 400 of them are in the repository
		t.Errorf("%d runs, %d values", runs, values)
	}
	t.Logf("%d runs, %d values, %d differ", runs, values, bad)
}
