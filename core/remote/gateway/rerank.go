package gateway

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// candidate is a document that is to be reranked.
type candidate struct{ id, text string }

// rerank answers POST /api/v1/rerank: {"backend", "query", "documents": [{"id", "text"}…], "top_k"?, "fallback"?}.
// Where the service fails and fallback is not false, the documents come back in the order in which they came, without
// scores, and the answer says so.
func (w *work) rerank(string) *Answer {
	text, p := w.body()
	if p != nil {
		return w.problem(p)
	}
	id, query, top, fallback := "", "", 0, true
	hasQuery := false
	var docs []candidate
	lim := &w.config.Limits
	d := newDecoder(text, 8)
	d.object(func(key string) bool {
		switch key {
		case "backend":
			id = d.string(100)
		case "query":
			query, hasQuery = d.text(lim), true
		case "documents":
			d.array(lim.Items, func() { docs = append(docs, readCandidate(d, lim)) })
		case "top_k":
			top = d.int(1, lim.TopK)
		case "fallback":
			fallback = d.r.Bool()
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
	case len(docs) == 0:
		return w.problem(invalid("/documents", "no document was sent"))
	}
	if top == 0 {
		top = len(docs)
	}
	b, p := w.choose(id, Reranks)
	if p != nil {
		return w.problem(p)
	}
	w.items = len(docs)
	if p := w.spend(len(docs)-1, false); p != nil {
		return w.problem(p)
	}
	canonical := append([]byte(strconv.Itoa(top)+" "), jsontext.Quote(query)...)
	for _, c := range docs {
		canonical = jsontext.AppendQuote(canonical, c.id)
		canonical = jsontext.AppendQuote(canonical, c.text)
	}
	return w.remembered(b, canonical, func() int {
		n := 0
		for _, c := range docs {
			n += price(query, c.text)
		}
		return n
	}, func() ([]byte, bool, *problem) {
		scores, p := w.score(b, query, docs)
		if p == nil {
			w.scores = scores
			return w.reranked(b, docs, scores, top, failure{}), true, nil
		}
		if !fallback || w.failed.fault == backend.TooLong || w.failed.fault == backend.Refused { // the call's own doing
			return nil, false, p
		}
		w.fallback = true
		return w.reranked(b, docs, nil, top, w.failed), false, nil
	})
}

func readCandidate(d *decoder, lim *Limits) (c candidate) {
	hasID, hasText := false, false
	d.object(func(key string) bool {
		switch key {
		case "id":
			c.id, hasID = d.string(512), true
		case "text":
			c.text, hasText = d.text(lim), true
		default:
			return false
		}
		return true
	})
	if !hasID || !hasText {
		d.fail("a document has id and text")
	}
	return c
}

// score asks for the scores of documents, in batches; scores of different batches are of one scale, since a
// cross-encoder reads each document alone with the query.
func (w *work) score(b *Backend, query string, docs []candidate) ([]float64, *problem) {
	var all []float64
	for part := range slices.Chunk(docs, batch(b.Batch, b.Kind.Rerank.Batch)) {
		texts := make([]string, len(part))
		for i, c := range part {
			texts[i] = c.text
		}
		p := w.ask(b, b.Kind.Rerank.Ask(&b.Settings, query, texts), func(body []byte) error {
			s, err := b.Kind.Rerank.Read(body)
			if err != nil {
				return err
			}
			some, err := backend.InOrder(s, len(part))
			all = append(all, some...)
			return err
		})
		if p != nil {
			return nil, p
		}
	}
	return all, nil
}

// reranked writes the answer: by score descending, then in the order in which they came; nil scores are the fallback.
func (w *work) reranked(b *Backend, docs []candidate, scores []float64, top int, of failure) []byte {
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	if scores != nil {
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(scores[y], scores[x]) })
	}
	out := append(w.begin(b), `,"results":[`...)
	for i, at := range order[:min(top, len(order))] {
		if i > 0 {
			out = append(out, ',')
		}
		if i < differingDocuments {
			w.first = append(w.first, docs[at].text)
		}
		out = append(out, `{"index":`+strconv.Itoa(at)+`,"id":`...)
		out = jsontext.AppendQuote(out, docs[at].id)
		if scores != nil {
			out = append(out, `,"score":`...)
			out = strconv.AppendFloat(out, scores[at], 'g', -1, 64)
		}
		out = append(out, '}')
	}
	out = append(out, ']')
	if scores == nil {
		out = append(out, `,"fallback":{"order":"input","reason":"`+string(of.fault)+`","why":`...)
		out = jsontext.AppendQuote(out, of.why)
		if of.unsent {
			out = append(out, `,"unsent":true`...)
		}
		out = append(out, '}')
	}
	return append(out, '}')
}
