//go:build !first

package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A zip of anything, or a folder with such a zip, becomes the documents in it. What cannot be read is named in the
// preview and in the collection, and does not stop the others.
func TestOneBadFileDoesNotStopTheOthers(t *testing.T) {
	files := [][2]string{{"docs/a.md", "# Ferry\nlate"}, {"docs/b.txt", "q1 Q0 d1 1 2.5 tag\n"},
		{"docs/goods.csv", "sku,name,description\nA1,Crane,<p>it lifts</p>\n"},
		{"docs/tsconfig.json", "{\n \"strict\": true\n}\n"}, {"docs/broken.json", "[{\"id\":1},\n{\"id\":}]"},
		{"docs/pic.png", "\x89PNG\x00"}, {"__MACOSX/._x", "x"}, {"docs/yarn.lock", "x"},
		{"docs/latin.html", "<p>caf\xe9</p>"}}
	for name, given := range map[string][][2]string{"a folder": files,
		"a zip":         {{"mixed.zip", string(zipOf(t, files...))}},
		"a zip beside":  {{"mixed.zip", string(zipOf(t, files[1:]...))}, files[0]},
		"a zip in turn": {{"x/one.md", "# Ferry\nlate"}, {"x/mixed.zip", string(zipOf(t, files[1:]...))}}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, given...)
			seen := s.preview()
			if seen.Documents != 4 || len(seen.Tables) != 1 || len(seen.Tables[0].Columns) != 3 {
				t.Errorf("preview: %d documents, %+v", seen.Documents, seen.Tables)
			}
			got := s.upload()
			if got.Documents != 4 || got.Queries != 0 || got.Judgments != 0 {
				t.Errorf("%+v", got)
			}
			said := strings.Join(seen.Others, "\n") + "\n\n" + strings.Join(got.Warnings, "\n")
			for _, want := range []string{"tsconfig.json: it holds no list of objects and no text", "broken.json, line 2: ",
				"3 files were passed over: 1 .png, 2 hidden or of a tool."} {
				if strings.Count(said, want) != 2 {
					t.Errorf("%q is not said of both:\n%s", want, said)
				}
			}
			// A mapping that is chosen in the preview is that of the file in the zip.
			t1 := seen.Tables[0]
			again := s.upload(message.FileMapping{File: t1.Files[0].ID, Used: []message.Used{{Column: "name", For: "text"}}})
			if again.Documents != 4 {
				t.Errorf("mapped: %+v", again)
			}
		})
	}
}
