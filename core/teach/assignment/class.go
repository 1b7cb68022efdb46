package assignment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/project/workspace"
)

// Class is what a teacher hands out: a pool, and who judges it. The teacher's workspace keeps it.
type Class struct {
	Title      string
	Students   []string // ids, none twice
	Each       int      // how many students judge each document
	Seed       uint64   // of the order of documents within a query
	Scale      []string // names of the grades from 0 on
	Guidelines string
	Pool       []workspace.Pooled
}

// Text writes the class as lines of a name, a tab and a value.
func (c *Class) Text() string {
	var b strings.Builder
	line := func(fields ...string) { b.WriteString(strings.Join(fields, "\t") + "\n") }
	line("class", c.Title)
	line("each", strconv.Itoa(c.Each))
	line("seed", strconv.FormatUint(c.Seed, 10))
	line(append([]string{"scale"}, c.Scale...)...)
	line("guidelines", strconv.Quote(c.Guidelines))
	for _, s := range c.Students {
		line("student", s)
	}
	for _, p := range c.Pool {
		line("document", p.Query, p.Document)
	}
	return b.String()
}

// ReadClass reads what Text wrote. The error names the line.
func ReadClass(text string) (*Class, error) {
	c := &Class{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var err error
		switch name, values := fields[0], fields[1:]; {
		case name == "scale":
			c.Scale = values
		case name == "document" && len(values) == 2:
			c.Pool = append(c.Pool, workspace.Pooled{Query: values[0], Document: values[1]})
		case len(values) != 1:
			err = fault("want a name, a tab and a value")
		case name == "class":
			c.Title = values[0]
		case name == "each":
			c.Each, err = strconv.Atoi(values[0])
		case name == "seed":
			c.Seed, err = strconv.ParseUint(values[0], 10, 64)
		case name == "guidelines":
			c.Guidelines, err = strconv.Unquote(values[0])
		case name == "student":
			c.Students = append(c.Students, values[0])
		default:
			err = fault("%q is no part of a class", name)
		}
		if err != nil {
			return nil, fault("line %d: %w", n, err)
		}
	}
	return c, c.Check()
}

// Check says what is wrong with the class.
func (c *Class) Check() error {
	if err := checkName("title of the class", c.Title, MaxName); err != nil {
		return err
	}
	if n := len(c.Students); n < 1 || n > MaxStudents {
		return fault("a class has 1 to %d students, and this one has %d", MaxStudents, n)
	}
	for i, s := range c.Students {
		if err := checkName("id of a student", s, MaxName); err != nil {
			return err
		}
		if slices.Contains(c.Students[:i], s) {
			return fault("the student %s is listed twice", s)
		}
	}
	for _, p := range c.Pool {
		if err := checkName("id of a query", p.Query, workspace.MaxID); err != nil {
			return err
		}
		if err := checkName("id of a document", p.Document, workspace.MaxID); err != nil {
			return err
		}
	}
	if err := checkText("guidelines", c.Guidelines, MaxGuidelines); err != nil {
		return err
	}
	return checkScale(c.Scale)
}

// Assignments are the shares, one for each student in their order. of says what all have in common: Collection, Hash,
// Name, and as Queries those that the collection lacks.
func (c *Class) Assignments(of Assignment) ([]Assignment, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	shares, err := workspace.Split(c.Pool, len(c.Students), c.Each, c.Seed)
	if err != nil {
		return nil, err
	}
	out := make([]Assignment, len(shares))
	for i, share := range shares {
		a := of
		a.Class, a.Student, a.Each, a.Scale, a.Guidelines = c.Title, c.Students[i], c.Each, c.Scale, c.Guidelines
		a.Documents, a.Queries = share, nil
		for _, q := range of.Queries {
			if slices.ContainsFunc(share, func(p workspace.Pooled) bool { return p.Query == q.ID }) {
				a.Queries = append(a.Queries, q)
			}
		}
		if err := a.check(); err != nil {
			return nil, fault("the share of %s: %w", a.Student, err)
		}
		out[i] = a
	}
	return out, nil
}
