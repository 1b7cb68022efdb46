package bundle_test

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// readRun reads a stored run from the folder of a collection.
func readRun(t testing.TB, text string) []bundle.SourceRun {
	t.Helper()
	runs, err := bundle.ReadRuns(fstest.MapFS{"runs/cross-encoder.run": {Data: []byte(text)},
		"runs/README.md": {Data: []byte("not a run")}}, "runs")
	if err != nil || len(runs) != 1 || runs[0].Name != "cross-encoder" {
		t.Fatalf("runs %v, %v", runs, err)
	}
	return runs
}

// Scores read back bit for bit. Documents are in ordinal order, by descending id: é3 is 0, d2 1, d10 2, d1 3.
func TestAStoredRunGoesWithACollection(t *testing.T) {
	src := small()
	plain, err := open(build(t, src))
	if err != nil {
		t.Fatal(err)
	}
	src.Runs = readRun(t, "q1 Q0 d1 1 2.125 x\nq1 Q0 é3 2 -0.1 x\nq1 Q0 gone 3 -1 x\nq2 Q0 d10 1 7 x\nq2 Q0 d2 2 7 x\n")
	files := build(t, src)
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	got, ok, err := b.Run("cross-encoder", from(files))
	want := map[string][]rank.Hit{"q1": {{Doc: 3, Score: 2.125}, {Doc: 0, Score: -0.1}},
		"q2": {{Doc: 1, Score: 7}, {Doc: 2, Score: 7}}}
	if err != nil || !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, %v; want %v", got, ok, err, want)
	}
	if _, ok, err := b.Run("other", from(files)); ok || err != nil {
		t.Errorf("a run that is not there: %v, %v", ok, err)
	}
	if b.Manifest.Hash != plain.Manifest.Hash {
		t.Error("a collection that gains a run is another collection: links to it would break")
	}
	f, _ := b.Manifest.File("run/cross-encoder")
	files[f.Name][3] ^= 1
	if _, ok, err := b.Run("cross-encoder", from(files)); !ok || err == nil || !strings.Contains(err.Error(), f.Name) {
		t.Errorf("a damaged run: %v, %v", ok, err)
	}
}

func TestARunThatCannotBeKept(t *testing.T) {
	for _, tt := range []struct{ name, run, want string }{
		{"of another collection", "q1 Q0 x 1 2 x\n", "none of its documents"},
		{"more digits than a float64 has beside a large score",
			"q1 Q0 d1 1 123456789012 x\nq1 Q0 d2 2 0.0000012345 x\n", "round them"},
		{"more decimals than are kept", "q1 Q0 d1 1 1e-30 x\n", "round them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := small()
			src.Runs = readRun(t, tt.run)
			_, err := bundle.Build(src, func(string, []byte) error { return nil })
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q in it", err, tt.want)
			}
		})
	}
	if _, err := bundle.ReadRuns(fstest.MapFS{"runs/x.run": {Data: []byte("q1 Q0 d1\n")}}, "runs"); err == nil ||
		!strings.Contains(err.Error(), "runs/x.run") {
		t.Errorf("no run: %v", err)
	}
	if runs, err := bundle.ReadRuns(fstest.MapFS{}, "runs"); err != nil || runs != nil {
		t.Errorf("no folder: %v, %v", runs, err)
	}
}
