package search

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/rank"
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

	Heat    bool   // the cells are coloured by their numbers, from 0 to the largest
	Formula string // the score as the sum that it is, with its numbers; "" for a single number
}

// Class says whether the sheet of a narrow screen has its full height.
func (c *Reason) Class() string {
	if c.App.View.Tall {
		return "why tall"
	}
	return "why"
}

// Pulled says the same of its button.
func (c *Reason) Pulled() string { return strconv.FormatBool(c.App.View.Tall) }

// Grades says whether this program takes grades. If not, a button fetches the one that does.
func (c *Reason) Grades() bool { return Bench.Grading != nil }

// Grading takes the grade of the open document.
func (c *Reason) Grading() vugu.Builder { return Bench.Grading(c.App) }

// Heading names the score.
func (c *Reason) Heading() string {
	w := c.App.Search.Why
	l := c.App.Settings.Letter(c.App.Settings.Focus.System)
	if w == nil {
		return "Why this score"
	}
	if w.Rank == 0 && w.Problem != "" {
		return "Not ranked in " + l
	}
	if w.Rank == 0 {
		return "Why is it not among the first in " + l + "?"
	}
	if w.Rank == 1 {
		return "Why is it first in " + l + "?"
	}
	return "Why is it at rank " + strconv.Itoa(w.Rank) + " in " + l + "?"
}

// Tables are the levels of the explanation, from the system down to the terms.
func (c *Reason) Tables() []Table {
	if c.App.Search.Why.Problem != "" {
		return nil
	}
	return tables(c.App.Search.Why.Part, nil)
}

func tables(p rank.Part, out []Table) []Table {
	if len(p.Parts) == 0 {
		t := Table{Title: p.Name, Head: []string{"number", "value"}, Foot: []string{"score", number(p.Score)},
			Note: p.Note}
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
	t := Table{Title: p.Name, Head: append(append([]string{"part"}, names...), "score"),
		Foot: make([]string, len(names)+2)}
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
	t.Formula = sum(p)
	out = append(out, t)
	if p.Grid != nil && heat != nil {
		out = append(out, heat(p.Grid))
	}
	for _, q := range p.Parts {
		for _, r := range q.Parts {
			out = tables(r, out)
		}
	}
	return out
}

// heat makes the table of what was compared with what; nil in the first program, where nothing is compared by tokens.
var heat func(g *rank.Grid) Table

// Cell is what a cell shows, and Shade the class that colours it.
func (t *Table) Cell(v string) string {
	if t.Heat {
		return v[1:]
	}
	return v
}

// Shade is the class that colours a cell.
func (t *Table) Shade(v string) string {
	if t.Heat {
		return "h" + v[:1]
	}
	return ""
}

// sum writes a score as the sum of its parts. Parts that add nothing are left out; of BM25 and of a fusion by ranks
// the formula of each stands first, with its numbers in it.
func sum(p rank.Part) string {
	value := func(p rank.Part, name string) (float64, bool) {
		for _, v := range p.Values {
			if v.Name == name {
				return v.Value, true
			}
		}
		return 0, false
	}
	k, written := value(p, "k")
	k1, lucene := value(p, "k1")
	norm, _ := value(p, "length norm")
	written = written || lucene
	var terms, parts []string
	for _, q := range p.Parts {
		if q.Score == 0 {
			continue
		}
		r, _ := value(q, "rank")
		term, v := "1/("+number(k)+" + "+number(r)+")", 1/(k+r)
		if lucene {
			tf, _ := value(q, "tf")
			idf, _ := value(q, "idf")
			term, v = number(idf)+" · "+number(tf)+"/("+number(tf)+" + "+say.Page.Short(k1)+" · "+number(norm)+")",
				idf*tf/(tf+k1*norm)
		}
		written = written && math.Abs(v-q.Score) < 1e-5*q.Score
		terms = append(terms, term)
		parts = append(parts, number(q.Score))
	}
	if len(parts) == 0 {
		return ""
	}
	steps := []string{strings.Join(parts, " + ")}
	if written {
		steps = slices.Insert(steps, 0, strings.Join(terms, " + "))
	}
	if score := number(p.Score); steps[len(steps)-1] != score { // the sum of one part is that part
		steps = append(steps, score)
	}
	if len(steps) == 1 {
		return ""
	}
	return "score = " + strings.Join(steps, " = ")
}

// Places is the document's rank in the list of each system, 0 where it is not among the first hundred; nil where that
// is not known.
func (c *Reason) Places() []int {
	r := c.App.Search.Results
	if r == nil {
		return nil
	}
	for _, l := range r.Lists {
		for _, h := range l.Hits {
			if h.ID == c.App.Settings.Focus.Document {
				return h.Ranks
			}
			for _, t := range h.Twins {
				if t.ID == c.App.Settings.Focus.Document {
					return t.Ranks
				}
			}
		}
	}
	return nil
}

// Here says whether the explanation is of that system's list, and At turns to it.
func (c *Reason) Here(i int) string { return strconv.FormatBool(i == c.App.Settings.Focus.System) }

// At turns to the explanation of the same document in another list.
func (c *Reason) At(i int) {
	if i != c.App.Settings.Focus.System {
		c.App.Search.Select(i, c.App.Settings.Focus.Document)
	}
}

// place writes a rank.
func place(r int) string {
	if r == 0 {
		return "–"
	}
	return "rank " + strconv.Itoa(r)
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
	d := c.App.Search.Why.Document
	return say.Visible(d.ID) + " · " + ui.Meta(d.Date, d.Category)
}

// About lists whom the document is about.
func (c *Reason) About() string {
	if e := c.App.Search.Why.Document.Entities; len(e) > 0 {
		return "About: " + strings.Join(e, ", ")
	}
	return ""
}
