//go:build !first

package worker

// The files of a model's network: those that were given, that the collection brings, and that are kept on this device.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// graphOf returns the file that holds the network.
func graphOf(files map[string]bundle.File) (bundle.File, bool) {
	for _, name := range neural.Graphs {
		if f, ok := files[name]; ok {
			return f, true
		}
	}
	for name, f := range files {
		if strings.HasSuffix(name, ".onnx") { // under a name of its own there is one
			return f, true
		}
	}
	return bundle.File{}, false
}

// lookAt reads the small files of a network and says what it would cost to load it.
func (n *networks) lookAt(m bundle.Model, ask *message.AskNetwork) (*lookedAt, error) {
	l := &lookedAt{Look: message.Look{From: ask.From}, small: map[string][]byte{}}
	var err error
	folder := ""
	switch ask.From {
	case message.GivenNetwork:
		folder, err = n.given(l, ask.Files)
	case message.HostedNetwork:
		err = n.hosted(l, m)
	case message.KeptNetwork:
		err = n.onShelf(l, m)
	default:
		err = fmt.Errorf("a network from %q", ask.From)
	}
	if err != nil {
		return nil, err
	}
	if l.model, err = neural.Read(l.small); err != nil {
		return nil, err
	}
	if l.Name = l.model.Name; l.Name == "" {
		l.Name = folder
	}
	if m.Name == "" {
		l.Name, l.Query, l.Document = cmp.Or(l.Name, "own"), l.model.Prefix, l.model.Document
		if name := modelName(l.Name); !n.open.session.Bundle().Manifest.TakesModel(name) {
			return nil, fmt.Errorf("the documents have vectors of %s already", say.Visible(l.Name))
		}
	} else if err := n.sameName(m, l.Name, folder); err != nil {
		return nil, err
	} else if _, err := l.model.Fit(factsOf(m)); err != nil {
		return nil, err
	}
	// the file, the network's own copy of its weights and what it works in; 100 MB for what runs it
	l.Memory = 3*l.Bytes + 100_000_000
	limit := ask.Limit
	if limit <= 0 {
		limit = fileBytes
	}
	if l.Memory > 2*limit || l.Bytes > 1<<31-1 {
		return nil, fmt.Errorf("%s has %s and would take about %s of memory, more than a page should take on this "+
			"device: a smaller model or one of int8 numbers (model_quantized.onnx) fits", l.Graph,
			say.Bytes(int64(l.Bytes)), say.Bytes(int64(l.Memory)))
	}
	l.Tight = l.Memory > limit
	return l, nil
}

// sameName refuses files that call themselves, or whose folder is called, by the name of another model: one of the
// collection's, or one that is known.
func (n *networks) sameName(m bundle.Model, names ...string) error {
	var others []string
	for _, other := range n.open.session.Models.All() {
		others = append(others, other.Label)
	}
	if dense.Names[m.Label] != "" {
		for name := range dense.Names {
			others = append(others, name)
		}
	}
	for _, name := range names {
		for _, other := range others {
			if name != "" && neural.Same(name, other) && !neural.Same(name, m.Label) && !neural.Same(name, m.Name) {
				return fmt.Errorf("these are the files of %s, and the vectors are those of %s: queries and documents "+
					"must be encoded by one model", say.Visible(name), m.Label)
			}
		}
	}
	return nil
}

// factsOf are what a manifest says of a model.
func factsOf(m bundle.Model) neural.Facts {
	return neural.Facts{Dim: m.Dim, Pooling: neural.PoolingOf(m.Pooling), Prefix: m.Prefix, Normalised: m.Normalised,
		Said: m.Pooling != ""}
}

// smallest is how large a file beside a network may be: a tokenizer.json of 30,000 tokens has 700 kB.
const smallest = 32 << 20

// given takes the chosen files, and returns the name of their folder.
func (n *networks) given(l *lookedAt, files []message.File) (folder string, err error) {
	var graphs []message.File
	found := map[string]string{}
	for _, f := range files {
		place := neural.Place(f.Name)
		if strings.HasSuffix(f.Name, ".onnx_data") || strings.HasSuffix(f.Name, ".onnx.data") {
			return "", fmt.Errorf("%s: weights beside the graph, in a file of their own, are not read here: export "+
				"the model into one file", say.Visible(f.Name))
		}
		switch {
		case place == "":
		case strings.HasSuffix(place, ".onnx"):
			graphs = append(graphs, f)
		case found[place] != "" && len(found[place]) <= len(f.Name): // the one nearer to the folder's top
		default:
			if f.Size > smallest {
				return "", fmt.Errorf("%s has %s: no %s is that large", say.Visible(f.Name), say.Bytes(int64(f.Size)),
					place)
			}
			r, err := n.device.Files(f.ID)
			if err != nil {
				return "", err
			}
			data, err := io.ReadAll(r)
			if err != nil {
				return "", fmt.Errorf("%s: %w", say.Visible(f.Name), err)
			}
			found[place], l.small[place] = f.Name, data
		}
	}
	if len(graphs) == 0 {
		return "", errors.New("there is no network in " + say.Visible(strings.Join(namesOf(files), ", ")) +
			": want a model.onnx or model_quantized.onnx, with vocab.txt or tokenizer.json beside it")
	}
	best := func(f message.File) int { return slices.Index(neural.Graphs, path.Base(f.Name)) }
	f := graphs[0]
	for _, g := range graphs { // the first of those that are called as they should be
		if b := best(g); b >= 0 && (best(f) < 0 || b < best(f)) {
			f = g
		}
	}
	l.Graph, l.Bytes, l.graph = path.Base(f.Name), f.Size, graph{file: f.ID, bytes: f.Size}
	if top, rest, ok := strings.Cut(f.Name, "/"); ok && rest != "" {
		folder = top
	} else if best(f) < 0 {
		folder = strings.TrimSuffix(path.Base(f.Name), ".onnx")
	}
	return folder, nil
}

// hosted takes the files that the collection brings.
func (n *networks) hosted(l *lookedAt, m bundle.Model) error {
	b := n.open.session.Bundle()
	files := b.Manifest.Network(m.Name)
	f, ok := graphOf(files)
	if !ok {
		return errors.New("the collection brings no network of this model")
	}
	for name, small := range files {
		if neural.Place(name) == "" || strings.HasSuffix(name, ".onnx") {
			continue
		}
		data, err := n.open.session.Fetch(small)
		if err != nil {
			return err
		}
		if err := b.Manifest.Check(small.Role, data); err != nil {
			return err
		}
		l.small[neural.Place(name)] = data
	}
	l.Graph, l.Bytes = path.Base(strings.TrimPrefix(f.Role, "onnx/")), f.Bytes
	l.graph = graph{url: n.open.base + f.Name, bytes: f.Bytes, sum: f.Sum}
	return nil
}

// about is what is kept beside a network on this device.
type about struct {
	Graph string
	Bytes int
	Sum   string
	Names []string // of the files beside it
}

// Wire walks it.
func (a *about) Wire(c *wire.Codec) {
	c.Fields(&a.Graph, &a.Bytes, &a.Sum, &a.Names)
}

// networkID is where the network of a model is on the shelf.
func networkID(label string) string { return "network-" + modelName(label) }

// modelName is what a model is called in pipelines and files: its label in small letters, digits, dots and hyphens.
func modelName(label string) string {
	id := []byte(strings.ToLower(label))
	for i, c := range id {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.') {
			id[i] = '-'
		}
	}
	return cmp.Or(strings.Trim(string(id), "-."), "own")
}

// aboutName is the last file that is kept, and the first that is deleted: without it there is no network. It is called
// as a collection's manifest is, and is none.
const aboutName = "manifest.json"

func (n *networks) kept(label string) (a about, err error) {
	if n.device.Shelf == nil {
		return a, errors.New("nothing is kept on this device")
	}
	data, err := n.device.Shelf.Get(networkID(label), aboutName)
	if err == nil {
		err = wire.Unmarshal(data, &a)
	}
	return a, err
}

// onShelf takes the files that are kept on this device.
func (n *networks) onShelf(l *lookedAt, m bundle.Model) error {
	a, err := n.kept(m.Label)
	if err != nil {
		return fmt.Errorf("the network of %s is not on this device, or no longer: choose its files again", m.Label)
	}
	id := networkID(m.Label)
	for _, name := range a.Names {
		if l.small[name], err = n.device.Shelf.Get(id, strings.ReplaceAll(name, "/", "-")); err != nil {
			return fmt.Errorf("the network of %s is not whole on this device any more (%s is missing): delete it, "+
				"and choose its files again", m.Label, name)
		}
	}
	l.Graph, l.Bytes, l.graph = a.Graph, a.Bytes, graph{url: shelfPath + id + "/graph.onnx", bytes: a.Bytes, sum: a.Sum,
		onThisSide: true}
	return nil
}

// keepNetwork puts a network that was looked at onto the shelf, whole or not at all.
func (n *networks) keep(label string, l *lookedAt) error {
	shelf, ok := n.device.Shelf.(keeper)
	if !ok {
		return errors.New("this browser keeps nothing for pages here (a private window, or a page without https)")
	}
	if used, quota, _ := shelf.Room(); quota > 0 && used+float64(l.Bytes) > quota {
		return fmt.Errorf("it takes %s, and the browser grants this site %s, of which %s are used",
			say.Bytes(int64(l.Bytes)), say.Bytes(int64(quota)), say.Bytes(int64(used)))
	}
	id := networkID(label)
	put := func() error {
		if err := shelf.Delete(id); err != nil {
			return err
		}
		var names []string
		for name := range l.small {
			names = append(names, name)
		}
		slices.Sort(names)
		a := about{Graph: l.Graph, Bytes: l.Bytes, Sum: l.graph.sum}
		for _, name := range names {
			if err := shelf.Put(id, strings.ReplaceAll(name, "/", "-"), l.small[name]); err != nil {
				return err
			}
			a.Names = append(a.Names, name)
		}
		if l.graph.file != 0 {
			if err := shelf.PutFile(id, "graph.onnx", l.graph.file); err != nil {
				return err
			}
		} else if err := shelf.PutURL(id, "graph.onnx", l.graph.url); err != nil {
			return err
		}
		return shelf.Put(id, aboutName, wire.Marshal(&a))
	}
	err := put()
	if err != nil {
		_ = shelf.Delete(id) // what is left of it is no network
	}
	return err
}
