//go:build !first

package worker

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/encoder/neural"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	does(message.Network, job{before: message.Open, blame: func(p *message.Problem, question wire.Wirer) {
		ask, ok := question.(*message.AskNetwork)
		if !ok {
			return
		}
		p.What = "The model is not loaded: " + p.What
		p.Where = "the network of " + ask.Model
		p.Do = "Typed queries are answered as before. Choose other files, or go on without."
	}}, (*Engine).network)
}

// network is a model's network that runs somewhere beside the engine.
type network interface {
	Run(ids []int64) (neural.Output, error)
	Stop()
}

// graph says where the network itself is: a file that was given, or an address.
type graph struct {
	file       int // 0 for none
	url        string
	bytes      int
	sum        string // SHA-256, "" where nobody has announced one
	onThisSide bool   // the address is one of the shelf
}

// startNetwork loads a network and tells how far it is, nil where none can be run. Closing stop ends it.
var startNetwork func(g graph, tell func(what string, done, total int), stop <-chan struct{}) (network, error)

// networkBytes are the bytes of what runs networks: on the way, and unpacked.
var networkBytes func() (sent, unpacked int)

// keeper is a Shelf that takes files without reading them.
type keeper interface {
	Shelf
	PutFile(id, name string, file int) error
	PutURL(id, name, url string) error
}

// networks are those of the open collection.
type networks struct {
	of      string // the collection's hash
	looked  map[string]*lookedAt
	running map[string]*running
}

// lookedAt is a network that can be loaded.
type lookedAt struct {
	message.Look
	model *neural.Model
	graph graph
	small map[string][]byte // the files beside it
}

// running is a network that encodes typed queries.
type running struct {
	message.Loaded
	label   string
	network network
	encoder *neural.Encoder
	last    map[string][]float32 // of the texts that were encoded last: a list and its explanation ask for the same
}

// encode is the vector of a query.
func (r *running) encode(text string) ([]float32, error) {
	if v := r.last[text]; v != nil {
		return v, nil
	}
	ids := r.encoder.Input(text)
	out, err := r.network.Run(ids)
	if err != nil {
		return nil, err
	}
	v, err := r.encoder.Vector(out, len(ids))
	if err != nil {
		return nil, err
	}
	if len(r.last) >= 64 || r.last == nil {
		r.last = map[string][]float32{}
	}
	r.last[text] = v
	return v, nil
}

// takeNetworks gives the open session the networks of its collection and ends those of another.
func (e *Engine) takeNetworks() {
	n := &e.loader.networks
	hash := e.session.Ref().Hash
	if n.of != hash {
		for _, r := range n.running {
			r.network.Stop()
		}
		*n = networks{of: hash, looked: map[string]*lookedAt{}, running: map[string]*running{}}
	}
	for model, r := range n.running {
		if !e.session.HasNetwork(model) {
			e.session.SetNetwork(model, r.label, r.encode)
		}
	}
}

// network answers Network.
func (e *Engine) network(r message.Request, ask *message.AskNetwork) (*message.Networks, error) {
	if e.session == nil {
		return nil, errNoCollection
	}
	n := &e.loader.networks
	note := ""
	if ask.Do != "" {
		m, ok := e.session.Model(ask.Model)
		if !ok {
			return nil, fmt.Errorf("this collection has no vectors of %q", ask.Model)
		}
		var err error
		switch ask.Do {
		case message.LookAtNetwork:
			delete(n.looked, m.Name)
			n.looked[m.Name], err = e.lookAt(m, ask)
			if err != nil {
				delete(n.looked, m.Name)
			}
		case message.LoadNetwork:
			note, err = e.load(r, m, ask)
			if errors.Is(err, errStopped) {
				return nil, nil
			}
		case message.StopNetwork:
			delete(n.looked, m.Name)
			e.dropNetwork(m.Name)
		case message.ForgetNetwork:
			delete(n.looked, m.Name)
			if e.Shelf != nil {
				err = e.Shelf.Delete(networkID(m.Label))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return e.networks(note), nil
}

func (e *Engine) dropNetwork(model string) {
	n := &e.loader.networks
	if x := n.running[model]; x != nil {
		x.network.Stop()
		delete(n.running, model)
		e.session.SetNetwork(model, "", nil)
	}
}

// networks says what there is.
func (e *Engine) networks(note string) *message.Networks {
	out := &message.Networks{Collection: e.session.Ref().Name, Note: note}
	if networkBytes != nil {
		out.Runtime, out.Unpacked = networkBytes()
	}
	n := &e.loader.networks
	for _, m := range e.session.Vectored() {
		x := message.Networked{Model: m.Name, Label: m.Label, Pooling: string(neural.PoolingOf(m.Pooling)), Prefix: m.Prefix, Dim: m.Dim, Static: m.Encoder != "" && m.Encoder == m.Label}
		if f, ok := graphOf(e.session.Bundle().Manifest.Network(m.Name)); ok {
			x.Hosted = f.Bytes
		}
		if kept, err := e.keptNetwork(m.Label); err == nil {
			x.Kept = kept.Bytes
		}
		if l := n.looked[m.Name]; l != nil {
			x.Looked = &l.Look
		}
		if r := n.running[m.Name]; r != nil {
			x.Loaded = &r.Loaded
		}
		out.Models = append(out.Models, x)
	}
	return out
}

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
func (e *Engine) lookAt(m bundle.Model, ask *message.AskNetwork) (*lookedAt, error) {
	l := &lookedAt{Look: message.Look{From: ask.From}, small: map[string][]byte{}}
	var err error
	folder := ""
	switch ask.From {
	case message.GivenNetwork:
		folder, err = e.given(l, ask.Files)
	case message.HostedNetwork:
		err = e.hosted(l, m)
	case message.KeptNetwork:
		err = e.onShelf(l, m)
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
	if err := e.sameName(m, l.Name, folder); err != nil {
		return nil, err
	}
	if _, err := l.model.Fit(factsOf(m)); err != nil {
		return nil, err
	}
	// the file, the network's own copy of its weights and what it works in; 100 MB for what runs it
	l.Memory = 3*l.Bytes + 100_000_000
	limit := ask.Limit
	if limit <= 0 {
		limit = 1 << 30
	}
	if l.Memory > 2*limit || l.Bytes > 1<<31-1 {
		return nil, fmt.Errorf("%s has %s and would take about %s of memory, more than a page should take on this device: a smaller model or one of int8 numbers (model_quantized.onnx) fits", l.Graph, say.Bytes(int64(l.Bytes)), say.Bytes(int64(l.Memory)))
	}
	l.Tight = l.Memory > limit
	return l, nil
}

// sameName refuses files that call themselves, or whose folder is called, by the name of another model: one of the collection's, or one that is known.
func (e *Engine) sameName(m bundle.Model, names ...string) error {
	var others []string
	for _, other := range e.session.Vectored() {
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
				return fmt.Errorf("these are the files of %s, and the vectors are those of %s: queries and documents must be encoded by one model", say.Visible(name), m.Label)
			}
		}
	}
	return nil
}

// factsOf are what a manifest says of a model.
func factsOf(m bundle.Model) neural.Facts {
	return neural.Facts{Dim: m.Dim, Pooling: neural.PoolingOf(m.Pooling), Prefix: m.Prefix, Normalised: m.Normalised, Said: m.Pooling != ""}
}

// smallest is how large a file beside a network may be: a tokenizer.json of 30,000 tokens has 700 kB.
const smallest = 32 << 20

// given takes the files that somebody chose, and returns the name of their folder.
func (e *Engine) given(l *lookedAt, files []message.File) (folder string, err error) {
	var graphs []message.File
	found := map[string]string{}
	for _, f := range files {
		place := neural.Place(f.Name)
		if strings.HasSuffix(f.Name, ".onnx_data") || strings.HasSuffix(f.Name, ".onnx.data") {
			return "", fmt.Errorf("%s: weights beside the graph, in a file of their own, are not read here: export the model into one file", say.Visible(f.Name))
		}
		switch {
		case place == "":
		case strings.HasSuffix(place, ".onnx"):
			graphs = append(graphs, f)
		case found[place] != "" && len(found[place]) <= len(f.Name): // the one nearer to the folder's top
		default:
			if f.Size > smallest {
				return "", fmt.Errorf("%s has %s: no %s is that large", say.Visible(f.Name), say.Bytes(int64(f.Size)), place)
			}
			r, err := e.Files(f.ID)
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
		return "", errors.New("there is no network in " + say.Visible(namesOf(files)) + ": want a model.onnx or model_quantized.onnx, with vocab.txt or tokenizer.json beside it")
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
func (e *Engine) hosted(l *lookedAt, m bundle.Model) error {
	b := e.session.Bundle()
	files := b.Manifest.Network(m.Name)
	f, ok := graphOf(files)
	if !ok {
		return errors.New("the collection brings no network of this model")
	}
	for name, small := range files {
		if neural.Place(name) == "" || strings.HasSuffix(name, ".onnx") {
			continue
		}
		data, err := e.session.Fetch(small)
		if err != nil {
			return err
		}
		if err := b.Manifest.Check(small.Role, data); err != nil {
			return err
		}
		l.small[neural.Place(name)] = data
	}
	l.Graph, l.Bytes = path.Base(strings.TrimPrefix(f.Role, "onnx/")), f.Bytes
	l.graph = graph{url: e.base + f.Name, bytes: f.Bytes, sum: f.Sum}
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
	c.String(&a.Graph)
	c.Int(&a.Bytes)
	c.String(&a.Sum)
	c.Strings(&a.Names)
}

// networkID is where the network of a model is on the shelf.
func networkID(label string) string {
	id := []byte(strings.ToLower(label))
	for i, c := range id {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.') {
			id[i] = '-'
		}
	}
	return "network-" + string(id)
}

// aboutName is the last file that is kept, and the first that is deleted: without it there is no network. It is called as a collection's manifest is, and is none.
const aboutName = "manifest.json"

func (e *Engine) keptNetwork(label string) (a about, err error) {
	if e.Shelf == nil {
		return a, errors.New("nothing is kept on this device")
	}
	data, err := e.Shelf.Get(networkID(label), aboutName)
	if err == nil {
		err = wire.Unmarshal(data, &a)
	}
	return a, err
}

// onShelf takes the files that are kept on this device.
func (e *Engine) onShelf(l *lookedAt, m bundle.Model) error {
	a, err := e.keptNetwork(m.Label)
	if err != nil {
		return fmt.Errorf("the network of %s is not on this device, or no longer: choose its files again", m.Label)
	}
	id := networkID(m.Label)
	for _, name := range a.Names {
		if l.small[name], err = e.Shelf.Get(id, strings.ReplaceAll(name, "/", "-")); err != nil {
			return fmt.Errorf("the network of %s is not whole on this device any more (%s is missing): delete it, and choose its files again", m.Label, name)
		}
	}
	l.Graph, l.Bytes, l.graph = a.Graph, a.Bytes, graph{url: shelfPath + id + "/graph.onnx", bytes: a.Bytes, sum: a.Sum, onThisSide: true}
	return nil
}

// keepNetwork puts a network that was looked at onto the shelf, whole or not at all.
func (e *Engine) keepNetwork(m bundle.Model, l *lookedAt) error {
	shelf, ok := e.Shelf.(keeper)
	if !ok {
		return errors.New("this browser keeps nothing for pages here (a private window, or a page without https)")
	}
	if used, quota, _ := shelf.Room(); quota > 0 && used+float64(l.Bytes) > quota {
		return fmt.Errorf("it takes %s, and the browser grants this site %s, of which %s are used", say.Bytes(int64(l.Bytes)), say.Bytes(int64(quota)), say.Bytes(int64(used)))
	}
	id := networkID(m.Label)
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

// tries is how many judged queries a network encodes before it is believed, and nearest how near each must come to the vector that is stored.
const (
	tries   = 8
	nearest = .95
)

// load starts a network, holds it against the stored vectors, and gives it to the session. Searches are answered meanwhile.
func (e *Engine) load(r message.Request, m bundle.Model, ask *message.AskNetwork) (note string, err error) {
	n := &e.loader.networks
	l := n.looked[m.Name]
	if l == nil { // the worker is another one than that which looked
		if l, err = e.lookAt(m, ask); err != nil {
			return "", err
		}
	}
	if startNetwork == nil {
		return "", errors.New("no network can be run here")
	}
	encoder, err := l.model.Fit(factsOf(m))
	if err != nil {
		return "", err
	}
	e.dropNetwork(m.Name)
	x := &running{label: m.Label, encoder: encoder, Loaded: message.Loaded{From: l.From, Graph: l.Graph, Bytes: l.Bytes, Pooling: string(encoder.Pooling()), Prefix: encoder.Prefix(), Kept: l.From == message.KeptNetwork}}
	p := message.Progress{What: "network"}
	if ask.Keep && l.From != message.KeptNetwork {
		p.What = "keeping"
		e.tell(r, p)
		if err := e.keepNetwork(m, l); err != nil {
			note = "It is not kept on this device: " + say.Sentence(err)
		} else {
			x.Kept = true
		}
	}
	type result struct {
		network
		err error
	}
	done, stop := make(chan result, 1), make(chan struct{})
	go func() {
		started, err := startNetwork(l.graph, func(what string, done, total int) { p = message.Progress{What: what, Done: done, Total: total} }, stop)
		done <- result{started, err}
	}()
	stopped := e.stopped(r, &p)
	for x.network == nil {
		select {
		case got := <-done:
			if got.err != nil {
				return "", fmt.Errorf("%s cannot be run: %w", l.Graph, got.err)
			}
			x.network = got.network
		case <-time.After(50 * time.Millisecond):
			if stopped() {
				close(stop)
				return "", errStopped
			}
		}
	}
	if err := e.believe(m, x); err != nil {
		x.network.Stop()
		return "", err
	}
	delete(n.looked, m.Name)
	n.running[m.Name] = x
	e.session.SetNetwork(m.Name, x.label, x.encode)
	return note, nil
}

// believe encodes judged queries anew: the vectors of one model are alike, those of two are not.
func (e *Engine) believe(m bundle.Model, x *running) error {
	var times []float64
	like, err := e.session.Liken(m.Name, tries, func(text string) ([]float32, error) {
		start := e.now()
		v, err := x.encode(text)
		times = append(times, e.now()-start)
		return v, err
	})
	if err != nil {
		return err
	}
	if x.Tried, x.Lowest = like.Tried, like.Lowest; like.Tried > 0 && like.Lowest < nearest {
		return fmt.Errorf("this is another model than %s, or is pooled otherwise: its vector of the judged query “%s” and the one that is stored have a cosine of %s, where those of one model have nearly 1", m.Label, say.Brief(say.Visible(like.Query), 60), say.Page.Number(like.Lowest, 3))
	}
	if like.Tried == 0 {
		if _, err := x.encode("a"); err != nil {
			return err
		}
	}
	if slices.Sort(times); len(times) > 0 {
		x.Micros = times[len(times)/2]
	}
	return nil
}
