package matrix

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// A query is of the category that most of its relevant documents have, of equals the first by name. Documents that are
// not relevant, have no category or are not in the collection do not count. By hand.
func TestQueriesHaveTheCategoryOfTheirRelevantDocuments(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels()}
	for id, category := range map[string]string{"p1": "port", "p2": "port", "s1": "sea", "s2": "sea", "n": ""} {
		c.Docs = append(c.Docs, collection.Doc{ID: id, Text: "harbour " + id, Category: category})
	}
	slices.SortFunc(c.Docs, func(a, b collection.Doc) int { return strings.Compare(a.ID, b.ID) })
	want := map[string]string{}
	for id, x := range map[string]struct {
		grades   map[string]int
		category string
	}{
		"one":        {map[string]int{"s1": 1}, "sea"},
		"most":       {map[string]int{"s1": 1, "s2": 2, "p1": 3}, "sea"},
		"equal":      {map[string]int{"s1": 1, "p1": 1}, "port"},
		"graded 0":   {map[string]int{"p1": 0, "p2": 0, "s1": 1}, "sea"},
		"none":       {map[string]int{"n": 1}, ""},
		"irrelevant": {map[string]int{"p1": 0}, ""},
		"elsewhere":  {map[string]int{"gone": 3, "s2": 1}, "sea"},
	} {
		c.Queries = append(c.Queries, collection.Query{ID: id, Text: "harbour"})
		for doc, grade := range x.grades {
			c.Qrels.Add(id, doc, float64(grade))
		}
		want[id] = x.category
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "toy", Name: "Toy", Collection: c}, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	r := &report.Report{}
	for _, q := range c.Queries {
		r.Queries = append(r.Queries, report.Query{ID: q.ID, Text: q.Text})
	}
	facets := Facets(experiment.NewSession(b, fetch), r)
	for i, q := range r.Queries {
		if got := facets[1].Values[i]; got != want[q.ID] {
			t.Errorf("%s: %q, want %q", q.ID, got, want[q.ID])
		}
	}
}

// Systems and a config matrix are two ways to say one thing; who has both hears it at the beginning of the systems.
func TestSystemsBesideAConfigMatrixAreRefusedAtTheirLine(t *testing.T) {
	const text = "{\n\"search_modes\": [\"lexical\"],\n\"systems\":\n  [\"bm25\",\n   \"dense\"]}"
	if _, err := ReadSpec([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 4:") ||
		!strings.Contains(err.Error(), "give one of the two") {
		t.Errorf("%v", err)
	}
}

// The test's reference is cited if something was tested.
func TestTheTestIsCitedIfSomethingWasTested(t *testing.T) {
	s := session(t)
	two := finished(t, s, `{"systems": ["bm25", "dense"], "measures": ["nDCG@10"]}`, 1)
	test, err := significance.Lookup(two.Report.Test.Choice.Test)
	if err != nil {
		t.Fatal(err)
	}
	author, _, _ := strings.Cut(test.Reference, " ")
	if !strings.Contains(two.BibTeX(), author) {
		t.Errorf("%s is not cited", test.Reference)
	}
	one := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`, 1)
	if strings.Contains(one.BibTeX(), author) {
		t.Errorf("%s is cited, and nothing was tested", test.Reference)
	}
}

// As many stages as the limit says can be left out, and not one more.
func TestAblationHasALimitOfStages(t *testing.T) {
	for n, ok := range map[int]bool{1: true, MaxPlayers: true, MaxPlayers + 1: false, 0: false} {
		_, of, err := takenApart("bm25" + strings.Repeat(" >> rm3", n))
		if (err == nil) != ok || ok && len(of) != n {
			t.Errorf("%d stages: %d, %v", n, len(of), err)
		}
	}
}

// The first predictor may be the one that says the most.
func TestTheFirstPredictorMayBeTheBest(t *testing.T) {
	s := session(t)
	whole := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`, 1).Report
	var texts []string
	for _, q := range whole.Queries[:11] {
		texts = append(texts, q.Text)
	}
	out := section(t, s, asked(whole, predicted(t, s, "SCS", texts...), texts...))
	if !strings.HasSuffix(out.Sentence, " Of the predictors SCS says the most (r +1.00).") {
		t.Errorf("%s", out.Sentence)
	}
}

// A seed, a depth or a number of folds out of its range is refused, whatever stands before and behind it.
func TestNumbersOfASpecHaveTheirRanges(t *testing.T) {
	for member, ok := range map[string]bool{
		`"seed": -1`: false, `"seed": 0`: true, `"depth": -1`: false, `"depth": 0`: true, `"depth": 1000000`: false,
		`"folds": -1`: false, `"folds": 0`: true, `"folds": 1`: false, `"folds": 2`: true, `"folds": 50`: true,
		`"folds": 51`: false,
	} {
		for _, text := range []string{`{"systems": ["bm25"], ` + member + `}`,
			`{` + member + `, "systems": ["bm25"]}`} {
			if _, err := ReadSpec([]byte(text)); (err == nil) != ok {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// Words are of letters and digits, in lower case, of any script.
func TestWordsAreOfLettersAndDigits(t *testing.T) {
	want := []string{"bm25", "k", "1", "z9", "été", "a0"}
	if got := written("BM25 (k=1), Z9/été; A0"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of families that are equally good on the other queries the earlier one is chosen.
func TestOfEqualFamiliesTheEarlierIsChosen(t *testing.T) {
	var low, high []float64
	for q := range 20 {
		low, high = append(low, float64(q%3)/10), append(high, float64(q%3)/10+.25)
	}
	f, err := tuneFamilies(tuned(t, false, [][]float64{low, high, low, high}), [][]int{{0, 1}, {2, 3}}, 9, 2)
	if err != nil || !slices.Equal(f.Choices, []int{1, 1}) {
		t.Errorf("%v, %v", f.Choices, err)
	}
}

// What a backend charges is told in its currency; without an edge, or a price, nothing is known of money.
func TestAPlanIsPricedInTheCurrencyOfItsBackend(t *testing.T) {
	const spec = `{"systems": ["bm25 >> rerank(backend=ce,depth=5)"], "measures": ["nDCG@10"]}`
	priced, _, _ := withEdge(t, `"price":{"million_tokens":2,"currency":"EUR"},`)
	free, _, _ := withEdge(t)
	for _, c := range []struct {
		s        *experiment.Session
		currency string
	}{{priced, "EUR"}, {free, ""}, {session(t), ""}} {
		bill, err := plan(t, c.s, spec).Price(c.s)
		if err != nil {
			t.Fatal(err)
		}
		money := 0.0
		if c.currency != "" {
			money = float64(bill.Tokens) * 2 / 1e6
		}
		if bill.Tokens == 0 || bill.Calls != 12 || bill.Currency != c.currency || math.Abs(bill.Money-money) > 1e-9 {
			t.Errorf("%+v, want %v %s", bill, money, c.currency)
		}
	}
}

// What is done is told in a bit a query of a run, and a plan of nothing special in a word.
func TestWhatIsDoneIsABitAQuery(t *testing.T) {
	s := session(t)
	for systems, want := range map[string]int{`"bm25"`: 2, `"bm25", "dense"`: 3} { // of 12 queries
		p := plan(t, s, `{"systems": [`+systems+`], "measures": ["nDCG@10"]}`)
		x, err := Open(p, s, &Memory{})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Run(Options{Skip: func(run, q int) bool { return q%2 == 1 }}); err != nil {
			t.Fatal(err)
		}
		have := x.Have()
		if len(have) != want {
			t.Errorf("%s: %d bytes, want %d", systems, len(have), want)
		}
		for run := range p.Runs {
			for q := range 12 {
				if x.Has(have, run, q) != (q%2 == 0) {
					t.Errorf("%s: query %d of run %d is done: %v", systems, q, run, x.Has(have, run, q))
				}
			}
		}
		if said := p.Said(); strings.Contains(said, ";") || !strings.Contains(said, "run") {
			t.Errorf("%s", said)
		}
	}
}

// Too many cutoffs are refused at the beginning of their list.
func TestTooManyCutoffsAreRefusedAtTheirList(t *testing.T) {
	for n, ok := range map[int]bool{mostMeasures: true, mostMeasures + 1: false} {
		text := "{\"search_modes\": [\"lexical\"],\n\"k_values_for_metrics\":\n [" +
			strings.TrimSuffix(strings.Repeat("5,\n", n), ",\n") + "]}"
		_, err := ReadSpec([]byte(text))
		if ok && err != nil && strings.Contains(err.Error(), "cutoffs: the limit") ||
			!ok && (err == nil || !strings.Contains(err.Error(), "line 3:")) {
			t.Errorf("%d cutoffs: %v", n, err)
		}
	}
}

// An edge is asked what its backends charge if a plan asks any, and not otherwise.
func TestAPlanWithoutBackendsAsksNoEdge(t *testing.T) {
	for system, asks := range map[string]bool{"bm25": false, "bm25 >> rerank(backend=ce)": true} {
		s, n := session(t), 0
		s.SetEdge(remote.New(func(string, string, []byte) (remote.Reply, error) {
			n++
			return remote.Reply{}, errors.New("no network")
		}))
		if _, err := plan(t, s, `{"systems": ["`+system+`"], "measures": ["nDCG@10"]}`).Price(s); err != nil {
			t.Fatal(err)
		}
		if (n > 0) != asks {
			t.Errorf("%s: the edge is asked %d times", system, n)
		}
	}
}

// Names of documents that are looked for in queries have two words or more, each once.
func TestNamesOfTwoWordsAreLookedFor(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q", Text: "port"}}}
	for i, names := range [][]string{{"Oslo", "Port Authority"}, {"port authority", "Bay of Fundy"}, nil} {
		d := collection.Doc{ID: string(rune('a' + i)), Text: "port"}
		for _, name := range names {
			d.Entities = append(d.Entities, collection.Entity{Name: name, Kind: "place", Confidence: 1})
		}
		c.Docs = append(c.Docs, d)
	}
	c.Qrels.Add("q", "a", 1)
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "toy", Name: "Toy", Collection: c}, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{s: experiment.NewSession(b, fetch)}
	l.entities()
	var got []string
	for _, name := range l.names {
		got = append(got, strings.Join(name, " "))
	}
	if !slices.Equal(got, []string{"port authority", "bay of fundy"}) {
		t.Errorf("%q", got)
	}
}
