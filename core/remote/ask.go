package remote

import (
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// The sizes of one request, within the defaults of an edge. A longer text is cut: no model that scores pairs reads
// more.
const (
	longestText = 10_000  // characters
	mostTotal   = 380_000 // characters of all texts
	mostBytes   = 900_000 // of the body
)

// MostItems is how many documents one request has at most.
const MostItems = 256

// Said is what an answer says of itself.
type Said struct {
	Model, Revision string
	Identity        string // of the backend; "" where it was not declared
	FellBack        string // why a rerank answer is in the order of the question, "" where it is not
	Fault           string // its sort: busy, broken, …
	By              string // what the identity of an index is made of where writes are no part of it
	Unconfirmed     string // why it may be of another backend than it says, see Edge.Unconfirmed; "" where it is not
}

// Doc is a document that is to be scored.
type Doc struct{ ID, Text string }

// Rerank returns the score of every document, in the order of docs; nil where the service behind the edge failed, which
// Said tells then.
func (e *Edge) Rerank(backend, query string, docs []Doc) ([]float64, Said, error) {
	var scores []float64
	var said Said
	query = cut(query)
	for len(docs) > 0 {
		body, n := rerankBody(backend, query, docs)
		answer, err := e.ask(backend, "rerank", body, ofRerank(query, docs[:n]))
		if err != nil {
			return nil, said, err
		}
		some, s, ok := readReranked(answer, n)
		if !ok {
			return nil, said, &Error{Backend: backend, Why: "the edge's answer is none"}
		}
		said = s
		said.Unconfirmed = e.Unconfirmed(backend)
		if s.FellBack != "" {
			return nil, said, nil
		}
		scores, docs = append(scores, some...), docs[n:]
	}
	return scores, said, nil
}

// rerankBody writes the question for the first n documents, as many as one request may have.
func rerankBody(backend, query string, docs []Doc) (body []byte, n int) {
	body = append(body, `{"backend":`...)
	body = jsontext.AppendQuote(body, backend)
	body = append(body, `,"query":`...)
	body = jsontext.AppendQuote(body, query)
	body = append(body, `,"documents":[`...)
	total := utf8.RuneCountInString(query)
	for _, d := range docs[:min(len(docs), MostItems)] {
		text := cut(d.Text)
		total += utf8.RuneCountInString(text)
		one := append([]byte(`{"id":`), jsontext.Quote(d.ID)...)
		one = append(one, `,"text":`...)
		one = append(jsontext.AppendQuote(one, text), '}')
		if n > 0 && (total > mostTotal || len(body)+len(one) > mostBytes) {
			break
		}
		if n > 0 {
			body = append(body, ',')
		}
		body = append(body, one...)
		n++
	}
	return append(body, "]}"...), n
}

// cut returns at most longestText characters.
func cut(s string) string {
	if len(s) <= longestText {
		return s
	}
	n := 0
	for i := range s {
		if n == longestText {
			return s[:i]
		}
		n++
	}
	return s
}

// Embed returns the vector of a query.
func (e *Edge) Embed(backend, query string) ([]float32, Said, error) {
	body := append([]byte(`{"backend":`), jsontext.Quote(backend)...)
	body = append(body, `,"input":[`...)
	body = jsontext.AppendQuote(body, cut(query))
	body = append(body, `],"role":"query"}`...)
	answer, err := e.ask(backend, "embed", body, ofTexts(query))
	if err != nil {
		return nil, Said{}, err
	}
	v, said, ok := readVector(answer)
	said.Unconfirmed = e.Unconfirmed(backend)
	if !ok {
		return nil, said, &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	return v, said, nil
}

// mostEmbedded is how many texts one request has embedded at most.
const mostEmbedded = 32

// EmbedDocuments returns the vectors of documents, one behind the other in the order of the texts, and how long
// each is. The edge is asked for several at once.
func (e *Edge) EmbedDocuments(backend string, texts []string) (all []float32, dim int, said Said, err error) {
	type part struct {
		vectors []float32
		dim     int
		said    Said
		err     error
	}
	parts := make([]part, (len(texts)+mostEmbedded-1)/mostEmbedded)
	var wait sync.WaitGroup
	for i := range parts {
		some := texts[i*mostEmbedded : min(len(texts), (i+1)*mostEmbedded)]
		wait.Go(func() {
			p := &parts[i]
			p.vectors, p.dim, p.said, p.err = e.embedSome(backend, some)
		})
	}
	wait.Wait()
	for i, p := range parts {
		if p.err == nil && i > 0 && p.dim != dim {
			p.err = &Error{Backend: backend, Why: "the edge's answer is none"}
		}
		if p.err != nil {
			return nil, 0, said, p.err
		}
		all, dim, said = append(all, p.vectors...), p.dim, p.said
	}
	return all, dim, said, nil
}

func (e *Edge) embedSome(backend string, texts []string) ([]float32, int, Said, error) {
	body := append([]byte(`{"backend":`), jsontext.Quote(backend)...)
	body = append(body, `,"input":[`...)
	for i, t := range texts {
		if i > 0 {
			body = append(body, ',')
		}
		body = jsontext.AppendQuote(body, cut(t))
	}
	body = append(body, `],"role":"document"}`...)
	answer, err := e.ask(backend, "embed", body, ofTexts(texts...))
	if err != nil {
		return nil, 0, Said{}, err
	}
	v, dim, said, ok := readVectors(answer, len(texts))
	said.Unconfirmed = e.Unconfirmed(backend)
	if !ok {
		return nil, 0, said, &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	return v, dim, said, nil
}

// Once returns what make made under a key the first time; what failed is made again.
func (e *Edge) Once(key string, make func() (any, error)) (any, error) {
	e.making.Lock()
	defer e.making.Unlock()
	if v, ok := e.made[key]; ok {
		return v, nil
	}
	v, err := make()
	if err == nil {
		if e.made == nil {
			e.made = map[string]any{}
		}
		e.made[key] = v
	}
	return v, err
}

// Found is a document that a search service found.
type Found struct {
	ID    string
	Score float64
}

// Search returns the documents that a service finds, best first, at most k.
func (e *Edge) Search(backend, query, mode string, k int) ([]Found, Said, error) {
	body := append([]byte(`{"backend":`), jsontext.Quote(backend)...)
	body = append(body, `,"query":`...)
	body = jsontext.AppendQuote(body, cut(query))
	body = append(body, `,"mode":"`+mode+`","top_k":`+strconv.Itoa(k)+`}`...)
	answer, err := e.ask(backend, "search", body, ofTexts(query))
	if err != nil {
		return nil, Said{}, err
	}
	hits, said, ok := readFound(answer, k)
	said.By = e.factOf(backend, "identity_by")
	said.Unconfirmed = e.Unconfirmed(backend)
	if !ok {
		return nil, said, &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	return hits, said, nil
}

// members reads the members of an answer; known reads one of its own.
func members(answer []byte, said *Said, known func(r *jsontext.Reader, key string) bool) bool {
	r := reader(answer)
	for r.BeginObject(); r.More(); {
		switch key := string(r.Key()); key {
		case "model":
			said.Model = r.String()
		case "revision":
			said.Revision = r.String()
		case "identity":
			said.Identity = r.String()
		default:
			if !known(r, key) {
				r.Skip()
			}
		}
	}
	r.End()
	return r.Err() == nil && len(said.Model) <= 200 && len(said.Revision) <= 200 && (said.Identity == "" ||
		isIdentity(said.Identity))
}

func array(r *jsontext.Reader, each func()) {
	for r.BeginArray(); r.More(); {
		each()
	}
}

// object reads an object of few members, skipping what is not known.
func object(r *jsontext.Reader, known map[string]func()) {
	for r.BeginObject(); r.More(); {
		if f := known[string(r.Key())]; f != nil {
			f()
		} else {
			r.Skip()
		}
	}
}

// readReranked reads the scores of n documents: each has one, and it is a number.
func readReranked(answer []byte, n int) (scores []float64, said Said, ok bool) {
	scores = make([]float64, n)
	seen := make([]bool, n)
	fine := true
	ok = members(answer, &said, func(r *jsontext.Reader, key string) bool {
		switch key {
		case "results":
			array(r, func() {
				at, score, scored := -1, 0.0, false
				object(r, map[string]func(){"index": func() {
					at = int(r.Int())
				}, "score": func() { score, scored = r.Float(), true }})
				if at < 0 || at >= n || seen[at] || scored && !finite(score) || r.Err() != nil {
					fine = false
					return
				}
				seen[at], scores[at] = scored, score
			})
		case "fallback":
			said.Fault, said.FellBack, _ = readFallback(r)
			fine = fine && said.FellBack != "" && len(said.Fault) <= 20
		default:
			return false
		}
		return true
	})
	if ok = ok && fine; ok && said.FellBack != "" {
		return nil, said, true
	}
	return scores, said, ok && !slices.Contains(seen, false)
}

// readFallback reads why documents are in the order in which they were sent, as a code and as a clause.
func readFallback(r *jsontext.Reader) (fault, why string, unsent bool) {
	object(r, map[string]func(){
		"reason": func() { fault = r.String() },
		"why":    func() { why = reason(r.String()) },
		"unsent": func() { unsent = r.Bool() },
	})
	if why == "" && fault != "" {
		why = faultOf[fault]
		if why == "" {
			why = "the service behind the edge failed"
		}
	}
	return fault, why, unsent
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// source is who gave an answer.
type source struct {
	backend, identity string
	fellBack          bool   // it is in the order of its question
	why               string // for that reason
	unsent            bool   // nothing was sent to its service
}

// about reads who gave an answer.
func about(answer []byte) (of source, ok bool) {
	var said Said
	ok = members(answer, &said, func(r *jsontext.Reader, key string) bool {
		if key == "backend" && r.Peek() == '"' {
			of.backend = r.String()
			return true
		}
		if key == "fallback" {
			of.fellBack = true
			_, of.why, of.unsent = readFallback(r)
			return true
		}
		return false
	})
	of.identity = said.Identity
	return of, ok
}

// readVector reads the one vector of an answer.
func readVector(answer []byte) (v []float32, said Said, ok bool) {
	v, _, said, ok = readVectors(answer, 1)
	return v, said, ok
}

// readVectors reads n vectors of one length, which follow each other.
func readVectors(answer []byte, n int) (v []float32, dim int, said Said, ok bool) {
	vectors, fine := 0, true
	ok = members(answer, &said, func(r *jsontext.Reader, key string) bool {
		if key != "vectors" {
			return false
		}
		array(r, func() {
			before := len(v)
			array(r, func() {
				x := r.Float()
				fine = fine && finite(x) && math.Abs(x) <= math.MaxFloat32
				v = append(v, float32(x))
			})
			if vectors++; vectors == 1 {
				dim = len(v)
			}
			fine = fine && len(v)-before == dim
		})
		return true
	})
	return v, dim, said, ok && fine && vectors == n && dim > 0
}

// readFound reads what was found: at most k documents, each once.
func readFound(answer []byte, k int) (hits []Found, said Said, ok bool) {
	seen := map[string]bool{}
	fine, there := true, false
	ok = members(answer, &said, func(r *jsontext.Reader, key string) bool {
		if key != "results" {
			return false
		}
		there = true
		array(r, func() {
			var f Found
			object(r, map[string]func(){"id": func() { f.ID = r.String() }, "score": func() { f.Score = r.Float() }})
			fine = fine && f.ID != "" && !seen[f.ID] && finite(f.Score) && len(hits) < k
			seen[f.ID] = true
			if fine {
				hits = append(hits, f)
			}
		})
		return true
	})
	return hits, said, ok && fine && there
}
