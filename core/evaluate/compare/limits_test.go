package compare

import (
	"fmt"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

func oneRun(t *testing.T) *collection.Run {
	b := collection.NewRunBuilder("r")
	if err := b.Add("q", "d0", 1); err != nil {
		t.Fatal(err)
	}
	r, _ := b.Run()
	return r
}

// By hand: two users of 10,000 documents have 99,990,000 pairs, which ten runs are compared by and eleven are not.
func TestOpenRefusesTooManyPairs(t *testing.T) {
	p := collection.NewPreferences()
	for u := range 2 {
		for k := range 10_000 {
			if err := p.Add("q", fmt.Sprint(u), "0", fmt.Sprintf("d%d", k), float64(k)); err != nil {
				t.Fatal(err)
			}
		}
	}
	in := Input{Preferences: p}
	for i := range 10 {
		in.Runs = append(in.Runs, Named{Name: fmt.Sprint(i), Run: oneRun(t)})
	}
	if _, err := Open(in); err != nil {
		t.Error(err)
	}
	in.Runs = append(in.Runs, Named{Name: "10", Run: oneRun(t)})
	const want = "compare: open: 11 runs with 99990000 pairs of documents within groups of preferences are more than " +
		"1073741824 to compare; leave runs or groups out"
	if _, err := Open(in); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// By the sentence, before any work: Tukey's test would refuse it at the end of all of it.
func TestOpenRefusesTooManyRuns(t *testing.T) {
	in := Input{Qrels: collection.NewQrels(), Measures: []string{"P@1"}}
	in.Qrels.Add("q", "d0", 1)
	run := oneRun(t)
	for i := range 1025 {
		in.Runs = append(in.Runs, Named{Name: fmt.Sprint(i), Run: run})
	}
	const want = "compare: open: 1025 runs are more than the 1024 that are compared at once; leave some out"
	if _, err := Open(in); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	in.Runs = in.Runs[1:]
	if _, err := Open(in); err != nil {
		t.Error(err)
	}
}
