package chunk

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

func parsed(t testing.TB, text string) *Chunking {
	t.Helper()
	c, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rejoined splits documents and joins their chunks again, through the files.
func rejoined(t testing.TB, c *Chunking, docs []collection.Doc, headings func(int) []int) []string {
	t.Helper()
	chunks, err := c.Split(docs, headings, Separator)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteRests(&b, Rests(docs, headings, chunks)); err != nil {
		t.Fatal(err)
	}
	rests, err := ReadRests(RestFileName, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	of := ByDocument(chunks)
	var out []string
	for _, d := range docs {
		var texts []string
		for _, k := range of[d.ID] {
			texts = append(texts, d.Text[k.Span.Start:k.Span.End])
		}
		text, err := Join(of[d.ID], texts, rests[d.ID])
		if err != nil {
			t.Fatal(err)
		}
		if headings != nil && !reflect.DeepEqual(rests[d.ID].Headings, headings(0)) {
			t.Errorf("headings %v, want %v", rests[d.ID].Headings, headings(0))
		}
		out = append(out, text)
	}
	return out
}

func TestChunksAreJoinedToTheTextsThatTheyAreFrom(t *testing.T) {
	docs := []collection.Doc{{ID: "a", Text: "One.  Two.\n\n\nThree is late. Four!\n"}, {ID: "b", Text: "  \n"},
		{ID: "c", Text: ""}, {ID: "d", Text: "雾。船晚了。 end"}}
	for _, way := range []string{"whole", "paragraphs", "sentences(n=2,overlap=1)", "words(n=3,overlap=2)",
		"headings"} {
		for i, text := range rejoined(t, parsed(t, way), docs, nil) {
			if text != docs[i].Text {
				t.Errorf("%s of %s: %q, want %q", way, docs[i].ID, text, docs[i].Text)
			}
		}
	}
	one := []collection.Doc{{ID: "a", Text: "intro\nFerry\nlate\nStorm\nclosed"}}
	at := func(int) []int { return []int{6, 17} }
	if got := rejoined(t, parsed(t, "headings"), one, at); got[0] != one[0].Text {
		t.Errorf("%q", got)
	}
	chunks, _ := parsed(t, "sentences").Split(one, nil, Separator)
	if _, err := Join(chunks, []string{"short"}, Rest{}); err == nil || !strings.Contains(err.Error(),
		"other documents") {
		t.Errorf("other texts were joined: %v", err)
	}
}

func FuzzJoin(f *testing.F) {
	f.Add("sentences(n=2,overlap=1)", "One. Two!\n\nThree.", 5)
	f.Fuzz(func(t *testing.T, way, text string, heading int) {
		c, err := Parse(way)
		if err != nil || !strings.Contains(strings.ToValidUTF8(text, ""), text) {
			return
		}
		docs := []collection.Doc{{ID: "d", Text: text}}
		at := func(int) []int { return []int{max(heading, 0)} }
		if got := rejoined(t, c, docs, at); got[0] != text {
			t.Fatalf("%s: %q, want %q", way, got[0], text)
		}
	})
}

func FuzzReadRests(f *testing.F) {
	f.Add([]byte(
		"{\"format\":\"rankbox-rest\",\"version\":1}\n{\"document\":\"d\",\"gaps\":[\"\",\"\\n\"],\"headings\":[3]}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadRests("x", b)
		if err != nil {
			return
		}
		var list []Rest
		for _, d := range slices.Sorted(maps.Keys(got)) {
			list = append(list, got[d])
		}
		var out bytes.Buffer
		if err := WriteRests(&out, list); err != nil {
			t.Fatal(err)
		}
		again, err := ReadRests("x", out.Bytes())
		if err != nil || len(again) != len(got) {
			t.Fatalf("%v, %v, not %v", again, err, got)
		}
	})
}

func TestRestsThatAreWrongAreRefused(t *testing.T) {
	head := `{"format":"rankbox-rest","version":1}` + "\n"
	for text, want := range map[string]string{
		"": "it is empty", `{"format":"x","version":1}`: "its first line says",
		`{"format":"rankbox-rest"}`:                                     "no version",
		`{"format":"rankbox-rest","version":2}`:                         "a newer Rankbox",
		head + `{"document":""}`:                                        "line 2: ",
		head + `{"document":"d","gap":[]}`:                              `unknown member "gap"`,
		head + `{"document":"d","headings":[-1]}`:                       "a position is between",
		head + `{"document":"d","gaps":[]}` + "\n" + `{"document":"d"}`: "line 3: the document \"d\" comes twice",
	} {
		if _, err := ReadRests("rest.jsonl", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// By hand: document a has 4 chunks of 2 words, all graded 0 for q1, so a itself has 0; for q2 one of 4 is graded 2,
// which is a passage; b is no chunk.
func TestGradesOfAllChunksAreTheDocuments(t *testing.T) {
	docs := []collection.Doc{{ID: "a", Text: "one two three four five six seven eight"}}
	four, err := parsed(t, "words(n=2,overlap=0)").Split(docs, nil, Separator)
	if err != nil {
		t.Fatal(err)
	}
	q := collection.NewQrels()
	for _, c := range four {
		q.Add("q1", c.ID, 0)
	}
	q.Add("q2", "a#2", 2)
	q.Add("q2", "b", 1)
	labels := Labels(q, four)
	want := []Label{{"q1", "a", Span{-1, -1}, "", 0, true}, {"q2", "a", four[1].Span, "", 2, false},
		{"q2", "b", Span{-1, -1}, "", 1, true}}
	if !slices.Equal(labels, want) {
		t.Fatalf("%+v, want %+v", labels, want)
	}
	two, _ := parsed(t, "words(n=4,overlap=0)").Split(docs, nil, Separator)
	got, lost := Grades(two, labels)
	one, _ := Grades(Whole(docs), labels)
	for _, x := range []struct {
		of        *collection.Qrels
		query, id string
		grade     int
	}{{got, "q1", "a#1", 0}, {got, "q1", "a#2", 0}, {got, "q2", "a#1", 2}, {one, "q1", "a", 0}, {one, "q2", "a", 2}} {
		if g, ok := x.of.Grade(x.query, x.id); !ok || g != float64(x.grade) {
			t.Errorf("%s %s: %v, %v; want %v", x.query, x.id, g, ok, x.grade)
		}
	}
	if _, ok := got.Grade("q2", "a#2"); ok || len(lost) != 1 {
		t.Errorf("a#2 is graded: %v; lost %v", ok, lost)
	}
	if l := Measure(docs, two); l != (Lengths{4, 4}) { // words
		t.Errorf("%+v", l)
	}
}
