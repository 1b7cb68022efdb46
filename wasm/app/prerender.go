//go:build !js

package app

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state/learn"
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
		out = append(out, first, page(learn.PathOf(learn.Classroom, lesson.English), "Rankbox: a class and its exercises", "Exercises for a class, without a server: a link for students, results that are checked again, and the mistakes they made.", Snapshot{Lessons: wire.Marshal(heads)}),
			page(learn.PathOf(learn.Finale, lesson.English), "Rankbox: the capstone", "Three anonymous systems on real queries: which is which, whether they differ, and why; held against the report's own claims.", Snapshot{Lessons: wire.Marshal(&lesson.Set{Lessons: heads.Lessons, Field: lessons.Field})}))
		for _, l := range lessons.Lessons {
			with := &lesson.Set{Lessons: slices.Clone(heads.Lessons)}
			*with.Exactly(l.Name, l.Lang) = l
			out = append(out, page(learn.PathOf(l.Name, l.Lang), "Rankbox: "+l.Title, l.Teaches+".", Snapshot{Lessons: wire.Marshal(with)}))
		}
	}
	return out, nil
}

// Finished renders what the systems on show find for the judged queries of a collection, by the query's id: the lists that answer until
// the program is there. find searches for a query as the page does. Queries whose id is no plain file name are left out.
func Finished(opened *message.Opened, find func(spec experiment.Spec) (*experiment.Results, error)) (map[string]string, error) {
	env, err := vugu.NewBuildEnv(still{})
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, q := range opened.Queries {
		if strings.ContainsFunc(q.ID, func(c rune) bool {
			return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
		}) {
			continue
		}
		a, root := build(nothing{}, func(string) string { return "" }, "/search")
		a.Default, a.Opened = opened.Ref.ID, opened
		a.Spec.QueryID = q.ID
		if a.Results, err = find(a.Full()); err != nil {
			return nil, err
		}
		list := &dom.Node{Tag: "div", Attrs: []dom.Attr{{Name: "id", Value: "finished"}, {Name: "class", Value: "search asked show-a"}, {Name: "data-query", Value: q.Text}, {Name: "data-link", Value: ui.QueryLink(a, q.ID)},
			{Name: "data-systems", Value: strings.Join(a.Systems(), "\n")}}}
		pick(dom.Flatten(env.RunBuild(root)), list)
		var b strings.Builder
		dom.HTML(&b, list)
		out[q.ID] = b.String()
	}
	return out, nil
}

// pick appends what a finished list shows of a page: what is said of the query, the figures of the systems, and their rankings.
func pick(n, list *dom.Node) {
	class := attr(n, "class")
	if attr(n, "for") == "q" || class == "tabs" || strings.HasPrefix(class, "layout") {
		plain(n)
		list.Kids = append(list.Kids, n)
		return
	}
	for _, k := range n.Kids {
		pick(k, list)
	}
}

func attr(n *dom.Node, name string) string {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// plain takes away what would be on the page twice, or says that something happens.
func plain(n *dom.Node) {
	n.Attrs = slices.DeleteFunc(n.Attrs, func(a dom.Attr) bool {
		return a.Name == "id" || a.Name == "for" || a.Name == "title" || strings.HasPrefix(a.Name, "data-") || strings.HasPrefix(a.Name, "aria-") && a.Name != "aria-label"
	})
	n.Kids = slices.DeleteFunc(n.Kids, func(k *dom.Node) bool { return strings.Contains(attr(k, "class"), "add") || attr(k, "id") == "tune" })
	for _, k := range n.Kids {
		plain(k)
	}
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
