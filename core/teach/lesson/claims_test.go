package lesson

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// three is a comparison by hand: B leads A by .2 with a corrected p of .01, C leads A by .1 with .3; the pair of B and
// C was not corrected.
func three() *resolver {
	r := &report.Report{
		Systems: []report.System{{Label: "bm25"}, {Label: "dense"}, {Label: "fused"}},
		Columns: []report.Column{{Measure: "AP", Means: []float64{.3, .5, .4}},
			{Measure: "NumNonRel", Means: []float64{2, 5, 4}, Lower: true}},
		Pairs: []report.Pair{{A: 0, B: 1, Adjusted: .01}, {A: 0, B: 2, Adjusted: .3},
			{A: 1, B: 2, Adjusted: math.NaN()}},
	}
	return &resolver{Source: &Source{}, facts: map[string]fact{"m": &comparison{r}}}
}

func TestAClaimNeedsItsTest(t *testing.T) {
	for test, want := range map[string]string{
		"m better B A":                 "",
		"m better A B":                 "the test of AP says otherwise: difference −0.200, corrected p 0.010",
		"m better C A":                 "the test of AP says otherwise: difference 0.100, corrected p 0.300",
		"m inseparable A C":            "",
		"m inseparable A B":            "the test of AP says otherwise",
		"m inseparable B C":            "the test of AP says otherwise",
		"m better B C":                 "the test of AP says otherwise",
		"m above C A AP":               "",
		"m above A C AP":               "the mean AP of bm25 is 0.300, that of fused is 0.400",
		"m above A B NumNonRel":        "",
		"m above B A NumNonRel":        "the mean NumNonRel",
		"m above A B RR":               `"RR" is not among the measures`,
		"m above A B":                  "above is followed by",
		"m better A D":                 `"D" is no system`,
		"m better A BC":                `"BC" is no system`,
		"m nicer A B":                  `unknown test "nicer"`,
		"m better":                     `"m better" is no test`,
		"x better A B":                 "there is no comparison and no ranking",
		"concept: it defines the word": "",
		"concept: so":                  "a concept says why",
	} {
		err := three().supports(test)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", test, err, want)
		}
	}
}

func TestSentencesAreCutWithTheirClaims(t *testing.T) {
	for text, want := range map[string][]string{
		"One. Two":                         {"One.", "Two"},
		"One leads.{claim a} Two":          {"One leads.{claim a}", "Two"},
		"One leads {claim a}. Two":         {"One leads {claim a}.", "Two"},
		"At 0.5 {a P@3} leads. Why? Since": {"At 0.5 {a P@3} leads.", "Since"},
		"It leads.{claim a}":               {"It leads.{claim a}"},
		"It leads.{claim a":                {"It leads.", "{claim a"},
		"Who leads?":                       nil,
		"":                                 nil,
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"BM25 leads.": "leads", "Better so": "Better",
		"{m wins B A AP} queries": "", "misleads": "", "a winning way": ""} {
		if got := comparative(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
