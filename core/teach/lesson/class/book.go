package class

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Paper is a file or line that a student handed in.
type Paper struct{ Name, Text string }

// Status is the outcome of reading a paper.
type Status string

// The outcomes.
const (
	Good    Status = "counted"
	Changed Status = "changed by hand"
	Damaged Status = "damaged"
	Foreign Status = "of another class"
	None    Status = "no result"
)

// Row is a paper after reading.
type Row struct {
	File   string
	Status Status
	Why    string // why the paper does not count, or a remark
	Result *Result
	End    []bool   // by item: right in the end
	First  []bool   // by item: right at the first try
	Made   []string // the mistake of the first wrong try, "" if it has no name
	Late   bool
}

// Points returns the number of items that were right in the end.
func (r *Row) Points() int { return count(r.End) }

// Summary aggregates the counted answers to one exercise.
type Summary struct {
	Item                  Item
	Answered, First, Last int // who tried it, who was right at once, who was right in the end
	Mistakes              []MistakeCount
}

// MistakeCount is a mistake with the number of students who made it.
type MistakeCount struct {
	Name  string
	Times int
}

// Book is the collected work of a class.
type Book struct {
	Class   *Class
	Rows    []Row
	Items   []Summary
	Spread  []int // number of students with 0, 1, 2, … points
	Counted int
}

// Papers splits pasted text into papers: each line with a code is one.
func Papers(name, text string) []Paper {
	if normalisedLines(text)[0] == fileTitle {
		return []Paper{{name, text}}
	}
	var out []Paper
	for _, line := range strings.Split(text, "\n") {
		if at := codeAt(line); at >= 0 {
			label := Clean(strings.TrimRight(line[:at], " \t:;,|\""))
			if label == "" {
				label = name + ", line " + strconv.Itoa(len(out)+1)
			}
			code, _, _ := strings.Cut(line[at:], "\"")
			out = append(out, Paper{label, code})
		}
	}
	if len(out) == 0 {
		out = []Paper{{name, text}}
	}
	return out
}

// codeAt returns where a code begins in a line, in any case, or −1.
func codeAt(line string) int {
	for i := range len(line) - len(codePrefix) + 1 {
		if strings.EqualFold(line[i:i+len(codePrefix)], codePrefix) {
			return i
		}
	}
	return -1
}

// Of returns the class for which most of the papers were written, or nil.
func Of(papers []Paper) *Class {
	times := map[string]int{}
	var best *Class
	for _, p := range papers {
		if c := ClassOf(p.Text); c != nil {
			link := c.Link()
			if times[link]++; best == nil || times[link] > times[best.Link()] {
				best = c
			}
		}
	}
	return best
}

// Collect reads papers and checks every answer again; it trusts no verdict in a file. Rows are sorted by name;
// papers that do not count come last. Of two papers with one name the later counts.
func (c *Class) Collect(papers []Paper) *Book {
	b := &Book{Class: c, Spread: make([]int, len(c.Items)+1)}
	for _, p := range papers {
		b.Rows = append(b.Rows, c.read(p))
	}
	before := func(x, y Row) int {
		if a := cmp.Compare(statusOrder(x.Status), statusOrder(y.Status)); a != 0 {
			return a
		}
		if x.Result == nil || y.Result == nil {
			return cmp.Compare(x.File, y.File)
		}
		if a := cmp.Compare(x.Result.Student, y.Result.Student); a != 0 {
			return a
		}
		return cmp.Compare(y.Result.Finished, x.Result.Finished)
	}
	sort.SliceStable(b.Rows, func(i, j int) bool { return before(b.Rows[i], b.Rows[j]) < 0 })
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.Status == Good && i > 0 && b.Rows[i-1].Result.Student == r.Result.Student { // good papers come first
			r.Status, r.Why = None, "handed in twice: the later one counts"
		}
	}
	sort.SliceStable(b.Rows, func(i, j int) bool {
		return statusOrder(b.Rows[i].Status) < statusOrder(b.Rows[j].Status)
	})
	b.markCopied()
	b.add()
	return b
}

func statusOrder(s Status) int {
	return slices.Index([]Status{Good, Changed, Damaged, Foreign, None}, s)
}

func (c *Class) read(p Paper) Row {
	row := Row{File: p.Name, Status: Good}
	var err error
	if codeAt(strings.TrimSpace(p.Text)) == 0 {
		row.Result, err = c.ReadCode(p.Text)
	} else {
		row.Result, err = c.ReadFile(p.Text)
	}
	var changed *ChangedError
	switch {
	case errors.As(err, &changed):
		row.Status = Changed
	case errors.Is(err, ErrForeign):
		row.Status = Foreign
		if x := ClassOf(p.Text); x != nil {
			row.Why = x.Title + " (" + x.ID() + ")"
		}
	case errors.Is(err, ErrDamaged):
		row.Status = Damaged
	case err != nil:
		row.Status = None
	}
	if err != nil && row.Why == "" {
		row.Why = say.Told(err)
	}
	if row.Result == nil {
		return row
	}
	row.End, row.First = c.Right(row.Result)
	row.Late = c.Until > 0 && row.Result.Finished > c.Until
	for i := range c.Items {
		made := ""
		if !row.First[i] && len(row.Result.Answers[i]) > 0 {
			e := c.Exercise(row.Result.Student, i)
			made = e.Kind(e.CheckEntry(row.Result.Answers[i][0]))
		}
		row.Made = append(row.Made, made)
	}
	return row
}

// markCopied names whose exercises match the answers of a paper that do not fit its own.
func (b *Book) markCopied() {
	for i := range b.Rows {
		r := &b.Rows[i]
		if r.Status != Good || 2*r.Points() >= len(b.Class.Items) {
			continue
		}
		for j := range b.Rows {
			o := &b.Rows[j]
			if o.Status != Good || i == j {
				continue
			}
			other := Result{Student: o.Result.Student, Answers: r.Result.Answers}
			end, _ := b.Class.Right(&other)
			if n := count(end); n > r.Points() && n >= 3 && 4*n >= 3*len(b.Class.Items) {
				r.Why = strconv.Itoa(n) + " of its answers fit the exercises of " + o.Result.Student
			}
		}
	}
}

// add aggregates the papers that count.
func (b *Book) add() {
	c := b.Class
	for i, item := range c.Items {
		s := Summary{Item: item}
		times := map[string]int{}
		for _, r := range b.Rows {
			if r.Status != Good || len(r.Result.Answers[i]) == 0 {
				continue
			}
			s.Answered++
			if r.First[i] {
				s.First++
			}
			if r.End[i] {
				s.Last++
			}
			e := c.Exercise(r.Result.Student, i)
			seen := map[string]bool{}
			for _, a := range r.Result.Answers[i] {
				if v := e.CheckEntry(a); !v.Right {
					name := e.Kind(v)
					if name == "" {
						name = "another wrong answer"
					}
					if !seen[name] {
						times[name]++
					}
					seen[name] = true
				}
			}
		}
		for name, n := range times {
			s.Mistakes = append(s.Mistakes, MistakeCount{name, n})
		}
		before := func(x, y MistakeCount) int {
			if a := cmp.Compare(y.Times, x.Times); a != 0 {
				return a
			}
			return cmp.Compare(x.Name, y.Name)
		}
		sort.Slice(s.Mistakes, func(i, j int) bool { return before(s.Mistakes[i], s.Mistakes[j]) < 0 })
		b.Items = append(b.Items, s)
	}
	for _, r := range b.Rows {
		if r.Status == Good {
			b.Spread[r.Points()]++
			b.Counted++
		}
	}
}

// Table returns the book as rows for a grade book: a header, then every paper.
func (b *Book) Table() [][]string {
	head := []string{"student", "file", "status", "points", "of", "first try", "finished (UTC, the student's clock)",
		"late", "note"}
	for i, item := range b.Class.Items {
		n := strconv.Itoa(i + 1)
		head = append(head, n+" "+item.String(), n+" tries", n+" first mistake")
	}
	out := [][]string{head}
	for _, r := range b.Rows {
		row := []string{"", r.File, string(r.Status), "", strconv.Itoa(len(b.Class.Items)), "", "", "", r.Why}
		if x := r.Result; x != nil {
			row[0] = x.Student
			row[6] = x.Finished.String()
			if r.Late {
				row[7] = "late"
			}
			if r.Status == Good {
				row[3], row[5] = strconv.Itoa(r.Points()), strconv.Itoa(count(r.First))
			}
		}
		for i := range b.Class.Items {
			cells := []string{"", "", ""}
			if r.Status == Good {
				cells[0], cells[1], cells[2] = "0", strconv.Itoa(len(r.Result.Answers[i])), r.Made[i]
				if r.End[i] {
					cells[0] = "1"
				}
			}
			row = append(row, cells...)
		}
		out = append(out, row)
	}
	return out
}
