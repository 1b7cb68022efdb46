package bundle_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// A bundle that gets its vectors later has the bytes of one built with them.
func TestVectorsThatComeLater(t *testing.T) {
	want := build(t, small())
	src := small()
	v := src.Vectors[0]
	src.Vectors = nil
	files := build(t, src)
	plain, err := bundle.ReadManifest(files["manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	b, err := bundle.OpenTexts(plain, from(files))
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.AddVectors(v, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if m.HashWithout("toy") != plain.Hash || m.HashWithout("to") != m.Hash {
		t.Error("the hash without vectors is another one")
	}
	if files["manifest.json"] = m.JSON(); !maps.EqualFunc(files, want, bytes.Equal) {
		t.Errorf("%s\n%s", files["manifest.json"], want["manifest.json"])
	}
	if !plain.TakesVectors() || m.TakesVectors() {
		t.Error("which bundle takes vectors?")
	}
	b.Manifest = m
	if _, err := b.AddVectors(v, nil); err == nil ||
		!strings.Contains(err.Error(), "has vectors of toy or runs already") {
		t.Error(err)
	}

	// Adding a second model gives the bundle that Build makes with both.
	second := src
	again := v
	again.Model.Name = "second"
	second.Vectors = []bundle.SourceVectors{v, again}
	both := build(t, second)
	if m, err = b.AddVectors(again, func(name string, data []byte) error {
		files[name] = data
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if files["manifest.json"] = m.JSON(); !maps.EqualFunc(files, both, bytes.Equal) {
		t.Errorf("%s\n%s", files["manifest.json"], both["manifest.json"])
	}
	if m.HashWithout("toy", "second") != plain.Hash || m.TakesModel("second") || !m.TakesModel("third") {
		t.Error("two models: another hash without them, or they are taken again")
	}
	b.Manifest = plain
	v.DocIDs = v.DocIDs[1:]
	if _, err := b.AddVectors(v, nil); err == nil || !strings.Contains(err.Error(), "3 and 2 ids for 4 and 2 vectors") {
		t.Error(err)
	}
	wrong := *plain
	wrong.Documents++
	if _, err := bundle.OpenTexts(&wrong, from(files)); err == nil ||
		!strings.Contains(err.Error(), "says 5 documents") {
		t.Error(err)
	}
}
