package packed

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// errNoGrades says why a comparison cannot be packed by grades.
var errNoGrades = say.Faultf("packed: pack grades", "the measures need more than grades by rank")

// gradesOf takes of a comparison what a form by grades holds. r is its report, whose hash travels along.
func gradesOf(f File, r *report.Report, stop func() bool) (*byGrades, error) {
	in := f.Input
	if in.Diversity != nil || in.Preferences != nil || r == nil || len(r.Systems) != len(in.Runs) ||
		len(r.Coverage) != len(in.Runs) {
		return nil, errNoGrades
	}
	every := in // all queries, including those that the policy excludes
	every.Policy.Missing, every.Policy.Empty = measure.MissingZero, measure.EmptyZero
	c, err := compare.Open(every)
	if err != nil {
		return nil, err
	}
	g := &byGrades{name: in.Name, policy: compare.WritePolicy(in.Policy, in.Protocol), view: f.View.String(),
		measures: c.Measures(), baseline: in.Baseline}
	if isHash(r.Hash) {
		g.hash = r.Hash
	}
	if in.Graded != nil {
		g.depth = in.Graded.Depth
	}
	names := c.Names()
	for s := range in.Runs {
		u := &r.Coverage[s]
		if u.Queries == 0 && u.Foreign > 0 {
			return nil, errNoGrades // its report names a query of another run
		}
		g.runs = append(g.runs, gradedRun{name: names[s], tag: in.Runs[s].Run.Tag, counted: [4]int{u.Foreign,
			u.Documents, u.Tied, u.TiedIn}})
	}
	g.judgments(c, &in)
	var t measure.Topic
	for q := range g.queries {
		if stop != nil && stop() {
			return nil, compare.ErrCancelled
		}
		row := make([]gradedList, len(in.Runs))
		for s := range in.Runs {
			c.Topic(&t, s, q)
			l := &row[s]
			l.there, l.size = !t.Missing, len(t.Ranked)
			if x := in.Graded; x != nil && x.Trimmed {
				l.size = x.Sizes[q][s]
			}
			if l.size > maxGradedSize {
				return nil, &LimitError{"documents of a ranking", l.size, maxGradedSize}
			}
			for k, grade := range t.Ranked {
				if grade == measure.Unjudged {
					continue
				}
				at, _ := slices.BinarySearch(g.grades, grade)
				l.at, l.grade = append(l.at, int32(k)), append(l.grade, int32(at))
			}
		}
		g.lists = append(g.lists, row)
	}
	for s, run := range in.Runs {
		for _, id := range run.Fell {
			q := slices.IndexFunc(g.queries, func(q gradedQuery) bool { return q.id == id })
			if q < 0 {
				continue
			}
			if g.runs[s].unanswered == nil {
				g.runs[s].unanswered = make([]bool, len(g.queries))
			}
			g.runs[s].unanswered[q] = true
		}
	}
	return g, nil
}

// judgments copies the queries and counts their documents by grade.
func (g *byGrades) judgments(c *compare.Comparison, in *compare.Input) {
	fields := map[string]collection.Query{}
	for _, q := range in.Queries {
		fields[q.ID] = q
	}
	seen := map[float64]bool{}
	var grades []float64
	known := map[string]int{"": 0}
	place := func(value string) int {
		if _, has := known[value]; !has {
			known[value] = len(known)
			g.known = append(g.known, value)
		}
		return known[value]
	}
	for _, id := range c.Queries() {
		x := fields[id]
		g.texts = g.texts || x.Text != ""
		g.queries = append(g.queries, gradedQuery{id: id, text: x.Text, fields: [3]int{place(x.Type),
			place(x.Difficulty), place(x.Domain)}})
		grades = in.Qrels.Grades(id, grades)
		for _, v := range grades {
			seen[v] = true
		}
	}
	for v := range seen {
		g.grades = append(g.grades, v)
	}
	slices.Sort(g.grades)
	for q := range g.queries {
		g.queries[q].counts = make([]int, len(g.grades))
		grades = in.Qrels.Grades(g.queries[q].id, grades)
		for _, v := range grades {
			at, _ := slices.BinarySearch(g.grades, v)
			g.queries[q].counts[at]++
		}
	}
}

// cut returns a copy with rankings cut at depth.
func (g *byGrades) cut(depth int) *byGrades {
	out := *g
	out.depth, out.lists = depth, make([][]gradedList, len(g.lists))
	for q, row := range g.lists {
		for _, l := range row {
			l.size = min(l.size, depth)
			n, _ := slices.BinarySearch(l.at, int32(depth))
			l.at, l.grade = l.at[:n], l.grade[:n]
			out.lists[q] = append(out.lists[q], l)
		}
	}
	return &out
}

// bytes returns the packed form.
func (g *byGrades) bytes(stop func() bool) ([]byte, error) {
	w := walker{coder: newCoder(false, nil, maxGradedWork), g: g, limits: Limits{}.withDefaults(0), stop: stop}
	if !w.walk() {
		if w.stopped {
			return nil, compare.ErrCancelled
		}
		if w.limit != nil {
			return nil, w.limit
		}
		return nil, &LimitError{"steps to read", 0, maxGradedWork}
	}
	payload := w.finish()
	return append(head(packedInput, gradesVersion, payload), payload...), nil
}

// isGrades reports whether b is a comparison by grades.
func isGrades(b []byte) bool {
	return len(b) >= packHead && (b[4] == gradesVersion || b[4] == formerGrades) && b[3] == packedInput
}

// unpackGrades reads the output of bytes.
func (l Limits) unpackGrades(b []byte) (*File, error) {
	if string(b[:3]) != "RBX" {
		return nil, ErrForeign
	}
	payload := b[packHead:]
	if string(head(packedInput, b[4], payload)) != string(b[:packHead]) {
		return nil, errDamaged
	}
	memory := l.Memory
	l = l.withDefaults(len(b))
	if l.Memory = maxGradedMemory; memory > 0 {
		l.Memory = min(memory, maxGradedMemory)
	}
	w := walker{coder: newCoder(true, payload, maxGradedWork), g: &byGrades{former: b[4] == formerGrades}, limits: l}
	if l.Tell != nil {
		w.stop = func() bool { return !l.Tell(0, tellTotal) }
	}
	switch ok := w.walk(); {
	case w.stopped:
		return nil, compare.ErrCancelled
	case w.limit != nil:
		return nil, w.limit
	case w.spent:
		return nil, &LimitError{"steps to read", 0, maxGradedWork}
	case !ok || !w.complete():
		return nil, errDamaged
	}
	return w.g.open(l.Memory)
}

// Memory in bytes that opening a comparison by grades takes. FuzzUnpackGrades checks it against the allocator.
const (
	maxGradedMemory = 256 << 20
	costGraded      = 100 // a document of a ranking
)

// size returns the total number of documents in the rankings, with and without trimming after the last judged
// document.
func (g *byGrades) size() (trimmed, all int) {
	for _, row := range g.lists {
		for i := range row {
			all += row[i].size
			trimmed += row[i].trimmed()
		}
	}
	return trimmed, all
}

// trimmed returns where a ranking may end: after its last judged document, but not within the first ranks, which
// the report counts.
func (l *gradedList) trimmed() int {
	n := min(leastRebuilt, l.size)
	if k := len(l.at); k > 0 {
		n = max(n, int(l.at[k-1])+1)
	}
	return n
}

// open rebuilds the comparison with synthetic documents whose ids describe them.
func (g *byGrades) open(memory int) (*File, error) {
	trimmed, all := g.size()
	x := &compare.Graded{Depth: g.depth, Trimmed: all > maxRebuilt, Measures: g.measures}
	documents := all
	if x.Trimmed {
		documents = trimmed
	}
	cost := 0
	for i := range g.queries {
		cost += costQuery + len(g.runs)*costTouch
		for _, n := range g.queries[i].counts {
			cost += costUnnamed * n
		}
	}
	if cost += costGraded * documents; cost > memory {
		return nil, &LimitError{"bytes of memory", 0, memory}
	}
	f := &File{Input: compare.Input{Name: g.name, Measures: g.measures, Baseline: g.baseline,
		Qrels: collection.NewQrels(), Graded: x}, Hash: g.hash, Former: g.former}
	var err error
	if f.Policy, f.Protocol, err = compare.ReadPolicy(g.policy); err != nil {
		return nil, ErrNewer
	}
	x.Policy = f.Policy
	for _, m := range g.measures {
		if _, err := measure.Parse(m); err != nil {
			return nil, ErrNewer
		}
	}
	if f.View, err = ReadView(g.view); err != nil || len(g.runs) == 0 || g.baseline >= len(g.runs) ||
		len(g.queries) == 0 {
		return nil, errDamaged
	}
	if x.Trimmed {
		for _, row := range g.lists {
			sizes := make([]int, len(row))
			for s := range row {
				sizes[s] = row[s].size
			}
			x.Sizes = append(x.Sizes, sizes)
		}
	}
	names := [2]idNames{{kind: "judged"}, {kind: "unjudged"}}
	if !g.judge(f, &names[0]) {
		return nil, errDamaged
	}
	for s := range g.runs {
		r := &g.runs[s]
		run, ok := g.run(s, x.Trimmed, &names)
		if !ok {
			return nil, errDamaged
		}
		named := compare.Named{Name: r.name, Run: run}
		for q, fell := range r.unanswered {
			if fell {
				named.Fell = append(named.Fell, g.queries[q].id)
			}
		}
		f.Runs = append(f.Runs, named)
		x.Counted = append(x.Counted, report.Coverage{Foreign: r.counted[0], Documents: r.counted[1],
			Tied: r.counted[2], TiedIn: r.counted[3]})
	}
	return f, nil
}

// idNames creates ids for documents whose ids the form by grades lacks.
type idNames struct {
	kind string
	list []string
}

func (n *idNames) id(i int) string {
	for len(n.list) <= i {
		n.list = append(n.list, "("+n.kind+" "+strconv.Itoa(len(n.list)+1)+")")
	}
	return n.list[i]
}

// judge restores the judgments: document i of a query gets the lowest grade not yet used up.
func (g *byGrades) judge(f *File, names *idNames) bool {
	seen := map[string]bool{}
	for i := range g.queries {
		q := &g.queries[i]
		if seen[q.id] {
			return false
		}
		seen[q.id] = true
		n := 0
		for at, count := range q.counts {
			if v := g.grades[at]; v > math.MaxInt32 || v < -math.MaxInt32 || v == measure.Unjudged {
				return false
			}
			for range count {
				f.Qrels.Add(q.id, names.id(n), g.grades[at])
				n++
			}
		}
		if n == 0 {
			return false
		}
		field := func(i int) string {
			if q.fields[i] == 0 {
				return ""
			}
			return g.known[q.fields[i]-1]
		}
		if x := (collection.Query{ID: q.id, Text: q.text, Type: field(0), Difficulty: field(1),
			Domain: field(2)}); x.Text+x.Type+x.Difficulty+x.Domain != "" {
			f.Queries = append(f.Queries, x)
		}
	}
	return true
}

// run rebuilds a run. Rankings have descending scores, and each graded rank takes the next document of that grade.
func (g *byGrades) run(s int, trimmed bool, names *[2]idNames) (*collection.Run, bool) {
	b := collection.NewRunBuilder(g.runs[s].tag)
	next := make([]int, len(g.grades))
	lists := 0
	for q := range g.queries {
		l := &g.lists[q][s]
		if !l.there {
			continue
		}
		lists++
		if g.depth > 0 && l.size > g.depth || b.Touch(g.queries[q].id) != nil {
			return nil, false
		}
		first := 0
		for at, n := range g.queries[q].counts {
			next[at] = first
			first += n
		}
		size, i, unjudged := l.size, 0, 0
		if trimmed {
			size = l.trimmed()
		}
		for k := range size {
			var id string
			if i < len(l.at) && int(l.at[i]) == k {
				id = names[0].id(next[l.grade[i]])
				next[l.grade[i]]++
				i++
			} else {
				id = names[1].id(unjudged)
				unjudged++
			}
			if b.Add(g.queries[q].id, id, float64(size-k)) != nil {
				return nil, false
			}
		}
	}
	if lists == 0 && g.runs[s].counted[0] > 0 {
		return nil, false
	}
	run, _ := b.Run()
	return run, true
}

// proven packs a comparison by grades if reading it back reproduces every value of r. Otherwise the error wraps
// errNoGrades: the measures need more than grades, or deeper rankings.
func (g *byGrades) proven(r *report.Report, stop func() bool) ([]byte, error) {
	b, err := g.bytes(stop)
	if err != nil {
		return nil, err
	}
	l := Limits{}
	if stop != nil {
		l.Tell = func(int, int) bool { return !stop() }
	}
	f, err := l.Unpack(b)
	if err != nil {
		return nil, err
	}
	c, err := compare.Open(f.Input)
	if err != nil {
		return nil, errNoGrades
	}
	if same, err := c.Gives(r, stop); err != nil || !same {
		return nil, cmp.Or(err, errNoGrades)
	}
	return b, nil
}

// packAgain packs a comparison that was rebuilt from grades and has nothing else.
func packAgain(f File) ([]byte, error) {
	n := len(f.Runs)
	if len(f.Graded.Counted) != n {
		return nil, errNoGrades
	}
	r := &report.Report{Hash: f.Hash, Systems: make([]report.System, n), Coverage: slices.Clone(f.Graded.Counted)}
	for s := range r.Coverage {
		r.Coverage[s].Queries = f.Runs[s].Run.NumQueries()
	}
	g, err := gradesOf(f, r, nil)
	if err != nil {
		return nil, err
	}
	return g.bytes(nil)
}
