// Package backend holds the wire formats of the services behind the edge: what is asked of each, how its answer is
// read, and what its errors mean. It is not a client: it opens no connection and knows no address, no retry and no
// cache; package gateway has the policy.
//
// Order of the pipeline: a Kind of Kinds turns texts, or a query, into a Request; the host sends it; the Kind reads the
// body of the answer, restores the order of what was asked, and refuses what is not an answer to it. A status that is
// no success becomes a Fault.
package backend

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Fault is what went wrong at a service, in the one vocabulary of all of them.
type Fault string

const (
	Busy         Fault = "busy"         // asks to come later, did not answer in time, or cannot be reached
	TooLong      Fault = "too-long"     // a text is longer than the model's limit
	Refused      Fault = "refused"      // the request is wrong by the service's rules
	Unauthorised Fault = "unauthorised" // the key of the edge is not accepted, or its account is empty
	Broken       Fault = "broken"       // the answer is none: a failure within, a redirect, nonsense
)

// Error makes a Fault an error. What the service said is never part of it.
func (f Fault) Error() string { return "backend: " + string(f) }

// Request is what is sent to a service, below the address that its configuration gives. Headers are the kind's own;
// none comes from the page.
type Request struct {
	Path string // with its query, begins with /
	Body []byte // JSON, sent by POST; nil is a GET
}

// Settings are what the configuration says of one backend, as far as wire formats depend on it.
type Settings struct {
	Model string
	// Of an embedding backend:
	Prefix     map[Role]string // written before each text of that role: "query: "
	Dimensions int             // that the service is asked for; 0 asks for none
	// Of a search backend:
	Index       string   // index, collection, class or schema
	IDField     string   // where documents keep their id; "" means the service's own ids
	TextFields  []string // as the service spells them (title^2)
	VectorField string
	TitleField  string // of the stored document; "" for none
	TextField   string
	Templates   map[Mode][]byte // instead of the kind's own
}

// Output is what kind of vectors is wanted.
type Output string

const (
	Dense  Output = "dense"
	Tokens Output = "tokens" // one vector a token
	Sparse Output = "sparse" // weights of terms
)

// Role is what a text is to a model that encodes queries and documents differently.
type Role string

const (
	Query    Role = "query"
	Document Role = "document"
)

// Texts are what is to be embedded.
type Texts struct {
	Texts  []string
	Role   Role
	Output Output
}

// Weight is one entry of a sparse vector.
type Weight struct {
	Index uint32
	Value float32
}

// Vector is a vector as JSON: an array, without blanks, of numbers that are finite as float32. The zero Vector is none.
type Vector struct {
	JSON []byte
	Len  int
}

// Vectors are the answer: one of the three is set, with an entry a text in the order of the texts.
type Vectors struct {
	Dense  []Vector   // all of one length
	Tokens [][]Vector // text → token → vector; all vectors of one length
	Sparse [][]Weight
}

// Score is how well a document answers a query: Index is its place in what was asked.
type Score struct {
	Index int
	Score float64
}

// Mode is how a search backend is to search.
type Mode string

const (
	BM25   Mode = "bm25"
	KNN    Mode = "knn"
	Hybrid Mode = "hybrid"
)

// Modes in the order in which they are listed.
var Modes = []Mode{BM25, KNN, Hybrid}

// Search is what is looked for.
type Search struct {
	Mode   Mode
	Query  string
	Vector Vector // for KNN and Hybrid; without one its Len is 0
	K      int
}

// Hit is one document that was found.
type Hit struct {
	ID    string
	Score float64
}

// Stored is the title and text of a document, as the index stores them.
type Stored struct{ ID, Title, Text string }

// Lookup is how a kind returns documents by their ids.
type Lookup struct {
	Batch   int  // documents in one request, at most; 0 is any number
	ByField bool // it needs Settings.IDField
	Ask     func(s *Settings, ids []string) Request
	Read    func(s *Settings, body []byte) ([]Stored, error)
}

// Embedding is how a kind embeds.
type Embedding struct {
	Batch   int // texts in one request, at most
	Outputs []Output
	Sized   bool // it can be asked for vectors of Settings.Dimensions
	Ask     func(s *Settings, in Texts) Request
	Read    func(body []byte, in Texts) (Vectors, error)
	fault   error // of a description
}

// Reranking is how a kind reranks. Read returns the scores as they stand in the answer; InOrder is for the gateway.
type Reranking struct {
	Batch int // documents in one request, at most
	Ask   func(s *Settings, query string, texts []string) Request
	Read  func(body []byte) ([]Score, error)
	fault error // of a description
}

// Searching is how a kind searches.
type Searching struct {
	Path      func(s *Settings) string
	Templates map[Mode]string
	Read      func(s *Settings, body []byte) ([]Hit, error)
	Documents *Lookup // nil: it does not
	ByField   bool    // hits are named by Settings.IDField, which must be set
}

// Inspection is how a service is asked what its answers depend on, beyond its configuration.
type Inspection struct {
	Ask  func(s *Settings) Request
	Read func(s *Settings, body []byte) (Told, error)
}

// Told is what a service says of itself. The zero Told says nothing.
type Told struct {
	Served    string // the model that it runs
	Version   string // of the index: changes with every write where the engine counts those
	Documents string // of the index, a whole number
}

// Kind is one sort of service.
type Kind struct {
	Name    string
	Auth    func(key string) (string, string) // the header that carries the key
	Headers [][2]string                       // of every request, beside those that all have
	Sign    string                            // the service of Amazon for which requests are signed, "" for others
	Digest  string                            // of a description, 64 hexadecimal digits; "" for a kind in Go
	Embed   *Embedding
	Rerank  *Reranking
	Search  *Searching
	Inspect *Inspection                         // nil: the service says nothing about its model or index
	Mapping *Inspection                         // of the mapping and settings of its index; nil: it does not say them
	Pin     *Pinning                            // nil: it holds no index as it is at one moment
	Fault   func(status int, body []byte) Fault // nil: FaultOf
}

// Kinds are all of them: one line a kind.
var Kinds = []*Kind{
	openAI,
	tei,
	cohere,
	jina,
	voyage,
	elasticsearch,
	openSearch,
	weaviate,
	qdrant,
	vespa,
	gemini,
	mistral,
	vllm,
	infinity,
	solr,
	meilisearch,
	typesense,
	milvus,
	postgrest,
	azure,
	ollama,
	llamaCpp,
	vllmPooling,
	voyageContext,
	bedrock,
	bedrockTitan,
}

// Find returns the kind of that name, or nil.
func Find(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// FaultOf returns what a status that is no success means, by HTTP and by what the services' pages say they share.
func (k *Kind) FaultOf(status int, body []byte) Fault {
	if k.Fault != nil {
		if f := k.Fault(status, body); f != "" {
			return f
		}
	}
	switch status {
	case 401, 402, 403:
		return Unauthorised
	case 408, 429, 503, 504:
		return Busy
	case 413:
		return TooLong
	case 400, 422:
		if says(body, "too long", "context length", "maximum context", "max_tokens", "token limit", "too many tokens",
			"must have less than") {
			return TooLong
		}
		return Refused
	}
	return Broken
}

// says reports whether the first 4 kB of a body hold one of the phrases, whatever their case.
func says(body []byte, phrases ...string) bool {
	text := strings.ToLower(string(body[:min(len(body), 4096)]))
	for _, p := range phrases {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func bearer(key string) (string, string) { return "Authorization", "Bearer " + key }

var errShape = errors.New("backend: the answer does not match the request")

// reader walks an answer of a service; members that are not known are passed over.
func reader(body []byte) *jsontext.Reader {
	r := jsontext.New(nil, jsontext.Limits{Depth: 32})
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

// mostCount is the greatest number that is believed.
const mostCount = 1 << 40

// Count returns the greatest of some members of an object that are whole numbers, 0 where it has none, or is no
// object.
func Count(text []byte, names ...string) (n int) {
	r := reader(text)
	members(r, func(key string) bool {
		if !slices.Contains(names, key) || r.Peek() != '0' {
			return false
		}
		if x := r.Float(); x >= 0 && x <= mostCount {
			n = max(n, int(x))
		}
		return true
	})
	if end(r) != nil {
		return 0
	}
	return n
}

// end is the error of a whole answer.
func end(r *jsontext.Reader) error {
	r.End()
	return r.Err()
}

// vector reads an array of numbers.
func vector(r *jsontext.Reader) Vector {
	text, n := r.Float32s(nil, MaxDimensions)
	return Vector{text, n}
}

// MaxDimensions of a vector that is read from a service or from the page.
const MaxDimensions = 8192

func vectors(r *jsontext.Reader) []Vector {
	var out []Vector
	for r.BeginArray(); r.More(); {
		out = append(out, vector(r))
	}
	return out
}

// Check says whether vectors answer what was asked: one a text, all of one length, none of length 0.
func (v Vectors) Check(in Texts) error {
	n, dim := 0, 0
	one := func(x Vector) bool {
		if dim == 0 {
			dim = x.Len
		}
		return x.Len == dim && dim > 0
	}
	switch in.Output {
	case Dense:
		n = len(v.Dense)
		for _, x := range v.Dense {
			if !one(x) {
				return errShape
			}
		}
	case Tokens:
		n = len(v.Tokens)
		for _, text := range v.Tokens {
			for _, x := range text {
				if !one(x) {
					return errShape
				}
			}
		}
	case Sparse:
		n = len(v.Sparse)
	}
	if n != len(in.Texts) {
		return errShape
	}
	return nil
}

// Dimensions returns the length of the vectors, 0 for sparse ones.
func (v Vectors) Dimensions() int {
	for _, x := range v.Dense {
		return x.Len
	}
	for _, text := range v.Tokens {
		for _, x := range text {
			return x.Len
		}
	}
	return 0
}

// object writes a JSON object from alternating names and values, which are already JSON.
func object(pairs ...string) []byte {
	b := []byte{'{'}
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendQuote(b, pairs[i])
		b = append(b, ':')
		b = append(b, pairs[i+1]...)
	}
	return append(b, '}')
}

func quote(s string) string { return jsontext.Quote(s) }

func list(texts []string) string {
	b := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendQuote(b, t)
	}
	return string(append(b, ']'))
}

// prefixed returns the texts behind the prefix of their role.
func (s *Settings) prefixed(in Texts) []string {
	prefix := s.Prefix[in.Role]
	if prefix == "" {
		return in.Texts
	}
	out := make([]string, len(in.Texts))
	for i, t := range in.Texts {
		out[i] = prefix + t
	}
	return out
}

// VectorOf returns a vector whose values have the fewest digits that give their float32 back: one way to write
// it.
func VectorOf(v []float32) Vector {
	b := []byte{'['}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return Vector{append(b, ']'), len(v)}
}
