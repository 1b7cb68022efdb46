package main

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/measure"
)

// twenty are systems that rank SciFact differently: by words, by three models' vectors, by both.
var twenty = []string{"bm25", "bm25(k1=0.6)", "bm25(b=0.3)", "bm25(title=3)", "bm25 >> rm3", "bm25(k1=3, b=0.9)", "ql",
	"ql(mu=500)",
	"dense(model=all-MiniLM-L6-v2)", "dense(model=bge-small-en-v1.5)", "dense(model=e5-small-v2)", "rrf(bm25, dense)",
	"rrf(bm25, dense(model=bge))", "rrf(bm25, dense(model=e5), k=10)", "rrf(ql, dense(model=bge))",
	"rrf(bm25, dense(model=bge), k=5)",
	"rrf(dense, dense(model=bge))", "rrf(bm25, dense, dense(model=e5))", "bm25(k1=2)",
	"rrf(bm25 >> rm3, dense(model=bge))"}

// linked makes the link of an experiment and holds its length and its figures against what they should be.
func linked(t *testing.T, from opening, collection string, systems []string, depth, most int) {
	t.Helper()
	c := &context{out: io.Discard, err: io.Discard}
	s, _, err := from.session(c, []string{collection})
	if err != nil {
		t.Fatal(err)
	}
	p, err := matrix.NewPlan(matrix.Spec{Systems: systems, Depth: depth, Measures: measure.Defaults()}, s.Ref())
	if err != nil || len(p.Runs) != len(systems) {
		t.Fatal(len(p.Runs), err)
	}
	x, err := matrix.Open(p, s, &matrix.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(matrix.Options{Hands: 2}); err != nil {
		t.Fatal(err)
	}
	out, err := x.Outcome(matrix.Provenance{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	different := map[string]bool{}
	for i := range out.Report.Systems {
		text, _ := json.Marshal(out.Report.Columns[0].Values[i])
		different[string(text)] = true
	}
	if len(different) != len(systems) {
		t.Errorf("only %d of %d systems rank differently", len(different), len(systems))
	}
	link, save, err := packed.Link(*out.Input, out.Report, nil)
	if err != nil || !save.Documents {
		t.Fatalf("%+v, %v", save, err)
	}
	t.Logf("%d runs, %d queries, depth %d: %d characters", len(systems), len(out.Report.Queries), depth, len(link))
	if len(link) > most {
		t.Errorf("the link has %d characters, more than %d", len(link), most)
	}
	f, err := packed.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compare.Compare(f.Input, nil, nil)
	if err != nil || r.Hash != out.Report.Hash || f.Hash != r.Hash {
		t.Fatalf("the link has figures %s, the experiment %s (%v)", r.Hash, out.Report.Hash, err)
	}
	if d := out.Report.Differences(r); len(d) > 0 {
		for _, x := range d {
			// bounds need documents
			if !strings.Contains(x.What, " of ties of ") && !strings.Contains(x.What, " once judged of ") {
				t.Errorf("%+v", x)
			}
		}
	}
	code, v, errs := verifies(t, "https://example.org/evaluate#"+link)
	if code != 0 || v.Checked[0].Verdict != "holds" {
		t.Errorf("verify: %d %s %+v", code, errs, v)
	}
}

// The bounds: 20 runs × 300 queries in 8,192 characters, whatever of 1,000 documents was ranked.
func TestTwentySystemsOnSciFactFitALink(t *testing.T) {
	root := os.Getenv("RANKBOX_SHARED")
	data, vectors := filepath.Join(root, "data/scifact"), filepath.Join(root, "embeddings/scifact")
	if root == "" || !exists(data) || !exists(vectors) {
		t.Skip("reference data absent: RANKBOX_SHARED names no folder with data/scifact and embeddings/scifact")
	}
	if testing.Short() {
		t.Skip("it ranks 300 queries with 20 systems")
	}
	linked(t, opening{vectors: vectors}, data, twenty, 1000, packed.MaxLink)
}

// The demo's two systems at top 50 had 8,986 characters with ids, more than fit. Five systems are those that a new
// experiment starts with.
func TestTheDemosExperimentsFitALinkEasily(t *testing.T) {
	for _, depth := range []int{50, 100} {
		t.Run(strconv.Itoa(depth), func(t *testing.T) {
			linked(t, opening{}, wire, []string{"bm25", "ql"}, depth, 3000)
			five := []string{"bm25", "bm25 >> rm3", "ql", "bm25(k1=0.6)", "rrf(bm25, ql)"}
			linked(t, opening{}, wire, five, depth, 5000)
		})
	}
}

// A comparison by grades opens on the command line: its figures and tests are printed. What needs documents says so.
func TestCompareOpensGrades(t *testing.T) {
	x := store(t)
	_, fragment, _ := strings.Cut(x.link, packed.LinkPrefix)
	fragment, _, _ = strings.Cut(fragment, "&")
	b, err := base64.RawURLEncoding.DecodeString(fragment)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "graded.rankbox")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	modes := map[string][]string{"grades by rank": nil, "paired": {"statistics"}, "not documents": {"analyse"}}
	for want, mode := range modes {
		code, out, errs := call("", slices.Concat([]string{"compare"}, mode, []string{name})...)
		if code != 0 || !strings.Contains(out, want) {
			t.Errorf("%q: %d %s %s, want %q", mode, code, out, errs, want)
		}
	}
	for _, mode := range []string{"residuals", "conventions", "unjudged"} {
		code, _, errs := call("", "compare", mode, name)
		if code != 3 || !strings.Contains(errs, "grades by rank, not documents") {
			t.Errorf("%s: %d %s", mode, code, errs)
		}
	}
}
