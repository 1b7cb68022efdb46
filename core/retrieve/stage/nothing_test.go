package stage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// A threshold is written in two ways, and printed in one.
func TestThresholdsAreReadAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"bm25 >> rerank(min=.9)":                       "bm25 >> rerank(threshold=0.9)",
		"bm25 >> rerank(threshold=0.9, keep=below)":    "bm25 >> rerank(threshold=0.9,below=keep)",
		"bm25 >> rerank(threshold=0.9, keep=5)":        "bm25 >> rerank(keep=5,threshold=0.9)",
		"bm25 >> rerank(threshold=0.9, below=remove)":  "bm25 >> rerank(threshold=0.9)",
		"bm25 >> rerank(min=0.9,keep=below,keep=3)":    "bm25 >> rerank(keep=3,threshold=0.9,below=keep)",
		"bm25 >> rerank(backend=ce,min=.5,below=keep)": "bm25 >> rerank(backend=ce,threshold=0.5,below=keep)",
		"bm25 >> rerank(min=.5,threshold=.5)":          "threshold appears twice",
		"bm25 >> rerank(keep=above)":                   "a number",
		"bm25(min=3)":                                  "min",
	} {
		n, err := stage.Parse(written)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", written, err)
			}
			continue
		}
		if n.String() != want {
			t.Errorf("%s is read as %s, want %s", written, n, want)
		}
	}
}

// By hand on the made collection: spelling has no unknown word, entities are w0 to w19, and 400 documents have three
// categories.
func TestEachStageHasOneOfFourStates(t *testing.T) {
	q := rank.Query{ID: "q0", Text: "w1 w2 w3"}
	for _, c := range []struct {
		text  string
		state stage.State
		note  string
	}{
		{"bm25 >> spell", stage.Nothing, "Every word of the query is in the collection"},
		{"bm25 >> datematch", stage.Nothing, "The query names no date"},
		{"bm25 >> entity", stage.Did, ""},
		{"bm25 >> filter(from=20300101) >> cluster", stage.Nothing, "0 documents are too few for 3 topics"},
		{"bm25 >> balance", stage.Did, ""},
		{"bm25 >> cluster", stage.Did, ""},
		{"bm25 >> rerank(threshold=1000)", stage.Below, "below the threshold 1000"},
		{"bm25 >> mmr(model=other)", stage.Nothing, "has no vectors"},
	} {
		_, steps := ranked(t, c.text, q)
		last := steps[len(steps)-1]
		if last.State() != c.state || !strings.Contains(last.Note, c.note) {
			t.Errorf("%s: %v, %q; want %v, %q", c.text, last.State(), last.Note, c.state, c.note)
		}
		if last.State() == stage.Nothing && last.Moved != 0 {
			t.Errorf("%s moved %d documents", c.text, last.Moved)
		}
	}
}

func TestEntitiesThatTheQueryDoesNotName(t *testing.T) {
	_, steps := ranked(t, "bm25 >> entity", rank.Query{Text: "w90 w91"})
	if s := steps[1]; s.State() != stage.Nothing || s.Note != "The query names no entity of these documents" {
		t.Errorf("%v, %q", s.State(), s.Note)
	}
}

// By hand: behind bm25, cut(5) takes the first five, so none of the five places that it was given changed. The stored
// run of q0 has two documents.
func TestMovedDocumentsAreCounted(t *testing.T) {
	q := rank.Query{ID: "q0", Text: "w1 w2 w3"}
	before, _ := ranked(t, "bm25", q)
	for _, text := range []string{"bm25 >> balance(share=0.1)", "bm25 >> mmr(lambda=0.2)", "bm25 >> recency(weight=0.9)",
		"bm25 >> collapse"} {
		after, steps := ranked(t, text, q)
		want := 0
		for i := range before {
			if i >= len(after) || after[i].Doc != before[i].Doc {
				want++
			}
		}
		if got := steps[1].Moved; got != want || want == 0 || steps[0].Moved != -1 {
			t.Errorf("%s: %d documents moved, %d places differ", text, got, want)
		}
	}
	if _, steps := ranked(t, "bm25 >> cut(5)", q); steps[1].Moved != 0 {
		t.Errorf("cut moved %d documents", steps[1].Moved)
	}
}

// By hand.
func TestTalliesCountQueriesByState(t *testing.T) {
	deeds := [][]stage.Deed{
		{{Stage: "bm25", Moved: -1}, {Stage: "spell", State: stage.Nothing, Why: "Every word is known"}},
		{{Stage: "bm25", Moved: -1}, {Stage: "spell", Moved: 3}},
	}
	var all []stage.Tally
	for _, d := range deeds {
		if got := stage.ReadDeeds(stage.WriteDeeds(d)); !slices.Equal(got, d) {
			t.Errorf("read %v, wrote %v", got, d)
		}
		all = stage.Add(all, d)
	}
	if got, want := all[1].Said(), "spell: did it, 3 documents moved; nothing to do it with for 1 of 2 queries "+
		"(every word is known)"; got != want || all[0].Said() != "" || stage.IdleOf(all) != "" {
		t.Errorf("%q, %q, %q", got, all[0].Said(), stage.IdleOf(all))
	}
	one := stage.Add(nil, deeds[0])
	if got := stage.IdleOf(one); got != "spell had nothing to do its work with for any of 1 query: every word is known" {
		t.Errorf("%q", got)
	}
	for _, text := range []string{"x", "a\x1d9\x1d0\x1d0\x1d", "a\x1d0\x1d-2\x1d0\x1d", "a\x1dx\x1d0\x1d0\x1d"} {
		if got := stage.ReadDeeds(text); got != nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
