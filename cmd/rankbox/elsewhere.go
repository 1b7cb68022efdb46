package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
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

// named makes a session of the ids that judgments and found name. The ids are part of its hash, since the journals of
// experiments have their numbers.
func (o *opening) named(name string, found map[string]bool) (*experiment.Session, error) {
	all := *o.distant
	experiment.Unread(&all, found)
	s, err := indexed(bundle.Source{ID: "collection", Name: name, Collection: &all, Shard: 1 << 16})
	if err == nil {
		s.SetOutside(&remote.Outside{})
	}
	return s, err
}

// unread opens the session of a bundle or of a workspace that the page made without documents as elsewhere does.
func (o *opening) unread(s *experiment.Session, err error) (*experiment.Session, error) {
	if err != nil || s.Bundle().Manifest.Elsewhere == nil {
		return s, err
	}
	o.distant = &collection.Collection{Queries: s.Bundle().Queries, Qrels: s.Queries.Qrels()}
	return o.named(s.Ref().Name, nil)
}

// ready makes a session ready for pipelines: it checks that backends are those of the saved answers. If the documents
// are elsewhere, it asks every search backend every query, and returns a session over the ids that were named.
func (o *opening) ready(c *context, s *experiment.Session, nodes ...*pipeline.Node) (*experiment.Session, error) {
	o.watched(c, s)
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
	g := experiment.NewGathering(edge)
	x := &remote.Outside{Edge: edge}
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
	var texts []string
	for _, q := range asked(s) {
		texts = append(texts, q.Text)
	}
	_, _, err := g.Ask(stage.Searches(nodes...), texts, c.stopped)
	if c.stopped() {
		return nil, errStopped
	}
	if err != nil {
		if _, ok := errors.AsType[*remote.Changed](err); ok {
			return nil, failedError{fmt.Errorf("%w. Run again to ask it as it is now", err)}
		}
		return nil, err
	}
	if err := o.stored.ids(c, g.Found); err != nil {
		return nil, err
	}
	x.Foreign = g.Foreign(o.distant.Qrels)
	if said := g.SayMissing(o.distant.Qrels); said != "" {
		fmt.Fprintln(c.err, "rankbox: "+said)
	}
	out, err := o.named(s.Ref().Name, g.Found)
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
	p, err = matrix.NewPlan(spec, s.Ref(), s.Parts())
	return s, p, err
}
