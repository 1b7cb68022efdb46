package bundle

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

// The file of static vectors is built around their rows, with the bytes of any vectors; if that is impossible, in
// separate memory.
func TestTheFileOfStaticVectorsIsMadeInPlace(t *testing.T) {
	x, err := encoder.New(&encoder.File{Name: "toy", Teacher: "none", Dim: 2,
		Vocabulary: "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\n",
		Rows:       strings.Repeat("\x71", 5), Scales: []float64{1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		room, rows int
		inPlace    bool
	}{{3, 3, true}, {1000, 1000, true}, {3, 2, false}, {3, 4, false}, {0, 0, false}} {
		v := StaticVectors("toy", x, c.room)
		for i := range c.rows {
			v.Docs.Append([]float32{float32(i), -1})
		}
		want := wire.Marshal(&vectorFile{Vectors: v.Docs})
		got := v.docsFile()
		if !bytes.Equal(got, want) {
			t.Errorf("%d of %d: % x, want % x", c.rows, c.room, got, want)
		}
		if !bytes.Equal(v.docsFile(), want) {
			t.Errorf("%d of %d: the second time it is another file", c.rows, c.room)
		}
		if c.rows > 0 && (&got[len(got)-1] == &bytesOf(v.Docs.Rows)[c.rows*2-1]) != c.inPlace {
			t.Errorf("%d of %d: in place is not %v", c.rows, c.room, c.inPlace)
		}
	}
}
