// Package comparetest has the comparisons that several packages' tests are made of: one that can be checked by hand,
// and random ones. Only tests import it.
package comparetest

import (
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Fixture reads core/evaluate/compare/testdata: four queries that can be checked by hand.
func Fixture(t testing.TB, measures ...string) compare.Input {
	t.Helper()
	judgments, err := collection.Read("qrels.txt", open(t, "qrels.txt"), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	qrels := judgments.Qrels
	in := compare.Input{Name: "Fixture", Qrels: qrels, Measures: measures}
	if measures == nil {
		in.Measures = []string{"nDCG@10", "AP", "RR", "P@2", "Judged@10"}
	}
	for _, name := range []string{"alpha", "beta", "gamma"} {
		run, _, err := collection.ReadRun(open(t, name+".run"), name+".run", collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, compare.Named{Name: name, Run: run})
	}
	return in
}

func open(t testing.TB, name string) *strings.Reader {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil &&
		dir != filepath.Dir(dir); _, err = os.Stat(filepath.Join(dir, "go.mod")) {
		dir = filepath.Dir(dir)
	}
	b, err := os.ReadFile(filepath.Join(dir, "core/evaluate/compare/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReader(string(b))
}

// Random makes an Input of runs with ties, unjudged documents, negative grades and missing queries.
func Random(t testing.TB, rnd *rand.Rand, runs, queries, depth int) compare.Input {
	t.Helper()
	in := compare.Input{Name: "random", Qrels: collection.NewQrels(), Diversity: collection.NewDiversity(),
		Preferences: collection.NewPreferences()}
	doc := func() string { return "d" + strconv.Itoa(rnd.Intn(2*depth)) }
	for q := range queries {
		id := "q" + strconv.Itoa(q)
		in.Qrels.Touch(id)
		for range rnd.Intn(depth) {
			d, g := doc(), float64(rnd.Intn(5)-1)
			in.Qrels.Add(id, d, g)
			in.Diversity.Add(id, strconv.Itoa(rnd.Intn(3)), d, max(g, 0))
		}
		Prefer(t, &in, id)
		in.Queries = append(in.Queries, collection.Query{ID: id, Type: []string{"short", "long"}[q%2]})
	}
	for s := range runs {
		b := collection.NewRunBuilder("tag" + strconv.Itoa(s))
		for q := range queries {
			if rnd.Intn(8) == 0 {
				continue
			}
			seen := map[string]bool{}
			for range rnd.Intn(depth + 1) {
				if d := doc(); !seen[d] {
					seen[d] = true
					b.Add("q"+strconv.Itoa(q), d, float64(rnd.Intn(3*depth))/7)
				}
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: "run" + strconv.Itoa(s), Run: run})
	}
	if in.Qrels.Len() == 0 {
		in.Qrels.Add("q0", "d0", 1)
	}
	return in
}

// Prefer adds preferences about the judged documents of a query: of two users, the second with two subgroups.
func Prefer(t testing.TB, in *compare.Input, query string) {
	in.Qrels.Each(query, func(doc string, grade float64) {
		n := int(doc[len(doc)-1])
		for _, j := range []struct {
			group, sub string
			level      float64
			some       bool
		}{{"u1", "0", max(grade, 0), true}, {"u2", "a", float64(n % 4), n%3 != 0},
			{"u2", "b", float64(n % 4), n%3 != 1}} {
			if !j.some {
				continue
			}
			if err := in.Preferences.Add(query, j.group, j.sub, doc, j.level); err != nil {
				t.Fatal(err)
			}
		}
	})
}
