package chunk

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// To split documents again, chunks are joined to the texts that they are from, and grades of chunks become labels.

// RestFileName is the file, beside chunks, of what they leave out of their documents.
const RestFileName = "rest.jsonl"

const (
	restFormat  = "rankbox-rest"
	restVersion = 1
)

// Rest is what is needed beside the chunks of a document to split it again.
type Rest struct {
	Document string
	// text that is in no chunk: before each chunk, and behind the last. Empty ones at the end are left out
	Gaps     []string
	Headings []int // byte offsets of headings in the text; nil if its lines that begin with # are headings
}

// Rests returns what the chunks of documents leave out, in the order of chunks. Documents without any are left out.
// headings is as Split takes it.
func Rests(docs []collection.Doc, headings func(doc int) []int, chunks []Chunk) (out []Rest) {
	for from, to := 0, 0; from < len(chunks); from = to {
		doc := chunks[from].Doc
		r := Rest{Document: docs[doc].ID}
		if headings != nil {
			r.Headings = headings(doc)
		}
		text, covered := docs[doc].Text, 0
		for to = from; to < len(chunks) && chunks[to].Doc == doc; to++ {
			s := chunks[to].Span
			r.Gaps = append(r.Gaps, text[covered:max(covered, s.Start)])
			covered = max(covered, s.End)
		}
		r.Gaps = append(r.Gaps, text[covered:])
		for len(r.Gaps) > 0 && r.Gaps[len(r.Gaps)-1] == "" {
			r.Gaps = r.Gaps[:len(r.Gaps)-1]
		}
		if len(r.Gaps) > 0 || r.Headings != nil {
			out = append(out, r)
		}
	}
	return out
}

// Join returns the text of a document from the texts of its chunks, in order, and what they leave out.
func Join(chunks []Chunk, texts []string, rest Rest) (string, error) {
	var b strings.Builder
	gap := func(i int) string {
		if i < len(rest.Gaps) {
			return rest.Gaps[i]
		}
		return ""
	}
	for i, c := range chunks {
		b.WriteString(gap(i))
		if s := c.Span; s.Start > b.Len() || s.Len() != len(texts[i]) {
			return "", fault("the chunk %q has other bytes than its span: these are other documents", c.ID)
		}
		if known := b.Len() - c.Span.Start; known < len(texts[i]) {
			b.WriteString(texts[i][known:])
		}
	}
	b.WriteString(gap(len(chunks)))
	return b.String(), nil
}

// WriteRests writes the file: a line about it, then a line a document.
func WriteRests(w io.Writer, list []Rest) error {
	b := []byte(`{"format":"` + restFormat + `","version":` + strconv.Itoa(restVersion) + "}\n")
	for _, r := range list {
		b = append(b, `{"document":`...)
		b = jsontext.AppendQuote(b, r.Document)
		if len(r.Gaps) > 0 {
			b = append(b, `,"gaps":[`...)
			for i, g := range r.Gaps {
				if i > 0 {
					b = append(b, ',')
				}
				b = jsontext.AppendQuote(b, g)
			}
			b = append(b, ']')
		}
		if r.Headings != nil {
			b = append(b, `,"headings":[`...)
			for i, h := range r.Headings {
				if i > 0 {
					b = append(b, ',')
				}
				b = strconv.AppendInt(b, int64(h), 10)
			}
			b = append(b, ']')
		}
		b = append(b, '}', '\n')
		if len(b) > 1<<16 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// Files returns the contents of the file of spans and of RestFileName.
func Files(f *File, rests []Rest) (spans, rest []byte, err error) {
	var a, b bytes.Buffer
	if err = f.Write(&a); err == nil {
		err = WriteRests(&b, rests)
	}
	return a.Bytes(), b.Bytes(), err
}

// ReadRests reads the file, by document.
func ReadRests(file string, b []byte) (map[string]Rest, error) {
	out := map[string]Rest{}
	begun := false
	err := objects(file, b, func(_ int, r *jsontext.Reader) error {
		if !begun {
			begun = true
			return restHead(r)
		}
		var x Rest
		if err := members(r, func(key string) bool {
			switch key {
			case "document":
				x.Document = r.String()
			case "gaps":
				for r.BeginArray(); r.More(); {
					x.Gaps = append(x.Gaps, r.String())
				}
			case "headings":
				x.Headings = []int{}
				for r.BeginArray(); r.More(); {
					x.Headings = append(x.Headings, place(r))
				}
			default:
				return false
			}
			return true
		}, "document, gaps, headings"); err != nil {
			return err
		}
		if err := checkID(x.Document); err != nil {
			return err
		}
		if _, twice := out[x.Document]; twice {
			return errors.New("the document " + strconv.Quote(x.Document) + " comes twice")
		}
		out[x.Document] = x
		return nil
	})
	if err == nil && !begun {
		err = within(file, 0, "it is empty: its first line says %q: %q", "format", restFormat)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func restHead(r *jsontext.Reader) error {
	format, version := "", 0
	err := members(r, func(key string) bool {
		switch key {
		case "format":
			format = r.String()
		case "version":
			version = int(min(max(r.Int(), 0), 1<<30))
		default:
			return false
		}
		return true
	}, "format, version")
	switch {
	case err != nil:
		return err
	case format != restFormat:
		return errors.New("it does not hold what chunks leave out: its first line says \"format\": \"" + restFormat +
			"\"")
	case version > restVersion:
		return errors.New("a newer Rankbox wrote version " + strconv.Itoa(version) + ", this one reads version 1")
	case version < 1:
		return errors.New("it has no version")
	}
	return nil
}

// Whole returns documents as chunks of themselves, with the documents' ids: what Grades takes to grade documents.
func Whole(docs []collection.Doc) []Chunk {
	out := make([]Chunk, len(docs))
	for i := range docs {
		out[i] = Chunk{docs[i].ID, docs[i].ID, i, 1, Span{0, len(docs[i].Text)}}
	}
	return out
}

// Labels are grades of documents and chunks as labels, in the order of the grades. If all chunks of a document have the
// same grade for a query, the document has it. Otherwise the grade is the passage's. Ids that are of no chunk are taken
// for documents.
func Labels(grades *collection.Qrels, chunks []Chunk) (out []Label) {
	if grades == nil {
		return nil
	}
	at := make(map[string]int, len(chunks))
	size := map[string]int{} // chunks of a document
	for i, c := range chunks {
		at[c.ID] = i
		size[c.Document]++
	}
	nowhere := Span{-1, -1}
	for _, query := range grades.Queries() {
		same := map[string]int{} // chunks that have the grade of the first; −1 if one differs
		first := map[string]float64{}
		grades.Each(query, func(id string, grade float64) {
			i, ok := at[id]
			if !ok {
				return
			}
			doc := chunks[i].Document
			if old, seen := first[doc]; !seen {
				first[doc], same[doc] = grade, 1
			} else if old != grade || same[doc] < 0 {
				same[doc] = -1
			} else {
				same[doc]++
			}
		})
		grades.Each(query, func(id string, grade float64) {
			i, ok := at[id]
			switch {
			case !ok:
				out = append(out, Label{query, id, nowhere, "", grade, true})
			case same[chunks[i].Document] != size[chunks[i].Document]:
				out = append(out, Label{query, chunks[i].Document, chunks[i].Span, "", grade, false})
			case chunks[i].Ordinal == 1:
				out = append(out, Label{query, chunks[i].Document, nowhere, "", grade, true})
			}
		})
	}
	return out
}

// Lengths are the lengths of chunks in words.
type Lengths struct{ Median, Longest int }

// Measure returns the lengths of chunks of documents. Of an even number of chunks, the median is the lower of the two
// in the middle.
func Measure(docs []collection.Doc, chunks []Chunk) Lengths {
	all := make([]int, len(chunks))
	for i, c := range chunks {
		all[i] = len(Words(docs[c.Doc].Text[c.Span.Start:c.Span.End]))
	}
	if len(all) == 0 {
		return Lengths{}
	}
	slices.SortFunc(all, cmp.Compare[int])
	return Lengths{all[(len(all)-1)/2], all[len(all)-1]}
}
