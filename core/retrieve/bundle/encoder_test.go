package bundle_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// npy is a float32 array as NumPy 1.0 writes it.
func npy(shape string, values ...float32) []byte {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape)
	head += strings.Repeat(" ", 64-(10+len(head)+1)%64) + "\n"
	out := append([]byte("\x93NUMPY\x01\x00"), byte(len(head)), byte(len(head)>>8))
	out = append(out, head...)
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

// toyEncoder represents the model of small: two dimensions become two, rotated by 90°.
func toyEncoder(t *testing.T, change func(fstest.MapFS)) (*bundle.Encoder, error) {
	t.Helper()
	files := fstest.MapFS{
		"meta.json":      {Data: []byte(`{"name": "toy-static", "teacher": "toy-2", "dimensions": 2, "texts": 3}`)},
		"vocab.txt":      {Data: []byte("[UNK]\nferry\n")},
		"rows.u4":        {Data: []byte{0x88, 0x9a}},
		"scales.npy":     {Data: npy("2,", 0, 0.5)},
		"projection.npy": {Data: npy("2, 2", 0, 1, -1, 0)},
	}
	if change != nil {
		change(files)
	}
	return bundle.ReadEncoder(files)
}

// By hand: row (3, 4)·(0 1; −1 0) is (−4, 3), of length 5; quantised its largest number is 127: (−127, 95.25 → 95).
func TestDocumentsAreKeptInTheSpaceOfTheEncoder(t *testing.T) {
	e, err := toyEncoder(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := small()
	src.Encoders = []*bundle.Encoder{e}
	files := build(t, src)
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	m := b.Manifest.Models[0]
	if m.Encoder != "toy-static" {
		t.Fatalf("model %+v", m)
	}
	v, err := b.Encoded(m.Name, from(files))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := b.Ordinal("d10")
	if row := v.Row(d); v.Dim != 2 || row[0] != -127 || row[1] != 95 || math.Abs(float64(v.Scales[d])-0.8/127) > 1e-9 {
		t.Errorf("row %v, scale %v", row, v.Scales[d])
	}
	if d, _ := b.Ordinal("d2"); v.Scales[d] != 0 {
		t.Error("a document without text has a vector")
	}
	other := small()
	e.File.Teacher = "another"
	other.Encoders = []*bundle.Encoder{e}
	if b, err := open(build(t, other)); err != nil || b.Manifest.Models[0].Encoder != "" {
		t.Errorf("an encoder of another model was taken: %v", err)
	}
}

func TestEncodersThatAreDamagedAreRefused(t *testing.T) {
	for _, x := range []struct {
		name, file, data, want string
	}{
		{"no meta.json", "meta.json", "", "meta.json"},
		{"rows of another size", "rows.u4", "abc", "3 bytes are not 2 rows of 2"},
		{"a token twice", "vocab.txt", "[UNK]\n[UNK]\n", "stands twice"},
		{"no array", "scales.npy", "abc", "scales.npy"},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := toyEncoder(t, func(files fstest.MapFS) {
				if x.data == "" {
					delete(files, x.file)
				} else {
					files[x.file] = &fstest.MapFile{Data: []byte(x.data)}
				}
			})
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want one with %q", err, x.want)
			}
		})
	}
}

// The site's encoder opens, and encodes words of the demo collection to vectors of length 1.
func TestOurEncoder(t *testing.T) {
	e, err := bundle.ReadEncoder(os.DirFS("../../../site/encoders/minilm-static"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := encoder.New(&e.File)
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b string) float64 {
		v := dense.Quantise(append(s.Encode(a, nil), s.Encode(b, nil)...), s.Dim())
		sum := 0.0
		for i, x := range v.Row(0) {
			sum += float64(x) * float64(v.Row(1)[i])
		}
		return sum * float64(v.Scales[0]) * float64(v.Scales[1])
	}
	if same, like, unlike := near("harbour strike", "Harbour, strike"),
		near("the ferry was cancelled by the storm", "bad weather stopped the boats"),
		near("the ferry was cancelled by the storm", "a new teacher at the school"); same < 0.8 || like < unlike+0.2 {
		t.Errorf("cosines %.3f, %.3f and %.3f", same, like, unlike)
	}
}
