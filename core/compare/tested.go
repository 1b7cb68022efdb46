package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// Tested is the paired tests on one measure of a report, every pair of runs. The report itself has them of its first measure.
type Tested struct {
	Column int
	Pairs  []experiment.Pair
	Test   experiment.Test
}

// Pair returns the comparison of run b with run a, turned round where it is kept the other way, and false where there is none.
func (t *Tested) Pair(a, b int) (experiment.Pair, bool) {
	return (&experiment.Report{Pairs: t.Pairs}).Pair(a, b)
}

// TestOn returns the paired tests on a column: those of the report for the first one, otherwise the same tests, chosen for and made on the
// values of that column, corrected over the same pairs. cancel may be nil. The error is ErrCancelled, or says that there is no such
// column.
func (r *Report) TestOn(column int, cancel func() bool) (*Tested, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, fmt.Errorf("compare: test differences: there is no measure %d", column)
	}
	if column == 0 {
		return &Tested{Pairs: r.Pairs, Test: r.Test}, nil
	}
	c := &r.Columns[column]
	alone := experiment.Report{Systems: r.Systems, Baseline: r.Baseline, Queries: r.Queries, Measures: []string{c.Measure}, Columns: []experiment.Column{{Measure: c.Measure, Values: c.Values}}}
	if err := alone.ConcludeBy(r.Testing(), cancel); err != nil {
		return nil, err
	}
	return &Tested{Column: column, Pairs: alone.Pairs, Test: alone.Test}, nil
}

// Relabel returns r under the names and the baseline of c: the same as c.Report gives, without measuring again. r is a report of the same
// runs, judgments, measures and policy, and is not changed.
func (c *Comparison) Relabel(r *Report) *Report {
	out := *r
	out.Baseline = c.in.Baseline
	out.Systems = slices.Clone(r.Systems)
	for i := range out.Systems {
		out.Systems[i].Label = c.names[i]
	}
	// Behind those of c.warnings stand the ones that only measuring can tell, each with the name of a run.
	out.Warnings = c.warnings(&out)
	for _, w := range r.Warnings[min(len(r.Warnings), len(out.Warnings)):] {
		for i := range r.Systems {
			if rest, ok := strings.CutPrefix(w, r.Systems[i].Label+wideTies); ok {
				out.Warnings = append(out.Warnings, out.Systems[i].Label+wideTies+rest)
				break
			}
		}
	}
	out.Finding, out.Note = out.finding()
	out.seal()
	return &out
}

// Wire walks the tests.
func (t *Tested) Wire(c *wire.Codec) {
	c.Int(&t.Column)
	wire.Structs(c, &t.Pairs)
	c.String(&t.Test.Name)
	c.String(&t.Test.Why)
	c.Strings(&t.Test.Warnings)
}
