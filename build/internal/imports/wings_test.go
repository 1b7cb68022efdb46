package imports

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// wings are the folders of core in the order of ARCHITECTURE.md: each imports only itself and those before it.
// core/internal is the part of base that other modules cannot import.
var wings = []string{"base", "text", "measure", "collection", "remote", "retrieve", "evaluate",
	"experiment", "link", "present", "project", "intake", "teach", "message"}

func TestAWingImportsOnlyThoseBeforeIt(t *testing.T) {
	entries, err := os.ReadDir("../../../core")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && wing("core/"+e.Name()) < 0 {
			t.Errorf("core/%s is in no wing: put the package into one of %v", e.Name(), wings)
		}
	}
	for _, g := range graphs(t) {
		for from, imports := range g.Imports {
			below := wing(from)
			for _, to := range imports {
				if above := wing(to); above > below && below >= 0 {
					t.Errorf("%s imports %s, and %s comes after %s", from, to, wings[above], wings[below])
				}
			}
		}
	}
}

// wing is the place of a package's wing in the order, −1 for a package outside of core.
func wing(name string) int {
	rest, ok := strings.CutPrefix(name, "core/")
	if !ok {
		return -1
	}
	top, _, _ := strings.Cut(rest, "/")
	if top == "internal" {
		top = "base"
	}
	return slices.Index(wings, top)
}
