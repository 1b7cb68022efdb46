package experiment

import "github.com/rankbox/rankbox/core/text"

// maxTwins is of how many pairs a session keeps whether they are near-duplicates.
const maxTwins = 1 << 16

// twins says whether the texts of two documents are near-duplicates, which is not known where one was not fetched.
func (s *Session) twins(a, b uint32) bool {
	x, ok := s.shinglesOf(a)
	y, ok2 := s.shinglesOf(b)
	if !ok || !ok2 {
		return false
	}
	pair := [2]uint32{min(a, b), max(a, b)}
	alike, known := s.twin[pair]
	if !known {
		if len(s.twin) >= maxTwins {
			clear(s.twin)
		}
		alike = text.Jaccard(x, y) >= text.NearDuplicate
		s.twin[pair] = alike
	}
	return alike
}

// shinglesOf returns the shingles of a document's text, if that is there.
func (s *Session) shinglesOf(d uint32) (shingles []uint64, there bool) {
	if sh, ok := s.shingle[d]; ok {
		return sh, true
	}
	t, there := s.fetched(int(d))
	if there {
		s.shingle[d] = text.Shingles(t)
	}
	return s.shingle[d], there
}
