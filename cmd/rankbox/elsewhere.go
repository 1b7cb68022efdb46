package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

// elsewhere opens a collection that has queries, and judgments or not, but no documents: a folder in BEIR's layout
// without corpus.jsonl, or -queries without -corpus. The session is nil for any other.
//
// What the documents are is known once the backends were asked: ready gathers the ids.
func (o *opening) elsewhere(c *context, words []string) (*experiment.Session, []collection.Warning, error) {
	c.limits = o.limits.Limits
	var src bundle.Source
	var all *collection.Collection
	var warnings []collection.Warning
	var err error
	switch {
	case o.corpus == "" && o.queries != "":
		all, warnings, err = o.together(c)
		src.Name = filepath.Base(o.queries)
	case len(words) == 1 && withoutDocuments(words[0]):
		all, err = collection.ReadBEIRWith(os.DirFS(words[0]), o.split,
			collection.Options{Limits: c.limits, Elsewhere: true})
		src.Name = filepath.Base(words[0])
		if err == nil {
			warnings = all.Warnings
		}
	default:
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if o.vectors != "" {
		return nil, nil, fmt.Errorf("%s: the documents are elsewhere, so there can be no vectors of them here",
			src.Name)
	}
	o.distant = all
	s, err := o.named(src.Name, nil)
	return s, warnings, err
}

// withoutDocuments reports whether a folder has queries and qrels as BEIR has them, but no corpus.
func withoutDocuments(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return false
	}
	has := func(patterns ...string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			found, err := fs.Glob(os.DirFS(name), p)
			return err == nil && len(found) > 0
		})
	}
	return has("queries.jsonl", "queries.jsonl.gz") && has("qrels/*.tsv", "qrels/*.tsv.gz") &&
		!has("corpus.jsonl*", "*/corpus.jsonl*")
}

// named makes a session of the ids that judgments and found name.
func (o *opening) named(name string, found map[string]bool) (*experiment.Session, error) {
	all := *o.distant
	ids := map[string]bool{}
	for id := range found {
		ids[id] = true
	}
	for _, q := range all.Qrels.Queries() {
		all.Qrels.Each(q, func(doc string, _ int) { ids[doc] = true })
	}
	all.Docs = make([]collection.Doc, 0, len(ids))
	for id := range ids {
		all.Docs = append(all.Docs, collection.Doc{ID: id})
	}
	if len(all.Docs) == 0 { // nothing was asked yet, or nothing was found
		all.Docs = []collection.Doc{{ID: "none"}}
	}
	slices.SortFunc(all.Docs, func(a, b collection.Doc) int { return strings.Compare(a.ID, b.ID) })
	s, err := indexed(bundle.Source{ID: "collection", Name: name, Collection: &all, Shard: 1 << 16})
	if err == nil {
		s.SetOutside(&remote.Outside{})
	}
	return s, err
}

// ready makes a session ready for pipelines: it checks that backends are those of the saved answers. If the documents
// are
// elsewhere, it asks every search backend every query, and returns a session over the ids that were named.
func (o *opening) ready(c *context, s *experiment.Session, nodes ...*pipeline.Node) (*experiment.Session, error) {
	if o.distant != nil {
		for _, n := range nodes {
			if why := stage.NeedsDocuments(n); why != "" {
				return nil, fmt.Errorf("%s: %s", n, why)
			}
		}
	}
	if err := o.same(s, nodes...); err != nil || o.distant == nil {
		return s, err
	}
	edge := s.Parts().(stage.Edged).Edge()
	if edge == nil && len(stage.Searches(nodes...)) > 0 {
		return nil, errors.New("the documents are behind search backends: name the edge (-edge URL), or saved " +
			"answers (-answers FILE)")
	}
	g := &gathering{edge: edge, queries: s, found: map[string]bool{}, of: map[string]*source{}}
	x := &remote.Outside{Edge: edge, Foreign: map[string]string{}}
	for _, a := range stage.Searches(nodes...) {
		if !slices.Contains(x.Sources, a.Backend) {
			x.Sources = append(x.Sources, a.Backend)
		}
	}
	for _, n := range nodes {
		if why := x.Refusal(); stage.ReadsTexts(n) && why != "" {
			return nil, fmt.Errorf("%s: the reranker needs texts, but %s", n, why)
		}
	}
	if err := g.ask(c, stage.Searches(nodes...)); err != nil {
		return nil, err
	}
	if err := o.stored.ids(c, g.found); err != nil {
		return nil, err
	}
	g.judge(c, o.distant, x)
	out, err := o.named(s.Ref().Name, g.found)
	if err != nil {
		return nil, err
	}
	out.SetEdge(edge)
	out.SetOutside(x)
	return out, o.stored.give(c, out)
}

// planned is ready for a plan, which is made again for the ids that are known then.
func (o *opening) planned(c *context, s *experiment.Session, spec matrix.Spec, p *matrix.Plan) (*experiment.Session,
	*matrix.Plan, error) {
	s, err := o.ready(c, s, p.Nodes()...)
	if err != nil || o.distant == nil {
		return s, p, err
	}
	p, err = matrix.NewPlan(spec, s.Ref())
	return s, p, err
}

// gathering asks search backends for the ids of documents.
type gathering struct {
	edge    *remote.Edge
	queries *experiment.Session

	mu    sync.Mutex
	found map[string]bool
	of    map[string]*source // by backend
}

// source is what one backend returned.
type source struct {
	answers int // that name a document
	ids     map[string]bool
	first   string
}

// ask asks each backend each query. What fails is asked again by the stage, which says why.
func (g *gathering) ask(c *context, searches []stage.Asking) error {
	asking := make(chan func())
	var wait sync.WaitGroup
	for range remote.InFlight {
		wait.Go(func() {
			for f := range asking {
				f()
			}
		})
	}
	var stopped error
	for _, a := range searches {
		for _, q := range asked(g.queries) {
			if c.stopped() {
				stopped = errStopped
				break
			}
			asking <- func() {
				if found, _, err := g.edge.Search(a.Backend, q.Text, a.Mode, a.Depth); err == nil {
					g.take(a.Backend, found)
				}
			}
		}
	}
	close(asking)
	wait.Wait()
	return stopped
}

func (g *gathering) take(backend string, found []remote.Found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.of[backend]
	if s == nil {
		s = &source{ids: map[string]bool{}}
		g.of[backend] = s
	}
	for i, f := range found {
		if i == 0 {
			s.answers++
			if s.first == "" || f.ID < s.first {
				s.first = f.ID
			}
		}
		s.ids[f.ID], g.found[f.ID] = true, true
	}
}

// judge holds the ids that were found against those that are judged. A backend that found no judged document has
// another
// collection, or other ids. Judged documents that no backend found are counted and named.
func (g *gathering) judge(c *context, of *collection.Collection, x *remote.Outside) {
	judged, missing := map[string]bool{}, []string{}
	for _, q := range of.Qrels.Queries() {
		of.Qrels.Each(q, func(doc string, _ int) {
			if !judged[doc] && !g.found[doc] {
				missing = append(missing, doc)
			}
			judged[doc] = true
		})
	}
	if len(judged) == 0 {
		return
	}
	for backend, s := range g.of {
		known := 0
		for id := range s.ids {
			if judged[id] {
				known++
			}
		}
		if known == 0 && s.answers > 0 {
			slices.Sort(missing)
			x.Foreign[backend] = "none of the " + say.Count(len(s.ids), "document", "documents") +
				" that the backend " + backend +
				" found is among the " + say.Thousands(len(judged)) + " judged ones. It found ids like " +
				say.Visible(s.first) +
				", judged are ids like " + say.Visible(missing[0]) +
				". Check that its index holds this collection under the same ids"
		}
	}
	if len(missing) > 0 && len(g.of) > 0 {
		slices.Sort(missing)
		shown := missing[:min(3, len(missing))]
		for i := range shown {
			shown[i] = say.Visible(shown[i])
		}
		fmt.Fprintf(c.err, "rankbox: %s of %s judged documents were found by no backend, such as %s\n",
			say.Thousands(len(missing)),
			say.Thousands(len(judged)), strings.Join(shown, ", "))
	}
}
