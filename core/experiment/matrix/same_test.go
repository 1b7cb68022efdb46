package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/same.txt again")

// Every bit of what comes out of these Specs, means, intervals, tests, choices, Shapley values and analyses, is that of
// the file, which was written natively on amd64: `go run ./build test` runs this natively and compiled for the browser.
// A change of any figure changes a line of it, and belongs under Scores in the changelog.
func TestOutcomesAreTheSameEverywhere(t *testing.T) {
	s := session(t)
	var got strings.Builder
	for _, spec := range []string{
		`{"systems":["bm25","ql","dense","rrf(bm25, dense)"],"measures":["nDCG@5","AP","RR"]}`,
		`{"systems":["bm25(k1=0.3..1.8/0.3, b=0|0.4|0.75)"],"measures":["nDCG@10"],"baseline":"bm25"}`,
		`{"systems":["bm25 >> rm3(docs=3)?","wsum(bm25, dense, weights=0.3|0.5)"],"measures":["AP","P@5"],` +
			`"policy":"test=randomisation"}`,
		`{"systems":["bm25"],"ablate":"rrf(bm25, dense, ql) >> mmr","measures":["nDCG@5"],"seed":7}`,
		`{"primary_k":5,"k_values_for_metrics":[3],"top_k_values":[20],"search_modes":["lexical","hybrid"],` +
			`"rrf_k_values":[10,60],"score_thresholds":[0,0.01]}`,
	} {
		x := finished(t, s, spec, 1)
		if err := x.Analyse(s, nil); err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		data, err := x.JSON()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		got.WriteString(hex.EncodeToString(sum[:]) + " " + x.Hash + " " + spec + "\n")
	}
	const name = "testdata/same.txt"
	if *update {
		if err := os.WriteFile(name, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, b := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	if len(a) != len(b) {
		t.Fatalf("%d Specs, %d in the file", len(a)-1, len(b)-1)
	}
	for i := range a {
		if a[i] != b[i] {
			t.Errorf("another outcome\n%s\n%s", a[i], b[i])
		}
	}
}
