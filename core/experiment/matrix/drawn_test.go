package matrix

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis/pattern"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// What a stage brings alone is what it adds to the pipeline without any.
func TestAStageAloneIsMeasuredFromThePipelineWithoutAny(t *testing.T) {
	out := finished(t, session(t), `{"ablate": "bm25 >> rm3 >> cut(10)", "measures": ["nDCG@10"]}`, 1)
	mean := map[string]float64{}
	for i, s := range out.Report.Systems {
		mean[s.Pipeline()] = out.Report.Columns[0].Means[i]
	}
	a := out.Ablation
	if a.Bare == 0 || a.Bare != mean["bm25"] {
		t.Fatalf("%v without any stage, want %v", a.Bare, mean["bm25"])
	}
	for i, name := range []string{"bm25 >> rm3", "bm25 >> cut(10)"} {
		if got, want := a.Stages[i].Alone, mean[name]-mean["bm25"]; got != want {
			t.Errorf("%s: alone %v, want %v", name, got, want)
		}
	}
}

// stores counts checkpoints.
type stores struct {
	Memory
	made int
}

func (s *stores) Append(b []byte) error { s.made++; return s.Memory.Append(b) }

// Of 12 queries and two runs. Where a query takes 60 ms a checkpoint is made each five of the 24, and one of what is
// left; where it takes 5 ms, each ten; where it takes 600 ms, after each. Before them all the head is written. What is
// told names the run that the last of the queries was of.
func TestCheckpointsAreMadeWhereItIsTime(t *testing.T) {
	s := session(t)
	for takes, want := range map[float64]string{60e3: "00111", 5e3: "011", 600e3: "000000000000111111111111"} {
		store, now := &stores{}, 0.0
		x := opened(t, s, `{"systems": ["bm25", "dense"], "measures": ["AP"]}`, store)
		told := ""
		o := Options{Clock: func() float64 { return now }, Progress: func(p Progress) { told += strconv.Itoa(p.Run) }}
		o.Cancel = func() bool { now += takes; return false }
		if err := x.Run(o); err != nil {
			t.Fatal(err)
		}
		if store.made != 1+len(want) || told != want {
			t.Errorf("%v µs a query: %d checkpoints, told of runs %s, want %s", takes, store.made, told, want)
		}
	}
}

// Two systems whose adjusted p-value is α can be told apart no more than those above it.
func TestWithinTheNoiseFromAlphaOn(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25", "dense"], "measures": ["AP"]}`, 1)
	r := out.Report
	for p, want := range map[float64]bool{report.Alpha: true, math.Nextafter(report.Alpha, 0): false} {
		r.Pairs[0].Adjusted = p
		if got := within(r, 0, 1); got != want {
			t.Errorf("p = %v: %v", p, got)
		}
	}
}

// The most frequent pattern is named, of equal ones the first; rankings that fit none are no pattern.
func TestTheMostFrequentPatternIsNamed(t *testing.T) {
	for _, c := range []struct {
		name        string
		holds       map[int]int
		worst, most int
	}{
		{"the first of equal ones", map[int]int{1: 2, 2: 1, 3: 2}, 1, 2},
		{"once", map[int]int{4: 1}, 4, 1},
		{"never", nil, 0, 0},
		{"most fit none", map[int]int{2: 1, len(pattern.All): 7}, 2, 1},
	} {
		counts := [][]int{make([]int, len(pattern.All)+1)}
		for p, n := range c.holds {
			counts[0][p] = n
		}
		_, worst, most := patternTable(1, counts, make([]string, len(pattern.All)))
		if worst != c.worst || most != c.most {
			t.Errorf("%s: %d, %d times", c.name, worst, most)
		}
	}
	for _, c := range []struct {
		v, best float64
		want    bool
	}{{poor, poor, false}, {math.Nextafter(poor, 0), poor, true}, {.9 - behind, .9, true},
		{math.Nextafter(.9-behind, 1), .9, false}} {
		if bad(c.v, c.best) != c.want {
			t.Errorf("%v where the best has %v: poor is %v", c.v, c.best, !c.want)
		}
	}
}

// Twelve documents of one word that the query has and one of their own; all are judged, and the last is relevant. No
// pattern holds of such a ranking.
func TestAPoorRankingMayFitNoPattern(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels()}
	for d := range 12 {
		id := fmt.Sprintf("d%02d", d)
		c.Docs = append(c.Docs, collection.Doc{ID: id, Text: "harbour " + strings.Repeat(string(rune('a'+d)), 5)})
		c.Qrels.Add("q", id, float64(d/11))
	}
	c.Queries = []collection.Query{{ID: "q", Text: "harbour"}}
	s := sessionOf(t, bundle.Source{ID: "toy", Name: "Toy", Collection: c})
	out := finished(t, s, `{"systems": ["bm25"], "measures": ["P@10"]}`, 1)
	k, err := compare.Open(*out.Input)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Errors(s, k, out.Report, say.Page, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := got.Tables[0].Rows
	if none := rows[len(rows)-1]; got.Sentence != "None of 1 poor ranking fits a pattern." ||
		none[0].Text != "none of these" || none[1].Value != 1 {
		t.Errorf("%s %+v", got.Sentence, none)
	}
}

// What a case has of its query and of a document, read off a collection of three.
func TestWhatACaseHasOfItsCollection(t *testing.T) {
	c := &collection.Collection{Qrels: collection.NewQrels()}
	c.Docs = []collection.Doc{{ID: "d1", Title: "Port", Text: "harbour storm"}, {ID: "d2", Text: "storm"},
		{ID: "d3", Text: "a storm in the harbour, 1953"}}
	c.Qrels.Add("q", "d3", 2)
	c.Queries = []collection.Query{{ID: "q", Text: "harbuor harbour storm zzz"}}
	s := sessionOf(t, bundle.Source{ID: "toy", Name: "Toy", Collection: c})
	dates, place := map[string]string{"d1": "1953", "d2": "195", "d3": "1953-02-01"}, map[string]int{}
	for i := range s.Bundle().Cards {
		card := &s.Bundle().Cards[i] // in another order than the collection
		card.Date, place[card.ID] = dates[card.ID], i
	}
	x, an, err := stage.Analyzed(s.Parts())
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{s: s, x: x, an: an, docs: map[int]*pattern.Doc{}, place: place}
	got := l.query(s, report.Query{ID: "q", Text: c.Queries[0].Text})
	if got.All != 2 || !slices.Equal(got.Unknown, []string{"harbuor", "zzz"}) ||
		!slices.Equal(got.Spelled, []string{"harbour", ""}) || len(got.Relevant) != 1 || got.Relevant[0].ID != "d3" {
		t.Errorf("%+v", got)
	}
	for id, year := range map[string]string{"d1": "1953", "d2": "", "d3": "1953"} {
		if x := l.doc(place[id]); x.ID != id || x.Year != year || !x.Words["storm"] ||
			x.Words["harbour"] != (id != "d2") || x.Words["port"] != (id == "d1") {
			t.Errorf("%+v", x)
		}
	}
	if got := written("a\x7fb9/z:0é"); !slices.Equal(got, []string{"a", "b9", "z", "0é"}) {
		t.Errorf("%q", got)
	}
}

// Nothing is known of what nobody tried.
func TestAnEstimateWithoutATryIsNothing(t *testing.T) {
	s := session(t)
	x := opened(t, s, `{"systems": ["bm25"], "measures": ["AP"]}`, &Memory{})
	if got := x.Estimate(func() float64 { return 0 }, 0); got.Micros != 0 || got.Tried != 0 {
		t.Errorf("%+v", got)
	}
}

// Of up to ten stages every set is run, the whole first. Of more, orders are drawn, always the same of a seed, and all
// sets that the table shows are run too.
func TestSetsOfAnAblation(t *testing.T) {
	masks, orders := coalitions(exactPlayers, 0)
	if len(masks) != 1<<exactPlayers || masks[0] != 1<<exactPlayers-1 || orders != nil {
		t.Errorf("%d sets of ten, the first %b; %d orders", len(masks), masks[0], len(orders))
	}
	const n = exactPlayers + 1
	masks, orders = coalitions(n, 0)
	if masks[0] != 1<<n-1 || len(orders) != drawnOrders {
		t.Errorf("of eleven the first is %b; %d orders", masks[0], len(orders))
	}
	for mask := range uint32(1 << n) {
		if k := bits.OnesCount32(mask); shown(mask, n) != (k <= 1 || k >= n-1) {
			t.Errorf("%b of %d is shown: %v", mask, n, shown(mask, n))
		} else if shown(mask, n) && !slices.Contains(masks, mask) {
			t.Errorf("%b is shown and not run", mask)
		}
		if !shown(mask&(1<<comparedPlayers-1), comparedPlayers) {
			t.Errorf("%b of eight is not shown", mask)
		}
	}
	if want := []int{7, 6, 4, 1, 0, 2, 5, 8, 3, 10, 9}; !slices.Equal(orders[0], want) {
		t.Errorf("the first order is %v, and was %v in 2026", orders[0], want)
	}
}

// A matrix has as many runs as its members' lengths together: 41 × 40 are too many, whichever two they are of.
func TestAMatrixIsAsLargeAsItsMembersTogether(t *testing.T) {
	list := func(n, from int) string {
		var out []string
		for i := range n {
			out = append(out, strconv.Itoa(from+i))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	for _, c := range []struct {
		tops, fusions, thresholds int
		rerank                    string
		want                      string
	}{
		{41, 40, 1, "false", "1,640"}, {41, 1, 40, "false", "1,640"}, {1, 41, 40, "false", "1,640"},
		{41, 20, 1, "both", "1,640"}, {40, 40, 1, "false", ""},
	} {
		spec := fmt.Sprintf(`{"search_modes": ["hybrid"], "top_k_values": %s, "rrf_k_values": %s, `+
			`"score_thresholds": %s, "use_reranker": %s}`, list(c.tops, 100), list(c.fusions, 1),
			list(c.thresholds, 1), map[string]string{"false": "false", "both": "[false, true]"}[c.rerank])
		_, err := ReadSpec([]byte(spec))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(),
			"read config matrix: "+strings.ReplaceAll(c.want, ",", "")+" runs are too many: the limit is 1600")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// An error about a member that the text does not have names no line.
func TestAMemberThatTheTextLacksHasNoLine(t *testing.T) {
	text := InText([]byte(`{"systems": ["bm25"]}`), about("depth", "it is wrong")).Error()
	if strings.Contains(text, "line") || !strings.Contains(text, "it is wrong") {
		t.Error(text)
	}
}
