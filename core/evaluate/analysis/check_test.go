package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
)

// By hand: three relevant documents, of which the list a, x has one. nDCG@10 is 1/(1 + 1/log2(3) + 1/2) = .4693; over
// the documents of the list alone, as scikit-learn has it, 1; over an ideal of two documents 1/(1 + 1/log2(3)) = .6131.
// P@5 is 1/5, over the documents retrieved 1/2.
func TestCheckNamesTheToolThatPrintsANumber(t *testing.T) {
	for _, x := range []struct{ name, judged, run, claim, headline, why, answer string }{
		{"as here", "1 a b c", "1 a x", "nDCG@10 0.469",
			"0.469 is what Rankbox, trec_eval, trec_eval 9, pytrec_eval and", "", ""},
		{"one tool", "1 a b c", "1 a x", "nDCG@10 1.000", "1.000 is what sklearn prints. The ",
			"scikit-learn takes the ideal ranking from the retrieved documents only", "sklearn"},
		{"some tools", "1 a b c", "1 a x", "nDCG@10 0.6131",
			"0.6131 is what MLflow, AutoRAG and Elasticsearch print. The ", "MLflow takes every relevant document",
			"MLflow"},
		{"percent", "1 a b c", "1 a x", "P@5 50%", "0.50 is what LlamaIndex, MLflow, Ragas, AutoRAG and",
			"LlamaIndex divides by the documents retrieved", "LlamaIndex"},
		{"nobody", "1 a b c", "1 a x", "nDCG@10 0.123", "No tool prints 0.123 for this run. Rankbox and the ", "", ""},
		{"everybody", "1 a", "1 a x", "RR@10 1.0", "1.0 is what every tool prints that has the measure.", "", ""},
	} {
		claim, err := ReadClaim(x.claim)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Check(claim, opened(t, "nDCG@10", x.judged, "r", x.run).Input(), say.Plain, nil)
		if err != nil || !strings.HasPrefix(got.Headline, x.headline) || !strings.HasPrefix(got.Why, x.why) ||
			got.Answer != x.answer {
			t.Errorf("%s: %+v, %v", x.name, got, err)
			continue
		}
		if x.answer == "" {
			continue
		}
		if len(got.Changed) != 1 || got.Changed[0].Query != "1" || got.Changed[0].Why == "" ||
			!strings.HasSuffix(got.Why, "1 query of 1 changes.") {
			t.Errorf("%s: %+v", x.name, got)
		}
		at := slices.IndexFunc(got.Tools, func(f ToolFigure) bool { return f.Tool == x.answer })
		if f := got.Tools[at]; !f.Fits || f.Difference != f.Value-got.Tools[0].Value || f.Version == "" || f.As == "" {
			t.Errorf("%s: %+v", x.name, f)
		}
	}
}

// A list that has its one relevant document twice, as retrievers of chunks give it. nDCG is (1 + 1/log2 3)/1 = 1.6309
// for the tools of TestPublicFigures, 1 for those that count the document once; P@2 over the ids there are is 1 for
// Ragas, which takes sets, and 1/2 here.
func TestCheckSeesDocumentsThatComeAgain(t *testing.T) {
	for _, x := range []struct{ claim, headline, why, answer string }{
		{"nDCG 1.63", "1.63 is what LlamaIndex, Haystack 2 and AutoRAG print. The ",
			"LlamaIndex takes the ranking as the run lists it: document a is there 2 times. ", "LlamaIndex"},
		{"nDCG 163%", "1.63 is what LlamaIndex", "LlamaIndex takes the ranking as", "LlamaIndex"},
		{"nDCG 1.00", "1.00 is what Rankbox, trec_eval,", "", ""},
		{"AP 2.0", "2.0 is what LlamaIndex", "LlamaIndex takes the ranking as the run lists it", "LlamaIndex"},
		{"P@2 0.5", "0.5 is what Rankbox, trec_eval,", "", ""},
	} {
		claim, err := ReadClaim(x.claim)
		if err != nil {
			t.Fatal(err)
		}
		in := opened(t, "nDCG", "1 a", "r", "1 a a").Input()
		got, err := Check(claim, in, say.Plain, nil)
		if err != nil || !strings.HasPrefix(got.Headline, x.headline) || !strings.HasPrefix(got.Why, x.why) ||
			got.Answer != x.answer {
			t.Errorf("%s: %+v, %v", x.claim, got, err)
		}
		s, err := Detect(claim, in, say.Plain, nil)
		again := " comes out for A r if documents that the run lists more than once counted each time"
		if err != nil || strings.Contains(s.Sentence, again) != (x.answer != "") {
			t.Errorf("%s: %q, %v", x.claim, s.Sentence, err)
		}
	}
}

// A claim names its run by the letter or by a part of the name; without either the run is found that has the figure.
func TestCheckFindsTheRun(t *testing.T) {
	in := opened(t, "P@1", "1 a b; 2 c", "first", "1 a; 2 c", "second", "1 x; 2 c").Input()
	for text, want := range map[string]int{"P@1 1": 0, "P@1 0.5": 1, "B P@1 1": 1, "second P@1 1": 1, "P@1 0.4": 1} {
		claim, err := ReadClaim(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Check(claim, in, say.Plain, nil)
		if err != nil || got.Run != want || got.Name != []string{"A first", "B second"}[want] {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestCheckedAsSection(t *testing.T) {
	claim, _ := ReadClaim("nDCG@10 1.000")
	x, err := Check(claim, opened(t, "nDCG@10", "1 a b c", "r", "1 a x").Input(), say.Plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	x.More = 2
	s := x.Section()
	var b strings.Builder
	if err := WriteText(&b, []Section{s}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Who prints this number\n1.000 is what sklearn prints.", "ndcg_score(k=10)",
		"to Rankbox", "+0.5307", "The queries that change", "2 more queries change."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	calls := 0
	_, err = Check(claim, comparetest.Fixture(t), say.Plain, func() bool { calls++; return calls > 1 })
	if err != compare.ErrCancelled {
		t.Errorf("it goes on: %v", err)
	}
}
