package backend

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// # Kinds that are described
//
// A kind is described by JSON: where to send what, and where the answer has what. Requests are sent by POST.
//
//	{"auth":   {"header": "X-Key", "prefix": "Bearer "},   default: Authorization and "Bearer "
//	 "headers": {"X-Version": "2"},
//	 "sign": "bedrock",   instead of auth: Amazon's Signature Version 4; the secret is "ID:KEY" or "ID:KEY:TOKEN"
//	 "embed":  {"path": "/v1/embeddings", "body": {"input": "$texts"}, "batch": 64,
//	            "list": "/data", "vector": "/embedding", "index": "/index"},
//	 "rerank": {"path": "/rerank", "body": {"query": "$query", "documents": "$documents"}, "batch": 100,
//	            "list": "/results", "index": "/index", "score": "/score"},
//	 "search": {"path": "/${index}/search", "bodies": {"bm25": {"q": "$query", "limit": "$k"}},
//	            "list": "/hits", "id": "/id", "score": "/_score"},
//	 "documents": {"path": "/${index}/fetch", "body": {"ids": "$ids", "fields": "$stored"}, "list": "/hits",
//	            "id": "/id"},
//	 "faults": [{"status": 429, "says": "quota", "is": "unauthorised"}]}   where a status means something else
//
// Bodies are templates (template.go). Those of embed have $model, $texts, $role and $dimensions; "$each" is a list with
// the member each of the description for every text, in which $text is the text. With a batch of 1, $text is the one
// text. roles says what $role is. What is "$dimensions" as a whole is left out where none is set. Bodies of documents
// have $ids, $ids_by_line, $filter_by_ids (Typesense's), $n (their number), $stored and $stored_by_comma (the fields
// that are wanted), $index and $id; fields points to the object that holds the stored ones, if that is not the entry.
// list is a JSON pointer (RFC 6901) into the answer; the others point into each entry of the list. Without index the
// entries are in the order of the texts.

// described is the description of one thing that a kind does.
type described struct {
	path                     string
	body, each               []byte
	bodies                   map[Mode]string
	batch                    int
	roles                    map[Role]string
	list                     []string
	vector, index, score, id []string
	fields                   []string // the object of stored fields, of documents
	given                    []string // members that are there
}

// DescriptionError is what is wrong with a description.
type DescriptionError struct{ Err error }

func (e *DescriptionError) Error() string { return "backend: description: " + e.Err.Error() }

// Describe returns the kind that a description makes. Errors are of type *DescriptionError.
func Describe(name string, text []byte) (*Kind, error) {
	k := &Kind{Name: name, Auth: bearer, Digest: digest(text)}
	r := reader(text)
	header, prefix := "Authorization", "Bearer "
	var fault error
	var faults []statusFault
	var documents *described
	part := func(key string, needs ...string) *described {
		d := readDescribed(r)
		for _, n := range needs {
			if !slices.Contains(d.given, n) && fault == nil {
				fault = fmt.Errorf("%s has no %s", key, n)
			}
		}
		return d
	}
	for r.BeginObject(); r.More(); {
		switch key := string(r.Key()); key {
		case "auth":
			members(r, func(key string) bool {
				switch key {
				case "header":
					header = r.String()
				case "prefix":
					prefix = r.String()
				default:
					r.Fail(fmt.Errorf("auth has no member %s", key))
				}
				return true
			})
		case "sign":
			if k.Sign = r.String(); k.Sign == "" || strings.Trim(k.Sign, "abcdefghijklmnopqrstuvwxyz-") != "" {
				r.Fail(errors.New("sign is not the name of a service of Amazon"))
			}
		case "faults":
			for r.BeginArray(); r.More(); {
				faults = append(faults, readFault(r))
			}
		case "headers":
			members(r, func(key string) bool {
				k.Headers = append(k.Headers, [2]string{key, r.String()})
				return true
			})
		case "embed":
			k.Embed = part(key, "path", "body", "list", "vector").embedding()
		case "rerank":
			k.Rerank = part(key, "path", "body", "list", "index", "score").reranking()
		case "search":
			k.Search = part(key, "path", "bodies", "list", "id", "score").searching()
		case "documents":
			documents = part(key, "path", "body", "list", "id")
		default:
			r.Fail(fmt.Errorf("there is no member %s", key))
		}
	}
	err := end(r)
	if err == nil {
		err = fault
	}
	if err == nil {
		err = k.lookUp(documents)
	}
	if err == nil {
		err = k.checkDescribed(header)
	}
	if err != nil {
		return nil, &DescriptionError{err}
	}
	if len(faults) > 0 {
		k.Fault = meaning(faults)
	}
	if header != "Authorization" || prefix != "Bearer " {
		k.Auth = func(key string) (string, string) { return header, prefix + key }
	}
	return k, nil
}

// digest is of what answers depend on: not of blanks, nor of how titles are asked for or failures read.
func digest(text []byte) string {
	r := reader(text)
	var b []byte
	members(r, func(key string) bool {
		if key == "documents" || key == "faults" {
			return false
		}
		b = append(append(append(b, quote(key)...), ':'), Copy(r)...)
		return true
	})
	return sha256.Hex(b)
}

// statusFault is what a status means, if the body says something ("": whatever it says).
type statusFault struct {
	status int
	says   string // in lower case
	is     Fault
}

func readFault(r *jsontext.Reader) (f statusFault) {
	members(r, func(key string) bool {
		switch key {
		case "status":
			f.status = int(r.Int())
		case "says":
			f.says = strings.ToLower(r.String())
		case "is":
			f.is = Fault(r.String())
		default:
			r.Fail(fmt.Errorf("faults have no member %s", key))
		}
		return true
	})
	known := []Fault{Busy, TooLong, Refused, Unauthorised, Broken}
	if f.status < 300 || f.status > 599 || !slices.Contains(known, f.is) {
		r.Fail(errors.New("a fault has a status from 300 to 599, and is busy, too-long, refused, unauthorised or " +
			"broken"))
	}
	return f
}

// meaning is a Kind's Fault.
func meaning(faults []statusFault) func(int, []byte) Fault {
	return func(status int, body []byte) Fault {
		for _, f := range faults {
			if f.status == status && (f.says == "" || says(body, f.says)) {
				return f.is
			}
		}
		return ""
	}
}

// must is Describe for the descriptions that are part of the program.
func must(name, text string) *Kind {
	k, err := Describe(name, []byte(text))
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return k
}

// checkDescribed makes every request once.
func (k *Kind) checkDescribed(header string) error {
	for _, h := range append(slices.Clone(k.Headers), [2]string{header, ""}) {
		token := strings.Trim(strings.ToLower(h[0]), "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && h[0] != ""
		if !token || strings.ContainsFunc(h[1], func(c rune) bool { return c < ' ' || c > '~' }) {
			return errors.New("a header is not name and printable text")
		}
	}
	if k.Embed == nil && k.Rerank == nil && k.Search == nil {
		return errors.New("it has no embed, no rerank and no search")
	}
	if k.Embed != nil && k.Embed.fault != nil {
		return fmt.Errorf("embed: %w", k.Embed.fault)
	}
	if k.Rerank != nil && k.Rerank.fault != nil {
		return fmt.Errorf("rerank: %w", k.Rerank.fault)
	}
	if k.Search != nil {
		for _, t := range k.Search.Templates {
			if err := CheckTemplate([]byte(t)); err != nil {
				return fmt.Errorf("search: %w", err)
			}
		}
	}
	return nil
}

func readDescribed(r *jsontext.Reader) *described {
	d := &described{batch: 32, roles: map[Role]string{Query: "query", Document: "document"}, bodies: map[Mode]string{}}
	pointer := func(to *[]string) {
		p, err := parsePointer(r.String())
		if *to = p; err != nil {
			r.Fail(err)
		}
	}
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		d.given = append(d.given, key)
		switch key {
		case "path":
			if d.path = r.String(); !strings.HasPrefix(d.path, "/") {
				r.Fail(errors.New("a path begins with /"))
			}
		case "body":
			d.body = Copy(r)
		case "each":
			d.each = Copy(r)
		case "bodies":
			members(r, func(key string) bool {
				if !slices.Contains(Modes, Mode(key)) {
					r.Fail(fmt.Errorf("there is no mode %s", key))
				}
				d.bodies[Mode(key)] = string(Copy(r))
				return true
			})
		case "batch":
			if n := r.Int(); n >= 1 && n <= 10_000 {
				d.batch = int(n)
			} else {
				r.Fail(errors.New("batch is not 1 to 10,000"))
			}
		case "roles":
			members(r, func(key string) bool {
				d.roles[Role(key)] = r.String()
				return true
			})
		case "list":
			pointer(&d.list)
		case "vector":
			pointer(&d.vector)
		case "index":
			pointer(&d.index)
		case "score":
			pointer(&d.score)
		case "id":
			pointer(&d.id)
		case "fields":
			pointer(&d.fields)
		default:
			r.Fail(fmt.Errorf("there is no member %s", key))
		}
	}
	return d
}

// Copy returns the value at which r stands, as JSON without blanks.
func Copy(r *jsontext.Reader) []byte {
	same := func(name string) (string, bool) { return quote("$" + name), true }
	out, err := copyValue(nil, r, same, func(name string) (string, bool) { return "${" + name + "}", true })
	if err != nil {
		r.Fail(err)
	}
	return out
}

// escaped is a text within a path: what is not plain there is percent-encoded.
func escaped(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/:", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// at is the path of a request.
func (d *described) at(s *Settings) (string, error) {
	return expand(d.path, func(name string) (string, bool) {
		v, ok := map[string]string{"model": s.Model, "index": s.Index}[name]
		return escaped(v), ok
	})
}

// written writes a template of embed or rerank.
func (d *described) written(template []byte, s *Settings, more map[string]string) ([]byte, error) {
	value := func(name string) (string, bool) {
		switch name {
		case "model":
			return quote(s.Model), true
		case "dimensions":
			if s.Dimensions == 0 {
				return absent, true
			}
			return strconv.Itoa(s.Dimensions), true
		}
		v, ok := more[name]
		return v, ok
	}
	within := func(name string) (string, bool) {
		v, ok := map[string]string{"model": s.Model, "index": s.Index, "id": s.IDField}[name]
		return v, ok
	}
	r := reader(template)
	out, err := copyValue(nil, r, value, within)
	if err == nil {
		err = end(r)
	}
	if err == nil && string(out) == absent {
		err = errors.New("a body is not $dimensions alone")
	}
	return out, err
}

// request is the body and path of embed and rerank. Templates were checked when they were read.
func (d *described) request(s *Settings, more map[string]string) (Request, error) {
	path, err := d.at(s)
	if err != nil {
		return Request{}, err
	}
	body, err := d.written(d.body, s, more)
	return Request{path, body}, err
}

func (d *described) embedding() *Embedding {
	ask := func(s *Settings, in Texts) (Request, error) {
		texts := s.prefixed(in)
		role := d.roles[in.Role]
		if in.Role == "" {
			role = d.roles[Document]
		}
		more := map[string]string{"texts": list(texts), "role": quote(role)}
		if d.batch == 1 && len(texts) == 1 {
			more["text"] = quote(texts[0])
		}
		if d.each != nil {
			all := []byte{'['}
			for i, t := range texts {
				if i > 0 {
					all = append(all, ',')
				}
				one, err := d.written(d.each, s, map[string]string{"text": quote(t), "role": quote(role)})
				if err != nil {
					return Request{}, err
				}
				all = append(all, one...)
			}
			more["each"] = string(append(all, ']'))
		}
		return d.request(s, more)
	}
	e := &Embedding{Batch: d.batch, Outputs: []Output{Dense},
		Sized: strings.Contains(string(d.body)+string(d.each), `"$dimensions"`)}
	_, e.fault = ask(&Settings{}, Texts{Texts: []string{""}})
	e.Ask = func(s *Settings, in Texts) Request {
		r, _ := ask(s, in)
		return r
	}
	e.Read = func(body []byte, in Texts) (Vectors, error) {
		out := make([]Vector, len(in.Texts))
		n := 0
		err := d.entries(body, func(r *jsontext.Reader) {
			at, v := n, Vector{}
			places := []place{{d.vector, func() { v = vector(r) }}}
			if d.index != nil {
				at = -1
				places = append(places, place{d.index, func() { at = int(r.Int()) }})
			}
			pick(r, places...)
			if n++; at < 0 || at >= len(out) || out[at].JSON != nil {
				r.Fail(errShape)
				return
			}
			out[at] = v
		})
		return Vectors{Dense: out}, err
	}
	return e
}

func (d *described) reranking() *Reranking {
	ask := func(s *Settings, query string, texts []string) (Request, error) {
		return d.request(s, map[string]string{"query": quote(query), "documents": list(texts)})
	}
	k := &Reranking{Batch: d.batch}
	_, k.fault = ask(&Settings{}, "", nil)
	k.Ask = func(s *Settings, query string, texts []string) Request {
		r, _ := ask(s, query, texts)
		return r
	}
	k.Read = func(body []byte) ([]Score, error) {
		var out []Score
		err := d.entries(body, func(r *jsontext.Reader) {
			x, seen := Score{Index: -1}, false
			pick(r, place{d.index, func() { x.Index = int(r.Int()) }}, place{d.score, func() {
				x.Score,
					seen = number(r), true
			}})
			if !seen {
				r.Fail(errShape)
			}
			out = append(out, x)
		})
		return out, err
	}
	return k
}

func (d *described) searching() *Searching {
	return &Searching{
		Path: func(s *Settings) string {
			path, err := d.at(s)
			if err != nil {
				return d.path
			}
			return path
		},
		Templates: d.bodies,
		ByField:   slices.Contains(d.id, "${id}"),
		Read: func(s *Settings, body []byte) ([]Hit, error) {
			id := s.named(d.id)
			var out []Hit
			err := d.entries(body, func(r *jsontext.Reader) {
				h, seen := Hit{}, false
				pick(r, place{id, func() { h.ID = scalar(r) }}, place{d.score, func() {
					h.Score, seen = number(r),
						true
				}})
				if !seen || h.ID == "" {
					r.Fail(errShape)
				}
				out = append(out, h)
			})
			return out, err
		},
	}
}

// named is a pointer in which ${id} is the field of ids.
func (s *Settings) named(pointer []string) []string {
	out := slices.Clone(pointer)
	for i, p := range out {
		if p == "${id}" {
			out[i] = s.IDField
		}
	}
	return out
}
