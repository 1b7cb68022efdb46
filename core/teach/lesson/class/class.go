// Package class runs a class without a server: lessons and exercises as a link, a student's answers as a file or
// code, and the results of the class as a book. Exercises are drawn from the class's seed and the student's name,
// so that students have different ones and a teacher can check every answer.
//
// Order of the pipeline: teacher → [Class] → [Class.Link] → student → answers → [Result] → [Class.File] or
// [Class.Code] → [Collect] → [Book].
package class

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/teach/lesson"
)

// Limits of a class.
const (
	Tries      = 3 // of each exercise
	MaxItems   = 30
	MaxLessons = 30
	maxText    = 60 // bytes of a title, a seed and a student's name
	maxLink    = 2000
)

// Prefix begins the link of a class.
const Prefix = "lesson=class1&"

// Class is a teacher's assignment.
type Class struct {
	Title   string
	Lessons []string // names of lessons to read first
	Items   []Item
	Seed    string
	Until   Minute // deadline, 0 for none
}

// Item is an exercise of a class.
type Item struct {
	Generator string
	Level     int
}

func (i Item) String() string { return i.Generator + "." + strconv.Itoa(i.Level) }

// Title returns the title of the exercise.
func (i Item) Title() string {
	for _, g := range lesson.Generators {
		if g.Name == i.Generator {
			return g.Title
		}
	}
	return i.Generator
}

// Link returns the class as a URL fragment, without "#".
func (c *Class) Link() string {
	var items []string
	for _, i := range c.Items {
		items = append(items, i.String())
	}
	s := Prefix + "t=" + play.Escape(c.Title) + "&l=" + strings.Join(c.Lessons, "~") + "&e=" +
		strings.Join(items, "~") + "&s=" + play.Escape(c.Seed)
	if c.Until > 0 {
		s += "&u=" + strconv.FormatInt(int64(c.Until), 10)
	}
	return s
}

// ErrLink is the cause of Decode's errors.
var ErrLink = errors.New("this link of a class cannot be read")

// Decode reads a fragment of Link.
func Decode(link string) (*Class, error) {
	bad := func(format string, args ...any) (*Class, error) {
		return nil, say.Faultf("class", "%w: %s", ErrLink, fmt.Sprintf(format, args...))
	}
	rest, ok := strings.CutPrefix(link, Prefix)
	if !ok {
		return bad("it does not begin with %s", Prefix)
	}
	if len(link) > maxLink {
		return bad("it is longer than %d characters", maxLink)
	}
	c := &Class{}
	err := play.Fields(rest, func(name, value string) (err error) {
		switch name {
		case "t":
			c.Title, err = readText(value)
		case "s":
			c.Seed, err = readText(value)
		case "l":
			if value != "" {
				c.Lessons = strings.Split(value, "~")
			}
			for _, l := range c.Lessons {
				if l == "" || strings.ContainsFunc(l, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) {
					err = fmt.Errorf("%.20q is no name of a lesson", l)
				}
			}
		case "e":
			c.Items, err = readItems(value)
		case "u":
			var m int64
			if m, err = strconv.ParseInt(value, 10, 64); err == nil && (m <= 0 || m > 1<<32) {
				err = fmt.Errorf("%.20q is no time", value)
			}
			c.Until = Minute(m)
		default:
			err = play.ErrField
		}
		return err
	})
	switch {
	case err != nil:
		return bad("%v", err)
	case len(c.Items) == 0:
		return bad("it has no exercise")
	case len(c.Lessons) > MaxLessons:
		return bad("more than %d lessons", MaxLessons)
	case c.Link() != link: // one class has one link, because its id depends on it
		return bad("it is not as Rankbox writes it")
	}
	return c, nil
}

func readText(s string) (string, error) {
	s, err := play.Unescape(s)
	if err == nil && (len(s) > maxText || Clean(s) != s) {
		err = fmt.Errorf("%.20q is too long a text, or has blanks at its ends", s)
	}
	return s, err
}

func readItems(s string) ([]Item, error) {
	var out []Item
	for _, part := range strings.Split(s, "~") {
		name, level, _ := strings.Cut(part, ".")
		n, err := strconv.Atoi(level)
		if err != nil || n < 1 || n > lesson.Levels ||
			!slices.ContainsFunc(lesson.Generators, func(g lesson.Generator) bool { return g.Name == name }) {
			return nil, fmt.Errorf("there is no exercise %.20q", part)
		}
		if out = append(out, Item{name, n}); len(out) > MaxItems {
			return nil, fmt.Errorf("more than %d exercises", MaxItems)
		}
	}
	return out, nil
}

// Clean normalises titles, seeds and student names: single blanks, no control characters, at most 60 bytes.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	for len(s) > maxText {
		_, n := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-n]
	}
	return strings.TrimSpace(s)
}

// hash identifies the class in results.
func (c *Class) hash() (h [4]byte) {
	sum := sha256.Sum256([]byte(c.Link()))
	copy(h[:], sum[:])
	return h
}

// ID returns the hash as eight digits for people.
func (c *Class) ID() string {
	h := c.hash()
	return fmt.Sprintf("%02x%02x-%02x%02x", h[0], h[1], h[2], h[3])
}

// Exercise returns a student's exercise; every name has another one.
func (c *Class) Exercise(student string, item int) *lesson.Exercise {
	i := c.Items[item]
	return lesson.Make(i.Generator, i.Level, "class|"+c.ID()+"|"+Clean(student)+"|"+strconv.Itoa(item))
}

// Result holds a student's answers. A changed line, a damaged file and the file of another class are detected, and
// answers copied from a neighbour are wrong and traced to the neighbour. Without a server it cannot prove who sat
// at the device, when (except by the device's clock), or that a student did not start again.
type Result struct {
	Student  string
	Finished Minute  // by the student's clock
	Answers  [][]int // by item: its tries in order, numbered as in lesson.Entry and lesson.OrderNumber
}

// Right returns which items were right in the end, and which at the first try.
func (c *Class) Right(r *Result) (end, first []bool) {
	end, first = make([]bool, len(c.Items)), make([]bool, len(c.Items))
	for i := range c.Items {
		if i >= len(r.Answers) || len(r.Answers[i]) == 0 {
			continue
		}
		e := c.Exercise(r.Student, i)
		for n, a := range r.Answers[i] {
			if e.CheckEntry(a).Right {
				end[i], first[i] = true, n == 0
				break
			}
		}
	}
	return end, first
}

func count(list []bool) int {
	n := 0
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}
