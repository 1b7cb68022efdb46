package chunk

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

func TestLabelsAreReadAndWritten(t *testing.T) {
	text := `{"query":"q1","document":"d","start":3,"end":9,"quote":"late b","grade":2}
{"query":"q1","document":"d","quote":"fog","grade":-1}

{"query":"q2","document":"é\"","grade":0}
`
	got, err := ReadLabels("l.jsonl", []byte(text))
	want := []Label{{"q1", "d", Span{3, 9}, "late b", 2, false}, {"q1", "d", Span{-1, -1}, "fog", -1, false},
		{"q2", `é"`, Span{-1, -1}, "", 0, true}}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	var b bytes.Buffer
	if err := WriteLabels(&b, got); err != nil || b.String() != strings.Replace(text, "\n\n", "\n", 1) {
		t.Errorf("%s, %v", b.String(), err)
	}
	for line, want := range map[string]string{
		`{"query":"q","document":"d"}`:                                          "the label has no grade",
		`{"document":"d","grade":1}`:                                            "has no id",
		`{"query":"q","document":"d","grade":1,"start":4}`:                      "an end behind it",
		`{"query":"q","document":"d","grade":1,"start":4,"end":4}`:              "an end behind it",
		`{"query":"q","document":"d","grade":1,"start":4,"end":6,"quote":"é "}`: "the quote has 3 bytes",
		`{"query":"q","document":"d","grade":1,"doc":4}`:                        `unknown member "doc"`,
		`{"query":"q","document":"d","grade":1,"grade":1}`:                      "comes twice",
		`{"query":"q","document":"d","grade":"1.5"}`:                            "a number",
		`{"query":"q","document":"d","grade":9999}`:                             "between -1000 and 1000",
		`{"query":"q","document":"d","grade":1} x`:                              "the end of the text",
		`[]`: "object",
	} {
		_, err := ReadLabels("l.jsonl", []byte("\n"+line))
		if err == nil || !strings.Contains(err.Error(), "l.jsonl: line 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func FuzzReadLabels(f *testing.F) {
	f.Add([]byte(`{"query":"q1","document":"d","start":3,"end":9,"quote":"late b","grade":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadLabels("x", b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteLabels(&out, got); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadLabels("x", out.Bytes()); err != nil || !slices.Equal(again, got) {
			t.Fatalf("%v, %v, not %v", again, err, got)
		}
	})
}

func TestTheFileOfChunksIsReadAndWritten(t *testing.T) {
	f := &File{"words(n=2,overlap=1)", "#", []Chunk{{"a#1", "a", 0, 1, Span{0, 4}}, {"a#2", "a", 0, 2, Span{2, 9}},
		{"b#1", "b", 0, 1, Span{0, 0}}}}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile("chunks.jsonl", b.Bytes())
	if err != nil || got.Chunking != f.Chunking || got.Separator != "#" || !slices.Equal(got.Chunks, f.Chunks) {
		t.Errorf("%+v, %v", got, err)
	}
	head, _, _ := strings.Cut(b.String(), "\n")
	for lines, want := range map[string]string{
		"": "it is empty",
		`{"format":"x","version":1,"separator":"#"}`:                     "line 1: it is no file of chunks",
		`{"format":"rankbox-chunks","version":2,"separator":"#"}`:        "line 1: a newer Rankbox",
		`{"format":"rankbox-chunks","version":1,"separator":"1"}`:        "holds a digit",
		head + "\n" + `{"chunk":"a#2","document":"a","start":0,"end":1}`: `line 2: the chunk "a#2" is not "a#1"`,
		head + "\n" + `{"chunk":"a#1","document":"a","start":2,"end":1}`: "an end that is not before it",
		b.String() + `{"chunk":"a#3","document":"a","start":9,"end":10}`: `line 5: the chunks of the document "a" are`,
		b.String() + `{"chunk":"b#2","document":"b","start":0,"end":10}`: "are not in order",
	} {
		if _, err := ReadFile("chunks.jsonl", []byte(lines)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", lines, err, want)
		}
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add([]byte(`{"format":"rankbox-chunks","version":1,"chunking":"whole","separator":"#"}
{"chunk":"a#1","document":"a","start":0,"end":1}
`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadFile("x", b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := got.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := ReadFile("x", out.Bytes())
		if err != nil || again.Chunking != got.Chunking || !slices.Equal(again.Chunks, got.Chunks) {
			t.Fatalf("%v, %v, not %v", again, err, got)
		}
	})
}

func TestChunksTakeTheGradesOfLabels(t *testing.T) {
	chunks := []Chunk{{"a#1", "a", 0, 1, Span{0, 10}}, {"a#2", "a", 0, 2, Span{10, 20}}, {"a#3", "a", 0, 3, Span{21,
		30}},
		{"b#1", "b", 1, 1, Span{0, 5}}, {"b#2", "b", 1, 2, Span{3, 8}}}
	grades, lost := Grades(chunks, []Label{
		{Query: "in", Document: "a", Span: Span{2, 6}, Grade: 1}, // all of it in a#1
		// 4 of 13 bytes and 4 of 10; 9 of 13: a#2 alone
		{Query: "over", Document: "a", Span: Span{6, 19}, Grade: 2},
		{Query: "half", Document: "a", Span: Span{5, 15}, Grade: 1},  // half in each
		{Query: "gap", Document: "a", Span: Span{18, 23}, Grade: 1},  // 2 of 5 bytes in each: the shorter, a#3
		{Query: "long", Document: "a", Span: Span{0, 30}, Grade: 1},  // holds all
		{Query: "most", Document: "a", Span: Span{11, 14}, Grade: 1}, // both count for a#2:
		{Query: "most", Document: "a", Span: Span{15, 19}, Grade: 3}, // the highest is taken
		// 4 of the 10 bytes of a#1: says nothing of the rest
		{Query: "no", Document: "a", Span: Span{2, 6}, Grade: 0},
		{Query: "no", Document: "a", Span: Span{10, 16}, Grade: 0},      // 6 of 10
		{Query: "doc", Document: "b", Whole: true, Grade: 2},            // all chunks of b
		{Query: "mixed", Document: "b", Whole: true, Grade: 2},          // gives way to
		{Query: "mixed", Document: "b", Span: Span{6, 8}, Grade: 1},     // the passage
		{Query: "lost", Document: "c", Whole: true, Grade: 2},           // no such document
		{Query: "twice", Document: "b", Span: Span{3, 5}, Grade: 1},     // chunks that overlap
		{Query: "between", Document: "a", Span: Span{20, 21}, Grade: 1}, // in no chunk
	})
	var out strings.Builder
	if err := grades.WriteTREC(&out); err != nil {
		t.Fatal(err)
	}
	want := "doc 0 b#1 2\ndoc 0 b#2 2\nhalf 0 a#1 1\nhalf 0 a#2 1\nin 0 a#1 1\nlong 0 a#1 1\nlong 0 a#2 1\nlong 0 " +
		"a#3 1\n" +
		"mixed 0 b#2 1\nmost 0 a#2 3\nno 0 a#2 0\nover 0 a#2 2\ntwice 0 b#1 1\ntwice 0 b#2 1\ngap 0 a#3 1\n"
	if sorted(out.String()) != sorted(want) {
		t.Errorf("%s", out.String())
	}
	if len(lost) != 3 || lost[0].Query != "no" || lost[1].Query != "lost" || lost[2].Query != "between" {
		t.Errorf("%+v", lost)
	}
}

func sorted(lines string) string {
	list := strings.Split(lines, "\n")
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func TestSpansAreScoredByTokens(t *testing.T) {
	// Ten words of two bytes and a space: word i is bytes 3i to 3i+2.
	text := strings.TrimSpace(strings.Repeat("ab ", 10))
	tokens := func(string) []Span { return Words(text) }
	words := func(doc string, from, to int) Place { return Place{doc, Span{3 * from, 3*to - 1}} }
	for _, c := range []struct {
		relevant, retrieved []Place
		want                SpanScore
	}{
		// Words 2–5 are relevant, 4–9 retrieved: 2 of 4, 2 of 6, 2 of 8.
		{[]Place{words("a", 2, 6)}, []Place{words("a", 4, 10)}, SpanScore{0.5, 2.0 / 6, 0.25, 4, 6, 2}},
		// Two chunks that overlap by 2: 3 of 4 words found once each, 8 retrieved, 3 of 8+4−3 = 9.
		{[]Place{words("a", 2, 6)}, []Place{words("a", 3, 7), words("a", 5, 9)},
			SpanScore{0.75, 3.0 / 8, 3.0 / 9, 4, 8, 3}},
		// Relevant spans that overlap count once: 0–5 is 6 words. Another document's words are others.
		{[]Place{words("a", 0, 4), words("a", 2, 6)}, []Place{words("b", 0, 6)}, SpanScore{0, 0, 0, 6, 6, 0}},
		// Exactly the relevant ones.
		{[]Place{words("a", 1, 3), words("b", 0, 1)}, []Place{words("b", 0, 1), words("a", 1, 3)},
			SpanScore{1, 1, 1, 3, 3, 3}},
		{[]Place{words("a", 0, 2)}, nil, SpanScore{0, 0, 0, 2, 0, 0}},
		// Bytes 1–4 share a byte with words 0 and 1.
		{[]Place{{"a", Span{1, 4}}}, []Place{words("a", 0, 2)}, SpanScore{1, 1, 1, 2, 2, 2}},
	} {
		if got := Score(c.relevant, c.retrieved, tokens); got != c.want {
			t.Errorf("%v by %v: %+v, want %+v", c.relevant, c.retrieved, got, c.want)
		}
	}
}

// chunking_evaluation 0.1.0 (commit d451fc4) counts characters. In a Chinese text each character is a token, so its
// figures equal ours. The cases are of its _scores_from_dataset_and_retrievals with all chunks kept.
func TestSpansAreScoredAsChunkingEvaluationDoes(t *testing.T) {
	text := strings.Repeat("船", 250)
	bytesOf := func(s Span) Span { return Span{3 * s.Start, 3 * s.End} }
	for _, c := range []struct {
		relevant               []Span
		retrieved              []Place
		recall, precision, iou float64
	}{
		{[]Span{{38, 82}}, []Place{{"a", Span{101, 110}}}, 0.0, 0.0, 0.0},
		{[]Span{{24, 93}, {137, 149}}, []Place{{"b", Span{14, 32}}, {"a", Span{9, 40}}}, 0.19753086419753085,
			0.32653061224489793, 0.14035087719298245},
		{[]Span{{11, 56}}, []Place{{"b", Span{142, 165}}, {"a", Span{107, 119}}, {"a", Span{146, 162}},
			{"a", Span{26, 43}}}, 0.37777777777777777, 0.25, 0.17708333333333334},
		{[]Span{{24, 95}, {140, 182}}, []Place{{"a", Span{16, 34}}, {"a", Span{127, 159}}, {"a", Span{80, 114}},
			{"a", Span{92, 108}}, {"a", Span{178, 188}}}, 0.4247787610619469, 0.43636363636363634, 0.2742857142857143},
		{[]Span{{30, 131}}, []Place{{"a", Span{107, 133}}, {"b", Span{38, 69}}}, 0.2376237623762376,
			0.42105263157894735, 0.1791044776119403},
	} {
		var relevant, retrieved []Place
		for _, s := range c.relevant {
			relevant = append(relevant, Place{"a", bytesOf(s)})
		}
		for _, p := range c.retrieved {
			retrieved = append(retrieved, Place{p.Document, bytesOf(p.Span)})
		}
		got := Score(relevant, retrieved, func(string) []Span { return Words(text) })
		if got.Recall != c.recall || got.Precision != c.precision || got.IoU != c.iou {
			t.Errorf("%v: %+v", c, got)
		}
	}
}

func TestARunOfChunksIsScored(t *testing.T) {
	texts := map[string]string{"a": "one two three four", "b": "five six"}
	docs := []collection.Doc{{ID: "a", Text: texts["a"]}, {ID: "b", Text: texts["b"]}}
	chunks, err := parse(t, "words(n=2,overlap=0)").Split(docs, nil, "#")
	if err != nil {
		t.Fatal(err)
	}
	got, err := collection.Read("r", strings.NewReader("q1 Q0 a#2 1 3 t\nq1 Q0 x 2 2 t\nq1 Q0 b#1 3 1 t\nq3 Q0 a#1 1 "+
		"1 t\n"),
		collection.Options{Prefer: collection.RunTREC})
	if err != nil {
		t.Fatal(err)
	}
	labels := []Label{{Query: "q1", Document: "a", Span: Span{4, 13}, Grade: 1}, // two three
		{Query: "q2", Document: "b", Whole: true, Grade: 2}, {Query: "q3", Document: "a", Whole: true, Grade: 0}}
	s := ScoreRun(got.Run, 3, chunks, labels, 1, func(d string) string { return texts[d] })
	// q1 retrieves three four, five six: 1 of 2, 1 of 4, 1 of 5. q2 retrieves nothing. q3 has nothing relevant.
	want := []SpanScore{{0.5, 0.25, 0.2, 2, 4, 1}, {0, 0, 0, 2, 0, 0}}
	if !slices.Equal(s.Queries, []string{"q1", "q2"}) || !slices.Equal(s.Scores, want) ||
		!slices.Equal(s.Unknown, []string{"x"}) || s.Mean != (SpanScore{0.25, 0.125, 0.1, 4, 4, 1}) {
		t.Errorf("%+v", s)
	}
	if s := ScoreRun(got.Run, 1, chunks, labels, 1, func(d string) string { return texts[d] }); s.Scores[0] !=
		(SpanScore{0.5, 0.5, 1.0 / 3, 2, 2, 1}) || s.Unknown != nil {
		t.Errorf("first chunk: %+v", s)
	}
}
