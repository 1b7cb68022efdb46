//go:build !first

package experiment

import (
	"errors"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// goneShown is how many documents of a stage are told.
const goneShown = 20

// stepsOf returns what the stages of a pipeline did for the query that r ranked last; of clusters the documents that
// are among the hits.
func stepsOf(r rank.Ranker, hits []rank.Hit, cards []bundle.Card) []byte {
	built, ok := r.(stage.Ranker)
	if !ok {
		return nil
	}
	told := func(d uint32) Gone { return Gone{ID: cards[d].ID, Title: cards[d].Title} }
	var out did
	for _, t := range stage.Steps(built) {
		step := Step{Stage: t.Node.Stage.Name, Ran: t.Ran, Hits: t.Hits, Micros: t.Micros, Note: t.Note,
			State: t.State(), Moved: t.Moved, Below: t.Account.Below}
		for _, g := range t.Gone[:min(goneShown, len(t.Gone))] {
			x := told(g.Doc)
			if x.Why = g.Why; g.By != g.Doc {
				x.By = cards[g.By].Title
			}
			step.Gone = append(step.Gone, x)
		}
		for _, g := range t.Groups {
			cluster := Cluster{Name: g.Name}
			for _, d := range g.Docs {
				if slices.ContainsFunc(hits, func(h rank.Hit) bool { return h.Doc == d }) {
					cluster.Docs = append(cluster.Docs, told(d))
				}
			}
			if cluster.Docs != nil {
				step.Clusters = append(step.Clusters, cluster)
			}
		}
		out = append(out, step)
	}
	return wire.Marshal(&out)
}

// fellBack is how many backends did not answer for the query that r ranked last, so that the order before them stands:
// at most 1.
func fellBack(r rank.Ranker) int {
	built, _ := r.(stage.Ranker)
	return min(1, len(stage.FellBack(built)))
}

// silent reports whether the error of a ranking is that of a backend that gave no answer.
func silent(err error) bool {
	_, nothing := errors.AsType[*remote.Error](err)
	_, changed := errors.AsType[*remote.Changed](err)
	return nothing || changed
}

// unanswered says how many of the queries a backend gave no answer to, and why.
func unanswered(n, of int, why string) string {
	text := say.Thousands(n) + " of " + say.Count(of, "query", "queries") + " " + say.Verb(n, "has", "have") +
		" no answer, so there are no figures."
	if why != "" {
		text += " " + why
	}
	return text
}

// bookEdge opens the ledger of an evaluation: its answers are kept once their backends are confirmed behind them.
func bookEdge(s *Session) (end func()) {
	if s.backends.edge == nil {
		return func() {}
	}
	l := s.backends.edge.Begin()
	return func() {
		l.Confirm(true) // of a backend that changed the next evaluation says so
		l.End()
	}
}

// whyFell says why the order is the one before a backend, "" where it is not.
func whyFell(r rank.Ranker) string {
	built, _ := r.(stage.Ranker)
	if why := stage.WhyFell(built); why != "" {
		return sentence(why)
	}
	return ""
}

// tally is what the stages of one system did for the judged queries.
type tally struct{ all []stage.Tally }

func (t *tally) add(r rank.Ranker) {
	if built, ok := r.(stage.Ranker); ok {
		t.all = stage.Add(t.all, stage.Deeds(built))
	}
}

// idle says which stage had nothing to do for any query, so that the system is another than it says and has no figures;
// "" if none.
func (t *tally) idle() string { return sentence(stage.IdleOf(t.all)) }

// lacking says which stage of a system has nothing to do its work with in this collection, before anything is ranked.
func lacking(s *Session, n *pipeline.Node) string { return sentence(stage.HasNothing(s.parts, n)) }

func sentence(why string) string {
	if why == "" {
		return ""
	}
	return strings.ToUpper(why[:1]) + why[1:] + "."
}

// asks says whether a pipeline asks backends.
func asks(n *pipeline.Node) bool { return len(stage.Backends(n)) > 0 }

// did is what the stages did, as it travels: as bytes, so that a page of the first program needs not know it.
type did []Step

// Steps returns what each stage did, in the order in which they are written; nil where it was not told.
func (l *List) Steps() []Step {
	var out did
	if len(l.Did) == 0 || wire.Unmarshal(l.Did, &out) != nil {
		return nil
	}
	return out
}

// Wire walks the steps.
func (d *did) Wire(c *wire.Codec) {
	wire.List(c, (*[]Step)(d), func(t *Step) {
		state := int(t.State)
		c.Fields(&t.Stage, &t.Note, &t.Ran, &state, &t.Moved, &t.Below, &t.Hits, &t.Micros)
		if c.Reading() {
			if state < 0 || state > int(stage.Below) {
				c.Fail()
			}
			t.State = stage.State(state)
		}
		gone(c, &t.Gone)
		wire.List(c, &t.Clusters, func(g *Cluster) { c.String(&g.Name); gone(c, &g.Docs) })
	})
}

func gone(c *wire.Codec, list *[]Gone) {
	wire.List(c, list, func(g *Gone) {
		c.Fields(&g.ID, &g.Title, &g.Why, &g.By)
	})
}

// Step is what one stage of a pipeline did for the query.
type Step struct {
	Stage    string
	Ran      bool    // false where another stage did its work
	Hits     int     // documents that it handed on
	Micros   float64 // its own time
	Note     string
	State    stage.State
	Moved    int // documents, -1 if it had no ranking before it
	Below    int // documents that did not reach its threshold
	Gone     []Gone
	Clusters []Cluster
}

// Gone is a document that a stage took out or put further down.
type Gone struct {
	ID, Title string
	Why       string // "title like that of"
	By        string // title of the document that it repeats, "" where it is none
}

// Cluster is a part of a ranking: three words, and its documents in the order of the ranking.
type Cluster struct {
	Name string
	Docs []Gone // Why and By are empty
}
