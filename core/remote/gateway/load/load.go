// Package load holds the wire formats by which documents are written into search engines: the requests that make an
// index,
// those that write documents under their ids, and what the answers say of each document. It opens no connection and
// repeats nothing; the command line does (cmd/rankbox/load.go).
//
// Order of the pipeline: Setup → Write, a batch at a time, each read by Read → Finish.
package load

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// Doc is a document to be written. Fields that are "" or nil are left out, except Text.
type Doc struct {
	ID, Title, Text, Date, Category string
	Vector                          []float32
}

// Target is the index that documents are written into.
type Target struct {
	Index      string
	Dimensions int    // of vectors; 0 for none
	Schema     []byte // replaces what Engine.Schema returns; nil for none
}

// Call is a request to an engine.
type Call struct {
	Method, Path, Type string
	Body               []byte
}

// Refusal is why an engine does not take a document.
type Refusal struct {
	Doc int    // in the batch
	Why string // in the engine's words, shortened
}

// Result is what an answer says of a batch.
type Result struct {
	Busy    []int // documents to send again later
	Refused []Refusal
}

// Engine is one sort of search engine.
type Engine struct {
	Name     string
	Batch    int                         // documents of one request, at most
	InFlight int                         // requests on their way at once, at most
	Check    func(t *Target) error       // what is wrong with the name of the index; nil: nothing
	Schema   func(t *Target) []byte      // the mapping or schema, for people and for Setup
	Setup    func(t *Target) []Call      // the first makes the index; none: a person deploys the schema
	Exists   func(st int, b []byte) bool // whether a failure of the first call of Setup means that the index is there
	Write    func(t *Target, docs []Doc) Call
	Read     func(body []byte, docs []Doc) (Result, error) // of an answer with a status of success
	// Delete takes documents out, at most Deletes in one request (0: any number). A success, or an answer that they are
	// not there, says that all are gone.
	Delete  func(t *Target, ids []string) Call
	Deletes int
	Finish  func(t *Target) []Call
	Backend func(t *Target) string // members of the edge's configuration, behind id, kind and url
}

// Engines are all of them, in the order in which they are listed: one line an engine.
var Engines = []*Engine{
	openSearch,
	elasticsearch,
	weaviate,
	qdrant,
	vespa,
}

// Find returns the engine of that name, or nil.
func Find(name string) *Engine {
	for _, e := range Engines {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// SchemaOf returns the schema of a target: its own, or the engine's.
func (e *Engine) SchemaOf(t *Target) []byte {
	if t.Schema != nil {
		return t.Schema
	}
	return e.Schema(t)
}

// longestWhy is how many bytes of an engine's reason are passed on.
const longestWhy = 300

// Why returns the reason that an engine gives for a failure: the first text under reason, message, error or
// description in
// its answer, or the beginning of the answer.
func Why(body []byte) string {
	r := reader(body)
	found := ""
	var walk func()
	walk = func() {
		switch r.Peek() {
		case '{':
			for r.BeginObject(); r.More(); {
				key := string(r.Key())
				known := key == "reason" || key == "message" || key == "error" || key == "description"
				if known && r.Peek() == '"' {
					if s := r.String(); found == "" {
						found = s
					}
					continue
				}
				walk()
			}
		case '[':
			for r.BeginArray(); r.More(); {
				walk()
			}
		default:
			r.Skip()
		}
	}
	walk()
	if r.Err() != nil && found == "" {
		found = string(body)
	}
	if strings.TrimSpace(found) == "" {
		return "it gives no reason"
	}
	return short(found)
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > longestWhy {
		s = strings.ToValidUTF8(s[:longestWhy], "") + "…"
	}
	return s
}

// UUID returns the identifier of a document where an engine takes only UUIDs: version 5 of RFC 9562 in the name space
// of
// DNS, as Weaviate's own clients make it.
func UUID(id string) string {
	space := [16]byte{0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	sum := sha1.Sum(append(space[:], id...))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	s := hex.EncodeToString(sum[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

func reader(body []byte) *jsontext.Reader {
	r := jsontext.New(nil, jsontext.Limits{Depth: 64})
	r.Reset(body)
	return r
}

// members calls each for every member of an object; one that it returns false for is skipped.
func members(r *jsontext.Reader, each func(key string) bool) {
	for r.BeginObject(); r.More(); {
		if !each(string(r.Key())) {
			r.Skip()
		}
	}
}

func end(r *jsontext.Reader) error {
	r.End()
	return r.Err()
}

// member appends ,"name":"value" if there is a value.
func member(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(append(append(b, ',', '"'), name...), '"', ':')
	return jsontext.AppendQuote(b, value)
}

// fields appends {"text":…,"title":…,"date":…,"category":…} with what the document has, without the closing brace.
func (d *Doc) fields(b []byte) []byte {
	b = jsontext.AppendQuote(append(b, `{"text":`...), d.Text)
	b = member(b, "title", d.Title)
	b = member(b, "date", d.Date)
	return member(b, "category", d.Category)
}

func (d *Doc) vector() []byte { return backend.VectorOf(d.Vector).JSON }

// whole is a batch whose answer is about all of its documents: a success says that each was written.
func whole(body []byte, _ []Doc) (Result, error) {
	r := reader(body)
	r.Skip()
	return Result{}, end(r)
}

func number(n int) string { return strconv.Itoa(n) }

// escaped is a text as a part of a path: what is not plain there is percent-encoded.
func escaped(s string) string {
	const hexadecimal = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteString("%" + hexadecimal[c>>4:c>>4+1] + hexadecimal[c&15:c&15+1])
		}
	}
	return b.String()
}
