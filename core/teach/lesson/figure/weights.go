package figure

import (
	"errors"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

// weights leads from tf-idf to BM25: three parts of a word's weight, each with two other forms, and the list of
// articles that they order.
var weights = Kind{Name: "weights", Minutes: 2, New: func(d Data) (Figure, error) {
	if len(d.Rows) < 2 || len(d.Rows) > 12 || len(d.Rows[0]) < 2 || len(d.Targets) != 1 ||
		len(d.Values) != len(d.Rows)*(4+2*(len(d.Rows[0])-1)) {
		return nil, errors.New("two to twelve articles with numbers of each word, and a target")
	}
	f := &weighted{target: d.Targets[0]}
	v := d.Values
	for _, r := range d.Rows {
		if len(r) != len(d.Rows[0]) {
			return nil, errors.New("each article has the numbers of every word")
		}
		x := Scored{Title: r[0], Grade: int(v[0]), Docs: v[1], Length: v[2], Average: v[3]}
		if !(x.Length > 0 && x.Average > 0) {
			return nil, errors.New("an article has a length")
		}
		v = v[4:]
		for _, name := range r[1:] {
			if !(v[1] >= 1 && v[1] <= x.Docs && v[0] >= 0) {
				return nil, errors.New("a word is in some of the documents")
			}
			x.Words = append(x.Words, Word{name, v[0], v[1]})
			v = v[2:]
		}
		f.of = append(f.of, x)
	}
	return f, nil
}}

type weighted struct {
	of     []Scored
	target float64
}

// Forms selects the form of each part of a weight: for the term frequency the count, its logarithm or BM25's
// saturation; for the rarity none, ln N/df or BM25's idf; for the length none, full or b = 0.4.
type Forms struct{ TF, IDF, Length int }

// Labels of the forms on the buttons.
var (
	formsOfTF     = []string{"tf", "1 + ln tf", "saturated"}
	formsOfIDF    = []string{"none", "ln N/df", "BM25's"}
	formsOfLength = []string{"ignored", "in full", "b = 0.4"}
)

// Weight returns the rarity of a word of an article, the factor of its frequency, and their product. With the last
// form of each part it is BM25 with k1 = 0.9 and b = 0.4, computed by package bm25. The length divides the
// frequency.
//
// Sources: Spärck Jones, Journal of Documentation 28(1), 1972, for idf; Singhal, Buckley and Mitra, SIGIR 1996, for
// the logarithm over a pivoted length.
func (x Scored) Weight(word int, p Forms) (rarity, often, weight float64) {
	w := x.Words[word]
	if w.TF <= 0 {
		return x.rarity(w, p), 0, 0
	}
	b := []float64{0, 1, 0.4}[p.Length]
	idf, saturation, score := bm25.Weigh(bm25.Params{Variant: "lucene", K1: 0.9, B: b, Title: 1},
		bm25.Numbers{Docs: x.Docs, DF: w.DF, TF: w.TF, Length: x.Length, Average: x.Average})
	if p == (Forms{2, 2, p.Length}) {
		return idf, saturation, score
	}
	rarity = x.rarity(w, p)
	often = w.TF
	switch p.TF {
	case 1:
		often = 1 + float.Log(w.TF)
	case 2:
		return rarity, saturation, float64(rarity * saturation)
	}
	often /= 1 - b + float64(b*x.Length/x.Average)
	return rarity, often, float64(rarity * often)
}

func (x Scored) rarity(w Word, p Forms) float64 {
	switch p.IDF {
	case 1:
		return float.Log(x.Docs / w.DF)
	case 2:
		idf, _, _ := bm25.Weigh(bm25.Params{Variant: "lucene", K1: 0.9, Title: 1}, bm25.Numbers{Docs: x.Docs, DF: w.DF})
		return idf
	}
	return 1
}

// Score returns the sum of an article's weights.
func (x Scored) Score(p Forms) float64 {
	sum := 0.0
	for w := range x.Words {
		_, _, v := x.Weight(w, p)
		sum += v
	}
	return sum
}

// Ordered returns the articles by score, best first, ties in their order.
func Ordered(of []Scored, p Forms) []Scored {
	var out []Scored
	for _, i := range descending(len(of), func(i int) float64 { return of[i].Score(p) }) {
		out = append(out, of[i])
	}
	return out
}

// A state holds the form of each part.
func (f *weighted) Start() State { return State{0, 0, 0} }

func (f *weighted) Asks() string { return "Bring the relevant article to the top." }

func (f *weighted) Handles(s State) []Handle {
	return []Handle{
		{Name: "tf", Label: "How often", Max: 2, At: s[0], Choices: formsOfTF},
		{Name: "idf", Label: "How rare", Max: 2, At: s[1], Choices: formsOfIDF},
		{Name: "length", Label: "Length", Max: 2, At: s[2], Choices: formsOfLength},
	}
}

func (f *weighted) Set(s State, m Move) State {
	s[map[string]int{"tf": 0, "idf": 1, "length": 2}[m.Name]] = m.To
	return s
}

func (f *weighted) Goals(s State) []Goal {
	p := Forms{s[0], s[1], s[2]}
	t := &measure.Topic{TopGrade: 3}
	for _, x := range Ordered(f.of, p) {
		t.Ranked = append(t.Ranked, float64(x.Grade))
	}
	t.Judged = t.Ranked
	goals := []Goal{atLeast("RR", scoreOf("RR", t), f.target)}
	if i := slices.IndexFunc(f.of, func(x Scored) bool { return x.Grade > 0 }); i >= 0 {
		goals = append(goals, Goal{Label: "its score", Value: digits(f.of[i].Score(p))})
	}
	return goals
}

func (f *weighted) View(s State) View {
	p := Forms{s[0], s[1], s[2]}
	v := View{Heads: []string{"rank", "score"}}
	order := Ordered(f.of, p)
	for i, x := range order {
		row := Row{Key: itoa(slices.IndexFunc(f.of, func(y Scored) bool { return y.Title == x.Title })),
			Grade: itoa(max(0, x.Grade)), Title: x.Title, Cells: []string{itoa(i + 1), digits(x.Score(p))}}
		if x.Grade > 0 {
			row.Class = "lit"
		}
		v.Rows = append(v.Rows, row)
		if i > 0 && x.Grade <= 0 {
			continue
		}
		var parts []string
		for w, word := range x.Words {
			if _, _, weight := x.Weight(w, p); word.TF > 0 {
				parts = append(parts, word.Name+" "+say.Page.Number(weight, 2))
			}
		}
		v.Sums = append(v.Sums, "Rank "+itoa(i+1)+": "+strings.Join(parts, " + "))
	}
	v.Plot = f.plot(p)
	return v
}

// plot draws the factor of the n-th mention relative to the first, and the rarity of each word.
func (f *weighted) plot(p Forms) *Plot {
	const w, left, right, low, top, most = 320, 20, 130, 128, 28, 6
	d := &Plot{W: w, Says: "What mentions count beside the first, with " + formsOfTF[p.TF] +
		", and the rarity of each word, with " + formsOfIDF[p.IDF]}
	for form := range formsOfTF {
		var l path
		x := Scored{Docs: 2, Length: 1, Average: 1, Words: []Word{{"", 1, 1}}}
		_, first, _ := x.Weight(0, Forms{TF: form})
		for tf := 1.0; tf <= most; tf += 0.5 {
			x.Words[0].TF = tf
			_, often, _ := x.Weight(0, Forms{TF: form})
			l.to(scale(tf/most, left, right), scale(often/first/most, low, top))
		}
		d.line(l.d, map[bool]string{true: "second", false: "want"}[form == p.TF])
	}
	d.axes(left, top, low, right, "0", itoa(most))
	d.text(left-12, 12, "start", "× one mention, tf to "+itoa(most))
	d.text(166, 12, "start", "rarity of each word")
	highest := 1.0
	for _, word := range f.of[0].Words {
		highest = max(highest, f.of[0].rarity(word, p))
	}
	for i, word := range f.of[0].Words {
		y := 20 + float64(float64(i)*16)
		r := f.of[0].rarity(word, p)
		d.text(196, y+10, "end", word.Name)
		long := float64(max(0, r/highest*84))
		d.rect(200, y, long, 12, "on")
		d.text(204+long, y+10, "start", say.Page.Number(r, 2))
	}
	d.H = max(low+16, 24+float64(float64(len(f.of[0].Words))*16))
	return d
}

// packWeights packs the lesson's data.
func packWeights(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Scored) < 2 {
		return d, errors.New("it takes two scored articles or more")
	}
	for _, x := range g.Scored {
		row := []string{x.Title}
		d.Values = append(d.Values, float64(x.Grade), x.Docs, x.Length, x.Average)
		for _, w := range x.Words {
			row = append(row, w.Name)
			d.Values = append(d.Values, w.TF, w.DF)
		}
		d.Rows = append(d.Rows, row)
	}
	return d, nil
}
