package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// output collects what is written in large pieces and keeps the first error.
type output struct {
	w   io.Writer
	buf []byte
	err error
}

func newOutput(w io.Writer) *output { return &output{w: w} }

// full writes the buffer out once it is large.
func (o *output) full() {
	if len(o.buf) >= 60<<10 {
		o.flush()
	}
}

func (o *output) flush() error {
	if o.err == nil && len(o.buf) > 0 {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
	return o.err
}

func (o *output) string(s string) { o.buf = append(o.buf, s...) }
func (o *output) byte(c byte)     { o.buf = append(o.buf, c) }
func (o *output) int(n int)       { o.buf = strconv.AppendInt(o.buf, int64(n), 10) }

// grade writes a whole grade without a point, and others with all their decimals.
func (o *output) grade(g float64) { o.string(say.Plain.Grade(g)) }

// json writes a string of JSON. One that is not UTF-8 cannot be written without becoming another.
func (o *output) json(s string) {
	if o.err == nil && !utf8.ValidString(s) {
		o.err = errors.New("collection: write: " + strconv.Quote(clip(view(s))) +
			" is not UTF-8, which JSON cannot hold")
	}
	o.buf = jsontext.AppendVisible(o.buf, s)
}

// first writes the id that a line begins with, which would make the line a comment if it were '#', and a file something
// else than text if it began as such files do.
func (o *output) first(s string) {
	if o.err == nil && s == "#" {
		o.err = errors.New("collection: write: the id \"#\" would make a comment of its line")
	}
	for _, mark := range marks {
		if o.err == nil && strings.HasPrefix(s, mark) {
			o.err = errors.New("collection: write: the id " + strconv.Quote(s) +
				" begins like a file that is no text in UTF-8")
		}
	}
	o.word(s)
}

// marks are what files begin with that are read as something else: byte-order marks of UTF-16, gzip, zip, NumPy.
var marks = []string{"\xff\xfe", "\xfe\xff", "\x1f\x8b", "PK\x03\x04", "PK\x05\x06", string(npyMagic)}

// score writes the shortest text that is read back as the same float64.
func (o *output) score(f float64) { o.buf = strconv.AppendFloat(o.buf, f, 'g', -1, 64) }

// word writes an id of a text format, which has no way to write white space or nothing.
func (o *output) word(s string) {
	if o.err == nil && (s == "" || strings.ContainsAny(s, " \t\r\n\v\f\x00") || len(trimID(view(s))) != len(s)) {
		o.err = errors.New("collection: write: id " + strconv.Quote(s) +
			" is empty or has white space or a zero byte, which this format cannot hold")
	}
	o.string(s)
}

// outer refuses an id that readers of JSON and CSV would take for another: one without text, or with white space around
// it.
func (o *output) outer(s string) {
	if o.err == nil && (s == "" || len(trimID(view(s))) != len(s)) {
		o.err = errors.New("collection: write: id " + strconv.Quote(s) +
			" is empty or has white space around it, which readers take off")
	}
}

// inner refuses the id of a document or a query that no reader takes.
func (o *output) inner(s string) {
	if err := controlled(s); o.err == nil && err != nil {
		o.err = say.Faultf("collection", "write: %w", err)
	}
}

// id writes an id as a string of JSON.
func (o *output) id(s string) {
	o.outer(s)
	o.json(s)
}

// named writes the id of a document or a query as a string of JSON.
func (o *output) named(s string) {
	o.inner(s)
	o.id(s)
}

// idCell writes an id as a field of a CSV, which cannot hold a zero byte, and whose readers take a line break of two
// characters for one.
func (o *output) idCell(s string) {
	o.outer(s)
	if o.err == nil && (strings.Contains(s, "\x00") || strings.Contains(s, "\r\n")) {
		o.err = errors.New("collection: write: id " + strconv.Quote(s) +
			" holds a zero byte or a line break, which a CSV cannot hold as it is")
	}
	o.cell(s)
}

// cell writes a field of a CSV. An apostrophe stands before what a spreadsheet would take for a formula; it is taken
// off when the file is read.
func (o *output) cell(s string) {
	s = guarded(s)
	if !strings.ContainsAny(s, ",;\t\"\r\n") && s == strings.TrimSpace(s) {
		o.string(s)
		return
	}
	o.byte('"')
	o.string(strings.ReplaceAll(s, `"`, `""`))
	o.byte('"')
}
