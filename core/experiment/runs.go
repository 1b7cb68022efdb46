package experiment

import (
	"maps"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Runs are the stored runs that stages rank by, by name and query.
type Runs struct {
	b       *bundle.Bundle
	fetch   bundle.Fetch
	queries *Queries
	given   map[string]map[string][]rank.Hit
	fetched map[string]map[string][]rank.Hit // the collection's own
}

// set stores a run and returns how many of its lines it left out.
func (x *Runs) set(name string, r *collection.Run) (unknown int) {
	run := map[string][]rank.Hit{}
	for i, q := range r.Queries() {
		if _, ok := x.queries.place[q]; !ok {
			unknown += r.Size(i)
			continue
		}
		hits := []rank.Hit{}
		for _, e := range r.Ranked(i, collection.DocIDDescending, nil) {
			if d, ok := x.b.Ordinal(e.Doc); ok {
				hits = append(hits, rank.Hit{Doc: uint32(d), Score: e.Score})
			} else {
				unknown++
			}
		}
		rank.Sort(hits)
		run[q] = hits
	}
	x.given[name] = run
	return unknown
}

// Names returns the names of the runs that were given, in order.
func (x *Runs) Names() []string { return slices.Sorted(maps.Keys(x.given)) }
