package figure

import (
	"errors"
	"strconv"

	"github.com/rankbox/rankbox/core/measure"
)

// pool is filled system by system, and shows the holes that it leaves in the list of a system outside.
var pool = Kind{Name: "pool", Minutes: 2, New: func(d Data) (Figure, error) {
	if len(d.Rows) < 3 || len(d.Targets) != 2 || len(d.Values) != (len(d.Rows)-1)*len(d.Rows[0]) {
		return nil, errors.New("documents and their ranks in systems, and two targets")
	}
	f := &pooled{systems: d.Rows[0], want: d.Targets[0], most: int(d.Targets[1])}
	for i, r := range d.Rows[1:] {
		if len(r) != 2 {
			return nil, errors.New("a document has a title and a grade")
		}
		g, err := strconv.Atoi(r[1])
		if err != nil {
			return nil, err
		}
		p := pooledDoc{title: r[0], grade: int32(g)}
		for _, v := range d.Values[i*len(f.systems) : (i+1)*len(f.systems)] {
			p.ranks = append(p.ranks, int(v))
		}
		f.docs = append(f.docs, p)
	}
	return f, nil
}}

// packPool takes the ranking of the system outside the pool, then those of the possible contributors. The first row
// names the systems in this order. Rank 0 means that a system does not retrieve the document.
func packPool(g Given) (Data, error) {
	d := Data{Targets: g.Targets, Rows: [][]string{{"outside"}}}
	if len(g.Tables) < 3 {
		return d, errors.New("it takes the ranking of a system and two others or more")
	}
	ranks := map[string][]int{}
	grades := map[string]int32{}
	var titles []string
	for i, t := range g.Tables {
		if i > 0 {
			d.Rows[0] = append(d.Rows[0], t.Name)
		}
		for r, doc := range t.Lists[0] {
			x := t.Docs[doc]
			if ranks[x.Label] == nil {
				ranks[x.Label], titles = make([]int, len(g.Tables)), append(titles, x.Label)
			}
			ranks[x.Label][i], grades[x.Label] = r+1, x.Grade
		}
	}
	for _, title := range titles {
		d.Rows = append(d.Rows, []string{title, strconv.Itoa(int(grades[title]))})
		for _, r := range ranks[title] {
			d.Values = append(d.Values, float64(r))
		}
	}
	return d, nil
}

type pooled struct {
	systems []string
	docs    []pooledDoc
	want    float64
	most    int
}

type pooledDoc struct {
	title string
	grade int32
	ranks []int // by system, 0 if not retrieved
}

func (f *pooled) Asks() string {
	return "Fill the pool so that at least " + say100(f.want) +
		" of the new system's first ten are judged, with at most " +
		itoa(f.most) + " judged articles."
}

// A state holds the depth of the pool, then 1 for each contributing system.
func (f *pooled) Start() State {
	return append(State{5, 1}, make([]int, len(f.systems)-2)...)
}

func (f *pooled) Handles(s State) []Handle {
	out := []Handle{{Name: "depth", Label: "Depth of the pool", Min: 1, Max: 20, At: s[0], Says: "first " + itoa(s[0])}}
	for i, name := range f.systems[1:] {
		out = append(out, Handle{Name: "in" + itoa(i+1), Label: name, Max: 1, At: s[i+1], Choices: []string{"out",
			"in"}})
	}
	return out
}

func (f *pooled) Set(s State, m Move) State {
	if m.Name == "depth" {
		s[0] = m.To
	} else if i, err := strconv.Atoi(m.Name[2:]); err == nil && i > 0 && i < len(s) {
		s[i] = m.To
	}
	return s
}

// judged reports whether a document is in the pool.
func (f *pooled) judged(s State, d pooledDoc) bool {
	for i := 1; i < len(f.systems); i++ {
		if s[i] == 1 && d.ranks[i] > 0 && d.ranks[i] <= s[0] {
			return true
		}
	}
	return false
}

// topic returns the list of the system outside the pool, with the pool's judgments or all of them.
func (f *pooled) topic(s State, complete bool) *measure.Topic {
	t := &measure.Topic{Query: "pool"}
	for _, d := range f.list() {
		g := d.grade
		if !complete && !f.judged(s, d) {
			g = measure.Unjudged
		}
		t.Ranked = append(t.Ranked, float64(g))
	}
	for _, d := range f.docs {
		if complete || f.judged(s, d) {
			t.Judged = append(t.Judged, float64(d.grade))
		}
	}
	return t
}

// list returns the list of the system outside the pool in rank order.
func (f *pooled) list() (out []pooledDoc) {
	for rank := 1; ; rank++ {
		n := len(out)
		for _, d := range f.docs {
			if d.ranks[0] == rank {
				out = append(out, d)
			}
		}
		if len(out) == n {
			return out
		}
	}
}

func (f *pooled) Goals(s State) []Goal {
	return []Goal{
		atLeast("Judged@10", scoreOf("Judged@10", f.topic(s, false)), f.want),
		atMost("judged articles", len(f.topic(s, false).Judged), f.most),
	}
}

func (f *pooled) View(s State) View {
	v := View{Heads: []string{"judged because of"}}
	for i, d := range f.list() {
		r := Row{Key: d.title, Rank: itoa(i + 1), Grade: strconv.Itoa(int(d.grade)), Title: d.title}
		why := ""
		for j := 1; j < len(f.systems); j++ {
			if s[j] == 1 && d.ranks[j] > 0 && d.ranks[j] <= s[0] && why == "" {
				why = f.systems[j] + ", rank " + itoa(d.ranks[j])
			}
		}
		if why == "" {
			r.Grade, r.Class, why = "?", "hole", "nobody: a hole"
		}
		r.Cells = []string{why}
		v.Rows = append(v.Rows, r)
	}
	v.Sums = []string{resultOf("P@10", f.topic(s, false)) + " with this pool, " +
		digits(scoreOf("P@10", f.topic(s, true))) +
		" with all judgments"}
	return v
}
