package upload

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents"
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

// Rows is how many of the first rows can be shown.
func (d *Draft) Rows() (n int) {
	if d == nil || d.Seen == nil {
		return 0
	}
	for _, t := range d.Seen.Tables {
		n = max(n, len(t.Rows))
	}
	return n
}

// Misfit is why the files cannot be indexed as they are mapped, "" if they can.
func (d *Draft) Misfit() string {
	for _, t := range d.Seen.Tables {
		if t.Problem != "" {
			return t.Problem
		}
	}
	if p := d.Seen; p.Sample.Problem != "" {
		return p.Sample.Problem
	} else if p.Exact && p.Documents == 0 {
		return "These files hold no documents: use a column as the text or the title."
	}
	return ""
}

// Distant reports whether the files hold queries but no documents.
func (d *Draft) Distant() bool {
	return d != nil && d.Seen != nil && len(d.Seen.Tables) == 0 && d.Seen.Queries > 0
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
