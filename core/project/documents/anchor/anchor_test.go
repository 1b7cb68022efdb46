package anchor

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
)

func texts(m map[string]string) Texts {
	return func(id string) (string, bool) { t, ok := m[id]; return t, ok }
}

// label is the place of a passage that is marked with [ and ] in a text, which is returned without the marks.
func label(marked string) (chunk.Label, string) {
	before, rest, _ := strings.Cut(marked, "[")
	quote, after, _ := strings.Cut(rest, "]")
	return chunk.Label{Query: "q", Document: "d", Grade: 1, Quote: quote,
		Span: chunk.Span{Start: len(before), End: len(before) + len(quote)}}, before + quote + after
}

const (
	intro = "It was a cold morning in March, and few people had come. "
	ferry = "The ferry to the island left an hour late because of fog."
	end   = " Nobody complained, since the café on the quay was open. The mate sold tickets on deck."
)

func TestAPassageIsFoundAgain(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string // with the passage marked; unmarked in new if it must not be anchored
		want     Status
	}{
		"nothing changed":   {intro + "[" + ferry + "]" + end, intro + "[" + ferry + "]" + end, Kept},
		"text added before": {intro + "[" + ferry + "]" + end, "News. " + intro + "[" + ferry + "]" + end, Moved},
		"text added behind": {intro + "[" + ferry + "]" + end, intro + "[" + ferry + "]" + end + " Ends.", Kept},
		"spaces and letter case": {intro + "[" + ferry + "]" + end, intro + "[" +
			strings.ToUpper(strings.ReplaceAll(ferry, " ", "\n ")) + "]" + end, Moved},
		"a word changed": {intro + "[" + ferry + "]" + end,
			intro + "[The boat to the island left an hour late because of fog.]" + end, Edited},
		"the first word went": {intro + "[" + ferry + "]" + end,
			intro + "[ferry to the island left an hour late because of fog.]" + end, Edited},
		"both ends changed": {intro + "[" + ferry + "]" + end,
			intro + "[A ferry to the island left an hour late because of rain!]" + end, Edited},
		"a word added": {intro + "[" + ferry + "]" + end,
			intro + "[The old ferry to the island left an hour late because of thick fog.]" + end, Edited},
		"moved within the text": {"[" + ferry + "] " + strings.Repeat(intro, 2) + end,
			strings.Repeat(intro, 2) + end + " [" + ferry + "]", Moved},
		"taken away": {intro + "[" + ferry + "]" + end, intro + end, Lost},
		"rewritten": {intro + "[" + ferry + "]" + end, intro + "Because fog hid the island, boats stayed." +
			end, Lost},
		"half of it is left": {intro + "[" + ferry + "]" + end, intro + "The ferry to the island left." + end, Unsure},
		"within a word":      {"ab [cde fg]h i", "x ab [cde fg]h i", Moved},
		"the second of two": {ferry + " " + intro + "[" + ferry + "]" + end, "Go. " + ferry + " " + intro + "[" +
			ferry + "]" +
			end, Moved},
		"a twin is left": {ferry + " [" + ferry + "]" + end, ferry + end, Unsure},
		"a twin elsewhere is left": {ferry + " " + intro + "[" + ferry + "]" + end, ferry + " " + intro + end,
			Unsure},
		"a similar passage is left": {"In 2019 the port of Ham grew. [In 2020 the port of Ham grew.]" + end,
			"In 2019 the port of Ham grew." + end, Unsure},
		"a similar one, differing end": {"[The port of Ham grew in 2019.] The port of Ham grew in 2020." + end,
			"The port of Ham really grew in 2020." + end, Unsure},
		"much added inside": {intro + "[" + ferry + "]" + end,
			intro + "The ferry to the island " + strings.Repeat("which had been built in Bergen ", 6) +
				"left an hour late because of fog." + end, Unsure},
		"Chinese": {"船が遅れた。[嵐が来た。]港は閉まった。", "今日、船が遅れた。[嵐が来た。]港は閉まった。", Moved},
	} {
		l, old := label(c.old)
		want, text := label(c.new)
		got := Anchors([]chunk.Label{l}, texts(map[string]string{"d": old}), texts(map[string]string{"d": text}),
			nil)[0]
		if got.Status != c.want {
			t.Errorf("%s: %s (%.2f, %s) at %q, want %s", name, got.Status, got.Kept, got.Reason, got.New.Quote, c.want)
		} else if c.want.Anchored() && (got.New.Span != want.Span || got.New.Quote != want.Quote) {
			t.Errorf("%s: %v %q, want %v %q", name, got.New.Span, got.New.Quote, want.Span, want.Quote)
		}
	}
}

// Without the old text, quote and position decide, and more labels are unsure.
func TestAQuoteIsFoundWithoutTheOldText(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		want     Status
	}{
		"same place":              {"a [b] c", "a [b] c", Kept},
		"another place":           {intro + "[" + ferry + "]", "x " + intro + "[" + ferry + "]", Moved},
		"too short":               {"a [b] c", "x a b c", Unsure},
		"twice":                   {intro + "[" + ferry + "]", "x " + ferry + intro + ferry, Unsure},
		"twice, one in its place": {intro + "[" + ferry + "]", intro + "[" + ferry + "] " + ferry, Kept},
		"edited": {intro + "[" + ferry + "]", intro +
			"[The boat to the island left an hour late because of fog.]" + end, Edited},
		"half": {intro + "[" + ferry + "]", intro + "The ferry to the island left." + end, Unsure},
		"gone": {intro + "[" + ferry + "]", intro + end, Lost},
	} {
		l, _ := label(c.old)
		want, text := label(c.new)
		got := Anchors([]chunk.Label{l}, nil, texts(map[string]string{"d": text}), nil)[0]
		if got.Status != c.want || c.want.Anchored() && got.New.Span != want.Span {
			t.Errorf("%s: %s %v %q (%s)", name, got.Status, got.New.Span, got.New.Quote, got.Reason)
		}
	}
}

func TestDocumentsAreFoundByTheirTextAndWholeLabelsByTheirDocument(t *testing.T) {
	old := map[string]string{"a": "The ferry was late.", "b": "same", "c": "same", "d": "gone",
		"e": "one two three four",
		"f": "five six seven"}
	new := map[string]string{"z": "the ferry  was LATE.", "y": "same", "e": "one two three 4",
		"f": "nine ten six eight"}
	renamed := Renamed([]string{"a", "b", "c", "d", "e", "f"}, []string{"z", "y", "e", "f"}, texts(old), texts(new))
	if len(renamed) != 1 || renamed["a"] != "z" {
		t.Fatalf("%v", renamed)
	}
	var labels []chunk.Label
	for _, id := range []string{"a", "b", "d", "e", "f"} {
		labels = append(labels, chunk.Label{Query: "q", Document: id, Grade: 1, Whole: true})
	}
	labels = append(labels, chunk.Label{Query: "q", Document: "a", Grade: 1, Quote: "ferry",
		Span: chunk.Span{Start: 4, End: 9}})
	got := Anchors(labels, texts(old), texts(new), renamed)
	for i, want := range []Status{Moved, Lost, Lost, Edited, Unsure, Moved} {
		if got[i].Status != want {
			t.Errorf("label %d: %s (%s), want %s", i, got[i].Status, got[i].Reason, want)
		}
	}
	if got[5].New.Document != "z" || got[5].New.Span != (chunk.Span{Start: 4, End: 9}) {
		t.Errorf("%+v", got[5].New)
	}
	if n := Count(got); n != [5]int{0, 2, 1, 1, 2} {
		t.Errorf("%v", n)
	}
}

// sentence is one of a planted document: its text, and which sentence of the old document it was, −1 for a new one.
type sentence struct {
	text string
	was  int
}

type planting struct {
	random *rand.Rand
	words  []string
}

func (p *planting) word() string {
	return p.words[int(float64(len(p.words))*p.random.Float64()*p.random.Float64()*p.random.Float64())]
}

func (p *planting) sentence() string {
	n := 6 + p.random.Intn(10)
	list := make([]string, n)
	for i := range list {
		list[i] = p.word()
	}
	s := strings.Join(list, " ") + "."
	return strings.ToUpper(s[:1]) + s[1:]
}

// edit changes a sentence lightly: one or two words, or its letter case, spaces and quotes.
func (p *planting) edit(s string) string {
	list := strings.Fields(s)
	for range 1 + p.random.Intn(2) {
		i := p.random.Intn(len(list))
		switch p.random.Intn(5) {
		case 0:
			list[i] = p.word()
		case 1:
			list = slices.Insert(list, i, p.word())
		case 2:
			if len(list) > 6 {
				list = slices.Delete(list, i, i+1)
			}
		case 3:
			list[i] = strings.ToUpper(list[i])
		case 4:
			list[i] += "\n"
		}
	}
	return strings.Join(list, " ")
}

// join writes sentences, in paragraphs of four, and returns the span of each.
func join(list []sentence) (text string, spans []chunk.Span) {
	var b strings.Builder
	for i, s := range list {
		if i > 0 && i%4 == 0 {
			b.WriteString("\n\n")
		} else if i > 0 {
			b.WriteByte(' ')
		}
		spans = append(spans, chunk.Span{Start: b.Len(), End: b.Len() + len(s.text)})
		b.WriteString(s.text)
	}
	return b.String(), spans
}

// alike says whether most words of sentences are the same.
func alike(a, b string) bool {
	x, y, n := strings.Fields(strings.ToLower(a)), strings.Fields(strings.ToLower(b)), 0
	for _, w := range x {
		if slices.Contains(y, w) {
			n++
		}
	}
	return 2*n > len(x)
}

// document is a planted one. About one in five repeats a sentence of its own, word for word or nearly.
func (p *planting) document() (list []sentence) {
	for i := range 6 + p.random.Intn(14) {
		s := p.sentence()
		if i > 0 && p.random.Intn(60) == 0 {
			if s = list[p.random.Intn(i)].text; p.random.Intn(2) == 0 {
				s = p.edit(s)
			}
		}
		list = append(list, sentence{s, i})
	}
	return list
}

// revise edits a document lightly: of the sentences one in ten is edited, one in 25 taken away and one in 25 put before
// another; in one document of ten a sentence or two are moved.
func (p *planting) revise(old []sentence) (list []sentence) {
	for _, s := range old {
		switch n := p.random.Intn(50); {
		case n < 2:
			continue
		case n < 4:
			list = append(list, sentence{p.sentence(), -1})
		case n < 9:
			s.text = p.edit(s.text)
		}
		list = append(list, s)
	}
	if n := len(list); n > 4 && p.random.Intn(10) == 0 {
		from, size := p.random.Intn(n-2), 1+p.random.Intn(2)
		moved := slices.Clone(list[from : from+size])
		for _, m := range moved { // nobody could tell equal sentences that traded places
			if slices.ContainsFunc(list, func(s sentence) bool { return s.was != m.was && alike(s.text, m.text) }) {
				return list
			}
		}
		list = slices.Delete(list, from, from+size)
		list = slices.Insert(list, p.random.Intn(len(list)+1), moved...)
	}
	return list
}

// Of 20,000 planted documents (with -long; 1,500 otherwise) that were edited lightly and cut into other chunks, at
// least 99 % of the labels whose passage is still there are anchored, and none at a wrong place.
func TestPlantedLabelsAreFoundAndNoneIsWrong(t *testing.T) {
	p := &planting{random: rand.New(rand.NewSource(31))}
	for i := range 4000 {
		p.words = append(p.words, string([]byte{"bcdfglmnprst"[i%12], "aeiou"[i/12%5], "bcdfglmnprst"[i/60%12],
			"aeiou"[i/720%5], "nrst"[i%4]}))
	}
	p.check(t, shared.Sample(1500, 20_000), func(int) []sentence { return p.document() })
}

// The same of SciFact's abstracts, edited lightly.
func TestLabelsOfAbstractsAreFoundAndNoneIsWrong(t *testing.T) {
	all, err := collection.ReadBEIR(os.DirFS(shared.Path(t, "data/scifact")), "test", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	cut, err := chunk.Parse("sentences(n=1,overlap=0)")
	if err != nil {
		t.Fatal(err)
	}
	p := &planting{random: rand.New(rand.NewSource(31)), words: strings.Fields(all.Docs[0].Text)}
	p.check(t, shared.Sample(1000, len(all.Docs)), func(d int) (list []sentence) {
		for i, s := range cut.Spans(all.Docs[d].Text, nil) {
			list = append(list, sentence{all.Docs[d].Text[s.Start:s.End], i})
		}
		return list
	})
}

// check edits documents, anchors two labels of each, and holds them against the truth.
func (p *planting) check(t *testing.T, n int, document func(d int) []sentence) {
	t.Helper()
	old, new := map[string]string{}, map[string]string{}
	var labels []chunk.Label
	var truths []truth // of each label
	var docs []collection.Doc
	var oldIDs, newIDs []string
	for d := range n {
		id := fmt.Sprintf("d%d", d)
		newID := id
		before := document(d)
		after := p.revise(before)
		if p.random.Intn(50) == 0 { // renamed, and otherwise as it was
			newID, after = "new-"+id, before
		}
		text, spans := join(before)
		revised, places := join(after)
		if len(after) == 0 {
			continue
		}
		old[id], new[newID] = text, revised
		oldIDs, newIDs = append(oldIDs, id), append(newIDs, newID)
		docs = append(docs, collection.Doc{ID: newID, Text: revised})
		for range 2 { // a passage of one to three sentences, as a chunk of the old chunking was
			first := p.random.Intn(len(before))
			last := min(first+p.random.Intn(3), len(before)-1)
			s := chunk.Span{Start: spans[first].Start, End: spans[last].End}
			labels = append(labels, chunk.Label{Query: "q", Document: id, Grade: 1, Quote: text[s.Start:s.End],
				Span: s})
			truths = append(truths, truthOf(after, places, first, last))
		}
	}
	start := time.Now()
	renamed := Renamed(oldIDs, newIDs, texts(old), texts(new))
	results := Anchors(labels, texts(old), texts(new), renamed)
	took := time.Since(start)

	cut, err := chunk.Parse("words(n=40,overlap=10)")
	if err != nil {
		t.Fatal(err)
	}
	chunks, err := cut.Split(docs, nil, "#")
	if err != nil {
		t.Fatal(err)
	}
	byDoc := map[string][]chunk.Chunk{}
	for _, c := range chunks {
		byDoc[c.Document] = append(byDoc[c.Document], c)
	}
	recoverable, found, wrong, wrongChunk := 0, 0, 0, 0
	for i, r := range results {
		if truths[i].all {
			recoverable++
			if r.Status.Anchored() {
				found++
			}
		}
		if !r.Status.Anchored() {
			continue
		}
		if !truths[i].fits(new[r.New.Document], r.New.Span, r.Old.Quote) {
			if wrong++; wrong <= 5 {
				t.Errorf("%q, %s, is at %q (%s, %.2f); truth %v", labels[i].Quote, labels[i].Document, r.New.Quote,
					r.Status,
					r.Kept, truths[i])
				t.Logf("%s\n%s", old[labels[i].Document], new[r.New.Document])
			}
		}
		if best, ok := chunk.Best(byDoc[r.New.Document], r.New.Span); !ok || truths[i].shared(best.Span) == 0 {
			wrongChunk++
		}
	}
	counts := Count(results)
	t.Logf("%d labels of %d documents in %v: %d kept, %d moved, %d edited, %d unsure, %d lost; of %d recoverable "+
		"%.2f %%",
		len(labels), len(old), took.Round(time.Millisecond), counts[0], counts[1], counts[2], counts[3], counts[4],
		recoverable, 100*float64(found)/float64(recoverable))
	if wrong > 0 || wrongChunk > 0 || float64(found) < 0.99*float64(recoverable) {
		t.Errorf("%d of %d found, %d wrong, %d in a wrong chunk", found, recoverable, wrong, wrongChunk)
	}
}

// truth is what is left of a passage: the spans of its sentences, and whether all are there and together.
type truth struct {
	parts []chunk.Span
	all   bool
}

// truthOf finds old sentences first to last.
func truthOf(after []sentence, places []chunk.Span, first, last int) (t truth) {
	t.all = true
	want, before := first, -1
	for k, s := range after {
		if s.was < first || s.was > last {
			continue
		}
		t.parts = append(t.parts, places[k])
		t.all = t.all && s.was == want && (before < 0 || k == before+1)
		want, before = want+1, k
	}
	t.all = t.all && want == last+1
	return t
}

// shared is how many bytes of a span are of what is left.
func (t truth) shared(s chunk.Span) (n int) {
	for _, p := range t.parts {
		n += p.Common(s)
	}
	return n
}

// fits says whether a span of a text is a place of a quote: half of it at least is what is left of the passage, and if
// all is left, half of that at least is in the span. Or the quote is there, word for word, with a sentence of its own:
// the other one was taken away, and a copy of it has come.
func (t truth) fits(text string, s chunk.Span, quote string) bool {
	n := 0
	for _, p := range t.parts {
		n += p.Len()
	}
	words := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return 2*t.shared(s) >= s.Len() && (!t.all || 2*t.shared(s) >= n) ||
		t.shared(s) > 0 && words(text[s.Start:s.End]) == words(quote)
}

// Whatever the texts, a place is within the new text, splits no rune, and a kept passage is the quote.
func FuzzAnchors(f *testing.F) {
	f.Add("a b. c d. e f.", "a c d. e g.", 2, 9)
	f.Add("the cat. the cat. dog", "the cat. dog", 0, 8)
	f.Fuzz(func(t *testing.T, old, new string, start, end int) {
		if len(old) > 400 || len(new) > 400 || start < 0 || end <= start || end > len(old) {
			return
		}
		l := chunk.Label{Query: "q", Document: "d", Quote: old[start:end], Span: chunk.Span{Start: start, End: end}}
		for _, before := range []Texts{texts(map[string]string{"d": old}), nil} {
			r := Anchors([]chunk.Label{l}, before, texts(map[string]string{"d": new}), nil)[0]
			s := r.New.Span
			if s.Start < 0 && !r.Status.Anchored() {
				continue
			}
			if s.Start < 0 || s.End > len(new) || s.Start >= s.End || r.New.Quote != new[s.Start:s.End] ||
				(r.Reason == "") != r.Status.Anchored() {
				t.Fatalf("%q: %+v", new, r)
			}
			if r.Status == Kept && (r.New.Quote != strings.TrimSpace(l.Quote) && r.New.Quote != l.Quote) {
				t.Fatalf("%q was kept as %q", l.Quote, r.New.Quote)
			}
		}
	})
}
