package remote

import (
	"sync"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Document is the title and text of a document, as a search backend has them.
type Document struct{ ID, Title, Text string }

// Outside are the documents of a collection that only search backends have. Several goroutines may use it at once.
type Outside struct {
	Edge    *Edge
	Sources []string          // backends to ask for titles and texts, in this order
	Foreign map[string]string // a backend → why its answers are of another collection

	mu   sync.Mutex
	kept map[string]Document // by id
	size int                 // bytes of kept
	lack map[string]bool     // ids that no backend has a document of
}

// mostKept is how many bytes of titles and texts are kept to be used again.
const mostKept = 16 << 20

// Refusal says why titles and texts cannot be asked for, "" if they can, or if no backend says.
func (o *Outside) Refusal() string {
	if len(o.Sources) == 0 {
		return "no search backend has the documents"
	}
	if !o.Edge.There() {
		return "the texts of the documents are behind an edge, and there is none here"
	}
	offer, err := o.Edge.Offer()
	if err != nil {
		return "" // whoever asks hears it
	}
	for _, id := range o.Sources {
		if b := offer.find(id); b != nil && b.HasTexts() {
			return ""
		}
	}
	return "the backend " + say.And(o.Sources) + " returns no texts: its configuration at the edge names no text_field"
}

// HasTexts reports whether a search backend returns the titles or texts of documents.
func (b *Backend) HasTexts() bool {
	for _, f := range b.Facts {
		if f.Name == "text_field" || f.Name == "title_field" {
			return true
		}
	}
	return false
}

// Documents returns titles and texts in the order of the ids. It is an error if a backend does not have one of them.
func (o *Outside) Documents(ids []string) ([]Document, error) {
	if len(o.Sources) == 0 {
		return nil, &Error{Backend: "", Why: "no search backend has the documents"}
	}
	have, err := o.Have(ids)
	out := make([]Document, len(ids))
	for i, id := range ids {
		d, ok := have[id]
		if !ok && err == nil {
			err = &Error{Backend: o.Sources[0], Why: "it does not have the document " + say.Visible(id)}
		}
		if !ok {
			return nil, err
		}
		out[i] = d
	}
	return out, nil
}

// Have returns the titles and texts of those documents that a backend has, by their ids. The error is that of a backend
// that did not answer. A document that every backend answered it does not have is not asked for again.
func (o *Outside) Have(ids []string) (map[string]Document, error) {
	out := make(map[string]Document, len(ids))
	var missing []string
	o.mu.Lock()
	for _, id := range ids {
		if d, ok := o.kept[id]; ok {
			out[id] = d
		} else if !o.lack[id] {
			missing = append(missing, id)
		}
	}
	o.mu.Unlock()
	var failed error
	for _, backend := range o.Sources {
		var left []string
		for len(missing) > 0 {
			part := missing[:min(len(missing), MostItems)]
			missing = missing[len(part):]
			found, err := o.Edge.Documents(backend, part)
			if err != nil {
				failed = err
			}
			for _, id := range part {
				if d, ok := found[id]; ok {
					out[id] = d
					o.keep(d)
				} else {
					left = append(left, id)
				}
			}
		}
		missing = left
	}
	if failed == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.lack == nil {
			o.lack = map[string]bool{}
		}
		for _, id := range missing {
			o.lack[id] = true
		}
		missing = nil
	}
	if len(missing) == 0 {
		failed = nil // another backend has what the one that failed was asked for
	}
	return out, failed
}

// Kept returns a document if its title and text were asked for before.
func (o *Outside) Kept(id string) (d Document, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d, ok = o.kept[id]
	return d, ok
}

// Lacks reports whether every backend answered that it does not have a document.
func (o *Outside) Lacks(id string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.lack[id]
}

func (o *Outside) keep(d Document) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(d.ID) + len(d.Title) + len(d.Text)
	if o.kept == nil || o.size+n > mostKept {
		o.kept, o.size = map[string]Document{}, 0
	}
	o.kept[d.ID] = d
	o.size += n
}

// Documents returns the titles and texts of at most MostItems documents by their ids, as far as a search backend has
// them. They are not kept with the answers, which hold no text.
func (e *Edge) Documents(backend string, ids []string) (map[string]Document, error) {
	if e.send == nil {
		return nil, &Error{Backend: backend, Why: "there is no edge here, and texts are not kept"}
	}
	body := append([]byte(`{"backend":`), jsontext.Quote(backend)...)
	body = append(body, `,"ids":[`...)
	for i, id := range ids {
		if i > 0 {
			body = append(body, ',')
		}
		body = jsontext.AppendQuote(body, id)
	}
	answer, err := e.post(backend, "documents", append(body, "]}"...))
	if err != nil {
		return nil, err
	}
	out, ok := readDocuments(answer, ids)
	if !ok {
		return nil, &Error{Backend: backend, Why: "the edge's answer is none"}
	}
	return out, nil
}

// readDocuments reads documents of those that were asked for, each at most once.
func readDocuments(answer []byte, ids []string) (map[string]Document, bool) {
	asked := make(map[string]bool, len(ids))
	for _, id := range ids {
		asked[id] = true
	}
	out := map[string]Document{}
	fine, there := true, false
	var said Said
	ok := members(answer, &said, func(r *jsontext.Reader, key string) bool {
		if key != "documents" {
			return false
		}
		there = true
		array(r, func() {
			var d Document
			object(r, map[string]func(){
				"id":    func() { d.ID = r.String() },
				"title": func() { d.Title = r.String() },
				"text":  func() { d.Text = r.String() },
			})
			_, twice := out[d.ID]
			fine = fine && asked[d.ID] && !twice
			out[d.ID] = d
		})
		return true
	})
	return out, ok && fine && there
}
