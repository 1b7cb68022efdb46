//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
)

// longestTitle is how many characters of a title are sent to the page.
const longestTitle = 200

// titler collects the titles of documents, each once: those of the files that were given, or of the open collection
// if the comparison is about it.
type titler struct {
	of   func(id string) string
	seen map[string]bool
	list []message.Titled
}

func (cs *comparisons) titler(k *comparison) *titler {
	t := &titler{seen: map[string]bool{}}
	given := cs.titles
	open := cs.open.session != nil && k.report.Collection.Name == cs.open.session.Ref().Name
	t.of = func(id string) string {
		if s := given[id]; s != "" {
			return s
		}
		if open {
			b := cs.open.session.Bundle()
			if i, ok := b.Ordinal(id); ok {
				return b.Cards[i].Title
			}
		}
		return ""
	}
	return t
}

// add adds the title of a document, if it has one.
func (t *titler) add(id string) {
	if t.seen[id] {
		return
	}
	t.seen[id] = true
	if s := t.of(id); s != "" {
		t.list = append(t.list, message.Titled{ID: id, Title: say.Brief(s, longestTitle)})
	}
}
