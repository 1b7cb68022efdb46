package matrix

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// The sentences about tuning, families and an ablation.
func TestSentencesOfAnalyses(t *testing.T) {
	values := [][]float64{{.1, .2, .3}, {.2, .3, .4}, {.3, .4, .5}, {.4, .5, .6}}
	x := &Outcome{Report: tuned(t, false, values)}
	if got := x.analyses(); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
	x.Tuning = &Tuning{Best: 3, Choices: []int{3, 2, 3}, Tuned: .5, HeldOut: .475, Optimism: .025, Baseline: .5,
		Low:  -.125,
		High: .0625, P: .25}
	x.Families = &Families{HeldOut: .375, Optimism: .125, Families: []Family{
		{Runs: []int{0, 1}, Best: 0, Default: 0, Tuned: .5, HeldOut: .5},
		{Runs: []int{0, 1}, Best: 1, Default: 0, WithinBest: true, Tuned: .5, HeldOut: .25, Optimism: .25},
		{Runs: []int{2, 3}, Best: 3, Default: 0, Tuned: .5, HeldOut: .25, Optimism: .25},
		{Runs: []int{2, 3}, Best: 3, Default: -1, WithinBest: true, Tuned: .5, HeldOut: .25, Optimism: .25},
		{Runs: []int{3}, Best: 3, Default: 3}}}
	x.Ablation = &Ablation{Pipeline: "bm25 >> rm3 >> mmr", Full: .5, Bare: .25,
		Stages: []Worth{{Stage: "rm3", Lost: .125,
			Low: -.25, High: .5, P: .5, Alone: .0625, Shapley: .1875, Error: .25, Without: "bm25 >> mmr"}}}
	want := []string{
		"Chosen on these queries, ql(mu=1) has nDCG@10 0.5000; chosen on others (3 folds, 2 choices), 0.4750: " +
			"choosing flatters by 0.0250. Against the baseline the held-out change is -0.0250, 95 % interval " +
			"-0.1250 to 0.0625, p = 0.250.",
		"  bm25 is the best of 2: 0.5000 tuned, 0.5000 held out, optimism +0.0000. It is the default.",
		"  bm25(k1=2) is the best of 2: 0.5000 tuned, 0.2500 held out, optimism +0.2500. The default, bm25, is " +
			"not significantly different.",
		"  ql(mu=1) is the best of 2: 0.5000 tuned, 0.2500 held out, optimism +0.2500. The default, bm25, is " +
			"significantly worse.",
		"  ql(mu=1) is the best of 2: 0.5000 tuned, 0.2500 held out, optimism +0.2500.",
		"Choosing the system and its values on other queries, nested, gives 0.3750: choosing both flatters by 0.1250.",
		"bm25 >> rm3 >> mmr has nDCG@10 0.5000, and 0.2500 with all of its parts left out. What each is worth:",
		"  rm3: +0.1250 (95 % interval -0.2500 to 0.5000, p = 0.500 after Holm) as against leaving it out; +0.0625 " +
			"alone; Shapley value +0.1875",
	}
	if got := x.analyses(); !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			t.Errorf("%q\nwant %q", got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
		}
	}
	x.Ablation.Orders = 400
	// 1.96 × .25
	if got := x.analyses(); !strings.HasSuffix(got[len(got)-1], "Shapley value +0.1875 ± 0.4900 (400 orders)") {
		t.Error(got[len(got)-1])
	}
	x.Families.Families = x.Families.Families[:1]
	if got := x.analyses(); strings.Contains(strings.Join(got, "\n"), "nested") {
		t.Errorf("one family: %q", got)
	}
	x.Tuning.WithinBest = true
	if got := x.analyses()[0]; !strings.HasSuffix(got, " The baseline is within the noise of the best.") {
		t.Error(got)
	}
	var b strings.Builder
	j := &jsontext.Writer{To: &b}
	j.Object("", func() { x.tuned(j) })
	if !strings.Contains(b.String(), `"default":"bm25","default_within_noise_of_best":false`) {
		t.Error(b.String())
	}
	if text := string((&Spec{Systems: []string{"bm25"}}).JSON()); text != "{\"systems\":[\"bm25\"]}\n" {
		t.Error(text)
	}
}
