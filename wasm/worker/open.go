package worker

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

func init() {
	register(message.Open, handler{blame: func(p *message.Problem, question wire.Wirer) {
		p.What = "The collection could not be opened: " + p.What
		if place, ok := question.(*message.Place); ok {
			p.Where = place.Base
		}
		if !strings.HasPrefix(p.Where, "/uploads/") { // of those that this device keeps, no server is to blame
			p.Do = "Try again. If it stays so, its files are damaged or of another version: reload the page without " +
				"its cache."
		} else {
			p.Do = "Choose the same files on Upload: they make the same collection, and this address opens it."
		}
	}}, toEngine, (*Engine).openPlace)
}

// openCollection is the collection that is open.
type openCollection struct {
	session *experiment.Session // nil for none
	adopted *experiment.Session // that session, if it has a workspace's queries and judgments
	plain   *experiment.Session // the session before it adopted them
	base    string              // URL of its folder, with a slash at its end

	mu      sync.Mutex
	arrived *encoder.Static // of typed queries, the last one that was fetched; nil for none

	fetch  Fetch
	page   *page
	device *Device
}

// read opens the collection at a place, unless reachable has an error of its manifest.
func (o *openCollection) read(r message.Request, place *message.Place, reachable func(*bundle.Manifest) error) (
	*bundle.Manifest, error) {
	if place.Base == "" {
		return nil, fmt.Errorf("this site has no collection %q", place.Collection)
	}
	raw, err := o.fetch(place.Base+"manifest.json", func(int) {})
	if err != nil {
		return nil, err
	}
	m, err := bundle.ReadManifest(raw)
	if err != nil {
		return nil, err
	}
	if _, err := text.Get(m.Analyzer); errors.Is(err, text.ErrBeyond) { // before anything is fetched in vain
		return nil, err
	}
	if err := reachable(m); err != nil {
		return nil, err
	}
	files, err := o.ahead(r, place, m)
	if err != nil {
		return nil, err
	}
	get := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, get)
	if err != nil {
		return nil, err
	}
	o.session = experiment.NewSession(b, func(f bundle.File) ([]byte, error) {
		if err := fits(f, place.Limit); err != nil {
			return nil, err
		}
		return o.fetch(place.Base+f.Name, func(n int) { o.arriving(f, n) })
	})
	o.session.Clock, o.base = o.page.clock, place.Base
	return m, nil
}

// arriving says how much has come of the vectors that the lists or the figures wait for; other files are small.
func (o *openCollection) arriving(f bundle.File, n int) {
	kind, model, _ := strings.Cut(f.Role, "/")
	if kind != "vectors" && kind != "late" || o.page.asked.Kind != message.Search &&
		o.page.asked.Kind != message.Evaluate {
		return
	}
	model, _, _ = strings.Cut(model, "/")
	o.page.tell(o.page.asked, message.Progress{What: "vectors of " + model, Done: min(n, f.Bytes), Total: f.Bytes})
}

// fits returns an error where a file, of vectors most likely, is more than this device takes in: before it is fetched,
// since what does not fit ends the worker. Systems that need none of it answer.
func fits(f bundle.File, limit int) error {
	if limit <= 0 || f.Bytes <= limit {
		return nil
	}
	return &rank.Unanswerable{Reason: f.Name + " is " + say.Bytes(int64(f.Bytes)) +
		", more than fits into the memory of this device, which takes " + say.Bytes(int64(limit)) +
		" a file; it was not fetched"}
}

// ahead fetches the files that bundle.Open reads, all at once, and tells the progress of them together.
func (o *openCollection) ahead(r message.Request, place *message.Place, m *bundle.Manifest) (map[string][]byte,
	error) {
	type answer struct {
		name string
		data []byte
		err  error
	}
	total := 0
	done := make([]int, len(bundle.Opening))
	answers := make(chan answer, len(bundle.Opening))
	var telling sync.Mutex
	for _, role := range bundle.Opening {
		f, ok := m.File(role)
		if !ok {
			return nil, say.Faultf("bundle", "%s: the manifest lists no file for %s", m.ID, role)
		}
		if err := fits(f, place.Limit); err != nil {
			return nil, err
		}
		total += f.Bytes
	}
	for i, role := range bundle.Opening {
		f, _ := m.File(role)
		go func() {
			data, err := o.fetch(place.Base+f.Name, func(n int) {
				telling.Lock()
				defer telling.Unlock()
				done[i] = min(n, f.Bytes)
				sum := 0
				for _, n := range done {
					sum += n
				}
				o.page.tell(r, message.Progress{What: "collection", Done: sum, Total: total})
			})
			answers <- answer{f.Name, data, err}
		}()
	}
	files := map[string][]byte{}
	var first error
	for range bundle.Opening {
		a := <-answers
		files[a.name] = a.data
		if a.err != nil && first == nil {
			first = a.err
		}
	}
	if first == nil {
		o.page.tell(r, message.Progress{What: "collection", Done: total, Total: total, Rest: true})
	}
	return files, first
}
