package upload

import (
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/message"
)

// Draft is files that were given and are not indexed yet: their columns can still be used otherwise.
type Draft struct {
	Files  []message.File
	Seen   *message.Previewed           // nil until it was answered
	Row    int                          // which of the first rows is shown
	chosen map[string]documents.Mapping // by the columns of a table
	Pages  message.Pages
	splitting
}

func newDraft() *Draft {
	return &Draft{chosen: map[string]documents.Mapping{}, splitting: splitting{Way: Ways[0]}}
}

// columnsOf is what tells tables apart.
func columnsOf(t *message.Table) string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return strings.Join(names, "\x00")
}

// rememberedAs is what the device remembers the mapping of a table under.
func rememberedAs(t *message.Table) string {
	h := fnv.New64a()
	h.Write([]byte(columnsOf(t)))
	return "columns " + strconv.FormatUint(h.Sum64(), 36)
}

// mapping is how the columns of a table are used: as chosen here, or as the preview has it.
func (d *Draft) mapping(t *message.Table) documents.Mapping {
	if m, ok := d.chosen[columnsOf(t)]; ok {
		return m
	}
	var m documents.Mapping
	for _, u := range t.Used {
		m = m.With(u.Column, documents.Use(u.For))
	}
	return m
}

// Use is what a column of a table is used for.
func (d *Draft) Use(t *message.Table, column string) documents.Use {
	m := d.mapping(t)
	return m.Of(column)
}

// Chosen says whether the columns of a table are used otherwise than they are recognised.
func (d *Draft) Chosen(t *message.Table) bool {
	_, ok := d.chosen[columnsOf(t)]
	return ok || t.From != ""
}

// used is a mapping as a message has it.
func used(m *documents.Mapping, t *message.Table) (out []message.Used) {
	for _, c := range m.Text {
		out = append(out, message.Used{Column: c, For: string(documents.ForText)})
	}
	for _, c := range t.Columns {
		if u := m.Of(c.Name); u != documents.LeaveOut && u != documents.ForText {
			out = append(out, message.Used{Column: c.Name, For: string(u)})
		}
	}
	return out
}

// mappings are those of all files whose columns are used otherwise than recognised; if all is set, of every file that
// has not the format of a test collection.
func (d *Draft) mappings(all bool) (out []message.FileMapping) {
	if d.Seen == nil {
		return nil
	}
	for i := range d.Seen.Tables {
		t := &d.Seen.Tables[i]
		var list []message.Used
		m, ok := d.chosen[columnsOf(t)]
		switch {
		case ok:
			list = used(&m, t)
		case all && t.From != "":
			list = t.Used
		case !all || t.Native:
			continue
		}
		for _, f := range t.Files {
			out = append(out, message.FileMapping{File: f.ID, Used: list})
		}
	}
	return out
}

// look asks how the files would be read.
func (u *Upload) look() {
	d := u.Draft
	u.App.Engine.Request(message.Preview, &message.AskPreview{Files: d.Files, Mappings: d.mappings(false),
		Limit:    u.App.Engine.Limit,
		Chunking: d.Chunking(), Document: d.Document, From: d.From, Pages: d.Pages})
	u.App.View.Draw()
}

// looked takes the answer. Files without anything to choose, such as those of a test collection, are indexed at once:
// to ask for a click without a choice would help nobody.
func (u *Upload) looked(p *message.Previewed) {
	d := u.Draft
	if d == nil || u.Busy() {
		return
	}
	if p == nil { // the problem is shown; what was seen before stays
		if d.Seen == nil {
			u.Draft = nil
		}
		return
	}
	if len(p.Tables) == 0 && p.Queries > 0 {
		u.locate(p)
		return
	}
	if len(p.Tables) == 0 && p.Sample.Of == 0 && d.From == "" {
		u.Draft = nil
		u.make(&message.AskUpload{Files: slices.Clone(d.Files)})
		return
	}
	first := d.Seen == nil
	d.Seen = p
	d.Row = max(0, min(d.Row, u.Rows()-1))
	again := false
	for i := range p.Tables {
		t := &p.Tables[i]
		if d.Chosen(t) {
			continue
		}
		text := u.App.Browser.Recall(rememberedAs(t))
		if m, err := documents.ReadMapping("the mapping", []byte(text)); text != "" && err == nil && hasAll(t, m) {
			d.chosen[columnsOf(t)], again = *m, true
		}
	}
	if again {
		u.look()
	} else if first && u.App.Settings.Screen == u.ID() {
		u.App.View.FocusOn("import")
	}
}

// Rows is how many of the first rows can be shown.
func (u *Upload) Rows() (n int) {
	if u.Draft == nil || u.Draft.Seen == nil {
		return 0
	}
	for _, t := range u.Draft.Seen.Tables {
		n = max(n, len(t.Rows))
	}
	return n
}

// Turn shows the row that stands by places after the one that is shown.
func (u *Upload) Turn(by int) {
	if n := u.Rows(); n > 0 {
		u.Draft.Row = max(0, min(n-1, u.Draft.Row+by))
		u.App.View.Draw()
	}
}

// Choose uses a column of a table for something else, has that tried, and remembers it for files with these columns.
func (u *Upload) Choose(table, column int, use documents.Use) {
	d := u.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) || column >= len(d.Seen.Tables[table].Columns) ||
		!slices.Contains(documents.Uses, use) {
		return
	}
	t := &d.Seen.Tables[table]
	m := d.mapping(t)
	m = m.With(t.Columns[column].Name, use)
	m.Text = inOrder(m.Text, t)
	d.chosen[columnsOf(t)] = m
	u.App.Browser.Remember(rememberedAs(t), string(m.JSON()))
	u.look()
}

// inOrder is columns in the order of the table.
func inOrder(columns []string, t *message.Table) (out []string) {
	for _, c := range t.Columns {
		if slices.Contains(columns, c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// AsRecognised forgets what was chosen for a table.
func (u *Upload) AsRecognised(table int) {
	d := u.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) {
		return
	}
	t := &d.Seen.Tables[table]
	delete(d.chosen, columnsOf(t))
	u.App.Browser.Remember(rememberedAs(t), "")
	u.look()
}

// SaveMapping saves how the columns of a table are used, as a file for the page and for rankbox index -map.
func (u *Upload) SaveMapping(table int) {
	d := u.Draft
	if d == nil || d.Seen == nil || table >= len(d.Seen.Tables) {
		return
	}
	t := &d.Seen.Tables[table]
	m := d.mapping(t)
	base := path.Base(t.Files[0].Name)
	name := strings.TrimSuffix(base, path.Ext(base)) + ".map.json"
	u.App.Browser.Save(name, "application/json", m.JSON())
	u.App.Notices.Say(name + " was saved. Drop it beside the data, or give it to `rankbox index -map`.")
}

// Misfit is why the files cannot be indexed as they are mapped, "" if they can.
func (u *Upload) Misfit() string {
	for _, t := range u.Draft.Seen.Tables {
		if t.Problem != "" {
			return t.Problem
		}
	}
	if p := u.Draft.Seen; p.Sample.Problem != "" {
		return p.Sample.Problem
	} else if p.Exact && p.Documents == 0 {
		return "These files hold no documents: use a column as the text or the title."
	}
	return ""
}

// Index makes a collection of the draft.
func (u *Upload) Index() {
	d := u.Draft
	if d == nil || d.Seen == nil || u.Busy() || u.Misfit() != "" {
		return
	}
	ask := &message.AskUpload{Files: slices.Clone(d.Files), Mappings: d.mappings(true), Chunking: d.Chunking(),
		From: d.From, Pages: d.Pages}
	w, ok := u.App.Screens.Other("judge").(workspaces)
	if d.From == "" || !ok {
		u.make(ask)
		return
	}
	w.Zip(d.From, func(zip []byte, problem string) {
		if problem != "" {
			u.App.Notices.Problem = &message.Problem{What: "The documents were not split again: " +
				problem, Where: d.Name,
				Do: "Your queries and grades stay with the collection that you have."}
			u.App.View.Draw()
			return
		}
		ask.Zip = zip
		u.make(ask)
	})
}

// Discard gives the draft up.
func (u *Upload) Discard() {
	u.Draft = nil
	u.App.View.Draw()
}

// joined is files and those that were added to them; one of the same name takes the other's place.
func joined(files, more []message.File) []message.File {
	files = slices.DeleteFunc(slices.Clone(files), func(f message.File) bool {
		return slices.ContainsFunc(more, func(m message.File) bool { return m.Name == f.Name })
	})
	return append(files, more...)
}

// hasAll says whether a table has every column of a mapping.
func hasAll(t *message.Table, m *documents.Mapping) bool {
	n := 0
	for _, c := range t.Columns {
		if m.Of(c.Name) != documents.LeaveOut {
			n++
		}
	}
	return n == len(m.Text)+singles(m)
}

// singles is how many columns a mapping names beside the texts.
func singles(m *documents.Mapping) (n int) {
	for _, c := range []string{m.ID, m.Title, m.Date, m.Category, m.URL, m.Language, m.Query, m.Grade} {
		if c != "" {
			n++
		}
	}
	return n
}
