package gates

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// fewMoved is how many queries must have moved before their changes are taken for those of others to come.
const fewMoved = 5

// Power is how large a loss of a measure must be to fail a build in 4 of 5 cases, by one of its rules: the verdict on
// the change since a snapshot, or a gate.
type Power struct {
	Measure string
	Gate    string  // as it is written; "" for the verdict
	Queries int     // that the rule is about
	Loss    float64 // of the mean, above 0; +Inf if no loss that the measure can have does; NaN if nothing tells
	Alarms  float64 // the share of builds that fail although nothing was lost; NaN if nothing tells
	Mean    float64 // that is lost from
	Spread  float64 // the standard deviation of the changes that are simulated; NaN of fewer than two queries
	Assumed string  // why those are the values' deviations from their mean, as "no query moved"; "" if they are changes
	Family  int     // tests that the level is corrected for
}

// simulations is how many builds are simulated: a share of 4 of 5 then has a standard error of 2 %.
const simulations = 400

// powerSeed draws them.
const powerSeed = 20260102

// noise draws what changes besides the loss.
type noise struct {
	changes []float64 // centred, of which as many as there are queries are drawn with replacement
	flips   float64   // of a measure that is 0 or 1, the share of queries that change; below 0 for any other measure
}

// rule reports whether a build fails whose queries changed so from a mean.
type rule func(mean float64, d []float64) (bool, error)

// PowerOf says of every measure of a report how large a loss fails a build, by simulation of what decides: the verdict
// on the change (the paired test that the changes choose, at the level of Holm's correction, and the threshold) and
// every gate on a mean or a change of the first system that is not about a tag. Losses are the same for every query but
// for what was drawn with replacement from the changes since the baseline, if enough queries moved, else from the
// deviations of the values from their mean. Of a measure that is 0 or 1, a loss turns queries from 1 to 0. change may be
// nil: without a snapshot only gates decide.
func PowerOf(r *report.Report, gates []Gate, sure bool, change *Regression, cancel func() bool) ([]Power, error) {
	var out []Power
	for m := range r.Columns {
		col := &r.Columns[m]
		if measure.Describes(col.Measure) {
			continue
		}
		of := r.Baseline // the run that was there before
		if len(r.Systems) < 2 {
			of = 0
		}
		values := slices.DeleteFunc(slices.Clone(col.Values[of]), func(v float64) bool { return v != v })
		p := Power{Measure: col.Measure, Queries: len(values), Mean: measure.Mean(values), Loss: math.NaN(),
			Alarms: math.NaN(), Spread: report.Spread(values), Assumed: "there is no baseline", Family: len(r.Columns)}
		x := noise{centred(values), -1}
		if isBinary(values) {
			x.flips = float64(p.Mean * (1 - p.Mean))
		}
		t := DefaultThreshold
		if change != nil {
			t, p.Family = change.Threshold, len(change.Changes)
			if i := slices.IndexFunc(change.Changes, func(c MeasureChange) bool { return c.Measure == col.Measure }); i >= 0 {
				p.moved(&x, &change.Changes[i])
			}
		}
		rules := map[string]rule{}
		names := []string{}
		if change != nil || len(gates) == 0 {
			names, rules[""] = append(names, ""), regressed(col.Lower, t, p.Family)
		}
		for _, g := range gates {
			if g.Measure == col.Measure && g.Tag == "" && g.End == "" {
				names, rules[g.Text] = append(names, g.Text), g.fails(sure, len(gates))
			}
		}
		for _, name := range names {
			if p.Gate = name; cancel != nil && cancel() {
				return nil, report.ErrCancelled
			}
			if err := p.simulate(&x, col, rules[name]); err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// moved takes the changes since a snapshot for what changes, if enough queries moved.
func (p *Power) moved(x *noise, c *MeasureChange) {
	p.Queries, p.Mean = c.Queries, c.Old
	switch moved := len(c.Moved); {
	case moved >= fewMoved && c.Spread > 0:
		p.Spread, p.Assumed = c.Spread, ""
		d := make([]float64, c.Queries)
		for i, m := range c.Moved {
			d[i] = m.New - m.Old
		}
		x.changes = centred(d)
		if x.flips >= 0 {
			x.flips = float64(moved) / float64(c.Queries)
		}
	case moved == 0:
		p.Assumed = "no query moved"
	case moved < fewMoved:
		p.Assumed = "only " + say.Count(moved, "query", "queries") + " moved"
	default:
		p.Assumed = "all queries moved by the same amount"
	}
}

// centred are values less their mean.
func centred(values []float64) []float64 {
	mean, out := measure.Mean(values), slices.Clone(values)
	for i := range out {
		out[i] -= mean
	}
	return out
}

// isBinary reports whether values are 0 or 1 only, and not all the same.
func isBinary(values []float64) bool {
	return slices.Contains(values, 0) && slices.Contains(values, 1) &&
		!slices.ContainsFunc(values, func(v float64) bool { return v != 0 && v != 1 })
}

// regressed is the rule of the verdict.
func regressed(lower bool, t Threshold, family int) rule {
	return func(mean float64, d []float64) (bool, error) {
		diff := measure.Mean(d)
		if (diff < 0) == lower || !t.reached(mean, mean+diff) {
			return false, nil
		}
		return tellsApart(d, family)
	}
}

// fails is the rule of a gate, one of so many.
func (g Gate) fails(sure bool, family int) rule {
	return func(mean float64, d []float64) (bool, error) {
		diff := measure.Mean(d)
		got := mean + diff
		if g.Change {
			if got = diff; g.Percent {
				got = say.Relative(mean, mean+diff)
			}
		}
		if g.holds(got) {
			return false, nil
		}
		if !sure || !g.Change {
			return true, nil
		}
		return tellsApart(d, family)
	}
}

// tellsApart reports whether the paired test that suits differences rejects them as one of so many tests.
func tellsApart(d []float64, family int) (bool, error) {
	moved := slices.ContainsFunc(d, func(v float64) bool { return math.Abs(v) > 1e-12 })
	if !moved {
		return false, nil
	}
	t, err := significance.Lookup(significance.Choose(d).Test)
	if err != nil {
		return false, err
	}
	res, err := t.Run(d, significance.Options{Seed: powerSeed, Quick: true,
		Samples: significance.DrawsEach * max(family, 2)})
	return res.P < report.Alpha/float64(max(family, 1)), err
}

// simulate finds the least loss that a rule fails in 4 of 5 builds, and how often it fails without one.
func (p *Power) simulate(x *noise, col *report.Column, fails rule) error {
	p.Loss, p.Alarms = math.NaN(), math.NaN()
	if p.Queries < 2 || x.flips < 0 && !(p.Spread > 0) {
		return nil
	}
	most := p.Mean // no measure of this house is below 0 on average
	if m, err := measure.Parse(col.Measure); err == nil {
		if most = p.Mean - m.Info().Low; col.Lower {
			most = m.Info().High - p.Mean
		}
	}
	if math.IsInf(most, 0) || most != most {
		most = math.Abs(p.Mean) + float64(10*p.Spread)
	}
	// the same draws for every loss: the share that fails then grows with it
	d := make([]float64, p.Queries)
	share := func(loss float64) (float64, error) {
		rnd, failed := significance.NewRand(powerSeed, 7), 0
		for range simulations {
			x.draw(rnd, d, loss, col.Lower)
			bad, err := fails(p.Mean, d)
			if err != nil {
				return 0, err
			}
			if bad {
				failed++
			}
		}
		return float64(failed) / simulations, nil
	}
	var err error
	if p.Alarms, err = share(0); err != nil {
		return err
	}
	const wanted = 0.8
	if got, err := share(most); err != nil || got < wanted {
		p.Loss = math.Inf(1)
		return err
	}
	low, high := 0.0, most
	for range 10 {
		middle := low + float64((high-low)/2)
		got, err := share(middle)
		if err != nil {
			return err
		}
		if got < wanted {
			low = middle
		} else {
			high = middle
		}
	}
	p.Loss = high
	return nil
}

// draw fills d with the changes of queries that lost so much on average.
func (x *noise) draw(rnd *significance.Rand, d []float64, loss float64, lower bool) {
	side := -1.0
	if lower {
		side = 1
	}
	if x.flips < 0 {
		for i := range d {
			d[i] = x.changes[rnd.Intn(len(x.changes))] + float64(side*loss)
		}
		return
	}
	changed := max(x.flips, loss)
	lost := float64((changed + loss) / 2)
	for i := range d {
		switch u := float64(rnd.Uint64()>>11) / (1 << 53); {
		case u < lost:
			d[i] = side
		case u < changed:
			d[i] = -side
		default:
			d[i] = 0
		}
	}
}

// Sentence says it in one or two.
func (p *Power) Sentence() string {
	of := say.Count(p.Queries, "query", "queries")
	rule := "fails this build"
	if p.Gate != "" {
		rule = "fails the gate " + p.Gate
	}
	if p.Loss != p.Loss {
		if p.Queries < 2 {
			return p.Measure + ": nothing tells which loss " + rule + ", with " + of + "."
		}
		return p.Measure + ": all " + of + " have the same value, so nothing tells which loss " + rule + "."
	}
	how := "changes vary as since the baseline"
	if p.Assumed != "" {
		how = p.Assumed + ", so this takes changes to vary as the values do"
	}
	how += " (standard deviation " + say.Plain.Number(p.Spread, 2) + ")"
	if math.IsInf(p.Loss, 1) {
		no := "no loss could fail this build"
		if p.Gate != "" {
			no = "no loss surely " + rule
		}
		return p.Measure + ": " + no + " in 4 of 5 cases, with " + of + ": " + how + "."
	}
	s := p.Measure + ": a loss of " + say.Plain.Number(p.Loss, 3)
	if p.Mean > 0 {
		s += " (" + say.Plain.Percent(p.Loss/p.Mean, 1) + ")"
	}
	s += " or more " + rule + " in 4 of 5 cases, with " + of + ": " + how + "."
	if p.Alarms > report.Alpha {
		s += " Without any loss it still fails in " + say.Plain.Percent(p.Alarms, 0) + " of cases"
		if p.Gate != "" {
			s += ": sure: true (-sure) lowers that"
		}
		s += "."
	}
	return s
}

// Sentences says all of it, and what it means.
func Sentences(power []Power, t Threshold) (out []string) {
	verdict, family := false, 1
	for i := range power {
		p := &power[i]
		out = append(out, p.Sentence())
		verdict = verdict || p.Gate == "" && p.Loss == p.Loss
		family = p.Family
	}
	if !verdict {
		return out
	}
	test := "the paired test at 5 %"
	if family > 1 {
		test += " after Holm over " + strconv.Itoa(family) + " changes"
	}
	return append(out, "A build fails on a change if "+test+" rejects it and the loss is at least "+t.String()+
		". Both are simulated; a smaller loss often passes.")
}

// String writes a threshold: "5 %", "0.02" or both.
func (t Threshold) String() string {
	relative, absolute := say.Plain.Short(float64(100*t.Relative))+" %", say.Plain.Short(t.Absolute)
	switch {
	case t.Absolute == 0:
		return relative
	case t.Relative == 0:
		return absolute
	}
	return relative + " or " + absolute
}
