package measure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Ties is the order of documents with equal scores.
type Ties int

// The tie policies. All except Input first sort by descending score.
const (
	DocIDDesc Ties = iota // document id descending (bytes), as trec_eval
	DocIDAsc              // document id ascending (bytes)
	Stable                // input order
	Input                 // no sorting: the input order is the ranking, whatever the scores
)

// Missing is the treatment of a judged query that the run lacks.
type Missing int

// The policies for missing queries.
const (
	MissingZero Missing = iota // scored as an empty list (0 for almost all measures), as trec_eval -c
	MissingSkip                // excluded from the summary, as pytrec_eval and trec_eval without -c
)

// UnjudgedDocs is the treatment of unjudged documents.
type UnjudgedDocs int

// The policies for unjudged documents.
const (
	NonRelevant UnjudgedDocs = iota // they count as non-relevant
	// They are removed from the ranking first, as trec_eval -J (Sakai's condensed lists).
	Condensed
)

// Gain maps grades to gains in nDCG and DCG, unless the measure has its own mapping.
type Gain int

// The gain policies.
const (
	Linear      Gain = iota // the grade
	Exponential             // 2^grade - 1
)

// Empty is the treatment of a query without relevant documents.
type Empty int

// The policies for queries without a relevant document.
const (
	EmptyZero Empty = iota // its value counts, 0 for almost all measures
	EmptySkip              // excluded from the summary
)

// Policy is a set of decisions that change a figure but not its name. The zero Policy equals trec_eval -c.
type Policy struct {
	Ties     Ties
	Missing  Missing
	Unjudged UnjudgedDocs
	Gain     Gain
	Empty    Empty
	// Rel replaces the relevance level of measures at their default level; 0 keeps that default (1).
	Rel float64
	// Depth cuts every list after so many documents, as trec_eval -M; 0: no cut.
	Depth int
	// Float32 rounds scores to single precision before comparing them, as pytrec_eval does. This creates additional
	// ties.
	Float32 bool
}

// Switch is one decision of a policy with its named options, the default first.
type Switch struct {
	Name    string
	Options []string // nil for a number
	Doc     string
	Title   string // label of the field: "Missing queries"
}

// Switches lists the decisions of a Policy under the names that [Policy.Set] and [Policy.String] use.
func Switches() []Switch { return slices.Clone(switches) }

var switches = []Switch{
	{"ties", []string{"docid-desc", "docid-asc", "stable", "input"},
		"order of documents with equal scores: by id descending (trec_eval), by id ascending, as given, or no " +
			"sorting at all", "Ties"},
	{"missing", []string{"zero", "skip"}, "a judged query without a list counts as an empty list, or is omitted",
		"Missing queries"},
	{"unjudged", []string{"non-relevant", "condensed"},
		"unjudged documents are not relevant, or are removed from the ranking first", "Unjudged documents"},
	{"gain", []string{"linear", "exponential"}, "gain of a grade in nDCG and DCG: the grade, or 2^grade - 1", "Gain"},
	{"empty", []string{"zero", "skip"}, "a query without a relevant document counts with its value, or is omitted",
		"Queries without relevant documents"},
	{"rel", nil, "lowest relevant grade, for measures without one of their own", "Relevant from grade"},
	{"depth", nil, "number of documents to use of every list, 0 for all", "Documents kept"},
	{"precision", []string{"double", "single"}, "precision in which scores are compared", "Precision of scores"},
}

// Level returns the lowest grade that counts as relevant for measures at their default level.
func (p *Policy) Level() float64 {
	if p.Rel > 0 {
		return p.Rel
	}
	return 1
}

func (p *Policy) option(i int) float64 {
	switch i {
	case 0:
		return float64(p.Ties)
	case 1:
		return float64(p.Missing)
	case 2:
		return float64(p.Unjudged)
	case 3:
		return float64(p.Gain)
	case 4:
		return float64(p.Empty)
	case 5:
		return p.Rel
	case 6:
		return float64(p.Depth)
	}
	if p.Float32 {
		return 1
	}
	return 0
}

// Set changes one decision by name: Set("ties", "docid-asc"), Set("rel", "2"). Its error lists the options.
func (p *Policy) Set(name, option string) error {
	for i, s := range switches {
		if s.Name != name {
			continue
		}
		v := slices.Index(s.Options, option)
		number := 0.0
		if s.Options == nil {
			n, err := strconv.ParseFloat(option, 64)
			kind := "a whole number"
			if i == 5 {
				kind = "a number"
			}
			if v, number = int(n), n; err != nil || !(n >= 0 && n <= 1e6) || i != 5 && n != math.Trunc(n) {
				return say.Faultf("measure", "policy %s: %w %q: %s from 0", name, ErrValue, option, kind)
			}
		} else if v < 0 {
			return say.Faultf("measure", "policy %s: %w %q: one of %s", name, ErrValue, option,
				strings.Join(s.Options, ", "))
		}
		switch i {
		case 0:
			p.Ties = Ties(v)
		case 1:
			p.Missing = Missing(v)
		case 2:
			p.Unjudged = UnjudgedDocs(v)
		case 3:
			p.Gain = Gain(v)
		case 4:
			p.Empty = Empty(v)
		case 5:
			p.Rel = number
		case 6:
			p.Depth = v
		case 7:
			p.Float32 = v == 1
		}
		return nil
	}
	return say.Faultf("measure", "policy: %w %q", ErrUnknownParam, name)
}

// String lists the decisions that differ from the default: "ties=docid-asc missing=skip", "" for the zero Policy.
func (p Policy) String() string {
	var parts []string
	for i, s := range switches {
		if v := p.option(i); v != 0 {
			if s.Options == nil {
				parts = append(parts, s.Name+"="+gainText(v))
			} else if int(v) < len(s.Options) {
				parts = append(parts, s.Name+"="+s.Options[int(v)])
			}
		}
	}
	return strings.Join(parts, " ")
}

// Apply returns m under the policy: with its relevance level, gain and judged_only where m has the defaults.
// Measures without the parameter judged_only also use condensed lists, but their String cannot show it.
func (p Policy) Apply(m Measure) Measure {
	if r := m.info.param("rel"); p.Rel != 0 && r != nil && !r.Optional && m.isDefault(r) {
		m.rel = p.Rel
	}
	if d := m.info.param("dcg"); p.Gain == Exponential && d != nil && len(d.Choices) > 1 && m.isDefault(d) &&
		m.table == nil {
		m.set(d, 1)
	}
	if p.Unjudged == Condensed {
		m.judged = true
	}
	return m
}

// order returns the ranking of a list as indices into ids and scores (of equal length), best first: by descending
// score (in single precision if requested), ties by the policy, NaN last. An ordered list costs one pass.
func order(ids []string, scores []float64, ties Ties, single bool) []int {
	if len(ids) != len(scores) {
		panic("measure: order: ids and scores differ in length")
	}
	o := make([]int, len(ids))
	for i := range o {
		o[i] = i
	}
	if ties == Input {
		return o
	}
	key := func(i int) float64 {
		s := scores[i]
		if single {
			s = float64(float32(s))
		}
		if math.IsNaN(s) {
			return math.Inf(-1)
		}
		return s
	}
	cmp := func(a, b int) int {
		x, y := key(a), key(b)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		if p, q := math.IsNaN(scores[a]), math.IsNaN(scores[b]); p != q {
			if p {
				return 1
			}
			return -1
		}
		switch ties {
		case DocIDAsc:
			if c := strings.Compare(ids[a], ids[b]); c != 0 {
				return c
			}
		case DocIDDesc:
			if c := strings.Compare(ids[b], ids[a]); c != 0 {
				return c
			}
		}
		return a - b
	}
	if !slices.IsSortedFunc(o, cmp) {
		slices.SortFunc(o, cmp)
	}
	return o
}
