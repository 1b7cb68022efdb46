package collection

import (
	"bytes"
	"cmp"
	"strconv"
)

// scratch is the entries of one query in the order of the input while they are read.
type scratch struct {
	scores   []float64
	nums     []uint32 // while every id is a number
	ids      []byte   // the ids one after another, once one is not
	ends     []uint32 // where each one ends
	numeric  bool
	line     int      // line of the first entry; the others follow it line by line
	lines    []uint32 // where they do not
	lastRank int64    // of the entry before; -1: unknown
	note     note     // what is known to be odd so far
}

func (s *scratch) reset() {
	s.scores, s.nums, s.ids, s.ends, s.lines = s.scores[:0], s.nums[:0], s.ids[:0], s.ends[:0], s.lines[:0]
	s.numeric, s.line, s.lastRank, s.note = true, 0, noRank, noNote
}

// addID appends an id that follows those of the entries before.
func (s *scratch) addID(id []byte) {
	if s.numeric {
		if v, ok := number(id); ok {
			s.nums = append(s.nums, v)
			return
		}
		s.spell()
	}
	s.ids = append(s.ids, id...)
	s.ends = append(s.ends, uint32(len(s.ids)))
}

// spell writes out the numbers, as another id is none.
func (s *scratch) spell() {
	s.numeric = false
	for _, v := range s.nums {
		s.ids = strconv.AppendUint(s.ids, uint64(v), 10)
		s.ends = append(s.ends, uint32(len(s.ids)))
	}
	s.nums = s.nums[:0]
}

func (s *scratch) id(i int) []byte {
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.ids[from:s.ends[i]]
}

// spelt returns id i as text.
func (s *scratch) spelt(i int) string {
	if s.numeric {
		return strconv.FormatUint(uint64(s.nums[i]), 10)
	}
	return string(s.id(i))
}

// addLine notes the line of the entry that was just added.
func (s *scratch) addLine(line int) {
	n := len(s.scores)
	switch {
	case n == 1:
		s.line = line
	case len(s.lines) > 0:
		s.lines = append(s.lines, uint32(line))
	case line != s.line+n-1:
		for i := range n - 1 {
			s.lines = append(s.lines, uint32(s.line+i))
		}
		s.lines = append(s.lines, uint32(line))
	}
}

func (s *scratch) lineOf(i int) int {
	if len(s.lines) > 0 {
		return int(s.lines[i])
	}
	return s.line + i
}

// compare orders entries i and j: score descending, id descending, input.
func (s *scratch) compare(i, j int32) int {
	if c := cmp.Compare(s.scores[j], s.scores[i]); c != 0 {
		return c
	}
	c := 0
	if s.numeric {
		c = compareNumbers(s.nums[j], s.nums[i])
	} else {
		c = bytes.Compare(s.id(int(j)), s.id(int(i)))
	}
	if c != 0 {
		return c
	}
	return cmp.Compare(i, j)
}

// compareNumbers compares two numbers as the text of their digits.
func compareNumbers(a, b uint32) int {
	if a == b {
		return 0
	}
	x, y := uint64(a), uint64(b)
	dx, dy := digitsOf(a), digitsOf(b)
	if dx < dy {
		x *= upow10[dy-dx]
	} else {
		y *= upow10[dx-dy]
	}
	if x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(dx, dy) // one begins with the other
}

func digitsOf(v uint32) int {
	n := 1
	for n < 10 && uint64(v) >= upow10[n] {
		n++
	}
	return n
}
