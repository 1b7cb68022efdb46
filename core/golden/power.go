package golden

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/say"
)

// fewMoved is how many queries must have moved before the spread of their changes is taken for that of others to come.
const fewMoved = 5

// Power is how small a change of a measure the queries of a set can show.
type Power struct {
	Measure    string
	Queries    int
	Spread     float64 // the standard deviation that Detectable is worked out from; NaN of fewer than two queries
	Detectable float64 // the smallest change that is found in 4 of 5 cases; 0 if Spread is, NaN if Spread is
	Assumed    string  // why Spread is that of the values, as "no query moved"; "" if it is that of the changes
	Family     int     // tests that the level is corrected for
}

// PowerOf says of every measure of a report how small a change so many queries can show: from the spread of the changes
// since the baseline if enough queries moved, else from that of the values themselves. change may be nil.
func PowerOf(r *report.Report, change *gates.Regression) (out []Power) {
	for m := range r.Columns {
		col := &r.Columns[m]
		p := Power{Measure: col.Measure, Queries: len(r.Queries), Assumed: "there is no baseline",
			Family: len(r.Columns)}
		p.Spread, p.Detectable = report.Spread(col.Values[0]), math.NaN()
		if change != nil {
			p.Family = len(change.Changes)
			for _, c := range change.Changes {
				if c.Measure != col.Measure {
					continue
				}
				p.Queries = c.Queries
				switch moved := len(c.Moved); {
				case moved >= fewMoved && c.Spread > 0:
					p.Detectable, p.Spread, p.Assumed = c.Detectable, c.Spread, ""
				case moved == 0:
					p.Assumed = "no query moved"
				case moved < fewMoved:
					p.Assumed = "only " + say.Count(moved, "query", "queries") + " moved"
				default:
					p.Assumed = "all queries moved by the same amount"
				}
			}
		}
		if p.Assumed != "" {
			p.Detectable = report.Detectable(p.Spread, p.Queries, p.Family)
		}
		out = append(out, p)
	}
	return out
}

// Sentence says it in one.
func (p *Power) Sentence() string {
	of := say.Count(p.Queries, "query", "queries")
	switch {
	case math.IsNaN(p.Detectable):
		return p.Measure + ": " + of + " can show no change: add more."
	case p.Spread == 0:
		return p.Measure + ": all " + of + " have the same value, so the smallest detectable change is unknown."
	}
	why := "the changes have a standard deviation of "
	if p.Assumed != "" {
		why = p.Assumed + ", so this takes changes to vary as the values do, with a standard deviation of "
	}
	return p.Measure + ": your " + of + " can detect a change of " + say.Plain.Number(p.Detectable, 3) + " or more (" +
		why + say.Plain.Number(p.Spread, 2) + ")."
}

// Sentences says all of it, and what it means.
func Sentences(power []Power) (out []string) {
	some, family := false, 1
	for i := range power {
		p := &power[i]
		out = append(out, p.Sentence())
		some = some || p.Detectable > 0
		family = p.Family
	}
	if !some {
		return out
	}
	test := "by a paired t test at 5 %"
	if family > 1 {
		test += ", corrected for " + strconv.Itoa(family) + " measures"
	}
	return append(out, "Such a change is found in 4 of 5 cases "+test+". A smaller one often looks like chance.")
}
