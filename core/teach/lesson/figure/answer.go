package figure

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/intake/scores/nugget"
	"github.com/rankbox/rankbox/core/measure"
)

// Answer holds sentences that may answer a query, with the articles that they cite and their nuggets.
type Answer struct {
	Nuggets   []Fact
	Sentences []Sentence
	Grades    []float64 // of the cited articles, and of the relevant ones that no sentence cites
}

// Fact is a nugget: a fact that a good answer states.
type Fact struct {
	Text  string
	Vital bool
}

// Sentence is a sentence of an answer. Its indices count from 0.
type Sentence struct {
	Text     string
	Cites    []int            // indices in Answer.Grades
	Supports []nugget.Support // by nugget
	Starts   bool             // part of the initial answer
}

// Recall returns the nugget recall of the selected sentences: each nugget has the best support by any of them.
func (a *Answer) Recall(in []bool) nugget.Recall {
	return nugget.Of(a.support(in))
}

func (a *Answer) support(in []bool) []nugget.Nugget {
	list := make([]nugget.Nugget, len(a.Nuggets))
	for i, n := range a.Nuggets {
		list[i].Vital = n.Vital
		for j, s := range a.Sentences {
			if in[j] {
				list[i].Support = max(list[i].Support, s.Supports[i])
			}
		}
	}
	return list
}

// Cited returns the articles that the selected sentences cite, without duplicates, in order of first citation.
func (a *Answer) Cited(in []bool) (docs []int) {
	for i, s := range a.Sentences {
		for _, d := range s.Cites {
			if in[i] && !slices.Contains(docs, d) {
				docs = append(docs, d)
			}
		}
	}
	return docs
}

// Citations returns precision and recall of the set of cited articles. Both are 0 without citations.
func (a *Answer) Citations(in []bool) (precision, recall float64) {
	t := &measure.Topic{TopGrade: 3, Judged: a.Grades}
	for _, d := range a.Cited(in) {
		t.Ranked = append(t.Ranked, a.Grades[d])
	}
	n := len(t.Ranked)
	if n == 0 {
		return 0, 0
	}
	return scoreOf("P@"+itoa(n), t), scoreOf("R@"+itoa(n), t) // at this depth they equal SetP and SetR
}

// answer lets a student compose an answer from sentences, with its nugget recall and citations.
var answer = Kind{Name: "answer", Minutes: 2.5, New: func(d Data) (Figure, error) {
	bad := errors.New("nuggets, sentences and three targets")
	if len(d.Targets) != 3 || len(d.Values) < 3 {
		return nil, bad
	}
	v := d.Values
	nuggets, sentences, docs := int(v[0]), int(v[1]), int(v[2])
	v = v[3:]
	if nuggets < 1 || nuggets > 12 || sentences < 1 || sentences > 12 || docs < 1 || docs > 60 ||
		len(d.Rows) != nuggets+sentences || len(v) < nuggets+docs {
		return nil, bad
	}
	for _, r := range d.Rows {
		if len(r) != 1 {
			return nil, bad
		}
	}
	f := &builder{vital: d.Targets[0], recall: d.Targets[1], most: int(d.Targets[2])}
	for i := range nuggets {
		f.Nuggets = append(f.Nuggets, Fact{d.Rows[i][0], v[i] != 0})
	}
	v = v[nuggets:]
	for _, g := range v[:docs] {
		f.Grades = append(f.Grades, float64(g))
	}
	v = v[docs:]
	for i := range sentences {
		s := Sentence{Text: d.Rows[nuggets+i][0]}
		if len(v) < nuggets+2 {
			return nil, bad
		}
		for _, x := range v[:nuggets] {
			if x < 0 || x > float64(nugget.Full) {
				return nil, bad
			}
			s.Supports = append(s.Supports, nugget.Support(x))
		}
		f.first = append(f.first, min(1, max(0, int(v[nuggets]))))
		n := int(v[nuggets+1])
		if v = v[nuggets+2:]; n < 0 || n > len(v) {
			return nil, bad
		}
		for _, x := range v[:n] {
			if x < 0 || int(x) >= docs {
				return nil, bad
			}
			s.Cites = append(s.Cites, int(x))
		}
		v = v[n:]
		f.Sentences = append(f.Sentences, s)
	}
	return f, nil
}}

type builder struct {
	Answer
	first         State
	vital, recall float64
	most          int
}

// A state holds for each sentence whether it is in the answer.
func (f *builder) Start() State { return slices.Clone(f.first) }

func (f *builder) Asks() string {
	return "Put together at most " + itoa(f.most) + " sentences: strict recall of vital nuggets " + brief(f.vital) +
		", citation precision 1, citation recall " + brief(f.recall) + "."
}

func (f *builder) Handles(s State) (out []Handle) {
	for i := range s {
		out = append(out, Handle{Name: "in" + itoa(i+1), Label: "Answer", Row: i + 1, Max: 1, At: s[i],
			Choices: []string{"out", "in"}})
	}
	return out
}

func (f *builder) Set(s State, m Move) State {
	for i := range s {
		if m.Name == "in"+itoa(i+1) {
			s[i] = m.To
		}
	}
	return s
}

func included(s State) (in []bool) {
	for _, x := range s {
		in = append(in, x == 1)
	}
	return in
}

func (f *builder) Goals(s State) []Goal {
	in, n := included(s), 0
	for _, x := range s {
		n += x
	}
	precision, recall := f.Citations(in)
	return append([]Goal{atLeast("vital recall", f.Recall(in).StrictVital, f.vital),
		atLeast("citation precision", precision, 1), atLeast("citation recall", recall, f.recall)},
		atMost("sentences", n, f.most))
}

func (f *builder) View(s State) View {
	v := View{First: "Sentence", Heads: []string{"cites", "answer"}}
	for i, x := range f.Sentences {
		r := Row{Key: itoa(i + 1), Title: x.Text}
		var cites []string
		for _, d := range x.Cites {
			cites = append(cites, articleName(d))
		}
		r.Cells = []string{cmp.Or(strings.Join(cites, ", "), "–")}
		if s[i] == 1 {
			r.Class = "lit"
		}
		v.Rows = append(v.Rows, r)
	}
	const w, pitch, left = 330, 20, 88
	p := &Plot{W: w, H: float64(16 + pitch*len(f.Nuggets)), Says: "The nuggets, and how far the answer has each"}
	in := included(s)
	p.text(0, 11, "start", "Nuggets")
	var vital [nugget.Full + 1]int
	for i, n := range f.support(in) {
		y := float64(16 + pitch*i)
		kind := "okay"
		if n.Vital {
			kind = "vital"
			vital[n.Support]++
		}
		p.rect(0, y+3, 28, 13, "todo")
		p.rect(0, y+3, 14*float64(n.Support), 13, "on")
		p.text(34, y+14, "start", kind)
		p.text(left-20, y+14, "start", f.Nuggets[i].Text)
	}
	v.Plot = p
	r := f.Recall(in)
	var cited []string
	for _, d := range f.Cited(in) {
		cited = append(cited, articleName(d)+" "+itoa(int(max(0, f.Grades[d]))))
	}
	v.Sums = []string{"With halves: vital (" + itoa(vital[nugget.Full]) + " + " + itoa(vital[nugget.Partial]) +
		" / 2) / " +
		itoa(vital[0]+vital[1]+vital[2]) + " = " + digits(r.Vital) + ", all " + digits(r.All) + ".",
		"Articles cited, with their grades: " + cmp.Or(strings.Join(cited, ", "), "none") + "."}
	return v
}

// articleName returns the name of an article: A, B, C …
func articleName(doc int) string { return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[doc%26:][:1] }

// packAnswer packs an answer with its nuggets.
func packAnswer(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Answers) != 1 {
		return d, errors.New("it takes an answer")
	}
	a := g.Answers[0]
	d.Values = []float64{float64(len(a.Nuggets)), float64(len(a.Sentences)), float64(len(a.Grades))}
	for _, n := range a.Nuggets {
		d.Rows = append(d.Rows, []string{n.Text})
		d.Values = append(d.Values, conditionDistance(!n.Vital))
	}
	d.Values = append(d.Values, a.Grades...)
	for _, s := range a.Sentences {
		d.Rows = append(d.Rows, []string{s.Text})
		for _, x := range s.Supports {
			d.Values = append(d.Values, float64(x))
		}
		d.Values = append(d.Values, conditionDistance(!s.Starts), float64(len(s.Cites)))
		for _, doc := range s.Cites {
			d.Values = append(d.Values, float64(doc))
		}
	}
	return d, nil
}
