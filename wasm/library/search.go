//go:build js && search

package main

import (
	"bytes"
	"errors"
	"fmt"
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/kernel"
)

// functions are what index.js calls. A file is an array of its name and its bytes.
var functions = map[string]func(args []js.Value) (any, error){
	"index":   index,
	"run":     run,
	"search":  search,
	"explain": explain,
	"close":   closeIndex,
}

func prepare() { kernel.Install() }

// sessions are the open collections by the number that index returned.
var sessions = map[int]*experiment.Session{}

var last int

// index(corpus, queries, qrels, analyzer) indexes documents: {number, documents, queries, hash, warnings}. queries
// and qrels may be null; of queries those are kept that are judged, where there are judgments, as `rankbox search
// -corpus` has it.
func index(args []js.Value) (any, error) {
	var warnings []collection.Warning
	read := func(v js.Value, prefer collection.Format) (*collection.Content, error) {
		c, err := collection.Read(nameOf(v), bytes.NewReader(bytesOf(v)), collection.Options{Prefer: prefer})
		if err == nil {
			warnings = append(warnings, c.Warnings...)
		}
		return c, err
	}
	got, err := read(args[0], collection.CorpusJSONL)
	if err != nil {
		return nil, err
	}
	all := &collection.Collection{Docs: got.Docs, Qrels: collection.NewQrels()}
	if len(all.Docs) == 0 {
		return nil, fmt.Errorf("%s holds no documents: it reads as %s", nameOf(args[0]), got.Format)
	}
	judged := args[2].Truthy()
	if judged {
		q, err := read(args[2], collection.QrelsTREC)
		if err != nil {
			return nil, err
		}
		if q.Qrels == nil {
			return nil, fmt.Errorf("%s holds no judgments: it reads as %s", nameOf(args[2]), q.Format)
		}
		all.Qrels = q.Qrels
	}
	if args[1].Truthy() {
		q, err := read(args[1], collection.Unknown)
		if err != nil {
			return nil, err
		}
		if len(q.Queries) == 0 {
			return nil, fmt.Errorf("%s holds no queries: it reads as %s", nameOf(args[1]), q.Format)
		}
		for _, x := range q.Queries {
			if !judged || all.Qrels.Has(x.ID) {
				all.Queries = append(all.Queries, x)
			}
		}
	}
	files := map[string][]byte{}
	source := bundle.Source{ID: "collection", Name: nameOf(args[0]), Collection: all, Analyzer: args[3].String()}
	m, err := bundle.Build(source, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		return nil, err
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	last++
	sessions[last] = experiment.NewSession(b, fetch)
	return record("number", last, "documents", len(all.Docs), "queries", len(all.Queries), "hash", m.Hash,
		"warnings", told(warnings)), nil
}

func session(v js.Value) (*experiment.Session, error) {
	s := sessions[v.Int()]
	if s == nil {
		return nil, errors.New("the index is closed")
	}
	return s, nil
}

func closeIndex(args []js.Value) (any, error) {
	delete(sessions, args[0].Int())
	return nil, nil
}

// queryOf is a query of the collection by its id, or a text.
func queryOf(s *experiment.Session, text string) rank.Query {
	for _, q := range s.Queries.Described() {
		if q.ID == text {
			return rank.Query{ID: q.ID, Text: q.Text}
		}
	}
	return rank.Query{Text: text}
}

// hits ranks for one query.
func hits(s *experiment.Session, q rank.Query, system string, k int) ([]rank.Hit, error) {
	n, err := stage.Parse(system)
	if err != nil {
		return nil, err
	}
	if k < 1 {
		return nil, fmt.Errorf("k is %d: want at least 1", k)
	}
	r, err := s.Rankers.Of(n)
	if err != nil {
		return nil, err
	}
	return r.Rank(q, k, s.FilterFor(q.ID, nil), nil)
}

// search(number, query, system, k) ranks for one query: [{rank, id, title, score}].
func search(args []js.Value) (any, error) {
	s, err := session(args[0])
	if err != nil {
		return nil, err
	}
	found, err := hits(s, queryOf(s, args[1].String()), args[2].String(), args[3].Int())
	if err != nil {
		return nil, err
	}
	out := make([]any, len(found))
	for i, h := range found {
		card := s.Bundle().Cards[h.Doc]
		out[i] = record("rank", i+1, "id", card.ID, "title", card.Title, "score", h.Score)
	}
	return out, nil
}

// run(number, system, k) ranks for the judged queries, or for all where none is: {q1: {d7: score}}, best first.
func run(args []js.Value) (any, error) {
	s, err := session(args[0])
	if err != nil {
		return nil, err
	}
	judged := s.Queries.JudgedIDs()
	out := object()
	for _, q := range s.Queries.Described() {
		if len(judged) > 0 && !judged[q.ID] {
			continue
		}
		found, err := hits(s, rank.Query{ID: q.ID, Text: q.Text}, args[1].String(), args[2].Int())
		if err != nil {
			return nil, say.Faultf("rankbox", "query %s: %w", q.ID, err)
		}
		list := object()
		for _, h := range found {
			list.Set(s.Bundle().Cards[h.Doc].ID, h.Score)
		}
		out.Set(q.ID, list)
	}
	return out, nil
}

// explain(number, query, document, system) takes a score apart: {name, score, values, note, parts}, as `rankbox
// explain -o json`.
func explain(args []js.Value) (any, error) {
	s, err := session(args[0])
	if err != nil {
		return nil, err
	}
	n, err := stage.Parse(args[3].String())
	if err != nil {
		return nil, err
	}
	q := queryOf(s, args[1].String())
	spec := experiment.Spec{Systems: []string{n.String()}, QueryID: q.ID}
	if q.ID == "" {
		spec.Query = q.Text
	}
	why, err := s.Explain(spec, experiment.Focus{Document: args[2].String()})
	if err != nil {
		return nil, err
	}
	if why.Problem != "" {
		return nil, errors.New(why.Problem)
	}
	return part(&why.Part), nil
}

func part(p *rank.Part) js.Value {
	values := object()
	for _, v := range p.Values {
		values.Set(v.Name, v.Value)
	}
	out := record("name", p.Name, "score", p.Score, "values", values)
	if p.Note != "" {
		out.Set("note", p.Note)
	}
	if len(p.Parts) > 0 {
		parts := make([]any, len(p.Parts))
		for i := range p.Parts {
			parts[i] = part(&p.Parts[i])
		}
		out.Set("parts", parts)
	}
	return out
}
