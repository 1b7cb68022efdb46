package matrix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
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
	Silent               int      // of Failed, those for which a backend gave nothing
	Asked                []string // which backends had a part in it, as they said, in order
}

// count fills the numbers and the state of a run.
func (x *Experiment) count(run int) {
	t := &x.status[run]
	t.Evaluated, t.Empty, t.Failed, t.NotRun, t.FellBack, t.Asked = 0, 0, 0, 0, 0, nil
	t.Strays, t.StrayQueries, t.Silent = 0, 0, 0
	why, fell := "", ""
	for _, l := range x.lists[run] {
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
	case t.Empty == n && x.Plan.Runs[run].Threshold != 0:
		least := strconv.FormatFloat(x.Plan.Runs[run].Threshold, 'g', -1, 64)
		t.State, t.Why = Broken, "no document of any query reaches the score "+least
	default:
		t.State = Completed
	}
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
	if t.Strays > 0 {
		also(stage.SayStrays(t.Strays, 0, t.StrayQueries))
	}
	return text
}
