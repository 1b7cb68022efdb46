package remote

import (
	"errors"
	"strings"
)

// Offer is what an edge offers.
type Offer struct {
	Backends  []Backend
	Snapshots bool // it keeps answers for whoever opens a link
}

// Backend is one of the services behind it.
type Backend struct {
	ID, Kind        string
	Does            []string // embed, rerank, search
	Model, Revision string
	Index           string
	Modes           []string // of search
	Dimensions      int      // of vectors, 0 where it does not say
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

// Offer asks what the edge offers; what it said is kept.
func (e *Edge) Offer() (*Offer, error) {
	e.mu.Lock()
	kept := e.offer
	e.mu.Unlock()
	switch {
	case kept != nil:
		return kept, nil
	case e.send == nil:
		return nil, errors.New("there is no edge here")
	}
	r, err := e.send("GET", "/api/v1/backends", nil)
	if err != nil {
		return nil, errors.New("the edge cannot be reached")
	}
	if r.Status != 200 {
		return nil, errors.New(refusal(r))
	}
	o, ok := readOffer(r.Body)
	if !ok {
		return nil, errors.New("what answers there is no edge")
	}
	e.mu.Lock()
	e.offer = o
	e.mu.Unlock()
	return o, nil
}

func readOffer(body []byte) (*Offer, bool) {
	o := &Offer{}
	r := reader(body)
	there := false
	list := func(to *[]string) func() {
		return func() { array(r, func() { *to = append(*to, r.String()) }) }
	}
	object(r, map[string]func(){
		"backends": func() {
			there = true
			array(r, func() {
				var b Backend
				object(r, map[string]func(){
					"id": func() { b.ID = r.String() }, "kind": func() { b.Kind = r.String() }, "does": list(&b.Does), "model": func() { b.Model = r.String() },
					"revision": func() { b.Revision = r.String() }, "index": func() { b.Index = r.String() }, "modes": list(&b.Modes), "dimensions": func() { b.Dimensions = int(r.Int()) },
				})
				o.Backends = append(o.Backends, b)
			})
		},
		"snapshots": func() { o.Snapshots = r.Bool() },
	})
	r.End()
	for _, b := range o.Backends {
		if b.ID == "" || len(b.ID) > 40 || strings.Trim(b.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return nil, false
		}
	}
	return o, there && r.Err() == nil && len(o.Backends) <= 100
}
