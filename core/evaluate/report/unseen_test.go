package report

import (
	"math"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/shared"
)

// If nearly all differences are 0, one query in 50 fails outright and none of these is in the sample, the interval may
// miss the true difference. The note beside the figure says how often that can be: in 0.98ⁿ of samples, by hand 67 of
// 100 for n = 20, 36 for 50. It is there in nearly every sample whose interval misses, and the interval misses no more
// often than it says.
func TestUnseenFailures(t *testing.T) {
	for n, says := range map[int]string{20: "67 of 100", 50: "36 of 100"} {
		rnd := rand.New(rand.NewSource(int64(n)))
		missed, told, noted, of := 0, 0, 0, shared.Sample(400, 4000)
		for range of {
			a, b, failed := make([]float64, n), make([]float64, n), false
			for q := range n {
				switch u := rnd.Float64(); {
				case u < Rare:
					a[q], b[q], failed = 1, 0, true
				case u < Rare+0.1:
					a[q], b[q] = 0.5, 0.5+0.2*rnd.Float64()
				default:
					a[q], b[q] = 0.5, 0.5
				}
			}
			r := &Report{Systems: []System{{Label: "a"}, {Label: "b"}}, Measures: []string{"nDCG@10"},
				Columns: []Column{{Measure: "nDCG@10", Values: [][]float64{a, b}}}}
			for q := range n {
				r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
			}
			if err := r.Conclude(Protocol{}, nil); err != nil {
				t.Fatal(err)
			}
			p := &r.Pairs[0]
			note := r.Unseen(r.Tests(), p, say.Plain)
			if note != "" {
				noted++
			}
			if failed && note != "" {
				t.Fatal("a query failed outright, and the note says that none did")
			}
			if note != "" && (!strings.Contains(note, says+" samples of "+strconv.Itoa(n)+" show none") ||
				!strings.HasSuffix(r.Note(say.Plain), note)) {
				t.Fatalf("%q in %q", note, r.Note(say.Plain))
			}
			if truth := 0.1*0.1 - Rare; p.Low > truth || p.High < truth { // the mean of 0 to 0.2 is 0.1
				if missed++; note != "" {
					told++
				}
			}
		}
		t.Logf("%d queries: %d of %d miss, %d of them noted, of %d notes", n, missed, of, told, noted)
		share, bound := float64(missed)/float64(of), math.Pow(1-Rare, float64(n))
		// within two standard errors of the bound, and of 9 in 10
		slack := 2 * math.Sqrt(bound*(1-bound)/float64(of))
		if want := 0.9*float64(missed) - 2*math.Sqrt(0.09*float64(missed)); share > bound+slack || share < 0.1 ||
			float64(told) < want {
			t.Errorf("%d queries: %v of intervals miss, at most %v are expected; %d of %d are noted", n, share, bound,
				told, missed)
		}
	}
}

// The note is not there if a difference is large, if many queries differ, if none does, and with few or many queries.
func TestNoNoteOnUnseenFailures(t *testing.T) {
	for name, x := range map[string]struct {
		n, moved int
		by       float64
		want     bool
	}{"20, 2 differ": {20, 2, 0.1, true}, "one is large": {20, 2, 0.6, false}, "a third differs": {21, 7, 0.1, false},
		"none differs": {20, 0, 0.1, false}, "six": {6, 1, 0.1, false}, "149": {149, 10, 0.1, false},
		"148": {148, 10, 0.1, true}} {
		r := &Report{Systems: []System{{Label: "a"}, {Label: "b"}}, Measures: []string{"AP"},
			Columns: []Column{{Measure: "AP", Values: [][]float64{make([]float64, x.n), make([]float64, x.n)}}}}
		for q := range x.n {
			r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
			if q < x.moved {
				r.Columns[0].Values[1][q] = x.by
			}
		}
		if err := r.Conclude(Protocol{}, nil); err != nil {
			t.Fatal(err)
		}
		if got := r.Unseen(r.Tests(), &r.Pairs[0], say.Plain); (got != "") != x.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
