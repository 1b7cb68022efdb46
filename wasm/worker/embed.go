//go:build !first

package worker

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

func init() {
	register(message.Embed, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The documents were not encoded: " + p.What
		p.Do = "Lexical systems answer as before. Search with a dense system to try again."
	}}, toUploads, (*uploads).embed)
}

const (
	atOnce = 4 << 20 // bytes of text that are encoded before a collection opens: a moment's work
	crowd  = 20_000  // documents, at most, that are encoded before: vectors of short ones take most of the memory
	moment = 25_000  // microseconds of encoding, after which requests are answered

	tellEvery = 200_000 // microseconds between two words about the progress
)

// embedding is a kept collection whose documents are being encoded.
type embedding struct {
	request message.Request
	id      string
	held    bool // for want of room, it is there as long as the tab
	bundle  *bundle.Bundle
	fetch   bundle.Fetch

	encoder textEncoder // nil until it is there
	vectors *bundle.SourceVectors
	row     []float32
	texts   []string // of a shard
	first   int      // ordinal of the first of them
	told    float64
}

// textEncoder makes vectors of texts.
type textEncoder interface {
	begin(documents int) *bundle.SourceVectors // without rows
	document(text string, row []float32) ([]float32, error)
	query(text string) ([]float32, error)
	pause(j *embedding) error                        // after each document
	end(j *embedding, m *bundle.Manifest, err error) // the work is over: m has the vectors, nil if there are none
}

// static is the static encoder at work.
type static struct {
	*encoder.Static
	batch *encoder.Batch
}

func (s static) begin(documents int) *bundle.SourceVectors {
	return bundle.StaticVectors(bundle.StaticName, s.Static, documents)
}

func (s static) document(text string, row []float32) ([]float32, error) {
	return s.batch.Encode(text, row), nil
}
func (s static) query(text string) ([]float32, error)    { return s.Encode(text, nil), nil }
func (s static) pause(*embedding) error                  { return nil }
func (s static) end(*embedding, *bundle.Manifest, error) {}

// isLarge reports whether documents are indexed and kept first, and encoded while they are searched. Not if vectors or
// runs came with them: a bundle has those after the encoder's.
func (u *uploads) isLarge(all *collected) bool {
	src := all.src
	if len(all.arrays)+len(src.Vectors)+len(src.Tokens)+len(src.Weights)+len(src.Runs)+len(src.Networks) > 0 {
		return false
	}
	bytes := 0
	for i := range src.Collection.Docs {
		bytes += len(src.Collection.Docs[i].Title) + len(src.Collection.Docs[i].Text)
	}
	return bytes > cmp.Or(u.atOnce, atOnce) || len(src.Collection.Docs) > crowd
}

// embed begins to encode the documents of a kept collection. The work goes on between requests (step); its reply comes
// at the end, with the same id.
func (u *uploads) embed(r message.Request, ask *message.AskEmbed) (*message.Uploaded, error) {
	u.take(nil)
	if ask.ID == "" || u.device.Shelf == nil {
		return nil, nil
	}
	j := &embedding{request: r, id: ask.ID}
	j.fetch = func(f bundle.File) ([]byte, error) {
		return u.open.fetch(shelfPath+j.id+"/"+f.Name, func(int) {})
	}
	data, err := j.fetch(bundle.File{Name: "manifest.json"})
	if err != nil {
		return nil, err
	}
	m, err := bundle.ReadManifest(data)
	if err != nil {
		return nil, err
	}
	if !m.TakesVectors() && ask.Network == nil { // another tab has made them
		out := described(m)
		return &out, nil
	}
	ids, err := u.device.Shelf.List()
	j.held = err != nil || !slices.Contains(ids[j.id], "manifest.json")
	if j.bundle, err = bundle.OpenTexts(m, j.fetch); err != nil {
		return nil, err
	}
	if ask.Network != nil {
		x, err := u.startModel(r, j, ask)
		if errors.Is(err, errStopped) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		j.begin(x)
	}
	u.take(j)
	return nil, nil
}

// take begins a job, or ends the one that there is (nil).
func (u *uploads) take(j *embedding) {
	if u.job != nil && u.job.encoder != nil {
		u.job.encoder.end(u.job, nil, nil)
	}
	u.job = j
	if debug.SetGCPercent(usual); j != nil {
		debug.SetGCPercent(growth)
	}
}

// step encodes some documents. It reports whether there is more to do now.
func (u *uploads) step() bool {
	j := u.job
	if j == nil {
		return false
	}
	p := message.Progress{What: message.Embedding, Total: len(j.bundle.Cards), Unit: "documents"}
	if j.encoder == nil {
		x := u.open.encoder()
		if x == nil {
			return false // its arrival wakes the worker
		}
		j.begin(static{x, x.Batch()})
	}
	more, err := j.encode(u.page.now)
	if more {
		if now := u.page.now(); now-j.told >= tellEvery {
			j.told, p.Done = now, j.vectors.Docs.Len()
			u.page.tell(j.request, p)
		}
		return true
	}
	out := message.Reply{ID: j.request.ID, Kind: j.request.Kind}
	var m *bundle.Manifest
	if err == nil {
		m, err = u.keepVectors(j)
	}
	j.encoder.end(j, m, err)
	j.encoder = nil
	u.take(nil)
	if err != nil {
		out.Problem = handlers[message.Embed].problem(j.request, err)
	} else {
		made := described(m)
		out.Answer = &made
	}
	u.page.reply(out)
	return false
}

// begin begins with an encoder, and stays with it: one that is fetched again is the same.
func (j *embedding) begin(x textEncoder) {
	j.encoder = x
	j.vectors = x.begin(len(j.bundle.Cards))
	for d := range j.vectors.Docs.Len() { // those that were encoded before the tab was closed
		j.vectors.DocIDs = append(j.vectors.DocIDs, j.bundle.Cards[d].ID)
	}
}

// encode encodes documents for a moment, and the queries after the last one.
func (j *embedding) encode(now func() float64) (more bool, err error) {
	began := now()
	for d := j.vectors.Docs.Len(); d < len(j.bundle.Cards); d++ {
		if now()-began >= moment {
			return true, nil
		}
		if j.texts == nil || d >= j.first+len(j.texts) {
			if j.texts, j.first, err = j.bundle.Texts(d, j.fetch); err != nil {
				return false, err
			}
		}
		c := &j.bundle.Cards[d]
		if j.row, err = j.encoder.document(bundle.TextOf(c.Title, j.texts[d-j.first]), j.row); err != nil {
			return false, fmt.Errorf("document %s: %w", say.Visible(c.ID), err)
		}
		j.vectors.Docs.Append(j.row)
		j.vectors.DocIDs = append(j.vectors.DocIDs, c.ID)
		if err := j.encoder.pause(j); err != nil {
			return false, err
		}
	}
	for _, q := range j.bundle.Queries {
		v, err := j.encoder.query(q.Text)
		if err != nil {
			return false, fmt.Errorf("query %s: %w", say.Visible(q.ID), err)
		}
		j.vectors.Queries.Append(v)
		j.vectors.QueryIDs = append(j.vectors.QueryIDs, q.ID)
	}
	return false, nil
}

// keepVectors puts finished vectors beside the documents that they are of. The manifest comes last: until then the
// collection is the one without vectors.
func (u *uploads) keepVectors(j *embedding) (*bundle.Manifest, error) {
	files := map[string][]byte{}
	m, err := j.bundle.AddVectors(*j.vectors, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		return nil, err
	}
	if j.held {
		for name, data := range files {
			u.device.Shelf.Hold(j.id, name, data)
		}
		u.device.Shelf.Hold(j.id, "manifest.json", m.JSON())
		return m, nil
	}
	for name, data := range files {
		if err := u.device.Shelf.Put(j.id, name, data); err != nil {
			return nil, err
		}
	}
	now, err := u.device.keptManifest(j.id)
	if err != nil {
		return nil, err
	}
	if now.Hash != j.bundle.Manifest.Hash && now.Hash != m.Hash {
		return nil, errors.New("the collection was changed meanwhile")
	}
	m.Name = now.Name // it may have been renamed
	return m, u.device.Shelf.Put(j.id, "manifest.json", m.JSON())
}

// textsHash is the content hash of a collection without the vectors that are made here: the same before and after.
func textsHash(m *bundle.Manifest) string {
	var made []string
	for _, model := range m.Models {
		if model.Static() || model.Revision == tabRevision {
			made = append(made, model.Name)
		}
	}
	if len(made) == 0 {
		return m.Hash
	}
	return m.HashWithout(made...)
}

// idFor is the id of a collection that is made of files: that of its texts. One that is kept already has the id that
// it has, from a version in which vectors counted too.
func (u *uploads) idFor(m *bundle.Manifest) string {
	hash := textsHash(m)
	id := UploadPrefix + hash[:16]
	ids, _ := u.device.Shelf.List()
	if slices.Contains(ids[id], "manifest.json") {
		return id
	}
	found := ""
	for old, names := range ids {
		if mark, own := strings.CutPrefix(old, UploadPrefix); !own || strings.Contains(mark, "-") || // a duplicate
			!slices.Contains(names, "manifest.json") {
			continue
		}
		data, err := u.device.Shelf.Get(old, "manifest.json")
		if err != nil {
			continue
		}
		kept, err := bundle.ReadManifest(data)
		if err == nil && textsHash(kept) == hash && (found == "" || old < found) {
			found = old
		}
	}
	return cmp.Or(found, id)
}

// vectorsOf returns the manifest of the same collection with more vectors, if this device has it whole; m otherwise.
func (u *uploads) vectorsOf(m *bundle.Manifest) *bundle.Manifest {
	kept, err := u.device.keptManifest(m.ID)
	if err != nil || len(kept.Models) <= len(m.Models) || textsHash(kept) != textsHash(m) {
		return m
	}
	ids, err := u.device.Shelf.List()
	for _, f := range kept.Files {
		if err != nil || !slices.Contains(ids[m.ID], f.Name) {
			return m
		}
	}
	return kept
}
