package chunk

import (
	"errors"
	"io"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

const (
	fileFormat  = "rankbox-chunks"
	fileVersion = 1
)

// File is what chunks.jsonl holds, the file of spans in a bundle whose documents are chunks: a line about the
// chunking, then a line a chunk.
type File struct {
	Chunking  string // canonical
	Separator string
	Chunks    []Chunk // Doc is not stored: 0
}

// Write writes the file.
func (f *File) Write(w io.Writer) error {
	b := append([]byte(nil), `{"format":"`+fileFormat+`","version":`+strconv.Itoa(fileVersion)+`,"chunking":`...)
	b = jsontext.AppendQuote(b, f.Chunking)
	b = append(b, `,"separator":`...)
	b = append(jsontext.AppendQuote(b, f.Separator), '}', '\n')
	for _, c := range f.Chunks {
		b = append(b, `{"chunk":`...)
		b = jsontext.AppendQuote(b, c.ID)
		b = append(b, `,"document":`...)
		b = jsontext.AppendQuote(b, c.Document)
		b = append(b, `,"start":`...)
		b = strconv.AppendInt(b, int64(c.Span.Start), 10)
		b = append(b, `,"end":`...)
		b = append(strconv.AppendInt(b, int64(c.Span.End), 10), '}', '\n')
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

// ReadFile reads the file of spans. Chunks out of order, and ids that do not belong to their document, are refused with
// the line.
func ReadFile(file string, b []byte) (*File, error) {
	out := &File{}
	format, version := "", 0
	done := map[string]bool{}
	err := objects(file, b, func(line int, r *jsontext.Reader) error {
		if format == "" {
			return out.head(r, &format, &version)
		}
		c := Chunk{Span: Span{-1, -1}}
		if err := members(r, func(key string) bool {
			switch key {
			case "chunk":
				c.ID = r.String()
			case "document":
				c.Document = r.String()
			default:
				return c.Span.member(r, key)
			}
			return true
		}, "chunk, document, start, end"); err != nil {
			return err
		}
		return out.add(c, done)
	})
	if err == nil && format == "" {
		err = within(file, 0, "it is empty: its first line says %q: %q", "format", fileFormat)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (f *File) head(r *jsontext.Reader, format *string, version *int) error {
	err := members(r, func(key string) bool {
		switch key {
		case "format":
			*format = r.String()
		case "version":
			*version = int(min(max(r.Int(), 0), 1<<30))
		case "chunking":
			f.Chunking = r.String()
		case "separator":
			f.Separator = r.String()
		default:
			return false
		}
		return true
	}, "format, version, chunking, separator")
	switch {
	case err != nil:
		return err
	case *format != fileFormat:
		return errors.New("it is no file of chunks: its first line says \"format\": \"" + fileFormat + "\"")
	case *version > fileVersion:
		return errors.New("a newer Rankbox wrote version " + strconv.Itoa(*version) + ", this one reads version 1")
	case *version < 1:
		return errors.New("it has no version")
	}
	return checkSeparator(f.Separator)
}

// add takes a chunk. done are the documents whose chunks have ended.
func (f *File) add(c Chunk, done map[string]bool) error {
	last := Chunk{Span: Span{-1, -1}}
	if len(f.Chunks) > 0 {
		last = f.Chunks[len(f.Chunks)-1]
	}
	c.Ordinal = 1
	if c.Document == last.Document {
		c.Ordinal = last.Ordinal + 1
	}
	switch {
	case checkID(c.Document) != nil:
		return checkID(c.Document)
	case c.Span.Start < 0 || c.Span.End < c.Span.Start:
		return errors.New("a chunk needs a start, and an end that is not before it")
	case c.Document != last.Document && done[c.Document]:
		return errors.New("the chunks of the document " + strconv.Quote(c.Document) + " are not together")
	case c.Document == last.Document && (c.Span.Start <= last.Span.Start || c.Span.End <= last.Span.End):
		return errors.New("the chunks of the document " + strconv.Quote(c.Document) + " are not in order")
	case c.ID != c.Document+f.Separator+strconv.Itoa(c.Ordinal):
		return errors.New("the chunk " + strconv.Quote(c.ID) + " is not " +
			strconv.Quote(c.Document+f.Separator+strconv.Itoa(c.Ordinal)))
	case len(f.Chunks) == Most:
		return errors.New("more than " + strconv.Itoa(Most) + " chunks")
	}
	done[c.Document] = true
	f.Chunks = append(f.Chunks, c)
	return nil
}
