//go:build !first

package worker

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

func init() {
	register(message.Upload, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "No collection was made: " + p.What
		p.Do = "Nothing was saved. Choose other files, or make room below."
	}}, toUploads, (*uploads).upload)
	register(message.Duplicate, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The collection was not duplicated: " + p.What
		p.Do = "The collection itself is as it was."
	}}, toUploads, (*uploads).duplicate)
	register(message.Indexed, handler{quick: true, blame: at("the documents that are indexed so far")}, toUploads,
		(*uploads).indexed)
	register(message.Uploads, handler{blame: at("the collections on this device")}, toUploads, (*uploads).list)
}

// UploadPrefix begins the ids of collections that are kept on this device.
const UploadPrefix = "upload-"

// growth is by how many percent the heap grows while a collection is made before it is collected, usual at other times:
// a page's memory never shrinks.
const growth, usual = 40, 100

// patience is how long an upload waits for the encoder.
const patience = 40 * time.Second

// uploads are the collections that this device keeps, and those that are made of files.
type uploads struct {
	open   *openCollection
	device *Device
	page   *page
	job    *embedding // nil for none

	networks *networks

	growing *experiment.Growing // the collection that is being indexed, nil for none
	atOnce  int                 // bytes of text that are encoded before a collection opens, 0 for the usual
}

func toUploads(e *Engine) *uploads { return &e.uploads }

// upload makes a collection of files, with an index of words and vectors of the static encoder, and keeps it under its
// content hash.
func (u *uploads) upload(r message.Request, ask *message.AskUpload) (*message.Uploaded, error) {
	if len(ask.Files) == 0 && ask.From == "" {
		return &message.Uploaded{}, nil
	}
	if u.device.Shelf == nil || u.device.Files == nil {
		return nil, errors.New("no files can be read here")
	}
	if ask.From != "" {
		return u.splitAgain(r, ask)
	}
	if out, err := u.workspaceIn(r, ask); out != nil || err != nil {
		if errors.Is(err, errStopped) {
			return nil, nil
		}
		return out, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(growth))
	all, err := u.collect(r, ask)
	if err != nil {
		if errors.Is(err, errStopped) {
			return nil, nil
		}
		return nil, err
	}
	src := all.src
	if src.Elsewhere != nil {
		return u.index(r, src, all.warnings)
	}
	u.page.tell(r, message.Progress{What: "Reading vectors"})
	if err := u.device.bringModels(ask, src); err != nil {
		return nil, err
	}
	if ask.Chunking != "" && len(src.Vectors)+len(all.arrays) > 0 {
		return nil, errors.New("the vectors beside the documents are of whole documents: split them without vectors")
	}
	if _, err := all.split(ask.Chunking); err != nil {
		return nil, err
	}
	return u.make(r, all)
}

// make encodes, indexes and keeps what was collected. Many documents are encoded later.
func (u *uploads) make(r message.Request, all *collected) (*message.Uploaded, error) {
	src, arrays := all.src, all.arrays
	if u.isLarge(all) {
		return u.index(r, src, all.warnings) // the page asks for its vectors (embed)
	}
	p := message.Progress{What: "Waiting for the encoder"}
	x := u.encoderFor(r, p)
	if x != nil {
		p = message.Progress{What: "Encoding documents", Total: len(src.Collection.Docs), Unit: "documents"}
		stopped := u.page.stopped(r, &p)
		err := src.Encode(x, func(done int) error {
			if p.Done = done; stopped() {
				return errStopped
			}
			return nil
		})
		if errors.Is(err, errStopped) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	} else {
		all.warnings = append(all.warnings, "The encoder of typed queries could not be fetched, so this collection "+
			"has no vectors: only systems that rank by words answer.")
	}
	if arrays["docs"] != nil {
		v, err := own(src.Collection, arrays["docs"], arrays["queries"])
		if err != nil {
			return nil, err
		}
		src.Vectors = append(src.Vectors, *v)
	}
	return u.index(r, src, all.warnings)
}

// index indexes a collection and keeps it.
func (u *uploads) index(r message.Request, src *bundle.Source, warnings []string) (*message.Uploaded, error) {
	p := message.Progress{What: message.Indexing, Total: len(src.Collection.Docs), Unit: "documents"}
	u.page.tell(r, p)
	stopped := u.page.stopped(r, &p)
	src.Step = func(indexed int) error {
		p.Done = indexed
		if indexed == p.Total && !p.Rest {
			p.Rest = true
			u.page.tell(r, p)
		}
		if stopped() {
			return errStopped
		}
		return nil
	}
	u.growing = &experiment.Growing{Docs: src.Collection.Docs}
	defer func() { u.growing = nil }()
	src.Begun = func(b *index.Builder, order []uint32) { u.growing.Builder, u.growing.Order = b, order }
	src.Written = func(doc int) { src.Collection.Docs[doc].Text = "" } // it is in its file now, and is not held twice
	files := map[string][]byte{}
	m, err := bundle.Build(*src, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if errors.Is(err, errStopped) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m.ID = u.idFor(m)
	m = u.vectorsOf(m)
	files["manifest.json"] = m.JSON()
	unkept, err := u.shelve(r, m, files)
	if err != nil {
		return nil, nil
	}
	out := described(m)
	out.Unkept = unkept
	out.Warnings = warnings
	return &out, nil
}

// shown is how many documents a list has of what is indexed so far.
const shown = 10

// indexed ranks the documents that are indexed so far.
func (u *uploads) indexed(_ message.Request, ask *message.AskIndexed) (*experiment.Indexed, error) {
	if u.growing == nil || u.growing.Builder == nil {
		return nil, nil
	}
	return u.growing.Search(ask.Query, shown)
}

// encoderFor returns the encoder, once it is there.
func (u *uploads) encoderFor(r message.Request, p message.Progress) *encoder.Static {
	for range int(patience / (100 * time.Millisecond)) {
		x := u.open.encoder()
		if x != nil || u.page.isOutdated(r) {
			return x
		}
		u.page.tell(r, p)
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// own makes vectors of arrays that came with the documents: row i is of document i, in the order of the file.
func own(c *collection.Collection, docs, queries *collection.Array) (*bundle.SourceVectors, error) {
	v := &bundle.SourceVectors{Model: bundle.Model{Name: "own", Label: "own", Normalised: false}}
	if queries == nil {
		return nil, errors.New("docs.npy came without queries.npy: vectors of documents are compared with those of " +
			"queries, by the same model")
	}
	for _, d := range c.Docs {
		v.DocIDs = append(v.DocIDs, d.ID)
	}
	for _, q := range c.Queries {
		v.QueryIDs = append(v.QueryIDs, q.ID)
	}
	for _, s := range []struct {
		name string
		a    *collection.Array
		n    int
		to   **dense.Vectors
	}{{"docs.npy", docs, len(v.DocIDs), &v.Docs}, {"queries.npy", queries, len(v.QueryIDs), &v.Queries}} {
		if s.a.Float32 == nil || len(s.a.Shape) != 2 {
			return nil, fmt.Errorf("%s: %s of shape %v: vectors are <f4 of two dimensions", s.name, s.a.Type(),
				s.a.Shape)
		}
		if s.a.Rows() != s.n {
			return nil, fmt.Errorf("%s has %d rows, expected %d: row i is the vector of the id in line i",
				s.name, s.a.Rows(), s.n)
		}
		*s.to = dense.Round(s.a.Float32, s.a.Dim())
	}
	if v.Docs.Dim != v.Queries.Dim {
		return nil, fmt.Errorf("docs.npy has %d dimensions, queries.npy %d: the models differ", v.Docs.Dim,
			v.Queries.Dim)
	}
	return v, nil
}

// begun says since when a collection is being kept. A tab that is closed in the midst of it leaves files without a
// manifest: they go when they are a day old, since another tab may be at it.
const begun = "begun"

// sweep deletes what a tab left of a collection that it did not keep to the end.
func (u *uploads) sweep(id string) {
	since, err := u.device.Shelf.Get(id, begun)
	if err != nil {
		return
	}
	if t, err := time.Parse(time.RFC3339, string(since)); err == nil && time.Since(t) > 24*time.Hour {
		_ = u.device.Shelf.Delete(id) // the next time, if not now
	}
}

// named gives a collection the name that it was given on this device: the same files come again under the name of a
// file. Another collection never gets the name of one that is here.
func (u *uploads) named(m *bundle.Manifest, files map[string][]byte) {
	ids, err := u.device.Shelf.List()
	if err != nil {
		return
	}
	name, taken := m.Name, map[string]bool{}
	if before, err := u.device.manifestIn(ids, m.ID); err == nil {
		name = before.Name
	} else {
		for id := range ids {
			if other, err := u.device.manifestIn(ids, id); err == nil {
				taken[other.Name] = true
			}
		}
	}
	for n := 2; taken[name]; n++ {
		name = m.Name + " (" + strconv.Itoa(n) + ")"
	}
	if name != m.Name {
		m.Name = name
		files["manifest.json"] = m.JSON()
	}
}

// shelve keeps a collection, or holds it as long as the tab lives: unkept says why. The error is errStopped, or nil.
func (u *uploads) shelve(r message.Request, m *bundle.Manifest, files map[string][]byte) (unkept string, err error) {
	u.named(m, files)
	if err = u.keep(r, m, files); err == nil || errors.Is(err, errStopped) {
		return "", err
	}
	for name, data := range files {
		u.device.Shelf.Hold(m.ID, name, data)
	}
	return say.Sentence(err), nil
}

// keep puts a collection onto the shelf, whole or not at all.
func (u *uploads) keep(r message.Request, m *bundle.Manifest, files map[string][]byte) error {
	total, done := 0, 0
	for _, data := range files {
		total += len(data)
	}
	before, _ := u.device.Shelf.List()
	// of the same files: it takes no more room, and stays whatever happens
	kept := slices.Contains(before[m.ID], "manifest.json")
	used, quota, _ := u.device.Shelf.Room()
	if !kept && quota > 0 && used+float64(total) > quota {
		return fmt.Errorf("it takes %s, and the browser grants this site %s, of which %s are used: delete a "+
			"collection below, or free room on the device", say.Bytes(int64(total)), say.Bytes(int64(quota)),
			say.Bytes(int64(used)))
	}
	if !kept {
		if err := u.device.Shelf.Put(m.ID, begun, []byte(time.Now().UTC().Format(time.RFC3339))); err != nil {
			return err
		}
	}
	var names []string
	for name := range files {
		if name != "manifest.json" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	names = append(names, "manifest.json") // the last: without it there is no collection
	for _, name := range names {
		err := u.device.Shelf.Put(m.ID, name, files[name])
		if err == nil && u.page.isOutdated(r) {
			err = errStopped
		}
		if err != nil {
			if !kept {
				_ = u.device.Shelf.Delete(m.ID) // what is left of it is no collection: uploads passes over it
			}
			return err
		}
		done += len(files[name])
		u.page.tell(r, message.Progress{What: "Keeping it on this device", Done: done, Total: total})
	}
	return nil
}

// described describes a collection.
func described(m *bundle.Manifest) message.Uploaded {
	u := message.Uploaded{ID: m.ID, Name: m.Name, Documents: m.Documents, Queries: m.Queries, Judgments: m.Judgments}
	_, u.Chunked = m.File(bundle.ChunksName)
	_, whole := m.File(chunk.RestFileName)
	u.Splits = whole || !u.Chunked
	u.Plain = m.TakesVectors()
	if m.Elsewhere != nil {
		u.Backend, u.System = m.Elsewhere.Backend, systemOf(m.Elsewhere)
	}
	for _, f := range m.Files {
		u.Bytes += f.Bytes
	}
	for i := range m.Models {
		u.Models = append(u.Models, m.Models[i].Called())
	}
	return u
}

// uploads says what is kept.
func (u *uploads) list(_ message.Request, ask *message.AskUploads) (*message.Shelf, error) {
	if u.device.Shelf == nil {
		return &message.Shelf{}, nil
	}
	if ask.Delete != "" {
		if u.job != nil && u.job.id == ask.Delete {
			u.take(nil)
		}
		if err := u.device.Shelf.Delete(ask.Delete); err != nil {
			return nil, err
		}
		u.dropParts(ask.Delete)
		if forgetKept != nil {
			forgetKept(ask.Delete)
		}
	}
	if ask.Rename != "" {
		if err := u.rename(ask.Rename, ask.Name); err != nil {
			return nil, err
		}
	}
	out := &message.Shelf{}
	ids, err := u.device.Shelf.List()
	if err != nil {
		out.Nothing = say.Sentence(err)
		return out, nil
	}
	for id, names := range ids {
		if !slices.Contains(names, "manifest.json") {
			if slices.Contains(names, begun) {
				u.sweep(id)
			}
			continue
		}
		data, err := u.device.Shelf.Get(id, "manifest.json")
		if err != nil {
			return nil, err
		}
		if m, err := bundle.ReadManifest(data); err == nil {
			out.List = append(out.List, described(m))
		}
	}
	slices.SortFunc(out.List, func(a, b message.Uploaded) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	out.Used, out.Quota, out.Stays = u.device.Shelf.Room()
	return out, nil
}
