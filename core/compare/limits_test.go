package compare

import (
	"fmt"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
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
	const want = "compare: open: 11 runs with 99990000 pairs of documents within groups of preferences are more than 1073741824 to compare; leave runs or groups out"
	if _, err := Open(in); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// By hand: 40 grades, of which the run has one, and two documents without a judgment are 40 x (1 + 2) steps for nDCG and none for P.
func TestResidualsOfManyGradesAreBounded(t *testing.T) {
	b := collection.NewRunBuilder("r")
	in := Input{Qrels: collection.NewQrels(), Measures: []string{"nDCG", "P@2"}}
	for i := range 40 {
		in.Qrels.Add("q", fmt.Sprint(i), i+1)
	}
	for i, doc := range []string{"x", "3", "y"} {
		if err := b.Add("q", doc, float64(-i)); err != nil {
			t.Fatal(err)
		}
	}
	run, _ := b.Run()
	in.Runs = []Named{{Name: "r", Run: run}}
	c, err := Open(in)
	if err != nil {
		t.Fatal(err)
	}
	for room, want := range map[int]bool{119: false, 120: true} {
		left := room
		x := c.begin(0, true)
		x.room = &left
		c.add(x, &report.Report{Columns: []report.Column{{Values: make([][]float64, 1)}, {Values: make([][]float64, 1)}}}, &measure.Topic{}, 0, 0)
		if x.bounds[0].known != want || !x.bounds[1].known {
			t.Errorf("room for %d: %+v", room, x.bounds)
		}
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
