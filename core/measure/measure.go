// Package measure computes retrieval measures: how good a ranking of documents is, given relevance judgments. It knows
// nothing of files, collections or systems, and it decides nothing about significance.
//
// Order of the pipeline: notation → [Parse] → [Measure]; a run's list and the qrels of one query → (ties by
// [List.Order]) → [Topic] → [Measure.Score]; many topics → [Evaluate] → [Result] with means and other aggregates, or
// [FormatTrecEval] → text. A [List], which is not ordered yet, becomes a Topic under a [Policy]; [Conventions]
// recompute lists as other tools would. [Measure.TieRange] gives the range of a score over tied documents,
// [Measure.Residual] what unjudged documents leave open, [Measure.Unfold] what each document adds to it.
//
// Every measure is one file and one entry ([Info]) of the registry: names in other tools, formula, parameters, range,
// reference and a worked example, the score, its terms, its range over ties and its residual. Every other tool is one
// file of the conventions. Nothing outside this package knows a measure by its name. trec_eval 10 is the reference for
// what it has, ir_measures 0.4.3 for names and for what it adds.
//
// Grades are integers. A grade at or above the level rel (default 1) is relevant. A grade below 0 means, as in
// trec_eval, "in the pool but not judged": never relevant, gain 0, and neither relevant nor non-relevant where a
// measure looks only at judged documents. [Unjudged] marks a document that the qrels do not name.
package measure

import (
	"math"
	"strconv"
	"strings"
)

// Unjudged is the grade of a document that the qrels of the query do not name.
const Unjudged = math.MinInt32

// noLevel is the value of rel for measures that can be asked without a level.
const noLevel = math.MinInt32

// maxExtra is how many parameters a measure may have besides the cutoff, rel, judged_only, dcg and gains.
const maxExtra = 5

// Measure is a measure with its parameters, made by [Parse]. The zero Measure is not valid. Measures are immutable
// values; two of them mean the same exactly if their String is the same.
type Measure struct {
	info        *Info
	cut         int               // ranks looked at; 0: the whole list
	rel         int32             // lowest relevant grade; noLevel: not given
	judged      bool              // drop unjudged documents first
	exponential bool              // the gain of a grade is 2^grade - 1: dcg='exp-log2'
	x           [maxExtra]float64 // the other parameters, at their Param.place: read by name with Float
	table       *table            // gains by grade, or a list of numbers; nil: not given
}

// table holds the parameter values that are not single numbers.
type table struct {
	key []int32   // grades, ascending; nil for a plain list
	val []float64 // gain of each grade, or the list
}

// Info returns the registry entry of the measure.
func (m Measure) Info() *Info { return m.info }

// Cutoff returns the number of ranks the measure looks at, 0 where it looks at the whole list.
func (m Measure) Cutoff() int { return m.cut }

// Rel returns the lowest grade that counts as relevant and whether the measure has such a level at all.
func (m Measure) Rel() (int, bool) {
	if m.rel == noLevel || m.info.param("rel") == nil {
		return 0, false
	}
	return int(m.rel), true
}

// Score returns the value of the measure for one query. It prepares t where that has not happened yet (see
// [Topic.Prepare]) and allocates nothing after that. An empty list, empty qrels and qrels without a relevant document
// score 0 where the formula would divide by zero, unless the entry of the measure says otherwise. The result is never
// NaN.
func (m Measure) Score(t *Topic) float64 {
	t.Prepare()
	return m.info.score(m, t)
}

// String returns the canonical spelling in ir_measures' notation: parameters in registry order, those at their default
// left out, the cutoff after "@". [Parse] of the result gives the same measure back.
func (m Measure) String() string {
	if m.info == nil {
		return "<invalid measure>"
	}
	var b strings.Builder
	b.WriteString(m.info.Name)
	sep := byte('(')
	for i := range m.info.Params {
		p := &m.info.Params[i]
		if p.At || m.isDefault(p) {
			continue
		}
		b.WriteByte(sep)
		sep = ','
		b.WriteString(p.Name)
		b.WriteByte('=')
		b.WriteString(m.text(p))
	}
	if sep == ',' {
		b.WriteByte(')')
	}
	if at := m.info.at(); at != nil && !m.isDefault(at) {
		b.WriteByte('@')
		b.WriteString(m.text(at))
	}
	return b.String()
}

// isDefault reports whether parameter p of m has its default value (or is optional and was not given).
func (m *Measure) isDefault(p *Param) bool {
	if p.Kind == KindGains || p.Kind == KindList {
		return m.table == nil
	}
	return m.get(p) == p.absent()
}

// get returns the value of a parameter that is a single number.
func (m *Measure) get(p *Param) float64 {
	switch p.place {
	case placeCut:
		return float64(m.cut)
	case placeRel:
		return float64(m.rel)
	case placeJudged:
		return oneIf(m.judged)
	case placeGain:
		return oneIf(m.exponential)
	}
	return m.x[p.place]
}

// set stores the value of a parameter that is a single number.
func (m *Measure) set(p *Param, v float64) {
	switch p.place {
	case placeCut:
		m.cut = int(v)
	case placeRel:
		m.rel = int32(v)
	case placeJudged:
		m.judged = v != 0
	case placeGain:
		m.exponential = v != 0
	default:
		m.x[p.place] = v
	}
}

// text returns the value of a parameter as it is written in the notation.
func (m *Measure) text(p *Param) string {
	switch p.Kind {
	case KindInt:
		return strconv.Itoa(int(m.get(p)))
	case KindBool:
		if m.get(p) != 0 {
			return "True"
		}
		return "False"
	case KindChoice:
		return "'" + p.Choices[int(m.get(p))] + "'"
	case KindGains:
		var b strings.Builder
		b.WriteByte('{')
		for i, k := range m.table.key {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(int(k)))
			b.WriteByte(':')
			b.WriteString(gainText(m.table.val[i]))
		}
		b.WriteByte('}')
		return b.String()
	case KindList:
		var b strings.Builder
		b.WriteByte('[')
		for i, v := range m.table.val {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(floatText(v))
		}
		b.WriteByte(']')
		return b.String()
	}
	return floatText(m.get(p))
}

// gainText writes a gain without a fraction where it has none: {2:3}, as ir_measures writes integer gains.
func gainText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return floatText(v)
}

// floatText writes the shortest decimal that reads back as v, with a point or an exponent, as Python's repr does.
func floatText(v float64) string {
	s := strconv.FormatFloat(v, 'e', -1, 64)
	e := strings.IndexByte(s, 'e')
	if exp, err := strconv.Atoi(s[e+1:]); err == nil && exp >= -4 && exp < 16 {
		s = strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
	}
	return s
}

// gain returns the gain of a grade under the measure's table: the table's value, or else the grade itself where that is
// positive.
func (m *Measure) gain(grade int32) float64 {
	if m.table != nil {
		for i, k := range m.table.key {
			if k == grade {
				return m.table.val[i]
			}
		}
	}
	return float64(max(grade, 0))
}
