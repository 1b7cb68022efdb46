package packed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Numeric query ids with and without gaps, and ids that end in numbers, read back unchanged.
func TestNumberedQueriesKeepTheirIDs(t *testing.T) {
	ids := []string{"1", "2", "5", "6", "30", "31", "1000", "q1", "q2", "q9", "q030", "r"}
	in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"nDCG@5"}}
	var text strings.Builder
	for i, id := range ids {
		for d := range 3 {
			fmt.Fprintf(&text, "%s Q0 d%d %d %d a\n", id, d, d+1, 9-d)
			in.Qrels.Add(id, fmt.Sprint("d", d), float64((i+d)%3))
		}
	}
	c, err := collection.Read("a.run", strings.NewReader(text.String()), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Runs = []compare.Named{{Name: "a", Run: c.Run}}
	want := reported(t, in)
	f, err := Unpack(grades(t, in, want))
	if err != nil {
		t.Fatal(err)
	}
	got := reported(t, f.Input)
	same(t, want, got)
	var back []string
	for _, q := range got.Queries {
		back = append(back, q.ID)
	}
	slices.Sort(back)
	slices.Sort(ids)
	if !slices.Equal(back, ids) {
		t.Errorf("%q, want %q", back, ids)
	}
}
