package bundle

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Number formats of vectors besides int8.
const (
	Floats = "f32" // also the unrounded numbers
	Signs  = "bit" // only the signs of documents
)

// Keep converts v to a number format: "" and "int8" drop the unrounded numbers, Floats keeps them, Signs keeps the
// signs of the documents. It returns an error if there are no unrounded numbers to keep.
func (v *SourceVectors) Keep(numbers string) error {
	switch numbers {
	case "", "int8":
		v.Model.Numbers = ""
	case Floats:
		if v.Docs.Floats == nil || v.Queries.Floats == nil {
			return say.Faultf("bundle", "model %s: its vectors are int8, so float32 cannot be stored", v.Model.Name)
		}
		v.Model.Numbers = Floats
		return nil
	case Signs:
		v.Model.Numbers = Signs
	default:
		return say.Faultf("bundle", "vectors can be stored as int8, %s or %s, not as %q", Floats, Signs, numbers)
	}
	v.Docs, v.Queries = rounded(v.Docs), rounded(v.Queries)
	return nil
}

func rounded(v *dense.Vectors) *dense.Vectors {
	return &dense.Vectors{Dim: v.Dim, Rows: v.All(), Scales: v.Scales}
}

// putVectors writes the vectors of a model.
func putVectors(v *SourceVectors, put func(role, stem string, data []byte) error) error {
	name := v.Model.Name
	role, stem := "vectors/"+name, "vectors-"+name
	if v.Model.Numbers == "" && v.Docs.Floats != nil && v.Queries.Floats != nil {
		v.Model.Numbers = Floats
	}
	var err error
	if v.Model.Numbers == Signs {
		err = put(role+"/docs-bit", stem+"-docs-bit", wire.Marshal(signsOf(v.Docs)))
	} else {
		err = put(role+"/docs", stem+"-docs", v.docsFile())
	}
	if err != nil {
		return err
	}
	if err := put(role+"/queries", stem+"-queries",
		wire.Marshal(&vectorFile{Vectors: v.Queries, IDs: v.QueryIDs})); err != nil {
		return err
	}
	if v.Model.Numbers != Floats {
		return nil
	}
	if err := put(role+"/docs-f32", stem+"-docs-f32", floatBytes(v.Docs.Floats)); err != nil {
		return err
	}
	return put(role+"/queries-f32", stem+"-queries-f32", floatBytes(v.Queries.Floats))
}

// docsFile returns the file of the documents' vectors. If there is space before the rows it writes the head in
// place, because a copy of all rows would take most of the memory of an upload with many short documents.
func (v *SourceVectors) docsFile() []byte {
	rows := bytesOf(v.Docs.All())
	start := len(v.room) - len(rows)
	if len(rows) == 0 || start < 0 || &rows[0] != &v.room[start] { // the rows were reallocated or reordered
		return wire.Marshal(&vectorFile{Vectors: v.Docs})
	}
	head := wire.Marshal(&vectorFile{Vectors: v.Docs, headOnly: true})
	file := v.room[start-len(head):]
	copy(file, head)
	return file
}

// headOf returns the maximum length of the head of a file with n vectors.
func headOf(n int) int { return 8*n + 4*binary.MaxVarintLen64 }

// readDocs reads the vectors of a model's documents.
func readDocs(m *Manifest, model Model, fetch Fetch, to *vectorFile) error {
	if first || model.Numbers != Signs {
		return m.read("vectors/"+model.Name+"/docs", fetch, to)
	}
	var s signFile
	if err := m.read("vectors/"+model.Name+"/docs-bit", fetch, &s); err != nil {
		return err
	}
	to.Vectors = s.vectors()
	return nil
}

// readFloats reads the unrounded numbers, if stored.
func readFloats(m *Manifest, model Model, fetch Fetch, docs, queries *dense.Vectors) error {
	if first || model.Numbers != Floats {
		return nil
	}
	for what, v := range map[string]*dense.Vectors{"docs": docs, "queries": queries} {
		role := "vectors/" + model.Name + "/" + what + "-f32"
		data, err := m.get(role, fetch)
		if err != nil {
			return err
		}
		if v.Floats, err = floatsOf(data); err == nil {
			err = v.Check()
		}
		if err != nil {
			return say.Faultf("bundle", "%s: %s: %w", m.ID, role, err)
		}
	}
	return nil
}

func floatBytes(rows []float32) []byte {
	out := make([]byte, 0, 4*len(rows))
	for _, x := range rows {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func floatsOf(data []byte) ([]float32, error) {
	if len(data)%4 != 0 {
		return nil, fmt.Errorf("%d bytes are no numbers of 4", len(data))
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		if out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); out[i]-out[i] != 0 {
			return nil, fmt.Errorf("number %d is not finite", i)
		}
	}
	return out, nil
}

// signFile is a file of signs.
type signFile struct {
	dim  int
	rows []byte
	zero []bool // by row: whether it has no direction
}

func signsOf(v *dense.Vectors) *signFile {
	s := &signFile{dim: v.Dim, rows: dense.Signs(v.All(), v.Dim).Rows, zero: make([]bool, v.Len())}
	for i, x := range v.Scales {
		s.zero[i] = x == 0
	}
	return s
}

func (s *signFile) vectors() *dense.Vectors {
	return (&dense.Bits{Dim: s.dim, Rows: s.rows}).Vectors(s.zero)
}

// Wire codes the signs.
func (s *signFile) Wire(c *wire.Codec) {
	c.Int(&s.dim)
	wire.List(c, &s.zero, c.Bool)
	c.Bytes(&s.rows)
	if c.Reading() && (s.dim <= 0 || s.dim > 1<<20 || len(s.rows) != len(s.zero)*((s.dim+7)/8)) {
		c.Fail()
	}
}
