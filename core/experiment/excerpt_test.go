package experiment

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/text"
)

// reader marks the words of a query in texts that are analysed for it.
type reader struct{ *marker }

func (r reader) split(s string) []Segment   { return r.whole(s) }
func (r reader) excerpt(s string) []Segment { return r.marker.excerpt(s, r.words(s)) }

func mark(t testing.TB, query string) reader {
	t.Helper()
	an, err := text.Get("lucene-english")
	if err != nil {
		t.Fatal(err)
	}
	return reader{newMarker(an, query, func(string) float64 { return 1 })}
}

func join(s []Segment) (all, marked string) {
	for _, g := range s {
		all += g.Text
		if g.Mark {
			marked += "[" + g.Text + "]"
		}
	}
	return all, marked
}

func TestTheExcerptShowsWhereMostOfTheQueryStands(t *testing.T) {
	filler := strings.Repeat("words that say nothing of it ", 20)
	all, marked := join(mark(t, "ferry strike pay").excerpt("A ferry. " + filler +
		"The ferries were on strike over pay. " + filler))
	if marked != "[ferries][strike][pay]" || !strings.HasPrefix(all, "… ") || !strings.HasSuffix(all, " …") ||
		len(all) > excerptWidth+10 {
		t.Errorf("%q marks %s", all, marked)
	}
	if _, marked := join(mark(t, "what has the ferry").split("What the ferry has.")); marked != "[ferry]" {
		t.Errorf("function words are shown as matches: %s", marked)
	}
	if _, marked := join(mark(t, "who has what").split("What he has.")); marked != "[What][has]" {
		t.Errorf("a query of nothing else marks %s", marked)
	}
	if all, _ := join(mark(t, "nothing here").excerpt("Short text.")); all != "Short text." {
		t.Errorf("%q", all)
	}
	if got := mark(t, "x").excerpt(""); got != nil {
		t.Errorf("%v", got)
	}
}

// Pairs of characters overlap: 東京 and 京都 are marked in 東京都, whose three characters come out once.
func TestPairsOfCharactersAreMarkedOnce(t *testing.T) {
	an, err := text.Get("cjk")
	if err != nil {
		t.Fatal(err)
	}
	m := reader{newMarker(an, "東京都", func(string) float64 { return 1 })}
	for s, want := range map[string]string{"東京都に": "[東京][都]", "京都": "[京都]", "東都": "", "at 東京 and 京都.": "[東京][京都]"} {
		if all, marked := join(m.split(s)); all != s || marked != want {
			t.Errorf("%q: %q marks %s, want %s", s, all, marked, want)
		}
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("ferry strike", "The ferry’s strike é漢字 \xff\xfe was long")
	f.Fuzz(func(t *testing.T, query, s string) {
		m := mark(t, query)
		if all, _ := join(m.split(s)); all != s {
			t.Errorf("the pieces of %q join to %q", s, all)
		}
		all, _ := join(m.excerpt(s))
		if utf8.ValidString(s) && !utf8.ValidString(all) {
			t.Errorf("the excerpt of %q is cut inside a letter: %q", s, all)
		}
		if len(all) > len(s)+10 {
			t.Errorf("the excerpt is longer than the text")
		}
	})
}

func TestNearDuplicates(t *testing.T) {
	a := "The strike at the container terminal ended on Friday when the dockers accepted an offer of four per cent " +
		"over two years."
	cases := []struct {
		name, b string
		want    bool
	}{
		{"the same", a, true},
		{"a figure changed", strings.Replace(a, "four", "five", 1), true},
		{"other case and points", strings.ToUpper(a) + "!!", true},
		{"another story", "The striker signed for two years; the club paid an offer of four million at the container " +
			"park on Friday evening.", false},
		{"too short to tell", "The strike.", false},
		{"empty", "", false},
	}
	for _, c := range cases {
		if got := text.Jaccard(text.Shingles(a), text.Shingles(c.b)) >= text.NearDuplicate; got != c.want {
			t.Errorf("%s: %v (%v)", c.name, got, text.Jaccard(text.Shingles(a), text.Shingles(c.b)))
		}
	}
}
