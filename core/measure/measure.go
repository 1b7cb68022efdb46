// Package measure computes retrieval measures: the quality of a ranking given relevance judgments. It knows no
// files, collections or systems, and tests no significance.
//
// Order of the pipeline: notation → [Parse] → [Measure]; [List] → [Policy] → [Topic] → [Measure.Score]; topics →
// [Evaluate] → [Result], or [FormatTrecEval] → text. [Conventions] recompute lists as other tools would. Every
// measure is one file with one entry ([Info]) of the registry; other packages know no measure by name. trec_eval 10
// is the reference, ir_measures 0.4.3 for names and for other measures.
package measure

import (
	"math"
	"strconv"
	"strings"
)

// Unjudged is the grade of a document that the query's qrels lack.
//
// Grades are numbers, mostly whole ones, relevant from the level rel (default 1) on. A negative grade means, as in
// trec_eval, "pooled but not judged": gain 0, never relevant, and neither relevant nor non-relevant to measures of
// judged documents.
const Unjudged = math.MinInt32

// noLevel is the value of rel if the level is optional and absent.
const noLevel = math.MinInt32

// maxExtra is the maximum number of parameters besides the cutoff, rel, judged_only, dcg and gains.
const maxExtra = 5

// Measure is a measure with its parameters, made by [Parse]. The zero Measure is invalid. Measures are immutable
// values; two are equivalent exactly if their Strings are equal.
type Measure struct {
	info        *Info
	cut         int               // number of ranks that count; 0: the whole list
	rel         float64           // lowest relevant grade; noLevel: absent
	judged      bool              // drop unjudged documents first
	exponential bool              // the gain is 2^grade - 1: dcg='exp-log2'
	x           [maxExtra]float64 // the other parameters, at their Param.place; Float reads them by name
	table       *table            // gains by grade, or a list of numbers; nil: absent
}

// table holds a parameter value that is not a single number.
type table struct {
	key []float64 // grades, ascending; nil for a plain list
	val []float64 // gain of each grade, or the list
}

// Info returns the registry entry of the measure.
func (m Measure) Info() *Info { return m.info }

// Cutoff returns the number of ranks that count, 0 for the whole list.
func (m Measure) Cutoff() int { return m.cut }

// Rel returns the lowest relevant grade, and whether the measure has a relevance level.
func (m Measure) Rel() (float64, bool) {
	if m.rel == noLevel || m.info.param("rel") == nil {
		return 0, false
	}
	return m.rel, true
}

// Score returns the value of the measure for one query. It prepares t if necessary (see [Topic.Prepare]) and
// allocates nothing after that. Empty lists, empty qrels and qrels without a relevant document score 0 if the
// formula would divide by zero, unless the measure's entry says otherwise. The result is never NaN.
func (m Measure) Score(t *Topic) float64 {
	t.Prepare()
	return m.info.score(m, t)
}

// String returns the canonical spelling in ir_measures' notation: parameters in registry order without defaults,
// the cutoff after "@". [Parse] turns it back into the same measure.
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
		b.WriteString(m.paramText(p))
	}
	if sep == ',' {
		b.WriteByte(')')
	}
	if at := m.info.at(); at != nil && !m.isDefault(at) {
		b.WriteByte('@')
		b.WriteString(m.paramText(at))
	}
	return b.String()
}

// isDefault reports whether parameter p of m has its default value, or is optional and absent.
func (m *Measure) isDefault(p *Param) bool {
	if p.Kind == KindGains || p.Kind == KindList {
		return m.table == nil
	}
	return m.get(p) == p.absent()
}

// get returns the value of a numeric parameter.
func (m *Measure) get(p *Param) float64 {
	switch p.place {
	case placeCut:
		return float64(m.cut)
	case placeRel:
		return m.rel
	case placeJudged:
		return oneIf(m.judged)
	case placeGain:
		return oneIf(m.exponential)
	}
	return m.x[p.place]
}

// set stores the value of a numeric parameter.
func (m *Measure) set(p *Param, v float64) {
	switch p.place {
	case placeCut:
		m.cut = int(v)
	case placeRel:
		m.rel = v
	case placeJudged:
		m.judged = v != 0
	case placeGain:
		m.exponential = v != 0
	default:
		m.x[p.place] = v
	}
}

// paramText returns the value of a parameter in the notation.
func (m *Measure) paramText(p *Param) string {
	switch p.Kind {
	case KindInt:
		return gainText(m.get(p))
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
			b.WriteString(gainText(k))
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

// gainText writes whole gains without a fraction: {2:3}, as ir_measures does.
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

// gain returns the gain of a grade: from the measure's table, else the grade itself if positive.
func (m *Measure) gain(grade float64) float64 {
	if m.table != nil {
		for i, k := range m.table.key {
			if k == grade {
				return m.table.val[i]
			}
		}
	}
	return max(grade, 0)
}
