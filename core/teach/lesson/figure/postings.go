package figure

import "errors"

// Postings holds posting lists, one for each word: ascending document numbers without duplicates.
type Postings struct {
	Titles []string // of the documents, numbered from 1
	Docs   int
	Words  []string // index terms: stems
	Lists  [][]int
}

// Intersect returns the documents in both posting lists, and the number of comparisons of Walk.
func Intersect(a, b []int, every int) (both []int, comparisons int) {
	Walk(a, b, every, func(x, y int, skip bool) {
		if comparisons++; x == y && !skip {
			both = append(both, x)
		}
	})
	return both, comparisons
}

// Walk merges two posting lists with two pointers up to the end of one, and passes each comparison to compare. The
// pointer at the smaller document advances, or both do. If every is above 1, every every-th posting of a, from the
// first, has a skip pointer to the next such posting. There the merge also compares the target of the skip pointer,
// and follows it unless that lies beyond the document of b.
//
// Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, figures 1.6 and 2.10, without
// the inner loop, which saves comparisons only for consecutive skips.
func Walk(a, b []int, every int, compare func(x, y int, skip bool)) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		compare(a[i], b[j], false)
		to := skipFrom(a, i, every)
		switch {
		case a[i] == b[j]:
			i++
			j++
		case a[i] > b[j]:
			j++
		case to > 0:
			if compare(a[to], b[j], true); a[to] <= b[j] {
				i = to
			} else {
				i++
			}
		default:
			i++
		}
	}
}

// skipFrom returns the target of the skip pointer of posting i, 0 if it has none.
func skipFrom(list []int, i, every int) int {
	if every < 2 || i%every != 0 || i+every >= len(list) {
		return 0
	}
	return i + every
}

// postings shows two posting lists with a pointer each, and skip pointers in the first.
var postings = Kind{Name: "postings", Minutes: 2.5, New: func(d Data) (Figure, error) {
	if len(d.Rows) != 2 || len(d.Rows[0]) != 1 || len(d.Rows[1]) != 1 || len(d.Targets) != 2 {
		return nil, errors.New("two words, the length of the first list and how many comparisons are allowed")
	}
	n := int(d.Targets[0])
	if n < 1 || n >= len(d.Values) || len(d.Values) > 40 {
		return nil, errors.New("two lists of at most 40 postings")
	}
	f := &merge{words: [2]string{d.Rows[0][0], d.Rows[1][0]}, most: int(d.Targets[1])}
	for i, v := range d.Values {
		f.lists[min(1, i/n)] = append(f.lists[min(1, i/n)], int(v))
	}
	for _, l := range f.lists {
		for i := 1; i < len(l); i++ {
			if l[i] <= l[i-1] {
				return nil, errors.New("a posting list ascends")
			}
		}
	}
	f.both, f.plainComparisons = Intersect(f.lists[0], f.lists[1], 1)
	return f, nil
}}

type merge struct {
	words            [2]string
	lists            [2][]int
	both             []int
	plainComparisons int // comparisons of a merge without skip pointers
	most             int
}

// A state holds both pointers, the number of comparisons, the number of documents found, and the distance of skip
// pointers.
func (f *merge) Start() State { return State{0, 0, 0, 0, 2} }

func (f *merge) Asks() string {
	return "Find every document with both words, to the end of one list, in at most " + itoa(f.most) +
		" comparisons. A plain merge takes " + itoa(f.plainComparisons) + "."
}

func (f *merge) Handles(s State) []Handle {
	return []Handle{
		{Name: "every", Label: "A skip pointer in " + f.words[0] + ", every", Min: 2, Max: 10, At: s[4],
			Says: itoa(s[4]) + " postings"},
		{Name: "step1", Label: "Step in " + f.words[0], Press: true},
		{Name: "step2", Label: "Step in " + f.words[1], Press: true},
		{Name: "skip", Label: "Try the skip pointer of " + f.words[0], Press: true},
	}
}

// heads returns the documents at the pointers; ok is false at the end of a list.
func (f *merge) heads(s State) (a, b int, ok bool) {
	if s[0] >= len(f.lists[0]) || s[1] >= len(f.lists[1]) {
		return 0, 0, false
	}
	return f.lists[0][s[0]], f.lists[1][s[1]], true
}

func (f *merge) Set(s State, m Move) State {
	if m.Name == "every" { // start again
		return State{0, 0, 0, 0, m.To}
	}
	a, b, ok := f.heads(s)
	to := skipFrom(f.lists[0], s[0], s[4])
	if !ok || m.Name == "skip" && to == 0 {
		return s
	}
	s[2]++
	switch {
	case a == b: // a match: both advance
		s[0]++
		s[1]++
		s[3]++
	case m.Name == "step1":
		s[0]++
	case m.Name == "step2":
		s[1]++
	default:
		if s[2]++; f.lists[0][to] <= b {
			s[0] = to
		}
	}
	return s
}

func (f *merge) Goals(s State) []Goal {
	left := min(len(f.lists[0])-s[0], len(f.lists[1])-s[1])
	lost := 0.0 // a pointer that has passed a document never finds it
	for _, d := range f.both[min(s[3], len(f.both)):] {
		if s[0] > 0 && f.lists[0][min(s[0], len(f.lists[0]))-1] >= d ||
			s[1] > 0 && f.lists[1][min(s[1], len(f.lists[1]))-1] >= d {
			lost++
		}
	}
	found := Goal{"documents with both", itoa(s[3]), "all " + itoa(len(f.both)) + ", to the end", lost}
	if left > 0 {
		found.Far += 0.1 + float64(len(f.lists[0])-s[0]+len(f.lists[1])-s[1])/100
		a, b, _ := f.heads(s)
		found.Far += float64(float64(max(a-b, b-a)) * 1e-6) // makes the teacher's key advance the pointer that lags
	}
	return []Goal{found, atMost("comparisons", s[2], f.most)}
}

func (f *merge) View(s State) View {
	const w, wide, tall, across = 320, 30, 24, 10
	p := &Plot{W: w}
	y := 0.0
	for l, list := range f.lists {
		y += 14
		p.text(0, y, "start", f.words[l]+", "+itoa(len(list))+" postings")
		y += 12
		for i, d := range list {
			if i > 0 && i%across == 0 {
				y += tall + 8
			}
			x := 4 + float64(float64(i%across)*wide)
			class := "off"
			if i < s[l] {
				class = "todo"
			}
			p.rect(x, y, wide-4, tall-4, class)
			p.text(x+wide/2-2, y+14, "middle", itoa(d))
			if l == 0 && skipFrom(list, i, s[4]) > 0 {
				p.line("M"+coord(x)+" "+coord(y+tall-1)+"h10l-3 -3m3 3l-3 3", "second")
			}
			if i == s[l] {
				p.dot(x+wide/2-2, y-4, 4, "now")
			}
		}
		y += tall + 12
	}
	p.H = y
	p.Says = "Two posting lists with a pointer each: " + f.words[0] + " at posting " + itoa(s[0]+1) + " of " +
		itoa(len(f.lists[0])) + ", " + f.words[1] + " at posting " + itoa(s[1]+1) + " of " + itoa(len(f.lists[1]))
	v := View{Plot: p}
	a, b, ok := f.heads(s)
	to := skipFrom(f.lists[0], s[0], s[4])
	stand := f.words[0] + " is at " + itoa(a) + ", " + f.words[1] + " at " + itoa(b)
	switch {
	case !ok:
		v.Sums = []string{"One list is at its end: no further document has both words."}
	case a == b:
		v.Sums = []string{itoa(a) + " = " + itoa(b) + ": it has both words. A step notes it and moves both pointers."}
	case to > 0:
		v.Sums = []string{stand + "; a skip pointer leads to " + itoa(f.lists[0][to]) + "."}
	default:
		v.Sums = []string{stand + "; no skip pointer here."}
	}
	v.Sums = append(v.Sums, "A step costs one comparison; to try a skip pointer costs two.")
	return v
}

// packPostings packs the lesson's data.
func packPostings(g Given) (Data, error) {
	if len(g.Postings) != 1 || len(g.Postings[0].Lists) != 2 || len(g.Targets) != 1 {
		return Data{}, errors.New("it takes the postings of two words and the comparisons that are allowed")
	}
	x := g.Postings[0]
	d := Data{Targets: []float64{float64(len(x.Lists[0])), g.Targets[0]}}
	for i, l := range x.Lists {
		d.Rows = append(d.Rows, []string{x.Words[i]})
		for _, doc := range l {
			d.Values = append(d.Values, float64(doc))
		}
	}
	return d, nil
}
