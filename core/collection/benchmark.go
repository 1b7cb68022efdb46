package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// Benchmark is a benchmark JSON: queries whose judged documents are named by references that have to be resolved
// against a collection.
type Benchmark struct {
	File     string
	Version  string // of the schema: "1.0"
	Metadata Metadata
	Queries  []BenchmarkQuery
}

// BenchmarkQuery is a query with its judged documents.
type BenchmarkQuery struct {
	Key      string
	Text     string
	Relevant []BenchmarkJudgment
}

// BenchmarkJudgment is a reference to a document with its grade, 0 to 3. Line is where it stands in the file.
type BenchmarkJudgment struct {
	Ref   DocRef
	Grade float64
	Line  int
}

// DocRef names a document by up to five keys, "" where it has none.
type DocRef struct {
	DocumentID  string
	URI         string
	ContentHash string // SHA-256 of the document's text, in hexadecimal
	Path        string
	FileName    string
}

// String returns the first key that the reference has, as "key=value".
func (r DocRef) String() string {
	for _, k := range r.keys() {
		if k[1] != "" {
			return k[0] + "=" + k[1]
		}
	}
	return "empty reference"
}

// keys returns the keys in the order in which they are tried.
func (r DocRef) keys() [5][2]string {
	return [5][2]string{{"document_id", r.DocumentID}, {"uri", r.URI}, {"content_hash", r.ContentHash},
		{"path", r.Path}, {"file_name", r.FileName}}
}

// Resolver finds the documents of a collection by references.
type Resolver struct {
	docs []Doc
	id   map[string]int32
	maps [3]map[string][]int32 // by uri, content hash, file name; made when first asked for
}

// NewResolver returns the resolver of a collection's documents. Their texts are hashed only if a reference asks for a
// hash.
func NewResolver(docs []Doc) *Resolver {
	r := &Resolver{docs: docs, id: make(map[string]int32, len(docs))}
	for i := range docs {
		r.id[docs[i].ID] = int32(i)
	}
	return r
}

const (
	byURI = iota
	byHash
	byName
)

// by returns the documents with a value of a key.
func (r *Resolver) by(kind int, value string) []int32 {
	if r.maps[kind] == nil {
		m := make(map[string][]int32, len(r.docs))
		for i := range r.docs {
			key := ""
			switch kind {
			case byURI:
				key = plainURI(r.docs[i].URI)
			case byHash:
				key = sha256.Hex(view(r.docs[i].Text))
			case byName:
				key = fileName(r.docs[i].URI)
			}
			if key != "" {
				m[key] = append(m[key], int32(i))
			}
		}
		r.maps[kind] = m
	}
	return r.maps[kind][value]
}

// plainURI takes "file://" off a URI and makes its slashes forward ones, so that a path equals the URI of its file.
func plainURI(s string) string {
	s = strings.ReplaceAll(s, `\`, "/")
	return strings.TrimPrefix(s, "file://")
}

// fileName returns the last element of a path, or of the path of a URI.
func fileName(s string) string {
	s = plainURI(s)
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	return s[strings.LastIndexByte(s, '/')+1:]
}

// Find resolves a reference: its keys document_id, uri, content_hash, path and file_name are tried in that order and
// the first that names exactly one document decides. A key that names several is passed over; where none decides, those
// several are returned.
func (r *Resolver) Find(ref DocRef) (doc string, by string, ambiguous []string) {
	for _, k := range ref.keys() {
		key, value := k[0], strings.TrimSpace(k[1])
		if value == "" {
			continue
		}
		var found []int32
		switch key {
		case "document_id":
			if i, ok := r.id[value]; ok {
				found = []int32{i}
			}
		case "uri", "path":
			found = r.by(byURI, plainURI(value))
		case "content_hash":
			h := strings.ToLower(value)
			found = r.by(byHash, strings.TrimPrefix(h, "sha256:"))
		case "file_name":
			found = r.by(byName, fileName(value))
		}
		if len(found) == 1 {
			return r.docs[found[0]].ID, key, nil
		}
		if found != nil && ambiguous == nil {
			by = key
			for _, k := range sorted(len(found), func(i, j int32) int {
				return strings.Compare(r.docs[found[i]].ID, r.docs[found[j]].ID)
			}) {
				ambiguous = append(ambiguous, r.docs[found[k]].ID)
			}
		}
	}
	return "", by, ambiguous
}

// Unresolved is a reference that names no document of the collection, or several.
type Unresolved struct {
	Query     string
	Ref       DocRef
	Grade     float64
	Line      int
	By        string   // the key that names several documents
	Ambiguous []string // those documents, in byte order; nil where none was found
}

// Resolved is a Benchmark whose references were looked up in a collection.
type Resolved struct {
	Queries    []Query
	Qrels      *Qrels
	Unresolved []Unresolved
	Warnings   []Warning
}

// Resolve looks all references up. An ambiguous or unresolved reference is reported; what it names counts as judged
// with its grade, under an id that no run can hold ("unresolved: uri=…"), so that it is never found and adds nothing to
// a score, but still counts among what was to be found. With leaveOut it is left out of the qrels instead. Where two
// references of a query name one document the higher grade counts.
func (b *Benchmark) Resolve(r *Resolver, leaveOut bool) *Resolved {
	out := &Resolved{Qrels: NewQrels()}
	var w warner
	for _, q := range b.Queries {
		out.Queries = append(out.Queries, Query{ID: q.Key, Text: q.Text})
		out.Qrels.Touch(q.Key)
		for i, j := range q.Relevant {
			doc, by, several := r.Find(j.Ref)
			if doc != "" {
				if old, ok := out.Qrels.Grade(q.Key, doc); ok {
					w.add(DuplicateJudgment, b.File, j.Line, 1, view(doc), func() string {
						return "document " + strconv.Quote(doc) + " is referenced again for query " +
							strconv.Quote(q.Key) + "; the higher grade counts"
					})
					j.Grade = max(j.Grade, old)
				}
				out.Qrels.Add(q.Key, doc, j.Grade)
				continue
			}
			out.Unresolved = append(out.Unresolved, Unresolved{q.Key, j.Ref, j.Grade, j.Line, by, several})
			kind, what := UnresolvedReference, "names no document of the collection"
			if several != nil {
				kind, what = AmbiguousReference, "names "+strconv.Itoa(len(several))+" documents by its "+by
			}
			w.add(kind, b.File, j.Line, 1, view(j.Ref.String()), func() string { return j.Ref.String() + " " + what })
			if !leaveOut {
				out.Qrels.Add(q.Key, "unresolved: "+j.Ref.String()+" #"+strconv.Itoa(i+1), j.Grade)
			}
		}
	}
	if n := len(out.Unresolved); n > 0 {
		all := 0
		for _, q := range b.Queries {
			all += len(q.Relevant)
		}
		what := "count as judged and never found"
		if leaveOut {
			what = "are omitted"
		}
		out.Warnings = []Warning{{Kind: PartialBenchmark, File: b.File, Count: n,
			Places: []Place{{0, out.Unresolved[0].Ref.String()}},
			Message: "PARTIAL: " + strconv.Itoa(n) + " of " + say.Count(all, "reference", "references") +
				" to documents could not be resolved; they " + what}}
	}
	out.Warnings = append(out.Warnings, w.list...)
	return out
}

// Kinds of warnings about references.
const (
	UnresolvedReference = "unresolved-reference"
	AmbiguousReference  = "ambiguous-reference"
	PartialBenchmark    = "partial" // all of those together: the status of the whole
)

// benchmark reads a benchmark JSON.
func (d *reading) benchmark(r io.Reader) error {
	j, err := d.json(d.bounded(r))
	if err != nil {
		return err
	}
	b := &Benchmark{File: d.name}
	known := map[string]struct{}{}
	for m := d.members(j); j.More(); {
		switch key := m.key(); key {
		case "schema_version":
			line := j.Line()
			b.Version = wordOf(j)
			if j.Err() == nil && b.Version != "1.0" {
				return d.fail(line, errors.New("schema_version "+strconv.Quote(b.Version)+" is not known (1.0 is)"))
			}
		case "metadata":
			b.Metadata = scalars(j, nil, nil)
		case "queries":
			for j.BeginArray(); j.More(); {
				line := j.Line()
				q, ok := d.benchmarkQuery(j)
				if j.Err() != nil {
					break
				}
				if !ok {
					return d.fail(line, errors.New("query "+strconv.Itoa(len(b.Queries)+1)+
						` needs "query_key", "query_text" and "relevant_docs"`))
				}
				if _, ok := known[q.Key]; ok {
					d.w.add(DuplicateID, d.name, line, 1, view(q.Key), func() string {
						return "query " + strconv.Quote(q.Key) + " is repeated; the first counts"
					})
					continue
				}
				known[q.Key] = struct{}{}
				if blankText(q.Text) {
					d.w.add(EmptyQuery, d.name, line, 1, view(q.Key), func() string {
						return "query " + strconv.Quote(q.Key) + " has no text"
					})
				}
				b.Queries = append(b.Queries, q)
				if !d.limitQueries(j, len(b.Queries)) {
					break
				}
			}
		default:
			d.unknownField(j, "the benchmark", key)
		}
	}
	if err := d.ended(j); err != nil {
		return err
	}
	switch {
	case b.Version == "":
		return d.fail(0, errors.New(`no "schema_version"`))
	case len(b.Queries) == 0:
		return d.fail(0, errors.New("no queries"))
	}
	d.c.Benchmark = b
	return nil
}

func (d *reading) benchmarkQuery(j *jsontext.Reader) (q BenchmarkQuery, ok bool) {
	seen := 0
	for m := d.members(j); j.More(); {
		switch key := m.key(); key {
		case "query_key":
			line := j.Line()
			q.Key = string(tidy(&d.w, d.name, line, view(wordOf(j))))
			if q.Key != "" {
				seen |= 1
			}
		case "query_text":
			q.Text = j.String()
			seen |= 2
		case "relevant_docs":
			seen |= 4
			for j.BeginArray(); j.More(); {
				v := BenchmarkJudgment{Line: j.Line()}
				graded, referred := false, false
				for m := d.members(j); j.More(); {
					switch key := m.key(); key {
					case "doc_ref":
						referred = true
						for m := d.members(j); j.More(); {
							switch key := m.key(); key {
							case "document_id":
								v.Ref.DocumentID = wordOf(j)
							case "uri":
								v.Ref.URI = textOf(j)
							case "content_hash":
								v.Ref.ContentHash = textOf(j)
							case "path":
								v.Ref.Path = textOf(j)
							case "file_name":
								v.Ref.FileName = textOf(j)
							default:
								d.unknownField(j, "a doc_ref", key)
							}
						}
					case "relevance_grade":
						graded = true
						v.Grade = d.gradeOf(j, 3)
					default:
						d.unknownField(j, "a judgment", key)
					}
				}
				if j.Err() != nil {
					return q, false
				}
				if !graded || !referred || v.Ref == (DocRef{}) {
					j.Fail(d.fail(v.Line, errors.New(
						`a judgment needs "doc_ref" with at least one key and "relevance_grade"`)))
					return q, false
				}
				q.Relevant = append(q.Relevant, v)
				if !d.limitJudgments(j, len(q.Relevant)) {
					return q, false
				}
			}
		default:
			d.unknownField(j, "a query", key)
		}
	}
	return q, seen == 7
}

// WriteBenchmark writes a benchmark as it is read.
func WriteBenchmark(w io.Writer, b *Benchmark) error {
	o := newOutput(w)
	o.string(`{"schema_version": "1.0", "metadata": `)
	o.nested(b.Metadata.tree(), 0)
	o.string(", \"queries\": [")
	for i, q := range b.Queries {
		if i > 0 {
			o.byte(',')
		}
		o.string("\n{\"query_key\": ")
		o.id(q.Key)
		o.string(`, "query_text": `)
		o.json(q.Text)
		o.string(`, "relevant_docs": [`)
		for k, v := range q.Relevant {
			if k > 0 {
				o.byte(',')
			}
			o.string("\n  {\"doc_ref\": {")
			sep := ""
			for _, key := range v.Ref.keys() {
				if key[1] != "" {
					o.string(sep + `"` + key[0] + `": `)
					o.id(key[1])
					sep = ", "
				}
			}
			o.string(`}, "relevance_grade": `)
			o.grade(v.Grade)
			o.byte('}')
			o.full()
		}
		o.string("]}")
	}
	o.string("\n]}\n")
	return o.flush()
}

// nested writes fields, all of them below one key, as JSON objects from path element depth on; the elements of a list
// become members with their places as keys, and every scalar a string.
func (o *output) nested(m Metadata, depth int) {
	o.byte('{')
	for first := true; len(m) > 0; first = false {
		key := m[0].Path[depth]
		var below, rest Metadata
		for _, f := range m {
			if f.Path[depth] == key {
				below = append(below, f)
			} else {
				rest = append(rest, f)
			}
		}
		if !first {
			o.string(", ")
		}
		o.json(key)
		o.string(": ")
		if len(below[0].Path) == depth+1 {
			o.json(below[0].Value)
		} else {
			o.nested(below, depth+1)
		}
		m = rest
	}
	o.byte('}')
}
