package fuse_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// fixed is a ranker with a fixed list.
type fixed []rank.Hit

func (l fixed) Rank(_ rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	dst = dst[:0]
	for _, h := range l {
		if f.Has(h.Doc) && len(dst) < k {
			dst = append(dst, h)
		}
	}
	return dst, nil
}

func (l fixed) Explain(_ rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	for _, h := range l {
		if h.Doc == d {
			return rank.Part{Name: "fixed", Score: h.Score}, nil
		}
	}
	return rank.Part{Name: "fixed"}, nil
}

type mute struct{ fixed }

func (mute) Rank(rank.Query, int, rank.Filter, []rank.Hit) ([]rank.Hit, error) {
	return nil, &rank.Unanswerable{Reason: "no vector"}
}

func two() *fuse.Fusion {
	return &fuse.Fusion{Scale: fuse.Reciprocal(60), Method: fuse.Sum, Depth: 3, Names: []string{"a", "b"},
		Lists: []rank.Ranker{
			fixed{{Doc: 1, Score: 9}, {Doc: 2, Score: 8}, {Doc: 3, Score: 7}, {Doc: 4, Score: 6}},
			fixed{{Doc: 3, Score: 1}, {Doc: 2, Score: .5}},
		}}
}

// Hand computation, k = 60, depth 3: document 3 = 1/63 + 1/61, document 2 = 1/62 + 1/62, document 1 = 1/61; document 4
// is at rank 4 of a, beyond the depth.
func TestRRF(t *testing.T) {
	got, err := two().Rank(rank.Query{}, 10, nil, nil)
	want := []rank.Hit{{Doc: 3, Score: 1./63 + 1./61}, {Doc: 2, Score: 1./62 + 1./62}, {Doc: 1, Score: 1. / 61}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	// With a filter, ranks count only the documents that pass, so document 4 moves up to rank 2 of a.
	got, _ = two().Rank(rank.Query{}, 10, rank.Filter{1<<3 | 1<<4}, nil)
	want = []rank.Hit{{Doc: 3, Score: 1./61 + 1./61}, {Doc: 4, Score: 1. / 62}}
	if !slices.Equal(got, want) {
		t.Errorf("filtered: got %v, want %v", got, want)
	}
}

func TestTheExplanationSumsToTheScore(t *testing.T) {
	for _, f := range []rank.Filter{nil, {1<<3 | 1<<4}} {
		hits, _ := two().Rank(rank.Query{}, 10, f, nil)
		for _, h := range hits {
			p, err := two().Explain(rank.Query{}, f, h.Doc)
			sum := 0.0
			for _, x := range p.Parts {
				sum += x.Score
			}
			if err != nil || p.Score != h.Score || sum != h.Score {
				t.Errorf("document %d: %v parts %v score %v (%v)", h.Doc, p.Score, sum, h.Score, err)
			}
		}
	}
}

func TestAListThatCannotAnswerMakesTheFusionUnanswerable(t *testing.T) {
	r := two()
	r.Lists[1] = mute{}
	var u *rank.Unanswerable
	if _, err := r.Rank(rank.Query{}, 10, nil, nil); !errors.As(err, &u) || u.Reason != "no vector" {
		t.Errorf("error %v", err)
	}
}

func TestCut(t *testing.T) {
	got, _ := fuse.Cut{Ranker: two(), N: 1}.Rank(rank.Query{}, 10, nil, nil)
	if len(got) != 1 || got[0].Doc != 3 {
		t.Errorf("%v", got)
	}
}

// ranx holds ranx 0.3.21's results for sets of runs.
type ranx struct {
	Sets map[string]struct {
		Runs  []map[string]json.RawMessage
		Qrels map[string]map[string]int
	}
	Cases []struct {
		Set, Method string
		Norm        *string
		Params      struct {
			K, Gamma, Phi, Sigma float64
			Weights              []float64
		}
		Fused      map[string][][2]any
		Repeatable struct{ Scores bool }
	}
}

func readOracle(t *testing.T) *ranx {
	t.Helper()
	z := shared.Open(t, "oracle/fusion/cases.json.gz")
	var oracle ranx
	if err := json.NewDecoder(z).Decode(&oracle); err != nil {
		t.Fatal(err)
	}
	return &oracle
}

// Oracle: ranx 0.3.21, on every set with reproducible scores. It keeps ties of the input lists in input order
// (lists of at most 15 documents), so our lists use that order.
func TestFusionsEqualRanx(t *testing.T) {
	oracle := readOracle(t)
	norms := map[string]fuse.Scale{"": fuse.Raw(), "min-max": fuse.MinMax(), "max": fuse.Largest(), "sum": fuse.Share(),
		"zmuv": fuse.Standard(), "rank": fuse.Place(), "min-max-inverted": fuse.MinMaxInverted(),
		"borda": fuse.BordaShare()}
	compared := map[string]int{}
	for _, c := range oracle.Cases {
		norm := ""
		if c.Norm != nil {
			norm = *c.Norm
		}
		scale, known := norms[norm]
		if !known || !c.Repeatable.Scores {
			continue
		}
		var method fuse.Method
		switch c.Method {
		case "sum":
			method = fuse.Sum
		case "mnz":
			method = fuse.MNZ
		case "anz":
			method = fuse.ANZ
		case "min":
			method = fuse.Least
		case "max":
			method = fuse.Most
		case "med":
			method = fuse.Median
		case "gmnz":
			method = fuse.GMNZ(c.Params.Gamma)
		case "wsum":
			method = fuse.Weighted(c.Params.Weights...)
		case "wmnz":
			method = fuse.WMNZ(c.Params.Weights...)
		case "mixed":
			method = fuse.Mixed(c.Params.Weights...)
		case "log_isr":
			scale, method = fuse.InverseSquare(), fuse.Logarithmic(0)
		case "logn_isr":
			scale, method = fuse.InverseSquare(), fuse.Logarithmic(c.Params.Sigma)
		case "w_bordafuse":
			scale, method = fuse.Points(), fuse.Weighted(c.Params.Weights...)
		case "rrf":
			scale, method = fuse.Reciprocal(c.Params.K), fuse.Sum
		case "isr":
			scale, method = fuse.InverseSquare(), fuse.MNZ
		case "rbc":
			scale, method = fuse.Geometric(c.Params.Phi), fuse.Sum
		case "bordafuse":
			scale, method = fuse.Points(), fuse.Sum
		}
		if method == nil || slices.Contains([]string{"rrf", "isr", "rbc", "bordafuse", "log_isr", "logn_isr",
			"w_bordafuse"}, c.Method) && norm != "" {
			continue // compare rank fusions without normalisation, which could only create ties
		}
		for q, want := range c.Fused {
			ids := map[string]uint32{}
			var lists []rank.Ranker
			var names []string
			negative := false
			for _, run := range oracle.Sets[c.Set].Runs {
				l := parse(t, run[q], ids)
				negative = negative || len(l) > 0 && l[0].Score < 0
				lists = append(lists, l)
				names = append(names, "")
			}
			if norm == "max" && negative {
				continue // ranx divides by 1e-9 if every score is negative; see Largest
			}
			r := &fuse.Fusion{Lists: lists, Names: names, Depth: 1000, Scale: scale, Method: method}
			got, err := r.Rank(rank.Query{}, 1000, nil, nil)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s %s: %d documents, want %d (%v)", c.Set, q, len(got), len(want), err)
			}
			scores := map[uint32]float64{}
			for _, h := range got {
				scores[h.Doc] = h.Score
			}
			for _, w := range want {
				compared[c.Method]++
				s, v := scores[ids[w[0].(string)]], w[1].(float64)
				if math.Abs(s-v) > 1e-9*max(1, math.Abs(v)) {
					t.Errorf("%s %s %s params %v %s %s: %v, ranx %v", c.Set, c.Method, norm, c.Params, q, w[0], s, v)
				}
			}
			if part, err := r.Explain(rank.Query{}, nil, got[0].Doc); err != nil || part.Score != got[0].Score {
				t.Errorf("%s %s %s %s: explained %v, ranked %v, %v", c.Set, c.Method, norm, q, part.Score, got[0].Score,
					err)
			}
		}
	}
	for _, m := range []string{"sum", "mnz", "anz", "min", "max", "med", "gmnz", "wsum", "rrf", "isr", "rbc",
		"bordafuse", "wmnz", "mixed", "log_isr", "logn_isr", "w_bordafuse"} {
		if compared[m] < 500 {
			t.Errorf("only %d scores of %s were compared", compared[m], m)
		}
	}
}

// lists answers by the text of the query.
type lists map[string]fixed

func (l lists) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return l[q.Text].Rank(q, k, f, dst)
}

func (l lists) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	return l[q.Text].Explain(q, f, d)
}

// Oracle: ranx 0.3.21, whose trained fusions learn from the queries that they answer. A query without id, which
// uses all queries, reproduces this.
func TestTrainedFusionsEqualRanx(t *testing.T) {
	oracle := readOracle(t)
	// Inverted norms reverse lists in ranx, which segfuse does not offer.
	norms := map[string]fuse.Scale{"": fuse.Raw(), "min-max": fuse.MinMax(), "max": fuse.Largest(), "sum": fuse.Share(),
		"zmuv": fuse.Standard(), "rank": fuse.Place()}
	compared := map[string]int{}
	for _, c := range oracle.Cases {
		norm := ""
		if c.Norm != nil {
			norm = *c.Norm
		}
		scale, known := norms[norm]
		var learner fuse.Learner
		switch c.Method {
		case "probfuse":
			learner = fuse.Probabilities(4)
		case "segfuse":
			learner = fuse.Segments(scale)
		case "posfuse":
			learner = fuse.Positions()
		case "slidefuse":
			learner = fuse.Sliding(2)
		case "mapfuse":
			learner = fuse.MeanPrecision()
		case "bayesfuse":
			learner = fuse.Odds()
		default:
			continue
		}
		if !known || !c.Repeatable.Scores || norm != "" && c.Method != "segfuse" {
			continue // compare rank fusions without normalisation, which could only create ties
		}
		set := oracle.Sets[c.Set]
		ids := map[string]uint32{}
		r := &fuse.Trained{Depth: 1000, Folds: 2, Learner: learner}
		for _, run := range set.Runs {
			l := lists{}
			for q := range c.Fused {
				l[q] = parse(t, run[q], ids)
			}
			r.Lists, r.Names = append(r.Lists, l), append(r.Names, "")
		}
		for q := range c.Fused {
			j := fuse.Judged{Query: rank.Query{ID: q, Text: q}, Relevant: map[uint32]bool{}}
			for d, g := range set.Qrels[q] {
				if _, there := ids[d]; there && g >= 1 {
					j.Relevant[ids[d]] = true
				}
				if g >= 1 {
					j.Of++
				}
			}
			r.Queries = append(r.Queries, j)
		}
		for q, want := range c.Fused {
			if norm == "max" && slices.ContainsFunc(r.Lists, func(l rank.Ranker) bool {
				hits := l.(lists)[q]
				return len(hits) > 0 && hits[0].Score < 0
			}) {
				continue // see Largest
			}
			got, err := r.Rank(rank.Query{Text: q}, 1000, nil, nil)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%s %s: %d documents, want %d (%v)", c.Set, q, len(got), len(want), err)
			}
			scores := map[uint32]float64{}
			for _, h := range got {
				scores[h.Doc] = h.Score
			}
			for _, w := range want {
				compared[c.Method]++
				s, v := scores[ids[w[0].(string)]], w[1].(float64)
				if math.Abs(s-v) > 1e-9*max(1, math.Abs(v)) {
					t.Errorf("%s %s %s %s %s: %v, ranx %v", c.Set, c.Method, norm, q, w[0], s, v)
				}
			}
			if part, err := r.Explain(rank.Query{Text: q}, nil, got[0].Doc); err != nil || part.Score != got[0].Score {
				t.Errorf("%s %s %s: explained %v, ranked %v, %v", c.Set, c.Method, q, part.Score, got[0].Score, err)
			}
		}
	}
	for _, m := range []string{"probfuse", "segfuse", "posfuse", "slidefuse", "mapfuse", "bayesfuse"} {
		if compared[m] < 500 {
			t.Errorf("only %d scores of %s were compared", compared[m], m)
		}
	}
}

// By hand, with posfuse and two folds: q1 and q3 are in the first, q2 in the second. Each of the three queries has
// one document in list a, relevant to q1 and q2 only. q1 uses q2: 1/1. q2 uses q1 and q3: 1/2. A typed query uses
// all: 2/3. List b has nothing relevant, and a document at rank 2, which no other query's list reaches; there ranx
// 0.3.21 reads past its table, and the value here is 0.
func TestAJudgedQueryIsNotAnsweredByWhatItTaught(t *testing.T) {
	r := &fuse.Trained{Depth: 10, Folds: 2, Learner: fuse.Positions(), Names: []string{"a", "b"}, Lists: []rank.Ranker{
		lists{"one": {{Doc: 1, Score: 9}}, "two": {{Doc: 2, Score: 9}}, "three": {{Doc: 3, Score: 9}},
			"typed": {{Doc: 1, Score: 9}}},
		lists{"one": {{Doc: 4, Score: 9}}, "two": {{Doc: 4, Score: 9}}, "three": {{Doc: 4, Score: 9}},
			"typed": {{Doc: 4, Score: 9}, {Doc: 5, Score: 8}}}}}
	for i, text := range []string{"one", "two", "three"} {
		r.Queries = append(r.Queries,
			fuse.Judged{Query: rank.Query{ID: text, Text: text}, Relevant: map[uint32]bool{uint32(i + 1): i < 2},
				Of: 1})
	}
	for _, tt := range []struct {
		id, text string
		want     []rank.Hit
	}{
		{"one", "one", []rank.Hit{{Doc: 1, Score: 1}, {Doc: 4}}},
		{"two", "two", []rank.Hit{{Doc: 2, Score: .5}, {Doc: 4}}},
		{"", "typed", []rank.Hit{{Doc: 1, Score: 2. / 3}, {Doc: 4}, {Doc: 5}}},
	} {
		got, err := r.Rank(rank.Query{ID: tt.id, Text: tt.text}, 10, nil, nil)
		if err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, %v; want %v", tt.text, got, err, tt.want)
		}
	}
	p, err := r.Explain(rank.Query{ID: "two", Text: "two"}, nil, 2)
	if err != nil || p.Score != .5 || p.Parts[0].Score != .5 || p.Parts[0].Parts[0].Parts[0].Score != 9 {
		t.Errorf("explained %+v, %v", p, err)
	}
	r = &fuse.Trained{Depth: 10, Folds: 2, Learner: fuse.Positions(), Names: []string{"a", "b"},
		Lists: []rank.Ranker{r.Lists[0], mute{}}, Queries: r.Queries}
	var u *rank.Unanswerable
	if _, err := r.Rank(rank.Query{Text: "typed"}, 10, nil, nil); !errors.As(err, &u) {
		t.Errorf("a list that answers nothing: %v", err)
	}
}

// A planted query: only it has a relevant document at the end of list b. It changes the answers to other queries
// and typed ones, but never its own.
func TestAPlantedQueryMovesNoAnswerOfItsOwn(t *testing.T) {
	learners := map[string]fuse.Learner{"probfuse": fuse.Probabilities(4), "segfuse": fuse.Segments(fuse.MinMax()),
		"slidefuse": fuse.Sliding(1),
		"posfuse":   fuse.Positions(), "mapfuse": fuse.MeanPrecision(), "bayesfuse": fuse.Odds()}
	const queries, planted = 10, "q4"
	for name, learner := range learners {
		answers := func(plant bool) map[string][]rank.Hit {
			a, b := lists{}, lists{}
			r := &fuse.Trained{Depth: 10, Folds: 5, Learner: learner, Names: []string{"a", "b"},
				Lists: []rank.Ranker{a, b}}
			for i := range queries {
				id := "q" + string(rune('0'+i))
				for d := range 6 {
					a[id] = append(a[id], rank.Hit{Doc: uint32(d), Score: float64(9 - d)})
					b[id] = append(b[id], rank.Hit{Doc: uint32(5 - d), Score: float64(9 - d)})
				}
				relevant := map[uint32]bool{uint32(i % 3): true}
				if plant && id == planted {
					relevant = map[uint32]bool{0: true, 5: true}
				}
				r.Queries = append(r.Queries, fuse.Judged{Query: rank.Query{ID: id, Text: id}, Relevant: relevant,
					Of: 2})
			}
			out := map[string][]rank.Hit{}
			for _, j := range r.Queries {
				got, err := r.Rank(j.Query, 10, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				out[j.Query.ID] = slices.Clone(got)
			}
			got, err := r.Rank(rank.Query{Text: planted}, 10, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			out["typed"] = slices.Clone(got)
			return out
		}
		before, after := answers(false), answers(true)
		moved := 0
		for id := range before {
			switch same := slices.Equal(before[id], after[id]); {
			case id == planted && !same:
				t.Errorf("%s: the planted query moved its own answer from %v to %v", name, before[id], after[id])
			case id == "typed" && same:
				t.Errorf("%s: a typed query learned nothing of the planted one", name)
			case id != planted && !same:
				moved++
			}
		}
		if moved < queries-2 { // those in the planted query's fold learn without it
			t.Errorf("%s: %d other answers moved", name, moved)
		}
	}
}

// By hand: with only negative scores the largest stays first.
func TestLargestOfNegativeScores(t *testing.T) {
	r := &fuse.Fusion{Scale: fuse.Largest(), Method: fuse.Sum, Depth: 9, Names: []string{"a"},
		Lists: []rank.Ranker{fixed{{Doc: 1, Score: -2}, {Doc: 2, Score: -8}}}}
	got, err := r.Rank(rank.Query{}, 10, nil, nil)
	if want := []rank.Hit{{Doc: 1, Score: -1}, {Doc: 2, Score: -4}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

func parse(t *testing.T, raw json.RawMessage, ids map[string]uint32) fixed {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(raw))
	var out fixed
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		var s float64
		if err := dec.Decode(&s); err != nil {
			t.Fatal(err)
		}
		id, ok := ids[name.(string)]
		if !ok {
			id = uint32(len(ids))
			ids[name.(string)] = id
		}
		out = append(out, rank.Hit{Doc: id, Score: s})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

// By hand. a ranks 1 2 3, b ranks 3 1, c ranks 2 1: document 1 beats 2 (a, b against c) and 3 loses to 1 (a and c
// against b); 2 against 3: a and c against b, so 2 wins. Duels: 1 +2, 2 0, 3 −2. With the weight of b at 3 and 1 for
// the others 3 beats both, and 1 beats 2.
func TestCondorcet(t *testing.T) {
	lists := []rank.Ranker{fixed{{Doc: 1, Score: 3}, {Doc: 2, Score: 2}, {Doc: 3, Score: 1}},
		fixed{{Doc: 3, Score: 9}, {Doc: 1, Score: 8}}, fixed{{Doc: 2, Score: 5}, {Doc: 1, Score: 4}}}
	r := &fuse.Condorcet{Lists: lists, Names: []string{"a", "b", "c"}, Weights: []float64{1, 1, 1}, Depth: 10}
	got, err := r.Rank(rank.Query{}, 10, nil, nil)
	if want := []rank.Hit{{Doc: 1, Score: 2}, {Doc: 2, Score: 0}, {Doc: 3, Score: -2}}; err != nil ||
		!slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	p, err := r.Explain(rank.Query{}, nil, 2)
	if err != nil || p.Score != 0 || p.Parts[0].Score != 1 || p.Parts[1].Score != -1 || len(p.Values) != 2 {
		t.Errorf("document 2: %+v, %v", p, err)
	}
	r.Weights[1] = 3
	got, _ = r.Rank(rank.Query{}, 10, nil, nil)
	if want := []rank.Hit{{Doc: 3, Score: 2}, {Doc: 1, Score: 0}, {Doc: 2, Score: -2}}; !slices.Equal(got, want) {
		t.Errorf("weighted: got %v, want %v", got, want)
	}
}

// Where ranx 0.3.21 is wrong: it counts a list with neither of two documents as a vote for the second, so the
// winner depends on the comparison order. Here a holds 1 and 2 but neither 3 nor 4, b holds 3 and 4: only one list
// decides about 3 and 4, and 3 wins.
func TestAListThatHoldsNeitherDocumentHasNoSay(t *testing.T) {
	r := &fuse.Condorcet{Lists: []rank.Ranker{fixed{{Doc: 1, Score: 2}, {Doc: 2, Score: 1}},
		fixed{{Doc: 4, Score: 2}, {Doc: 3, Score: 1}}}, Names: []string{"a", "b"}, Weights: []float64{1, 1}, Depth: 10}
	got, err := r.Rank(rank.Query{}, 10, nil, nil)
	if want := []rank.Hit{{Doc: 1, Score: 1}, {Doc: 4, Score: 1}, {Doc: 2, Score: -1},
		{Doc: 3, Score: -1}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}
