//go:build !first

package worker

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
)

func init() {
	register(message.Network, handler{before: message.Open, blame: func(p *message.Problem, question wire.Wirer) {
		ask, ok := question.(*message.AskNetwork)
		if !ok {
			return
		}
		p.What = "The model is not loaded: " + p.What
		p.Where = "the network of " + ask.Model
		p.Do = "Typed queries are answered as before. Choose other files, or go on without."
	}}, toNetworks, (*networks).answer)
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
	coming  *coming // nil for none
	unkept  string  // why the network of coming is not kept on this device, until that is said

	open   *openCollection
	device *Device
	page   *page
}

func toNetworks(e *Engine) *networks { return &e.networks }

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
func (n *networks) take() {
	hash := n.open.content()
	if n.of != hash {
		for _, r := range n.running {
			r.network.Stop()
		}
		n.of, n.looked, n.running = hash, map[string]*lookedAt{}, map[string]*running{}
	}
	n.takeComing()
	for model, r := range n.running {
		if !n.open.session.Models.HasNetwork(model) {
			n.open.session.SetNetwork(model, r.label, r.encode)
		}
	}
}

// network answers Network.
func (n *networks) answer(r message.Request, ask *message.AskNetwork) (*message.Networks, error) {
	if n.open.session == nil {
		return nil, errNoCollection
	}
	note := n.unkept
	n.unkept = ""
	if ask.Do != "" {
		m, ok := n.open.session.Models.Find(ask.Model)
		forDocuments := ask.Model == "" && (ask.Do == message.LookAtNetwork || ask.Do == message.StopNetwork)
		if !ok && !(forDocuments && n.encodes()) {
			return nil, fmt.Errorf("this collection has no vectors of %q", ask.Model)
		}
		var err error
		switch ask.Do {
		case message.LookAtNetwork:
			delete(n.looked, m.Name)
			n.looked[m.Name], err = n.lookAt(m, ask)
			if err != nil {
				delete(n.looked, m.Name)
			}
		case message.LoadNetwork:
			note, err = n.load(r, m, ask)
			if errors.Is(err, errStopped) {
				return nil, nil
			}
		case message.StopNetwork:
			delete(n.looked, m.Name)
			n.drop(m.Name)
		case message.ForgetNetwork:
			delete(n.looked, m.Name)
			if n.device.Shelf != nil {
				err = n.device.Shelf.Delete(networkID(m.Label))
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return n.list(note), nil
}

func (n *networks) drop(model string) {
	if x := n.running[model]; x != nil {
		x.network.Stop()
		delete(n.running, model)
		n.open.session.SetNetwork(model, "", nil)
	}
}

// encodes says whether a network can encode the documents of the open collection: they were uploaded here.
func (n *networks) encodes() bool {
	ref := n.open.session.Ref()
	return strings.HasPrefix(ref.ID, UploadPrefix) && !ref.Elsewhere && n.device.Shelf != nil
}

// networks says what there is.
func (n *networks) list(note string) *message.Networks {
	out := &message.Networks{Collection: n.open.session.Ref().Name, Note: note}
	if networkBytes != nil {
		out.Runtime, out.Unpacked = networkBytes()
	}
	for _, m := range n.open.session.Models.All() {
		x := message.Networked{Model: m.Name, Label: m.Label, Pooling: string(neural.PoolingOf(m.Pooling)),
			Prefix: m.Prefix, Dim: m.Dim, Static: m.Static()}
		if f, ok := graphOf(n.open.session.Bundle().Manifest.Network(m.Name)); ok {
			x.Hosted = f.Bytes
		}
		if kept, err := n.kept(m.Label); err == nil {
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
	if n.encodes() {
		x := message.Networked{Documents: len(n.open.session.Bundle().Cards)}
		if l := n.looked[""]; l != nil {
			x.Looked = &l.Look
		}
		out.Models = append(out.Models, x)
	}
	return out
}

// tries is how many judged queries a network encodes before it is believed, and nearest how near each must come to the
// vector that is stored.
const (
	tries   = 8
	nearest = .95
)

// load starts a network, holds it against the stored vectors, and gives it to the session. Searches are answered
// meanwhile.
func (n *networks) load(r message.Request, m bundle.Model, ask *message.AskNetwork) (note string, err error) {
	l := n.looked[m.Name]
	if l == nil { // the worker is another one than that which looked
		if l, err = n.lookAt(m, ask); err != nil {
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
	n.drop(m.Name)
	x := &running{label: m.Label, encoder: encoder, Loaded: message.Loaded{From: l.From, Graph: l.Graph, Bytes: l.Bytes,
		Pooling: string(encoder.Pooling()), Prefix: encoder.Prefix(), Kept: l.From == message.KeptNetwork}}
	if x.network, note, err = n.start(r, m.Label, l, ask.Keep); err != nil {
		return "", err
	}
	x.Kept = x.Kept || ask.Keep && note == ""
	if err := n.believe(m, x); err != nil {
		x.network.Stop()
		return "", err
	}
	delete(n.looked, m.Name)
	n.running[m.Name] = x
	n.open.session.SetNetwork(m.Name, x.label, x.encode)
	return note, nil
}

// start starts a network that was looked at, and keeps it on this device under a label if keep is set: note says why it
// is not kept. Other requests are answered meanwhile.
func (n *networks) start(r message.Request, label string, l *lookedAt, keep bool) (x network, note string, err error) {
	p := message.Progress{What: "network"}
	if keep && l.From != message.KeptNetwork {
		p.What = "keeping"
		n.page.tell(r, p)
		if err := n.keep(label, l); err != nil {
			note = "It is not saved on this device: " + say.Sentence(err)
		}
	}
	type result struct {
		network
		err error
	}
	done, stop := make(chan result, 1), make(chan struct{})
	go func() {
		started, err := startNetwork(l.graph, func(what string, done, total int) {
			p = message.Progress{What: what, Done: done, Total: total}
		}, stop)
		done <- result{started, err}
	}()
	stopped := n.page.stopped(r, &p)
	for {
		select {
		case got := <-done:
			if got.err != nil {
				return nil, "", fmt.Errorf("%s cannot be run: %w", l.Graph, got.err)
			}
			return got.network, note, nil
		case <-time.After(50 * time.Millisecond):
			if stopped() {
				close(stop)
				return nil, "", errStopped
			}
		}
	}
}

// believe encodes judged queries anew: the vectors of one model are alike, those of two are not.
func (n *networks) believe(m bundle.Model, x *running) error {
	var times []float64
	like, err := n.open.session.Liken(m.Name, tries, func(text string) ([]float32, error) {
		start := n.page.now()
		v, err := x.encode(text)
		times = append(times, n.page.now()-start)
		return v, err
	})
	if err != nil {
		return err
	}
	if x.Tried, x.Lowest = like.Tried, like.Lowest; like.Tried > 0 && like.Lowest < nearest {
		return fmt.Errorf("this is another model than %s, or is pooled otherwise: its vector of the judged query "+
			"“%s” and the one that is stored have a cosine of %s, where those of one model have nearly 1", m.Label,
			say.Brief(say.Visible(like.Query), 60), say.Page.Number(like.Lowest, 3))
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
