package upload

import (
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Import turns files into a draft, and a draft into a collection.
type Import struct {
	Draft  *Draft // files that are not indexed yet, nil for none
	Pasted string // a text that is typed or pasted, until it is added

	app    *state.App
	making *Making
	shelf  *Shelf
}

// look asks how the files would be read.
func (im *Import) look() {
	d := im.Draft
	im.app.Engine.Request(message.Preview, &message.AskPreview{Files: d.Files, Mappings: d.mappings(false),
		Limit: im.app.Engine.Limit, Chunking: d.Chunking(), Document: d.Document, From: d.From, Pages: d.Pages})
	im.app.View.Draw()
}

// looked takes the answer. Files without anything to choose, such as those of a test collection, are indexed at once:
// to ask for a click without a choice would help nobody.
func (im *Import) looked(p *message.Previewed) {
	d := im.Draft
	if d == nil || im.making.Busy() {
		return
	}
	if p == nil { // the problem is shown; what was seen before stays
		if d.Seen == nil {
			im.Draft = nil
		}
		return
	}
	if len(p.Tables) == 0 && p.Queries > 0 {
		im.locate(p)
		return
	}
	if len(p.Tables) == 0 && p.Sample.Of == 0 && d.From == "" {
		im.Draft = nil
		im.making.begin(&message.AskUpload{Files: slices.Clone(d.Files)})
		return
	}
	first := d.Seen == nil
	d.Seen = p
	d.Row = max(0, min(d.Row, im.Draft.Rows()-1))
	again := false
	for i := range p.Tables {
		t := &p.Tables[i]
		if d.Chosen(t) {
			continue
		}
		text := im.app.Browser.Recall(rememberedAs(t))
		if m, err := documents.ReadMapping("the mapping", []byte(text)); text != "" && err == nil && hasAll(t, m) {
			d.chosen[columnsOf(t)], again = *m, true
		}
	}
	if again {
		im.look()
	} else if first && im.app.Settings.Screen == ID {
		im.app.View.FocusOn("import")
	}
}

// Turn shows the row that stands by places after the one that is shown.
func (im *Import) Turn(by int) {
	if n := im.Draft.Rows(); n > 0 {
		im.Draft.Row = max(0, min(n-1, im.Draft.Row+by))
		im.app.View.Draw()
	}
}

// Choose uses a column of a table for something else, has that tried, and remembers it for files with these columns.
func (im *Import) Choose(table, column int, use documents.Use) {
	d := im.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) || column >= len(d.Seen.Tables[table].Columns) ||
		!slices.Contains(documents.Uses, use) {
		return
	}
	t := &d.Seen.Tables[table]
	m := d.mapping(t)
	m = m.With(t.Columns[column].Name, use)
	m.Text = inOrder(m.Text, t)
	d.chosen[columnsOf(t)] = m
	im.app.Browser.Remember(rememberedAs(t), string(m.JSON()))
	im.look()
}

// AsRecognised forgets what was chosen for a table.
func (im *Import) AsRecognised(table int) {
	d := im.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) {
		return
	}
	t := &d.Seen.Tables[table]
	delete(d.chosen, columnsOf(t))
	im.app.Browser.Remember(rememberedAs(t), "")
	im.look()
}

// SaveMapping saves how the columns of a table are used, as a file for the page and for rankbox index -map.
func (im *Import) SaveMapping(table int) {
	d := im.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) {
		return
	}
	t := &d.Seen.Tables[table]
	m := d.mapping(t)
	base := path.Base(t.Files[0].Name)
	name := strings.TrimSuffix(base, path.Ext(base)) + ".map.json"
	im.app.Browser.Save(name, "application/json", m.JSON())
	im.app.Notices.Say(name + " was saved. Drop it beside the data, or give it to `rankbox index -map`.")
}

// Index makes a collection of the draft.
func (im *Import) Index() {
	d := im.Draft
	if d == nil || d.Seen == nil || im.making.Busy() || im.Draft.Misfit() != "" {
		return
	}
	ask := &message.AskUpload{Files: slices.Clone(d.Files), Mappings: d.mappings(true), Chunking: d.Chunking(),
		From: d.From, Pages: d.Pages}
	w, ok := workspacesOf(im.app)
	if d.From == "" || !ok {
		im.making.begin(ask)
		return
	}
	w.Zip(d.From, func(zip []byte, problem string) {
		if problem != "" {
			im.app.Notices.Problem = &message.Problem{What: "The documents were not split again: " +
				problem, Where: d.Name,
				Do: "Your queries and grades stay with the collection that you have."}
			im.app.View.Draw()
			return
		}
		ask.Zip = zip
		im.making.begin(ask)
	})
}

// Discard gives the draft up.
func (im *Import) Discard() {
	im.Draft = nil
	im.app.View.Draw()
}
