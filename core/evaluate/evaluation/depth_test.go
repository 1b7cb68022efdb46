package evaluation

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/measure"
)

// By hand: AP looks at the whole list, nDCG@10 at ten documents.
func TestAValueWithoutACutoffIsOfTheDepthAtWhichListsEnd(t *testing.T) {
	twelve := func(size int, more ...int) []int {
		out := more
		for range 12 {
			out = append(out, size)
		}
		return out
	}
	for _, c := range []struct {
		name     string
		measures string
		sizes    []int
		want     int
		of       string
	}{
		{"all lists end at 100", "nDCG@10 AP", twelve(100), 100, "AP"},
		{"a query has fewer documents", "AP", twelve(100, 7, 0), 100, "AP"},
		{"the measure has its own cutoff", "nDCG@10", twelve(100), 0, ""},
		{"so many documents as others submit", "AP", twelve(1000), 0, ""},
		{"one list is longer", "AP", twelve(100, 101), 0, ""},
		{"few queries", "AP", []int{100, 100, 100}, 0, ""},
		{"lists of every length", "AP", []int{1, 20, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 0, ""},
		{"a count is no value of a ranking", "NumRet", twelve(100), 0, ""},
	} {
		var ms []measure.Measure
		for _, name := range strings.Fields(c.measures) {
			m, err := measure.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			ms = append(ms, m)
		}
		depth, of := Ended(ms, c.sizes)
		if depth != c.want || depth > 0 && of.String() != c.of {
			t.Errorf("%s: %d, %v", c.name, depth, of)
		}
	}
}
