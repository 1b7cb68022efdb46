package pipeline

import (
	"math"
	"strconv"
	"strings"
)

// Node is one stage of a pipeline with its values. The root of a pipeline is its last stage: Input leads back to the
// first. Nodes are made by Parse, ReadJSON and With, are always valid, and are never changed after that, so they may be
// shared.
type Node struct {
	Stage *Stage
	Args  []*Node // the pipelines that a Combiner combines, at least Stage.MinArgs; nil for other roles
	Input *Node   // the pipeline before >> for a Transformer; nil for other roles

	unread string // of a pipeline that was not read: what is written; "" for all others
	in     *Notation
	values []string // beside Stage.Params: canonical text of a value other than the default, "" where the default holds
}

// unread is the stage of pipelines that were not read.
var unread = &Stage{Label: func(n *Node) string { return n.unread }}

// Unread returns a pipeline that stands for a text which names stages that nobody here knows, in canonical form
// elsewhere. It prints that text, has no stage that could be found and no value that could be set.
func Unread(text string) *Node { return &Node{Stage: unread, unread: text, in: New()} }

// Unread reports whether the pipeline was not read.
func (n *Node) Unread() bool { return n.Stage == unread }

// IsSet reports whether the parameter has a value other than its default. It panics where the stage declares no such
// parameter.
func (n *Node) IsSet(name string) bool { return n.values[n.must(name)] != "" }

// Applies reports whether the parameter means anything with the values of the other parameters: delta does for bm25's
// variant bm25l and not for lucene. It panics where the stage declares no such parameter.
func (n *Node) Applies(name string) bool { return n.applies(n.must(name)) }

// Default returns the canonical text of the value that holds while none is written: of bm25's k1 that of the variant.
// It panics where the stage declares no such parameter.
func (n *Node) Default(name string) string { return n.byDefault(n.must(name)) }

// Value returns the canonical text of the parameter's value, or of its default. It panics where the stage declares no
// such parameter.
func (n *Node) Value(name string) string { return n.value(n.must(name)) }

// Number returns the value or default of a parameter of kind Number or Integer. It panics where the stage declares no
// such parameter.
func (n *Node) Number(name string) float64 {
	i := n.must(name, Number, Integer)
	f, err := strconv.ParseFloat(n.value(i), 64)
	if err != nil {
		panic("pipeline: stage " + n.Stage.Name + ": default of " + name + " is not a number")
	}
	return f
}

// Integer returns the value or default of a parameter of kind Integer. It panics where the stage declares no such
// parameter.
func (n *Node) Integer(name string) int {
	n.must(name, Integer)
	return int(n.Number(name))
}

// Bool returns the value or default of a parameter of kind Bool. It panics where the stage declares no such parameter.
func (n *Node) Bool(name string) bool { return n.value(n.must(name, Bool)) == "true" }

// Word returns the value or default of a parameter of kind Word; "" where it is open. It panics where the stage
// declares no such parameter.
func (n *Node) Word(name string) string { return n.value(n.must(name, Word)) }

// Walk calls f for n and for every node below it, in the order in which they are written.
func (n *Node) Walk(f func(*Node)) {
	if n.Input != nil {
		n.Input.Walk(f)
	}
	f(n)
	for _, a := range n.Args {
		a.Walk(f)
	}
}

// Find returns the nodes of the stage of that name in the order in which they are written, nil where there is none.
func (n *Node) Find(stage string) []*Node {
	var found []*Node
	n.Walk(func(m *Node) {
		if m.Stage.Name == stage {
			found = append(found, m)
		}
	})
	return found
}

// String returns the canonical form.
func (n *Node) String() string {
	var b strings.Builder
	n.print(&b, func(*Param) bool { return true })
	return b.String()
}

// Label returns a short name for tables: "BM25", "BM25, title x3", "Dense (MiniLM)", "Hybrid". It is for reading: two
// pipelines may share one.
func (n *Node) Label() string { return n.Stage.Label(n) }

// With returns the pipeline with a parameter set on every stage of that name for which it means anything; n stays as it
// is. The value "" stands for the default. Values that another one has made meaningless go: changing bm25's variant
// from okapi drops epsilon. It returns an *Error where the pipeline has no such stage, the stage no such parameter, or
// the value is no good.
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

// dropDefaults empties the values that equal their default. Parameters stand after the one that their default depends
// on.
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

// must returns the index of a parameter of one of the kinds, any where none is given.
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

// Shape returns the canonical form without the values that are not Fixed: pipelines of one shape are built of the same
// parts, and the ranker of one can be set to the values of another.
func (n *Node) Shape() string {
	var b strings.Builder
	n.print(&b, func(p *Param) bool { return p.Fixed })
	return b.String()
}

// print writes the canonical form with the parameters that shown lets pass.
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

// number returns the shortest decimal text of a number and its value. The grammar is that of the parameters of
// measures: an optional sign, digits, an optional point with digits, and an optional exponent; nothing hexadecimal,
// nothing infinite.
func number(s string) (string, float64, bool) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(s), "e")
	digits := unsigned(mantissa)
	if len(s) > 32 || strings.Trim(digits, ".") == "" || strings.Count(digits, ".") > 1 ||
		strings.Trim(digits, "0123456789.") != "" {
		return "", 0, false
	}
	if e := unsigned(exponent); scientific && (e == "" || strings.Trim(e, "0123456789") != "") {
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

// unsigned cuts a sign off.
func unsigned(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}
