package matrix

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Status is how far one run is.
type Status struct {
	State                            Life
	Why                              string // it failed
	Evaluated, Empty, Failed, NotRun int    // queries
	Kept                             int    // of them, those that were done before this time
	// of Evaluated, those with the order before a backend that gave nothing
	FellBack int
	// documents that backends found and the collection does not have, in how many queries
	Strays, StrayQueries int
	Silent               int           // of Failed, those for which a backend gave nothing
	Asked                []string      // which backends had a part in it, as they said, in order
	Unconfirmed          string        // why another backend may have answered; "" for no doubt
	Stages               []stage.Tally // what its stages did; nil for retrievers alone
}

// Unanswered are the queries to which a backend gave no answer: they have no list, or the order before it.
func (t *Status) Unanswered() int { return t.FellBack + t.Silent }

// SayUnanswered says how many queries that is, "" for none.
func (t *Status) SayUnanswered() string {
	if t.Unanswered() == 0 {
		return ""
	}
	return strconv.Itoa(t.Unanswered()) + " of " + say.Count(t.Evaluated+t.Empty+t.Failed, "query", "queries") +
		" " + say.Verb(t.Unanswered(), "has", "have") + " no answer"
}

// count fills the numbers and the state of a run.
func (x *Experiment) count(run int) {
	t := &x.status[run]
	t.Evaluated, t.Empty, t.Failed, t.NotRun, t.FellBack, t.Asked = 0, 0, 0, 0, 0, nil
	t.Strays, t.StrayQueries, t.Silent, t.Stages = 0, 0, 0, nil
	why, fell, silent := "", "", ""
	barren := map[string]int{}
	for _, l := range x.lists[run] {
		if deeds := stage.ReadDeeds(l.did); deeds != nil {
			t.Stages = stage.Add(t.Stages, deeds)
		}
		for _, b := range strings.Fields(l.barren) {
			barren[b]++
		}
		if t.Strays += l.strays; l.strays > 0 {
			t.StrayQueries++
		}
		switch l.state {
		case NotRun:
			t.NotRun++
		case Evaluated:
			if t.Evaluated++; l.passing {
				t.FellBack++
				fell = l.fell
			}
			t.asked(l.why)
		case Empty:
			t.Empty++
		case Failed:
			if t.Failed++; why == "" {
				why = l.why
			}
			if l.passing {
				t.Silent++
				silent = l.why
			}
		}
	}
	n := len(x.lists[run])
	switch {
	case t.State == Broken && t.Why != "" && t.NotRun == n:
	case t.NotRun == n:
		t.State = Pending
	case t.NotRun > 0:
		t.State = Running
	case t.Failed == n:
		t.State, t.Why = Broken, "no query could be answered: "+why
	case t.Failed+t.FellBack == n:
		t.State, t.Why = Broken, "the backend answered no query, so this system has no figures: "+fell
	case t.Unanswered() > 0 && !x.Plan.Spec.Partial:
		t.State, t.Why = Incomplete, t.SayUnanswered()+": "+cmp.Or(silent, fell)
	case x.barren(run, barren, t) != "":
		t.State, t.Why = Broken, x.barren(run, barren, t)
	case t.Empty == n && x.Plan.Runs[run].Threshold != 0:
		least := strconv.FormatFloat(x.Plan.Runs[run].Threshold, 'g', -1, 64)
		t.State, t.Why = Broken, "no document of any query reaches the score "+least
	case x.Plan.didNothing(run, t.Stages) != "":
		t.State, t.Why = Idle, x.Plan.didNothing(run, t.Stages)
	default:
		t.State = Completed
	}
}

// didNothing says that a run is another system than it says, so that no test may hold it against that one: a stage had
// nothing to do its work with for any query, or the last stages had nothing for some, moved no document of the others,
// and the run without them is there too. It is "" for a run whose stages did their work, though the order stayed, and
// for parts of an ablation, which asks what a part that does nothing is worth.
func (p *Plan) didNothing(run int, stages []stage.Tally) string {
	r := p.Runs[run]
	if len(p.Runs) == 1 || p.Spec.Ablate != "" {
		return ""
	}
	if why := stage.IdleOf(stages); why != "" || r.Threshold != 0 {
		return why
	}
	for n, at := r.node, len(stages)-1; n.Input != nil && at >= 0 && stages[at].Moved == 0 && !stages[at].Plain(); at-- {
		name := n.Stage.Name
		n = n.Input
		if slices.ContainsFunc(p.Runs, func(o PlannedRun) bool { return o.Name() == n.String() }) {
			return name + " moved no document of any of " + say.Count(stages[at].Asked(), "query", "queries") +
				", so this system ranks as " + n.String() + " does"
		}
	}
	return ""
}

// barren says that a search backend found nothing for any query that it answered, "" where each found something. A
// collection of few queries may have none that one finds anything for: it is told all the same.
func (x *Experiment) barren(run int, nothing map[string]int, t *Status) string {
	for _, b := range stage.Backends(x.Plan.Runs[run].node) {
		if n := t.Evaluated + t.Empty; nothing[b] > 0 && nothing[b] == n {
			if edge := edgeOf(x.s); edge != nil {
				return edge.FoundNothing(b, n)
			}
			return "the backend " + b + " found no document for any query"
		}
	}
	return ""
}

// asked takes what a list says of the backends that had a part in it.
func (t *Status) asked(why string) {
	if at, there := slices.BinarySearch(t.Asked, why); why != "" && !there {
		t.Asked = slices.Insert(t.Asked, at, why)
	}
}

// Remote says what of a run was done behind an edge, "" for nothing.
func (t *Status) Remote() string {
	text := strings.Join(t.Asked, "; ")
	also := func(said string) {
		if text != "" {
			text += "; "
		}
		text += said
	}
	if t.FellBack > 0 {
		also(report.SayFell(t.FellBack))
	}
	if t.Silent > 0 {
		also("for " + say.Count(t.Silent, "query", "queries") + " the backend did not answer, so there is no list")
	}
	if t.Unconfirmed != "" {
		also("not confirmed: " + t.Unconfirmed)
	}
	if t.Strays > 0 {
		also(stage.SayStrays(t.Strays, 0, t.StrayQueries))
	}
	return text
}
