package chunk

import (
	"errors"
	"io"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Unsure is a label that a person must look at: the passage as it was, and the place that may be meant now.
type Unsure struct {
	Query, Document string // as the document is called now
	Layer           string // whose label it is: an author, "" if that is not known
	Grade           float64
	Quote           string // as it was; "" if the grade is that of the whole document
	Span            Span   // the candidate; Start is −1 if there is none
	Candidate       string // its text
	Kept            float64
	Reason          string
}

// WriteUnsure writes labels, an object a line.
func WriteUnsure(w io.Writer, list []Unsure) error {
	var b []byte
	for _, u := range list {
		text := func(name, s string) {
			b = append(b, `,"`+name+`":`...)
			b = jsontext.AppendVisible(b, s)
		}
		number := func(name string, n int) {
			b = append(b, `,"`+name+`":`...)
			b = strconv.AppendInt(b, int64(n), 10)
		}
		b = append(b, `{"query":`...)
		b = jsontext.AppendVisible(b, u.Query)
		text("document", u.Document)
		if u.Layer != "" {
			text("layer", u.Layer)
		}
		b = append(append(b, `,"grade":`...), say.Plain.Grade(u.Grade)...)
		text("quote", u.Quote)
		number("candidate_start", u.Span.Start)
		number("candidate_end", u.Span.End)
		text("candidate", u.Candidate)
		b = append(b, `,"kept":`...)
		b = strconv.AppendFloat(b, u.Kept, 'g', -1, 64)
		text("reason", u.Reason)
		b = append(b, '}', '\n')
	}
	_, err := w.Write(b)
	return err
}

// ReadUnsure reads what WriteUnsure wrote. Unknown members are refused, with the line.
func ReadUnsure(file string, b []byte) (out []Unsure, err error) {
	err = objects(file, b, func(_ int, r *jsontext.Reader) error {
		u := Unsure{Span: Span{-1, -1}}
		graded := false
		if err := members(r, func(key string) bool {
			switch key {
			case "query":
				u.Query = r.String()
			case "document":
				u.Document = r.String()
			case "layer":
				u.Layer = r.String()
			case "grade":
				n := r.Float()
				if graded = n >= -maxGrade && n <= maxGrade; !graded {
					r.Invalid("the grade is between -1000 and 1000")
				}
				u.Grade = n
			case "quote":
				u.Quote = r.String()
			case "candidate_start":
				u.Span.Start = candidate(r)
			case "candidate_end":
				u.Span.End = candidate(r)
			case "candidate":
				u.Candidate = r.String()
			case "kept":
				u.Kept = r.Float()
			case "reason":
				u.Reason = r.String()
			default:
				return false
			}
			return true
		}, "query, document, layer, grade, quote, candidate_start, candidate_end, candidate, kept, "+
			"reason"); err != nil {
			return err
		}
		switch {
		case checkID(u.Query) != nil || checkID(u.Document) != nil:
			return errors.Join(checkID(u.Query), checkID(u.Document))
		case !graded:
			return errors.New("the label has no grade")
		case u.Span.Start >= 0 && len(u.Candidate) != u.Span.Len():
			return errors.New("the candidate has " + strconv.Itoa(len(u.Candidate)) +
				" bytes, but its start and end are " +
				strconv.Itoa(u.Span.Len()) + " bytes apart")
		case u.Kept < 0 || u.Kept > 1:
			return errors.New("kept is a share between 0 and 1")
		}
		out = append(out, u)
		return nil
	})
	return out, err
}

// candidate reads a position, or −1 for none.
func candidate(r *jsontext.Reader) int {
	n := r.Float()
	if n < -1 || n > 1<<40 {
		r.Invalid("a position is between 0 and 2^40, or -1 for none")
	}
	return int(n)
}
