package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// topicsLike generates the topics of a run: queries × depth documents, a few of them judged.
func topicsLike(queries, depth, judged int) []Topic {
	rng := rand.New(rand.NewPCG(13, 14))
	out := make([]Topic, queries)
	for i := range out {
		t := &out[i]
		t.Ranked = make([]float64, depth)
		for r := range t.Ranked {
			t.Ranked[r] = Unjudged
		}
		for range judged {
			g := float64(rng.IntN(4))
			t.Judged = append(t.Judged, g)
			if rng.IntN(3) > 0 {
				t.Ranked[rng.IntN(depth)] = g
			}
		}
	}
	return out
}

// The budget for MS MARCO's development queries: 6,980 × 1,000 documents × 5 measures in at most 60 ms, from grades
// to means.
func BenchmarkEvaluate(b *testing.B) {
	ms, err := ParseList("nDCG@10 AP RR@10 R@1000 Success@10")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ queries, depth, judged int }{{6980, 1000, 2}, {300, 100, 5}, {50, 1000, 400}} {
		topics := topicsLike(c.queries, c.depth, c.judged)
		b.Run(fmt.Sprintf("queries=%d/depth=%d/judged=%d", c.queries, c.depth, c.judged), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range topics {
					topics[i].ready = false
				}
				r := Evaluate(topics, ms, Policy{})
				if r.Mean(0) <= 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}

func BenchmarkScore(b *testing.B) {
	tp := &topicsLike(1, 1000, 100)[0]
	tp.Subtopics = &Subtopics{}
	for r, g := range tp.Ranked {
		tp.Scores = append(tp.Scores, float64(-r/3))
		if g == Unjudged {
			tp.Subtopics.Ranked = append(tp.Subtopics.Ranked, -1)
			continue
		}
		tp.Subtopics.Ranked = append(tp.Subtopics.Ranked, int32(len(tp.Subtopics.Docs)))
		tp.Subtopics.Docs = append(tp.Subtopics.Docs, []float64{math.Mod(g, 2), math.Trunc(g / 2), 0})
	}
	tp.Preferences = randomPreferences(rand.New(rand.NewPCG(1, 2)), tp.Subtopics.Ranked, len(tp.Subtopics.Docs))
	for _, in := range All() {
		m := mustParse(b, in.Example.Measure)
		b.Run(in.Name, func(b *testing.B) {
			for b.Loop() {
				m.Score(tp)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse("nDCG(dcg='exp-log2',judged_only=True)@10"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTieRange(b *testing.B) {
	tp := &topicsLike(1, 100, 40)[0]
	for r := range tp.Ranked {
		tp.Scores = append(tp.Scores, float64(-r/10))
	}
	for _, s := range []string{"nDCG@10", "AP", "G", "INST"} {
		m := mustParse(b, s)
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				m.TieRange(tp)
			}
		})
	}
}

func BenchmarkResidual(b *testing.B) {
	tp := &topicsLike(1, 1000, 40)[0]
	for _, s := range []string{"RBP", "nDCG@10", "AP"} {
		m := mustParse(b, s)
		b.Run(s, func(b *testing.B) {
			for b.Loop() {
				m.Residual(tp)
			}
		})
	}
}
