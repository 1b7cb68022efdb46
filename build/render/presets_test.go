package main

import (
	"html"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	corebundle "github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Harbour Wire as it lies in the repository. The figures are those of rankbox search and rankbox eval, nDCG@10.
func TestPresetsAreShownWithTheFiguresThatTheyGet(t *testing.T) {
	src := harbourWire(t)
	got, err := presetsOf(sessionOf(t, src))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"44 judged queries",
		"cross leads with nDCG@10 0.686; no more than the 0.713 of rrf(bm25, dense)",
		">hybrid</a></th><td class=\"num\">0.686</td>", `<td class="num">0.637</td>`, `<td class="num">0.672</td>`,
		">baselines</a>", "a message tells how to create them"} {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not in\n%s", w, got)
		}
	}
	opened := map[string]bool{}
	for _, l := range regexp.MustCompile(`href="/search#([^"]*)"`).FindAllStringSubmatch(got, -1) {
		a, err := share.Decode(html.UnescapeString(l[1]))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range a.Spec.Systems {
			opened[s] = true
		}
	}
	for _, p := range stage.Presets {
		for _, s := range p.Systems {
			if !opened[s] {
				t.Errorf("no link opens %s", s)
			}
		}
	}
	// A collection without vectors: hybrid has no figure, and none is made up.
	src.Collection.Docs = src.Collection.Docs[:20]
	if got, err = presetsOf(
		sessionOf(t, corebundle.Source{ID: "words", Name: "Words", Collection: src.Collection})); err != nil ||
		!strings.Contains(got, `<td class="num">–</td>`) || !strings.Contains(got, "of bm25") {
		t.Errorf("without vectors: %v\n%s", err, got)
	}
}

// harbourWire is the collection as it lies in the repository.
func harbourWire(t *testing.T) corebundle.Source {
	t.Helper()
	dir := os.DirFS("../../site/collections/harbour-wire")
	c, err := collection.ReadBEIR(dir, "", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := corebundle.ReadVectors(dir, "vectors", nil)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := corebundle.ReadRuns(dir, "runs")
	if err != nil {
		t.Fatal(err)
	}
	return corebundle.Source{ID: "harbour-wire", Name: "Harbour Wire", Collection: c, Vectors: m.Vectors,
		Tokens: m.Tokens, Weights: m.Weights, Runs: runs}
}

// sessionOf opens a collection.
func sessionOf(t *testing.T, src corebundle.Source) *experiment.Session {
	t.Helper()
	files := map[string][]byte{}
	manifest, err := corebundle.Build(src, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f corebundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := corebundle.Open(manifest, fetch)
	if err != nil {
		t.Fatal(err)
	}
	return experiment.NewSession(b, fetch)
}

// The judged queries of Harbour Wire as somebody types them: their tokens have the averages of their vectors in the
// documents. docs/vectors.md has these figures.
func TestWhatAveragesAreWorthForTypedQueries(t *testing.T) {
	src := harbourWire(t)
	s := sessionOf(t, src)
	m, err := measure.Parse("nDCG@10")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		system        string
		judged, typed float64
	}{
		{"late", .7288, .6657},
		{"bm25(variant=bm25+)", .6307, .6307},
		{"rrf(bm25(variant=bm25+), late)", .7124, .6694},
		{stage.PresetNamed("hybrid").Systems[0], .6861, .6318},
	} {
		n, err := stage.Parse(c.system)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Rankers.Of(n)
		if err != nil {
			t.Fatal(err)
		}
		var judged, typed float64
		var topic measure.Topic
		for i, q := range src.Collection.Queries {
			for _, asked := range []struct {
				rank.Query
				to *float64
			}{{rank.Query{ID: q.ID, Text: q.Text}, &judged}, {rank.Query{Text: q.Text}, &typed}} {
				hits, err := r.Rank(asked.Query, 100, nil, nil)
				if err != nil {
					t.Fatalf("%s: %s: %v", c.system, q.Text, err)
				}
				s.Queries.Topic(&topic, i, hits)
				*asked.to += m.Score(&topic) / float64(len(src.Collection.Queries))
			}
		}
		if math.Abs(judged-c.judged) > 5e-5 || math.Abs(typed-c.typed) > 5e-5 {
			t.Errorf("%s: nDCG@10 %.4f judged, %.4f typed; want %v and %v", c.system, judged, typed, c.judged, c.typed)
		}
	}
}
