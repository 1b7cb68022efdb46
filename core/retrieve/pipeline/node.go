package pipeline

import (
	"math"
	"strconv"
	"strings"
)

// Node is one stage of a pipeline with its values. The root of a pipeline is its last stage; Input leads back to
// the first. Parse, ReadJSON and With make Nodes. They are always valid and immutable, so they may be shared.
type Node struct {
	Stage *Stage
	Args  []*Node // the combined pipelines of a Combiner, at least Stage.MinArgs; nil for other roles
	Input *Node   // the pipeline before the >> of a Transformer; nil for other roles

	unread string // the text of a pipeline that was not parsed, else ""
	in     *Notation
	values []string // parallel to Stage.Params: canonical text of a value other than the default, else ""
}

// unread is the stage of unparsed pipelines.
var unread = &Stage{Label: func(n *Node) string { return n.unread }}

// Unread returns a placeholder for a text with unknown stages that is canonical elsewhere. It prints that text and
// has no stages or values.
func Unread(text string) *Node { return &Node{Stage: unread, unread: text, in: New()} }

// Unread reports whether the pipeline is such a placeholder.
func (n *Node) Unread() bool { return n.Stage == unread }

// IsSet reports whether the parameter has a value other than its default. It panics if the stage has no such
// parameter.
func (n *Node) IsSet(name string) bool { return n.values[n.must(name)] != "" }

// Applies reports whether the parameter has a meaning with the values of the others: delta has one for bm25's
// variant bm25l, but not for lucene. It panics if the stage has no such parameter.
func (n *Node) Applies(name string) bool { return n.applies(n.must(name)) }

// Default returns the canonical text of the default value, which for bm25's k1 depends on the variant. It panics if
// the stage has no such parameter.
func (n *Node) Default(name string) string { return n.byDefault(n.must(name)) }

// Value returns the canonical text of the parameter's value or default. It panics if the stage has no such
// parameter.
func (n *Node) Value(name string) string { return n.value(n.must(name)) }

// Number returns the value or default of a parameter of kind Number or Integer. It panics if the stage has no such
// parameter.
func (n *Node) Number(name string) float64 {
	i := n.must(name, Number, Integer)
	f, err := strconv.ParseFloat(n.value(i), 64)
	if err != nil {
		panic("pipeline: stage " + n.Stage.Name + ": default of " + name + " is not a number")
	}
	return f
}

// Integer returns the value or default of a parameter of kind Integer. It panics if the stage has no such
// parameter.
func (n *Node) Integer(name string) int {
	n.must(name, Integer)
	return int(n.Number(name))
}

// Bool returns the value or default of a parameter of kind Bool. It panics if the stage declares no such parameter.
func (n *Node) Bool(name string) bool { return n.value(n.must(name, Bool)) == "true" }

// Word returns the value or default of a parameter of kind Word, or "" if it is open. It panics if the stage has no
// such parameter.
func (n *Node) Word(name string) string { return n.value(n.must(name, Word)) }

// Walk calls f for n and every node below it, in written order.
func (n *Node) Walk(f func(*Node)) {
	if n.Input != nil {
		n.Input.Walk(f)
	}
	f(n)
	for _, a := range n.Args {
		a.Walk(f)
	}
}

// Find returns the nodes of the stage with a name in written order, or nil.
func (n *Node) Find(stage string) []*Node {
	var found []*Node
	n.Walk(func(m *Node) {
		if m.Stage.Name == stage {
			found = append(found, m)
		}
	})
	return found
}

// String returns the canonical form. Equivalent pipelines have the same canonical form, so hashes, comparisons and
// links use it:
//
//   - Argument pipelines come first, in their order, each followed by ", " if something follows. Their order
//     matters: explanations name the rankings by it, and sums of three or more depend on it in the last bit.
//   - Parameters follow in the order of their declaration, separated by "," alone, positional ones without name.
//   - Default values and empty parentheses are omitted. The defaults of bm25's k1, b and delta depend on variant.
//   - Numbers have their shortest decimal form without exponent (1e3 is 1000).
//   - ">>" has a space on either side.
func (n *Node) String() string {
	var b strings.Builder
	n.print(&b, func(*Param) bool { return true })
	return b.String()
}

// Label returns a short display name: "BM25", "BM25, title x3", "Dense (MiniLM)", "Hybrid". Two pipelines may share
// one.
func (n *Node) Label() string { return n.Stage.Label(n) }

// With returns the pipeline with a parameter set on every stage with that name for which it has a meaning, and
// leaves n unchanged. "" means the default. It drops values that become meaningless: changing bm25's variant from
// okapi drops epsilon. It returns an *Error for an unknown stage or parameter, or an invalid value.
func (n *Node) With(stage, param, value string) (*Node, error) {
	s := n.in.Lookup(stage)
	if s == nil {
		return nil, n.in.unknownStage(-1, stage)
	}
	i := s.index(param)
	if i < 0 {
		return nil, unknownParam(-1, s, param)
	}
	if value == "" && s.Params[i].Required {
		return nil, fail(-1, s.Name+" needs "+param)
	}
	if value != "" {
		text, err := canonical(s, &s.Params[i], written{pos: -1, text: value})
		if err != nil {
			return nil, err
		}
		value = text
	}
	there, changed := false, false
	root := n.with(s, i, value, &there, &changed)
	switch {
	case !there:
		return nil, fail(-1, "the pipeline has no "+s.Name)
	case !changed:
		return nil, meaningless(-1, n.Find(stage)[0], i)
	}
	if l := len(root.String()); l > MaxLength {
		return nil, tooLong(-1, l)
	}
	return root, nil
}

func (n *Node) with(s *Stage, i int, value string, there, changed *bool) *Node {
	c := &Node{Stage: n.Stage, in: n.in, values: append([]string(nil), n.values...)}
	if n.Input != nil {
		c.Input = n.Input.with(s, i, value, there, changed)
	}
	for _, a := range n.Args {
		c.Args = append(c.Args, a.with(s, i, value, there, changed))
	}
	if n.Stage != s {
		return c
	}
	*there = true
	if !c.applies(i) {
		return c
	}
	*changed = true
	c.values[i] = value
	for j := range c.values {
		if !c.applies(j) {
			c.values[j] = ""
		}
	}
	c.dropDefaults()
	return c
}

// dropDefaults clears values that equal their default. A parameter follows the one that its default depends on.
func (n *Node) dropDefaults() {
	for i := range n.values {
		if n.values[i] == n.byDefault(i) {
			n.values[i] = ""
		}
	}
}

func (n *Node) applies(i int) bool {
	p := &n.Stage.Params[i]
	if p.Only == nil {
		return true
	}
	i = n.Stage.index(p.By)
	by := n.value(i)
	for _, w := range p.Only {
		if w == by && n.applies(i) {
			return true
		}
	}
	return false
}

func (n *Node) byDefault(i int) string {
	p := &n.Stage.Params[i]
	if len(p.Defaults) > 0 {
		by := n.value(n.Stage.index(p.By))
		for _, c := range p.Defaults {
			if c.Word == by {
				return c.Default
			}
		}
	}
	return p.Default
}

func (n *Node) value(i int) string {
	if v := n.values[i]; v != "" {
		return v
	}
	return n.byDefault(i)
}

// Plain reports whether every parameter has its default.
func (n *Node) Plain() bool {
	for _, v := range n.values {
		if v != "" {
			return false
		}
	}
	return true
}

// must returns the index of a parameter of one of the kinds, or of any kind if none is given.
func (n *Node) must(name string, kinds ...Kind) int {
	i := n.Stage.index(name)
	if i < 0 {
		panic("pipeline: stage " + n.Stage.Name + " has no parameter " + name)
	}
	for _, k := range kinds {
		if n.Stage.Params[i].Kind == k {
			return i
		}
	}
	if len(kinds) > 0 {
		panic("pipeline: stage " + n.Stage.Name + ": parameter " + name + " is a " + n.Stage.Params[i].Kind.String())
	}
	return i
}

// Shape returns the canonical form with only the Fixed values. Pipelines of one shape consist of the same parts, so
// a ranker of one can be set to the values of another.
func (n *Node) Shape() string {
	var b strings.Builder
	n.print(&b, func(p *Param) bool { return p.Fixed })
	return b.String()
}

// print writes the canonical form with the parameters that shown accepts.
func (n *Node) print(b *strings.Builder, shown func(*Param) bool) {
	if n.Input != nil {
		n.Input.print(b, shown)
		b.WriteString(" >> ")
	}
	b.WriteString(n.Stage.Name + n.unread)
	open := "("
	for _, a := range n.Args {
		b.WriteString(open)
		a.print(b, shown)
		open = ", "
	}
	for i, v := range n.values {
		p := &n.Stage.Params[i]
		if v == "" || !shown(p) {
			continue
		}
		b.WriteString(open)
		if !p.Positional {
			b.WriteString(p.Name)
			b.WriteByte('=')
		}
		b.WriteString(v)
		open = ","
	}
	if open != "(" {
		b.WriteByte(')')
	}
}

// canonicalNumber returns the shortest decimal text of a number and its value. The grammar is that of measure
// parameters: an optional sign, digits, an optional point with digits, and an optional exponent; neither
// hexadecimal nor infinite.
func canonicalNumber(s string) (string, float64, bool) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(s), "e")
	digits := trimSign(mantissa)
	if len(s) > 32 || strings.Trim(digits, ".") == "" || strings.Count(digits, ".") > 1 ||
		strings.Trim(digits, "0123456789.") != "" {
		return "", 0, false
	}
	if e := trimSign(exponent); scientific && (e == "" || strings.Trim(e, "0123456789") != "") {
		return "", 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return "", 0, false
	}
	if f == 0 {
		f = 0 // not -0
	}
	return strconv.FormatFloat(f, 'f', -1, 64), f, true
}

// trimSign removes a sign.
func trimSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}
