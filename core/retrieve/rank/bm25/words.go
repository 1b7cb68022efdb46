package bm25

import "strings"

// words caches the terms of raw words, because stemming a word costs more than ranking by it. Its zero value is
// empty.
type words struct {
	slots []slot // open addressing, at most half full; the length is a power of two
	used  int
}

type slot struct {
	raw  string // "" in a free slot: no word is empty
	term uint32 // 1 + id; 0 if the index lacks the word's term
}

// maxWords is the number of words at which the cache is cleared.
const maxWords = 1 << 13

// get returns the slot of a raw word and whether it is cached. If not, the caller fills in term.
func (w *words) get(raw string) (s *slot, known bool) {
	if 2*w.used >= len(w.slots) {
		w.grow()
	}
	s = w.find(raw)
	if s.raw != "" {
		return s, true
	}
	s.raw = strings.Clone(raw)
	w.used++
	return s, false
}

// find returns the slot that holds a raw word or is free for it.
func (w *words) find(raw string) *slot {
	h := uint32(2166136261) // FNV-1a
	for i := range len(raw) {
		h = (h ^ uint32(raw[i])) * 16777619
	}
	mask := uint32(len(w.slots) - 1)
	for i := (h ^ h>>15) & mask; ; i = (i + 1) & mask {
		if s := &w.slots[i]; s.raw == "" || s.raw == raw {
			return s
		}
	}
}

func (w *words) grow() {
	old := w.slots
	w.used = 0
	if len(old) == 2*maxWords {
		clear(old)
		return
	}
	w.slots = make([]slot, max(64, 2*len(old)))
	for _, s := range old {
		if s.raw != "" {
			*w.find(s.raw) = s
			w.used++
		}
	}
}
