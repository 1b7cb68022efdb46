//go:build !js

package app

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state/learn"
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
	Data        []byte // of a screen: what it fetches, where that is made with its page
}

// Prerender renders every route from a finished comparison, and the lessons.
func Prerender(s Snapshot, lessons *lesson.Set, version string) ([]Rendered, error) {
	env, err := vugu.NewBuildEnv(still{})
	if err != nil {
		return nil, err
	}
	about := strings.NewReplacer("{finding}", s.Report.Sentence(say.Page), "{collection}", s.Opened.Ref.Name)
	page := func(path, title, description string, s Snapshot) Rendered {
		a, root := build(nothing{}, func(string) string { return "" }, path)
		a.Version, a.Opened, a.Report, a.Lessons = version, s.Opened, s.Report, s.Lessons
		var b strings.Builder
		dom.HTML(&b, dom.Flatten(env.RunBuild(root)))
		file := strings.TrimPrefix(path, "/")
		if file == "" {
			file = "index"
		}
		return Rendered{Path: path, File: file + ".html", Title: about.Replace(title), Description: about.Replace(description), Body: b.String(), State: base64.StdEncoding.EncodeToString(wire.Marshal(&s))}
	}
	var out []Rendered
	for _, row := range screens.All {
		if row.Name != string(learn.ID) {
			out = append(out, page(row.Path, row.Title, row.Description, s))
			continue
		}
		heads := &lesson.Set{}
		for _, l := range lessons.Lessons {
			heads.Lessons = append(heads.Lessons, lesson.Lesson{Head: l.Head})
		}
		first := page(row.Path, row.Title, row.Description, Snapshot{Lessons: wire.Marshal(heads)})
		first.Data = wire.Marshal(lessons)
		out = append(out, first)
		for _, l := range lessons.Lessons {
			with := &lesson.Set{Lessons: slices.Clone(heads.Lessons)}
			*with.Exactly(l.Name, l.Lang) = l
			out = append(out, page(learn.PathOf(l.Name, l.Lang), "Rankbox: "+l.Title, l.Teaches+".", Snapshot{Lessons: wire.Marshal(with)}))
		}
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
func (nothing) Remember(string, string)                      {}
func (nothing) Recall(string) string                         { return "" }
func (nothing) Focus(string)                                 {}
func (nothing) Render()                                      {}
func (nothing) Save(string, string, []byte)                  {}
func (nothing) Picture(string, string, int, int, func(bool)) {}
func (nothing) Text(string, string) message.File             { return message.File{} }
