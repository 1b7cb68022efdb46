package bundle

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// Documents are the documents of a collection, numbered from 0 in reading order. Build asks for each several times,
// by descending id, and keeps the ids.
type Documents interface {
	Len() int
	ID(i int) string
	Doc(i int) (*collection.Doc, error)
}

// inMemory are documents in memory.
type inMemory []collection.Doc

func (d inMemory) Len() int                           { return len(d) }
func (d inMemory) ID(i int) string                    { return d[i].ID }
func (d inMemory) Doc(i int) (*collection.Doc, error) { return &d[i], nil }

// inOrder returns the documents by descending id, the order that breaks score ties.
func inOrder(id string, docs Documents) ([]uint32, error) {
	order := make([]uint32, docs.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(docs.ID(int(b)), docs.ID(int(a))) })
	for i := 1; i < len(order); i++ {
		if d := docs.ID(int(order[i])); d == docs.ID(int(order[i-1])) {
			return nil, say.Faultf("bundle", "build %s: document %q appears twice", id, d)
		}
	}
	return order, nil
}

// ordinals maps ids to positions in that order.
func ordinals(docs Documents, order []uint32) map[string]int {
	places := make(map[string]int, len(order))
	for i, d := range order {
		places[docs.ID(int(d))] = i
	}
	return places
}

// Beside is a file that a bundle carries but Open ignores. Its name is also its role.
type Beside struct {
	Name string
	Data []byte
}
