package worker

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A zip of a course system is its files; bytes that are no text come as a text all the same, and a long file is cut.
func TestPapersAreTexts(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"Ann/result.txt", "Bob/result.txt", "Bob/.DS_Store"} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, "of "+name)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	files := [][]byte{[]byte("one"), {0xff, 'x'}, b.Bytes(), bytes.Repeat([]byte("y"), 1<<20)}
	e := &Device{Files: func(id int) (io.Reader, error) { return bytes.NewReader(files[id]), nil }}
	got, err := e.papers(message.Request{},
		&message.AskPapers{Files: []message.File{{ID: 0, Name: "a.txt"}, {ID: 1, Name: "b.txt"},
			{ID: 2, Name: "all.zip"}, {ID: 3, Name: "long.txt"}}})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, p := range got.List {
		said = append(said, p.Name+": "+p.Text[:min(len(p.Text), 30)])
	}
	want := "a.txt: one|b.txt: \ufffdx|Ann/result.txt: of Ann/result.txt|Bob/result.txt: of Bob/result.txt|long.txt: " +
		strings.Repeat("y", 30)
	if s := strings.Join(said, "|"); s != want || len(got.List[4].Text) != maxPaper {
		t.Errorf("%s", s)
	}
	files[2] = files[2][:len(files[2])-30]
	if _, err := e.papers(message.Request{},
		&message.AskPapers{Files: []message.File{{ID: 2, Name: "all.zip"}}}); err == nil ||
		!strings.Contains(err.Error(), "all.zip") {
		t.Errorf("a damaged zip: %v", err)
	}
}
