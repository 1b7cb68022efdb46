package bundle

import (
	"unsafe"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

type (
	cardFile  []Card
	queryFile []collection.Query
	qrelFile  []Judgment
	textFile  []string
	length    int // of a list, before its items
)

func (n *length) Wire(c *wire.Codec) { c.Len(int(*n), 1) }

// Wire is one card.
func (d *Card) Wire(c *wire.Codec) {
	c.Fields(&d.ID, &d.Title, &d.Date, &d.Category)
	wire.List(c, &d.Entities, func(e *collection.Entity) {
		c.Fields(&e.Name, &e.Kind, &e.Confidence)
	})
}

func (f *cardFile) Wire(c *wire.Codec) { wire.Structs(c, (*[]Card)(f)) }

func (f *queryFile) Wire(c *wire.Codec) {
	wire.List(c, (*[]collection.Query)(f), func(q *collection.Query) {
		c.Fields(&q.ID, &q.Text, &q.Type, &q.Difficulty, &q.Domain)
	})
}

func (f *qrelFile) Wire(c *wire.Codec) {
	wire.List(c, (*[]Judgment)(f), func(j *Judgment) {
		c.Fields(&j.Query, &j.Doc)
		c.Grade(&j.Grade)
	})
}

func (f *textFile) Wire(c *wire.Codec) { c.Strings((*[]string)(f)) }

// bytesOf and numbersOf reinterpret memory without copying, because vectors are large.
func bytesOf(rows []int8) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows))
}
func numbersOf(raw []byte) []int8 {
	return unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw))
}

type vectorFile struct {
	Vectors *dense.Vectors
	IDs     []string

	headOnly bool // write only the bytes before the rows, with their number
}

func (f *vectorFile) Wire(c *wire.Codec) {
	if f.Vectors == nil {
		f.Vectors = &dense.Vectors{}
	}
	v := f.Vectors
	c.Fields(&v.Dim, &f.IDs)
	scales := make([]float64, len(v.Scales))
	for i, s := range v.Scales {
		scales[i] = float64(s)
	}
	c.Floats(&scales)
	raw := bytesOf(v.All())
	if f.headOnly {
		c.Len(len(raw), 1)
		return
	}
	c.Grow(len(raw))
	c.Bytes(&raw)
	if !c.Reading() {
		return
	}
	v.Scales = make([]float32, len(scales))
	for i, s := range scales {
		v.Scales[i] = float32(s)
	}
	v.Rows = numbersOf(raw)
	if v.Check() != nil {
		c.Fail()
	}
}

// put emits a file and lists it under a role.
func (m *Manifest) put(role, stem string, data []byte, emit func(name string, data []byte) error) error {
	s := sumHex(data)
	f := File{Role: role, Name: stem + "." + s[:12] + ".bin", Bytes: len(data), Sum: s}
	m.Files = append(m.Files, f)
	return emit(f.Name, data)
}

// alias lists the file of a role under another role too.
func (m *Manifest) alias(role, as string) {
	f, _ := m.File(as)
	f.Role = role
	m.Files = append(m.Files, f)
}
