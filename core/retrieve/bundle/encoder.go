package bundle

import (
	"bytes"
	"io/fs"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Encoder is an encoder with the projection of its teacher's vectors.
type Encoder struct {
	File   encoder.File
	Matrix []float32 // rows of File.Dim numbers, one per dimension of the teacher
}

// ReadEncoder reads the output folder of scripts/distil: meta.json, vocab.txt, rows.u4, scales.npy and
// projection.npy.
func ReadEncoder(fsys fs.FS) (*Encoder, error) {
	e := &Encoder{}
	data, err := readFile(fsys, "meta.json")
	if err != nil {
		return nil, err
	}
	r := jsontext.New(nil, jsontext.Limits{})
	r.Reset(data)
	for r.BeginObject(); r.More(); {
		switch string(r.Key()) {
		case "name":
			e.File.Name = r.String()
		case "teacher":
			e.File.Teacher = r.String()
		case "dimensions":
			e.File.Dim = int(r.Int())
		default:
			r.Skip()
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return nil, say.Faultf("bundle", "encoder: meta.json: %w", err)
	}
	for name, to := range map[string]*string{"vocab.txt": &e.File.Vocabulary, "rows.u4": &e.File.Rows} {
		data, err := readFile(fsys, name)
		if err != nil {
			return nil, err
		}
		*to = string(data)
	}
	array := func(name string) ([]float32, error) {
		data, err := readFile(fsys, name)
		if err != nil {
			return nil, err
		}
		a, err := collection.ReadNPY(bytes.NewReader(data), name, collection.Options{})
		if err != nil {
			return nil, err
		}
		if a.Float32 == nil {
			return nil, say.Faultf("bundle", "encoder: %s is %s, not <f4", name, a.Type())
		}
		return a.Float32, nil
	}
	scales, err := array("scales.npy")
	if err != nil {
		return nil, err
	}
	for _, s := range scales {
		e.File.Scales = append(e.File.Scales, float64(s))
	}
	if e.Matrix, err = array("projection.npy"); err != nil {
		return nil, err
	}
	if _, err := encoder.New(&e.File); err != nil {
		return nil, err
	}
	return e, nil
}

// project maps vectors of the teacher to the encoder's space.
func (e *Encoder) project(v *dense.Vectors) (*dense.Vectors, error) {
	all := v.All()
	rows := make([]float32, len(all))
	for i, x := range all {
		rows[i] = float32(x) // a row's scale does not affect its direction
	}
	for r, s := range v.Scales {
		if s == 0 {
			clear(rows[r*v.Dim : (r+1)*v.Dim])
		}
	}
	out, err := encoder.Project(rows, v.Dim, e.Matrix)
	if err != nil {
		return nil, err
	}
	return dense.Quantise(out, e.File.Dim), nil
}
