package gateway

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// search answers POST /api/v1/search: {"backend", "query", "mode"?, "top_k"?, "vector"?}.
func (w *work) search(string) *Answer {
	text, p := w.body()
	if p != nil {
		return w.problem(p)
	}
	id, hasQuery := "", false
	q := backend.Search{Mode: backend.BM25, K: 10}
	lim := &w.config.Limits
	d := newDecoder(text, 8)
	d.object(func(key string) bool {
		switch key {
		case "backend":
			id = d.string(100)
		case "query":
			q.Query, hasQuery = d.text(lim), true
		case "mode":
			if q.Mode = backend.Mode(d.string(20)); !slices.Contains(backend.Modes, q.Mode) {
				d.fail("a mode is bm25, knn or hybrid")
			}
		case "top_k":
			q.K = d.int(1, lim.TopK)
		case "vector":
			q.Vector = backend.VectorOf(d.vector()) // one way to write it, for the key of its answer
		default:
			return false
		}
		return true
	})
	switch p := d.end(); {
	case p != nil:
		return w.problem(p)
	case !hasQuery:
		return w.problem(invalid("/query", "no query was sent"))
	}
	b, p := w.choose(id, Finds)
	if p != nil {
		return w.problem(p)
	}
	switch {
	case !slices.Contains(b.Modes, q.Mode):
		return w.problem(unsupported("/mode", "this backend does not search in that way"))
	case q.Mode == backend.BM25 && q.Vector.Len > 0:
		return w.problem(invalid("/vector", "bm25 takes no vector"))
	case q.Vector.Len > 0 && b.Dimensions > 0 && q.Vector.Len != b.Dimensions:
		return w.problem(invalid("/vector", "not of the backend's dimensions"))
	case q.Mode != backend.BM25 && q.Vector.Len == 0 && b.Embedder == "":
		return w.problem(invalid("/vector", "no vector was sent, and the backend has no model to create one"))
	}
	w.items = 1
	canonical := append([]byte(string(q.Mode)+" "+strconv.Itoa(q.K)+" "), jsontext.Quote(q.Query)...)
	canonical = append(canonical, q.Vector.JSON...)
	if e := w.config.backend(b.Embedder); e != nil { // whose identity is in the backend's own
		canonical = append(canonical, e.URL...)
	}
	return w.remembered(b, canonical, func() int { return price("", q.Query) }, func() ([]byte, bool, *problem) {
		hits, p := w.find(b, q)
		if p != nil {
			return nil, false, p
		}
		return w.found(b, q.Mode, hits), true, nil
	})
}

// find asks a search backend, after the query's vector was made where it is wanted and missing.
func (w *work) find(b *Backend, q backend.Search) ([]backend.Hit, *problem) {
	if q.Mode != backend.BM25 && q.Vector.Len == 0 {
		v, p := w.vectors(w.config.backend(b.Embedder), backend.Texts{Texts: []string{q.Query}, Role: backend.Query,
			Output: backend.Dense})
		if p != nil {
			return nil, p
		}
		q.Vector = v.Dense[0]
	}
	r, err := b.Kind.Ask(&b.Settings, q)
	if err != nil { // templates were checked when the configuration was read
		return nil, unsupported("/mode", "this backend does not search in that way")
	}
	if b.By == backend.ByPoint {
		id := w.point(b)
		if id == "" {
			w.failed = failure{fault: backend.Busy, why: "it did not open a point in time"}
			return nil, ofFault(w.failed)
		}
		r = b.Kind.Pin.At(r, id)
	}
	var hits []backend.Hit
	p := w.ask(b, r, func(body []byte) error {
		var err error
		if hits, err = b.Kind.Search.Read(&b.Settings, body); err != nil {
			return err
		}
		return checkHits(hits, q.K)
	})
	return hits, p
}

// checkHits refuses an answer with more documents than were asked for, one twice, or a score that is no number.
func checkHits(hits []backend.Hit, k int) error {
	seen := map[string]bool{}
	for _, h := range hits {
		if seen[h.ID] {
			return errTwice
		}
		if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) || len(h.ID) > 512 {
			return backend.Broken
		}
		seen[h.ID] = true
	}
	if len(hits) > k {
		return errTooMany
	}
	return nil
}

var (
	errTwice   = errors.New("gateway: a document is named twice")
	errTooMany = errors.New("gateway: more documents than were asked for")
)

func (w *work) found(b *Backend, mode backend.Mode, hits []backend.Hit) []byte {
	out := append(w.begin(b), `,"index":`...)
	out = jsontext.AppendQuote(out, b.Settings.Index)
	out = append(out, `,"mode":"`+string(mode)+`","results":[`...)
	for i, h := range hits {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"id":`...)
		out = jsontext.AppendQuote(out, h.ID)
		out = append(out, `,"score":`...)
		out = strconv.AppendFloat(out, h.Score, 'g', -1, 64)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}
