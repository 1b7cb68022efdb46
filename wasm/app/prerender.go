//go:build !js

package app

import (
	"encoding/base64"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// Rendered is one route as HTML.
type Rendered struct {
	Path        string // "/", "/search"
	File        string // "index.html", "search.html"
	Title       string
	Description string
	Body        string // the element #page
	State       string // base64 of the Snapshot
}

// Prerender renders every route from a finished comparison.
func Prerender(s Snapshot, version string) ([]Rendered, error) {
	env, err := vugu.NewBuildEnv(still{})
	if err != nil {
		return nil, err
	}
	blob := base64.StdEncoding.EncodeToString(wire.Marshal(&s))
	var out []Rendered
	for _, r := range []Rendered{
		{Path: "/", File: "index.html", Title: "Rankbox: " + s.Report.Finding, Description: "A laboratory for search ranking that opens as a web page: BM25, dense and hybrid search compared, measured and explained in the browser."},
		{Path: "/search", File: "search.html", Title: "Rankbox: search " + s.Opened.Ref.Name, Description: "Search systems side by side on " + s.Opened.Ref.Name + ": every score explained, every setting live."},
		{Path: "/compare", File: "compare.html", Title: "Rankbox: compare runs", Description: "Drop TREC runs and qrels: measures equal to trec_eval's, paired tests, every query explained document by document. Nothing leaves your browser."},
	} {
		a := state.New(nothing{}, func(string) string { return "" }, r.Path, "")
		a.Version, a.Opened, a.Report = version, s.Opened, s.Report
		var b strings.Builder
		dom.HTML(&b, dom.Flatten(env.RunBuild(&ui.Root{App: a})))
		r.Body, r.State = b.String(), blob
		out = append(out, r)
	}
	return out, nil
}

// still is an event environment in which nothing happens.
type still struct{}

func (still) Lock()         {}
func (still) UnlockOnly()   {}
func (still) UnlockRender() {}
func (still) RLock()        {}
func (still) RUnlock()      {}

// nothing is the effects of a page that is only rendered.
type nothing struct{}

func (nothing) Send(message.Request)                         {}
func (nothing) Restart()                                     {}
func (nothing) Address(string, string, bool)                 {}
func (nothing) Copy(string, func(bool))                      {}
func (nothing) Origin() string                               { return "" }
func (nothing) After(int, func()) func()                     { return func() {} }
func (nothing) Focus(string)                                 {}
func (nothing) Render()                                      {}
func (nothing) Save(string, string, []byte)                  {}
func (nothing) Picture(string, string, int, int, func(bool)) {}
func (nothing) Text(string, string) message.File             { return message.File{} }
