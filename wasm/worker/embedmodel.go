//go:build !first

package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// tabRevision is the revision of vectors that a network made in the tab.
const tabRevision = "encoded in the tab"

// saveEvery is after how many documents those that a network has encoded are saved.
const saveEvery = 32

// model is a network that encodes documents. It saves vectors as it goes: after the tab was closed, the same files
// continue the work.
type model struct {
	networks  *networks
	network   network
	label     string
	looked    lookedAt
	queries   *neural.Encoder
	documents *neural.Encoder
	dim       int
	kept      bool
	unkept    string // why it is not kept, "" if it is or was not wanted

	shelf   Shelf
	parts   string // where what is encoded is on the shelf
	saved   int    // documents
	full    bool   // the device has no room for more of them
	started *dense.Vectors
}

// startModel loads the network that documents are encoded by.
func (u *uploads) startModel(r message.Request, j *embedding, ask *message.AskEmbed) (*model, error) {
	if startNetwork == nil {
		return nil, errors.New("no network can be run here")
	}
	n := u.networks
	l := n.looked[""]
	if l == nil { // the worker is another one than that which looked
		var err error
		if l, err = n.lookAt(bundle.Model{}, ask.Network); err != nil {
			return nil, err
		}
	}
	if name := modelName(l.Name); !j.bundle.Manifest.TakesModel(name) {
		return nil, fmt.Errorf("the documents have vectors of %s already", say.Visible(l.Name))
	}
	x := &model{networks: n, label: l.Name, looked: *l, shelf: u.device.Shelf}
	var err error
	if x.network, x.unkept, err = n.start(r, l.Name, l, ask.Network.Keep); err != nil {
		return nil, err
	}
	x.kept = ask.Network.Keep && x.unkept == ""
	if err := x.fit(ask); err != nil {
		x.network.Stop()
		return nil, err
	}
	settings := fnv.New32a()
	fmt.Fprintf(settings, "%d %q %q %s", l.Bytes, ask.Query, ask.Document, x.documents.Pooling())
	x.parts = partsOf(j.id) + modelName(l.Name) + "-" + strconv.FormatUint(uint64(settings.Sum32()), 16)
	x.started = x.restore(len(j.bundle.Cards))
	return x, nil
}

// fit finds out of how many dimensions the network's vectors are, and makes the two encoders.
func (x *model) fit(ask *message.AskEmbed) error {
	probe, err := x.looked.model.Free(x.looked.model.Dim, "")
	if err != nil {
		return err
	}
	ids := probe.Input("a")
	out, err := x.network.Run(ids)
	if err != nil {
		return err
	}
	if len(out.Shape) == 0 {
		return errors.New("the network has no output: this is not a sentence encoder")
	}
	x.dim = out.Shape[len(out.Shape)-1]
	if x.queries, err = x.looked.model.Free(x.dim, ask.Query); err != nil {
		return err
	}
	if x.documents, err = x.looked.model.Free(x.dim, ask.Document); err != nil {
		return err
	}
	_, err = x.documents.Vector(out, len(ids))
	return err
}

// partsOf begins the places of what models have encoded of a collection.
func partsOf(id string) string { return "encoding-" + id + "." }

func (x *model) begin(documents int) *bundle.SourceVectors {
	return &bundle.SourceVectors{Model: bundle.Model{Name: modelName(x.label), Label: x.label, Revision: tabRevision,
		Pooling: string(x.documents.Pooling()), Prefix: x.queries.Prefix(), Dim: x.dim,
		Normalised: x.documents.Normalised()},
		Docs: x.started, Queries: &dense.Vectors{Dim: x.dim}}
}

func (x *model) document(text string, _ []float32) ([]float32, error) {
	return x.encode(x.documents, text)
}
func (x *model) query(text string) ([]float32, error) { return x.encode(x.queries, text) }

func (x *model) encode(e *neural.Encoder, text string) ([]float32, error) {
	ids := e.Input(text)
	out, err := x.network.Run(ids)
	if err != nil {
		return nil, err
	}
	return e.Vector(out, len(ids))
}

// pause saves what is encoded. A device without room only loses that.
func (x *model) pause(j *embedding) error {
	v := j.vectors.Docs
	if x.full || v.Len()-x.saved < saveEvery {
		return nil
	}
	var b []byte
	for i := x.saved; i < v.Len(); i++ {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v.Scales[i]))
		for _, c := range v.Row(i) {
			b = append(b, byte(c))
		}
	}
	x.full = x.shelf.Put(x.parts, strconv.Itoa(x.saved/saveEvery), b) != nil
	x.saved = v.Len()
	return nil
}

// restore returns what was saved before, without rows if that is nothing.
func (x *model) restore(documents int) *dense.Vectors {
	v := &dense.Vectors{Dim: x.dim, Rows: make([]int8, 0, documents*x.dim)}
	ids, err := x.shelf.List()
	if err != nil || len(ids[x.parts]) == 0 {
		return v
	}
	for v.Len()+saveEvery <= documents {
		b, err := x.shelf.Get(x.parts, strconv.Itoa(v.Len()/saveEvery))
		if err != nil || len(b) != saveEvery*(4+x.dim) {
			break
		}
		for ; len(b) > 0; b = b[4+x.dim:] {
			v.Scales = append(v.Scales, math.Float32frombits(binary.LittleEndian.Uint32(b)))
			for _, c := range b[4 : 4+x.dim] {
				v.Rows = append(v.Rows, int8(c))
			}
		}
	}
	if v.Check() != nil {
		return &dense.Vectors{Dim: x.dim}
	}
	x.saved = v.Len()
	return v
}

// end hands the network to the typed queries of the collection, or stops it.
func (x *model) end(j *embedding, m *bundle.Manifest, err error) {
	if m == nil {
		x.network.Stop()
		return
	}
	_ = x.shelf.Delete(x.parts) // what stays is found by nobody, and goes with the collection
	x.networks.unkept = x.unkept
	x.networks.adopt(j.id, m.Hash, modelName(x.label), &running{label: x.label, network: x.network, encoder: x.queries,
		Loaded: message.Loaded{From: x.looked.From, Graph: x.looked.Graph, Bytes: x.looked.Bytes, Made: true,
			Pooling: string(x.queries.Pooling()), Prefix: x.queries.Prefix(), Kept: x.kept}})
}

// coming is a network that encodes typed queries once the open collection is opened again with its vectors.
type coming struct {
	id, hash, model string
	running         *running
}

// adopt has a network wait for the vectors that it made; that of another collection than the open one is stopped.
func (n *networks) adopt(id, hash, model string, x *running) {
	if n.open.session == nil || n.open.session.Ref().ID != id {
		x.network.Stop()
		return
	}
	n.coming = &coming{id, hash, model, x}
}

// takeComing takes the network that waits, if the open collection is its own, and stops it if it is another.
func (n *networks) takeComing() {
	switch x := n.coming; {
	case x == nil:
	case n.open.content() == x.hash:
		n.running[x.model], n.coming = x.running, nil
	case n.open.session.Ref().ID != x.id:
		x.running.network.Stop()
		n.coming = nil
	}
}

// dropParts deletes what models have encoded of a collection that is deleted.
func (u *uploads) dropParts(id string) {
	ids, err := u.device.Shelf.List()
	if err != nil {
		return
	}
	for parts := range ids {
		if strings.HasPrefix(parts, partsOf(id)) {
			_ = u.device.Shelf.Delete(parts)
		}
	}
}
