package gateway

import (
	"slices"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

const (
	longestID    = 512    // bytes
	longestShown = 10_000 // characters of a title or text, as many as a reranker is sent
)

// documents answers POST /api/v1/documents: {"backend", "ids"}. A document that the index does not have is left out.
// The
// answer is not remembered: it holds texts.
func (w *work) documents(string) *Answer {
	text, p := w.body()
	if p != nil {
		return w.problem(p)
	}
	id := ""
	var ids []string
	d := newDecoder(text, 8)
	d.object(func(key string) bool {
		switch key {
		case "backend":
			id = d.string(100)
		case "ids":
			ids = d.strings(w.config.Limits.Items, longestID)
		default:
			return false
		}
		return true
	})
	switch p := d.end(); {
	case p != nil:
		return w.problem(p)
	case len(ids) == 0:
		return w.problem(invalid("/ids", "no id was sent"))
	}
	b, p := w.choose(id, Finds)
	if p != nil {
		return w.problem(p)
	}
	if !b.texts() {
		return w.problem(unsupported("/backend", "the configuration of this backend names no title_field and no "+
			"text_field"))
	}
	w.items = len(ids)
	if p := w.spend(len(ids)-1, false); p != nil {
		return w.problem(p)
	}
	w.identity = w.Gateway.identity(b)
	var found []backend.Stored
	lookup := b.Kind.Search.Documents
	most := lookup.Batch
	if most == 0 {
		most = len(ids)
	}
	for part := range slices.Chunk(ids, most) {
		if p := w.ask(b, lookup.Ask(&b.Settings, part), func(body []byte) error {
			some, err := lookup.Read(&b.Settings, body)
			if err == nil {
				err = checkDocuments(some, part)
			}
			if err == nil {
				found = append(found, some...)
			}
			return err
		}); p != nil {
			return w.problem(p)
		}
	}
	out := append(w.begin(b), `,"documents":[`...)
	for i, x := range found {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontext.AppendQuote(append(out, `{"id":`...), x.ID)
		out = jsontext.AppendQuote(append(out, `,"title":`...), shown(x.Title))
		out = append(jsontext.AppendQuote(append(out, `,"text":`...), shown(x.Text)), '}')
	}
	return json(append(out, "]}"...))
}

// checkDocuments refuses a document that nobody asked for, or one that is there twice.
func checkDocuments(found []backend.Stored, ids []string) error {
	left := make(map[string]bool, len(ids))
	for _, id := range ids {
		left[id] = true
	}
	for _, d := range found {
		if !left[d.ID] {
			return backend.Broken
		}
		delete(left, d.ID)
	}
	return nil
}

// shown returns at most longestShown characters.
func shown(s string) string {
	if len(s) <= longestShown {
		return s
	}
	n := 0
	for i := range s {
		if n == longestShown {
			return s[:i]
		}
		n++
	}
	return s
}
