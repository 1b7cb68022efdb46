package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// Where the depth cuts a tie, which documents are kept is a matter of order too: the range is that of ranking by every
// permutation of the ids among the tied documents, by brute force.
func TestTieRangeAcrossTheDepth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	notations := []string{"nDCG@10", "AP", "RR", "P@2", "SetP", "SetF", "R@3", "Bpref", "Judged@3", "unj@3",
		"NumRet(rel=1)", "infAP", "INST", "BPM@3", "Compat", "ERR@3", "RBP", "utility"}
	widened := 0
	for round := range 60 {
		n := 3 + rng.IntN(4)
		depth := 1 + rng.IntN(n-1)
		score := 9.0
		grades, scores := make([]int, n), make([]float64, n) // grade 9 is unjudged
		for i := range n {
			if rng.IntN(4) == 0 {
				score--
			}
			grades[i], scores[i] = []int{9, 0, 1, 2, -1}[rng.IntN(5)], score
		}
		open := func(order []int, depth int) *Comparison { // order[i] is the document that stands at place i
			q, b := collection.NewQrels(), collection.NewRunBuilder("r")
			q.Add("q", "elsewhere", 1)
			for place, d := range order {
				id := string(rune('z'-place)) + "." // trec_eval ranks ties by id descending
				if grades[d] != 9 {
					q.Add("q", id, float64(grades[d]))
				}
				if err := b.Add("q", id, scores[d]); err != nil {
					t.Fatal(err)
				}
			}
			run, _ := b.Run()
			c, err := Open(Input{Qrels: q, Runs: []Named{{Name: "r", Run: run}}, Measures: notations,
				Policy: measure.Policy{Depth: depth}})
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		plain := make([]int, n)
		for i := range plain {
			plain[i] = i
		}
		low, high := make([]float64, len(notations)), make([]float64, len(notations))
		for m := range low {
			low[m], high[m] = math.Inf(1), math.Inf(-1)
		}
		var walk func(order []int)
		walk = func(order []int) {
			if len(order) < n {
				for d := range n {
					if !slices.Contains(order, d) && scores[d] == scores[len(order)] {
						walk(append(slices.Clone(order), d))
					}
				}
				return
			}
			c := open(order, depth)
			var tp measure.Topic
			c.Topic(&tp, 0, 0)
			for m, a := range c.Evaluation.Applied {
				v := a.Score(&tp)
				low[m], high[m] = min(low[m], v), max(high[m], v)
			}
		}
		walk(nil)
		r, err := open(plain, depth).Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for m, name := range notations {
			if lo, hi := r.Columns[m].TieLow[0], r.Columns[m].TieHigh[0]; math.Abs(lo-low[m]) > 1e-12 ||
				math.Abs(hi-high[m]) > 1e-12 {
				t.Errorf("round %d, %s: %v to %v, by every order %v to %v; grades %v, scores %v, depth %d", round, name,
					lo, hi, low[m], high[m], grades, scores, depth)
			}
			if high[m] > low[m] && scores[depth-1] == scores[depth] {
				widened++
			}
		}
	}
	if widened < 200 {
		t.Errorf("only %d ranges across the depth", widened)
	}
}

// 240 documents of eight grades that all tie are more orders than INST can be tried on: the report says so.
func TestTieRangeSaysWhereItIsNotExact(t *testing.T) {
	q, b := collection.NewQrels(), collection.NewRunBuilder("r")
	for i := range 240 {
		id := strconv.Itoa(i)
		q.Add("q", id, float64(i%8))
		if err := b.Add("q", id, 1); err != nil {
			t.Fatal(err)
		}
	}
	run, _ := b.Run()
	for depth, want := range map[int]bool{0: true, 100: true} {
		r, err := Compare(Input{Qrels: q, Runs: []Named{{Name: "r", Run: run}}, Measures: []string{"INST", "P@5"},
			Policy: measure.Policy{Depth: depth}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Contains(strings.Join(r.Doubts(say.Plain), "\n"), "the range of INST over them may be wider")
		if got != want {
			t.Errorf("depth %d: %+v", depth, r.Warnings)
		}
	}
}
