package workspace

import (
	"slices"
	"strings"
)

// Rule says which grade a document has that several layers judge.
type Rule string

// The rules. Layers stand in the order of Workspace.Layers.
const (
	Priority Rule = "priority" // the grade of the first layer that has one
	Highest  Rule = "highest"  // the highest grade
	Latest   Rule = "latest"   // the grade that was given last; of those without a time the first layer's
	Majority Rule = "majority" // the grade that most layers give; of several the one that the first layer gives
)

// Rules are all of them.
var Rules = []Rule{Priority, Highest, Latest, Majority}

// Said is the rule in words.
func (r Rule) Said() string {
	switch r {
	case Highest:
		return "the highest grade counts"
	case Latest:
		return "the latest grade counts"
	case Majority:
		return "the most frequent grade counts, on a tie the first layer's"
	}
	return "the first layer with a grade counts: yours, a second judge's, a model's, then imported ones"
}

func (r Rule) check() error {
	if !slices.Contains(Rules, r) {
		return fault("%q is not a rule: want priority, highest, latest or majority", string(r))
	}
	return nil
}

// Rule is the rule of the workspace, Priority unless somebody chose another.
func (w *Workspace) Rule() Rule {
	if w.rule.there {
		return w.rule.value
	}
	return Priority
}

// Resolved is the grade that counts, and how many layers have one.
type Resolved struct {
	Query, Document string
	Grade           int
	Layers          int
}

// Resolve returns the grades that count, by query and document. imported are judgments that came with the documents: they are the last
// layer.
func (w *Workspace) Resolve(imported []Judgment) []Resolved {
	type vote struct {
		grade int
		time  int64
	}
	votes := map[pair][]vote{}
	add := func(j Judgment) {
		if j.Graded {
			p := pair{j.Query, j.Document}
			votes[p] = append(votes[p], vote{j.Grade, j.Time})
		}
	}
	for _, h := range w.Layers() {
		for _, j := range w.Judgments(h.ID) {
			add(j)
		}
	}
	for _, j := range imported {
		add(j)
	}
	out := make([]Resolved, 0, len(votes))
	rule := w.Rule()
	for p, list := range votes {
		best := list[0]
		for _, v := range list[1:] {
			switch rule {
			case Highest:
				best.grade = max(best.grade, v.grade)
			case Latest:
				if v.time > best.time {
					best = v
				}
			}
		}
		if rule == Majority {
			most := 0
			for _, v := range list {
				n := 0
				for _, o := range list {
					if o.grade == v.grade {
						n++
					}
				}
				if n > most {
					most, best = n, v
				}
			}
		}
		out = append(out, Resolved{p.query, p.document, best.grade, len(list)})
	}
	slices.SortFunc(out, func(a, b Resolved) int {
		if c := strings.Compare(a.Query, b.Query); c != 0 {
			return c
		}
		return strings.Compare(a.Document, b.Document)
	})
	return out
}
