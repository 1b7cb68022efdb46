package remote

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// # Answers, version 2
//
// Lines of JSON: Head; what a backend declared, before its answers, {"declared": its id, "identity": the
// digest, "facts": [[name, value]…]}; and one for each answer, {"ask": its key, "answer": what the edge said}.
// Answers that are written for a snapshot are in the order of their keys, so that the same ones have the same
// hash. No query and no text of a document is in them. Version 1 has no declarations.

// Head is the first line.
const Head = `{"rankbox":"answers","version":2}` + "\n"

// firstHead is that of version 1, to which lines of this one may have been added.
const firstHead = `{"rankbox":"answers","version":1}` + "\n"

// kept is an answer and who gave it.
type kept struct {
	body              []byte
	backend, identity string
}

// MaxAnswers is how many bytes of answers are read.
const MaxAnswers = 256 << 20

// ErrAnswers is returned for bytes that are no answers, or those of a later version.
var ErrAnswers = say.Faultf("remote", "these are no answers of an edge that this version can read")

func line(key string, answer []byte) []byte {
	out := append([]byte(`{"ask":"`+key+`","answer":`), answer...)
	return append(out, "}\n"...)
}

func declaredLine(backend string, d declaration) []byte {
	out := []byte(`{"declared":` + jsontext.Quote(backend) + `,"identity":"` + d.identity + `","facts":[`)
	for i, f := range d.facts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(jsontext.AppendQuote(append(out, '['), f.Name), ',')
		out = append(jsontext.AppendQuote(out, f.Value), ']')
	}
	return append(out, "]}\n"...)
}

// Answers returns what is kept of the backends as they were asked last, those that fell back too, for a
// snapshot.
func (e *Edge) Answers() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	force := map[string]string{}
	out := []byte(Head)
	for _, backend := range slices.Sorted(maps.Keys(e.sides)) {
		s := e.sides[backend]
		d := s.latest()
		if s.held != nil {
			if i := slices.IndexFunc(s.stored, func(d declaration) bool { return d.identity == s.held.Was }); i >= 0 {
				d = &s.stored[i]
			}
		}
		if d == nil {
			continue
		}
		if force[backend] = d.identity; d.identity != "" {
			out = append(out, declaredLine(backend, *d)...)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(e.answers)) {
		if a := e.answers[k]; force[a.backend] == a.identity {
			out = append(out, line(k, a.body)...)
		}
	}
	return out
}

// Take takes answers that were kept. A last line that was cut off is left out; whole says how many bytes came before
// it.
func (e *Edge) Take(data []byte) (whole int, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	if len(data) > MaxAnswers || !bytes.HasPrefix(data, []byte(Head)) && !bytes.HasPrefix(data,
		[]byte(firstHead)) {
		return 0, ErrAnswers
	}
	whole = len(Head)
	taken := map[string]kept{}
	var declared []Backend
	for n := 2; whole < len(data); n++ {
		end := bytes.IndexByte(data[whole:], '\n')
		if end < 0 {
			break
		}
		text := data[whole : whole+end]
		if key, answer, ok := readLine(text); ok {
			of, _ := about(answer) // who gave what cannot be read is not known
			taken[key] = kept{answer, of.backend, of.identity}
			if of.identity == "" {
				declared = append(declared, Backend{ID: of.backend})
			}
		} else if b, ok := readDeclared(text); ok {
			declared = append(declared, b)
		} else {
			return 0, fmt.Errorf("%w: line %d", ErrAnswers, n)
		}
		whole += end + 1
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for k, a := range taken {
		if _, ok := e.answers[k]; !ok {
			e.answers[k] = a
		}
	}
	for _, b := range declared {
		s := e.side(b.ID)
		if d := s.latest(); d == nil || d.identity != b.Identity {
			s.stored = append(s.stored, declaration{b.Identity, b.Facts})
			s.written = b.Identity
		}
	}
	return whole, nil
}

// readDeclared reads a line that was written by declaredLine.
func readDeclared(text []byte) (b Backend, ok bool) {
	r := reader(text)
	object(r, map[string]func(){
		"declared": func() { b.ID = r.String() },
		"identity": func() { b.Identity = r.String() },
		"facts": func() {
			array(r, func() {
				var pair []string
				array(r, func() { pair = append(pair, r.String()) })
				if len(pair) != 2 || len(b.Facts) == mostFacts || len(pair[0])+len(pair[1]) > 40+longestFact {
					r.Fail(errFact)
					return
				}
				b.Facts = append(b.Facts, Fact{pair[0], pair[1]})
			})
		},
	})
	r.End()
	return b, r.Err() == nil && isID(b.ID) && isIdentity(b.Identity)
}

// readLine reads a line that was written by line: its form is exact, and the answer is an object.
func readLine(b []byte) (key string, answer []byte, ok bool) {
	const before, between = `{"ask":"`, `","answer":`
	rest, ok := bytes.CutPrefix(b, []byte(before))
	if !ok || len(rest) < 64+len(between)+3 || rest[len(rest)-1] != '}' ||
		!bytes.HasPrefix(rest[64:], []byte(between)) {
		return "", nil, false
	}
	for _, c := range rest[:64] {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return "", nil, false
		}
	}
	answer = rest[64+len(between) : len(rest)-1]
	r := reader(answer)
	r.Skip()
	r.End()
	return string(rest[:64]), bytes.Clone(answer), r.Err() == nil && answer[0] == '{'
}

// Publish gives the answers to the edge, which keeps them under their hash, and returns that.
func (e *Edge) Publish() (hash string, err error) {
	data := e.Answers()
	hash = sha256.Hex(data)
	if e.send == nil {
		return "", errors.New("there is no edge here")
	}
	r, err := e.send("PUT", "/api/v1/snapshots/"+hash, data)
	switch {
	case err != nil:
		return "", errors.New("the edge cannot be reached")
	case r.Status == 404:
		return "", errors.New("this edge does not store snapshots")
	case r.Status == 413:
		return "", errors.New("the answers are " + strconv.Itoa(len(data)>>10) +
			" KiB, more than this edge keeps of one experiment")
	case r.Status/100 != 2:
		return "", errors.New(refusal(r))
	}
	return hash, nil
}

// Fetch takes the answers that an edge keeps under a hash. Those that have another are refused.
func (e *Edge) Fetch(hash string) error {
	if e.send == nil {
		return errors.New("there is no edge here")
	}
	r, err := e.send("GET", "/api/v1/snapshots/"+hash, nil)
	switch {
	case err != nil:
		return errors.New("the edge cannot be reached")
	case r.Status == 404:
		return errors.New("this edge does not have them, or no longer")
	case r.Status != 200:
		return errors.New(refusal(r))
	case sha256.Hex(r.Body) != hash:
		return errors.New("what the edge keeps there is damaged")
	}
	_, err = e.Take(r.Body)
	return err
}
