package measure

import (
	"strings"
	"testing"
)

// The documentation of a measure, word for word.
func TestPageOfAMeasure(t *testing.T) {
	for name, want := range map[string]string{
		"P": "0 to 1", "DCG": "0 to any", "utility": "any to any", "alpha_nDCG": "0 to 1.582", "infAP": "0 to 1",
		"NumQ": "1 to 1",
	} {
		if got := mustInfo(t, name).Range(); got != want {
			t.Errorf("the range of %s is %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"P":          "the grades 1 0 2 - 1 1",
		"infAP":      "the grades 1 -1 - 1 (judged: 1 -1 1)",
		"alpha_nDCG": "documents relevant to sub-topics 1, 1 2, -",
		"prefs_simp": "the documents 1 2 4, of which one user says 1=3 2=2 3=0, another 1=1 2=2; 2=2 4=1",
	} {
		e := mustInfo(t, name).Example
		if got := e.Setting(); got != want {
			t.Errorf("the example of %s is of %q, want %q", name, got, want)
		}
	}
	// A qrels document without a relevant subtopic, and an unjudged one.
	if got, want := subtopicText(&Subtopics{Docs: [][]float64{{0, 2}, {-1, 0}},
		Ranked: []int32{1, 0}}), "-, 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for param, want := range map[string]string{
		"P cutoff": "required", "nDCG cutoff": "optional", "nDCG gains": "optional", "11pt_avg points": "optional",
		"AP rel": "default 1", "AP judged_only": "default False",
		"Compat normalize": "default True", "nDCG dcg": "default 'log2'", "RBP p": "default 0.8",
		"Q beta": "default 1.0",
	} {
		name, p, _ := strings.Cut(param, " ")
		if got := mustInfo(t, name).param(p).Usual(); got != want {
			t.Errorf("%s is %q, want %q", param, got, want)
		}
	}
}

// Numbers read back; integers up to 10^15 have no point if they are gains or bounds.
func TestTextOfNumbers(t *testing.T) {
	for _, c := range []struct {
		v           float64
		gain, float string
	}{
		{0, "0", "0.0"}, {3, "3", "3.0"}, {-3, "-3", "-3.0"}, {0.1, "0.1", "0.1"}, {999999999999999, "999999999999999",
			"999999999999999.0"},
		{1e15, "1000000000000000.0", "1000000000000000.0"}, {-1e15, "-1000000000000000.0",
			"-1000000000000000.0"}, {1e16, "1e+16", "1e+16"}, // as repr in Python 3
		{1e-4, "0.0001", "0.0001"}, {1.5e-5, "1.5e-05", "1.5e-05"},
	} {
		if got := gainText(c.v); got != c.gain {
			t.Errorf("the gain %v is written %s, want %s", c.v, got, c.gain)
		}
		if got := floatText(c.v); got != c.float {
			t.Errorf("%v is written %s, want %s", c.v, got, c.float)
		}
	}
}
