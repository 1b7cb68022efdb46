//go:build !first

package evaluation

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/measure"
)

// rows is a Source of one ranking whose documents also have places in judgments per sub-topic and in preferences.
type rows struct {
	byHand
	topic measure.Topic
}

func (x *rows) Whole(t *measure.Topic, _, _ int) {
	t.Reset()
	t.Query, t.Ranked, t.Judged, t.Scores = "a", x.topic.Ranked, x.topic.Judged, x.topic.Scores
	t.Subtopics, t.Preferences = x.topic.Subtopics, x.topic.Preferences
}

// random makes a ranking of up to 7 documents with up to 3 different scores, every document its row in all judgments.
func random(rnd *rand.Rand) *rows {
	n := 1 + rnd.IntN(7)
	x := &rows{byHand: byHand{cut: 1 + rnd.IntN(n+1)}}
	t := &x.topic
	t.Subtopics = &measure.Subtopics{Docs: [][]float64{{1, 0}, {0, 1}, {1, 1}}}
	t.Preferences = &measure.Preferences{Docs: 3, Groups: []measure.PreferenceGroup{{Subgroups: [][]measure.Preferred{
		{{Doc: 0, Level: 2}, {Doc: 1, Level: 1}, {Doc: 2, Level: 0}}}}}}
	for _, places := range []*[]int32{&t.Subtopics.Ranked, &t.Preferences.Ranked} {
		at := rnd.Perm(max(n, 3))
		for i := range n {
			*places = append(*places, int32(-1))
			for d := range 3 { // each is somewhere, at most once
				if at[d] == i {
					(*places)[i] = int32(d)
				}
			}
		}
	}
	for range n {
		t.Ranked = append(t.Ranked, []float64{measure.Unjudged, -1, 0, 1, 2}[rnd.IntN(5)])
		t.Scores = append(t.Scores, float64(rnd.IntN(3)))
	}
	slices.SortFunc(t.Scores, func(a, b float64) int { return cmp.Compare(b, a) })
	for _, g := range t.Ranked {
		if g != measure.Unjudged {
			t.Judged = append(t.Judged, g)
		}
	}
	t.Judged = append(t.Judged, 1, 0)
	return x
}

// orders calls visit with every order of the documents in which the scores fall.
func orders(scores []float64, visit func(order []int)) {
	used, order := make([]bool, len(scores)), []int(nil)
	var next func()
	next = func() {
		if len(order) == len(scores) {
			visit(order)
			return
		}
		for d := range scores {
			if !used[d] && scores[d] == scores[len(order)] {
				used[d], order = true, append(order, d)
				next()
				used[d], order = false, order[:len(order)-1]
			}
		}
	}
	next()
}

func pick[T any](from []T, at []int) (out []T) {
	for _, i := range at {
		out = append(out, from[i])
	}
	return out
}

// The oracle is every order of the tied documents, cut at the depth and scored alone.
func TestCutTiesRangeOverEveryOrder(t *testing.T) {
	_, ms := blank(0, "P@3", "nDCG", "AP", "RR", "Bpref", "Judged@3", "alpha_nDCG@5", "StRecall@3", "prefs_simp")
	rnd := rand.New(rand.NewPCG(30, 1))
	cuts, widened := 0, make([]bool, len(ms))
	for range 400 {
		src := random(rnd)
		k, cuts1 := cutOf(src, 0, 0)
		scores := src.topic.Scores
		if want := src.cut < len(scores) && scores[src.cut-1] == scores[src.cut]; cuts1 != want {
			t.Fatalf("scores %v cut at %d: a tie is cut: %v", scores, src.cut, cuts1)
		}
		if !cuts1 {
			continue
		}
		cuts++
		want := make([]measure.Range, len(ms))
		for i := range want {
			want[i] = measure.Range{Low: math.Inf(1), High: math.Inf(-1)}
		}
		orders(scores, func(order []int) {
			order = order[:src.cut]
			s, p := src.topic.Subtopics, src.topic.Preferences
			topic := &measure.Topic{Ranked: pick(src.topic.Ranked, order), Judged: src.topic.Judged,
				Subtopics:   &measure.Subtopics{Docs: s.Docs, Ranked: pick(s.Ranked, order)},
				Preferences: &measure.Preferences{Docs: p.Docs, Groups: p.Groups, Ranked: pick(p.Ranked, order)}}
			for i, m := range ms {
				v := m.Score(topic)
				want[i].Low, want[i].High = min(want[i].Low, v), max(want[i].High, v)
			}
		})
		for i, got := range k.ranges(ms) {
			if !got.Exact || math.Abs(got.Low-want[i].Low) > 1e-12 || math.Abs(got.High-want[i].High) > 1e-12 {
				t.Fatalf("%s of grades %v, scores %v cut at %d: %+v, want %+v", ms[i], src.topic.Ranked, scores,
					src.cut,
					got, want[i])
			}
			widened[i] = widened[i] || got.High > got.Low
		}
	}
	if cuts < 100 || slices.Contains(widened, false) {
		t.Errorf("%d cuts, ranges of %v", cuts, widened)
	}
}

// tie is a cut of one tie with these grades, all ranks of it.
func tie(depth int, grades ...float64) *cut {
	full := measure.Topic{Query: "a", Ranked: grades, Judged: grades, Scores: make([]float64, len(grades))}
	return &cut{full: full, to: len(grades), depth: depth}
}

func scale(n int) (grades []float64) {
	for g := range n {
		grades = append(grades, float64(g))
	}
	return grades
}

// A depth of 1 keeps one of n documents with different grades: n ways.
func TestUpTo500WaysOfACutAreTried(t *testing.T) {
	for n, want := range map[int]bool{499: true, 500: true, 501: false, 600: false} {
		ways, all := tie(1, scale(n)...).kept()
		if all != want || all && len(ways) != n {
			t.Errorf("%d ways: all %v, %d tried", n, all, len(ways))
		}
	}
}

// 40 documents of 40 kinds, of which 39 are kept, have 40 ways; looking at every subset would take 2^40 steps.
func TestManyKindsInACutTieAreQuick(t *testing.T) {
	done := make(chan string)
	go func() {
		ways, all := tie(39, scale(40)...).kept()
		done <- fmt.Sprint(len(ways), all)
	}()
	select {
	case got := <-done:
		if got != "40 true" {
			t.Errorf("%s, want 40 ways", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("not done after ten seconds")
	}
}

// Six documents of twelve with different grades are 924 ways. Those that keep most and least of each sort are tried;
// listed by hand, of these documents in their order.
func TestTooManyWaysOfACutKeepTheExtremes(t *testing.T) {
	const u = measure.Unjudged
	x := tie(6, 0, u, 5, -2, 3, u, -1, 8, u, 6, 1, 7, 2, 4)
	ways, all := x.kept()
	if all {
		t.Fatal("all ways were tried")
	}
	var got []string
	for _, w := range ways {
		if len(w) != 6 {
			t.Fatalf("%v keeps %d documents, not 6", w, len(w))
		}
		var grades []string
		for _, g := range pick(x.full.Ranked, w) {
			if g == u {
				grades = append(grades, "u")
			} else {
				grades = append(grades, fmt.Sprint(g))
			}
		}
		got = append(got, fmt.Sprint(grades))
	}
	for _, want := range []string{
		"[u u u -2 -1 0]", // lowest grades
		"[8 7 6 5 4 3]",   // highest grades
		"[0 -2 -1 u u u]", // neither relevant nor unjudged, as far as there are any
		"[u -2 u -1 u 0]", // unjudged and below 0, in their order
		"[0 5 3 8 6 1]",   // judged and not below 0
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %v", want, got)
		}
	}
	_, ms := blank(0, "P@6", "nDCG@6", "Judged@6", "RR")
	for i, want := range [][2]float64{{0, 1}, {0, 1}, {3. / 6, 1}, {0, 1}} { // 8 7 6 5 4 3 is the ideal of nDCG@6
		r := x.ranges(ms)[i]
		if r.Low != want[0] || math.Abs(r.High-want[1]) > 1e-12 || r.Exact {
			t.Errorf("%s: %+v, want %v and not exact", ms[i], r, want)
		}
	}
}

// Few relevant documents: behind them come the unjudged in one way, and the others in another.
func TestTooManyWaysOfACutPutUnjudgedBetween(t *testing.T) {
	const u = measure.Unjudged
	x := tie(7, 0, 1, 2, u, u, -1, -2, -3, -4, -5, -6, -7)
	ways, all := x.kept()
	if all {
		t.Fatal("all ways were tried")
	}
	var got []string
	for _, w := range ways {
		grades := pick(x.full.Ranked, w)
		for i, g := range grades {
			grades[i] = max(g, -9)
		}
		got = append(got, fmt.Sprint(grades))
	}
	for _, want := range []string{"[2 1 -9 -9 0 -1 -2]", "[0 -1 -2 -3 -4 -5 -6]", "[2 1 0 -1 -2 -3 -4]",
		"[-9 -9 -7 -6 -5 -4 -3]"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %v", want, got)
		}
	}
}
