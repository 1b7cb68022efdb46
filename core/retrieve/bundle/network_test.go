package bundle

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// A collection with an added network keeps its identity. The manifest lists the files with their sums. A network
// without vectors of its model is refused.
func TestNetworksOfModels(t *testing.T) {
	fsys := fstest.MapFS{
		"vectors/toy/onnx/model.onnx":            {Data: []byte("graph")},
		"vectors/toy/onnx/vocab.txt":             {Data: []byte("[UNK]\n")},
		"vectors/toy/onnx/1_Pooling/config.json": {Data: []byte("{}")},
		"vectors/toy/onnx/README.md":             {Data: []byte("no part of it")},
		"vectors/other/docs.npy":                 {Data: []byte("none")},
	}
	networks, err := ReadNetworks(fsys, "vectors")
	if err != nil || len(networks) != 1 || networks[0].Model != "toy" || len(networks[0].Files) != 3 {
		t.Fatalf("%v, %v", networks, err)
	}
	if none, err := ReadNetworks(fsys, "nowhere"); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
	one := &dense.Vectors{Dim: 2, Rows: []int8{1, 0}, Scales: []float32{1}}
	src := Source{ID: "t", Name: "T", Collection: &collection.Collection{Docs: []collection.Doc{{ID: "a", Text: "x"}},
		Queries: []collection.Query{{ID: "q", Text: "x"}}, Qrels: collection.NewQrels()},
		Vectors: []SourceVectors{{Model: Model{Name: "toy", Label: "toy"}, Docs: one, Queries: one,
			DocIDs: []string{"a"}, QueryIDs: []string{"q"}}}}
	files := map[string][]byte{}
	emit := func(name string, data []byte) error { files[name] = data; return nil }
	without, err := Build(src, emit)
	if err != nil {
		t.Fatal(err)
	}
	src.Networks = networks
	with, err := Build(src, emit)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadManifest(files["manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	if with.Hash != without.Hash || read.Hash != with.Hash {
		t.Error("the network changed what the collection is")
	}
	got := read.Network("toy")
	var names []string
	for name, f := range got {
		names = append(names, name)
		if !strings.HasPrefix(f.Name, NetworkStem+"toy-") || read.Check(f.Role, networks[0].Files[name]) != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	slices.Sort(names)
	if want := []string{"1_Pooling/config.json", "model.onnx", "vocab.txt"}; !slices.Equal(names, want) ||
		len(read.Network("minilm")) != 0 {
		t.Errorf("%v", names)
	}
	src.Networks = []SourceNetwork{{Model: "bge", Files: map[string][]byte{"model.onnx": nil}}}
	if _, err := Build(src, emit); err == nil ||
		!strings.Contains(err.Error(), "the model bge has a network but no vectors") {
		t.Errorf("%v", err)
	}
}
