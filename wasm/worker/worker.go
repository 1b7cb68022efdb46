// Package worker is the search engine's side of the site: it owns the open collection and answers the page's requests one after
// the other. It draws nothing.
//
// Order of the pipeline: bytes → message.Request → Engine.Handle → experiment.Session → message.Reply → bytes.
package worker

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// Fetch returns the bytes at an address and reports how many have arrived.
type Fetch func(url string, progress func(done int)) ([]byte, error)

// Engine answers requests.
type Engine struct {
	fetch   Fetch
	reply   func(message.Reply)
	clock   func() float64 // microseconds
	session *experiment.Session
	bench   bench

	// Files opens a file that was given to the page; nil where there are none.
	Files func(id int) (io.Reader, error)
	// Pause lets messages in during long work, and Outdated reports whether one of them made a request superfluous; both may be nil.
	Pause    func()
	Outdated func(message.Request) bool
}

// NewEngine returns an engine that fetches files with fetch and sends its answers, and progress, through reply.
func NewEngine(fetch Fetch, clock func() float64, reply func(message.Reply)) *Engine {
	return &Engine{fetch: fetch, clock: clock, reply: reply}
}

// Handle answers one request. It may wait for files.
func (e *Engine) Handle(r message.Request) {
	out := message.Reply{ID: r.ID, Kind: r.Kind}
	var err error
	switch r.Kind {
	case message.Ping:
	case message.Open:
		out.Opened, err = e.open(r)
	case message.Runs:
		out.Compared, err = e.compare(r)
	case message.Reasons, message.Query, message.Opinions, message.Export, message.Tests, message.Statistics, message.Agreement:
		out.Answer, err = e.ask(r)
	default:
		if e.session == nil {
			err = errors.New("no collection is open")
			break
		}
		switch r.Kind {
		case message.Search:
			out.Results, err = e.session.Search(r.Spec)
		case message.Explain:
			out.Why, err = e.session.Explain(r.Spec, r.Focus)
		case message.Evaluate:
			out.Report, err = e.session.Evaluate(r.Spec, nil)
		default:
			err = fmt.Errorf("request %d is not known", r.Kind)
		}
	}
	if err != nil {
		out.Problem = explain(r, err)
	}
	e.reply(out)
}

// explain turns an error into words for the person at the page.
func explain(r message.Request, err error) *message.Problem {
	p := &message.Problem{What: sentence(err.Error()), Do: "Nothing you typed is lost. Change the query or the settings, or undo the last change."}
	switch r.Kind {
	case message.Open:
		p.What = "The collection could not be opened: " + p.What
		p.Where = r.Base
		p.Do = "Try again. If it stays so, the files on the server are damaged or of another version: reload the page without its cache."
	case message.Search:
		p.Where = "this search"
	case message.Explain:
		p.Where = "the explanation of document " + r.Focus.Document
	case message.Evaluate:
		p.Where = "the comparison over all judged queries"
	case message.Runs, message.Reasons, message.Query, message.Opinions, message.Export, message.Tests, message.Statistics, message.Agreement:
		p.Where = "the comparison of your runs"
		p.Do = "Your files are not touched. Undo the last change, take a file out, or drop the files again."
	}
	return p
}

func sentence(s string) string {
	for _, prefix := range []string{"bundle: ", "experiment: ", "compare: open: ", "compare: ", "collection: "} {
		s = strings.TrimPrefix(s, prefix)
	}
	return strings.TrimSuffix(s, ".") + "."
}

func (e *Engine) open(r message.Request) (*message.Opened, error) {
	if r.Base == "" {
		return nil, fmt.Errorf("this site has no collection %q", r.Spec.Collection)
	}
	raw, err := e.fetch(r.Base+"manifest.json", func(int) {})
	if err != nil {
		return nil, err
	}
	m, err := bundle.ReadManifest(raw)
	if err != nil {
		return nil, err
	}
	files, err := e.ahead(r, m)
	if err != nil {
		return nil, err
	}
	get := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, get)
	if err != nil {
		return nil, err
	}
	e.session = experiment.NewSession(b, func(f bundle.File) ([]byte, error) { return e.fetch(r.Base+f.Name, func(int) {}) })
	e.session.Clock = e.clock
	return Describe(e.session), nil
}

// ahead fetches the files that bundle.Open reads, all at once, and tells the progress of them together.
func (e *Engine) ahead(r message.Request, m *bundle.Manifest) (map[string][]byte, error) {
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
			return nil, fmt.Errorf("bundle: %s: the manifest has no file for %s", m.ID, role)
		}
		total += f.Bytes
	}
	for i, role := range bundle.Opening {
		f, _ := m.File(role)
		go func() {
			data, err := e.fetch(r.Base+f.Name, func(n int) {
				telling.Lock()
				defer telling.Unlock()
				done[i] = min(n, f.Bytes)
				sum := 0
				for _, n := range done {
					sum += n
				}
				e.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &message.Progress{What: "collection", Done: sum, Total: total}})
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
	return files, first
}

// Describe says what the page needs to know of an open collection.
func Describe(s *experiment.Session) *message.Opened {
	b := s.Bundle()
	o := &message.Opened{Ref: s.Ref(), Source: b.Manifest.Source, Queries: s.Topics()}
	for _, m := range b.Manifest.Models {
		o.Models = append(o.Models, m.Name)
	}
	for range b.Queries {
		o.Encoded = append(o.Encoded, len(b.Manifest.Models) > 0) // a bundle has vectors of every query or none
	}
	categories, months, entities := map[string]int{}, map[string]int{}, map[[2]string]int{}
	first, last := "", ""
	for _, c := range b.Cards {
		if c.Category != "" {
			categories[c.Category]++
		}
		if len(c.Date) == 10 {
			m := c.Date[:7]
			months[m]++
			if first == "" || m < first {
				first = m
			}
			last = max(last, m)
		}
		for _, x := range c.Entities {
			entities[[2]string{x.Name, x.Kind}]++
		}
	}
	for v, n := range categories {
		o.Categories = append(o.Categories, message.Count{Value: v, N: n})
	}
	slices.SortFunc(o.Categories, byValue)
	for m := first; m != "" && m <= last; m = next(m) {
		o.Months = append(o.Months, message.Count{Value: m, N: months[m]})
	}
	for v, n := range entities {
		o.Entities = append(o.Entities, message.Count{Value: v[0], Kind: v[1], N: n})
	}
	slices.SortFunc(o.Entities, func(a, b message.Count) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return byValue(a, b)
	})
	return o
}

func byValue(a, b message.Count) int {
	if c := strings.Compare(a.Value, b.Value); c != 0 {
		return c
	}
	return strings.Compare(a.Kind, b.Kind)
}

// next returns the month after YYYY-MM, "" where that is not one.
func next(m string) string {
	b := []byte(m)
	if len(b) != 7 || b[4] != '-' {
		return ""
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6} {
		if b[i] < '0' || b[i] > '9' {
			return ""
		}
	}
	if m[5:] < "12" {
		if b[6] == '9' {
			b[5]++
			b[6] = '0'
		} else {
			b[6]++
		}
		return string(b)
	}
	copy(b[5:], "01")
	for i := 3; i >= 0; i-- {
		if b[i] < '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return ""
}
