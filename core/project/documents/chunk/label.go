package chunk

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Label is a grade for a passage of a document, or for all of it.
type Label struct {
	Query, Document string
	Span            Span   // of the document's text; not used if Whole
	Quote           string // the text of the passage, "" for a whole document
	Grade           float64
	Whole           bool // the grade is the document's
}

// The limits of a line in the files of this package.
const (
	MaxQuote = 1 << 20 // bytes of a quote
	MaxID    = 1024    // bytes of an id
	maxGrade = 1000
)

// ReadLabels reads a file of labels, a JSON object a line: query, document and grade, and for a passage start and end
// (bytes of the document's text), quote, or both. Unknown members are refused, with the line.
func ReadLabels(file string, b []byte) ([]Label, error) {
	var out []Label
	err := objects(file, b, func(line int, r *jsontext.Reader) error {
		l := Label{Span: Span{-1, -1}}
		graded := false
		if err := members(r, func(key string) bool {
			switch key {
			case "query":
				l.Query = r.String()
			case "document":
				l.Document = r.String()
			case "quote":
				l.Quote = r.String()
			case "grade":
				n := r.Float()
				if graded = n >= -maxGrade && n <= maxGrade; !graded {
					r.Invalid("the grade is between -1000 and 1000")
				}
				l.Grade = n
			default:
				return l.Span.member(r, key)
			}
			return true
		}, "query, document, start, end, quote, grade"); err != nil {
			return err
		}
		if err := l.check(); err != nil {
			return err
		}
		if !graded {
			return errors.New("the label has no grade")
		}
		out = append(out, l)
		return nil
	})
	return out, err
}

// check completes a label and says what is wrong with it.
func (l *Label) check() error {
	for _, id := range []string{l.Query, l.Document} {
		if err := checkID(id); err != nil {
			return err
		}
	}
	placed := l.Span.Start >= 0 || l.Span.End >= 0
	switch {
	case placed && (l.Span.Start < 0 || l.Span.End <= l.Span.Start):
		return errors.New("a passage needs a start, and an end behind it")
	case placed && l.Quote != "" && len(l.Quote) != l.Span.Len():
		return errors.New("the quote has " + strconv.Itoa(len(l.Quote)) + " bytes, but start and end are " +
			strconv.Itoa(l.Span.Len()) + " bytes apart: positions count bytes of UTF-8")
	case len(l.Quote) > MaxQuote:
		return errors.New("the quote has more than " + strconv.Itoa(MaxQuote) + " bytes")
	}
	l.Whole = !placed && l.Quote == ""
	return nil
}

// checkID refuses what no file of judgments could hold.
func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("the query or the document has no id")
	case len(id) > MaxID:
		return errors.New("an id has more than " + strconv.Itoa(MaxID) + " bytes")
	case strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("an id holds a control character")
	}
	return nil
}

// member reads a member of a JSON object that is one of the span's, and says whether it is.
func (s *Span) member(r *jsontext.Reader, key string) bool {
	switch key {
	case "start":
		s.Start = place(r)
	case "end":
		s.End = place(r)
	default:
		return false
	}
	return true
}

// place reads a position.
func place(r *jsontext.Reader) int {
	n := r.Float()
	if n < 0 || n > 1<<40 {
		r.Invalid("a position is between 0 and 2^40")
	}
	return int(n)
}

// WriteLabels writes labels as ReadLabels reads them, in their order.
func WriteLabels(w io.Writer, labels []Label) error {
	var b []byte
	for _, l := range labels {
		b = append(b, `{"query":`...)
		b = jsontext.AppendQuote(b, l.Query)
		b = append(b, `,"document":`...)
		b = jsontext.AppendQuote(b, l.Document)
		if !l.Whole && l.Span.Start >= 0 {
			b = append(b, `,"start":`...)
			b = strconv.AppendInt(b, int64(l.Span.Start), 10)
			b = append(b, `,"end":`...)
			b = strconv.AppendInt(b, int64(l.Span.End), 10)
		}
		if l.Quote != "" {
			b = append(b, `,"quote":`...)
			b = jsontext.AppendQuote(b, l.Quote)
		}
		b = append(b, `,"grade":`...)
		b = append(append(b, say.Plain.Grade(l.Grade)...), '}', '\n')
	}
	_, err := w.Write(b)
	return err
}

// objects calls f for each line that is not empty. Errors of f get the file and the line.
func objects(file string, b []byte, f func(line int, r *jsontext.Reader) error) error {
	if !utf8.Valid(b) {
		return within(file, 0, "it is not UTF-8")
	}
	r := jsontext.New(nil, jsontext.Limits{Depth: 2, Token: MaxQuote})
	line := 0
	for text := range bytes.Lines(bytes.TrimPrefix(b, []byte("\ufeff"))) {
		line++
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		r.Reset(text)
		if err := f(line, r); err != nil {
			return within(file, line, "%w", err)
		}
	}
	return nil
}

// members reads one object, whose members f takes.
func members(r *jsontext.Reader, f func(key string) bool, known string) error {
	seen := map[string]bool{}
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		if seen[key] {
			r.Invalid("the key " + strconv.Quote(key) + " comes twice")
		} else if seen[key] = true; !f(key) {
			r.Invalid("unknown member " + strconv.Quote(key) + ": want " + known)
		}
	}
	r.End()
	return r.Err()
}

// Grades gives chunks the grades of labels, in the order of queries. The rule:
//
//   - A label above 0 counts for each chunk that shares half of the label's bytes or half of the chunk's. If none does,
//     it counts for the chunk that shares most.
//   - A label of 0 or less counts for each chunk if it holds half of the bytes: other chunks stay unjudged.
//   - A label of a whole document counts for all of its chunks, unless passages of that document are labelled for the
//     query.
//   - The highest grade that counts for a chunk is its grade.
//
// lost are the labels that count for no chunk: their document is not there, or the rule gives them to none.
func Grades(chunks []Chunk, labels []Label) (grades *collection.Qrels, lost []Label) {
	of := ByDocument(chunks)
	type pair struct{ query, id string }
	passages := map[pair]bool{}
	for _, l := range labels {
		if !l.Whole {
			passages[pair{l.Query, l.Document}] = true
		}
	}
	best := map[string]map[string]float64{} // query → chunk
	for _, l := range labels {
		if l.Whole && passages[pair{l.Query, l.Document}] {
			continue
		}
		given := gradedBy(of[l.Document], l)
		for _, c := range given {
			if best[l.Query] == nil {
				best[l.Query] = map[string]float64{}
			}
			if old, ok := best[l.Query][c.ID]; !ok || l.Grade > old {
				best[l.Query][c.ID] = l.Grade
			}
		}
		if len(given) == 0 {
			lost = append(lost, l)
		}
	}
	grades = collection.NewQrels()
	for _, query := range slices.Sorted(maps.Keys(best)) {
		for _, id := range slices.Sorted(maps.Keys(best[query])) {
			grades.Add(query, id, best[query][id])
		}
	}
	return grades, lost
}

// ByDocument are the chunks of each document, which stand together.
func ByDocument(chunks []Chunk) map[string][]Chunk {
	of := map[string][]Chunk{}
	for from, to := 0, 0; from < len(chunks); from = to {
		for to = from; to < len(chunks) && chunks[to].Document == chunks[from].Document; to++ {
		}
		of[chunks[from].Document] = chunks[from:to]
	}
	return of
}

// gradedBy are the chunks of its document that a label counts for.
func gradedBy(chunks []Chunk, l Label) []Chunk {
	if l.Whole {
		return chunks
	}
	var out []Chunk
	for _, c := range Covering(chunks, l.Span) {
		common := 2 * c.Span.Common(l.Span)
		if common > 0 && (common >= c.Span.Len() || l.Grade > 0 && common >= l.Span.Len()) {
			out = append(out, c)
		}
	}
	if best, ok := Best(chunks, l.Span); ok && len(out) == 0 && l.Grade > 0 {
		out = append(out, best)
	}
	return out
}

// Fit holds labels of passages against the documents that they are about. A label with a quote and no position gets the
// position, if the document has the quote once. text returns a document's text; ok is false if there is none, and the
// label is left as it is. The error names the label that does not fit, by its number from 1.
func Fit(labels []Label, text func(document string) (text string, ok bool)) error {
	for i := range labels {
		l := &labels[i]
		t, ok := text(l.Document)
		if l.Whole || !ok {
			continue
		}
		at := l.Span
		if at.Start < 0 {
			at.Start = strings.Index(t, l.Quote)
			if at.Start < 0 || strings.Contains(t[at.Start+1:], l.Quote) {
				how := "more than once, so start and end are needed"
				if at.Start < 0 {
					how = "nowhere: rankbox reanchor finds changed passages"
				}
				return fault("label %d: the document %q has its quote %s", i+1, l.Document, how)
			}
			at.End = at.Start + len(l.Quote)
		}
		whole := at.End <= len(t) && runeAt(t, at.Start) && runeAt(t, at.End)
		if !whole || l.Quote != "" && t[at.Start:at.End] != l.Quote {
			return fault("label %d: bytes %d to %d of the document %q are not its quote: "+
				"rankbox reanchor moves labels to changed documents", i+1, at.Start, at.End, l.Document)
		}
		l.Span, l.Quote = at, t[at.Start:at.End]
	}
	return nil
}

// runeAt says whether a rune or the end is at a byte.
func runeAt(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }
