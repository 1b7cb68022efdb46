package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// A journal is lines, one an edit: the CRC-32 of the rest as eight hexadecimal digits, a space, the edit as JSON. A
// record is never rewritten. A crash can tear the last one; damage elsewhere costs the records that it hit and no
// other.

// ErrUnknown is that of an edit which a newer version made.
var ErrUnknown = errors.New("this version does not know this kind of edit")

// maxRecord is how long a record may be: the longest edit, every byte of which may need six.
const maxRecord = 6*(4*MaxText+3*MaxID) + 1024

// AppendRecord appends the record of an edit.
func AppendRecord(dst []byte, e *Edit) []byte {
	start := len(dst)
	dst = append(dst, "00000000 "...)
	body := len(dst)
	dst = e.appendJSON(dst)
	hex := fmt.Appendf(nil, "%08x", crc32.ChecksumIEEE(dst[body:]))
	copy(dst[start:], hex)
	return append(dst, '\n')
}

func (e *Edit) appendJSON(b []byte) []byte {
	b = append(b, `{"edit":`...)
	b = jsontext.AppendVisible(b, string(e.Kind))
	b = appendStamp(b, `,"time":`, e.Stamp)
	for _, f := range [...]struct {
		key, value string
	}{{"layer", e.Layer}, {"query", e.Query}, {"document", e.Document}, {"text", e.Text},
		{"description", e.Description},
		{"narrative", e.Narrative}, {"spec", e.Spec}, {"form", e.Form}, {"origin", string(e.Origin)}, {"author",
			e.Author}, {"date", e.Date},
		{"state", string(e.State)}} {
		b = appendField(b, f.key, f.value)
	}
	if e.Kind == SetGrade {
		b = append(b, `,"grade":`...)
		b = append(b, say.Plain.Grade(e.Grade)...)
	}
	return append(b, '}')
}

func appendField(b []byte, key, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, `,"`...), key...), `":`...)
	return jsontext.AppendVisible(b, value)
}

func appendStamp(b []byte, before string, s Stamp) []byte {
	b = strconv.AppendInt(append(b, before...), s.Time, 10)
	b = appendField(b, "tab", s.Tab)
	b = append(b, `,"n":`...)
	return strconv.AppendInt(b, s.N, 10)
}

// parser reads what this package has written as JSON.
type parser struct{ r *jsontext.Reader }

func newParser() *parser {
	return &parser{jsontext.New(nil, jsontext.Limits{Depth: 4, Token: 6 * MaxText})}
}

// object calls field with every key of an object, which reads its value or returns false to have it skipped. A key that
// comes twice is refused.
func (p *parser) object(b []byte, field func(key string) bool) error {
	p.r.Reset(b)
	var seen []string
	for p.r.BeginObject(); p.r.More(); {
		key := string(p.r.Key())
		if slices.Contains(seen, key) {
			p.r.Invalid("the key " + strconv.Quote(key) + " comes twice")
			break
		}
		if len(seen) == 64 {
			p.r.Invalid("more than 64 keys")
			break
		}
		if seen = append(seen, key); !field(key) {
			p.r.Skip()
		}
	}
	p.r.End()
	return p.r.Err()
}

// parseEdit reads the JSON of an edit.
func (p *parser) parseEdit(b []byte) (e Edit, err error) {
	r := p.r
	err = p.object(b, func(key string) bool {
		switch key {
		case "edit":
			e.Kind = Kind(r.String())
		case "time":
			e.Time = r.Int()
		case "tab":
			e.Tab = r.String()
		case "n":
			e.N = r.Int()
		case "layer":
			e.Layer = r.String()
		case "query":
			e.Query = r.String()
		case "document":
			e.Document = r.String()
		case "grade":
			e.Grade = r.Float() + 0 // -0 becomes 0
		case "text":
			e.Text = r.String()
		case "description":
			e.Description = r.String()
		case "narrative":
			e.Narrative = r.String()
		case "spec":
			e.Spec = r.String()
		case "form":
			e.Form = r.String()
		case "origin":
			e.Origin = Origin(r.String())
		case "author":
			e.Author = r.String()
		case "date":
			e.Date = r.String()
		case "state":
			e.State = State(r.String())
		default:
			return false
		}
		return true
	})
	if err == nil {
		err = e.Check()
	}
	return e, err
}

// Damage is a record of a journal that could not be read.
type Damage struct {
	Line int  // from 1
	Torn bool // it is the last one, and was not written to its end
	Err  error
}

// Error says which record it is and what is wrong.
func (d *Damage) Error() string {
	if d.Torn {
		return "line " + strconv.Itoa(d.Line) + " of the journal was not written to its end"
	}
	return "line " + strconv.Itoa(d.Line) + " of the journal: " + d.Err.Error()
}

// Unwrap returns what is wrong.
func (d *Damage) Unwrap() error { return d.Err }

var errSum = errors.New("its checksum is another")

// ReadJournal returns the edits of a journal in its order, and the records that could not be read. One of these is of
// ErrUnknown if a newer version has written to the journal: it must be kept as it is then.
func ReadJournal(b []byte) (edits []Edit, lost []*Damage) {
	lost = eachRecord(b, func(e Edit) error {
		edits = append(edits, e)
		return nil
	})
	return edits, lost
}

// eachRecord calls f with every edit of a journal, and returns the records that could not be read and those of which f
// returns an error.
func eachRecord(b []byte, f func(Edit) error) (lost []*Damage) {
	p := newParser()
	for line := 1; len(b) > 0; line++ {
		record, rest, whole := bytes.Cut(b, []byte("\n"))
		b = rest
		if !whole {
			return append(lost, &Damage{line, true, errSum})
		}
		e, err := p.parseRecord(record)
		if err == nil {
			err = f(e)
		}
		if err != nil {
			lost = append(lost, &Damage{line, false, err})
		}
	}
	return lost
}

// parseRecord reads a record without its line feed.
func (p *parser) parseRecord(record []byte) (Edit, error) {
	if len(record) > maxRecord || len(record) < 10 || record[8] != ' ' {
		return Edit{}, errSum
	}
	sum, err := strconv.ParseUint(string(record[:8]), 16, 32)
	if err != nil || uint32(sum) != crc32.ChecksumIEEE(record[9:]) {
		return Edit{}, errSum
	}
	return p.parseEdit(record[9:])
}

// Replay applies the edits of a journal. What cannot be read, or no longer applied, is returned.
func (w *Workspace) Replay(journal []byte) (lost []*Damage) {
	return eachRecord(journal, func(e Edit) error {
		_, err := w.Apply(e)
		return err
	})
}
