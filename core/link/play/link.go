package play

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// Prefix begins every link of at most MaxLink characters. Own is the link to a table of the user's own documents:
// the device stores the table, so that the address does not reveal them.
const (
	Prefix  = "play="
	MaxLink = 2000
	Own     = Prefix + "own"
)

// Link returns the table as a URL fragment, without "#", of at most MaxLink characters, and shortens names of
// documents to fit. The format is "play=1", the version, and
//
//	&d=3~Port%20strike,2ab~…    documents: grade, letters of subtopics, name
//	&a=0.2.1 &b=…               the lists, as indices in d
//	&m=nDCG@5~AP &c=1           the measures, and the index of the unfolded one
func (t *Table) Link() string { return t.linkWithin(MaxLink) }

// Longest returns a link with names as long as Decode accepts, for tables stored in files.
func (t *Table) Longest() string { return t.linkWithin(2 * MaxLink) }

func (t *Table) linkWithin(most int) string {
	for _, room := range []int{maxLabel, 48, 32, 20, 12, 6} {
		if s := t.link(room); len(s) <= most {
			return s
		}
	}
	return t.link(0)
}

func (t *Table) link(room int) string {
	var b strings.Builder
	b.WriteString(Prefix + "1&d=")
	for i, d := range t.Docs {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(d.text())
		if name := shorten(d.Label, room); name != "" {
			b.WriteByte('~')
			escape(&b, name)
		}
	}
	list := func(name string, l []int) {
		b.WriteString(name)
		for i, d := range l {
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(strconv.Itoa(d))
		}
	}
	list("&a=", t.Lists[0])
	if t.Second {
		list("&b=", t.Lists[1])
	}
	b.WriteString("&m=")
	for i, m := range t.Measures {
		if i > 0 {
			b.WriteByte('~')
		}
		escape(&b, m.String())
	}
	if t.Chosen > 0 {
		b.WriteString("&c=" + strconv.Itoa(t.Chosen))
	}
	return b.String()
}

const plain = "-_.@()=:!/?"

// Escape encodes a text for a fragment, without "&", ",", "~" and blanks.
func Escape(s string) string {
	var b strings.Builder
	escape(&b, s)
	return b.String()
}

func escape(b *strings.Builder, s string) {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte(plain, c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// Unescape decodes the output of Escape. The error is that of a truncated or mistyped link.
func Unescape(s string) (string, error) { return unescape(s) }

func unescape(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '+':
			b.WriteByte(' ')
		case '%':
			if i+3 > len(s) {
				return "", errors.New("a % without two digits")
			}
			v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
			if err != nil {
				return "", errors.New("a % without two digits")
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			b.WriteByte(c)
		}
	}
	if !utf8.ValidString(b.String()) {
		return "", errors.New("a name that is no UTF-8")
	}
	return b.String(), nil
}

// ErrLink is the cause of Decode's errors.
var ErrLink = errors.New("this link cannot be read")

// Decode reads a fragment of Link.
func Decode(link string) (*Table, error) {
	bad := func(format string, args ...any) (*Table, error) {
		return nil, say.Faultf("play", "%w: %s", ErrLink, fmt.Sprintf(format, args...))
	}
	rest, ok := strings.CutPrefix(link, Prefix)
	if !ok {
		return bad("it does not begin with %s", Prefix)
	}
	if len(link) > 2*MaxLink {
		return bad("it is longer than %d characters", 2*MaxLink)
	}
	version, rest, _ := strings.Cut(rest, "&")
	if version != "1" {
		return bad("version %q is not known", quote(version))
	}
	t := &Table{}
	err := Fields(rest, func(name, value string) (err error) {
		switch name {
		case "d":
			err = t.readDocs(value)
		case "a":
			t.Lists[0], err = t.readList(value)
		case "b":
			t.Second = true
			t.Lists[1], err = t.readList(value)
		case "m":
			err = t.readMeasures(value)
		case "c":
			t.Chosen, err = strconv.Atoi(value)
			if err != nil || t.Chosen < 0 || t.Chosen >= max(1, len(t.Measures)) {
				err = fmt.Errorf("measure %q is not among them", quote(value))
			}
		default:
			err = ErrField
		}
		return err
	})
	if err != nil {
		return bad("%v", err)
	}
	return t, nil
}

// ErrField is a field reader's error for an unknown name.
var ErrField = errors.New("not known")

// Fields calls read with each name=value of a fragment, separated by &, until one fails. A field without = and a
// repeated name are errors.
func Fields(fragment string, read func(name, value string) error) error {
	seen := map[string]bool{}
	for field := range strings.SplitSeq(fragment, "&") {
		name, value, ok := strings.Cut(field, "=")
		if !ok || seen[name] {
			return fmt.Errorf("%q", quote(field))
		}
		seen[name] = true
		if err := read(name, value); err == ErrField {
			return fmt.Errorf("%q is not known", quote(name))
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) readDocs(s string) error {
	if s == "" {
		return nil
	}
	for _, item := range strings.Split(s, ",") {
		grade, name, _ := strings.Cut(item, "~")
		if grade == "" {
			return errors.New("a document without a grade")
		}
		d, err := readGrade(grade)
		if err != nil {
			return err
		}
		if d.Label, err = unescape(name); err != nil {
			return err
		}
		d.Label = shorten(d.Label, maxLabel)
		if t.Docs = append(t.Docs, d); len(t.Docs) > MaxDocs {
			return fmt.Errorf("more than %d documents", MaxDocs)
		}
	}
	return nil
}

func (t *Table) readList(s string) ([]int, error) {
	var list []int
	taken := map[int]bool{}
	for s != "" {
		var item string
		item, s, _ = strings.Cut(s, ".")
		n, err := strconv.Atoi(item)
		if err != nil || n < 0 || n >= len(t.Docs) || taken[n] {
			return nil, fmt.Errorf("place %q in a list", quote(item))
		}
		taken[n] = true
		list = append(list, n)
	}
	return list, nil
}

func (t *Table) readMeasures(s string) error {
	for s != "" {
		var item string
		item, s, _ = strings.Cut(s, "~")
		text, err := unescape(item)
		if err != nil {
			return err
		}
		m, err := measure.Parse(text)
		if err != nil {
			return err
		}
		if t.Measures = append(t.Measures, m); len(t.Measures) > MaxMeasures {
			return fmt.Errorf("more than %d measures", MaxMeasures)
		}
	}
	return nil
}
