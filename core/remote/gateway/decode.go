package gateway

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// ErrTooLarge is what Call.Body returns of a body over its limit.
var ErrTooLarge = errors.New("gateway: the body is too large")

// decoder reads one JSON object strictly: a member that is not known, or there twice, is an error at every depth, as is
// a value of the wrong type. Errors say where, and repeat nothing of the text.
type decoder struct {
	r     *jsontext.Reader
	path  []string
	bad   *problem
	count int // characters of all texts that were read with text
}

func newDecoder(text []byte, depth int) *decoder {
	d := &decoder{r: jsontext.New(nil, jsontext.Limits{Depth: depth})}
	d.r.Reset(text)
	return d
}

var errDecode = errors.New("gateway: decode")

func (d *decoder) pointer() string {
	var b strings.Builder
	for _, p := range d.path {
		b.WriteByte('/')
		b.WriteString(p)
	}
	return b.String()
}

func (d *decoder) stop(p *problem) {
	if d.bad == nil && d.r.Err() == nil {
		d.bad = p
	}
	d.r.Fail(errDecode)
}

func (d *decoder) fail(detail string)    { d.stop(invalid(d.pointer(), detail)) }
func (d *decoder) tooMuch(detail string) { d.stop(tooLarge(d.pointer(), detail)) }

// end returns what was wrong, nil where nothing was.
func (d *decoder) end() *problem {
	d.r.End()
	if d.bad != nil {
		return d.bad
	}
	if err := d.r.Err(); err != nil {
		detail := "not the JSON that is expected here"
		var e *jsontext.SyntaxError
		if errors.As(err, &e) {
			detail += ": line " + strconv.Itoa(e.Line) + ", column " + strconv.Itoa(e.Column)
		}
		return invalid(d.pointer(), detail)
	}
	return nil
}

// object reads an object; known reads the member of that name, or returns false.
func (d *decoder) object(known func(key string) bool) {
	var seen []string
	for d.r.BeginObject(); d.r.More(); {
		key := string(d.r.Key())
		if d.r.Err() != nil {
			return
		}
		if slices.Contains(seen, key) {
			d.fail("a member appears twice")
			return
		}
		seen = append(seen, key)
		d.path = append(d.path, key)
		ok := known(key)
		if d.r.Err() != nil {
			return // the path stays where the error was
		}
		d.path = d.path[:len(d.path)-1]
		if !ok { // its name is not repeated
			d.fail("a member is unknown")
			return
		}
	}
}

// array reads an array of at most n elements.
func (d *decoder) array(n int, element func()) {
	i := 0
	for d.r.BeginArray(); d.r.More(); i++ {
		if i == n {
			d.tooMuch("more than " + strconv.Itoa(n) + " items")
			return
		}
		d.path = append(d.path, strconv.Itoa(i))
		element()
		if d.r.Err() != nil {
			return
		}
		d.path = d.path[:len(d.path)-1]
	}
}

// string reads a string of at most n bytes.
func (d *decoder) string(n int) string {
	s := d.r.String()
	if len(s) > n {
		d.tooMuch("more than " + strconv.Itoa(n) + " bytes")
		return ""
	}
	return s
}

func (d *decoder) strings(items, bytes int) []string {
	out := []string{}
	d.array(items, func() { out = append(out, d.string(bytes)) })
	return out
}

// text reads a text within the caps of characters.
func (d *decoder) text(l *Limits) string {
	s := d.r.String()
	n := utf8.RuneCountInString(s)
	switch d.count += n; {
	case n > l.Characters:
		d.tooMuch("more than " + strconv.Itoa(l.Characters) + " characters")
	case d.count > l.Total:
		d.tooMuch("more than " + strconv.Itoa(l.Total) + " characters in all texts")
	}
	return s
}

// int reads a whole number from lo to hi.
func (d *decoder) int(lo, hi int) int {
	n := d.r.Int()
	if d.r.Err() != nil {
		return lo
	}
	if n < int64(lo) {
		d.fail("less than " + strconv.Itoa(lo))
		return lo
	}
	if n > int64(hi) {
		d.tooMuch("more than " + strconv.Itoa(hi))
		return lo
	}
	return int(n)
}

// vector reads numbers that are finite as float32.
func (d *decoder) vector() []float32 {
	var v []float32
	d.array(backend.MaxDimensions, func() {
		x := float32(d.r.Float())
		if math.IsInf(float64(x), 0) {
			d.fail("not a number of 32 bits")
		}
		v = append(v, x)
	})
	return v
}

// body reads the body of a call that must be JSON.
func (w *work) body() ([]byte, *problem) { return w.jsonBody(w.config.Limits.Body) }

// jsonBody reads a body of at most limit bytes that must be JSON.
func (w *work) jsonBody(limit int) ([]byte, *problem) {
	kind, _, _ := strings.Cut(w.call.ContentType, ";")
	switch {
	case w.call.Encoding != "" && w.call.Encoding != "identity":
		return nil, &problem{status: 415, code: "type", title: "Unsupported encoding", detail: "send the body as it is"}
	case !strings.EqualFold(strings.TrimSpace(kind), "application/json"):
		return nil, &problem{status: 415, code: "type", title: "Unsupported type", detail: "send application/json"}
	case w.call.Length > int64(limit):
		return nil, tooLarge("", "more than "+strconv.Itoa(limit)+" bytes")
	}
	return w.read(limit)
}

func (w *work) read(limit int) ([]byte, *problem) {
	b, err := w.call.Body(limit)
	switch {
	case errors.Is(err, ErrTooLarge) || len(b) > limit:
		return nil, tooLarge("", "more than "+strconv.Itoa(limit)+" bytes")
	case err != nil:
		return nil, &problem{status: 408, code: "invalid", title: "Request not received",
			detail: "the body did not arrive"}
	}
	return b, nil
}

// choose returns the backend that a call names.
func (w *work) choose(id string, does Does) (*Backend, *problem) {
	if !isID(id) {
		return nil, invalid("/backend", "not the id of a backend")
	}
	b := w.config.backend(id)
	if b == nil {
		return nil, &problem{status: 404, code: "not-found", title: "Not found", detail: "no backend has that id",
			pointer: "/backend"}
	}
	w.backend = b.ID
	if !b.does(does) {
		return nil, unsupported("/backend", "this backend does not "+string(does))
	}
	return b, nil
}
