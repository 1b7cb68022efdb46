package measure

import (
	"math"
	"strconv"
)

// Info is the registry entry of one measure. Documentation, tooltips and tests derive from it.
type Info struct {
	Name      string   // canonical name in the notation: "nDCG"
	Title     string   // in words: "normalised discounted cumulative gain"
	Brief     string   // one sentence, for a tooltip
	Group     Group    // chapter of the documentation
	Aliases   []Alias  // names in other tools
	Params    []Param  // in print order
	Formula   string   // in plain text
	Low, High float64  // smallest and largest possible value; ±Inf if unbounded
	Reference string   // source of the definition
	Example   Example  // worked by hand, recomputed by a test
	Notes     []string // differences between tools, and which of them is wrong
	Sum       bool     // the summary over queries is a sum, not a mean
	Lower     bool     // smaller is better

	score     func(m Measure, t *Topic) float64
	describes bool // it describes how much of a ranking is judged, see Describes
	// unfold sets the term of every document and the divisor of their sum, see unfold.go; nil if the measure is not
	// a sum over documents by definition.
	unfold func(u *unfolder)
	check  func(m Measure) error // whether the parameters are consistent; nil: always
	usual  []float64             // default of a List parameter

	// better orders the documents of a tie from good to bad, see ties.go; nil if order does not matter.
	better func(m *Measure, t *Topic, i int) float64
	// spread returns the extremes over tied documents if better is not enough; ok is false if it cannot.
	spread func(m Measure, t *Topic) (lo, hi float64, ok bool)
	// open returns the extremes over the possible grades of unjudged documents, see residual.go.
	open residual
	// least reports whether judging unjudged documents never lowers the value; nil: it may.
	least func(m *Measure) bool

	own [maxExtra]string // names of the parameters in Measure.x, in order; see placed
}

// Group is a chapter of the measures' documentation.
type Group string

// The chapters.
const (
	Binary  Group = "Relevant or not"
	Graded  Group = "Graded relevance"
	User    Group = "Models of a user"
	Pooling Group = "Incomplete judgments"
	Diverse Group = "Diversity"
	// Grouped measures use the judgments of several users, each a subtopic of Topic.Subtopics.
	Grouped    Group = "Groups of judgments"
	Preferring Group = "Preferences"
	Sets       Group = "Sets"
	Counting   Group = "Counts"
)

// Alias is a measure's name in another tool. Set presets parameters, as written within the parentheses of the
// notation.
type Alias struct {
	Tool string // "trec_eval", "ranx", "BEIR" … or "" for common usage
	Name string
	Set  string
}

// Kind is the type of a parameter.
type Kind int

// The kinds of parameters.
const (
	KindInt    Kind = iota // a whole number, unless Param.Decimal
	KindFloat              // a decimal number
	KindBool               // True or False
	KindChoice             // one of Param.Choices, quoted
	KindGains              // {grade:gain,...}
	KindList               // [number,...]
)

// Where a Measure stores a parameter: in a field of that name, else in Measure.x.
const (
	placeCut = -1 - iota
	placeRel
	placeJudged
	placeGain // dcg
	placeTable
)

// assignPlaces assigns every parameter its place, by name and order.
func assignPlaces(list []*Info) []*Info {
	names := map[string]int{"cutoff": placeCut, "rel": placeRel, "judged_only": placeJudged, "dcg": placeGain}
	for _, in := range list {
		next := 0
		for i := range in.Params {
			p := &in.Params[i]
			place, known := names[p.Name]
			switch {
			case p.Kind == KindGains || p.Kind == KindList:
				p.place = placeTable
			case known:
				p.place = place
			default:
				if next == maxExtra {
					panic("measure: " + in.Name + " has more than " + strconv.Itoa(maxExtra) + " parameters of its own")
				}
				p.place, in.own[next] = next, p.Name
				next++
			}
		}
	}
	return list
}

// Param is a parameter of a measure.
type Param struct {
	Name     string
	Kind     Kind
	At       bool    // given after "@"
	Decimal  bool    // KindInt: a grade, which may have decimals
	Required bool    // must be given
	Optional bool    // may be absent, which differs from every value
	Default  float64 // if neither required nor optional; for Choice the index into Choices
	Min, Max float64 // allowed range, both ends included; no range if both are 0
	Choices  []string
	Doc      string

	place int // see placed
}

// absent returns the stored value of an absent parameter.
func (p *Param) absent() float64 {
	if p.Optional || p.Required {
		switch p.place {
		case placeCut:
			return 0
		case placeRel:
			return noLevel
		}
		return notGiven
	}
	return p.Default
}

// notGiven represents an absent optional number; no parameter may have this value.
const notGiven = math.MaxFloat64

// Example is a worked example: one ranking, its qrels and the resulting value.
type Example struct {
	Measure     string    // notation
	Ranked      []float64 // as in Topic
	Judged      []float64 // as in Topic; nil: the judged grades of Ranked
	Subtopics   *Subtopics
	Preferences *Preferences
	Value       float64
	Working     string // the arithmetic in one line
}

// All returns the entries of all measures in registry order. The caller must not change them.
func All() []*Info { return registry }

func (in *Info) param(name string) *Param {
	for i := range in.Params {
		if in.Params[i].Name == name {
			return &in.Params[i]
		}
	}
	return nil
}

func (in *Info) at() *Param {
	for i := range in.Params {
		if in.Params[i].At {
			return &in.Params[i]
		}
	}
	return nil
}

// blank returns the measure with every parameter absent or at its default.
func (in *Info) blank() Measure {
	m := Measure{info: in, rel: noLevel}
	for i := range in.Params {
		if p := &in.Params[i]; p.Kind != KindGains && p.Kind != KindList {
			m.set(p, p.absent())
		}
	}
	return m
}

// maxCutoff is the largest cutoff: some measures sum the weights of all ranks up to it.
const maxCutoff = 1e6

// Parameters that many measures share.
var (
	cutoff = Param{Name: "cutoff", Kind: KindInt, At: true, Optional: true, Min: 1, Max: maxCutoff,
		Doc: "number of ranks to read; without it, the whole list"}
	cutoffRequired = Param{Name: "cutoff", Kind: KindInt, At: true, Required: true, Min: 1,
		Max: maxCutoff,
		Doc: "number of ranks to read"}
	relevance = Param{Name: "rel", Kind: KindInt, Decimal: true, Default: 1, Min: -1e6, Max: 1e6,
		Doc: "lowest grade that counts as relevant"}
	judgedOnly = Param{Name: "judged_only", Kind: KindBool,
		Doc: "remove unjudged documents from the ranking before measuring"}
)
