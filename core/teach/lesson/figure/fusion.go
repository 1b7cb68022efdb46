package figure

import (
	"errors"

	"github.com/rankbox/rankbox/core/measure"
)

// fusion shows two rankings fused by rank, with the first documents in a reranker's order.
var fusion = Kind{Name: "fusion", Minutes: 2.5, New: func(d Data) (Figure, error) {
	if len(d.Rows) < 3 || len(d.Rows) > 60 || len(d.Rows[0]) != 2 || len(d.Values) != 4*(len(d.Rows)-1) ||
		len(d.Targets) != 2 {
		return nil, errors.New("names of two systems, documents with a grade and three ranks, and two targets")
	}
	f := &fused{names: [2]string{d.Rows[0][0], d.Rows[0][1]}, target: d.Targets[0], most: int(d.Targets[1])}
	for i, r := range d.Rows[1:] {
		if len(r) != 1 {
			return nil, errors.New("a document has a title")
		}
		v := d.Values[4*i:]
		x := listed{r[0], int32(v[0]), [3]int{int(v[1]), int(v[2]), int(v[3])}}
		if x.rank[0] < 0 || x.rank[1] < 0 {
			return nil, errors.New("a rank is 1 or more")
		}
		f.docs = append(f.docs, x)
	}
	return f, nil
}}

// listed is a document with its ranks in both lists, 0 if absent, and in the reranker's order.
type listed struct {
	title string
	grade int32
	rank  [3]int
}

type fused struct {
	names  [2]string
	docs   []listed // of either list, then the relevant ones in neither
	target float64
	most   int // number of reranked documents
}

// constants are the choices of reciprocal rank fusion's k.
var constants = []float64{1, 10, 60}

// ReciprocalRanks returns the score of a document at ranks a and b of two lists, 0 if absent, under weighted
// reciprocal rank fusion: the second list has weight w, the first 1 − w.
//
// Source: Cormack, Clarke and Büttcher, SIGIR 2009, without weights.
func ReciprocalRanks(a, b int, w, k float64) float64 {
	score := 0.0
	if a > 0 {
		score += (1 - w) / (k + float64(a))
	}
	if b > 0 {
		score += w / (k + float64(b))
	}
	return score
}

// A state holds the weight of the second list in tenths, the index of the constant, and the number of reranked
// documents.
func (f *fused) Start() State { return State{0, 2, 0} }

func (f *fused) Asks() string {
	return "Reach nDCG@10 of " + brief(f.target) + " with at most " + itoa(f.most) + " documents reranked."
}

func (f *fused) Handles(s State) []Handle {
	var ks []string
	for _, k := range constants {
		ks = append(ks, brief(k))
	}
	return []Handle{
		{Name: "weight", Label: "Weight of " + f.names[1], Max: 10, At: s[0], Says: brief(float64(s[0]) / 10)},
		{Name: "k", Label: "k", Max: len(ks) - 1, At: s[1], Choices: ks},
		{Name: "depth", Label: "Rerank the first", Max: 10, At: s[2], Says: itoa(s[2])},
	}
}

func (f *fused) Set(s State, m Move) State {
	s[map[string]int{"weight": 0, "k": 1, "depth": 2}[m.Name]] = m.To
	return s
}

// order returns the fused ranking, its first documents reranked.
func (f *fused) order(s State) []listed {
	score := func(x listed) float64 {
		return ReciprocalRanks(x.rank[0], x.rank[1], float64(s[0])/10, constants[s[1]])
	}
	var fused, out []listed
	for _, i := range descending(len(f.docs), func(i int) float64 { return score(f.docs[i]) }) {
		if score(f.docs[i]) > 0 {
			fused = append(fused, f.docs[i])
		}
	}
	depth := min(s[2], len(fused))
	for _, i := range descending(depth, func(i int) float64 { return -float64(fused[i].rank[2]) }) {
		out = append(out, fused[i])
	}
	return append(out, fused[depth:]...)
}

func (f *fused) Goals(s State) []Goal {
	t := &measure.Topic{TopGrade: 3}
	for _, x := range f.docs {
		t.Judged = append(t.Judged, float64(max(0, x.grade)))
	}
	found := 0
	for i, x := range f.order(s) {
		if t.Ranked = append(t.Ranked, float64(max(0, x.grade))); i < 10 && x.grade > 0 {
			found++
		}
	}
	return []Goal{atLeast("nDCG@10", scoreOf("nDCG@10", t), f.target), atMost("reranked", s[2], f.most),
		{Label: "relevant of 10", Value: itoa(found)}}
}

func (f *fused) View(s State) View {
	v := View{Heads: []string{"rank", f.names[0], f.names[1]}}
	order := f.order(s)
	rank := func(n int) string {
		if n == 0 {
			return "–"
		}
		return itoa(n)
	}
	for i, x := range order[:min(10, len(order))] {
		row := Row{Key: x.title, Grade: itoa(int(max(0, x.grade))), Title: x.title,
			Cells: []string{itoa(i + 1), rank(x.rank[0]), rank(x.rank[1])}}
		if x.grade > 0 {
			row.Class = "lit"
		}
		if i+1 == s[2] {
			row.Class += " last"
		}
		v.Rows = append(v.Rows, row)
	}
	v.Plot = f.plot(s, order)
	return v
}

// plot draws each document as a line from its rank in the first list through the fusion to that in the second.
func (f *fused) plot(s State, order []listed) *Plot {
	const w, h, top, pitch = 320, 134, 16, 11
	p := &Plot{W: w, H: h, Says: "The first ten ranks of " + f.names[0] + ", of the fusion and of " + f.names[1] +
		"; lines join the same document"}
	at := func(rank int) float64 { return top + float64(pitch*float64(rank)) }
	for i, name := range []string{f.names[0], "fused", f.names[1]} {
		p.text(30+float64(130*float64(i)), 12, "middle", name)
	}
	for i, x := range order[:min(10, len(order))] {
		class := ""
		if x.grade > 0 {
			class = "now"
		}
		p.dot(160, at(i+1), 3.5, class)
		for side, from := range []float64{30, 290} {
			if r := x.rank[side]; r > 0 && r <= 10 {
				var l path
				l.to(from, at(r))
				l.to(160, at(i+1))
				p.line(l.d, map[bool]string{true: "second", false: "want"}[x.grade > 0])
				p.dot(from, at(r), 3.5, class)
			}
		}
	}
	if s[2] > 0 {
		p.line("M140 "+itoa(int(at(s[2])+5))+"h40", "stairs")
	}
	return p
}

// packFusion packs the lesson's data: two rankings, and a reranker's over the whole collection.
func packFusion(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Tables) != 3 || len(g.Targets) != 2 {
		return d, errors.New("it takes two rankings, that of a reranker, and two targets")
	}
	ranks := func(of Ranking) map[string]int {
		at := map[string]int{}
		for i, doc := range of.Lists[0] {
			at[of.Docs[doc].Label] = i + 1
		}
		return at
	}
	first, second, again := ranks(g.Tables[0]), ranks(g.Tables[1]), ranks(g.Tables[2])
	d.Rows = [][]string{{g.Tables[0].Name, g.Tables[1].Name}}
	seen := map[string]bool{}
	add := func(title string, grade int32) error {
		if seen[title] {
			return nil
		}
		seen[title] = true
		if again[title] == 0 {
			return errors.New("the reranker has no rank for " + title)
		}
		d.Rows = append(d.Rows, []string{title})
		d.Values = append(d.Values, float64(grade), float64(first[title]), float64(second[title]),
			float64(again[title]))
		return nil
	}
	for _, t := range g.Tables {
		for _, doc := range t.Docs {
			if first[doc.Label] > 0 || second[doc.Label] > 0 || doc.Grade > 0 {
				if err := add(doc.Label, doc.Grade); err != nil {
					return d, err
				}
			}
		}
	}
	return d, nil
}
