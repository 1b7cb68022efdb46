package upload

import (
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Indexed searches the documents of a collection that is being indexed.
type Indexed struct {
	Query string
	List  *experiment.Indexed // of the documents that were indexed when it was asked for; nil for none
	Open  bool                // documents are being indexed

	app   *state.App
	asked int // how many documents were indexed when the last list was asked for
}

// Search asks for the list of a query.
func (x *Indexed) Search(query string) {
	x.Query = query
	if strings.TrimSpace(query) == "" {
		x.List = nil
		x.app.View.Draw()
		return
	}
	x.app.Engine.Request(message.Indexed, &message.AskIndexed{Query: query})
}

// hear takes how far indexing is. The list is asked for again when there are a quarter more documents, and for all.
func (x *Indexed) hear(p *message.Progress) {
	if p.What != message.Indexing {
		return
	}
	x.Open = true
	if strings.TrimSpace(x.Query) != "" && (4*p.Done > 5*x.asked || p.Done == p.Total && x.asked < p.Total) {
		x.asked = p.Done
		x.Search(x.Query)
	}
}

// take takes a list, unless another query was typed since.
func (x *Indexed) take(list *experiment.Indexed) {
	if list != nil && x.Open && list.Query == x.Query {
		x.List, x.asked = list, max(x.asked, list.Documents)
	}
}

// close ends it: the documents are indexed, or are given up.
func (x *Indexed) close() { x.Open, x.List, x.asked = false, nil, 0 }
