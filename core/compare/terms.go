package compare

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/measure"
)

// Row is one document's part of a measure's value.
type Row struct {
	Rank  int // in the ranking that is measured: unjudged documents may have been taken out of it
	Place int // in the run
	ID    string
	Grade int     // Unjudged where the qrels do not name it
	Term  float64 // what the document adds to the sum
	Share float64 // Term / Divisor: what it adds to the value
	Work  string  // how the term comes about: "3 / log2(4)", "2/3", "" where it adds nothing
}

// Unfolded is the arithmetic of one value: Base + (sum of the terms) / Divisor = Value, within 1e-12.
type Unfolded struct {
	Measure string // under the policy
	Query   string
	System  int
	Formula string // of the registry
	Rows    []Row  // in the order of the ranking: all up to the cutoff (without one: up to Window), and every other with a term
	Sum     float64
	Divisor float64
	By      string // what the divisor is: "IDCG@10", "relevant documents"; "" where nothing is divided
	Ideal   []Row  // of nDCG: the ideal ranking's terms, whose sum the divisor is; Place 0 and no ids
	Base    float64
	Value   float64
	// Stepwise says that the measure is no sum over documents: a term is then what the value changes by when the document is
	// appended to those above it, and Base the value of an empty list.
	Stepwise bool
	Steps    []string // the arithmetic in lines, from the terms to the value
}

// terms are the parts of a value, by place in the topic's ranking.
type terms struct {
	rows     []Row // one a place, without ids
	sum      float64
	divisor  float64
	by       string
	base     float64
	value    float64
	zero     string // what there is none of to divide by, where the measure is 0 for that; "" else
	stepwise bool
}

// params reads the parameters of a measure off its notation.
type params struct {
	m     measure.Measure
	given map[string]string
}

func paramsOf(m measure.Measure) params {
	p := params{m, map[string]string{}}
	s := m.String()
	open := strings.IndexByte(s, '(')
	if open < 0 {
		return p
	}
	s = s[open+1 : strings.LastIndexByte(s, ')')]
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && depth == 0:
			if k, v, ok := strings.Cut(s[from:i], "="); ok {
				p.given[k] = strings.Trim(v, "'")
			}
			from = i + 1
		case s[i] == '{' || s[i] == '[':
			depth++
		case s[i] == '}' || s[i] == ']':
			depth--
		}
	}
	return p
}

// number returns a parameter that is a number, its default where it is not given, NaN where it has none.
func (p params) number(name string) float64 {
	if v, ok := p.given[name]; ok {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return math.NaN()
		}
		return f
	}
	for _, q := range p.m.Info().Params {
		if q.Name == name && !q.Optional {
			return q.Default
		}
	}
	return math.NaN()
}

// gain returns the gain function of nDCG and DCG, and how it is written.
func (p params) gain() (of func(grade int32) float64, work func(grade int32) string) {
	plain := func(g int32) float64 { return float64(max(g, 0)) }
	digits := func(g int32) string { return strconv.Itoa(int(g)) }
	if table, ok := p.given["gains"]; ok {
		gains := map[int32]float64{}
		for _, pair := range strings.Split(strings.Trim(table, "{}"), ",") {
			k, v, _ := strings.Cut(pair, ":")
			g, _ := strconv.Atoi(k)
			gains[int32(g)], _ = strconv.ParseFloat(v, 64)
		}
		of = func(g int32) float64 {
			if v, ok := gains[g]; ok {
				return v
			}
			return plain(g)
		}
		return of, func(g int32) string { return short(of(g)) }
	}
	if p.given["dcg"] == "exp-log2" {
		return exponential, func(g int32) string { return "(2^" + strconv.Itoa(int(g)) + " - 1)" }
	}
	return plain, digits
}

// exponential returns 2^g - 1, exactly.
func exponential(g int32) float64 {
	v := 1.0
	for range min(max(g, 0), 1000) {
		v *= 2
	}
	return v - 1
}

// short writes a number as short as it can be, up to six decimals.
func short(v float64) string {
	s := strconv.FormatFloat(v, 'f', 6, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// termsOf takes the value of m for t apart. m is as the policy makes it; judged says that unjudged documents are taken out first.
func termsOf(m measure.Measure, t *measure.Topic, judged bool) terms {
	value := m.Score(t)
	out, ok := sumOf(m, t, judged)
	if ok {
		out.value = value
		out.sum = 0
		for i := range out.rows {
			out.sum += out.rows[i].Term
		}
		// The registry's arithmetic is the judge: where the terms do not add up to it, the value is taken apart step by step.
		if v := out.sum / out.divisor; math.Abs(v-value) <= float64(1e-12*max(1, math.Abs(value))) {
			for i := range out.rows {
				out.rows[i].Share = out.rows[i].Term / out.divisor
			}
			return out
		}
	}
	return stepwise(m, t, value)
}

// sumOf returns the terms of a measure that is a sum over documents.
func sumOf(m measure.Measure, t *measure.Topic, judged bool) (terms, bool) {
	p := paramsOf(m)
	name, cut := m.Info().Name, m.Cutoff()
	judged = judged || p.given["judged_only"] == "True"
	rel := int32(1)
	level, leveled := m.Rel()
	if leveled {
		rel = int32(level)
	}
	isRel := func(g int32) bool { return g >= rel && g >= 0 }
	relevant, non := 0, 0
	for _, g := range t.Judged {
		if isRel(g) {
			relevant++
		} else if g >= 0 {
			non++
		}
	}
	out := terms{divisor: 1, rows: make([]Row, len(t.Ranked))}
	n := 0 // length of the list as it is measured
	for i, g := range t.Ranked {
		r := &out.rows[i]
		r.Place, r.Grade = i+1, int(g)
		if judged && g < 0 && name != "Judged" {
			continue
		}
		n++
		r.Rank = n
	}
	within := func(r *Row, k int) bool { return r.Rank > 0 && (k == 0 || r.Rank <= k) }
	// each calls f for every document within the first k, in order, until f returns false
	each := func(k int, f func(r *Row, g int32) bool) {
		for i := range out.rows {
			if within(&out.rows[i], k) && !f(&out.rows[i], t.Ranked[i]) {
				return
			}
		}
	}
	one := func(k int) { // a relevant document counts 1
		each(k, func(r *Row, g int32) bool {
			if isRel(g) {
				r.Term, r.Work = 1, "1"
			}
			return true
		})
	}
	divide := func(by int, what string) {
		if by == 0 { // the measure is 0 by definition
			for i := range out.rows {
				out.rows[i].Term, out.rows[i].Work = 0, ""
			}
			out.zero = what
			return
		}
		out.divisor, out.by = float64(by), what
	}
	const ofRelevant = "relevant documents"
	switch name {
	case "P":
		one(cut)
		divide(cut, "cutoff")
	case "R":
		one(cut)
		divide(relevant, ofRelevant)
	case "Rprec":
		if relevant > 0 {
			one(relevant)
		}
		divide(relevant, ofRelevant)
	case "relative_P":
		one(cut)
		divide(min(cut, relevant), "cutoff or relevant documents, whichever is less")
	case "F":
		one(cut)
		x := p.number("beta")
		f(&out, float64(x*x), relevant, cut)
	case "SetP":
		one(0)
		if p.given["relative"] == "True" {
			divide(min(n, relevant), "retrieved or relevant documents, whichever is less")
		} else {
			divide(n, "retrieved documents")
		}
	case "SetR":
		one(0)
		divide(relevant, ofRelevant)
	case "SetF":
		one(0)
		f(&out, p.number("beta"), relevant, n)
	case "NumRet":
		if leveled && p.given["rel"] != "" {
			one(0)
		} else {
			each(0, func(r *Row, g int32) bool { r.Term, r.Work = 1, "1"; return true })
		}
	case "Success":
		each(cut, func(r *Row, g int32) bool {
			if isRel(g) {
				r.Term, r.Work = 1, "1"
			}
			return !isRel(g)
		})
	case "RR":
		each(cut, func(r *Row, g int32) bool {
			if isRel(g) {
				r.Term, r.Work = 1/float64(r.Rank), "1/"+strconv.Itoa(r.Rank)
			}
			return !isRel(g)
		})
	case "AP":
		found := 0
		each(cut, func(r *Row, g int32) bool {
			if isRel(g) {
				found++
				r.Term, r.Work = float64(found)/float64(r.Rank), strconv.Itoa(found)+"/"+strconv.Itoa(r.Rank)
			}
			return true
		})
		divide(relevant, ofRelevant)
	case "DCG", "nDCG":
		gain, work := p.gain()
		each(cut, func(r *Row, g int32) bool {
			if v := gain(g); v != 0 && g != measure.Unjudged {
				r.Term, r.Work = v/float.Log2(float64(r.Rank)+1), work(g)+" / log2("+strconv.Itoa(r.Rank+1)+")"
			}
			return true
		})
		if name == "nDCG" {
			ideal, ok := idealOf(m, p)
			if !ok {
				return out, false
			}
			v := ideal.Score(t)
			if v <= 0 {
				divide(0, ideal.String())
			} else {
				out.divisor, out.by = v, ideal.String()
			}
		}
	case "RBP":
		x := p.number("p")
		top := p.number("max_rel")
		if math.IsNaN(top) {
			top = float64(max(t.TopGrade, 1))
		}
		weight, at := 1-x, 1
		each(cut, func(r *Row, g int32) bool {
			for ; at < r.Rank; at++ {
				weight *= x
			}
			v := 0.0
			switch {
			case leveled && p.given["rel"] != "":
				if isRel(g) {
					v = 1
				}
			case g > 0:
				v = min(float64(g), top) / top
			}
			if v != 0 {
				r.Term = v * weight
				r.Work = short(1-x) + " x " + short(x) + "^" + strconv.Itoa(r.Rank-1)
				if v != 1 {
					r.Work = short(v) + " x " + r.Work
				}
			}
			return true
		})
	case "ERR":
		top := int32(p.number("max_rel"))
		scale := exponential(top) + 1
		left := 1.0
		each(cut, func(r *Row, g int32) bool {
			if g > 0 {
				s := exponential(min(g, top)) / scale
				r.Term = s * left / float64(r.Rank)
				r.Work = short(s) + " x " + short(left) + " / " + strconv.Itoa(r.Rank)
				left *= 1 - s
			}
			return true
		})
	case "Bpref":
		bound, above := float64(min(non, relevant)), 0
		each(0, func(r *Row, g int32) bool {
			switch {
			case isRel(g) && above > 0:
				k := min(above, relevant)
				r.Term, r.Work = 1-float64(k)/bound, "1 - "+strconv.Itoa(k)+"/"+short(bound)
			case isRel(g):
				r.Term, r.Work = 1, "1"
			case g >= 0:
				above++
			}
			return true
		})
		divide(relevant, ofRelevant)
	case "Judged":
		k := n
		if cut > 0 {
			k = min(k, cut)
		}
		each(k, func(r *Row, g int32) bool {
			if k > 0 && g != measure.Unjudged {
				r.Term, r.Work = 1, "1"
			}
			return true
		})
		divide(k, "documents looked at")
	case "unj":
		each(cut, func(r *Row, g int32) bool {
			if g < 0 {
				r.Term, r.Work = 1, "1"
			}
			return true
		})
		divide(cut, "cutoff")
	default:
		return out, false
	}
	return out, true
}

// f sets the divisor of an F measure: (1+x)·P·R/(x·P + R) with P = f/n and R = f/relevant is f·(1+x)/(x·relevant + n).
func f(out *terms, x float64, relevant, n int) {
	out.divisor = (float64(x*float64(relevant)) + float64(n)) / (1 + x)
	out.by = "(beta x relevant + looked at) / (1 + beta)"
	if out.divisor == 0 {
		out.zero, out.by, out.divisor = out.by, "", 1
	}
}

// idealOf returns the measure of the divisor of an nDCG.
func idealOf(m measure.Measure, p params) (measure.Measure, bool) {
	text := "IDCG"
	var args []string
	if v, ok := p.given["dcg"]; ok {
		args = append(args, "dcg='"+v+"'")
	}
	if v, ok := p.given["gains"]; ok {
		args = append(args, "gains="+v)
	}
	if len(args) > 0 {
		text += "(" + strings.Join(args, ",") + ")"
	}
	if k := m.Cutoff(); k > 0 {
		text += "@" + strconv.Itoa(k)
	}
	ideal, err := measure.Parse(text)
	return ideal, err == nil
}

// stepwise takes a value apart by appending one document after the other.
func stepwise(m measure.Measure, t *measure.Topic, value float64) terms {
	out := terms{divisor: 1, value: value, stepwise: true, rows: make([]Row, len(t.Ranked))}
	score := func(n int) float64 {
		part := measure.Topic{Query: t.Query, Ranked: t.Ranked[:n:n], Judged: t.Judged, TopGrade: t.TopGrade, Missing: t.Missing}
		if n == 0 {
			part.Ranked = []int32{}
		}
		if t.Subtopics != nil {
			part.Subtopics = &measure.Subtopics{Docs: t.Subtopics.Docs, Ranked: t.Subtopics.Ranked[:n:n]}
		}
		if t.Preferences != nil {
			part.Preferences = &measure.Preferences{Docs: t.Preferences.Docs, Groups: t.Preferences.Groups, Ranked: t.Preferences.Ranked[:n:n]}
		}
		return m.Score(&part)
	}
	last := len(t.Ranked)
	if k := m.Cutoff(); k > 0 && k < last {
		// Documents after the cutoff may still count where unjudged ones are taken out before: go on until the value is reached
		// and stays. Where it is reached at the cutoff, nothing after it counts.
		if score(k) == value {
			last = k
		}
	}
	out.base = score(0)
	before := out.base
	for i, g := range t.Ranked {
		r := &out.rows[i]
		r.Place, r.Rank, r.Grade = i+1, i+1, int(g)
		if i >= last {
			continue
		}
		v := value
		if i+1 < len(t.Ranked) {
			v = score(i + 1)
		}
		if r.Term = v - before; r.Term != 0 {
			r.Work = short(v) + " - " + short(before)
		}
		r.Share = r.Term
		out.sum += r.Term
		before = v
	}
	return out
}

// Unfold takes the value of a measure for one query and run apart, document by document.
func (c *Comparison) Unfold(notation string, system int, query string) (*Unfolded, error) {
	m, applied, err := c.measureOf(notation)
	if err != nil {
		return nil, err
	}
	if err := c.systemOf(system); err != nil {
		return nil, err
	}
	q, err := c.queryOf(query)
	if err != nil {
		return nil, err
	}
	var t measure.Topic
	c.topic(&t, system, q)
	p := termsOf(applied, &t, c.in.Policy.Unjudged == measure.Condensed)
	u := &Unfolded{Measure: applied.String(), Query: query, System: system, Formula: m.Info().Formula, Sum: p.sum, Divisor: p.divisor, By: p.by, Base: p.base, Value: p.value, Stepwise: p.stepwise}
	list, _ := c.entries(system, q)
	show := m.Cutoff()
	if show == 0 {
		show = Window
	}
	for i, r := range p.rows {
		if r.Term == 0 && (r.Rank == 0 && r.Place > show || r.Rank > show) {
			continue
		}
		r.ID = list[i].Doc
		u.Rows = append(u.Rows, r)
	}
	if m.Info().Name == "nDCG" && !p.stepwise {
		u.Ideal = ideal(applied, t.Judged)
	}
	u.Steps = u.steps()
	if p.zero != "" {
		u.Steps = append(u.Steps, p.zero+" = 0: there is nothing to divide by, and the value is 0")
	}
	return u, nil
}

// ideal returns the terms of the ideal ranking of nDCG.
func ideal(m measure.Measure, judged []int32) []Row {
	gain, work := paramsOf(m).gain()
	var best []int32
	for _, g := range judged {
		if gain(g) > 0 {
			best = append(best, g)
		}
	}
	sortBy(best, func(a, b int32) bool { return gain(a) > gain(b) })
	if k := m.Cutoff(); k > 0 && len(best) > k {
		best = best[:k]
	}
	out := make([]Row, len(best))
	for i, g := range best {
		out[i] = Row{Rank: i + 1, Grade: int(g), Term: gain(g) / float.Log2(float64(i+2)), Work: work(g) + " / log2(" + strconv.Itoa(i+2) + ")"}
		out[i].Share = out[i].Term
	}
	return out
}

// maxTerms is how many terms a line of arithmetic shows.
const maxTerms = 6

// steps writes the arithmetic in lines.
func (u *Unfolded) steps() []string {
	line := func(rows []Row) string {
		var parts []string
		rest := 0
		for _, r := range rows {
			if r.Work == "" {
				continue
			}
			if len(parts) == maxTerms {
				rest++
				continue
			}
			w := r.Work
			if u.Stepwise {
				w = "(" + w + ")"
			}
			parts = append(parts, w)
		}
		if len(parts) == 0 {
			return "0"
		}
		s := strings.Join(parts, " + ")
		if rest > 0 {
			s += " + " + strconv.Itoa(rest) + " more"
		}
		return s
	}
	sum := line(u.Rows) + " = " + short(u.Sum)
	if sum == "0 = 0" {
		sum = "no document adds anything"
	}
	var out []string
	switch {
	case u.Stepwise && u.Base != 0:
		out = append(out, "an empty list scores "+short(u.Base), "the documents, one after the other: "+sum, short(u.Base)+" + "+short(u.Sum)+" = "+short(u.Value))
	case u.Stepwise:
		out = append(out, "what each document changes, one after the other: "+sum)
	case u.By == "":
		out = append(out, sum)
	default:
		out = append(out, sum)
		divisor := u.By + " = " + short(u.Divisor)
		if len(u.Ideal) > 0 {
			divisor = u.By + " = " + line(u.Ideal) + " = " + short(u.Divisor)
		}
		out = append(out, divisor, short(u.Sum)+" / "+short(u.Divisor)+" = "+short(u.Value))
	}
	return out
}

func sortBy(v []int32, less func(a, b int32) bool) {
	for i := 1; i < len(v); i++ { // insertion: lists of judgments are short and often sorted
		for j := i; j > 0 && less(v[j], v[j-1]); j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
}
