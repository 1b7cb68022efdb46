package packed

// # The coder of grades
//
// An adaptive binary arithmetic coder. Each bit is predicted from several contexts, numbers that describe the
// situation. Each context predicts from the bits that it saw before, and a mixer weighs the predictions by their
// past accuracy (Mahoney 2005, Adaptive Weighing of Context Models for Lossless Data Compression). All arithmetic
// is in integers, so that every machine codes the same bytes. The same code writes and reads: when reading, it
// ignores its input bit and returns the decoded one.

// coder writes or reads bits.
type coder struct {
	reading bool
	in, out []byte
	pos     int // bytes read of in; zeros follow its end

	low, high, code uint32

	slots   []slot
	weights [][maxContexts]int32
	work    int // contexts that may still be consulted: bounds the time that a short input can take
	spent   bool
}

// slot is the history of a context.
type slot struct {
	p uint16 // probability of a 1, of 65,536
	n uint16 // bits seen, at most slotLimit
}

const (
	slotBits    = 18
	slotLimit   = 250
	maxContexts = 8
	mixers      = 256
	learning    = 20
)

func newCoder(reading bool, in []byte, work int) *coder {
	c := &coder{reading: reading, in: in, high: 1<<32 - 1, work: work}
	c.slots = make([]slot, 1<<slotBits)
	for i := range c.slots {
		c.slots[i].p = 1 << 15
	}
	c.weights = make([][maxContexts]int32, mixers)
	for i := range c.weights {
		for j := range c.weights[i] {
			c.weights[i][j] = 1 << 14
		}
	}
	if reading {
		for range 4 {
			c.code = c.code<<8 | uint32(c.next())
		}
	}
	return c
}

func (c *coder) next() byte {
	c.pos++
	if c.pos > len(c.in) {
		return 0
	}
	return c.in[c.pos-1]
}

// context hashes several numbers into one. The first names the decision.
func context(parts ...uint32) uint32 {
	h := uint32(0x9e3779b9)
	for _, p := range parts {
		h = (h ^ p) * 0x85ebca6b
		h ^= h >> 15
	}
	return h
}

// bit codes b, 0 or 1. mixer selects the weights.
func (c *coder) bit(b int, mixer uint32, contexts ...uint32) int {
	var at [maxContexts]*slot
	var stretched [maxContexts]int32
	w := &c.weights[mixer%mixers]
	if c.work -= len(contexts); c.work < 0 {
		c.spent = true
		return 0
	}
	sum := int64(0)
	for i, x := range contexts {
		s := &c.slots[(x^x>>slotBits)&(1<<slotBits-1)]
		at[i], stretched[i] = s, stretch[s.p>>4]
		sum += int64(w[i]) * int64(stretched[i])
	}
	p := squash(int32(max(-2047, min(sum>>16, 2047)))) // of 4,096
	mid := c.low + uint32(uint64(c.high-c.low)*uint64(p)>>12)
	if c.reading {
		b = 0
		if c.code <= mid {
			b = 1
		}
	}
	if b == 1 {
		c.high = mid
	} else {
		c.low = mid + 1
	}
	for (c.low^c.high)>>24 == 0 {
		if c.reading {
			c.code = c.code<<8 | uint32(c.next())
		} else {
			c.out = append(c.out, byte(c.high>>24))
		}
		c.low, c.high = c.low<<8, c.high<<8|255
	}
	wrong := (int32(b)<<12 - p) * learning
	for i := range contexts {
		w[i] += (stretched[i]*wrong + 1<<15) >> 16
		s := at[i]
		s.p = uint16(int32(s.p) + (int32(b)*65535-int32(s.p))*2/(2*int32(s.n)+3))
		s.n = min(s.n+1, slotLimit)
	}
	return b
}

// finish returns the output, ended by the fewest bytes that name a number between low and high when zeros follow.
// Low and high differ in their first byte, so one byte suffices.
func (c *coder) finish() []byte {
	c.out = append(c.out, byte((uint64(c.low)+1<<24-1)>>24))
	for len(c.out) > 0 && c.out[len(c.out)-1] == 0 {
		c.out = c.out[:len(c.out)-1]
	}
	return c.out
}

// complete reports whether the input was read exactly to its end.
func (c *coder) complete() bool {
	return !c.spent && len(c.in) <= c.pos && (len(c.in) == 0 || c.in[len(c.in)-1] != 0)
}

// flag codes a bool.
func (c *coder) flag(b bool, contexts ...uint32) bool {
	v := 0
	if b {
		v = 1
	}
	return c.bit(v, 0, contexts...) == 1
}

// number codes a number below 2³⁰: its bit length, then the bits after the first. kind names the quantity.
func (c *coder) number(v int, kind uint32) int {
	n := 0
	for !c.reading && (v+1)>>(n+1) > 0 {
		n++
	}
	bits := 0
	for bits < 30 {
		more := 0
		if bits < n {
			more = 1
		}
		if c.bit(more, 1, context(1, kind, uint32(bits))) == 0 {
			break
		}
		bits++
	}
	x := 1
	for i := bits - 1; i >= 0; i-- {
		seen := uint32(0)
		if bits-i <= 4 {
			seen = uint32(x)
		}
		x = x<<1 | c.bit((v+1)>>i&1, 2, context(2, kind, uint32(bits), uint32(i), seen))
	}
	return x - 1
}

// text codes a string, predicting each byte from the three before it. room bounds the total length of all texts.
func (c *coder) text(s string, kind uint32, room *int) string {
	n := c.number(len(s), 0x100+kind)
	if *room -= n; *room < 0 {
		c.spent = true
	}
	if c.spent {
		return ""
	}
	b := []byte(s)
	if c.reading {
		b = make([]byte, n)
	}
	var c1, c2, c3 uint32
	for i := range b {
		node := uint32(1)
		for k := 7; k >= 0; k-- {
			bit := c.bit(int(b[i])>>k&1, 3+min(kind, 8), context(3, kind, node), context(4, node),
				context(5, c1, node), context(6, c1, c2, node),
				context(7, c1, c2, c3, node), context(8, kind, uint32(min(i, 12)), node))
			node = node<<1 | uint32(bit)
		}
		if b[i] = byte(node); c.spent {
			return ""
		}
		c1, c2, c3 = uint32(b[i]), c1, c2
	}
	return string(b)
}

// squash returns 4096/(1+e^(-x/256)).
func squash(x int32) int32 {
	i, rest := x>>7+16, x&127
	return (squashed[i]*(128-rest) + squashed[i+1]*rest + 64) >> 7
}

// squashed holds squash at -2048, -1920 … 2048, within 1 and 4095.
var squashed = [33]int32{1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348,
	3607, 3785, 3901,
	3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094}

// stretch inverts squash.
var stretch = func() (t [4096]int32) {
	from := 0
	for x := int32(-2047); x <= 2047; x++ {
		for v := int(squash(x)); from <= v; from++ {
			t[from] = x
		}
	}
	for ; from < len(t); from++ {
		t[from] = 2047
	}
	return t
}()
