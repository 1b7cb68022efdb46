//go:build !first

package worker

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

const (
	mostUnsure = 2000 // labels to look at in one file
	around     = 160  // bytes of the text before and behind the place that may be meant
)

// isUnsure says whether a file holds labels that rankbox reanchor was unsure of, by its first line.
func isUnsure(b []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return bytes.HasPrefix(line, []byte("{")) && bytes.Contains(line, []byte(`"candidate_start":`)) &&
		bytes.Contains(line, []byte(`"quote":`))
}

// unsure reads labels to look at, and which documents or chunks of the open collection each would grade. Those that are
// about other documents, or that would grade none, are counted as unknown.
func (x *layering) unsure(name string, b []byte) {
	list, err := chunk.ReadUnsure(name, b)
	if err == nil && len(list) > mostUnsure {
		err = say.Faultf("worker", "it holds %d labels: at most %d are looked at on one device. Split the file",
			len(list),
			mostUnsure)
	}
	open := &chunked{bundle: x.session.Bundle(), fetch: x.session.Fetch}
	if err == nil {
		err = open.read()
	}
	if err != nil {
		x.refuse(name, err)
		return
	}
	of := chunk.ByDocument(open.chunks)
	_, split := open.bundle.Manifest.File(bundle.ChunksName)
	known := map[string]bool{}
	for _, q := range open.bundle.Queries {
		known[q.ID] = true
	}
	out := message.LayerRead{File: name}
	for _, u := range list {
		ids := graded(of[u.Document], &u, split)
		before, after, fits := "", "", len(ids) > 0 && known[u.Query]
		if fits && u.Span.Start >= 0 {
			before, after, fits = x.around(&u, of[u.Document], ids[0], split)
		}
		if !fits {
			out.Unknown++
			continue
		}
		var line bytes.Buffer
		if err := chunk.WriteUnsure(&line, []chunk.Unsure{u}); err != nil {
			x.refuse(name, err)
			return
		}
		out.Unsure = append(out.Unsure, message.Unsure{Line: strings.TrimSpace(line.String()), Before: before,
			After: after, IDs: ids})
	}
	if len(out.Unsure) == 0 {
		x.refuse(name, errors.New("none of its labels is about the documents and queries of "+
			say.Visible(open.bundle.Manifest.Name)+" as they are now: open the collection of the new documents"))
		return
	}
	x.out.List = append(x.out.List, out)
}

// graded are the ids that a label grades: of a document that is not split its own.
func graded(chunks []chunk.Chunk, u *chunk.Unsure, split bool) (ids []string) {
	if !split {
		for _, c := range chunks {
			ids = append(ids, c.ID)
		}
		return ids
	}
	l := chunk.Label{Query: u.Query, Document: u.Document, Span: u.Span, Grade: u.Grade, Whole: u.Span.Start < 0}
	grades, _ := chunk.Grades(chunks, []chunk.Label{l})
	grades.Each(u.Query, func(id string, _ float64) { ids = append(ids, id) })
	return ids
}

// around is the text before and behind the place that may be meant, in the document or the chunk that it grades first.
// fits is false if another text is at that place.
func (x *layering) around(u *chunk.Unsure, chunks []chunk.Chunk, id string, split bool) (before, after string,
	fits bool) {
	at, ok := x.session.Bundle().Ordinal(id)
	if !ok {
		return "", "", false
	}
	text, err := x.session.Texts.Text(uint32(at))
	if err != nil {
		return "", "", false
	}
	begin := 0 // of the text within the document
	for _, c := range chunks {
		if split && c.ID == id {
			begin = c.Span.Start
		}
	}
	from, to := max(u.Span.Start, begin), min(u.Span.End, begin+len(text))
	if from > to || text[from-begin:to-begin] != u.Candidate[from-u.Span.Start:to-u.Span.Start] {
		return "", "", false
	}
	return edge(text[max(0, from-begin-around):from-begin], true), edge(text[to-begin:min(len(text), to-begin+around)],
			false),
		true
}

// edge takes a cut rune off an end of a text, and makes one line of it.
func edge(s string, start bool) string {
	for len(s) > 0 {
		if r, n := utf8.DecodeRuneInString(s); start && r == utf8.RuneError && n == 1 {
			s = s[1:]
		} else if r, n := utf8.DecodeLastRuneInString(s); !start && r == utf8.RuneError && n == 1 {
			s = s[:len(s)-1]
		} else {
			break
		}
	}
	return strings.Join(strings.Fields(s), " ")
}
