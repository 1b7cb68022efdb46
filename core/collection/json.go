package collection

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// json returns a reader of the whole of r as one JSON text, behind a byte order mark.
func (d *reading) json(r io.Reader) (*jsontext.Reader, error) {
	var mark [3]byte
	n, err := io.ReadFull(r, mark[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, d.fail(0, err)
	}
	b := mark[:n]
	if string(b) == "\ufeff" {
		b = nil
	}
	return jsontext.New(io.MultiReader(strings.NewReader(string(b)), r), jsontext.Limits{
		Depth: d.opt.Limits.Depth, Token: d.opt.Limits.Line, LoneSurrogates: true,
	}), nil
}

// ended finishes a JSON text.
func (d *reading) ended(j *jsontext.Reader) error {
	j.End()
	if err := j.Err(); err != nil {
		return d.fail(1, err)
	}
	d.c.Lines = j.Line()
	if n := j.Replaced(); n > 0 {
		d.w.add(LoneSurrogate, d.name, 0, n, nil, func() string {
			return "an unpaired surrogate was replaced by U+FFFD"
		})
	}
	return nil
}

// bounded is a source bounded by the limits of the JSON shapes.
type bounded struct {
	r    io.Reader
	left int64
	max  int64
}

func (s *bounded) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if s.left -= int64(n); s.left < 0 {
		return 0, &LimitError{"JSONBytes", "bytes", s.max, s.max - s.left}
	}
	return n, err
}

func (d *reading) bounded(r io.Reader) io.Reader {
	return &bounded{r, d.opt.Limits.JSONBytes, d.opt.Limits.JSONBytes}
}

// scoresMax is the highest integer that is still taken for a grade where a file of integers may be a run or qrels.
const scoresMax = 100

// scores reads {query: {document: number}}: qrels as long as every number is an integer that may be a grade, else a
// run. It is one function because what a file is may be settled by its last number.
func (d *reading) scores(r io.Reader) error {
	j, err := d.json(r)
	if err != nil {
		return err
	}
	var q *Qrels
	var b *RunBuilder
	if d.c.Format == QrelsJSON {
		q = NewQrels()
	} else {
		b = d.builder()
	}
	forced := d.opt.Kind != Unknown
	var query, doc, own []byte
	n := 0
	for j.BeginObject(); j.More(); {
		id := j.Key()
		if j.Err() != nil {
			break
		}
		line := j.Line()
		query = append(query[:0], tidy(&d.w, d.name, line, id)...)
		if len(query) == 0 {
			return d.fail(line, errors.New("empty query id"))
		}
		if j.Peek() != '{' {
			j.BeginObject() // fails
			break
		}
		if q != nil && q.Has(string(query)) || b != nil && b.run.find(query) >= 0 {
			key := string(query)
			d.w.add(DuplicateID, d.name, line, 1, query, func() string {
				return "query " + strconv.Quote(key) +
					" is there again; its documents are merged (Python's json keeps only the last ones)"
			})
		}
		if q != nil {
			q.topic(query)
		} else if err := b.Touch(string(query)); err != nil {
			return d.fail(line, err)
		}
		j.BeginObject()
		for {
			id, v, ok := j.PlainMember()
			line := j.Line()
			if ok {
				doc = tidy(&d.w, d.name, line, id)
			} else {
				if !j.More() {
					break
				}
				id := j.Key()
				if j.Err() != nil {
					break
				}
				line = j.Line()
				own = append(own[:0], tidy(&d.w, d.name, line, id)...)
				doc = own
				v = j.Number()
				if j.Err() != nil {
					break
				}
			}
			if len(doc) == 0 {
				return d.fail(line, errors.New("empty document id for query "+strconv.Quote(clip(query))))
			}
			if n++; n > d.opt.Limits.Entries {
				return d.fail(line, &LimitError{"Entries", "entries", int64(d.opt.Limits.Entries), int64(n)})
			}
			if q != nil && !forced {
				switch grade := d.mayBeGrade(v); {
				case grade:
				case d.opt.Prefer == QrelsTREC:
					return d.fail(line, noGrade(query, doc, v))
				default:
					b = d.builder() // it is a run after all
					for i := range q.topics {
						t := &q.topics[i]
						if err := b.Touch(t.query); err != nil {
							return d.fail(line, err)
						}
						for k := range t.docs {
							if err := b.add(view(t.query), view(t.docs[k].doc), t.docs[k].grade, noRank,
								line); err != nil {
								return d.fail(line, err)
							}
						}
					}
					d.w.drop(NegativeGrade, LowGrade, DuplicateJudgment, ConflictingGrade)
					q = nil
				}
			}
			if q != nil {
				grade, err := d.grade(line, v)
				if err != nil {
					return err
				}
				if err := q.note(&d.w, d.name, line, query, doc, grade); err != nil {
					return d.fail(line, err)
				}
				continue
			}
			score, err := parseScore(v)
			if err == nil {
				err = b.add(query, doc, score, noRank, line)
			}
			if err != nil {
				return d.fail(line, err)
			}
		}
	}
	if err := d.ended(j); err != nil {
		return err
	}
	if n == 0 {
		return d.fail(0, errors.New("no entries"))
	}
	if b != nil {
		d.c.Format = RunJSON
		d.finishRun(b)
		return nil
	}
	d.c.Format, d.c.Qrels = QrelsJSON, q
	for _, t := range q.topics {
		if len(t.docs) == 0 {
			d.w.add(EmptyQuery, d.name, 0, 1, view(t.query), func() string {
				return "query " + strconv.Quote(t.query) + " has no judgments"
			})
		}
	}
	return nil
}

// noGrade says that a file that was said to hold judgments has a number that is no grade.
func noGrade(query, doc, v []byte) error {
	return errors.New("grade " + clip(v) + " of document " + strconv.Quote(clip(doc)) + " for query " +
		strconv.Quote(clip(query)) +
		" is no grade: grades with decimals are from 0 to " + strconv.Itoa(mostDecimal) + ", and scores are read as a run")
}

// mostDecimal is the largest grade with decimals: larger numbers are scores.
const mostDecimal = 10

// mayBeGrade reports whether a number is taken for a grade: one that is written as a small integer, and if the file was
// said to hold judgments any whole one, as 3.0, and a small one with decimals.
func (d *reading) mayBeGrade(v []byte) bool {
	g, whole, err := parseGrade(v)
	if err != nil {
		return false
	}
	if d.opt.Prefer == QrelsTREC {
		return g == math.Trunc(g) || g >= 0 && g <= mostDecimal
	}
	return whole && g <= scoresMax
}

// UnknownField is the kind of warning about a member of a JSON object that is passed over.
const UnknownField = "unknown-field"

func (d *reading) unknownField(j *jsontext.Reader, where, key string) {
	d.w.add(UnknownField, d.name, j.Line(), 1, view(key), func() string {
		return strconv.Quote(key) + " of " + where + " is unknown and ignored"
	})
	j.Skip()
}

// limitQueries refuses one query too many.
func (d *reading) limitQueries(j *jsontext.Reader, n int) bool {
	if n <= d.opt.Limits.JSONQueries {
		return true
	}
	j.Fail(d.fail(j.Line(), &LimitError{"JSONQueries", "queries", int64(d.opt.Limits.JSONQueries), int64(n)}))
	return false
}

// limitJudgments refuses one judgment of a query too many.
func (d *reading) limitJudgments(j *jsontext.Reader, n int) bool {
	if n <= d.opt.Limits.JSONJudgments {
		return true
	}
	j.Fail(d.fail(j.Line(), &LimitError{"JSONJudgments", "judgments of a query", int64(d.opt.Limits.JSONJudgments),
		int64(n)}))
	return false
}

// text takes a string, and null for none.
func textOf(j *jsontext.Reader) string {
	if j.Peek() == 'n' {
		j.Null()
		return ""
	}
	return j.String()
}

// word takes a string or, with its digits, a number; null is none.
func wordOf(j *jsontext.Reader) string {
	if j.Peek() == '0' {
		return string(j.Number())
	}
	return textOf(j)
}

// gradeOf takes a grade from 0 to most.
func (d *reading) gradeOf(j *jsontext.Reader, most int64) float64 {
	line := j.Line()
	b := j.Number()
	if j.Err() != nil {
		return 0
	}
	g, err := readGrade(&d.w, d.name, line, b)
	if v, _ := parseScore(b); err == nil && most > 0 && (v < 0 || v > float64(most)) {
		err = errors.New("grade " + clip(b) + " is not within 0 to " + strconv.FormatInt(most, 10))
	}
	if err != nil {
		j.Fail(d.fail(line, err))
	}
	return g
}

// scalars takes an object and returns its scalars with the keys that lead to them.
func scalars(j *jsontext.Reader, path []string, m Metadata) Metadata {
	add := func(v string) { m = append(m, Field{Path: append([]string(nil), path...), Value: v}) }
	switch j.Peek() {
	case '{':
		for j.BeginObject(); j.More(); {
			m = scalars(j, append(path, string(j.Key())), m)
		}
	case '[':
		i := 0
		for j.BeginArray(); j.More(); i++ {
			m = scalars(j, append(path, strconv.Itoa(i)), m)
		}
	case '"':
		add(j.String())
	case '0':
		add(string(j.Number()))
	case 't', 'f':
		add(strconv.FormatBool(j.Bool()))
	default:
		j.Skip()
	}
	return m
}

// dataset reads a dataset JSON: {"metadata","queries":{id:{…}},"documents":{id:{…}},"qrels":{qid:{did:grade}}}, its
// members in any order. It is one switch over the members of the format, each read where it stands.
func (d *reading) dataset(r io.Reader) error {
	j, err := d.json(d.bounded(r))
	if err != nil {
		return err
	}
	c := &Collection{Qrels: NewQrels()}
	queries, docs := map[string]struct{}{}, map[string]struct{}{}
	lines := map[string]int{} // where a query or document was first judged, for "unknown" warnings
	for m := d.members(j); j.More(); {
		switch key := m.key(); key {
		case "metadata":
			c.about(scalars(j, nil, nil))
		case "queries":
			for j.BeginObject(); j.More(); {
				line := j.Line()
				q := Query{ID: string(tidy(&d.w, d.name, line, j.Key()))}
				for m := d.members(j); j.More(); {
					switch key := m.key(); key {
					case "query_id":
						if id := wordOf(j); id != q.ID && j.Err() == nil {
							d.w.add(NonStandardDialect, d.name, line, 1, view(q.ID), func() string {
								return "query_id " + strconv.Quote(id) + " stands under the key " +
									strconv.Quote(q.ID) + "; the key is taken"
							})
						}
					case "text":
						q.Text = textOf(j)
					case "query_type", "type":
						q.Type = textOf(j)
					case "difficulty":
						q.Difficulty = textOf(j)
					case "domain":
						q.Domain = textOf(j)
					default:
						d.unknownField(j, "a query", key)
					}
				}
				if j.Err() != nil {
					break
				}
				if q.ID == "" {
					return d.fail(line, errors.New("empty query id"))
				}
				if err := d.addQuery(queries, line, q); err != nil {
					return err
				}
				if !d.limitQueries(j, len(queries)) {
					break
				}
			}
		case "documents":
			for j.BeginObject(); j.More(); {
				line := j.Line()
				doc := Doc{ID: string(tidy(&d.w, d.name, line, j.Key()))}
				for m := d.members(j); j.More(); {
					switch key := m.key(); key {
					case "doc_id":
						if id := wordOf(j); id != doc.ID && j.Err() == nil {
							d.w.add(NonStandardDialect, d.name, line, 1, view(doc.ID), func() string {
								return "doc_id " + strconv.Quote(id) + " stands under the key " +
									strconv.Quote(doc.ID) + "; the key is taken"
							})
						}
					case "text":
						doc.Text = textOf(j)
					case "source":
						doc.URI = textOf(j)
					case "section", "title":
						doc.Title = textOf(j)
					case "page_number":
						if j.Peek() == 'n' {
							j.Null()
							break
						}
						if page := j.Int(); page <= math.MaxInt32 {
							doc.Page = int(max(page, 0))
						}
					default:
						d.unknownField(j, "a document", key)
					}
				}
				if j.Err() != nil {
					break
				}
				if doc.ID == "" {
					return d.fail(line, errors.New("empty document id"))
				}
				if err := d.addDoc(docs, line, doc); err != nil {
					return err
				}
			}
		case "qrels":
			for j.BeginObject(); j.More(); {
				line := j.Line()
				query := append([]byte(nil), tidy(&d.w, d.name, line, j.Key())...)
				n := 0
				if _, ok := lines["q"+string(query)]; !ok {
					lines["q"+string(query)] = line
				}
				c.Qrels.topic(query)
				for j.BeginObject(); j.More(); {
					line := j.Line()
					doc := append([]byte(nil), tidy(&d.w, d.name, line, j.Key())...)
					grade := d.gradeOf(j, 0)
					if n++; !d.limitJudgments(j, n) || j.Err() != nil {
						break
					}
					if len(query) == 0 || len(doc) == 0 {
						return d.fail(line, errors.New("empty id"))
					}
					if _, ok := lines["d"+string(doc)]; !ok {
						lines["d"+string(doc)] = line
					}
					if err := c.Qrels.note(&d.w, d.name, line, query, doc, grade); err != nil {
						return d.fail(line, err)
					}
				}
			}
		default:
			d.unknownField(j, "the dataset", key)
		}
	}
	if err := d.ended(j); err != nil {
		return err
	}
	if len(queries) == 0 {
		return d.fail(0, errors.New("a dataset without queries"))
	}
	for i := range c.Qrels.topics {
		t := &c.Qrels.topics[i]
		if _, ok := queries[t.query]; !ok {
			d.w.add(UnknownQuery, d.name, lines["q"+t.query], 1, view(t.query), func() string {
				return "judged query " + strconv.Quote(t.query) + " has no text"
			})
		}
		for k := range t.docs {
			if doc := t.docs[k].doc; len(docs) > 0 {
				if _, ok := docs[doc]; !ok {
					d.w.add(UnknownDocument, d.name, lines["d"+doc], 1, view(doc), func() string {
						return "judged document " + strconv.Quote(doc) + " is not in the collection"
					})
				}
			}
		}
	}
	c.Queries, c.Docs = d.c.Queries, d.c.Docs
	c.Warnings = d.w.list
	d.c.Collection, d.c.Qrels = c, c.Qrels
	return nil
}

// judgedQueries reads a judged-query JSON: [{"query","type","relevant_articles":{id:grade}}]. A query's id is its
// place, from 1, unless it brings one. It is one switch over the members of the format.
func (d *reading) judgedQueries(r io.Reader) error {
	j, err := d.json(d.bounded(r))
	if err != nil {
		return err
	}
	q := NewQrels()
	known := map[string]struct{}{}
	n := 0
	for j.BeginArray(); j.More(); {
		n++
		line := j.Line()
		query := Query{ID: strconv.Itoa(n)}
		type judged struct {
			line  int
			doc   []byte
			grade float64
		}
		var list []judged
		sawQuery, sawJudgments := false, false
		for m := d.members(j); j.More(); {
			switch key := m.key(); key {
			case "query":
				query.Text, sawQuery = j.String(), true
			case "type", "query_type":
				query.Type = textOf(j)
			case "difficulty":
				query.Difficulty = textOf(j)
			case "domain":
				query.Domain = textOf(j)
			case "id", "query_id", "qid":
				query.ID = string(tidy(&d.w, d.name, j.Line(), view(wordOf(j))))
			case "relevant_articles":
				sawJudgments = true
				for j.BeginObject(); j.More(); {
					line := j.Line()
					doc := append([]byte(nil), tidy(&d.w, d.name, line, j.Key())...)
					g := d.gradeOf(j, 0)
					if j.Err() == nil && len(doc) == 0 {
						return d.fail(line, errors.New("empty document id"))
					}
					list = append(list, judged{line, doc, g})
					if !d.limitJudgments(j, len(list)) {
						break
					}
				}
			default:
				d.unknownField(j, "a query", key)
			}
		}
		if j.Err() != nil {
			break
		}
		switch {
		case !sawQuery:
			return d.fail(line, errors.New(`element `+strconv.Itoa(n)+
				` has no "query": judged queries are [{"query", "relevant_articles": {id: grade}}]; rows of a table `+
				`are read as CSV`))
		case !sawJudgments:
			return d.fail(line, errors.New(`element `+strconv.Itoa(n)+` has no "relevant_articles"`))
		case query.ID == "":
			return d.fail(line, errors.New("empty query id"))
		}
		if !d.limitQueries(j, n) {
			break
		}
		had := len(d.c.Queries)
		if err := d.addQuery(known, line, query); err != nil {
			return err
		}
		if len(d.c.Queries) == had {
			continue
		}
		q.Touch(query.ID)
		for _, v := range list {
			if err := q.note(&d.w, d.name, v.line, view(query.ID), v.doc, v.grade); err != nil {
				return d.fail(v.line, err)
			}
		}
	}
	if err := d.ended(j); err != nil {
		return err
	}
	if n == 0 {
		return d.fail(0, errors.New("no queries"))
	}
	d.c.Qrels = q
	return nil
}

// WriteDataset writes a collection as dataset JSON.
func WriteDataset(w io.Writer, c *Collection) error {
	o := newOutput(w)
	o.string(`{"metadata": {"name": `)
	o.json(c.Name)
	o.string(`, "license": `)
	o.json(c.License)
	o.string(`, "source": `)
	o.json(c.Source)
	o.string("},\n\"queries\": {")
	for i, q := range c.Queries {
		if i > 0 {
			o.byte(',')
		}
		o.byte('\n')
		o.named(q.ID)
		o.string(`: {"query_id": `)
		o.json(q.ID)
		o.string(`, "text": `)
		o.json(q.Text)
		o.string(`, "query_type": `)
		o.json(q.Type)
		o.string(`, "difficulty": `)
		o.json(q.Difficulty)
		o.string(`, "domain": `)
		o.json(q.Domain)
		o.byte('}')
		o.full()
	}
	o.string("\n},\n\"documents\": {")
	for i, d := range c.Docs {
		if i > 0 {
			o.byte(',')
		}
		o.byte('\n')
		o.named(d.ID)
		o.string(`: {"doc_id": `)
		o.json(d.ID)
		o.string(`, "text": `)
		o.json(d.Text)
		o.string(`, "source": `)
		o.json(d.URI)
		if d.Page != 0 {
			o.string(`, "page_number": `)
			o.int(d.Page)
		}
		o.string(`, "section": `)
		o.json(d.Title)
		o.byte('}')
		o.full()
	}
	o.string("\n},\n\"qrels\": {")
	if c.Qrels != nil {
		c.Qrels.writeTopics(o)
	}
	o.string("\n}}\n")
	return o.flush()
}

// WriteJudgedQueries writes queries with their judgments as judged-query JSON; each keeps its id as "id".
func WriteJudgedQueries(w io.Writer, queries []Query, qrels *Qrels) error {
	o := newOutput(w)
	o.byte('[')
	for i, q := range queries {
		if i > 0 {
			o.byte(',')
		}
		o.string("\n{\"id\": ")
		o.named(q.ID)
		o.string(`, "query": `)
		o.json(q.Text)
		o.string(`, "type": `)
		o.json(q.Type)
		o.string(`, "relevant_articles": {`)
		first := true
		qrels.Each(q.ID, func(doc string, grade float64) {
			if !first {
				o.string(", ")
			}
			first = false
			o.id(doc)
			o.string(": ")
			o.grade(grade)
		})
		o.string("}}")
		o.full()
	}
	o.string("\n]\n")
	return o.flush()
}
