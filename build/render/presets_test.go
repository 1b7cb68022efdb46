package main

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	corebundle "github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
)

// Harbour Wire as it lies in the repository. The figures are those of rankbox search and rankbox eval, nDCG@10.
func TestPresetsAreShownWithTheFiguresThatTheyGet(t *testing.T) {
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
	open := func(src corebundle.Source) *experiment.Session {
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
	got, err := presetsOf(open(corebundle.Source{ID: "harbour-wire", Name: "Harbour Wire", Collection: c, Vectors: m.Vectors, Tokens: m.Tokens, Weights: m.Weights, Runs: runs}))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"44 judged queries", "cross leads with nDCG@10 0.686; no more than the 0.713 of rrf(bm25, dense)", ">hybrid</a></th><td class=\"num\">0.686</td>", `<td class="num">0.637</td>`, `<td class="num">0.672</td>`, ">baselines</a>", "say how to make them"} {
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
	c.Docs = c.Docs[:20]
	if got, err = presetsOf(open(corebundle.Source{ID: "words", Name: "Words", Collection: c})); err != nil || !strings.Contains(got, `<td class="num">–</td>`) || !strings.Contains(got, "of bm25") {
		t.Errorf("without vectors: %v\n%s", err, got)
	}
}
