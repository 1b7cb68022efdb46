package measure

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// lists joins run and qrels without ordering.
func (q *testQrels) lists(r *testRun) []List {
	var out []List
	for _, id := range q.queries {
		l := List{Query: id, IDs: r.ids[id], Scores: r.scores[id], Missing: len(r.ids[id]) == 0, JudgedIDs: q.order[id]}
		for _, d := range l.IDs {
			g, ok := q.grade[id][d]
			if !ok {
				g = Unjudged
			}
			l.Grades = append(l.Grades, g)
		}
		for _, d := range l.JudgedIDs {
			l.Judged = append(l.Judged, q.grade[id][d])
		}
		out = append(out, l)
	}
	return out
}

// The convention "ir_measures" reproduces every figure of ir_measures 0.4.3, per query and in the mean. The tests
// of the measures themselves had to allow for tie orders, rounding, Compat and Accuracy.
func TestConventionIRMeasures(t *testing.T) {
	c := ConventionByName("ir_measures")
	for _, run := range oracleRuns[:shared.Sample(len(oracleRuns), len(oracleRuns))] { // one of them in wasm
		t.Run(run.run, func(t *testing.T) {
			lists := readQrels(t, run.qrels).lists(readRun(t, "oracle/measures/"+run.run+".run.gz"))
			var doc struct {
				Measures map[string]oracleMeasure `json:"measures"`
			}
			if err := json.Unmarshal([]byte(openAll(t, "oracle/measures/"+run.run+".json")), &doc); err != nil {
				t.Fatal(err)
			}
			for name, o := range doc.Measures {
				if o.Provider == "" {
					continue
				}
				got, ok := c.Evaluate(lists, mustParse(t, name))
				if !ok {
					t.Errorf("%s: no such measure", name)
					continue
				}
				for i := range lists {
					raw, counts := o.PerQuery[lists[i].Query]
					if !counts && !got.Counts[i] {
						continue
					}
					if want := number(t, raw); counts != got.Counts[i] || !isNear(got.Values[i], want) {
						t.Errorf("%s (%s), query %s: %.12g (%v), oracle %.12g (%v)", name, o.Provider, lists[i].Query,
							got.Values[i], got.Counts[i], want, counts)
						break
					}
				}
				if o.Mean == nil {
					continue
				}
				if want := number(t, o.Mean); !isNear(got.Mean, want) {
					t.Errorf("%s (%s): mean %.12g, oracle %.12g", name, o.Provider, got.Mean, want)
				}
			}
		})
	}
}

// conventionCase is testdata/conventions.json: a small run with ties, a missing query, unjudged documents and
// documents with a query's id, and the tools' own results.
type conventionCase struct {
	Versions map[string]string `json:"versions"`
	Lists    []struct {
		Query     string    `json:"query"`
		IDs       []string  `json:"ids"`
		Scores    []float64 `json:"scores"`
		JudgedIDs []string  `json:"judged_ids"`
		Judged    []float64 `json:"judged"`
	} `json:"lists"`
	// Values holds, by convention and measure, the tool's value for each query.
	Values map[string]map[string]struct {
		As       string             `json:"as"`
		PerQuery map[string]float64 `json:"per_query"`
		Mean     float64            `json:"mean"`
		Decimals int                `json:"decimals"` // of the mean, if the tool rounds it
	} `json:"values"`
}

func readConventionCase(t testing.TB) (conventionCase, []List) {
	return readConventionFile(t, "testdata/conventions.json")
}

func readConventionFile(t testing.TB, name string) (conventionCase, []List) {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var c conventionCase
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	var lists []List
	for _, in := range c.Lists {
		l := List{Query: in.Query, IDs: in.IDs, Scores: in.Scores, Judged: in.Judged, JudgedIDs: in.JudgedIDs,
			Missing: len(in.IDs) == 0}
		for _, id := range in.IDs {
			g := float64(Unjudged)
			for i, j := range in.JudgedIDs {
				if j == id {
					g = in.Judged[i]
				}
			}
			l.Grades = append(l.Grades, g)
		}
		lists = append(lists, l)
	}
	return c, lists
}

// Every convention reproduces the figures of its tool: trec_eval 9 in pytrec_eval-terrier 0.5.11, ir_measures
// 0.4.3, ranx 0.3.21, BEIR 2.2.0, MTEB 2.26.24, scikit-learn 1.9.1 (versions in the file).
func TestConventions(t *testing.T) {
	c, lists := readConventionCase(t)
	c.check(t, lists)
}

// check compares every convention of the case with its tool's results.
func (c *conventionCase) check(t *testing.T, lists []List) {
	for name, measures := range c.Values {
		conv := ConventionByName(name)
		if conv == nil {
			t.Errorf("no convention %s", name)
			continue
		}
		if !strings.Contains(conv.Version, c.Versions[name]) {
			t.Errorf("%s: version %s, oracle %s", name, conv.Version, c.Versions[name])
		}
		for notation, want := range measures {
			got, ok := conv.Evaluate(lists, mustParse(t, notation))
			if !ok {
				t.Errorf("%s: no measure %s", name, notation)
				continue
			}
			if got.As != want.As {
				t.Errorf("%s: %s is called %s, want %s", name, notation, got.As, want.As)
			}
			for i := range lists {
				v, counts := want.PerQuery[lists[i].Query]
				if len(want.PerQuery) == 0 {
					break // the tool gives only the mean
				}
				if counts != got.Counts[i] || math.Abs(v-got.Values[i]) > 1e-9 {
					t.Errorf("%s: %s, query %s: %.12g (%v), oracle %.12g (%v)", name, notation, lists[i].Query,
						got.Values[i], got.Counts[i], v, counts)
				}
			}
			tolerance := 1e-9
			if want.Decimals > 0 {
				tolerance = 0.5001 * math.Pow(10, -float64(want.Decimals))
			}
			if math.Abs(got.Mean-want.Mean) > tolerance {
				t.Errorf("%s: %s: mean %.12g, oracle %.12g", name, notation, got.Mean, want.Mean)
			}
		}
	}
}

// The reasons for a difference lead from our value to the tool's without a gap.
func TestExplainAddsUp(t *testing.T) {
	_, lists := readConventionCase(t)
	decisions := map[string]int{}
	for _, conv := range Conventions() {
		for _, notation := range []string{"nDCG@10", "nDCG", "AP", "AP@5", "RR@10", "RR", "P@5", "R@5", "Success@3",
			"IPrec@0.3",
			"Compat", "Accuracy", "Judged@10", "RBP(rel=1)", "RBP", "nDCG(dcg='exp-log2')@10", "INST(max_rel=3)",
			"relative_P@5", "DCG@5"} {
			m := mustParse(t, notation)
			for _, p := range []Policy{{}, {Ties: DocIDAsc}, {Missing: MissingSkip}, {Rel: 2}, {Gain: Exponential},
				{Unjudged: Condensed}, {Depth: 4}} {
				diffs, ok := explain(conv, lists, m, p)
				if !ok {
					continue
				}
				for _, d := range diffs {
					now := d.Ours
					for _, r := range d.Reasons {
						if math.Abs(r.Before-now) > 1e-12 {
							t.Errorf("%s, %s, policy %q, query %s: %s starts at %v, not at %v", conv.Name, m, p,
								d.Query, r.Decision, r.Before, now)
						}
						if r.Text == "" || strings.Contains(r.Text, "%!") {
							t.Errorf("%s, %s: %s: text %q", conv.Name, m, r.Decision, r.Text)
						}
						now = r.After
						decisions[r.Decision]++
					}
					if len(d.Reasons) == 0 || math.Abs(now-d.Theirs) > 1e-9 {
						t.Errorf("%s, %s, policy %q, query %s: reasons end at %v, not at %v", conv.Name, m, p, d.Query,
							now, d.Theirs)
					}
				}
			}
		}
	}
	for _, d := range []string{"missing", "documents", "precision", "ties", "definition", "rounding", "depth"} {
		if decisions[d] == 0 {
			t.Errorf("no difference was explained by %q", d)
		}
	}
}

// The reason for a tie that decides a reciprocal rank names both documents.
func TestExplainNamesTheDocuments(t *testing.T) {
	l := []List{{Query: "q", IDs: []string{"a", "b"}, Scores: []float64{2, 2}, Grades: []float64{1, Unjudged},
		Judged: []float64{1}}}
	diffs, ok := explain(ConventionByName("ir_measures"), l, mustParse(t, "RR@10"), Policy{})
	if !ok || len(diffs) != 1 || len(diffs[0].Reasons) != 1 {
		t.Fatalf("%+v", diffs)
	}
	const want = "ir_measures orders tied documents by document id ascending: rank 1 is a (grade 1) instead of b " +
		"(not judged), both with score 2"
	if got := diffs[0].Reasons[0]; got.Text != want || got.Before != 0.5 || got.After != 1 {
		t.Errorf("%+v", got)
	}
}

func TestConventionsAreDocumented(t *testing.T) {
	var names []string
	for _, c := range Conventions() {
		if c.Name == "" || c.Version == "" || c.Doc == "" {
			t.Errorf("%q is incomplete", c.Name)
		}
		names = append(names, c.Name)
	}
	want := []string{"Anserini", "AutoRAG", "BEIR", "Elasticsearch", "Haystack", "Haystack 2", "LangSmith",
		"LlamaIndex", "MLflow", "MTEB", "OpenSearch", "OpenSearch 3", "PyTerrier", "Quepid", "Ragas", "ir_measures",
		"pytrec_eval", "ranx", "sklearn", "trec_eval", "trec_eval 9"}
	sort.Strings(names)
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("conventions %v", names)
	}
}

// trec_eval's own names, with the options for our parameters.
func TestTrecNames(t *testing.T) {
	for in, want := range map[string]string{
		"AP": "map", "AP(rel=2)": "map -l2", "AP@10": "map_cut_10", "nDCG": "ndcg", "nDCG@10": "ndcg_cut_10",
		"P@5": "P_5", "P(judged_only=True)@5": "P_5 -J",
		"nDCG(gains={1:3,2:9})": "ndcg.1=3,2=9", "nDCG(gains={1:3,2:9})@5": "", "nDCG(dcg='exp-log2')": "",
		"RR": "recip_rank", "RR@10": "", "IPrec@0.1": "iprec_at_recall_0.10",
		"IPrec(version=9)@0.1": "", "NumRet": "num_ret", "NumRet(rel=1)": "num_rel_ret",
		"NumRet(rel=2)": "num_rel_ret -l2", "SetP": "set_P", "SetP(relative=True)": "set_relative_P",
		"SetF": "set_F", "SetF(beta=0.5)": "set_F.0.5", "utility": "utility",
		"utility(a=2,docs=9)": "utility.2,-1,0,0 -N9", "11pt_avg": "11pt_avg",
		"11pt_avg(points=[0.5,1])": "11pt_avg.0.5,1", "RBP(p=0.9)": "rbp", "RBP": "rbp.p=0.8", "RBP(rel=1)": "",
		"rbp_resid": "rbp_resid", "unj@5": "unj_5", "Compat": "", "DCG": "dcg",
		"Rprec_mult@0.2": "Rprec_mult_0.20", "Bpref": "bpref", "R@5": "recall_5", "relative_P@5": "relative_P_5",
		"NumNonRelJudgedRet": "num_nonrel_judged_ret", "G": "G",
	} {
		got, ok := trecName(mustParse(t, in))
		if got != want || ok != (want != "") {
			t.Errorf("%s is called %q, want %q", in, got, want)
		}
	}
}

// ranx 0.3.21 on four queries: nan for b, which has no judged non-relevant document; d has one with grade -1 above
// the relevant one.
func TestRanxBpref(t *testing.T) {
	lists := []List{
		{Query: "a", IDs: []string{"d2", "d1", "x", "d3", "d4"}, Scores: []float64{3, 2, 1.5, 1.2, 1},
			Grades: []float64{0, 1, Unjudged, 0, 2}, Judged: []float64{1, 0, 0, 2}},
		{Query: "b", IDs: []string{"d1"}, Scores: []float64{1}, Grades: []float64{1}, Judged: []float64{1}},
		{Query: "c", IDs: []string{"d1"}, Scores: []float64{1}, Grades: []float64{0}, Judged: []float64{0, 0}},
		{Query: "d", IDs: []string{"d2", "d1"}, Scores: []float64{2, 1}, Grades: []float64{-1, 1},
			Judged: []float64{1, -1, 0}},
	}
	o, ok := ConventionByName("ranx").Evaluate(lists, mustParse(t, "Bpref"))
	if !ok || o.As != "bpref" {
		t.Fatalf("%v %+v", ok, o)
	}
	if want := []float64{0.25, 0, 0, 0}; !slices.Equal(o.Values, want) {
		t.Errorf("values %v, want %v", o.Values, want)
	}
	if want := []bool{true, false, true, true}; !slices.Equal(o.Counts, want) {
		t.Errorf("counts %v, want %v", o.Counts, want)
	}
	diffs, _ := explain(ConventionByName("ranx"), lists, mustParse(t, "Bpref"), Policy{})
	if len(diffs) != 2 || diffs[0].Query != "b" || diffs[1].Query != "d" ||
		!strings.Contains(diffs[1].Reasons[0].Text, "negative grades") {
		t.Errorf("%+v", diffs)
	}
}

// Every tool on every measure with every parameter at the ends and in the middle of its range gives a name or a
// refusal, a finite figure, and reasons that lead to it.
func TestConventionsAtTheEndsOfEveryParameter(t *testing.T) {
	_, lists := readConventionCase(t)
	lists = append(lists, List{Query: "none"}, List{Query: "one", IDs: []string{"d"}, Scores: []float64{1},
		Grades: []float64{1}, Judged: []float64{1}, JudgedIDs: []string{"d"}},
		List{Query: "huge", IDs: []string{"d", "e"}, Scores: []float64{1e300, math.Inf(1)}, Grades: []float64{-1, 1000},
			Judged: []float64{-1, 1000, 1}, JudgedIDs: []string{"d", "e", "f"}})
	tried := 0
	for _, in := range All() {
		base := in.blank()
		if at := in.at(); at != nil && at.Required {
			base.set(at, max(at.Min, 1))
		}
		ms := []Measure{base}
		for i := range in.Params {
			p := &in.Params[i]
			values := []float64{p.Min, p.Max, p.Default, (p.Min + p.Max) / 2, 1, 0, 1e-7, 0.95}
			if p.Kind == KindChoice {
				values = nil
				for c := range p.Choices {
					values = append(values, float64(c))
				}
			}
			for _, v := range values {
				m := base
				if p.Kind != KindGains && p.Kind != KindList {
					m.set(p, v)
				}
				if again, err := Parse(m.String()); err == nil { // skip what the notation cannot express
					ms = append(ms, again)
				}
			}
		}
		for _, m := range ms {
			for _, conv := range Conventions() {
				o, ok := conv.Evaluate(lists, m)
				diffs, also := explain(conv, lists, m, Policy{})
				if ok != also {
					t.Errorf("%s: %s: evaluated %v, explained %v", conv.Name, m, ok, also)
				}
				if !ok {
					continue
				}
				if tried++; o.As == "" || math.IsNaN(o.Mean) || math.IsInf(o.Mean, 0) {
					t.Errorf("%s: %s: %q, mean %v", conv.Name, m, o.As, o.Mean)
				}
				for _, d := range diffs {
					if n := len(d.Reasons); n == 0 || d.TheirsCounts && math.Abs(d.Reasons[n-1].After-d.Theirs) > 1e-9 {
						t.Errorf("%s: %s: query %s: %+v", conv.Name, m, d.Query, d)
					}
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("%d questions are answered", tried)
	}
}

// The figures that ranx 0.3.21 and scikit-learn 1.9.1 give or refuse.
func TestConventionsThatDiffer(t *testing.T) {
	lists := []List{
		{Query: "a", IDs: []string{"d1", "d2"}, Scores: []float64{2, 1}, Grades: []float64{1, 2}, Judged: []float64{1, 2}},
		{Query: "b", IDs: []string{"d1"}, Scores: []float64{1}, Grades: []float64{1}, Judged: []float64{1}},
	}
	for _, c := range []struct {
		tool, measure, as string // as "": the tool lacks the measure
		mean              float64
		queries           int
	}{
		{"ranx", "NumRet(rel=1)", "hits", 1.5, 2},
		{"trec_eval", "NumRet(rel=1)", "num_rel_ret", 3, 2},
		{"ranx", "RBP(p=0.95)", "rbp.95", 0.05 * (1 + 2*0.95 + 1) / 2, 2},
		{"ranx", "RBP(p=0)", "rbp.0", 1, 2},
		{"ranx", "RBP(p=1)", "", 0, 0},
		{"sklearn", "nDCG", "ndcg_score()", 0.8597186998521971, 1},
		{"sklearn", "DCG", "dcg_score()", 2.2618595071429146, 1},
		{"sklearn", "AP", "average_precision_score", 1, 2},
	} {
		o, ok := ConventionByName(c.tool).Evaluate(lists, mustParse(t, c.measure))
		if ok != (c.as != "") {
			t.Errorf("%s: %s: %v", c.tool, c.measure, ok)
		} else if ok && (o.As != c.as || math.Abs(o.Mean-c.mean) > 1e-15 || o.Queries != c.queries) {
			t.Errorf("%s: %s: %q, %v of %d queries, want %q, %v of %d", c.tool, c.measure, o.As, o.Mean, o.Queries,
				c.as, c.mean, c.queries)
		}
	}
}

// By hand: b, a and c have equal grades. NaN scores come last, as in the order of a run, whatever the order of the
// judgments.
func TestIdealByScoreHasWhatIsNoNumberLast(t *testing.T) {
	m := mustParse(t, "Compat(p=0.8)")
	value := func(none float64) float64 {
		l := &List{IDs: []string{"c", "b", "a"}, Scores: []float64{2, 1, none}, Judged: []float64{1, 1, 1},
			JudgedIDs: []string{"b", "a", "c"}}
		return compatByScore(m, l, []int{0, 1, 2}, &Topic{Ranked: []float64{1, 1, 1}, Judged: []float64{1, 1, 1}})
	}
	if got, want := value(math.NaN()), value(-1); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// explain compares the convention's values of measure m with those of a policy. It returns the queries whose values
// (by more than 1e-9) or inclusion in the mean differ, each with its reasons. ok is false if the tool lacks the
// measure.
func explain(c *Convention, lists []List, m Measure, p Policy) (diffs []Difference, ok bool) {
	q, ok := c.Inquire(m, p)
	if !ok {
		return nil, false
	}
	top := float64(1)
	for i := range lists {
		for _, g := range lists[i].Judged {
			top = max(top, g)
		}
	}
	for i := range lists {
		l := lists[i]
		if l.TopGrade == 0 {
			l.TopGrade = top // as Evaluate does
		}
		if d := q.Add(&l); d != nil {
			diffs = append(diffs, *d)
		}
	}
	return diffs, true
}
