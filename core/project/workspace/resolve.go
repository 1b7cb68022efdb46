package workspace

import (
	"cmp"
	"slices"
	"strings"
)

// Rule says which grade a document has that several layers judge.
type Rule string

// The rules. Layers have the order of Workspace.Layers. Under each of them an adjudicated grade wins over all
// others.
const (
	Priority Rule = "priority" // the grade of the first layer that has one
	Highest  Rule = "highest"  // the highest grade
	Lowest   Rule = "lowest"   // the lowest grade
	Latest   Rule = "latest"   // the grade that was given last; of several the lowest
	// Majority is the grade that most layers give; of several the lowest. No name of a layer moves it.
	Majority Rule = "majority"
)

// vote is the grade that a layer gives.
type vote struct {
	grade float64
	time  int64
}

// rules is the table of rules: what each is in words, and the vote that counts of at least one.
var rules = []struct {
	rule Rule
	said string
	pick func(votes []vote) vote
}{
	{Priority, "the first layer with a grade counts: yours, a second judge's, a model's, then imported ones",
		func(v []vote) vote { return v[0] }},
	{Highest, "the highest grade counts", func(v []vote) vote {
		return best(v, func(x,
			y vote) bool {
			return x.grade > y.grade
		})
	}},
	{Lowest, "the lowest grade counts", func(v []vote) vote {
		return best(v, func(x,
			y vote) bool {
			return x.grade < y.grade
		})
	}},
	{Latest, "the latest grade counts", func(v []vote) vote {
		return best(v, func(x,
			y vote) bool {
			return x.time > y.time || x.time == y.time && x.grade < y.grade
		})
	}},
	{Majority, "the most frequent grade counts, on a tie the lowest of these", func(v []vote) vote {
		n := map[float64]int{}
		for _, x := range v {
			n[x.grade]++
		}
		return best(v, func(x, y vote) bool {
			return n[x.grade] > n[y.grade] || n[x.grade] == n[y.grade] && x.grade < y.grade
		})
	}},
}

// best is the first vote that no other one beats.
func best(votes []vote, beats func(x, y vote) bool) vote {
	out := votes[0]
	for _, v := range votes[1:] {
		if beats(v, out) {
			out = v
		}
	}
	return out
}

// Rules are all of them.
func Rules() (out []Rule) {
	for _, r := range rules {
		out = append(out, r.rule)
	}
	return out
}

// Said is the rule in words.
func (r Rule) Said() string {
	for _, x := range rules {
		if x.rule == r {
			return x.said
		}
	}
	return rules[0].said
}

func (r Rule) check() error {
	if !slices.Contains(Rules(), r) {
		return fault("%q is not a rule: want priority, highest, lowest, latest or majority", string(r))
	}
	return nil
}

// Rule is the rule of the workspace, Priority unless another was chosen.
func (w *Workspace) Rule() Rule {
	if w.rule.there {
		return w.rule.value
	}
	return Priority
}

// Resolved is the grade that counts, and how many layers have one.
type Resolved struct {
	Query, Document string
	Grade           float64
	Layers          int
}

// Resolve returns the grades that count, by query and document. imported are judgments that came with the documents:
// they are the last layer. Hidden layers have no say.
func (w *Workspace) Resolve(imported []Judgment) []Resolved {
	type ballot struct {
		pair
		vote
		decides bool
	}
	var all []ballot
	counting(w, imported, func(h *Head, j *Judgment) {
		all = append(all, ballot{pair{j.Query, j.Document}, vote{j.Grade, j.Time}, h.Origin == Adjudicated})
	})
	slices.SortStableFunc(all, func(a, b ballot) int {
		return cmp.Or(strings.Compare(a.query, b.query), strings.Compare(a.document, b.document))
	})
	pick := rules[0].pick
	for _, r := range rules {
		if r.rule == w.Rule() {
			pick = r.pick
		}
	}
	out := make([]Resolved, 0, len(all))
	var list []vote
	for i := 0; i < len(all); {
		p := all[i].pair
		from := i
		list = list[:0]
		for ; i < len(all) && all[i].pair == p; i++ {
			list = append(list, all[i].vote)
		}
		v := all[from].vote
		if at := slices.IndexFunc(all[from:i], func(b ballot) bool { return b.decides }); at >= 0 {
			v = all[from+at].vote
		} else if len(list) > 1 {
			v = pick(list)
		}
		out = append(out, Resolved{p.query, p.document, v.grade, len(list)})
	}
	return out
}

// counting calls use with the grades of every layer that is not hidden, layers in their order and the collection's
// last.
// The grades of a layer come in any order.
func counting(w *Workspace, imported []Judgment, use func(h *Head, j *Judgment)) {
	for _, h := range w.Layers() {
		if h.State == Hidden {
			continue
		}
		for p, c := range w.layers[h.ID].cells {
			if c.grade.there {
				use(&h, &Judgment{Query: p.query, Document: p.document, Grade: c.grade.value, Graded: true,
					Time: c.grade.at.Time})
			}
		}
	}
	if h := w.Collection(); h.State != Hidden {
		for i := range imported {
			if imported[i].Graded {
				use(&h, &imported[i])
			}
		}
	}
}

// Grade is what a layer says of a document.
type Grade struct {
	Layer string
	Grade float64
}

// Dispute is a document of a query that layers grade differently.
type Dispute struct {
	Query, Document string
	Grades          []Grade // in the order of Layers, without adjudicated ones; at least two
	Spread          float64 // the highest grade less the lowest, above 0
	Decided         bool    // an adjudicated layer has a grade
}

// Tied reports whether no grade of a dispute has more layers than every other one, so that Majority takes the lowest of
// several.
func (d *Dispute) Tied() bool {
	n, most, at := map[float64]int{}, 0, 0
	for _, g := range d.Grades {
		n[g.Grade]++
	}
	for _, k := range n {
		switch {
		case k > most:
			most, at = k, 1
		case k == most:
			at++
		}
	}
	return at > 1
}

// Disputes are the documents that layers which count grade differently, the largest difference first, then by query
// and document. If layers are named by their ids, only those are asked.
func (w *Workspace) Disputes(imported []Judgment, of ...string) []Dispute {
	all := map[pair]*Dispute{}
	decided := map[pair]bool{}
	counting(w, imported, func(h *Head, j *Judgment) {
		p := pair{j.Query, j.Document}
		switch {
		case h.Origin == Adjudicated:
			decided[p] = true
			return
		case len(of) > 0 && !slices.Contains(of, h.ID):
			return
		case all[p] == nil:
			all[p] = &Dispute{Query: j.Query, Document: j.Document}
		}
		all[p].Grades = append(all[p].Grades, Grade{h.ID, j.Grade})
	})
	var out []Dispute
	for p, d := range all {
		low, high := d.Grades[0].Grade, d.Grades[0].Grade
		for _, g := range d.Grades {
			low, high = min(low, g.Grade), max(high, g.Grade)
		}
		if d.Spread = high - low; d.Spread > 0 {
			d.Decided = decided[p]
			out = append(out, *d)
		}
	}
	slices.SortFunc(out, func(a, b Dispute) int {
		return cmp.Or(cmp.Compare(b.Spread, a.Spread), strings.Compare(a.Query, b.Query), strings.Compare(a.Document,
			b.Document))
	})
	return out
}
