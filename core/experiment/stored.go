package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/rank"
)

// SetRun gives the session a stored run under a name, for stages that rank by it. It returns how many of its lines it left out because
// the collection has no such query or document.
func (s *Session) SetRun(name string, r *collection.Run) (unknown int) {
	run := map[string][]rank.Hit{}
	for i, q := range r.Queries() {
		if _, ok := s.query[q]; !ok {
			unknown += r.Size(i)
			continue
		}
		hits := []rank.Hit{}
		for _, e := range r.Ranked(i, collection.DocIDDescending, nil) {
			if d, ok := s.b.Ordinal(e.Doc); ok {
				hits = append(hits, rank.Hit{Doc: uint32(d), Score: e.Score})
			} else {
				unknown++
			}
		}
		rank.Sort(hits)
		run[q] = hits
	}
	if s.stored == nil {
		s.stored = map[string]map[string][]rank.Hit{}
	}
	s.stored[name] = run
	s.rankers = nil
	clear(s.runs)
	return unknown
}

// DropRun takes a stored run away.
func (s *Session) DropRun(name string) {
	delete(s.stored, name)
	s.rankers = nil
	clear(s.runs)
}

// Stored returns the names of the stored runs, in order.
func (s *Session) Stored() []string {
	var out []string
	for name := range s.stored {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
