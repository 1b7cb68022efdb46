package figure

import (
	"errors"

	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

// words shows BM25 term by term: k1 and b as handles on saturation and length, rarity as a bar per word.
var words = Kind{Name: "words", Minutes: 2.5, New: func(d Data) (Figure, error) {
	if len(d.Rows) != 2 || len(d.Rows[0]) < 2 || len(d.Rows[0]) != len(d.Rows[1]) ||
		len(d.Values) != 2*(3+2*(len(d.Rows[0])-1)) {
		return nil, errors.New("two articles with numbers of each word")
	}
	f := &scored{}
	v := d.Values
	for i, r := range d.Rows {
		f.of[i] = Scored{Title: r[0], Docs: v[0], Length: v[1], Average: v[2]}
		v = v[3:]
		for _, name := range r[1:] {
			f.of[i].Words = append(f.of[i].Words, Word{name, v[0], v[1]})
			v = v[2:]
		}
	}
	return f, nil
}}

type scored struct{ of [2]Scored }

// A state holds k1 and b, in tenths.
func (f *scored) Start() State { return State{9, 4} }

func (f *scored) Asks() string {
	return "Find a k1 and a b with which article B overtakes article A."
}

func (f *scored) Handles(s State) []Handle {
	p := f.params(s)
	return []Handle{
		{Name: "k1", Label: "k1: saturation", Max: 30, At: s[0], Says: "k1 = " + brief(p.K1)},
		{Name: "b", Label: "b: length", Max: 10, At: s[1], Says: "b = " + brief(p.B)},
	}
}

func (f *scored) Set(s State, m Move) State {
	s[map[string]int{"k1": 0, "b": 1}[m.Name]] = m.To
	return s
}

func (f *scored) params(s State) bm25.Params {
	return bm25.Params{Variant: "lucene", K1: float64(s[0]) / 10, B: float64(s[1]) / 10, Title: 1}
}

// weigh returns what a word adds to the score of an article.
func (f *scored) weigh(s State, i, word int) (idf, saturation, score float64) {
	x := f.of[i]
	return bm25.Weigh(f.params(s), bm25.Numbers{Docs: x.Docs, DF: x.Words[word].DF, TF: x.Words[word].TF,
		Length:  x.Length,
		Average: x.Average})
}

func (f *scored) score(s State, i int) float64 {
	sum := 0.0
	for w := range f.of[i].Words {
		_, _, v := f.weigh(s, i, w)
		sum += v
	}
	return sum
}

func (f *scored) Goals(s State) []Goal {
	a, b := f.score(s, 0), f.score(s, 1)
	return []Goal{{Label: "score of A", Value: digits(a)}, {"score of B", digits(b), "above A",
		conditionDistance(b > a) * max(1e-6, a-b)}}
}

func (f *scored) View(s State) View {
	v := View{First: "Word", Heads: []string{"idf", "tf in A", "adds", "tf in B", "adds"}}
	const w, h, left, right, low, top = 320, 200, 28, 150, 160, 24
	p := &Plot{W: w, H: h,
		Says: "The share of its weight that a word adds, by how often it occurs, in an article of A's length " +
			"and of B's, and the idf of each word"}
	x := func(tf float64) float64 { return scale(tf/10, left, right) }
	y := func(v float64) float64 { return scale(v, low, top) }
	for i := range f.of {
		var l path
		for tf := 0.0; tf <= 10; tf += 0.25 {
			_, sat, _ := bm25.Weigh(f.params(s), bm25.Numbers{Docs: 2, DF: 1, TF: tf, Length: f.of[i].Length,
				Average: f.of[i].Average})
			l.to(x(tf), y(sat))
		}
		p.line(l.d, "c"+itoa(i))
		for _, word := range f.of[i].Words {
			if word.TF > 0 {
				_, sat, _ := bm25.Weigh(f.params(s), bm25.Numbers{Docs: 2, DF: 1, TF: word.TF, Length: f.of[i].Length,
					Average: f.of[i].Average})
				p.dot(x(min(10, word.TF)), y(sat), 4, "c"+itoa(i))
			}
		}
	}
	p.axes(left, top, low, right, "0", "1")
	p.text((left+right)/2, h-24, "middle", "saturation, tf to 10")
	p.text(left, 14, "start", "A full, B dashed")
	most := 0.0
	for i := range f.of[0].Words {
		idf, _, _ := f.weigh(s, 0, i)
		most = max(most, idf)
	}
	step := min(34, 136/float64(len(f.of[0].Words)))
	at := 24.0
	for i, word := range f.of[0].Words {
		if word.DF == 0 { // no article contains it
			continue
		}
		idf, _, a := f.weigh(s, 0, i)
		_, _, b := f.weigh(s, 1, i)
		v.Rows = append(v.Rows, Row{Key: itoa(i), Title: word.Name, Cells: []string{digits(idf), brief(word.TF),
			formatTerm(a), brief(f.of[1].Words[i].TF), formatTerm(b)}})
		p.rect(170, at+12, idf/max(most, 1e-9)*144, step-20, "on")
		p.text(170, at+9, "start", word.Name+" "+digits(idf))
		at += step
	}
	p.text(170, 14, "start", "idf of each word")
	v.Plot = p
	v.Sums = []string{"A has " + itoa(int(f.of[0].Length)) + " words, B " + itoa(int(f.of[1].Length)) +
		", and an average article " + itoa(int(f.of[0].Average)) + "."}
	return v
}

// packWords packs the lesson's data.
func packWords(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Scored) != 2 {
		return d, errors.New("it takes two scored articles")
	}
	for _, x := range g.Scored {
		row := []string{x.Title}
		d.Values = append(d.Values, x.Docs, x.Length, x.Average)
		for _, w := range x.Words {
			row = append(row, w.Name)
			d.Values = append(d.Values, w.TF, w.DF)
		}
		d.Rows = append(d.Rows, row)
	}
	return d, nil
}
