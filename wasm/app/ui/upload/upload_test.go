package upload

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
	"github.com/rankbox/rankbox/wasm/app/state/status"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// drawn is the screen on a page, and how its HTML is had.
type drawn struct {
	*screen.Upload
	*statetest.Recorder
	view vugu.Builder
	env  *vugu.BuildEnv
}

func draw(t *testing.T) *drawn {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawn{Recorder: &statetest.Recorder{}, env: env}
	a := state.New(d.Recorder, func(string) string { return "/" }, "/upload", state.Part{Name: "home"},
		state.Part{Name: "status", Make: func(a *state.App) state.Screen { return status.New(a) }},
		state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
			s, b := Make(a)
			d.Upload, d.view = s.(*screen.Upload), b
			return s
		}})
	a.Begin("/upload", "")
	a.Receive(message.Reply{ID: d.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}}})
	return d
}

// looked gives the page files, and answers how they would be read.
func (d *drawn) looked(t *testing.T, name string, p message.Previewed) {
	t.Helper()
	d.App.AddFiles([]message.File{{ID: 1, Name: name, Size: 9}})
	d.App.Receive(message.Reply{ID: d.Last(t, message.Preview).ID, Kind: message.Preview, Answer: &p})
}

// shows fails unless the HTML has each text that is named, and none that is named with "!" before it.
func (d *drawn) shows(t *testing.T, texts ...string) {
	t.Helper()
	var b strings.Builder
	dom.HTML(&b, dom.Flatten(d.env.RunBuild(d.view)))
	for _, s := range texts {
		if s, absent := strings.CutPrefix(s, "!"); strings.Contains(b.String(), s) == absent {
			t.Errorf("%q is shown: want %v", s, !absent)
		}
	}
}

func TestColumnsOfEveryTableAreShown(t *testing.T) {
	d := draw(t)
	d.shows(t, "Drop a folder, a zip or files here", `!id="import"`)
	one := message.Table{Files: []message.File{{Name: "a.csv"}},
		Columns: []message.Column{{Name: "ref"}, {Name: "blurb"}},
		Used:    []message.Used{{Column: "blurb", For: "text"}}, Rows: []message.PreviewRow{{Line: 2, Title: "Port"}}}
	two := one
	two.Files, two.Problem = []message.File{{Name: "b.csv"}}, "Two columns are the id."
	d.looked(t, "a.csv", message.Previewed{Tables: []message.Table{one, two}, Documents: 3, Exact: true})
	d.shows(t, "Columns of a.csv", "Columns of b.csv", `id="column-0-1"`, `id="column-1-1"`, "Two columns are the id.",
		"<h3>Port</h3>", "row 1 of the first 1", "Index 3 documents", "!Drop a folder")
	d.Import.Discard()
	d.shows(t, "Drop a folder, a zip or files here", `!id="import"`)
}

func TestHowDocumentsAreSplitIsShown(t *testing.T) {
	d := draw(t)
	sample := message.Sample{ID: "n/a.md", Of: 2, All: 2, Chunks: 1, Median: 40, Longest: 90,
		Pieces: []message.Piece{{Text: "Port workers downed tools.", Words: 4}}}
	d.looked(t, "a.md", message.Previewed{Documents: 2, Pages: 2, Exact: true, Sample: sample,
		Fields: []message.Field{{Name: "title", Example: "Port", Found: 2}}})
	d.shows(t, `id="page-fields"`, "Median length 40 words, longest 90 words.", "Port workers downed tools.",
		`!id="split-n"`, "Index 2 documents")
	d.Import.SplitBy("sentences")
	sample.All, sample.Chunks = 7, 4
	d.App.Receive(message.Reply{ID: d.Last(t, message.Preview).ID, Kind: message.Preview,
		Answer: &message.Previewed{Documents: 2, Exact: true, Sample: sample}})
	d.shows(t, `id="split-n"`, "Sentences a chunk", "7 chunks of 2 documents.", "4 chunks of this document",
		"Chunk 1, 4 words", "3 more chunks.", "Index 7 chunks")
}

func TestBackendsAreOfferedForQueriesAlone(t *testing.T) {
	d := draw(t)
	d.looked(t, "queries.jsonl", message.Previewed{Queries: 44, Judgments: 300})
	d.shows(t, "These files hold 44 queries and 300 judgments, but no documents.", "Asking the edge", `!id="index"`,
		"Add the documents")
	d.App.Receive(message.Reply{ID: d.Last(t, message.Behind).ID, Kind: message.Behind, Answer: &message.Offered{
		Backends: []remote.Backend{{ID: "wire", Kind: "elasticsearch", Does: []string{"search"}}}}})
	d.shows(t, "Documents are in wire", "Nothing is sent yet.", "!Asking the edge", `!id="no-engine"`)
}
