package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/play"
)

// Remixed begins the link of a remixed lesson.
const Remixed = "lesson=remix1&"

// Remix is a lesson as adapted by a teacher: another title, a selection of steps, another ranking to play with,
// another collection at the end. Statements about the lesson's own documents stay unchanged.
type Remix struct {
	Of    string
	Title string      // "" for the lesson's own
	Steps [5]bool     // the steps to show
	Table *play.Table // replaces the ranking to play with; nil for the lesson's own
	Where string      // site address of "the same on real data", "" for the lesson's own
	Note  string      // the task there
}

// Limits of a remix.
const (
	maxRemix     = 6000 // characters of its link
	maxRemixText = 200
)

// ErrRemix is the cause of ReadRemix's errors.
var ErrRemix = errors.New("this remix cannot be read")

// Link returns the remix as a URL fragment, without "#".
func (r *Remix) Link() string {
	steps := ""
	for i, on := range r.Steps {
		if on {
			steps += strconv.Itoa(i + 1)
		}
	}
	s := Remixed + "of=" + r.Of + "&steps=" + steps
	for _, f := range [][2]string{{"t", r.Title}, {"w", r.Where}, {"n", r.Note}} {
		if f[1] != "" {
			s += "&" + f[0] + "=" + play.Escape(f[1])
		}
	}
	if r.Table != nil {
		s += "&p=" + play.Escape(r.Table.Link())
	}
	return s
}

// ReadRemix reads the output of Link, or a file with such a line. Where may only lead to one of the screens: see
// [OnSite].
func ReadRemix(text string, screens []string) (*Remix, error) {
	bad := func(format string, args ...any) (*Remix, error) {
		return nil, say.Faultf("lesson", "%w: %s", ErrRemix, fmt.Sprintf(format, args...))
	}
	at := strings.Index(text, Remixed)
	if at < 0 {
		return bad("it has no %s", Remixed)
	}
	link, _, _ := strings.Cut(text[at+len(Remixed):], "\n")
	if len(link) > maxRemix {
		return bad("it is longer than %d characters", maxRemix)
	}
	r := &Remix{}
	err := play.Fields(strings.TrimSpace(link), func(name, value string) (err error) {
		switch name {
		case "of", "in": // in was the language of older remixes
			if value == "" || strings.ContainsFunc(value, func(c rune) bool { return c < 'a' || c > 'z' }) {
				err = fmt.Errorf("%.20q is no name", value)
			}
			if name == "of" {
				r.Of = value
			}
		case "steps":
			for _, c := range value {
				if c < '1' || c > '5' || r.Steps[c-'1'] {
					err = fmt.Errorf("there are no steps %.20q", value)
					break
				}
				r.Steps[c-'1'] = true
			}
		case "t":
			r.Title, err = remixText(value)
		case "n":
			r.Note, err = remixText(value)
		case "w":
			if r.Where, err = play.Unescape(value); err == nil {
				err = OnSite(r.Where, screens)
			}
		case "p":
			var s string
			if s, err = play.Unescape(value); err == nil {
				r.Table, err = play.Decode(s)
			}
			if err == nil && (len(r.Table.Lists[0]) == 0 || len(r.Table.Measures) == 0) {
				err = errors.New("a ranking without documents or measures")
			}
		default:
			err = play.ErrField
		}
		return err
	})
	if err != nil {
		return bad("%s", say.Told(err))
	}
	if r.Of == "" || r.Steps == [5]bool{} {
		return bad("it names no lesson or no step")
	}
	return r, nil
}

// OnSite returns an error unless the address is one of the screens, because a remix must not lead to another site.
func OnSite(address string, screens []string) error {
	path, _, _ := strings.Cut(address, "#")
	if len(address) > 3000 || !slices.Contains(screens, path) {
		return fmt.Errorf("%.40q is no address of a screen that a lesson can end in: those are %s", address,
			say.Or(screens))
	}
	if strings.ContainsFunc(address, func(c rune) bool {
		return c <= ' ' || c == '"' || c == '<' || c == '>' ||
			c == '\\'
	}) {
		return fmt.Errorf("%.40q has characters that no address has", address)
	}
	return nil
}

func remixText(s string) (string, error) {
	s, err := play.Unescape(s)
	if err == nil && (len(s) > maxRemixText || strings.TrimSpace(s) != s ||
		strings.ContainsFunc(s, func(c rune) bool { return c < ' ' })) {
		err = fmt.Errorf("%.20q is too long a text", s)
	}
	return s, err
}

// Apply returns the remixed lesson.
func (r *Remix) Apply(l *Lesson) *Lesson {
	out := *l
	if r.Title != "" {
		out.Title = r.Title
	}
	out.Steps = nil
	for i, step := range l.Steps {
		var blocks []Block
		for _, b := range step {
			if !r.Steps[i] {
				continue
			}
			if b.Kind == Play && r.Table != nil {
				b.Link = r.Table.Link()
			}
			if b.Remixes() && r.Table != nil {
				b.Link, b.Level = r.Table.Link(), 1
			}
			if b.Kind == Link && r.Where != "" {
				b.Link = r.Where
				if r.Note != "" {
					b.Note = r.Note
				}
			}
			blocks = append(blocks, b)
		}
		out.Steps = append(out.Steps, blocks)
	}
	return &out
}

// File returns the remix as a file.
func (r *Remix) File() string {
	return "Rankbox lesson, remixed\nOpen it on the page of the lessons, or paste this behind the address /learn#\n" +
		r.Link() + "\n"
}
