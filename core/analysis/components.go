package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/core/stage"
)

// components is the analysis of variance over the systems whose notations make a full factorial design.
var components = analysis{"components", Matters, "Components, queries and their interactions", func(s *Subject, out *Section) error {
	d := designOf(s.Report)
	if d == nil {
		out.Sentence = "There is no factorial matrix among the runs: systems that are written as pipelines, with every combination of the values of one or more parameters or of stages on and off."
		return nil
	}
	c := &s.Report.Columns[0]
	n := len(s.Report.Queries)
	if n < 2 {
		out.Sentence = "An analysis of variance needs at least two queries."
		return nil
	}
	k := len(d.factors)
	levels := make([]int, 0, k+1)
	for _, f := range d.factors {
		levels = append(levels, len(f.levels))
	}
	levels = append(levels, n)
	values := make([]float64, 0, len(d.cells)*n)
	for _, system := range d.cells {
		values = append(values, c.Values[system]...)
	}
	var terms []uint
	query := uint(1) << k
	for i := range k {
		terms = append(terms, 1<<i)
	}
	terms = append(terms, query)
	for i := range k {
		for j := i + 1; j < k; j++ {
			terms = append(terms, 1<<i|1<<j)
		}
	}
	if k > 1 {
		for i := range k {
			terms = append(terms, 1<<i|query)
		}
	}
	effects, err := significance.Anova(levels, values, terms)
	if err != nil {
		out.Sentence = "No analysis of variance: " + say.Sentence(err)
		return nil
	}
	t := Table{Caption: c.Measure + ", " + say.Count(len(d.cells), "system", "systems") + ", " + say.Count(n, "query", "queries"), Columns: []string{"Effect", "Levels", "Sum of squares", "df", "F", "p", "ω²"}}
	best, query2 := -1, 0.0
	for i, e := range effects {
		name := "rest"
		count := ""
		if e.Factors != nil {
			var of []string
			for _, f := range e.Factors {
				if f == k {
					of = append(of, "query")
				} else {
					of = append(of, d.factors[f].name)
				}
			}
			name = strings.Join(of, " × ")
		}
		if len(e.Factors) == 1 {
			count = strconv.Itoa(levels[e.Factors[0]])
			if e.Factors[0] == k {
				query2 = e.Omega
			} else if best < 0 || e.Omega > effects[best].Omega {
				best = i
			}
		}
		row := []Cell{Words(name), Words(count), Number(e.SS, 4), Number(e.DF, 0), Number(e.F, 2), Chance(e.P), Number(e.Omega, 4)}
		if e.Factors == nil {
			row[4], row[5], row[6] = Words(""), Words(""), Words("")
		}
		t.Rows = append(t.Rows, row)
	}
	out.Tables = []Table{t}
	if best >= 0 {
		e := effects[best]
		out.Sentence = "Of the components " + d.factors[e.Factors[0]].name + " matters most: ω² " + s.Style.Number(e.Omega, 3) + " (" + size(e.Omega) + "), " + s.Style.PIs(e.P) +
			"; the queries, which nobody can choose, have " + s.Style.Number(query2, 3) + "."
		if e.Omega != e.Omega {
			out.Sentence = "The effects explain everything: there is no rest to test them against."
		} else if e.P >= report.Alpha {
			out.Sentence = "No component has an effect that is more than chance; the largest is that of " + d.factors[e.Factors[0]].name + ", ω² " + s.Style.Number(e.Omega, 3) + ", " + s.Style.PIs(e.P) + "."
		}
	}
	for _, f := range d.factors {
		out.Notes = append(out.Notes, f.name+": "+strings.Join(f.levels, ", ")+".")
	}
	if len(d.cells) < len(s.Report.Systems) {
		out.Notes = append(out.Notes, say.Count(len(s.Report.Systems)-len(d.cells), "run is", "runs are")+" not part of the matrix and left out.")
	}
	out.Notes = append(out.Notes, "All factors are fixed, every effect is tested against the rest; ω² is that of each effect alone: 0.01 small, 0.06 medium, 0.14 large (Ferro and Silvello 2018). p is not corrected over the effects.")
	return nil
}}

// size is Cohen's word for ω².
func size(omega float64) string {
	switch {
	case omega >= .14:
		return "large"
	case omega >= .06:
		return "medium"
	case omega >= .01:
		return "small"
	}
	return "next to none"
}

// factor is what varies among systems.
type factor struct {
	name   string
	levels []string
}

// design is a full factorial one: cells are systems of the report, the last factor varying fastest.
type design struct {
	factors []factor
	cells   []int
}

// parsed is a system whose label is a pipeline.
type parsed struct {
	system   int
	features map[string]string
	shape    string
}

// designOf finds the largest full factorial design with at least one factor among the systems of a report: among all of them, or else
// among those that have the same stages.
func designOf(r *report.Report) *design {
	var all []parsed
	for i, s := range r.Systems {
		text := s.Notation
		if text == "" {
			text = s.Label
		}
		n, err := stage.Parse(text)
		if err != nil {
			continue
		}
		p := parsed{i, map[string]string{}, ""}
		count := map[string]int{}
		n.Walk(func(m *pipeline.Node) {
			name := m.Stage.Name
			if count[name]++; count[name] > 1 {
				name += " " + strconv.Itoa(count[name])
			}
			p.shape += name + "\n"
			p.features[name] = "on"
			for _, x := range m.Stage.Params {
				if m.Applies(x.Name) {
					p.features[name+" "+x.Name] = m.Value(x.Name)
				}
			}
		})
		all = append(all, p)
	}
	if d := factorial(all); d != nil {
		return d
	}
	shapes := map[string][]parsed{}
	var order []string
	for _, p := range all {
		if shapes[p.shape] == nil {
			order = append(order, p.shape)
		}
		shapes[p.shape] = append(shapes[p.shape], p)
	}
	var best *design
	for _, s := range order {
		d := factorial(shapes[s])
		if d == nil { // one that stands beside a matrix may be left out
			for i := range shapes[s] {
				rest := slices.Delete(slices.Clone(shapes[s]), i, i+1)
				if d = factorial(rest); d != nil && len(d.cells) > 3 {
					break
				}
				d = nil
			}
		}
		if d != nil && (best == nil || len(d.cells) > len(best.cells)) {
			best = d
		}
	}
	return best
}

// factorial returns the full factorial design that systems make, nil where they make none.
func factorial(of []parsed) *design {
	if len(of) < 2 {
		return nil
	}
	seen := map[string]int{}
	for _, p := range of {
		for f := range p.features {
			seen[f]++
		}
	}
	var names []string
	for f, n := range seen {
		_, param, _ := strings.Cut(f, " ")
		if n == len(of) || param == "" || strings.Trim(param, "0123456789") == "" { // a parameter of a stage that is not everywhere says nothing elsewhere
			names = append(names, f)
		}
	}
	slices.Sort(names)
	d := &design{}
	var levels [][]int // of each factor, a system
	var taken []string
	for _, name := range names {
		f := factor{name: name}
		row := make([]int, len(of))
		same := ""
		for i, p := range of {
			v := p.features[name]
			if v == "" {
				v = "off"
			}
			at := slices.Index(f.levels, v)
			if at < 0 {
				at = len(f.levels)
				f.levels = append(f.levels, v)
			}
			row[i] = at
			same += strconv.Itoa(at) + " "
		}
		if len(f.levels) < 2 {
			continue
		}
		if at := slices.Index(taken, same); at >= 0 { // two that vary together are one
			d.factors[at].name += " with " + name
			continue
		}
		taken = append(taken, same)
		d.factors, levels = append(d.factors, f), append(levels, row)
	}
	cells := 1
	for _, f := range d.factors {
		if cells *= len(f.levels); cells > len(of) {
			return nil
		}
	}
	if len(d.factors) == 0 || cells != len(of) {
		return nil
	}
	d.cells = make([]int, cells)
	for i := range d.cells {
		d.cells[i] = -1
	}
	for i, p := range of {
		at := 0
		for f := range d.factors {
			at = at*len(d.factors[f].levels) + levels[f][i]
		}
		if d.cells[at] >= 0 {
			return nil
		}
		d.cells[at] = p.system
	}
	return d
}
