package class

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// codePrefix begins every code.
const codePrefix = "RB1-"

// codeDigits are the digits of a code: Crockford's base 32, without I, L, O and U.
const codeDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// fileTitle is the first line of a result file.
const fileTitle = "Rankbox class result, version 1"

// Errors of ReadCode and ReadFile.
var (
	ErrDamaged = say.Faultf("class", "damaged: it was cut, or a character of it is another one")
	ErrForeign = say.Faultf("class", "of another class")
	ErrNone    = say.Faultf("class", "no result of a class")
)

// Code returns a result as a short text for a form: the class, the student's name, the minute, and every try.
func (c *Class) Code(r *Result) string {
	h := c.hash()
	b := append([]byte{}, h[:]...)
	name := Clean(r.Student)
	b = append(b, byte(len(name)))
	b = append(b, name...)
	b = binary.AppendUvarint(b, uint64(max(0, r.Finished)))
	for i := range c.Items {
		var tries []int
		if i < len(r.Answers) {
			tries = r.Answers[i]
		}
		b = append(b, byte(len(tries)))
		for _, a := range tries {
			b = binary.AppendVarint(b, int64(a))
		}
	}
	sum := sha256.Sum256(append([]byte(c.Link()), b...))
	b = append(b, sum[:3]...)
	var out strings.Builder
	bits, n, written := 0, 0, 0
	put := func(v int) {
		if written%5 == 0 && written > 0 {
			out.WriteByte('-')
		}
		out.WriteByte(codeDigits[v&31])
		written++
	}
	for _, x := range b {
		bits, n = bits<<8|int(x), n+8
		for n >= 5 {
			n -= 5
			put(bits >> n)
			bits &= 1<<n - 1
		}
	}
	if n > 0 {
		put(bits << (5 - n))
	}
	return codePrefix + out.String()
}

// ReadCode reads the output of Code, ignoring case, hyphens and blanks.
func (c *Class) ReadCode(code string) (*Result, error) {
	b, err := bytesOf(code)
	if err != nil {
		return nil, err
	}
	if len(b) < 9 {
		return nil, ErrDamaged
	}
	body, tail := b[:len(b)-3], b[len(b)-3:]
	if h := c.hash(); string(body[:4]) != string(h[:]) {
		return nil, ErrForeign
	}
	sum := sha256.Sum256(append([]byte(c.Link()), body...))
	if string(sum[:3]) != string(tail) {
		return nil, ErrDamaged
	}
	n := int(body[4])
	if len(body) < 5+n {
		return nil, ErrDamaged
	}
	r := &Result{Student: string(body[5 : 5+n])}
	body = body[5+n:]
	finished, n := binary.Uvarint(body)
	if n <= 0 || finished > 1<<32 || !utf8.ValidString(r.Student) || Clean(r.Student) != r.Student {
		return nil, ErrDamaged
	}
	r.Finished = Minute(finished)
	body = body[n:]
	for range c.Items {
		if len(body) == 0 || body[0] > Tries {
			return nil, ErrDamaged
		}
		tries := make([]int, body[0])
		body = body[1:]
		for i := range tries {
			v, n := binary.Varint(body)
			if n <= 0 || v > 1<<40 || v < -1<<40 {
				return nil, ErrDamaged
			}
			tries[i], body = int(v), body[n:]
		}
		r.Answers = append(r.Answers, tries)
	}
	if len(body) > 0 {
		return nil, ErrDamaged
	}
	return r, nil
}

// bytesOf decodes the digits of a code.
func bytesOf(code string) ([]byte, error) {
	rest, ok := strings.CutPrefix(strings.ToUpper(strings.TrimSpace(code)), codePrefix)
	if !ok {
		return nil, ErrNone
	}
	if len(rest) > 4096 {
		return nil, ErrDamaged
	}
	var out []byte
	bits, n := 0, 0
	for _, r := range rest {
		switch r {
		case '-', ' ':
			continue
		case 'O':
			r = '0'
		case 'I', 'L':
			r = '1'
		}
		v := strings.IndexRune(codeDigits, r)
		if v < 0 {
			return nil, ErrDamaged
		}
		bits, n = bits<<5|v, n+5
		if n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
			bits &= 1<<n - 1
		}
	}
	if bits != 0 {
		return nil, ErrDamaged
	}
	return out, nil
}

// File returns a result as a readable file. All of it derives from the class and the code, so that a changed line
// is detected.
func (c *Class) File(r *Result) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	end, first := c.Right(r)
	line("%s", fileTitle)
	line("class: %s (%s)", c.Title, c.ID())
	line("student: %s", Clean(r.Student))
	line("finished: %s UTC, by the student's own clock", r.Finished)
	line("right: %d of %d, %d at the first try", count(end), len(c.Items), count(first))
	for i, item := range c.Items {
		answer := "not answered"
		if i < len(r.Answers) && len(r.Answers[i]) > 0 {
			e := c.Exercise(r.Student, i)
			var tries []string
			for _, a := range r.Answers[i] {
				tries = append(tries, e.EntryText(a))
			}
			answer = strings.Join(tries, ", then ")
		}
		line("%d. %s, level %d: %s", i+1, item.Title(), item.Level, answer)
	}
	line("link: %s", c.Link())
	line("code: %s", c.Code(r))
	return b.String()
}

// FileName returns the name of a result file.
func (c *Class) FileName(r *Result) string {
	name := strings.Map(func(x rune) rune {
		if x >= '0' && x <= '9' || x >= 'a' && x <= 'z' || x >= 'A' && x <= 'Z' {
			return x
		}
		return '-'
	}, Clean(r.Student))
	return "rankbox-" + c.ID() + "-" + name + ".txt"
}

// ChangedError reports a line of a result file that its answers do not yield.
type ChangedError struct {
	Line      int
	Has, Want string
}

func (e *ChangedError) Error() string { return "class: " + e.Said() }

// Said returns the message for users.
func (e *ChangedError) Said() string {
	return "changed by hand: line " + strconv.Itoa(e.Line) + " says “" + e.Has + "”, its answers give “" + e.Want + "”"
}

// ReadFile reads a result file: its code, with which it compares every other line. It returns the result even with
// a *ChangedError.
func (c *Class) ReadFile(file string) (*Result, error) {
	lines := normalisedLines(file)
	if lines[0] != fileTitle {
		return nil, ErrNone
	}
	code, link := "", ""
	for _, l := range lines {
		if s, ok := strings.CutPrefix(l, "code: "); ok {
			code = s
		}
		if s, ok := strings.CutPrefix(l, "link: "); ok {
			link = s
		}
	}
	if code == "" {
		return nil, ErrDamaged
	}
	r, err := c.ReadCode(code)
	if errors.Is(err, ErrForeign) && link == c.Link() {
		err = ErrDamaged
	}
	if err != nil {
		return nil, err
	}
	want := normalisedLines(c.File(r))
	for i := range max(len(lines), len(want)) {
		has, should := "", ""
		if i < len(lines) {
			has = lines[i]
		}
		if i < len(want) {
			should = want[i]
		}
		if has != should {
			return r, &ChangedError{i + 1, has, should}
		}
	}
	return r, nil
}

// ClassOf returns the class of a result file, or nil.
func ClassOf(file string) *Class {
	for _, l := range normalisedLines(file) {
		if s, ok := strings.CutPrefix(l, "link: "); ok {
			if c, err := Decode(s); err == nil {
				return c
			}
		}
	}
	return nil
}

// normalisedLines returns the lines of a file without the changes of editors and mail programs: byte order mark,
// line ends, trailing blanks and empty lines. It returns at least one line.
func normalisedLines(file string) []string {
	file = strings.TrimPrefix(file, "\ufeff")
	lines := strings.Split(strings.TrimRight(file, " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return lines
}
