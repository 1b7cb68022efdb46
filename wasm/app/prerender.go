//go:build !js

package app

import (
	"encoding/base64"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/screens"
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
	about := strings.NewReplacer("{finding}", s.Report.Sentence(say.Page), "{collection}", s.Opened.Ref.Name)
	var out []Rendered
	for _, row := range screens.All {
		a, root := build(nothing{}, func(string) string { return "" }, row.Path)
		a.Version, a.Default, a.Opened, a.Report = version, s.Opened.Ref.ID, s.Opened, s.Report
		var b strings.Builder
		dom.HTML(&b, dom.Flatten(env.RunBuild(root)))
		file := strings.TrimPrefix(row.Path, "/")
		if file == "" {
			file = "index"
		}
		out = append(out, Rendered{Path: row.Path, File: file + ".html", Title: about.Replace(row.Title), Description: about.Replace(row.Description), Body: b.String(), State: blob})
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
func (nothing) Enrich()                                      {}
func (nothing) Swap()                                        {}
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
