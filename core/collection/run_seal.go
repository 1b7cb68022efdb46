package collection

import (
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// turn makes another query the current one.
func (b *RunBuilder) turn(query []byte, line int) error {
	b.leave()
	i := b.run.find(query)
	if i < 0 {
		i = len(b.run.lists)
		if i >= b.lim.Queries {
			return &LimitError{"Queries", "queries in a run", int64(b.lim.Queries), int64(i) + 1}
		}
		b.run.lists = append(b.run.lists, list{query: b.ids.str(query)})
		b.run.insert(i)
		b.first = append(b.first, 0)
		b.at, b.cur = i, &b.free
		b.cur.reset()
		return nil
	}
	if b.back++; b.reopen == 0 {
		b.reopen = line
	}
	b.at = i
	if b.open[i] == nil {
		s := &scratch{}
		s.reset()
		b.unseal(i, s)
		b.open[i] = s
	}
	b.cur = b.open[i]
	b.cur.lastRank = noRank
	return nil
}

// leave seals the current query unless it is open for more.
func (b *RunBuilder) leave() {
	if b.at >= 0 && b.open[b.at] == nil {
		b.seal(b.at, b.cur)
	}
}

// seal stores the entries of a query in rank order and notes what is odd about them.
// It is one pass: order, repeated documents, ranks and ties are found on the same sorted entries.
func (b *RunBuilder) seal(at int, s *scratch) {
	n := len(s.scores)
	l := &b.run.lists[at]
	nt := s.note
	b.first[at], nt.lines = uint32(s.line), nil
	if len(s.lines) > 0 {
		nt.lines = slices.Clone(s.lines)
	}
	defer func() {
		if !nt.nothing() {
			b.notes[at] = &nt
		} else {
			delete(b.notes, at)
		}
	}()
	l.n, l.flags, l.nb = uint32(n), 0, 0
	if n == 0 {
		return
	}
	if !s.numeric && !utf8.Valid(s.ids) {
		for i := range n {
			if id := s.id(i); !utf8.Valid(id) {
				if nt.garbled++; nt.garbled == 1 {
					nt.garbledLine, nt.garbledDoc = int32(s.lineOf(i)), string(id)
				}
			}
		}
	}
	sorted, ties := true, false
	last := s.scores[0]
	for i, v := range s.scores[1:] {
		if v >= last {
			if v == last {
				ties = true
			} else if sorted {
				sorted = false
				nt.unsorted = int32(s.lineOf(i + 1))
			}
		}
		last = v
	}
	repeats := b.repeats(s)
	var order []int32 // nil: as in the input
	if !sorted || ties || repeats {
		order = b.order[:0]
		for i := range n {
			order = append(order, int32(i))
		}
		if !sorted {
			slices.SortFunc(order, s.compare)
		} else {
			groups(s.scores, func(from, to int) { slices.SortFunc(order[from:to], s.compare) })
		}
		b.order = order
		if repeats {
			order = b.dedupe(at, s, order, &nt)
			n = len(order)
		}
		tie := func(k int32) {
			if line := int32(s.lineOf(int(k))); nt.tied == 0 || line < nt.tiedLine {
				nt.tiedLine = line
			}
			nt.tied++
		}
		for i := 1; i < n; i++ {
			if s.scores[order[i]] == s.scores[order[i-1]] {
				if i == 1 || s.scores[order[i-1]] != s.scores[order[i-2]] {
					tie(order[i-1])
				}
				tie(order[i])
			}
		}
		if nt.tied > 0 {
			l.flags |= tied
		}
		same := n == len(s.scores)
		for i := 0; same && i < n; i++ {
			same = order[i] == int32(i)
		}
		if same {
			order = nil
		} else {
			l.flags |= moved
		}
	}
	b.run.n -= len(s.scores) - n
	l.n = uint32(n)

	var room []float64
	l.fs, l.fo, room = b.run.f.take(n, slabBytes/8)
	if order == nil {
		copy(room, s.scores)
	} else {
		for i, k := range order {
			room[i] = s.scores[k]
		}
	}
	words := 0
	if s.numeric {
		l.flags |= numeric
		words = n
	}
	if order != nil {
		words += n
	}
	if words > 0 {
		var u []uint32
		l.us, l.uo, u = b.run.u.take(words, slabBytes/4)
		if s.numeric {
			if order == nil {
				copy(u, s.nums)
			} else {
				for i, k := range order {
					u[i] = s.nums[k]
				}
			}
			u = u[n:]
		}
		for i, k := range order {
			u[i] = uint32(k)
		}
	}
	if !s.numeric {
		size := 0
		for i := range n {
			k := i
			if order != nil {
				k = int(order[i])
			}
			if size += len(s.id(k)) + 1; len(s.id(k)) >= 255 {
				size += 4
			}
		}
		var p []byte
		l.bs, l.bo, p = b.run.b.take(size, slabBytes)
		l.nb = uint32(size)
		for i := range n {
			k := i
			if order != nil {
				k = int(order[i])
			}
			id := s.id(k)
			if len(id) < 255 {
				p[0] = byte(len(id))
				p = p[1:]
			} else {
				p[0], p[1], p[2], p[3], p[4] = 255, byte(len(id)), byte(len(id)>>8), byte(len(id)>>16),
					byte(len(id)>>24)
				p = p[5:]
			}
			p = p[copy(p, id):]
		}
	}
}

// unseal puts the entries of a query back into the order of the input.
func (b *RunBuilder) unseal(at int, s *scratch) {
	nt := noNote
	if p := b.notes[at]; p != nil {
		nt = *p
	}
	entries, again := b.run.Listed(at)
	if again != nil { // they are found again too
		n := len(b.run.again[at])
		nt.same, nt.differ = 0, 0
		b.run.n += n
		b.again -= n
		delete(b.run.again, at)
	}
	for _, e := range entries {
		s.addID(view(e.Doc))
		s.scores = append(s.scores, e.Score)
		line := int(b.first[at]) + e.Pos
		if nt.lines != nil {
			line = int(nt.lines[e.Pos])
		}
		s.addLine(line)
	}
	nt.tied, nt.tiedLine, nt.unsorted, nt.lines, nt.garbled = 0, 0, -1, nil, 0 // found again when it is sealed again
	s.note = nt
}

// repeats reports whether a document appears twice.
func (b *RunBuilder) repeats(s *scratch) bool {
	n := len(s.scores)
	if n < 2 {
		return false
	}
	size := 1 << bits.Len(uint(2*n))
	shift := 64 - bits.Len(uint(size-1))
	if s.numeric {
		if len(b.set32) < size {
			b.set32 = make([]uint32, size)
		}
		set := b.set32[:size]
		clear(set)
		top := false // the largest number has no place in the set
		for _, v := range s.nums {
			if v == math.MaxUint32 {
				if top {
					return true
				}
				top = true
				continue
			}
			v++
			for i := int(uint64(v) * hashMul >> shift); ; i = (i + 1) & (size - 1) {
				if set[i] == 0 {
					set[i] = v
					break
				}
				if set[i] == v {
					return true
				}
			}
		}
		return false
	}
	if len(b.set64) < size {
		b.set64 = make([]uint64, size)
	}
	set := b.set64[:size]
	clear(set)
	from := uint32(0)
	for _, end := range s.ends {
		h := hashBytes(s.ids[from:end]) | 1
		from = end
		for i := int(h >> shift); ; i = (i + 1) & (size - 1) {
			if set[i] == 0 {
				set[i] = h
				break
			}
			if set[i] == h {
				return true // or a collision: dedupe looks closer
			}
		}
	}
	return false
}

// dedupe takes documents out of order that are in it before: the best-ranked one of each stays, the others are kept
// apart.
func (b *RunBuilder) dedupe(at int, s *scratch, order []int32, nt *note) []int32 {
	first := make(map[string]int32, len(order))
	keep := order[:0]
	for _, k := range order {
		id := s.spelt(int(k))
		f, ok := first[id]
		if !ok {
			first[id] = k
			keep = append(keep, k)
			continue
		}
		b.keep(at, Entry{id, s.scores[k], int(k)})
		line := int32(s.lineOf(int(max(k, f))))
		if s.scores[f] == s.scores[k] {
			if nt.same++; nt.same == 1 || line < nt.sameLine {
				nt.sameLine, nt.sameDoc = line, id
			}
		} else if nt.differ++; nt.differ == 1 || line < nt.differLine {
			nt.differLine, nt.differDoc = line, id
		}
	}
	return keep
}

// keep keeps an entry that does not count, unless there are too many.
func (b *RunBuilder) keep(at int, e Entry) {
	if b.again < 0 {
		return
	}
	if b.again++; b.again > maxAgain {
		b.again, b.run.again = -1, nil
		return
	}
	if b.run.again == nil {
		b.run.again = map[int][]Entry{}
	}
	b.run.again[at] = append(b.run.again[at], e)
}
