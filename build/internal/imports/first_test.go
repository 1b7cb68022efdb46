package imports

import (
	"slices"
	"testing"
)

func TestTheFirstProgramHoldsWhatIsListedAndNothingElse(t *testing.T) {
	i := slices.IndexFunc(Builds, func(b Build) bool { return b.Name == "first" })
	g, err := Load("../../..", Builds[i])
	if err != nil {
		t.Fatal(err)
	}
	more, less := g.Beyond(First)
	if len(more) > 0 {
		t.Errorf("the program that answers the first search would hold %q too: leave it to the richer one, or list it",
			more)
	}
	if len(less) > 0 {
		t.Errorf("%q are listed and no part of it", less)
	}
	if more, less := g.Beyond([]string{"wasm/rankbox", "core/evaluate/compare"}); !slices.Contains(more, "core/retrieve/stage") ||
		!slices.Contains(less, "core/evaluate/compare") {
		t.Errorf("another list: %q, %q", more, less)
	}
}
