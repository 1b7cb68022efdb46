package ui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// CompareFiles is where files are dropped, and what was read of them.
type CompareFiles struct {
	App *state.App
}

// Live says whether the page can take files.
func (c *CompareFiles) Live() bool { return c.App.Phase != state.Loading }

// CanExample says whether the collection of the example is open.
func (c *CompareFiles) CanExample() bool { return c.App.Phase == state.Ready && !c.App.Comparing() }

// Title heads the section.
func (c *CompareFiles) Title() string {
	if c.App.Compare.Empty() {
		return "Your files"
	}
	return "What was read"
}

// Choose labels the button.
func (c *CompareFiles) Choose() string {
	if c.App.Compare.Empty() {
		return "Choose files"
	}
	return "Add files"
}

// DropClass is larger while nothing was given.
func (c *CompareFiles) DropClass() string {
	if c.App.Compare.Empty() {
		return "drop empty"
	}
	return "drop"
}

// Note says what is taken, and that nothing leaves the page.
func (c *CompareFiles) Note() string {
	if !c.App.Compare.Empty() {
		return "Drop more anywhere on the page. Nothing of it leaves this page."
	}
	limit := c.App.Compare.Limit
	if limit == 0 {
		limit = state.DefaultLimit
	}
	return "Drop files anywhere on the page. TREC, BEIR, JSON and CSV, plain or gzipped, zip, comparisons saved here, and a map of chunks to documents (columns chunk and doc); up to " + strconv.Itoa(state.MaxFiles) + " files of up to " + say.Bytes(int64(limit)) +
		" each, " + say.Bytes(int64(c.App.Compare.Together())) + " together, on this device. They are read and measured in this page: nothing of them leaves it."
}

// Pasted takes the text of the field.
func (c *CompareFiles) Pasted(event vugu.DOMEvent) {
	c.App.TypePasted(event.PropString("target", "value"))
}

// Read reads what was pasted.
func (c *CompareFiles) Read() { c.App.Paste(c.App.Compare.Pasted) }

// Progress says what is being done.
func (c *CompareFiles) Progress() string {
	p := c.App.Compare.Progress
	if p == nil {
		return "Waiting for the search engine …"
	}
	s := shown(p.What)
	if p.Total > 0 && (strings.HasPrefix(p.What, "Reading") || strings.HasPrefix(p.What, "Loading")) {
		return s + ": " + say.Bytes(int64(p.Done)) + " of " + say.Bytes(int64(p.Total))
	}
	if p.Total > 0 {
		return s + ": " + thousands(p.Done) + " of " + thousands(p.Total) + " rankings"
	}
	return s + " …"
}

// Part is how much is done, in thousandths.
func (c *CompareFiles) Part() string {
	p := c.App.Compare.Progress
	if p == nil || p.Total <= 0 {
		return ""
	}
	return strconv.Itoa(1000 * p.Done / p.Total)
}

// Files are the files as they were read, those not read yet among them.
func (c *CompareFiles) Files() []message.FileRead {
	var out []message.FileRead
	for _, f := range c.App.Compare.Setting.Files {
		read := message.FileRead{ID: f.ID, Name: f.Name, What: "…"}
		if d := c.App.Compare.Done; d != nil {
			if i := slices.IndexFunc(d.Files, func(x message.FileRead) bool { return x.ID == f.ID }); i >= 0 {
				read = d.Files[i]
			}
		}
		out = append(out, read)
	}
	return out
}

// Key names a row.
func (c *CompareFiles) Key(f message.FileRead) string { return strconv.Itoa(f.ID) }

// What says what a file holds.
func (c *CompareFiles) What(f message.FileRead) string {
	if f.What == "" {
		return "–"
	}
	return f.What
}

// Problem says why a file is not compared.
func (c *CompareFiles) Problem(f message.FileRead) string {
	s := "Not compared: "
	if f.Line > 0 {
		s += "line " + strconv.Itoa(f.Line) + ": "
	}
	return s + shown(f.Problem) + "."
}

// NotesLabel counts the warnings.
func (c *CompareFiles) NotesLabel(f message.FileRead) string {
	return plural(len(f.Notes), "warning", "warnings")
}

// Place is file and line.
func (c *CompareFiles) Place(f message.FileRead, n message.Note) string {
	return brief(f.Name) + ":" + strconv.Itoa(n.Line)
}

// Words are the warning itself.
func (c *CompareFiles) Words(n message.Note) string {
	s := shown(n.Message)
	if n.Count > 1 {
		s += " (" + thousands(n.Count) + " times)"
	}
	if n.Places != "" {
		s += "; " + n.Places
	}
	return s
}

// Fix saves a repaired file.
func (c *CompareFiles) Fix(f message.FileRead) { c.App.ExportRuns("fix " + strconv.Itoa(f.ID)) }

// Source says where what is no file is from.
func (c *CompareFiles) Source() string {
	s, r := c.App.Compare.Setting, c.App.Compare.Report()
	if r == nil {
		return ""
	}
	n := 0
	for _, o := range c.App.Compare.Done.Origins {
		if o.File == 0 {
			n++
		}
	}
	what := plural(n, "run", "runs") + " and the judgments of " + plural(len(r.Queries), "query", "queries")
	switch {
	case s.Link != "":
		return "The address holds " + what + ". The link was unpacked in this page; a link keeps the order of the documents, not their scores."
	case s.Example:
		return "The example: " + what + ", three systems on the demo collection. Rename them, change the measures or the conventions; or start over with files of your own."
	}
	return ""
}

// Opened says whether the files are shown from the start: where one of them is not compared, or nothing can be yet.
func (c *CompareFiles) Opened() interface{} {
	if d := c.App.Compare.Done; d == nil || d.Report == nil || slices.ContainsFunc(d.Files, func(f message.FileRead) bool { return f.Problem != "" }) {
		return ""
	}
	return nil
}

// Caption sums up.
func (c *CompareFiles) Caption() string {
	d := c.App.Compare.Done
	if d == nil {
		return "Nothing leaves this page."
	}
	lines, notes, bad := 0, 0, 0
	for _, f := range d.Files {
		lines += f.Lines
		notes += len(f.Notes)
		if f.Problem != "" {
			bad++
		}
	}
	s := plural(len(d.Files), "file", "files") + ", " + plural(lines, "line", "lines")
	if d.Saved > 0 && d.Report != nil {
		s += ", read and measured in " + fixed(math.Max(d.Saved/1000, 0.01), 2) + " s"
	}
	if bad > 0 {
		s += ", " + plural(bad, "not compared", "not compared")
	}
	return s + ", " + plural(notes, "warning", "warnings") + ". Nothing left this page."
}

// ShowChunks says whether ids may be chunks: they look like it, or a rule is set.
func (c *CompareFiles) ShowChunks() bool {
	d := c.App.Compare.Done
	return d != nil && d.Report != nil && (d.Separator != "" || c.App.Compare.Setting.Separator != "")
}

// Rule is the rule that is set, as the value of its option.
func (c *CompareFiles) Rule() string {
	s := c.App.Compare.Setting
	if s.Separator == "" {
		return ""
	}
	if s.First {
		return "first " + s.Separator
	}
	return "last " + s.Separator
}

// RuleOptions are the rules that can be chosen.
func (c *CompareFiles) RuleOptions() [][2]string {
	separators := []string{"#", "_", "-", ":", "/", "."}
	for _, s := range []string{c.App.Compare.Done.Separator, c.App.Compare.Setting.Separator} {
		if s != "" && !slices.Contains(separators, s) {
			separators = append(separators, s)
		}
	}
	var out [][2]string
	for _, s := range separators {
		out = append(out, [2]string{"last " + s, "end at the last " + s}, [2]string{"first " + s, "end at the first " + s})
	}
	return out
}

// SetRule chooses one.
func (c *CompareFiles) SetRule(event vugu.DOMEvent) {
	which, sep, ok := strings.Cut(event.PropString("target", "value"), " ")
	if !ok {
		c.App.Collapse("", false)
		return
	}
	c.App.Collapse(sep, which == "first")
}

// CanCollapse says whether there are runs whose ids can be cut.
func (c *CompareFiles) CanCollapse() bool {
	d := c.App.Compare.Done
	return d != nil && d.Report != nil
}

// SeparatorLabel is above the separator that can be typed.
func (c *CompareFiles) SeparatorLabel() string {
	if c.ShowChunks() {
		return "Ids of chunks have another separator"
	}
	return "The runs rank chunks of documents"
}

// SetSeparator takes a separator that was typed; none takes ids as they are.
func (c *CompareFiles) SetSeparator(event vugu.DOMEvent) {
	c.App.Collapse(strings.TrimSpace(event.PropString("target", "value")), false)
}

// ChunkNote says what the rule does.
func (c *CompareFiles) ChunkNote() string {
	if c.App.Compare.Setting.Separator != "" {
		return "Every document stands where its best chunk stood; further chunks of it are left out."
	}
	return "Ids of the runs look like chunks: cut at “" + shown(c.App.Compare.Done.Separator) + "” more of them are judged documents."
}
