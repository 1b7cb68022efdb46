package spool

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

const demo = "../../../site/collections/harbour-wire"

// files builds the bundle of a source.
func files(t *testing.T, src bundle.Source) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	if _, err := bundle.Build(src, func(name string, data []byte) error {
		out[name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// The demo's documents have dates, categories, entities and notes of the wire.
func TestABundleOfASpoolHasTheSameBytes(t *testing.T) {
	whole, err := collection.ReadBEIR(os.DirFS(demo), "", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new")
	s := New(dir)
	spooled, err := collection.ReadBEIRWith(os.DirFS(demo), "", collection.Options{Doc: s.Add})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if len(spooled.Docs) != 0 || s.Len() != len(whole.Docs) {
		t.Fatalf("%d documents in memory, %d in the spool, %d in the corpus",
			len(spooled.Docs), s.Len(), len(whole.Docs))
	}
	want := files(t, bundle.Source{ID: "x", Name: "x", Collection: whole})
	got := files(t, bundle.Source{ID: "x", Name: "x", Collection: spooled, Documents: s})
	if len(got) != len(want) || len(want) < 10 {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	news := false
	for name, data := range want {
		news = news || len(name) > 5 && name[:5] == "news."
		if !bytes.Equal(got[name], data) {
			t.Errorf("%s differs", name)
		}
	}
	if !news {
		t.Error("the demo has no notes of the wire: the test compares too little")
	}
	s.Close()
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder that the spool made is left: %v", err)
	}
}

func TestADamagedSpoolIsReported(t *testing.T) {
	dir := t.TempDir()
	s := New(dir)
	for _, id := range []string{"b", "a"} {
		if err := s.Add(collection.Doc{ID: id, Text: "a text of " + id}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(s.file.Name(), s.starts[1]+3); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Doc(0); err != nil || d.Text != "a text of b" {
		t.Errorf("document 0: %v, %v", d, err)
	}
	src := bundle.Source{ID: "x", Collection: &collection.Collection{Qrels: collection.NewQrels()}, Documents: s}
	if _, err := bundle.Build(src, func(string, []byte) error { return nil }); !errors.Is(err, io.EOF) {
		t.Errorf("cut off: %v", err)
	}
	s.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
