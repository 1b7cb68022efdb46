package bundle

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// SourceNetwork is a model's own network for typed queries: an ONNX graph and the files beside it.
type SourceNetwork struct {
	Model string            // the model of the collection's vectors
	Files map[string][]byte // by name: "model.onnx", "tokenizer.json", "1_Pooling/config.json"
}

// ReadNetworks reads the folders root/<model>/onnx/: files that end in .onnx, .json or .txt.
func ReadNetworks(fsys fs.FS, root string) ([]SourceNetwork, error) {
	var out []SourceNetwork
	entries, err := fs.ReadDir(fsys, root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		dir := path.Join(root, e.Name(), "onnx")
		n := SourceNetwork{Model: modelOf(e.Name()).Name, Files: map[string][]byte{}}
		err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && name == dir {
				return fs.SkipAll
			}
			if err != nil || d.IsDir() || !slices.Contains([]string{".onnx", ".json", ".txt"}, path.Ext(name)) {
				return err
			}
			data, err := readFile(fsys, name)
			n.Files[strings.TrimPrefix(name, dir+"/")] = data
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(n.Files) > 0 {
			out = append(out, n)
		}
	}
	return out, nil
}

// putNetwork writes a model's network.
func putNetwork(src Source, n SourceNetwork, put func(role, stem string, data []byte) error) error {
	if !slices.ContainsFunc(src.Vectors, func(v SourceVectors) bool { return v.Model.Name == n.Model }) {
		return say.Faultf("bundle", "build %s: the model %s has a network but no vectors", src.ID, n.Model)
	}
	var names []string
	for name := range n.Files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		stem := NetworkStem + n.Model + "-" + strings.NewReplacer("/", "-", ".", "-", "_",
			"-").Replace(strings.ToLower(name))
		if err := put(networkRole+n.Model+"/"+name, stem, n.Files[name]); err != nil {
			return err
		}
	}
	return nil
}

// NetworkStem is the name prefix of network files. They are fetched only on request.
const NetworkStem = "onnx-"

// Network returns the files of a model's network by name, empty if the bundle has none.
func (m *Manifest) Network(model string) map[string]File {
	out := map[string]File{}
	for _, f := range m.Files {
		if name, ok := strings.CutPrefix(f.Role, networkRole+model+"/"); ok {
			out[name] = f
		}
	}
	return out
}
