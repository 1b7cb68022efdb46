package measure

import (
	"math"
	"math/rand"
	"slices"
	"strconv"
	"testing"
)

// greedy is the ideal ranking by definition: every rank considers all remaining documents.
func greedy(s *Subtopics, alpha float64, rel float64) (order []int32) {
	s.resetGains()
	taken := make([]bool, len(s.Docs))
	for range s.Docs {
		best, bestGain := -1, 0.0
		for d, row := range s.Docs {
			sum := 0.0
			for j, g := range row {
				if g >= rel {
					sum += s.gain[j]
				}
			}
			if !taken[d] && sum > bestGain {
				best, bestGain = d, sum
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		order = append(order, int32(best))
		s.take(int32(best), alpha, rel)
	}
	return order
}

func TestIdealListIsTheGreedyOne(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	for _, alpha := range []float64{0, 0.1, 0.5, 0.9, 1} {
		for i := range 200 {
			s := &Subtopics{}
			width := 1 + rnd.Intn(7)
			for range 1 + rnd.Intn(40) {
				row := make([]float64, width)
				for j := range row {
					row[j] = float64(rnd.Intn(5)) - 2
				}
				s.Docs = append(s.Docs, row)
			}
			rel := float64(1 + i%2)
			if want, got := greedy(s, alpha, rel), s.idealList(alpha, rel); !slices.Equal(got, want) {
				t.Fatalf("alpha %g, rel %g, %v: %v, want %v", alpha, rel, s.Docs, got, want)
			}
		}
	}
}

// Considering all documents at every rank would take hours.
func TestDiversityMeasuresOfManyDocuments(t *testing.T) {
	const n = 300_000
	s := &Subtopics{Docs: make([][]float64, n), Ranked: make([]int32, 1000)}
	for d := range s.Docs {
		s.Docs[d] = []float64{float64(d % 2), float64(d % 3 % 2)}
	}
	l := Topic{Query: "q", Subtopics: s, Ranked: make([]float64, 1000), Scores: make([]float64, 1000)}
	for i := range s.Ranked {
		s.Ranked[i], l.Ranked[i], l.Scores[i] = int32(i), 1, -float64(i)
	}
	for _, name := range []string{"alpha_nDCG@20", "alpha_nDCG", "alpha_DCG@20", "nERR_IA@20", "nNRBP", "NRBP",
		"StRecall@20", "P_IA@20", "AP_IA"} {
		m, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		if v := m.Score(&l); !(v > 0) || math.IsInf(v, 0) {
			t.Errorf("%s: %v", name, v)
		}
	}
}

func TestSpreadOfTooManyKindsOfDocumentsIsNotComputed(t *testing.T) {
	const n = 3000
	s := &Subtopics{Docs: make([][]float64, n), Ranked: make([]int32, n)}
	l := Topic{Query: "q", Subtopics: s, Ranked: make([]float64, n), Scores: make([]float64, n)}
	for d := range s.Docs {
		s.Docs[d] = make([]float64, 12)
		for j, c := range strconv.FormatInt(int64(d+1), 2) {
			s.Docs[d][j] = float64(c - '0')
		}
		s.Ranked[d], l.Ranked[d], l.Scores[d] = int32(d), 1, -float64(d)
	}
	m, err := Parse("alpha_nDCG@20")
	if err != nil {
		t.Fatal(err)
	}
	if p := noveltyProblem(m, &l, 0.5, nil); p.count < 1500 {
		t.Errorf("%d kinds", p.count)
	} else if _, _, ok := p.solve(); ok {
		t.Error("it is computed")
	}
}
