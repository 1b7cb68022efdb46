package figure

import (
	"errors"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
)

// Expansion is a query expanded from its first documents, with the parts of its scores.
type Expansion struct {
	Query string
	Words []Weighted // of the query, with their share of it
	Docs  []Expanded
	Added [][]Weighted // by the first 1, 2 … documents: their heaviest words, with their share of them
	First []int32      // grades of the query's first documents
}

// Weighted is a weighted word.
type Weighted struct {
	Name   string
	Weight float64
}

// Expanded is a document with its score for the query alone, and for the words that the first 1, 2 … documents add.
type Expanded struct {
	Grade    int32
	Query    float64
	Feedback []float64
}

// Interpolate returns a mixed weight or score: original for the query's part, the rest for the feedback's. Both are
// linear, so the score of an expanded query is the same mix of two scores.
//
// Source: Abdul-Jaleel et al., UMass at TREC 2004: Novelty and HARD (RM3).
func Interpolate(query, feedback, original float64) float64 {
	return float64(original*query) + float64((1-original)*feedback)
}

// Order returns the documents by score for a number of feedback documents, without those of score 0.
func (x *Expansion) Order(docs int, original float64) (out []Expanded) {
	score := func(d Expanded) float64 { return Interpolate(d.Query, d.Feedback[docs-1], original) }
	for _, i := range descending(len(x.Docs), func(i int) float64 { return score(x.Docs[i]) }) {
		if score(x.Docs[i]) > 0 {
			out = append(out, x.Docs[i])
		}
	}
	return out
}

// Value returns nDCG@10 for a number of feedback documents.
func (x *Expansion) Value(docs int, original float64) float64 {
	t := &measure.Topic{TopGrade: 3}
	for _, d := range x.Docs {
		t.Judged = append(t.Judged, float64(d.Grade))
	}
	for _, d := range x.Order(docs, original) {
		t.Ranked = append(t.Ranked, float64(d.Grade))
	}
	return scoreOf("nDCG@10", t)
}

// Share is a word with its shares of the query and of the feedback.
type Share struct {
	Name            string
	Query, Feedback float64
}

// Heaviest returns the words of the expanded query, heaviest first.
func (x *Expansion) Heaviest(docs int, original float64) (out []Share) {
	var all []Share
	for _, w := range x.Words {
		all = append(all, Share{w.Name, w.Weight, 0})
	}
next:
	for _, w := range x.Added[docs-1] {
		for i := range all {
			if all[i].Name == w.Name {
				all[i].Feedback = w.Weight
				continue next
			}
		}
		all = append(all, Share{w.Name, 0, w.Weight})
	}
	for _, i := range descending(len(all), func(i int) float64 {
		return Interpolate(all[i].Query, all[i].Feedback, original)
	}) {
		out = append(out, all[i])
	}
	return out
}

// Scores travel as integer multiples of these fractions: they compress well and distinguish all scores.
const (
	scoreParts  = 1e6
	weightParts = 1e4
)

// expansion shows two queries under one setting of pseudo-relevance feedback: what helps one makes the other drift.
var expansion = Kind{Name: "expansion", Minutes: 2.5, New: func(d Data) (Figure, error) {
	bad := errors.New("two queries with their words, articles and feedback, and two targets")
	if len(d.Targets) != 2 || len(d.Rows) < 4 || len(d.Rows)%2 != 0 || len(d.Rows[0]) != 1 {
		return nil, bad
	}
	f := &drift{targets: [2]float64{d.Targets[0], d.Targets[1]}, docs: len(d.Rows)/2 - 2}
	if f.docs < 1 || f.docs > 10 {
		return nil, bad
	}
	v := d.Values
	for i := range f.of {
		x := &f.of[i]
		rows := d.Rows[i*len(d.Rows)/2:][:len(d.Rows)/2]
		if len(rows[0]) != 1 || len(v) < f.docs+1 {
			return nil, bad
		}
		x.Query = rows[0][0]
		for j, row := range rows[1:] {
			var list []Weighted
			if len(v) < len(row) {
				return nil, bad
			}
			for k, name := range row {
				list = append(list, Weighted{name, v[k] / weightParts})
			}
			if v = v[len(row):]; j == 0 {
				x.Words = list
			} else {
				x.Added = append(x.Added, list)
			}
		}
		if len(v) < f.docs+1 || v[f.docs] < 1 || v[f.docs] > 255 || len(v) < f.docs+1+int(v[f.docs])*(2+f.docs) {
			return nil, bad
		}
		for _, g := range v[:f.docs] {
			x.First = append(x.First, int32(g))
		}
		n := int(v[f.docs])
		v = v[f.docs+1:]
		for range n {
			e := Expanded{Grade: int32(v[0]), Query: v[1] / scoreParts}
			for _, s := range v[2 : 2+f.docs] {
				e.Feedback = append(e.Feedback, s/scoreParts)
			}
			x.Docs = append(x.Docs, e)
			v = v[2+f.docs:]
		}
	}
	return f, nil
}}

type drift struct {
	of      [2]Expansion
	targets [2]float64
	docs    int // maximum number of feedback documents
}

// A state holds the number of feedback documents, the weight of the original query in tenths, and the shown query.
func (f *drift) Start() State { return State{f.docs, 5, 0} }

// queryStart returns the start of a query.
func queryStart(query string) string {
	if w := strings.Fields(query); len(w) > 3 {
		return strings.Join(w[:3], " ") + " …"
	}
	return query
}

func (f *drift) Asks() string {
	return "One setting for both queries: reach nDCG@10 of " + brief(f.targets[0]) + " for the first, and keep " +
		brief(f.targets[1]) + " for the second."
}

func (f *drift) Handles(s State) []Handle {
	return []Handle{
		{Name: "docs", Label: "Feedback articles", Min: 1, Max: f.docs, At: s[0], Says: itoa(s[0])},
		{Name: "original", Label: "Weight of the query", Max: 10, At: s[1], Says: brief(float64(s[1]) / 10)},
		{Name: "show", Label: "Words of", Max: 1, At: s[2], Choices: []string{"the first", "the second"}},
	}
}

func (f *drift) Set(s State, m Move) State {
	s[map[string]int{"docs": 0, "original": 1, "show": 2}[m.Name]] = m.To
	return s
}

func (f *drift) Goals(s State) (out []Goal) {
	for i := range f.of {
		out = append(out, atLeast(queryStart(f.of[i].Query), f.of[i].Value(s[0], float64(s[1])/10), f.targets[i]))
	}
	return out
}

func (f *drift) View(s State) View {
	x, original := &f.of[s[2]], float64(s[1])/10
	v := View{First: "Word", Heads: []string{"query", "feedback", "weight"}}
	words := x.Heaviest(s[0], original)
	for _, w := range words[:min(9, len(words))] {
		r := Row{Key: w.Name, Title: w.Name, Cells: []string{formatTerm(w.Query), formatTerm(w.Feedback),
			digits(Interpolate(w.Query, w.Feedback, original))}}
		if w.Query > 0 {
			r.Class = "lit"
		}
		v.Rows = append(v.Rows, r)
	}
	var grades []string
	for _, g := range x.First[:s[0]] {
		grades = append(grades, itoa(int(max(0, g))))
	}
	v.Sums = []string{"Grades of the feedback articles: " + strings.Join(grades, " ")}
	p := &Plot{W: 330, H: 178, Says: "Each query's articles by the score of the query and that of the feedback; " +
		"beyond the line are the first ten, and relevant articles are coloured"}
	for i := range f.of {
		f.panel(p, i, s)
	}
	v.Plot = p
	return v
}

// panel draws the articles of a query: the query's score to the right, the feedback's upwards. The line is the
// cutoff of the first ten.
func (f *drift) panel(p *Plot, i int, s State) {
	const side, top = 132, 22
	left, low := 20+float64(168*float64(i)), float64(top+side)
	original, x := float64(s[1])/10, &f.of[i]
	mq, mf := 1e-9, 1e-9
	for _, d := range x.Docs {
		mq, mf = max(mq, d.Query), max(mf, d.Feedback[s[0]-1])
	}
	p.text(left+side/2-6, 12, "middle", queryStart(x.Query))
	p.axes(left, top, low, left+side, "", "")
	p.text(left+side/2, low+16, "middle", "query →, feedback ↑")
	for _, d := range x.Docs {
		class := ""
		if d.Grade > 0 {
			class = "now"
		}
		p.dot(left+float64(side*d.Query/mq), low-float64(side*d.Feedback[s[0]-1]/mf), 3.5, class)
	}
	order := x.Order(s[0], original)
	if len(order) <= 10 {
		return
	}
	a, b := order[9], order[10]
	cut := float64((Interpolate(a.Query, a.Feedback[s[0]-1], original) +
		Interpolate(b.Query, b.Feedback[s[0]-1], original)) / 2)
	// The line is wq × across + wf × up = cut, clipped to the panel.
	wq, wf := float64(original*mq), float64((1-original)*mf)
	across, up := [2]float64{cut / wq}, [2]float64{1: cut / wf}
	if across[0] > 1 {
		across[0], up[0] = 1, (cut-wq)/wf
	}
	if up[1] > 1 {
		across[1], up[1] = (cut-wf)/wq, 1
	}
	var l path
	for j := range across {
		l.to(left+float64(side*across[j]), low-float64(side*up[j]))
	}
	p.line(l.d, "second")
}

// packExpansion packs the lesson's data: for each query the articles that some setting ranks in the first ten, one
// more for each setting, and the relevant ones.
func packExpansion(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Expansions) != 2 {
		return d, errors.New("it takes two queries with their feedback")
	}
	whole := func(v, parts float64) float64 { return math.Round(float64(v * parts)) }
	for _, x := range g.Expansions {
		d.Rows = append(d.Rows, []string{x.Query})
		for _, list := range append([][]Weighted{x.Words}, x.Added...) {
			var row []string
			for _, w := range list {
				row = append(row, w.Name)
				d.Values = append(d.Values, whole(w.Weight, weightParts))
			}
			d.Rows = append(d.Rows, row)
		}
		for _, grade := range x.First[:len(x.Added)] {
			d.Values = append(d.Values, float64(grade))
		}
		var kept []Expanded
		seen := map[string]bool{}
		for docs := range x.Added {
			for tenths := range 11 {
				order := x.Order(docs+1, float64(tenths)/10)
				for _, e := range order[:min(11, len(order))] {
					seen[e.key()] = true
				}
			}
		}
		for _, e := range x.Docs {
			if e.Grade > 0 || seen[e.key()] {
				kept = append(kept, e)
			}
		}
		d.Values = append(d.Values, float64(len(kept)))
		for _, e := range kept {
			d.Values = append(d.Values, float64(e.Grade), whole(e.Query, scoreParts))
			for _, s := range e.Feedback {
				d.Values = append(d.Values, whole(s, scoreParts))
			}
		}
	}
	return d, nil
}

// key identifies a document by its scores.
func (e Expanded) key() string {
	k := coord(e.Query * scoreParts)
	for _, s := range e.Feedback {
		k += " " + coord(s*scoreParts)
	}
	return k
}
