package stage_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// The words for each: what must stand in it, in this order.
func TestPresetsAreCanonical(t *testing.T) {
	if len(stage.Presets) != 5 {
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

// The baselines side by side: without a model's vectors a message tells how to create them, the others rank.
func TestBaselinesRankOrSayHowToMakeTheirVectors(t *testing.T) {
	c := wordsOnly{newMade(60)}
	ranked := 0
	for _, s := range stage.PresetNamed("baselines").Systems {
		hits, err := try(t, c, s, madeQueries[0])
		u, sentence := errors.AsType[*rank.Unanswerable](err)
		switch {
		case err == nil && len(hits) > 0:
			ranked++
		case !sentence || !strings.Contains(u.Reason, "scripts/embed"):
			t.Errorf("%s: %d documents, %v", s, len(hits), err)
		}
	}
	if ranked != 1 {
		t.Errorf("%d of the baselines rank by words alone", ranked)
	}
}

// wordsOnly is a collection without vectors.
type wordsOnly struct{ *made }

func (w wordsOnly) Models() stage.ModelOutputs { return noModels{w.made.Models()} }

type noModels struct{ stage.ModelOutputs }

func (noModels) List() []stage.Model { return nil }

func (noModels) Tokens(model string) (*stage.Tokens, error) {
	return nil, stage.NoTokens("made", model, nil)
}
