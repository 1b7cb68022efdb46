package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
)

// Every number of every section is the same natively and as wasm, where the tests run too.
func TestSectionsAreTheSameEverywhere(t *testing.T) {
	in := comparetest.Random(t, rand.New(rand.NewSource(7)), 4, 60, 20)
	in.Diversity, in.Preferences, in.Measures = nil, nil, []string{"nDCG@10"}
	for i := range in.Runs {
		in.Runs[i].Name = []string{"bm25", "bm25 >> rm3", "bm25 >> mmr", "bm25 >> rm3 >> mmr"}[i]
	}
	c, err := compare.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	sections, err := Analyse(&Subject{Report: r, Opened: c, Style: say.Plain})
	if err != nil {
		t.Fatal(err)
	}
	claim, err := ReadClaim("bm25 nDCG@10 0.3")
	if err != nil {
		t.Fatal(err)
	}
	found, err := Detect(claim, in, say.Plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Reproduction(c, c, r, r)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(JSONOf(append(sections, found, again))))
	const want = "d322e6d68b1b898ffef5518877f9307f2a18d3b7ae86c9b53a1f6eccd36429d2"
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
