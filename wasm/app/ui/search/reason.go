package search

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Reason explains one score: every stage and term that made it, summing to it, and the document itself.
type Reason struct {
	App *state.App
}

// Table is one level of an explanation.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Foot  []string
	Note  string
}

// Class says whether the sheet of a narrow screen has its full height.
func (c *Reason) Class() string {
	if c.App.Tall {
		return "why tall"
	}
	return "why"
}

// Pulled says the same of its button.
func (c *Reason) Pulled() string { return strconv.FormatBool(c.App.Tall) }

// Heading names the score.
func (c *Reason) Heading() string {
	w := c.App.Why
	l := say.Letter(c.App.Focus.System)
	if w == nil {
		return "Why this score"
	}
	if w.Rank == 0 && w.Problem != "" {
		return "Not ranked in " + l
	}
	if w.Rank == 0 {
		return "Why not among the first in " + l
	}
	return "Why rank " + strconv.Itoa(w.Rank) + " in " + l
}

// Tables are the levels of the explanation, from the system down to the terms.
func (c *Reason) Tables() []Table {
	if c.App.Why.Problem != "" {
		return nil
	}
	return tables(c.App.Why.Part, nil)
}

func tables(p rank.Part, out []Table) []Table {
	if len(p.Parts) == 0 {
		t := Table{Title: p.Name, Head: []string{"number", "value"}, Foot: []string{"score", number(p.Score)}, Note: p.Note}
		for _, v := range p.Values {
			t.Rows = append(t.Rows, []string{v.Name, number(v.Value)})
		}
		return append(out, t)
	}
	// the columns are the names of the numbers of the parts, in the order in which they appear
	var names []string
	for _, q := range p.Parts {
		for _, v := range q.Values {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	t := Table{Title: p.Name, Head: append(append([]string{"part"}, names...), "score"), Foot: make([]string, len(names)+2)}
	for _, q := range p.Parts {
		row := make([]string, len(names)+2)
		row[0] = q.Name
		for i := range names {
			row[i+1] = "–"
		}
		for _, v := range q.Values {
			row[slices.Index(names, v.Name)+1] = number(v.Value)
		}
		row[len(row)-1] = number(q.Score)
		if q.Score == 0 && len(q.Values) == 0 {
			row[len(row)-1] = "–"
		}
		t.Rows = append(t.Rows, row)
	}
	t.Foot[0], t.Foot[len(t.Foot)-1] = "sum", number(p.Score)
	var notes []string
	for _, v := range p.Values {
		notes = append(notes, v.Name+" "+number(v.Value))
	}
	if p.Note != "" {
		notes = append(notes, p.Note)
	}
	t.Note = strings.Join(notes, " · ")
	out = append(out, t)
	for _, q := range p.Parts {
		for _, r := range q.Parts {
			out = tables(r, out)
		}
	}
	return out
}

// number writes a number of an explanation: whole ones as they are, others with four or five significant decimals.
func number(v float64) string {
	if v == float64(int64(v)) && v < 1e9 && v > -1e9 {
		return say.Page.Int(int(v))
	}
	if v < 0.1 && v > -0.1 {
		return say.Page.Number(v, 6)
	}
	return say.Page.Number(v, 4)
}

// Meta is id, date and category.
func (c *Reason) Meta() string {
	d := c.App.Why.Document
	return d.ID + " · " + ui.Meta(d.Date, d.Category)
}

// About lists whom the document is about.
func (c *Reason) About() string {
	if e := c.App.Why.Document.Entities; len(e) > 0 {
		return "About: " + strings.Join(e, ", ")
	}
	return ""
}
