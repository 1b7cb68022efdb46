package export

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

func TestFurtherTestsAreInEveryExport(t *testing.T) {
	r, err := compare.Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ap, err := r.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		if f.Name == "trec" || f.Name == "jsonl" { // have no tests
			continue
		}
		var b strings.Builder
		if err := Write(&b, r, f.Name, Detail{Tests: []*report.Tests{ap, ap, nil}}); err != nil {
			t.Fatal(err)
		}
		if f.Name == "latex" {
			if s := b.String(); strings.Count(s, `\label{tab:rankbox-pairs`) != 2 ||
				!strings.Contains(s, `\label{tab:rankbox-pairs-2}`) ||
				!strings.Contains(s, "Differences in AP by pair") || !strings.Contains(s, "% Test of AP: ") {
				t.Errorf("AP is not in\n%s", s)
			}
			continue
		}
		golden(t, "tested."+f.Name, b.String())
	}
}

// Every format says which test counts and how its p were corrected, under the names that the columns have.
func TestFormatsSayTheProtocol(t *testing.T) {
	in := random(t, rand.New(rand.NewSource(8)), 4, 40, 12)
	in.Measures = []string{"nDCG@10", "AP"}
	for _, x := range []struct{ text, name, after, column string }{
		{"test=wilcoxon correction=fdr_by zeros=pratt continuity=on", "Wilcoxon signed-rank test",
			" after Benjamini–Yekutieli over 6 pairs", "p_fdr_by"},
		{"test=sign correction=simes-hochberg", "sign test", " after Hochberg over 6 pairs", "p_simes-hochberg"},
		{"test=t correction=none", "paired t test", " without correction for 6 pairs", "p_none"},
	} {
		var err error
		if in.Policy, in.Protocol, err = compare.ReadPolicy(x.text); err != nil {
			t.Fatal(err)
		}
		r, err := compare.Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for format, want := range map[string]string{"csv": x.column, "json": x.column, "text": x.after, "md": x.after,
			"latex": x.name} {
			var b strings.Builder
			if err := Write(&b, r, format, Detail{}); err != nil || !strings.Contains(b.String(), want) {
				t.Errorf("%s: %s lacks %q (%v)", x.text, format, want, err)
			}
		}
	}
}

// What other tools would say of a query, or of all of them, stands in lines with the reasons.
func TestSaidIsWritten(t *testing.T) {
	qrels := collection.NewQrels()
	for _, j := range []struct {
		query, doc string
		grade      int
	}{{"1", "a", 2}, {"1", "b", 0}, {"1", "c", 1}, {"2", "a", 1}, {"2", "2", 1}, {"3", "c", 1}} {
		qrels.Add(j.query, j.doc, float64(j.grade))
	}
	b := collection.NewRunBuilder("r")
	for _, e := range []struct {
		query, doc string
		score      float64
	}{{"1", "x", 2}, {"1", "a", 2}, {"1", "c", 2}, {"2", "2", 3}, {"2", "a", 1}} {
		// query 1 all ties, query 2 a document of its own id, query 3 missing
		if err := b.Add(e.query, e.doc, e.score); err != nil {
			t.Fatal(err)
		}
	}
	run, _ := b.Run()
	c, err := compare.Open(compare.Input{Qrels: qrels, Runs: []compare.Named{{Name: "r", Run: run}},
		Measures: []string{"nDCG@10", "RR@10", "AP"}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := WriteSaid(&out, c, "AP", "3"); err != nil || !strings.Contains(out.String(), "3      A    pytrec_eval") ||
		!strings.Contains(out.String(), "left out  pytrec_eval omits queries that the run lacks") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	if err := WriteSaid(&out, c, "AP", ""); err != nil || !strings.Contains(out.String(), "\n1  ") ||
		!strings.Contains(out.String(), "\n3  ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
