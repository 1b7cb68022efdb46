package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
)

// scipy 1.17.1: wilcoxon(d) takes the normal approximation, since there are ties and a zero, as auto does here;
// wilcoxon of the differences that are not zero with PermutationMethod over all 2¹⁹ sign patterns is what
// wilcoxon=exact has.
func TestWilcoxonIsExactIfAskedTo(t *testing.T) {
	d := []float64{0, .12, -.05, .31, .22, -.11, .07, .4, .09, -.02, .15, .33, -.21, .28, .05, .19, -.08, .26, .03, .17}
	for option, want := range map[string]float64{"auto": 0.01059935582405716, "exact": 0.00850677490234375,
		"normal": 0.01059935582405716} {
		p := Protocol{Test: "wilcoxon"}
		if known, err := p.Set("wilcoxon", option); !known || err != nil {
			t.Fatal(err)
		}
		r := &Report{Measures: []string{"AP"},
			Columns: []Column{{Measure: "AP", Values: [][]float64{make([]float64, len(d)), d}}},
			Systems: make([]System, 2), Decisions: p.Decisions()}
		for q := range d {
			r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
		}
		if err := r.Conclude(p, nil); err != nil {
			t.Fatal(err)
		}
		if got := r.Pairs[0].P; math.Abs(got-want) > 1e-13 {
			t.Errorf("%s: p %v, scipy has %v", option, got, want)
		}
		if r.Protocol() != p {
			t.Errorf("%s: %+v", option, r.Protocol())
		}
		if s, err := r.Statistics(0, StatisticsOptions{}); err != nil || s.Pairs[0].P != r.Pairs[0].P {
			t.Errorf("%s: the statistics have another p: %v", option, err)
		}
		if why := r.Test.Why(say.Plain); strings.Contains(why, "exact up to 300") != (option == "exact") {
			t.Errorf("%s: %s", option, why)
		}
	}
}
