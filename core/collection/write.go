package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// RunWriter writes a run as trec_eval reads it, entry by entry: query, Q0, document, rank, score, tag between single
// spaces.
//
// An id that this format cannot hold is an error and writes nothing: one that is empty, that has white space or a zero
// byte in it or invisible characters around it, and a query's "#", which would make a comment of its line. So what was
// written is read back as it was. White space in the tag, which means nothing, becomes '_'; without a tag it is
// "rankbox".
type RunWriter struct {
	o   *output
	tag string
}

// NewRunWriter returns a writer to w.
func NewRunWriter(w io.Writer, tag string) *RunWriter {
	tag = strings.Join(strings.Fields(tag), "_")
	if tag == "" {
		tag = "rankbox"
	}
	return &RunWriter{newOutput(w), tag}
}

// Head writes what the run says about itself, as ir_metadata defines it. It comes before every entry.
func (w *RunWriter) Head(m Metadata) {
	for _, l := range m.lines() {
		w.o.string(l)
		w.o.byte('\n')
	}
}

// Write writes an entry. rank counts from 1; the score is read back as the same float64.
func (w *RunWriter) Write(query, doc string, rank int, score float64) error {
	o := w.o
	n := len(o.buf)
	o.first(query)
	o.string(" Q0 ")
	o.word(doc)
	if o.err != nil {
		o.buf = o.buf[:n]
		return o.err
	}
	o.byte(' ')
	o.int(rank)
	o.byte(' ')
	o.score(score)
	o.byte(' ')
	o.string(w.tag)
	o.byte('\n')
	o.full()
	return o.err
}

// Flush writes out what is buffered, and returns the first error.
func (w *RunWriter) Flush() error { return w.o.flush() }

// WriteTREC writes the run by a RunWriter, in the order in which trec_eval ranks, so that rank and score agree.
// Metadata stands at the head as ir_metadata defines it. Queries without documents cannot be written.
func (r *Run) WriteTREC(w io.Writer) error {
	out := NewRunWriter(w, r.Tag)
	out.Head(r.Metadata)
	var list []Entry
	for i := range r.lists {
		list = r.Ranked(i, DocIDDescending, list)
		for k, e := range list {
			if err := out.Write(r.lists[i].query, e.Doc, k+1, e.Score); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// WriteJSON writes the run as pytrec_eval and ranx keep it, {query: {document: score}}, best documents first.
func (r *Run) WriteJSON(w io.Writer) error {
	o := newOutput(w)
	o.byte('{')
	var list []Entry
	for i := range r.lists {
		if i > 0 {
			o.byte(',')
		}
		o.byte('\n')
		o.id(r.lists[i].query)
		o.string(": {")
		list = r.Ranked(i, DocIDDescending, list)
		for k, e := range list {
			if k > 0 {
				o.string(", ")
			}
			o.id(e.Doc)
			o.string(": ")
			n := len(o.buf)
			o.score(e.Score)
			if !strings.ContainsAny(text(o.buf[n:]), ".e") {
				o.string(".0") // so that it is read back as a run and not as qrels
			}
			o.full()
		}
		o.byte('}')
	}
	o.string("\n}\n")
	return o.flush()
}

// WriteCSV writes the run with the header query_id,doc_id,rank,score,tag.
func (r *Run) WriteCSV(w io.Writer) error {
	o := newOutput(w)
	o.string("query_id,doc_id,rank,score,tag\n")
	var list []Entry
	for i := range r.lists {
		list = r.Ranked(i, DocIDDescending, list)
		for k, e := range list {
			o.idCell(r.lists[i].query)
			o.byte(',')
			o.idCell(e.Doc)
			o.byte(',')
			o.int(k + 1)
			o.byte(',')
			o.score(e.Score)
			o.byte(',')
			o.cell(r.Tag)
			o.byte('\n')
			o.full()
		}
	}
	return o.flush()
}

// each calls f for all judgments, query by query.
func (q *Qrels) each(f func(query, doc string, grade float64)) {
	for i := range q.topics {
		t := &q.topics[i]
		for k := range t.docs {
			f(t.query, t.docs[k].doc, t.docs[k].grade)
		}
	}
}

// WriteTREC writes query, 0, document, grade. Ids that hold white space are an error.
func (q *Qrels) WriteTREC(w io.Writer) error {
	o := newOutput(w)
	q.each(func(query, doc string, grade float64) {
		o.first(query)
		o.string(" 0 ")
		o.word(doc)
		o.byte(' ')
		o.grade(grade)
		o.byte('\n')
		o.full()
	})
	return o.flush()
}

// WriteTSV writes BEIR's qrels: a header, then query, document, grade between tabs.
func (q *Qrels) WriteTSV(w io.Writer) error {
	o := newOutput(w)
	o.string("query-id\tcorpus-id\tscore\n")
	q.each(func(query, doc string, grade float64) {
		o.first(query)
		o.byte('\t')
		o.word(doc)
		o.byte('\t')
		o.grade(grade)
		o.byte('\n')
		o.full()
	})
	return o.flush()
}

// WriteJSON writes the qrels as pytrec_eval and ranx keep them, {query: {document: grade}}.
func (q *Qrels) WriteJSON(w io.Writer) error {
	o := newOutput(w)
	o.byte('{')
	q.writeTopics(o)
	o.string("\n}\n")
	return o.flush()
}

// writeTopics writes the members of that object.
func (q *Qrels) writeTopics(o *output) {
	for i := range q.topics {
		t := &q.topics[i]
		if i > 0 {
			o.byte(',')
		}
		o.byte('\n')
		o.id(t.query)
		o.string(": {")
		for k := range t.docs {
			if k > 0 {
				o.string(", ")
			}
			o.id(t.docs[k].doc)
			o.string(": ")
			o.grade(t.docs[k].grade)
			o.full()
		}
		o.byte('}')
	}
}

// WriteCSV writes the qrels with the header query_id,doc_id,relevance.
func (q *Qrels) WriteCSV(w io.Writer) error {
	o := newOutput(w)
	o.string("query_id,doc_id,relevance\n")
	q.each(func(query, doc string, grade float64) {
		o.idCell(query)
		o.byte(',')
		o.idCell(doc)
		o.byte(',')
		o.grade(grade)
		o.byte('\n')
		o.full()
	})
	return o.flush()
}

// WriteTREC writes query, subtopic, document, grade.
func (d *Diversity) WriteTREC(w io.Writer) error {
	o := newOutput(w)
	for i := range d.topics {
		t := &d.topics[i]
		for k, doc := range t.docs {
			for _, g := range t.grades[k] {
				if o.err == nil && strings.HasPrefix(t.query, "#") {
					o.err = errors.New("collection: write: the id " + strconv.Quote(t.query) +
						" would make a comment of its line")
				}
				o.first(t.query)
				o.byte(' ')
				o.word(t.subtopics[g.Subtopic])
				o.byte(' ')
				o.word(doc)
				o.byte(' ')
				o.grade(g.Grade)
				o.byte('\n')
				o.full()
			}
		}
	}
	return o.flush()
}

// WriteCorpus writes documents as BEIR's corpus.jsonl, with what they have of date, category, uri, page, entities and
// news as metadata.
func WriteCorpus(w io.Writer, docs []Doc) error {
	o := newOutput(w)
	for i := range docs {
		d := &docs[i]
		o.string(`{"_id": `)
		o.named(d.ID)
		o.string(`, "title": `)
		o.json(d.Title)
		o.string(`, "text": `)
		o.json(d.Text)
		o.string(`, "metadata": {`)
		sep := ""
		label := func(key, value string) {
			if value != "" {
				o.string(sep + `"` + key + `": `)
				o.json(value)
				sep = ", "
			}
		}
		label("date", d.Date)
		label("category", d.Category)
		label("uri", d.URI)
		if d.Page != 0 {
			o.string(sep + `"page": `)
			o.int(d.Page)
			sep = ", "
		}
		if n := d.News; n != nil {
			label("time", n.Time)
			label("byline", n.Byline)
			label("story", n.Story)
			label("duplicate_of", n.DuplicateOf)
			if len(n.Updates) > 0 {
				o.string(sep + `"updates": [`)
				for k, id := range n.Updates {
					if k > 0 {
						o.string(", ")
					}
					o.json(id)
				}
				o.byte(']')
				sep = ", "
			}
		}
		if len(d.Entities) > 0 {
			o.string(sep + `"entities": [`)
			for k, e := range d.Entities {
				if k > 0 {
					o.string(", ")
				}
				o.string(`{"name": `)
				o.json(e.Name)
				o.string(`, "type": `)
				o.json(e.Kind)
				o.string(`, "confidence": `)
				o.score(e.Confidence)
				o.byte('}')
			}
			o.byte(']')
		}
		o.string("}}\n")
		o.full()
	}
	return o.flush()
}

// WriteQueries writes queries as BEIR's queries.jsonl, with what they have of type, difficulty, domain, description and
// narrative as metadata.
func WriteQueries(w io.Writer, queries []Query) error {
	o := newOutput(w)
	for _, q := range queries {
		o.string(`{"_id": `)
		o.named(q.ID)
		o.string(`, "text": `)
		o.json(q.Text)
		o.string(`, "metadata": {`)
		sep := ""
		for _, l := range [...][2]string{{"type", q.Type}, {"difficulty", q.Difficulty}, {"domain", q.Domain},
			{"description", q.Description}, {"narrative", q.Narrative}} {
			if l[1] != "" {
				o.string(sep + `"` + l[0] + `": `)
				o.json(l[1])
				sep = ", "
			}
		}
		o.string("}}\n")
		o.full()
	}
	return o.flush()
}

// WriteQueriesTSV writes id and text between tabs; white space within a text becomes single spaces.
func WriteQueriesTSV(w io.Writer, queries []Query) error {
	o := newOutput(w)
	for _, q := range queries {
		o.inner(q.ID)
		o.first(q.ID)
		o.byte('\t')
		o.string(strings.Join(strings.Fields(q.Text), " "))
		o.byte('\n')
		o.full()
	}
	return o.flush()
}

// WriteTopics writes queries as TREC topics, with the text as title, and with description and narrative where they have
// them.
func WriteTopics(w io.Writer, queries []Query) error {
	o := newOutput(w)
	for _, q := range queries {
		o.string("<top>\n<num> Number: ")
		o.inner(q.ID)
		if o.err == nil && (!utf8.ValidString(q.ID) || len(strings.Fields(q.ID)) != 1 ||
			strings.Join(strings.Fields(q.ID), "") != q.ID) {
			o.err = errors.New("collection: write: id " + strconv.Quote(q.ID) +
				" is not UTF-8 or holds a space of some kind, which topics cannot hold")
		}
		o.word(escapeMarkup(q.ID))
		o.string("\n<title> ")
		o.string(escapeMarkup(strings.Join(strings.Fields(q.Text), " ")))
		for _, f := range [...][2]string{{"<desc> Description: ", q.Description}, {"<narr> Narrative: ", q.Narrative}} {
			if f[1] != "" {
				o.string("\n" + f[0])
				o.string(escapeMarkup(strings.Join(strings.Fields(f[1]), " ")))
			}
		}
		o.string("\n</top>\n\n")
		o.full()
	}
	return o.flush()
}

func escapeMarkup(s string) string {
	s = strings.ReplaceAll(s, "&", "&amp;")
	s = strings.ReplaceAll(s, "<", "&lt;")
	return strings.ReplaceAll(s, ">", "&gt;")
}
