package figure

import (
	"errors"
	"math"
)

// Neighbours holds the nearest documents of a query, with the recall and cost of inverted-file indexes of the
// collection.
type Neighbours struct {
	Query   string
	Docs    int    // of the collection
	Near    []Near // nearest first
	Indexes []Probed
}

// Near is a document near the query. X and Y are its direction from the query, of length 1.
type Near struct {
	Title      string
	Similarity float64 // the dot product
	X, Y       float64
	Probe      []int // by index: the number of probes needed to reach its list, from 1
}

// Probed is an index. Its slices have an entry for each number of probes, from 1.
type Probed struct {
	Lists                  int
	Sizes                  []int     // documents of the list that this probe adds, for the query
	Recall, Products, NDCG []float64 // means over all queries: recall of the exact first ten, dot products, nDCG@10
}

// Spend returns the number of dot products for the query: one for each centre, and one for each document of the
// probed lists.
func (x Probed) Spend(probes int) int {
	n := x.Lists
	for _, size := range x.Sizes[:probes] {
		n += size
	}
	return n
}

// Found returns how many of the first k documents are in the probed lists.
func (n Neighbours) Found(index, probes, k int) (found int) {
	for _, d := range n.Near[:min(k, len(n.Near))] {
		if d.Probe[index] <= probes {
			found++
		}
	}
	return found
}

const (
	firstTen   = 10
	mostProbes = 16 // maximum of the handle
)

// probes shows an inverted-file index with a choice of the number of lists and of probes.
var probes = Kind{Name: "probes", Minutes: 2.5, New: func(d Data) (Figure, error) {
	bad := errors.New("a query, ten articles, neighbours and indexes, and two targets")
	if len(d.Rows) != 1+firstTen || len(d.Targets) != 2 || len(d.Values) < 3 {
		return nil, bad
	}
	v := d.Values
	take := func() float64 {
		x := v[0]
		v = v[1:]
		return x
	}
	f := &prober{target: d.Targets[0], most: d.Targets[1]}
	f.Docs = int(take())
	docs, indexes := int(take()), int(take())
	if docs < firstTen || docs > 60 || indexes < 2 || indexes > 6 || len(v) < docs*(3+indexes) {
		return nil, bad
	}
	for _, r := range d.Rows {
		if len(r) != 1 {
			return nil, bad
		}
	}
	f.Query = d.Rows[0][0]
	for i := range docs {
		n := Near{Similarity: take() / 1e4, X: take() / 1e3, Y: take() / 1e3}
		if i < firstTen {
			n.Title = d.Rows[1+i][0]
		}
		for range indexes {
			n.Probe = append(n.Probe, int(take()))
		}
		f.Near = append(f.Near, n)
	}
	for range indexes {
		if len(v) < 1 || v[0] < 1 || v[0] > 1000 {
			return nil, bad
		}
		x := Probed{Lists: int(take())}
		n := min(x.Lists, mostProbes)
		if len(v) < 3*n {
			return nil, bad
		}
		for range n {
			x.Sizes = append(x.Sizes, int(take()))
			x.Recall = append(x.Recall, take()/1e4)
			x.Products = append(x.Products, take()/10)
		}
		f.Indexes = append(f.Indexes, x)
	}
	return f, nil
}}

type prober struct {
	Neighbours
	target, most float64
}

// A state holds the index and the number of probes.
func (f *prober) Start() State { return State{1, 1} }

func (f *prober) Asks() string {
	return "Reach a mean recall of " + brief(f.target) + " with at most " + brief(f.most) +
		" dot products a query. An exact search takes " + itoa(f.Docs) + "."
}

func (f *prober) Handles(s State) []Handle {
	var lists []string
	for _, x := range f.Indexes {
		lists = append(lists, itoa(x.Lists))
	}
	return []Handle{
		{Name: "lists", Label: "Lists of the index", Max: len(lists) - 1, At: s[0], Choices: lists},
		{Name: "probes", Label: "Lists probed", Min: 1, Max: len(f.Indexes[s[0]].Sizes), At: s[1], Says: itoa(s[1])},
	}
}

func (f *prober) Set(s State, m Move) State {
	if m.Name == "lists" {
		return State{m.To, min(s[1], len(f.Indexes[m.To].Sizes))}
	}
	s[1] = m.To
	return s
}

func (f *prober) Goals(s State) []Goal {
	x, p := f.Indexes[s[0]], s[1]-1
	return []Goal{{Label: "this query", Value: itoa(f.Found(s[0], s[1], firstTen)) + " of 10"},
		atLeast("mean recall", x.Recall[p], f.target),
		{"dot products", brief(math.Round(x.Products[p])), "at most " + brief(f.most),
			max(0, x.Products[p]-f.most) / 100}}
}

func (f *prober) View(s State) View {
	x := f.Indexes[s[0]]
	v := View{Heads: []string{"dot product", "probe"}}
	for _, d := range f.Near[:firstTen] {
		r := Row{Key: d.Title, Title: d.Title, Class: "hole", Cells: []string{digits(d.Similarity), "–"}}
		if at := d.Probe[s[0]]; at <= s[1] {
			r.Class, r.Cells[1] = "", itoa(at)
		}
		v.Rows = append(v.Rows, r)
	}
	spent := x.Spend(s[1])
	v.Sums = []string{"This query: " + itoa(x.Lists) + " centres + " + itoa(spent-x.Lists) + " articles = " +
		itoa(spent) +
		" dot products."}
	v.Plot = f.plot(s)
	return v
}

// plot draws the neighbours around the query by dot product, and beside them recall against dot products.
func (f *prober) plot(s State) *Plot {
	const w, h, mid, reach = 330, 196, 98, 92
	x := f.Indexes[s[0]]
	p := &Plot{W: w, H: h, Says: "The nearest articles around the query, those in a probed list filled; the circle " +
		"holds the exact first ten. Beside it, mean recall by dot products"}
	first, last := f.Near[0].Similarity, f.Near[len(f.Near)-1].Similarity
	far := func(n Near) float64 { // the nearest a quarter of the way out, the last at the rim
		return scale((first-n.Similarity)/max(first-last, 1e-9), reach/4, reach)
	}
	r := float64((far(f.Near[firstTen-1]) + far(f.Near[min(firstTen, len(f.Near)-1)])) / 2)
	p.line("M"+coord(mid-r)+" "+coord(mid)+"a"+coord(r)+" "+coord(r)+" 0 1 0 "+coord(float64(2*r))+
		" 0a"+coord(r)+" "+coord(r)+" 0 1 0 "+coord(-2*r)+
		" 0", "second")
	p.dot(mid, mid, 3, "")
	p.text(mid, mid+15, "middle", "query")
	for _, n := range f.Near {
		class := "off"
		if n.Probe[s[0]] <= s[1] {
			class = "now"
		}
		p.dot(mid+float64(far(n)*n.X), mid+float64(far(n)*n.Y), 4, class)
	}
	const left, right, low, top = 226, 316, 160, 20
	px := func(products float64) float64 { return scale(min(1, products/float64(f.Docs)), left, right) }
	py := func(recall float64) float64 { return scale(recall, low, top) }
	p.axes(left, top, low, right, "0", "1")
	p.text(left, 11, "start", "mean recall")
	p.text(w-2, h-6, "end", "dot products, to "+itoa(f.Docs))
	p.line("M"+coord(left)+" "+coord(py(f.target))+"H"+coord(px(f.most))+"V"+coord(low), "want")
	var l path
	for i := range x.Recall {
		l.to(px(x.Products[i]), py(x.Recall[i]))
		p.dot(px(x.Products[i]), py(x.Recall[i]), 2, "")
	}
	p.line(l.d, "")
	p.dot(px(x.Products[s[1]-1]), py(x.Recall[s[1]-1]), 4.5, "now")
	return p
}

// packProbes packs the lesson's data. Scores travel as integers, which compress well.
func packProbes(g Given) (Data, error) {
	d := Data{Targets: g.Targets}
	if len(g.Near) != 1 || len(g.Near[0].Near) < firstTen {
		return d, errors.New("it takes the neighbours of a query")
	}
	n := g.Near[0]
	d.Rows = [][]string{{n.Query}}
	d.Values = []float64{float64(n.Docs), float64(len(n.Near)), float64(len(n.Indexes))}
	whole := func(v, parts float64) float64 { return math.Round(float64(v * parts)) }
	for i, x := range n.Near {
		if i < firstTen {
			d.Rows = append(d.Rows, []string{x.Title})
		}
		d.Values = append(d.Values, whole(x.Similarity, 1e4), whole(x.X, 1e3), whole(x.Y, 1e3))
		for _, p := range x.Probe {
			d.Values = append(d.Values, float64(p))
		}
	}
	for _, x := range n.Indexes {
		d.Values = append(d.Values, float64(x.Lists))
		for i := range min(x.Lists, mostProbes) {
			d.Values = append(d.Values, float64(x.Sizes[i]), whole(x.Recall[i], 1e4), whole(x.Products[i], 10))
		}
	}
	return d, nil
}
