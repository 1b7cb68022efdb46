package remote

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Offer is what an edge offers.
type Offer struct {
	Backends  []Backend
	Snapshots bool // it keeps answers for whoever opens a link
	Rooms     bool // classes may vote there

	ages map[string]int // of the declarations of services that are asked about themselves, in ms; -1: they never said
	at   time.Time
}

// age returns how long ago the service of a backend said what it is, negative if it never did; inspected is false for a
// service that is not asked.
func (o *Offer) age(backend string) (age time.Duration, inspected bool) {
	ms, ok := o.ages[backend]
	if ok && ms < 0 {
		return -1, true
	}
	return time.Duration(ms)*time.Millisecond + time.Since(o.at), ok
}

// Backend is one of the services behind it.
type Backend struct {
	ID, Kind        string
	Does            []string // embed, rerank, search
	Model, Revision string
	Index           string
	Modes           []string // of search
	Dimensions      int      // of vectors, 0 where it does not say
	// the digest of its declaration, 64 hexadecimal digits; "" of an edge that declares nothing
	Identity   string
	Facts      []Fact  // the declaration
	PerMillion float64 // what a million tokens cost, 0 where it does not say
	Currency   string  // of PerMillion, three capital letters
}

// Named are the backends that do something.
func (o *Offer) Named(does string) (ids []string) {
	for _, b := range o.Backends {
		for _, d := range b.Does {
			if d == does {
				ids = append(ids, b.ID)
			}
		}
	}
	return ids
}

func (o *Offer) find(backend string) *Backend {
	for i := range o.Backends {
		if o.Backends[i].ID == backend {
			return &o.Backends[i]
		}
	}
	return nil
}

// Offer asks what the edge offers; what it said is kept.
func (e *Edge) Offer() (*Offer, error) {
	e.asking.Lock()
	defer e.asking.Unlock()
	e.mu.Lock()
	kept := e.offer
	e.mu.Unlock()
	switch {
	case kept != nil:
		return kept, nil
	case e.refused != nil && time.Since(e.refusedAt) < refusedFor:
		return nil, e.refused
	case e.send == nil:
		return nil, errors.New("there is no edge here")
	}
	o, err := e.askOffer()
	if err == ErrStopped {
		return nil, err
	}
	if err != nil {
		e.refused, e.refusedAt = err, time.Now()
		return nil, err
	}
	e.refused = nil
	e.mu.Lock()
	e.offer = o
	e.mu.Unlock()
	return o, nil
}

// ErrKey is the error of a private edge.
var ErrKey = errors.New("the edge is private: it wants a key, and this one is missing, expired or revoked")

// refusedFor is for how long an edge that does not say what it offers is not asked again.
const refusedFor = 2 * time.Second

func (e *Edge) askOffer() (*Offer, error) {
	r, err := e.patiently("GET", "/api/v1/backends", nil)
	switch {
	case err == ErrStopped:
		return nil, err
	case err != nil:
		return nil, errors.New("the edge cannot be reached")
	case r.Status == 401:
		return nil, ErrKey
	case r.Status != 200:
		return nil, errors.New(refusal(r))
	}
	o, ok := readOffer(r.Body)
	if !ok {
		return nil, errors.New("what answers there is no edge")
	}
	o.at = r.sent // no later than when the edge said it
	return o, nil
}

func readOffer(body []byte) (*Offer, bool) {
	o := &Offer{}
	r := reader(body)
	there := false
	object(r, map[string]func(){
		"backends": func() {
			there = true
			array(r, func() {
				var b Backend
				for r.BeginObject(); r.More(); {
					b.read(r, string(r.Key()))
				}
				o.Backends = append(o.Backends, b)
			})
		},
		"age_ms": func() {
			o.ages = map[string]int{}
			for r.BeginObject(); r.More(); {
				id := string(r.Key())
				o.ages[id] = int(r.Int())
			}
		},
		"snapshots": func() { o.Snapshots = r.Bool() },
		"rooms":     func() { o.Rooms = r.Bool() },
	})
	r.End()
	for _, b := range o.Backends {
		if b.Identity != "" && !isIdentity(b.Identity) || len(b.Facts) > mostFacts {
			return nil, false
		}
		if !isID(b.ID) || b.PerMillion < 0 || len(b.Currency) > 3 ||
			strings.Trim(b.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return nil, false
		}
	}
	return o, there && r.Err() == nil && len(o.Backends) <= 100
}

func isID(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// mostFacts and longestFact bound a declaration.
const (
	mostFacts   = 30
	longestFact = 2000
)

// read reads a member of a backend. What is not known belongs to its declaration.
func (b *Backend) read(r *jsontext.Reader, key string) {
	list := func(to *[]string) { array(r, func() { *to = append(*to, r.String()) }) }
	var skipped []string
	switch key {
	case "id":
		b.ID = r.String()
	case "does":
		list(&b.Does)
	case "modes":
		list(&b.Modes)
	case "outputs":
		list(&skipped)
	case "identity":
		b.Identity = r.String()
	case "price":
		object(r, map[string]func(){
			"million_tokens": func() { b.PerMillion = r.Float() },
			"currency":       func() { b.Currency = r.String() },
		})
	default:
		value := factValue(r)
		switch key {
		case "kind":
			b.Kind = value
		case "model":
			b.Model = value
		case "revision":
			b.Revision = value
		case "index":
			b.Index = value
		case "dimensions":
			b.Dimensions, _ = strconv.Atoi(value)
		}
		if len(key) > 40 || len(value) > longestFact {
			r.Fail(errFact)
		}
		b.Facts = append(b.Facts, Fact{key, value})
	}
}

var errFact = errors.New("remote: a declaration is too long")

// factValue reads a string, a number or a list of strings as text; anything else is "".
func factValue(r *jsontext.Reader) string {
	switch r.Peek() {
	case '"':
		return r.String()
	case '0':
		return string(r.Number())
	case '[':
		var all []string
		array(r, func() { all = append(all, r.String()) })
		return strings.Join(all, ", ")
	}
	r.Skip()
	return ""
}
