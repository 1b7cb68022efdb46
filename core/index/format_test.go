package index_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/index"
)

func TestBytesRoundTrip(t *testing.T) {
	for _, name := range []string{"scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			docs := corpus(t, name)
			x := build(t, docs, "lucene-english")
			b := x.Bytes()
			y, err := index.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(x, y) {
				t.Error("what was read differs from what was written")
			}
			if !bytes.Equal(y.Bytes(), b) {
				t.Error("writing again gives other bytes")
			}
			checkLucene(t, name, docs, y)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	x := build(b, corpus(b, "scifact"), "lucene-english")
	data := x.Bytes()
	b.Run("docs=5183", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := index.Read(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	docs := corpus(b, "scifact")
	b.Run("docs=5183", func(b *testing.B) {
		for b.Loop() {
			build(b, docs, "lucene-english")
		}
	})
}
