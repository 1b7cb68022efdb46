package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Files is what was read: every file with its faults, and how ids of chunks are read.
type Files struct {
	Compare *screen.Compare
}

// Title heads the section.
func (c *Files) Title() string {
	if len(c.Compare.Runs.Setting.Files) == 0 {
		return "Source"
	}
	return "Files"
}

// Files are the files as they were read, those not read yet among them.
func (c *Files) Files() []message.FileRead {
	var out []message.FileRead
	for _, f := range c.Compare.Runs.Setting.Files {
		read := message.FileRead{ID: f.ID, Name: f.Name, What: "…"}
		if d := c.Compare.Runs.Done; d != nil {
			if i := slices.IndexFunc(d.Files, func(x message.FileRead) bool { return x.ID == f.ID }); i >= 0 {
				read = d.Files[i]
			}
		}
		out = append(out, read)
	}
	return out
}

// Key names a row.
func (c *Files) Key(f message.FileRead) string { return strconv.Itoa(f.ID) }

// What says what a file holds.
func (c *Files) What(f message.FileRead) string {
	if f.What == "" {
		return "–"
	}
	return f.What
}

// Problem says why a file is not compared.
func (c *Files) Problem(f message.FileRead) string {
	s := "Not compared: "
	if f.Line > 0 {
		s += "line " + strconv.Itoa(f.Line) + ": "
	}
	return s + say.Visible(f.Problem) + "."
}

// NotesLabel counts the warnings.
func (c *Files) NotesLabel(f message.FileRead) string {
	return say.Count(len(f.Notes), "warning", "warnings")
}

// Place is the file and line that a warning is about, with a colon.
func (c *Files) Place(f message.FileRead, n message.Note) string {
	return ui.Brief(f.Name) + ":" + strconv.Itoa(n.Line) + ":"
}

// Words are the warning itself.
func (c *Files) Words(n message.Note) string {
	s := say.Visible(n.Message)
	if n.Count > 1 {
		s += " (" + say.Thousands(n.Count) + " times)"
	}
	if n.Places != "" {
		s += "; " + n.Places
	}
	return s
}

// Fix saves a repaired file.
func (c *Files) Fix(f message.FileRead) { c.Compare.Exports.Repair(f.ID) }

// Source says where what is no file is from.
func (c *Files) Source() string {
	s, r := c.Compare.Runs.Setting, c.Compare.Runs.Report()
	if r == nil {
		return ""
	}
	n := 0
	for _, o := range c.Compare.Runs.Done.Origins {
		if o.File == 0 {
			n++
		}
	}
	what := say.Count(n, "run", "runs") + " and the judgments of " + say.Count(len(r.Queries), "query", "queries")
	switch {
	case s.Link != "" && !r.HasRankings() && !r.GradesOnly():
		return "The address holds the scores of " + say.Count(n, "system", "systems") + " on " +
			r.Count(len(r.Queries)) + "."
	case s.Link != "":
		return "The address holds " + what + ". A link keeps the order of the documents, not their scores."
	case !s.Matrix.Empty():
		return "Systems on the open collection: " + what + "."
	case s.Example:
		return "Example: " + what + ", three systems on the demo collection. Start over to use your own files."
	}
	return ""
}

// Opened says whether the files are shown from the start: where one of them is not compared, or nothing can be yet.
func (c *Files) Opened() interface{} {
	if d := c.Compare.Runs.Done; d == nil || d.Report == nil ||
		slices.ContainsFunc(d.Files, func(f message.FileRead) bool {
			return f.Problem != ""
		}) {
		return ""
	}
	return nil
}

// Caption sums up.
func (c *Files) Caption() string {
	d := c.Compare.Runs.Done
	if d == nil {
		return "Reading …"
	}
	lines, notes, bad := 0, 0, 0
	for _, f := range d.Files {
		lines += f.Lines
		notes += len(f.Notes)
		if f.Problem != "" {
			bad++
		}
	}
	s := say.Count(len(d.Files), "file", "files") + ", " + say.Count(lines, "line", "lines")
	if d.Saved > 0 && d.Report != nil {
		s += ", read and measured in " + say.Page.Number(math.Max(d.Saved/1000, 0.01), 2) + " s"
	}
	if bad > 0 {
		s += ", " + say.Count(bad, "not compared", "not compared")
	}
	return s + ", " + say.Count(notes, "warning", "warnings")
}

// ShowChunks says whether ids may be chunks: they look like it, or a rule is set.
func (c *Files) ShowChunks() bool {
	d := c.Compare.Runs.Done
	return d != nil && d.Report != nil && (d.Separator != "" || c.Compare.Runs.Setting.Separator != "")
}

// Rule is the rule that is set, as the value of its option.
func (c *Files) Rule() string {
	s := c.Compare.Runs.Setting
	if s.Separator == "" {
		return ""
	}
	if s.First {
		return "first " + s.Separator
	}
	return "last " + s.Separator
}

// RuleOptions are the rules that can be chosen.
func (c *Files) RuleOptions() [][2]string {
	separators := []string{"#", "_", "-", ":", "/", "."}
	for _, s := range []string{c.Compare.Runs.Done.Separator, c.Compare.Runs.Setting.Separator} {
		if s != "" && !slices.Contains(separators, s) {
			separators = append(separators, s)
		}
	}
	var out [][2]string
	for _, s := range separators {
		out = append(out, [2]string{"last " + s, "end at the last " + s},
			[2]string{"first " + s, "end at the first " + s})
	}
	return out
}

// SetRule chooses one.
func (c *Files) SetRule(event vugu.DOMEvent) {
	which, sep, ok := strings.Cut(event.PropString("target", "value"), " ")
	if !ok {
		c.Compare.Runs.Collapse("", false)
		return
	}
	c.Compare.Runs.Collapse(sep, which == "first")
}

// CanCollapse says whether there are runs whose ids can be cut.
func (c *Files) CanCollapse() bool {
	d := c.Compare.Runs.Done
	return d != nil && d.Report != nil && c.Compare.Runs.Setting.Matrix.Empty() && d.Report.HasRankings()
}

// ShowSystems says whether you may have to say where the systems of a table are.
func (c *Files) ShowSystems() bool {
	d := c.Compare.Runs.Done
	return d != nil && (c.Compare.Runs.Setting.Systems != "" ||
		slices.ContainsFunc(d.Files, func(f message.FileRead) bool {
			return f.Problem != "" && strings.Contains(f.Problem, "-systems")
		}))
}

// ShowMissing says whether scores are missing.
func (c *Files) ShowMissing() bool {
	d := c.Compare.Runs.Done
	if d == nil || d.Report == nil {
		return false
	}
	return c.Compare.Runs.Setting.Missing != "" || slices.ContainsFunc(d.Report.Warnings, func(w report.Warning) bool {
		return w.Kind == report.MissingScores
	})
}

// MissingRule is the rule for missing scores.
func (c *Files) MissingRule() string {
	if c.Compare.Runs.Setting.Missing == "" {
		return scores.LeaveItems
	}
	return c.Compare.Runs.Setting.Missing
}

// SetMissing chooses one.
func (c *Files) SetMissing(event vugu.DOMEvent) {
	c.Compare.Runs.SetMissing(event.PropString("target", "value"))
}

// SetSystems says whether systems are rows or columns.
func (c *Files) SetSystems(event vugu.DOMEvent) {
	c.Compare.Runs.SetSystems(event.PropString("target", "value"))
}

// SeparatorLabel is above the separator that can be typed.
func (c *Files) SeparatorLabel() string {
	if c.ShowChunks() {
		return "Chunk ids use another separator"
	}
	return "These runs rank chunks"
}

// SetSeparator takes a separator that was typed; none takes ids as they are.
func (c *Files) SetSeparator(event vugu.DOMEvent) {
	c.Compare.Runs.Collapse(strings.TrimSpace(event.PropString("target", "value")), false)
}

// ChunkNote says what the rule does.
func (c *Files) ChunkNote() string {
	if c.Compare.Runs.Setting.Separator != "" {
		return "Each document takes the rank of its best chunk."
	}
	return "These ids look like chunks: cut at “" + say.Visible(c.Compare.Runs.Done.Separator) +
		"”, more of them are judged documents."
}
