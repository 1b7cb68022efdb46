package collection

// list is one query's documents, best first by DocIDDescending.
type list struct {
	query  string
	n      uint32
	nb     uint32 // bytes of ids
	flags  uint8  // numeric, moved, tied
	fs, fo uint32 // scores: slab and offset
	us, uo uint32 // n ids where numeric, then n places in the input where moved
	bs, bo uint32 // ids where not numeric: each after its length (one byte, or 255 and four more)
}

// slabs holds many small slices in few allocations.
type slabs[T any] struct{ list [][]T }

// take returns room for n values and where it is.
func (s *slabs[T]) take(n, largest int) (slab, off uint32, room []T) {
	last := len(s.list) - 1
	if last < 0 || cap(s.list[last])-len(s.list[last]) < n {
		size := 256
		if last >= 0 {
			s.trim()
			size = min(2*len(s.list[last]), largest)
		}
		s.list = append(s.list, make([]T, 0, max(size, n)))
		last++
	}
	v := s.list[last]
	o := len(v)
	v = v[:o+n]
	s.list[last] = v
	return uint32(last), uint32(o), v[o : o+n : o+n]
}

// trim gives back what the last slab has left, where that is much.
func (s *slabs[T]) trim() {
	if k := len(s.list) - 1; k >= 0 {
		if v := s.list[k]; cap(v)-len(v) > len(v)/16+16 {
			s.list[k] = append(make([]T, 0, len(v)), v...)
		}
	}
}

func (s *slabs[T]) at(slab, off, n uint32) []T {
	if n == 0 {
		return nil
	}
	return s.list[slab][off : off+n : off+n]
}

// slabBytes is how large slabs become.
const slabBytes = 1 << 20
