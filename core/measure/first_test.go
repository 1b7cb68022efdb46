package measure

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// The site's first program has a part of the registry, in its order, which includes the default measures.
func TestFirstProgramHasTheDefaults(t *testing.T) {
	entries := func(file string) (names []string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^\t&info(\w+),$`).FindAllSubmatch(data, -1) {
			names = append(names, string(m[1]))
		}
		return names
	}
	all, few := entries("registry.go"), entries("registry_first.go")
	if len(all) != len(All()) || len(few) == 0 {
		t.Fatalf("%d and %d entries", len(all), len(few))
	}
	held := map[*Info]bool{}
	last := -1
	for _, name := range few {
		i := slices.Index(all, name)
		if i <= last {
			t.Errorf("%s is not in the order of the registry", name)
			continue
		}
		held[All()[i]] = true
		last = i
	}
	for _, notation := range Defaults() {
		m, err := Parse(notation)
		if err != nil || !held[m.Info()] {
			t.Errorf("%s is not in the first program (%v)", notation, err)
		}
	}
}
