package chunk

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestUnsureLabelsAreReadAndWritten(t *testing.T) {
	list := []Unsure{
		{"q1", "a.md", "Ada", 2, "It opened\nlater.", Span{3, 9}, "opened", 0.5, "more changed"},
		{"q1", "b.md", "", 0, "", Span{-1, -1}, "", 0, "the \u202edocument changed"},
	}
	var b bytes.Buffer
	if err := WriteUnsure(&b, list); err != nil || strings.Contains(b.String(), "\u202e") {
		t.Fatal(err, b.String())
	}
	got, err := ReadUnsure("u.jsonl", b.Bytes())
	if err != nil || !slices.Equal(got, list) {
		t.Fatalf("%+v, %v", got, err)
	}
	for line, want := range map[string]string{
		`{"query":"q","document":"d"}`:                                   "no grade",
		`{"query":"","document":"d","grade":1}`:                          "no id",
		`{"query":"q","document":"d","grade":1,"end":2}`:                 `unknown member "end"`,
		`{"query":"q","document":"d","grade":1,"candidate_start":-2}`:    "a position is between",
		`{"query":"q","document":"d","grade":1,"candidate_start":1}`:     "bytes apart",
		`{"query":"q","document":"d","grade":1,"kept":2}`:                "between 0 and 1",
		`{"query":"q","document":"d","grade":1001,"candidate_start":-1}`: "between -1000 and 1000",
	} {
		if _, err := ReadUnsure("u.jsonl", []byte("\n"+line)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func FuzzReadUnsure(f *testing.F) {
	f.Add([]byte(`{"query":"q","document":"d","grade":1,"quote":"x","candidate_start":1,` +
		`"candidate_end":3,"candidate":"ab","kept":0.5}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadUnsure("x", b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := WriteUnsure(&out, got); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadUnsure("x", out.Bytes()); err != nil || !slices.Equal(again, got) {
			t.Fatalf("%+v, %v, not %+v", again, err, got)
		}
	})
}
