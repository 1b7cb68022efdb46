package main

import (
	"math/rand"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/intake/golden"
)

// flakyQuery is a query whose results differ from run to run.
type flakyQuery struct {
	Query  string
	Lists  int // different lists of results
	Failed int // runs in which it did not find what it expects
}

// together makes one verdict of several runs of a search. Values are means over the runs. Something regressed, failed
// or was not met only if every run says so, and an interval covers those of all runs: the p of a change is the largest
// of the runs, so that what is called regressed keeps its level however much the runs vary. What only some runs say is
// flaky.
//
// Source of the largest p: the intersection-union test, Berger 1982, Technometrics 24.
func (x *checking) together(all []runOutcome) (runOutcome, error) {
	out := all[0]
	if len(all) == 1 {
		return out, nil
	}
	x.vary(all)
	if out.r != nil {
		r, err := averaged(all)
		if err != nil {
			return out, err
		}
		out.r = r
		if out.v, err = x.holds.checks(r); err != nil {
			return out, err
		}
		out.v.Queries = all[0].v.Queries
		timed, err := x.timed(all[0].found)
		if err != nil {
			return out, err
		}
		out.v.Checks = append(out.v.Checks, timed...)
	}
	out.v.Queries = slices.Clone(out.v.Queries)
	for i := range out.v.Queries {
		failed, last := 0, 0
		for k, j := range all {
			if len(j.v.Queries[i].Reasons) > 0 {
				failed, last = failed+1, k
			}
		}
		if failed < len(all) {
			out.v.Queries[i].Reasons, out.v.Queries[i].Instead = nil, nil
		} else {
			out.v.Queries[i] = all[last].v.Queries[i]
		}
	}
	for i := range out.v.Checks {
		c := &out.v.Checks[i]
		failed := 0
		for _, j := range all {
			if !j.v.Checks[i].Passed {
				failed++
			}
			c.P = max(c.P, j.v.Checks[i].P)
		}
		if c.Passed = failed < len(all); failed > 0 && c.Passed {
			c.Flaky = "fails in " + strconv.Itoa(failed) + " of " + strconv.Itoa(len(all)) + " runs"
		}
	}
	if g := out.v.Change; g != nil {
		for i := range g.Changes {
			c, regressed := &g.Changes[i], 0
			for _, j := range all {
				o := &j.v.Change.Changes[i]
				c.P, c.Low, c.High = max(c.P, o.P), min(c.Low, o.Low), max(c.High, o.High)
				if o.Verdict == gates.Regressed {
					regressed++
				}
			}
			switch {
			case regressed == len(all):
				c.Verdict = gates.Regressed
			case regressed > 0 || c.Verdict == gates.Regressed:
				c.Verdict = gates.Flaky
			case c.P >= report.Alpha && c.Verdict != gates.Changed:
				c.Verdict = gates.Unchanged
			}
		}
	}
	return out, nil
}

// averaged is the report of the means of the values of several runs.
func averaged(all []runOutcome) (*report.Report, error) {
	r := *all[0].r
	r.Columns = slices.Clone(r.Columns)
	for m := range r.Columns {
		values := slices.Clone(r.Columns[m].Values[0])
		for q := range values {
			sum := 0.0
			for _, j := range all {
				sum += j.r.Columns[m].Values[0][q]
			}
			values[q] = sum / float64(len(all))
		}
		r.Columns[m].Values = [][]float64{values}
	}
	return &r, r.Conclude(r.Protocol(), nil)
}

// vary finds the queries whose results differ from run to run.
func (x *checking) vary(all []runOutcome) {
	at := map[string]int{}
	for i := range all[0].v.Queries {
		at[all[0].v.Queries[i].Query] = i
	}
	for i := range x.set.Queries {
		q := &x.set.Queries[i]
		lists := map[string]bool{}
		f := flakyQuery{Query: q.ID}
		for _, j := range all {
			text := ""
			for _, r := range j.found.Answers[q.ID].Results {
				text += r.Doc + "\n"
			}
			lists[text] = true
			if k, ok := at[q.ID]; ok && len(j.v.Queries[k].Reasons) > 0 {
				f.Failed++
			}
		}
		if f.Lists = len(lists); f.Lists > 1 {
			x.flaky = append(x.flaky, f)
		}
	}
}

// unsteady says which queries vary; nothing if the search ran once.
func (x *checking) unsteady() (out []string) {
	const most = 20
	for i, f := range x.flaky {
		if i == most {
			out = append(out, "FLAKY   and "+strconv.Itoa(len(x.flaky)-i)+" more")
			break
		}
		failed := ""
		if f.Failed > 0 && f.Failed < x.repeat {
			failed = ", fails in " + strconv.Itoa(f.Failed)
		}
		out = append(out, "FLAKY   "+strconv.Quote(say.Brief(f.Query, 80))+"  "+strconv.Itoa(f.Lists)+
			" different results in "+strconv.Itoa(x.repeat)+" runs"+failed)
	}
	if x.repeat > 1 {
		out = append(out, strconv.Itoa(len(x.flaky))+" of "+say.Count(len(x.set.Queries), "query", "queries")+
			" vary from run to run")
	}
	return out
}

// sequentialSeed is how the queries are put in order.
const sequentialSeed = 20260103

// sequential asks the queries in random order until the gates are decided: those of the set, and for every measure that
// it may not have lost more than the threshold since the baseline.
func (x *checking) sequential() error {
	s := x.set
	if r := &s.Results; r.Pipeline == "" && len(r.Command) == 0 && r.URL == "" {
		return usagef("-sequential saves queries: it needs a search that runs (-s, -command or -url), not results in a file")
	}
	if len(x.holds.against) > 1 || x.holds.update || x.holds.save != "" {
		return usagef("-sequential asks a part of the queries: use it with one baseline, without -update and -save")
	}
	if err := x.holds.open(1, s.Measures); err != nil {
		return x.baseline(err)
	}
	wanted := slices.DeleteFunc(slices.Clone(x.holds.gates), func(g gates.Gate) bool { return g.Quantile > 0 })
	if len(x.holds.old) > 0 {
		for _, m := range s.Measures {
			text := m + ">=-" + say.Plain.Short(float64(100*x.holds.limit.Relative)) + "%"
			if x.holds.limit.Relative == 0 {
				text = m + ">=-" + say.Plain.Short(x.holds.limit.Absolute)
			}
			if g, err := gates.ParseGate(text); err == nil && !report.Smaller(m) {
				wanted = append(wanted, g)
			}
		}
	}
	var list []*gates.Sequential
	for _, g := range wanted {
		one, err := gates.NewSequential(g, len(wanted))
		if err != nil {
			return usageError{err}
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		return usagef("-sequential needs a gate or a baseline")
	}
	rand.New(rand.NewSource(sequentialSeed)).Shuffle(len(s.Queries), func(i, j int) {
		s.Queries[i], s.Queries[j] = s.Queries[j], s.Queries[i]
	})
	all, asked := s.Queries, 0
	x.after = func(q *golden.Query, a golden.Answer) (bool, error) {
		asked++
		return x.bet(list, q, a)
	}
	found, err := x.find()
	if err != nil {
		return err
	}
	s.Queries = all[:asked]
	slices.SortFunc(s.Queries, func(a, b golden.Query) int { return a.Line - b.Line })
	j, err := x.judge(found)
	if err != nil {
		return err
	}
	for _, one := range list {
		j.v.Checks = append(j.v.Checks, one.Check(x.name(), len(list)))
	}
	j.v.Notes = append(j.v.Notes, strconv.Itoa(asked)+" of "+say.Count(len(all), "query was", "queries were")+
		" asked, in random order. Gates are decided by betting (Waudby-Smith and Ramdas 2024): stopping early does not "+
		"make a false alarm likelier than 5 % over all gates.")
	return x.tell(j)
}

// bet shows the gates the values of a query, and reports whether all are decided.
func (x *checking) bet(list []*gates.Sequential, q *golden.Query, a golden.Answer) (done bool, err error) {
	if !q.Judged() {
		return false, nil
	}
	one := *x.set
	one.Queries = []golden.Query{*q}
	found := &golden.Found{Answers: map[string]golden.Answer{q.ID: a}}
	one.Pool(found)
	run, err := one.Run(found)
	if err != nil {
		return false, err
	}
	r, err := compare.Compare(compare.Input{Name: "query", Qrels: one.Qrels(), Measures: x.set.Measures,
		Runs: []compare.Named{{Name: x.name(), Run: run}}}, nil, nil)
	if err != nil {
		return false, err
	}
	done = true
	for _, s := range list {
		m := slices.Index(r.Measures, s.Gate.Measure)
		old, ok := x.before(s.Gate.Measure, q.ID)
		if s.Gate.Change && !ok {
			done = false
			continue
		}
		done = s.Add(old, r.Columns[m].Values[0][0]) && done
	}
	return done, nil
}

// before is the value of a query in the baseline.
func (x *checking) before(measure, query string) (v float64, ok bool) {
	for _, o := range x.holds.old {
		m := slices.Index(o.Measures, measure)
		q := slices.IndexFunc(o.Queries, func(q report.Query) bool { return q.ID == query })
		if m >= 0 && q >= 0 && len(o.Columns[m].Values) > 0 {
			return o.Columns[m].Values[0][q], true
		}
	}
	return 0, false
}
