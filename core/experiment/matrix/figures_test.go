package matrix

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/tokens"
)

// The means of a run are those of the report, over the queries that are done.
func TestMeansAreOfTheQueriesThatAreDone(t *testing.T) {
	s := session(t)
	const spec = `{"systems": ["bm25", "dense"], "measures": ["nDCG@10", "AP"]}`
	whole := finished(t, s, spec, 1).Report
	for _, done := range []int{0, 1, 3, 12} {
		x, err := Open(plan(t, s, spec), s, &Memory{})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Run(Options{Skip: func(_, q int) bool { return q >= done }}); err != nil {
			t.Fatal(err)
		}
		for run := range 2 {
			mean, n := x.Mean(run)
			all := x.Means(run)
			if n != done || done == 0 && len(all) != 0 {
				t.Fatalf("%d queries, %v", n, all)
			}
			for m := range all {
				want := 0.0
				for _, v := range whole.Columns[m].Values[run][:done] {
					want += v / float64(done)
				}
				if math.Abs(all[m]-want) > 1e-12 || m == 0 && mean != all[0] {
					t.Errorf("run %d, %d queries: %v, want %v by measure %d", run, done, all, want, m)
				}
			}
			if done > 0 && len(all) != 2 {
				t.Errorf("%d means", len(all))
			}
		}
	}
	x, err := Open(plan(t, s, spec), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	before, _ := x.Mean(0)
	first := whole.Columns[0].Values[0][0]
	x.lists[0][0].state = Failed
	if after, n := x.Mean(0); n != 12 || math.Abs(before-first/12-after) > 1e-12 || first == 0 {
		t.Errorf("a query that failed counts 0: %v of %d, then %v", before, n, after)
	}
}

// What a plan asks of backends: for each judged query as many calls as its documents take, and tokens by the mean
// length of the documents.
func TestAPlanHasAPrice(t *testing.T) {
	s, _, _ := withEdge(t)
	words := 0
	docs := s.Ref().Documents
	for d := range docs {
		text, err := s.Parts().Text(uint32(d))
		if err != nil {
			t.Fatal(err)
		}
		words += tokens.Of(s.Parts().Card(uint32(d)).Title + " " + text)
	}
	perDoc := int(math.Ceil(float64(words) / float64(docs)))
	queries := 0
	for _, q := range s.Queries.Described() {
		queries += tokens.Of(q.Text)
	}
	for _, c := range []struct {
		systems             string
		calls, texts, depth int
	}{
		{`"bm25", "dense"`, 0, 0, 0},
		{`"bm25 >> rerank(backend=ce,depth=5)"`, 12, 12 * 6, 5},
		{`"bm25 >> rerank(backend=ce,depth=5,batch=5)"`, 12, 12 * 6, 5},
		{`"bm25 >> rerank(backend=ce,depth=5,batch=4)"`, 24, 12 * 7, 5},
		{`"bm25 >> rerank(backend=ce,depth=5,batch=2)"`, 36, 12 * 8, 5},
		{`"bm25 >> rerank(backend=ce,depth=500)"`, 12, 12 * 41, 40}, // there are no more documents
		{`"bm25", "bm25 >> rerank(backend=ce,depth=2)", "dense >> rerank(backend=ce,depth=3)"`, 24, 12 * 7, 5},
	} {
		bill, err := plan(t, s, `{"systems": [`+c.systems+`], "measures": ["nDCG@10"]}`).Price(s)
		if err != nil {
			t.Fatal(err)
		}
		if want := c.depth * (12*perDoc + queries); bill.Calls != c.calls || bill.Texts != c.texts ||
			bill.Tokens != want {
			t.Errorf("%s: %+v, want %d tokens", c.systems, bill, want)
		}
	}
}

// Times are of completed runs and of the queries that they can answer, stage by stage, and the bytes those of the files
// that a run reads.
func TestTimesOfRunsAndStages(t *testing.T) {
	s := session(t)
	x, err := Open(plan(t, s, `{"systems": ["bm25 >> cut(20)", "dense", "dense(model=none)"], `+
		`"measures": ["nDCG@10"]}`), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	now := 0.0
	clock := func() float64 { now += 10; return now } // each look takes 10 µs
	times, err := x.Time(clock, nil)
	if err != nil {
		t.Fatal(err)
	}
	bytes := map[string]float64{}
	for _, f := range s.Bundle().Manifest.Files {
		role, _, _ := strings.Cut(f.Role, "/")
		bytes[role] += float64(f.Bytes)
	}
	if times.Bytes[0] != bytes["index"] || times.Bytes[1] != bytes["vectors"] || times.Bytes[2] != 0 ||
		bytes["index"] == 0 || bytes["vectors"] == 0 {
		t.Errorf("%v, want %v", times.Bytes, bytes)
	}
	for run, n := range []int{12, 12, 0} {
		if len(times.Millis[run]) != n {
			t.Errorf("run %d: times of %d queries", run, len(times.Millis[run]))
		}
		for q, ms := range times.Millis[run] {
			sum := 0.0
			for _, l := range times.Stages[run] {
				if len(l.Millis) != n || l.Millis[q] <= 0 {
					t.Errorf("run %d: %+v", run, l)
				}
				sum += l.Millis[q]
			}
			// a query takes a few looks at the clock, and one before and behind them
			if ms <= 0 || ms > 0.2 || sum >= ms {
				t.Errorf("run %d, query %d: %v ms, of stages %v", run, q, ms, sum)
			}
		}
	}
	var names []string
	for _, l := range times.Stages[0] {
		names = append(names, l.Stage)
	}
	if !slices.Equal(names, []string{"bm25", "cut(20)"}) && !slices.Equal(names, []string{"bm25", "cut"}) {
		t.Errorf("stages %q", names)
	}
	listed, err := x.Times("here", clock, nil)
	if err != nil || len(listed.Runs) != 2 || listed.Runs[1].Name != "dense" || len(listed.Runs[0].Stages) != 2 ||
		len(listed.Runs[0].Milliseconds) != 12 {
		t.Errorf("%+v, %v", listed, err)
	}
	left := 3
	if _, err := x.Times("here", clock, func() bool { left--; return left < 0 }); !errors.Is(err, ErrCancelled) {
		t.Errorf("%v", err)
	}
}

// Of what Time measures the shorter of two passes counts, and the first is none.
func TestTheShorterOfTwoPassesCounts(t *testing.T) {
	s := session(t)
	x, err := Open(plan(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	// passes of 12 queries each: a look takes 1 µs in the first, 9,000 µs in the second and 3,000 µs in the third
	for _, looks := range [][3]float64{{1, 9000, 3000}, {1, 3000, 9000}} {
		now, pass, asked := 0.0, 0, 0
		times, err := x.Time(func() float64 { now += looks[pass]; return now }, func() bool {
			pass = min(2, asked/12)
			asked++
			return false
		})
		if err != nil || asked != 36 {
			t.Fatalf("%d queries, %v", asked, err)
		}
		for q, ms := range times.Millis[0] {
			if ms < 3 || ms >= 27 || math.Mod(ms, 3) != 0 || math.Mod(ms, 9) == 0 && ms > 9 {
				t.Errorf("query %d: %v ms", q, ms)
			}
		}
		if !slices.Equal(times.Millis[0][:1], times.Millis[0][1:2]) {
			t.Errorf("%v", times.Millis[0])
		}
	}
}

// An experiment of which no run was completed says why the first was not.
func TestNothingToCompareIsExplained(t *testing.T) {
	s := session(t)
	x, err := Open(plan(t, s, `{"systems": ["dense(model=none)", "dense(model=other)"], "measures": ["nDCG@10"]}`), s,
		&Memory{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Outcome(Provenance{}, nil)
	if e, ok := errors.AsType[*NoneCompleted](err); !ok || e.Said() != "no run was completed" ||
		e.Error() != "matrix: no run was completed" {
		t.Errorf("before it ran: %v", err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	_, err = x.Outcome(Provenance{}, nil)
	if e, ok := errors.AsType[*NoneCompleted](err); !ok || !strings.HasPrefix(e.Said(),
		"no run was completed: dense(model=none): ") {
		t.Errorf("afterwards: %v", err)
	}
}

// What was done behind an edge is said of a run, in this order and with counts.
func TestWhatWasDoneBehindAnEdgeIsSaid(t *testing.T) {
	for want, status := range map[string]Status{
		"":                {Evaluated: 9, Failed: 2},
		"ce 7; cf":        {Asked: []string{"ce 7", "cf"}},
		report.SayFell(1): {FellBack: 1},
		"ce; " + report.SayFell(2) + "; for 1 query the backend did not answer, so there is no list": {
			Asked: []string{"ce"}, FellBack: 2, Silent: 1},
		"for 3 queries the backend did not answer, so there is no list":     {Silent: 3},
		"in 2 queries 5 documents that it found are not in this collection": {Strays: 5, StrayQueries: 2},
	} {
		if got := status.Remote(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var s Status
	for _, why := range []string{"b", "", "a", "b", "c", "a"} {
		s.asked(why)
	}
	if !slices.Equal(s.Asked, []string{"a", "b", "c"}) {
		t.Errorf("%q", s.Asked)
	}
}

// Systems with values to choose are told each by itself, with their default, and all together, in JSON and in words.
func TestTunedSystemsAreWritten(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25(k1=0.6|1.2|2)", "ql(mu=100|1000)", "dense"], "measures": `+
		`["nDCG@10"], "folds": 3}`, 1)
	if out.Families == nil || len(out.Families.Families) < 2 {
		t.Fatalf("%+v", out.Families)
	}
	text, err := out.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Families struct {
			HeldOut  float64 `json:"held_out"`
			Optimism float64
			Choices  []string
			Systems  []struct {
				Best, Default   string
				Runs            int
				Tuned, Optimism float64
				HeldOut         float64 `json:"held_out"`
				Within          *bool   `json:"default_within_noise_of_best"`
			}
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	f, want := read.Families, out.Families
	if f.HeldOut != want.HeldOut || f.Optimism != want.Optimism || len(f.Choices) != 3 ||
		len(f.Systems) != len(want.Families) {
		t.Fatalf("%+v, want %+v", f, want)
	}
	words := strings.Join(out.analyses(), "\n")
	for i, a := range want.Families {
		g := f.Systems[i]
		best := out.Report.Systems[a.Best].Label
		if g.Best != best || g.Runs != len(a.Runs) || g.Tuned != a.Tuned || g.HeldOut != a.HeldOut ||
			g.Optimism != a.Optimism || (g.Within != nil) != (a.Default >= 0) ||
			a.Default >= 0 && (g.Default != out.Report.Systems[a.Default].Label || *g.Within != a.WithinBest) {
			t.Errorf("%+v, want %+v", g, a)
		}
		if said := strings.Contains(words, "  "+best+" is the best of "); said != (len(a.Runs) > 1) {
			t.Errorf("%s is said to be the best of several: %v", best, said)
		}
	}
	if !strings.Contains(words, "Choosing the system and its values on other queries, nested, gives ") {
		t.Errorf("%s", words)
	}
}

// A store that was cut off within its last piece is read up to there, and goes on from there.
func TestATornStoreIsCut(t *testing.T) {
	s := session(t)
	const spec = `{"systems": ["bm25"], "measures": ["nDCG@10"]}`
	store := &Memory{}
	x, err := Open(plan(t, s, spec), s, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	whole := slices.Clone(store.data)
	for _, cut := range []int{1, 7, len(whole) - len(journalHead), len(whole) - 1, len(whole)} {
		torn := &Memory{slices.Clone(whole[:len(whole)-cut])}
		again, err := Open(plan(t, s, spec), s, torn)
		if err != nil {
			t.Fatalf("%d bytes are gone: %v", cut, err)
		}
		if !strings.HasPrefix(string(whole), string(torn.data)) || len(torn.data) < len(journalHead) {
			t.Errorf("%d bytes are gone: %d of %d are kept", cut, len(torn.data), len(whole))
		}
		if err := again.Run(Options{}); err != nil || string(torn.data) != string(whole) {
			t.Errorf("%d bytes are gone: %d bytes instead of %d, %v", cut, len(torn.data), len(whole), err)
		}
	}
	for _, other := range []string{"RBXK\x01", "RBXJ\x02", "X"} {
		if _, err := Open(plan(t, s, spec), s, &Memory{[]byte(other)}); !errors.Is(err, ErrJournal) {
			t.Errorf("%q: %v", other, err)
		}
	}
	m := &Memory{[]byte("abc")}
	if string(m.Since(1)) != "bc" || string(m.Since(3)) != "" || string(m.Since(4)) != "" {
		t.Errorf("%q, %q", m.Since(1), m.Since(4))
	}
}

// A plan names its pipelines, and says whether less of its first measure is better.
func TestAPlanKnowsItsPipelinesAndItsMeasure(t *testing.T) {
	s := session(t)
	p := plan(t, s, `{"systems": ["bm25", "dense"], "measures": ["nDCG@10"]}`)
	if n := p.Nodes(); len(n) != 2 || n[0].String() != "bm25" || n[1].String() != "dense" {
		t.Errorf("%v", n)
	}
	if p.Lower() {
		t.Error("less nDCG is better")
	}
}
