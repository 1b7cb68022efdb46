package stage_test

import (
	"testing"

	"github.com/rankbox/rankbox/core/stage"
)

// The words for each: what must stand in it, in this order.
func TestPresetsAreCanonical(t *testing.T) {
	if len(stage.Presets) != 4 {
		t.Fatalf("%d presets", len(stage.Presets))
	}
	for _, p := range stage.Presets {
		if p.Doc == "" || stage.PresetNamed(p.Name).Doc != p.Doc {
			t.Errorf("%s: undocumented or not found", p.Name)
		}
		for _, s := range p.Systems {
			n, err := stage.Parse(s)
			if err != nil || n.String() != s {
				t.Errorf("%s: %s: %v, canonical %v", p.Name, s, err, n)
			}
		}
	}
	if stage.PresetNamed("nothing") != nil {
		t.Error("a preset that is not there was found")
	}
}
