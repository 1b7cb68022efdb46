package chunk

import (
	"math/rand"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/collection"
)

func parse(t testing.TB, s string) *Chunking {
	t.Helper()
	c, err := Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestChunkingsAreParsedAndRefused(t *testing.T) {
	for text, want := range map[string]string{
		"whole": "whole", "paragraphs()": "paragraphs", "sentences(n=3,overlap=1)": "sentences",
		"sentences( n = 5 )": "sentences(n=5)", "words(n=100,overlap=10)": "words(n=100,overlap=10)",
		"words(overlap=0)": "words(overlap=0)", "headings": "headings",
	} {
		if got := parse(t, text).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":                         `unknown chunking "": want whole, paragraphs, sentences, words or headings`,
		"sentence(n=2)":            `unknown chunking "sentence"; did you mean sentences?`,
		"words(n=40,overlap=40)":   "overlap must be smaller than n, which is 40",
		"words(n=20)":              "overlap must be smaller than n, which is 20",
		"words(n=0)":               "n of words is between 1 and 10000",
		"words(m=3)":               `at byte 6: words has no parameter "m"`,
		"whole >> whole":           `unknown chunking "whole >> whole": want whole`,
		"words(n=2,overlap=1":      "unexpected end",
		"words() >> words()":       "cannot follow >>",
		"sentences(n=1.5)":         "a whole number",
		"bm25(k1=1)":               `unknown chunking "bm25"`,
		strings.Repeat("x", 3000):  "unknown chunking",
		"words(words())":           "words takes no pipelines",
		"sentences(n=2,n=3)":       "n appears twice",
		"headings(level=2)":        `headings has no parameter "level"`,
		"sentences(n=2,overlap=2)": "overlap must be smaller than n",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
	if u := Usages(); !slices.Contains(u, "sentences(n=3,overlap=1)") || len(u) != len(About()) {
		t.Errorf("%q", u)
	}
}

// pieces are the texts of the spans.
func pieces(text string, spans []Span) (out []string) {
	for _, s := range spans {
		out = append(out, text[s.Start:s.End])
	}
	return out
}

func TestTextsAreCutAtTheRightPlaces(t *testing.T) {
	for _, c := range []struct {
		chunking, text string
		want           []string
	}{
		{"whole", " a\nb ", []string{" a\nb "}},
		{"whole", "", []string{""}},
		{"words", " \n ", []string{" \n "}},
		{"paragraphs", "One\nline.\n\n \nTwo.\n", []string{"One\nline.", "Two."}},
		{"paragraphs", "One.\nTwo.\r\nThree.", []string{"One.", "Two.", "Three."}},
		{"sentences(n=1,overlap=0)", `Dr. Smith met J. Doe at 3.14 p.m. on Monday. "Late!" he said. Why? Because.`,
			[]string{"Dr. Smith met J. Doe at 3.14 p.m. on Monday.", `"Late!" he said.`, "Why?", "Because."}},
		{"sentences(n=1,overlap=0)", "See example.org, e.g. Fig. 3… Then go. No stop\n\nNew part",
			[]string{"See example.org, e.g. Fig. 3…", "Then go.", "No stop", "New part"}},
		{"sentences(n=1,overlap=0)", "船が遅れた。なぜ？嵐だ。", []string{"船が遅れた。", "なぜ？", "嵐だ。"}},
		{"sentences(n=1,overlap=0)", "Er kam z.B. Montag. Übermorgen ging er. „Gut.“ Ende.",
			[]string{"Er kam z.B. Montag.", "Übermorgen ging er.", "„Gut.“", "Ende."}},
		{"sentences(n=3,overlap=1)", "A b. C d. E f. G h. I j. K l.",
			[]string{"A b. C d. E f.", "E f. G h. I j.", "I j. K l."}},
		{"words(n=3,overlap=1)", "a b  c d\ne", []string{"a b  c", "c d\ne"}},
		{"words(n=2,overlap=0)", "船が late now", []string{"船が", "late now"}},
		{"headings", "Intro.\n# One\ntext\n## Two\n### Three\n\nmore\n```\n# code\n```\n#no\n# End",
			[]string{"Intro.", "# One\ntext", "## Two\n### Three\n\nmore\n```\n# code\n```\n#no", "# End"}},
		{"headings", "# One\n\n## Two\ntext", []string{"# One\n\n## Two\ntext"}},
		{"headings", "no heading", []string{"no heading"}},
	} {
		got := pieces(c.text, parse(t, c.chunking).Spans(c.text, nil))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s of %q:\n%q, want\n%q", c.chunking, c.text, got, c.want)
		}
	}
	text := "Intro\nOne\na\nTwo\nb"
	if got := pieces(text, parse(t, "headings").Spans(text, []int{12, 6})); !slices.Equal(got,
		[]string{"Intro", "One\na", "Two\nb"}) {
		t.Errorf("given headings: %q", got)
	}
}

// checkSpans holds spans against what Spans promises.
func checkSpans(t testing.TB, c *Chunking, text string, spans []Span) {
	t.Helper()
	covered := make([]int, len(text)+1)
	for i, s := range spans {
		if s.Start < 0 || s.End > len(text) || s.Start > s.End || s.Start == s.End && text != "" {
			t.Fatalf("%s of %q: %v", c, text, s)
		}
		if i > 0 && (s.Start <= spans[i-1].Start || s.End <= spans[i-1].End) {
			t.Fatalf("%s of %q: %v after %v", c, text, s, spans[i-1])
		}
		for _, at := range []int{s.Start, s.End} {
			if utf8.ValidString(text) && at < len(text) && !utf8.RuneStart(text[at]) {
				t.Fatalf("%s of %q: byte %d is within a rune", c, text, at)
			}
		}
		piece := text[s.Start:s.End]
		if blank := strings.TrimSpace(text) == ""; !blank && c.String() != "whole" &&
			strings.TrimSpace(piece) != piece {
			t.Fatalf("%s of %q: %q has white space around it", c, text, piece)
		}
		for k := s.Start; k < s.End; k++ {
			covered[k]++
		}
	}
	exactly := len(c.node.Stage.Params) == 0 || c.node.Integer("overlap") == 0
	for i, r := range text {
		if n := covered[i]; !unicode.IsSpace(r) && (n == 0 || exactly && n != 1) {
			t.Fatalf("%s of %q: byte %d is in %d spans", c, text, i, n)
		}
	}
}

var chunkings = []string{"whole", "paragraphs", "sentences", "sentences(n=1,overlap=0)", "sentences(n=5,overlap=4)",
	"words(n=3,overlap=1)", "words(n=1,overlap=0)", "words(n=7,overlap=0)", "headings"}

func TestSpansKeepTheirPromise(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	parts := []string{"word", "Word", "é", "船", "。", ".", "!", "?\"", " ", " ", "\n", "\n\n", "\t", "# ", "\n## ",
		"e.g.",
		"Dr. ", "```\n", "\u00a0", "\u3000", "\r\n", "-", "\xff", "\u2028", "0.5"}
	for range 3000 {
		var b strings.Builder
		for range random.Intn(40) {
			b.WriteString(parts[random.Intn(len(parts))])
		}
		text := b.String()
		headings := []int{random.Intn(len(text) + 2), random.Intn(len(text) + 2)}
		for _, s := range chunkings {
			c := parse(t, s)
			for _, h := range [][]int{nil, headings} {
				got := c.Spans(text, h)
				checkSpans(t, c, text, got)
				if again := c.Spans(text, h); !slices.Equal(got, again) {
					t.Fatalf("%s of %q: %v, then %v", s, text, got, again)
				}
			}
		}
	}
}

func FuzzSpans(f *testing.F) {
	f.Add("sentences(n=2,overlap=1)", "# A\nOne. Two!\n\nThree 船。", 3)
	f.Add("headings", "a\n# b", 2)
	f.Fuzz(func(t *testing.T, chunking, text string, heading int) {
		c, err := Parse(chunking)
		if err != nil {
			return
		}
		if again, err := Parse(c.String()); err != nil || again.String() != c.String() {
			t.Fatalf("%s: %v", c, err)
		}
		if len(text) < 2000 {
			checkSpans(t, c, text, c.Spans(text, nil))
			checkSpans(t, c, text, c.Spans(text, []int{heading}))
		}
	})
}

func TestDocumentsAreSplit(t *testing.T) {
	docs := []collection.Doc{{ID: "a", Title: "Port", Text: "One. Two.", Date: "2026-01-02"}, {ID: "b#x", Title: "Fog"}}
	c := parse(t, "sentences(n=1,overlap=0)")
	chunks, err := c.Split(docs, nil, "#")
	want := []Chunk{{"a#1", "a", 0, 1, Span{0, 4}}, {"a#2", "a", 0, 2, Span{5, 9}}, {"b#x#1", "b#x", 1, 1, Span{0, 0}}}
	if err != nil || !slices.Equal(chunks, want) {
		t.Fatalf("%v, %v", chunks, err)
	}
	got := Docs(docs, chunks)
	if got[1].ID != "a#2" || got[1].Title != "Port" || got[1].Text != "Two." || got[1].Date != "2026-01-02" ||
		got[2].Text != "" || got[2].Title != "Fog" {
		t.Errorf("%+v", got)
	}
	rule := collection.ChunkRule{Separator: "#"} // as compare cuts them
	for _, x := range chunks {
		if doc, ok := rule.Document(x.ID); !ok || doc != x.Document {
			t.Errorf("%s is of %s, not %s", x.ID, doc, x.Document)
		}
	}
	docs[1].ID = "a#2"
	if _, err := c.Split(docs, nil, "#"); err == nil || !strings.Contains(err.Error(),
		`"a#2" would be both a document and chunk 2 of the document "a"`) {
		t.Error(err)
	}
	if _, err := c.Split(docs, nil, "::"); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"", "1", " ", "\x00", "#########", "\xff"} {
		if _, err := c.Split(docs, nil, s); err == nil {
			t.Errorf("the separator %q is taken", s)
		}
	}
}

func TestTheChunkThatHoldsMostOfASpanIsFound(t *testing.T) {
	chunks := []Chunk{{Ordinal: 1, Span: Span{0, 10}}, {Ordinal: 2, Span: Span{5, 12}}, {Ordinal: 3, Span: Span{20,
		30}}}
	for _, x := range []struct {
		span Span
		all  int
		best int
	}{{Span{6, 9}, 2, 2}, {Span{0, 8}, 2, 1}, {Span{13, 19}, 0, 0}, {Span{11, 25}, 2, 3}, {Span{29, 40}, 1, 3},
		{Span{30, 40}, 0, 0}} {
		best, ok := Best(chunks, x.span)
		if got := Covering(chunks, x.span); len(got) != x.all || best.Ordinal != x.best || ok != (x.best > 0) {
			t.Errorf("%v: %v, %v", x.span, got, best)
		}
	}
}
