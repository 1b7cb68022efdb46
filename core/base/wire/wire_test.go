package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
)

type leaf struct {
	Name  string
	Score float64
}

func (l *leaf) Wire(c *wire.Codec) { c.Fields(&l.Name, &l.Score) }

// walk adapts a function that codes fields to a Wirer.
type walk func(*wire.Codec)

func (w walk) Wire(c *wire.Codec) { w(c) }

type tree struct {
	N      int
	U      uint64
	W      uint32
	On     bool
	Raw    []byte
	Words  []string
	Floats []float64
	Ints   []int
	Leaves []leaf
	Nested [][]float64
}

func (t *tree) Wire(c *wire.Codec) {
	c.Int(&t.N)
	c.Uint(&t.U)
	c.Uint32(&t.W)
	c.Fields(&t.On, &t.Raw, &t.Words, &t.Floats, &t.Ints)
	wire.Structs(c, &t.Leaves)
	wire.List(c, &t.Nested, c.Floats)
}

var full = tree{N: -5, U: math.MaxUint64, W: math.MaxUint32, On: true, Raw: []byte{0, 255},
	Words:  []string{"", "é\x00漢"},
	Floats: []float64{0, math.Copysign(0, -1), 1.5, math.Inf(-1)}, Ints: []int{math.MinInt64, math.MaxInt64, 0, -1},
	Leaves: []leaf{{"a", 1}, {"b", -2}}, Nested: [][]float64{{1}, nil, {2, 3}}}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, want := range []tree{{}, full} {
		var got tree
		if err := wire.Unmarshal(wire.Marshal(&want), &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestEveryNaNIsTheSame(t *testing.T) {
	a := leaf{Score: math.Float64frombits(0x7ff8000000000123)}
	b := leaf{Score: math.NaN()}
	if !bytes.Equal(wire.Marshal(&a), wire.Marshal(&b)) {
		t.Error("two NaN are written differently")
	}
}

func TestFieldsAreTheBytesOfTheirMethods(t *testing.T) {
	f := full
	got := wire.Marshal(walk(func(c *wire.Codec) { c.Fields(&f.N, &f.On, &f.Raw, &f.Words, &f.Floats, &f.Ints) }))
	want := wire.Marshal(walk(func(c *wire.Codec) {
		c.Int(&f.N)
		c.Bool(&f.On)
		c.Bytes(&f.Raw)
		c.Strings(&f.Words)
		c.Floats(&f.Floats)
		c.Ints(&f.Ints)
	}))
	if !bytes.Equal(got, want) {
		t.Errorf("%x, by the methods %x", got, want)
	}
}

func TestAFieldOfAnotherTypePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a float32 was walked")
		}
	}()
	wire.Marshal(walk(func(c *wire.Codec) { c.Fields(new(float32)) }))
}

func TestBytesThatAreCutOffAreRefused(t *testing.T) {
	b := wire.Marshal(&full)
	for i := range b {
		var got tree
		if err := wire.Unmarshal(b[:i], &got); !errors.Is(err, wire.ErrDamaged) {
			t.Fatalf("%d of %d bytes: error %v", i, len(b), err)
		}
	}
	var got tree
	if err := wire.Unmarshal(append(b, 0), &got); !errors.Is(err, wire.ErrDamaged) {
		t.Errorf("a byte too many: error %v", err)
	}
}

func TestACountBeyondTheInputAllocatesNothing(t *testing.T) {
	b := []byte{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x7f} // Raw claims 34 GB
	var got tree
	allocs := testing.AllocsPerRun(10, func() {
		if err := wire.Unmarshal(b, &got); err == nil {
			t.Fatal("accepted")
		}
	})
	if allocs > 8 { // the codec, the error path and the closures of the lists
		t.Errorf("%v allocations", allocs)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(wire.Marshal(&full))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, w tree
		if wire.Unmarshal(b, &v) != nil {
			return
		}
		again := wire.Marshal(&v)
		if err := wire.Unmarshal(again, &w); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(wire.Marshal(&w), again) {
			t.Error("a second round differs")
		}
	})
}

func Example() {
	b := wire.Marshal(&leaf{"d7", 0.5})
	var l leaf
	err := wire.Unmarshal(b, &l)
	fmt.Println(len(b), l, err)
	// Output: 11 {d7 0.5} <nil>
}

// Whole grades take the bytes of integers; others round-trip to the bit, and have one form.
func TestGrades(t *testing.T) {
	for _, g := range []float64{0, 3, -1, math.MaxInt32, -1 << 31, 0.7, -0.5, 1.0 / 3, 5e-324} {
		b := wire.Marshal(gradeOf(g))
		if g == math.Trunc(g) {
			n := anInt(g)
			if want := wire.Marshal(&n); !bytes.Equal(b, want) {
				t.Errorf("%v: %x, an integer %x", g, b, want)
			}
		}
		var got aGrade
		if err := wire.Unmarshal(b, &got); err != nil || float64(got) != g {
			t.Errorf("%v: %v, %v", g, got, err)
		}
	}
	for _, g := range []float64{1, math.NaN(), math.Inf(1)} {
		b := append(wire.Marshal(gradeOf(0.7))[:5:5], wire.Marshal(aFloat(g))...)
		var got aGrade
		if err := wire.Unmarshal(b, &got); err == nil {
			t.Errorf("%v with decimals: %v", g, got)
		}
	}
}

type aGrade float64

func (g *aGrade) Wire(c *wire.Codec) { c.Grade((*float64)(g)) }

func gradeOf(g float64) *aGrade { return (*aGrade)(&g) }

type anInt int

func (n *anInt) Wire(c *wire.Codec) { c.Int((*int)(n)) }

type floatOf float64

func (f *floatOf) Wire(c *wire.Codec) { c.Float((*float64)(f)) }

func aFloat(f float64) *floatOf { return (*floatOf)(&f) }
