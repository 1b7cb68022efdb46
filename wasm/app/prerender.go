//go:build !js

package app

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/app/ui/home"
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

// Prerender renders every route from a finished comparison, and the lessons. find searches for a query as the page
// does: Home and Search show what the systems find for an example.
func Prerender(s Snapshot, lessons *lesson.Set, version string,
	find func(experiment.Spec) (*experiment.Results, error)) ([]Rendered, error) {
	env, err := vugu.NewBuildEnv(still{})
	if err != nil {
		return nil, err
	}
	about := strings.NewReplacer("{finding}", s.Report.Sentence(say.Page), "{collection}", s.Opened.Ref.Name)
	page := func(path, title, description string, s Snapshot) Rendered {
		a, root := build(nothing{}, func(string) string { return "" }, path)
		a.Version, a.Engine.Opened, a.Figures.Report, a.Lessons = version, s.Opened, s.Report, s.Lessons
		a.Search.Differ = s.Differ
		a.Search.ShowExample(s.Example, s.Results, path == "/")
		var b strings.Builder
		dom.HTML(&b, dom.Flatten(env.RunBuild(root)))
		file := strings.TrimPrefix(path, "/")
		if file == "" {
			file = "index"
		}
		return Rendered{Path: path, File: file + ".html", Title: about.Replace(title),
			Description: about.Replace(description), Body: b.String(),
			State: base64.StdEncoding.EncodeToString(wire.Marshal(&s))}
	}
	found, base, other, err := exampleOf(&s, find)
	if err != nil {
		return nil, err
	}
	var out []Rendered
	for _, row := range screens.All {
		switch s.Results = nil; {
		case row.Path == "/":
			s.Results = excerpt(found, base, other)
		case row.Name == string(share.Search):
			s.Results = found
		}
		if row.Name != string(learn.ID) {
			out = append(out, page(row.Path, row.Title, row.Description, s))
			if row.Old != "" {
				out = append(out, page(row.Old, row.Title, row.Description, s))
			}
			if row.Door != "" {
				out = append(out, page(row.Door, row.Title, row.Description, s))
			}
			continue
		}
		heads := &lesson.Set{}
		for _, l := range lessons.Lessons {
			heads.Lessons = append(heads.Lessons, lesson.Lesson{Head: l.Head})
		}
		first := page(row.Path, row.Title, row.Description, Snapshot{Lessons: wire.Marshal(heads)})
		first.Data = wire.Marshal(lessons)
		out = append(out, first, page(learn.PathOf(learn.Classroom), "Rankbox: a class and its exercises",
			"Exercises for a class, without a server: a link for students, checked results, and their mistakes.",
			Snapshot{Lessons: wire.Marshal(heads)}),
			page(learn.PathOf(learn.Finale), "Rankbox: the capstone",
				"Three anonymous systems on real queries: find out which is which, whether they differ, and why.",
				Snapshot{Lessons: wire.Marshal(&lesson.Set{Lessons: heads.Lessons, Field: lessons.Field})}))
		for _, l := range lessons.Lessons {
			with := &lesson.Set{Lessons: slices.Clone(heads.Lessons)}
			*with.Find(l.Name) = l
			out = append(out, page(learn.PathOf(l.Name), "Rankbox: "+l.Title, l.Teaches+".",
				Snapshot{Lessons: wire.Marshal(with)}))
		}
	}
	return out, nil
}

// exampleOf chooses the judged query by which Home's two systems differ most, and returns what is found for it; nil
// where nothing is judged.
func exampleOf(s *Snapshot, find func(experiment.Spec) (*experiment.Results, error)) (found *experiment.Results,
	base, other int, err error) {
	a, _ := build(nothing{}, func(string) string { return "" }, "/")
	a.Settings.Default, a.Engine.Opened, a.Figures.Report = s.Opened.Ref.ID, s.Opened, s.Report
	base, other = a.Settings.Pair()
	if len(s.Report.Columns) == 0 || len(s.Report.Queries) == 0 {
		return nil, base, other, nil
	}
	values, best := s.Report.Columns[0].Values, 0
	for j := range s.Report.Queries {
		if values[other][j]-values[base][j] > values[other][best]-values[base][best] {
			best = j
		}
	}
	s.Example = s.Report.Queries[best].ID
	a.Settings.Spec.QueryID = s.Example
	if found, err = find(a.Settings.Full()); err != nil {
		return nil, 0, 0, err
	}
	for i := range found.Lists { // the page is the same whenever it is built, and the first program shows no stages
		found.Lists[i].Micros, found.Lists[i].Did = 0, nil
	}
	a.Search.Results = found
	s.Differ = home.Explain(a)
	return found, base, other, nil
}

// excerpt is what Home shows of two lists: their first documents, and of the very first the words that match.
func excerpt(found *experiment.Results, systems ...int) *experiment.Results {
	if found == nil {
		return nil
	}
	out := *found
	out.Lists = slices.Clone(found.Lists)
	for i := range out.Lists {
		l := &out.Lists[i]
		if !slices.Contains(systems, i) {
			l.Hits = nil
			continue
		}
		l.Hits = slices.Clone(l.Hits[:min(home.Rows, len(l.Hits))])
		for j := range l.Hits {
			h := &l.Hits[j]
			var words []experiment.Segment
			for _, g := range h.Snippet {
				if g.Mark && j == 0 {
					words = append(words, g)
				}
			}
			h.Snippet, h.Entities, h.Twins = words, nil, nil
		}
	}
	return &out
}

// Finished renders what the systems on show find for the judged queries of a collection, by the query's id: the lists
// that answer until the program is there. find searches for a query as the page does. Queries whose id is no plain file
// name are left out.
func Finished(opened *message.Opened, find func(spec experiment.Spec) (*experiment.Results, error)) (map[string]string,
	error) {
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
		a.Settings.Default, a.Engine.Opened = opened.Ref.ID, opened
		a.Settings.Spec.QueryID = q.ID
		if a.Search.Results, err = find(a.Settings.Full()); err != nil {
			return nil, err
		}
		list := &dom.Node{Tag: "div",
			Attrs: []dom.Attr{{Name: "id", Value: "finished"}, {Name: "class", Value: "search asked show-a"},
				{Name: "data-query", Value: q.Text}, {Name: "data-link", Value: ui.QueryLink(a, q.ID)},
				{Name: "data-systems", Value: strings.Join(a.Settings.Systems(), "\n")}}}
		pick(dom.Flatten(env.RunBuild(root)), list)
		var b strings.Builder
		dom.HTML(&b, list)
		out[q.ID] = b.String()
	}
	return out, nil
}

// pick appends what a finished list shows of a page: what is said of the query, the figures of the systems, and their
// rankings.
func pick(n, list *dom.Node) {
	class := attr(n, "class")
	if attr(n, "id") == "query-about" || class == "tabs" || strings.HasPrefix(class, "layout") {
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
		return a.Name == "id" || a.Name == "for" || a.Name == "title" || strings.HasPrefix(a.Name, "data-") ||
			strings.HasPrefix(a.Name, "aria-") && a.Name != "aria-label"
	})
	n.Kids = slices.DeleteFunc(n.Kids, func(k *dom.Node) bool {
		return strings.Contains(attr(k, "class"), "add") || attr(k, "id") == "tune"
	})
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
func (nothing) Swap(screens.Program)                         {}
func (nothing) Restart()                                     {}
func (nothing) Address(string, string, bool)                 {}
func (nothing) Copy(string, func(bool))                      {}
func (nothing) Origin() string                               { return "" }
func (nothing) After(int, func()) func()                     { return func() {} }
func (nothing) Remember(string, string)                      {}
func (nothing) Ask()                                         {}
func (nothing) Share() float64                               { return 1 }
func (nothing) Day(int64) string                             { return "" }
func (nothing) Recall(string) string                         { return "" }
func (nothing) Focus(string)                                 {}
func (nothing) Render()                                      {}
func (nothing) Save(string, string, []byte)                  {}
func (nothing) Picture(string, string, int, int, func(bool)) {}
func (nothing) Text(string, string) message.File             { return message.File{} }
