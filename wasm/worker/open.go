package worker

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/text"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	register(message.Open, handler{blame: func(p *message.Problem, question wire.Wirer) {
		p.What = "The collection could not be opened: " + p.What
		if place, ok := question.(*message.Place); ok {
			p.Where = place.Base
		}
		if !strings.HasPrefix(p.Where, "/uploads/") { // of those that this device keeps, no server is to blame
			p.Do = "Try again. If it stays so, its files are damaged or of another version: reload the page without its cache."
		} else {
			p.Do = "Choose the same files on Upload: they make the same collection, and this address opens it."
		}
	}}, itself, (*Engine).open)
}

func (e *Engine) open(r message.Request, place *message.Place) (*message.Opened, error) {
	if place.Base == "" {
		return nil, fmt.Errorf("this site has no collection %q", place.Collection)
	}
	raw, err := e.fetch(place.Base+"manifest.json", func(int) {})
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
	if err := e.reachable(m); err != nil {
		return nil, err
	}
	files, err := e.ahead(r, place, m)
	if err != nil {
		return nil, err
	}
	get := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, get)
	if err != nil {
		return nil, err
	}
	e.session = experiment.NewSession(b, func(f bundle.File) ([]byte, error) {
		if err := fits(f, place.Limit); err != nil {
			return nil, err
		}
		return e.fetch(place.Base+f.Name, func(n int) { e.arriving(f, n) })
	})
	e.session.Clock, e.base = e.page.clock, place.Base
	e.begin(m)
	return Describe(e.session), nil
}

// arriving says how much has come of the vectors that the lists or the figures wait for; other files are small.
func (e *Engine) arriving(f bundle.File, n int) {
	kind, model, _ := strings.Cut(f.Role, "/")
	if kind != "vectors" && kind != "late" || e.page.asked.Kind != message.Search && e.page.asked.Kind != message.Evaluate {
		return
	}
	model, _, _ = strings.Cut(model, "/")
	e.page.reply(message.Reply{ID: e.page.asked.ID, Kind: e.page.asked.Kind, Progress: &message.Progress{What: "vectors of " + model, Done: min(n, f.Bytes), Total: f.Bytes}})
}

// fits returns an error where a file, of vectors most likely, is more than this device takes in: before it is fetched, since what does not fit ends the worker.
// Systems that need none of it answer.
func fits(f bundle.File, limit int) error {
	if limit <= 0 || f.Bytes <= limit {
		return nil
	}
	return &rank.Unanswerable{Reason: f.Name + " is " + say.Bytes(int64(f.Bytes)) + ", more than fits into the memory of this device, which takes " + say.Bytes(int64(limit)) +
		" a file; it was not fetched"}
}

// ahead fetches the files that bundle.Open reads, all at once, and tells the progress of them together.
func (e *Engine) ahead(r message.Request, place *message.Place, m *bundle.Manifest) (map[string][]byte, error) {
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
			data, err := e.fetch(place.Base+f.Name, func(n int) {
				telling.Lock()
				defer telling.Unlock()
				done[i] = min(n, f.Bytes)
				sum := 0
				for _, n := range done {
					sum += n
				}
				e.page.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &message.Progress{What: "collection", Done: sum, Total: total}})
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
		e.page.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &message.Progress{What: "collection", Done: total, Total: total, Rest: true}})
	}
	return files, first
}
