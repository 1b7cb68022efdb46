package search

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Titles come from other people's collections.
func TestTitlesAreSpelledOut(t *testing.T) {
	if got, want := joined([]experiment.Segment{{Text: "a\u202e"}, {Text: "b\x1b", Mark: true}}),
		"a[U+202E]b[U+001B]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAScoreIsWrittenAsTheSumThatItIs(t *testing.T) {
	ranked := func(r, score float64) rank.Part {
		return rank.Part{Score: score, Values: []rank.Value{{Name: "rank", Value: r}}}
	}
	for _, c := range []struct {
		name string
		part rank.Part
		want string
	}{
		{"reciprocal ranks", rank.Part{Score: 0.5, Values: []rank.Value{{Name: "k", Value: 3}},
			Parts: []rank.Part{ranked(1, .25), ranked(1, .25)}},
			"score = 1/(3 + 1) + 1/(3 + 1) = 0.2500 + 0.2500 = 0.5000"},
		{"ranks that are weighted otherwise", rank.Part{Score: 1, Values: []rank.Value{{Name: "k", Value: 3}},
			Parts: []rank.Part{ranked(1, .5), ranked(1, .5)}}, "score = 0.5000 + 0.5000 = 1"},
		{"terms, one of which adds nothing", rank.Part{Score: 3, Parts: []rank.Part{{Score: 1}, {}, {Score: 2}}},
			"score = 1 + 2 = 3"},
		// by hand: 2 · 1/(1 + 1·1) = 1
		{"a single word of BM25", rank.Part{Score: 1, Values: []rank.Value{{Name: "k1", Value: 1}, {Name: "length norm",
			Value: 1}}, Parts: []rank.Part{{Score: 1, Values: []rank.Value{{Name: "tf", Value: 1}, {Name: "idf",
			Value: 2}}}}}, "score = 2 · 1/(1 + 1 · 1) = 1"},
		{"a single term", rank.Part{Score: 1, Parts: []rank.Part{{Score: 1}}}, ""},
		{"nothing", rank.Part{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := sum(c.part); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// By hand: of the largest number, 0.5, eighths are counted: 0.5 → 7, 0.2 → 3, −0.1 → 0, 0.06 → 0.
func TestTheTableOfTokensIsColoured(t *testing.T) {
	got := tables(rank.Part{Name: "x", Score: .7,
		Grid: &rank.Grid{Rows: []string{"port", "##s"}, Columns: []string{"ship", "dock"},
			Values: []float64{.5, .2, -.1, .06}},
		Parts: []rank.Part{{Name: "port", Score: .5}, {Name: "##s", Score: .2}}}, nil)
	if len(got) != 2 || !got[1].Heat || strings.Join(got[1].Head, "|") != "|ship|dock" {
		t.Fatalf("%+v", got)
	}
	var cells []string
	for _, r := range got[1].Rows {
		for _, v := range r[1:] {
			cells = append(cells, got[1].Shade(v)+" "+got[1].Cell(v))
		}
	}
	if s := strings.Join(cells, ", "); s != "h7 0.50, h3 0.20, h0 −0.10, h0 0.06" {
		t.Error(s)
	}
}

// A note that several lists have is said once, of all of them.
func TestANoteOfSeveralListsIsSaidOnce(t *testing.T) {
	for notesOf, want := range map[string]string{"": "", ",": "", "a.": "a (A).", "a.,b": "a (A). b (B).",
		"a.,,a.": "a (A and C).", "a,b,b,a,a": "a (A, D and E). b (B and C).", ",b,,b": "b (B and D)."} {
		var lists []experiment.List
		for n := range strings.SplitSeq(notesOf, ",") {
			lists = append(lists, experiment.List{Note: n})
		}
		if got := notes(lists, say.Letter); got != want {
			t.Errorf("%q: %q, want %q", notesOf, got, want)
		}
	}
}
