package matrix

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// wide has 260 documents of which nearly every one matches every query, so that rankings are longer than 100 and 200.
func wide(t *testing.T) *experiment.Session {
	t.Helper()
	r := rand.New(rand.NewSource(3))
	words := []string{"harbour", "strike", "ferry", "crane", "storm"}
	c := &collection.Collection{Qrels: collection.NewQrels()}
	for d := range 260 {
		text := []string{"harbour", "ferry"}
		for range 3 + r.Intn(30) {
			text = append(text, words[r.Intn(len(words))])
		}
		doc := collection.Doc{ID: fmt.Sprintf("d%03d", d), Title: words[d%5], Text: strings.Join(text, " ")}
		c.Docs = append(c.Docs, doc)
	}
	for q := range 6 {
		id := fmt.Sprintf("q%d", q)
		c.Queries = append(c.Queries, collection.Query{ID: id, Text: "harbour ferry " + words[q%5]})
		for range 40 {
			c.Qrels.Add(id, fmt.Sprintf("d%03d", r.Intn(260)), float64(r.Intn(4)))
		}
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "wide", Name: "Wide", Collection: c},
		func(name string, data []byte) error {
			files[name] = data
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	return experiment.NewSession(b, fetch)
}

// Every way to a figure gives the same bits: the report of Home, Search, a slider's curve, an experiment, and the
// comparison of the exported runs. The expected values are of measure.Score on rankings of all documents.
func TestEveryEntryPointGivesTheSameFigure(t *testing.T) {
	s := wide(t)
	systems := []string{"bm25", "rrf(bm25, ql)", "bm25(k1=1.2) >> rm3"}
	deep := rankings(t, s, systems)
	for _, notation := range notations() {
		m, err := measure.Parse(notation)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]float64, len(systems))
		for i := range systems {
			for q, hits := range deep[i] {
				var topic measure.Topic
				s.Queries.Topic(&topic, q, hits)
				want[i] = append(want[i], m.Score(&topic))
			}
		}
		spec := experiment.Spec{Systems: systems, Measures: []string{notation}}
		home, err := s.Evaluate(spec, nil)
		if err != nil {
			t.Fatalf("%s: %v", notation, err)
		}
		same(t, notation+" on Home", home.Columns[0].Values, want)
		bySearch(t, s, spec, want)
		curve, err := s.Curve(spec, "bm25", "k1", nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := curve.Value(curve.Line(0), 0.9); ok && !equalBits(v, measure.Mean(want[0])) {
			t.Errorf("%s on the curve: %v, want %v", notation, v, measure.Mean(want[0]))
		}
		imported := exported(t, s, systems, deep, notation)
		for _, v := range imported.Columns[0].Values {
			slices.Reverse(v)
		}
		same(t, notation+" of the exported runs", imported.Columns[0].Values, want)
		ran := outcome(t, s, systems, notation)
		same(t, notation+" of the experiment", ran.Columns[0].Values, want)
		if home.Hash != imported.Hash || home.Hash != ran.Hash {
			t.Errorf("%s: hashes %s (Home), %s (imported), %s (experiment)", notation, home.Hash[:8],
				imported.Hash[:8],
				ran.Hash[:8])
		}
	}
}

// notations are every measure without a cutoff and with one of the cutoffs 1, 10, 100 and 200, in turn: with all of
// them with RANKBOX_LONG=1. In wasm it is a sample of the measures.
func notations() (out []string) {
	all := measure.All()
	taken := shared.Sample(len(all), len(all))
	for i := range taken {
		in := all[i*len(all)/taken]
		cutoffs := []string{"@1", "@10", "@100", "@200"}
		if !shared.Long() {
			cutoffs = cutoffs[i%len(cutoffs):][:1]
		}
		for _, cutoff := range append(cutoffs, "") {
			if m, err := measure.Parse(in.Name + cutoff); err == nil && m.String() == in.Name+cutoff {
				out = append(out, in.Name+cutoff)
			}
		}
	}
	return out
}

func rankings(t *testing.T, s *experiment.Session, systems []string) (out [][][]rank.Hit) {
	t.Helper()
	for _, text := range systems {
		r, err := s.Rankers.Of(stage.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		var lists [][]rank.Hit
		for _, q := range s.Bundle().Queries {
			hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, 10000, nil, nil)
			if err != nil || len(hits) <= 100 {
				t.Fatalf("%s, query %s: %d documents, %v", text, q.ID, len(hits), err)
			}
			lists = append(lists, hits)
		}
		out = append(out, lists)
	}
	return out
}

func bySearch(t *testing.T, s *experiment.Session, spec experiment.Spec, want [][]float64) {
	t.Helper()
	for q, query := range s.Bundle().Queries {
		spec.QueryID = query.ID
		found, err := s.Search(spec)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range found.Lists {
			if !equalBits(l.Scores[0], want[i][q]) {
				t.Errorf("%s on Search, system %d, query %s: %v, want %v", spec.Measures[0], i, query.ID, l.Scores[0],
					want[i][q])
			}
		}
	}
}

func exported(t *testing.T, s *experiment.Session, systems []string, lists [][][]rank.Hit,
	notation string) *report.Report {
	t.Helper()
	in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{notation}}
	judgments := s.Bundle().Judgments
	for i := range judgments { // in another order than the bundle's: no figure depends on it
		j := judgments[len(judgments)-1-i]
		in.Qrels.Add(s.Bundle().Queries[j.Query].ID, j.Doc, j.Grade)
	}
	for i, name := range systems {
		b := collection.NewRunBuilder("x")
		for q, hits := range lists[i] {
			for _, h := range hits {
				if err := b.Add(s.Bundle().Queries[q].ID, s.Bundle().Cards[h.Doc].ID, h.Score); err != nil {
					t.Fatal(err)
				}
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: "exported " + name, Run: run})
	}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", notation, err)
	}
	return r
}

func outcome(t *testing.T, s *experiment.Session, systems []string, notation string) *report.Report {
	t.Helper()
	p, err := NewPlan(Spec{Systems: systems, Measures: []string{notation}, Baseline: systems[0]}, s.Ref())
	if err != nil {
		t.Fatal(err)
	}
	x, err := Open(p, s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	o, err := x.Outcome(Provenance{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o.Report
}

func same(t *testing.T, what string, got, want [][]float64) {
	t.Helper()
	for i := range want {
		for q := range want[i] {
			if !equalBits(got[i][q], want[i][q]) {
				t.Errorf("%s, system %d, query %d: %v, want %v", what, i, q, got[i][q], want[i][q])
			}
		}
	}
}

func equalBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
