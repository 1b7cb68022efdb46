package measure

import (
	"math"
	"testing"
)

// The figures in the reports, to their digits, and Rankbox's. By hand: Rankbox counts a document once, so a list
// that finds all has 1; the last one has (2 + 1/log2 3)/(3 + 2/log2 3 + 1/2).
func TestPublicBugsAreReproduced(t *testing.T) {
	want := map[string][2]float64{
		"llama-index-22683": {1.63, 1}, "llama-index-22683-ap": {2, 1}, "haystack-11959": {1.63, 1},
		"search-relevance-191": {1.31, 1}, "ideal-from-list": {1, (2 + 1/math.Log2(3)) / (3 + 2/math.Log2(3) + 0.5)},
	}
	for _, b := range Bugs() {
		w, ok := want[b.Name]
		delete(want, b.Name)
		theirs, ours := b.Values()
		if !ok || math.Abs(theirs-w[0]) > 0.005 || math.Abs(ours-w[1]) > 1e-12 {
			t.Errorf("%s: %v and %v, want %v", b.Name, theirs, ours, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
