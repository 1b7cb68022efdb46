package remote

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/say"
)

// # Answers, version 1
//
// Lines of JSON: Head, and one for each answer, {"ask": its key, "answer": what the edge said}. Answers that are written for a snapshot are in the order of
// their keys, so that the same ones have the same hash. No query and no text of a document is in them.

// Head is the first line.
const Head = `{"rankbox":"answers","version":1}` + "\n"

// MaxAnswers is how many bytes of answers are read.
const MaxAnswers = 256 << 20

// ErrAnswers is returned for bytes that are no answers, or those of a later version.
var ErrAnswers = say.Faultf("remote", "these are no answers of an edge that this version can read")

func line(key string, answer []byte) []byte {
	out := append([]byte(`{"ask":"`+key+`","answer":`), answer...)
	return append(out, "}\n"...)
}

// Answers returns all that is kept, those that fell back too, for a snapshot.
func (e *Edge) Answers() []byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	var keys []string
	for k := range e.answers {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	out := []byte(Head)
	for _, k := range keys {
		out = append(out, line(k, e.answers[k])...)
	}
	return out
}

// Take takes answers that were kept. A last line that was cut off is left out; whole says how many bytes came before it.
func (e *Edge) Take(data []byte) (whole int, err error) {
	if len(data) == 0 {
		return 0, nil
	}
	if len(data) > MaxAnswers || !bytes.HasPrefix(data, []byte(Head)) {
		return 0, ErrAnswers
	}
	whole = len(Head)
	taken := map[string][]byte{}
	for n := 2; whole < len(data); n++ {
		end := bytes.IndexByte(data[whole:], '\n')
		if end < 0 {
			break
		}
		key, answer, ok := readLine(data[whole : whole+end])
		if !ok {
			return 0, fmt.Errorf("%w: line %d", ErrAnswers, n)
		}
		taken[key] = answer
		whole += end + 1
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for k, a := range taken {
		if _, ok := e.answers[k]; !ok {
			e.answers[k] = a
		}
	}
	return whole, nil
}

// readLine reads a line that was written by line: its form is exact, and the answer is an object.
func readLine(b []byte) (key string, answer []byte, ok bool) {
	const before, between = `{"ask":"`, `","answer":`
	rest, ok := bytes.CutPrefix(b, []byte(before))
	if !ok || len(rest) < 64+len(between)+3 || rest[len(rest)-1] != '}' || !bytes.HasPrefix(rest[64:], []byte(between)) {
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
		return "", errors.New("this edge keeps no snapshots")
	case r.Status == 413:
		return "", errors.New("the answers are " + strconv.Itoa(len(data)>>10) + " KiB, more than this edge keeps of one experiment")
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
