package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// components is the analysis of variance over the systems whose notations make a full factorial design.
var components = analysis{"components", Matters, "Components, queries and their interactions",
	func(s *Subject, out *Section) error {
		d := designOf(s.Report)
		if d == nil {
			out.Sentence = "The runs are not a factorial matrix: pipelines with every combination of the values of " +
				"parameters, or of stages on and off."
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
		var terms, all []uint // those that are tested, and those that describe
		query := uint(1) << k
		for i := range k {
			terms = append(terms, 1<<i)
		}
		all = append(slices.Clone(terms), query)
		for i := range k {
			for j := i + 1; j < k; j++ {
				terms = append(terms, 1<<i|1<<j)
			}
		}
		all = append(all, terms[k:]...)
		if k > 1 {
			for i := range k {
				all = append(all, 1<<i|query)
			}
		}
		tested, err := significance.RepeatedMeasures(levels[:k], n, values, terms)
		if err != nil {
			out.Sentence = "No analysis of variance: " + say.Sentence(err)
			return nil
		}
		described, err := significance.Anova(levels, values, all)
		if err != nil {
			out.Sentence = "No analysis of variance: " + say.Sentence(err)
			return nil
		}
		ps := make([]float64, len(tested))
		for i, e := range tested {
			ps[i] = e.P
		}
		adjusted := significance.Holm(ps)
		out.Sentence = d.sentence(s.Style, tested, adjusted, described)
		about := c.Measure + ", " + say.Count(len(d.cells), "system", "systems") + ", " + say.Count(n, "query",
			"queries")
		out.Tables = []Table{d.tests(about, tested, adjusted), d.shares(about, described)}
		for _, f := range d.factors {
			out.Notes = append(out.Notes, f.name+": "+strings.Join(f.levels, ", ")+".")
		}
		if len(d.cells) < len(s.Report.Systems) {
			out.Notes = append(out.Notes, say.Count(len(s.Report.Systems)-len(d.cells), "run is", "runs are")+
				" not part of the matrix and left out.")
		}
		out.Notes = append(out.Notes,
			"Each effect is tested against its interaction with the queries, which are a sample (repeated-measures "+
				"analysis of variance). "+
				"Greenhouse and Geisser's ε shrinks the degrees of freedom if the effect's contrasts vary unequally. "+
				"p is corrected over the effects after Holm.",
			"\"These queries only\" describes the values at hand, η² being the share of their variance. It says "+
				"nothing about other queries, so it has no p.")
		return nil
	}}

// effect names factors, the queries being the last.
func (d *design) effect(factors []int) string {
	if factors == nil {
		return "rest"
	}
	var of []string
	for _, f := range factors {
		if f == len(d.factors) {
			of = append(of, "query")
		} else {
			of = append(of, d.factors[f].name)
		}
	}
	return strings.Join(of, " × ")
}

// tests is the table of the effects that are tested.
func (d *design) tests(about string, tested []significance.Within, adjusted []float64) Table {
	t := Table{Caption: "Tested over queries: " + about, Columns: []string{"Effect", "df", "df of the error", "F", "ε",
		"p", "p after Holm"}}
	for i, e := range tested {
		t.Rows = append(t.Rows, []Cell{Words(d.effect(e.Factors)), Number(e.DF, 0), Number(e.ErrorDF, 0),
			Number(e.F, 2), Number(e.Epsilon, 3), Chance(e.P), Chance(adjusted[i])})
	}
	return t
}

// shares is the table of what the variance of these values is of.
func (d *design) shares(about string, described []significance.Effect) Table {
	t := Table{Caption: "These queries only: " + about, Columns: []string{"Effect", "Levels", "Sum of squares", "df",
		"η²"}}
	for _, e := range described {
		count := ""
		if len(e.Factors) == 1 && e.Factors[0] < len(d.factors) {
			count = strconv.Itoa(len(d.factors[e.Factors[0]].levels))
		}
		t.Rows = append(t.Rows, []Cell{Words(d.effect(e.Factors)), Words(count), Number(e.SS, 4), Number(e.DF, 0),
			Number(e.Eta, 4)})
	}
	return t
}

// sentence is the finding: which component matters most, and whether that is more than chance.
func (d *design) sentence(style say.Style, tested []significance.Within, adjusted []float64,
	described []significance.Effect) string {
	k := len(d.factors)
	best, largest := -1, 0
	for i := range k {
		if adjusted[i] < report.Alpha && (best < 0 || tested[i].SS > tested[best].SS) {
			best = i
		}
		if tested[i].SS > tested[largest].SS {
			largest = i
		}
	}
	after := ""
	if len(tested) > 1 {
		after = " after Holm over " + style.Int(len(tested)) + " effects"
	}
	text := ""
	switch {
	case best >= 0:
		text = "Of the components, " + d.factors[best].name + " matters most: it has " +
			style.Percent(described[best].Eta, 1) + " of the variance (" + style.PIs(adjusted[best]) + after +
			"). The queries have " + style.Percent(described[k].Eta, 1) + "."
	case tested[largest].F != tested[largest].F:
		return "Every query differs alike, so there is nothing to test the components against."
	default:
		text = "No component has an effect that is more than chance. The largest is that of " +
			d.factors[largest].name + ": " + style.Percent(described[largest].Eta, 1) + " of the variance (" +
			style.PIs(adjusted[largest]) + after + ")."
	}
	for i := k; i < len(tested); i++ {
		if adjusted[i] < report.Alpha {
			text += " The effects of " + d.factors[tested[i].Factors[0]].name + " and " +
				d.factors[tested[i].Factors[1]].name + " depend on each other (" + style.PIs(adjusted[i]) + ")."
			break
		}
	}
	return text
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

// designOf finds the largest full factorial design with at least one factor among the systems of a report: among all of
// them, or else among those that have the same stages.
func designOf(r *report.Report) *design {
	var all []parsed
	for i := range r.Systems {
		n, err := stage.Parse(r.Systems[i].Pipeline())
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
		// a parameter of a stage that is not everywhere says nothing elsewhere
		if n == len(of) || param == "" || strings.Trim(param, "0123456789") == "" {
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
