package matrix

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// The notation of alternatives is that of pipelines (see package pipeline) with three additions:
//
//	b=0|0.4|0.75     one of these values
//	k1=0.6..1.8/0.2  the numbers from, to, by step; without a step by 1
//	rm3(docs=5)?     the stage, or none; of a combiner's argument the whole argument
//
// They may be mixed: k1=0..1/0.5|1.2. All alternatives of a line make its cartesian product, the first choice varying
// slowest, with "on" before "off".

// Expand returns the pipelines that a written line stands for, as they are written, in order. There are at most limit
// of them: more is an error that says how many. Whether each of them is a pipeline is for the parser of pipelines to
// say.
func Expand(written string, limit int) ([]string, error) {
	if len(written) > MaxWritten {
		return nil, say.Faultf("matrix", "a system of %d bytes: the limit is %d", len(written), MaxWritten)
	}
	p := &expander{text: written}
	line, err := p.line(0)
	if err == nil && p.pos < len(p.text) {
		err = p.unexpected("expected >> or the end")
	}
	if err != nil {
		return nil, err
	}
	if n := line.count(); n > float64(limit) {
		return nil, say.Faultf("matrix", "%s runs are too many: the limit is %d", magnitude(n), limit)
	}
	return line.all(), nil
}

// magnitude writes a count that may be beyond every integer.
func magnitude(n float64) string {
	if n < 1e15 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'e', 1, 64)
}

// choice is a piece of a line: texts in the order in which they are tried.
type choice interface {
	count() float64
	all() []string // "" stands for nothing there
}

// word is a name, or a value with its alternatives.
type word []string

func (w word) count() float64 { return float64(len(w)) }
func (w word) all() []string  { return w }

// pair is key=value.
type pair struct {
	key   string
	value word
}

func (p pair) count() float64 { return p.value.count() }
func (p pair) all() (out []string) {
	for _, v := range p.value {
		out = append(out, p.key+"="+v)
	}
	return out
}

// call is a stage with its arguments; bare has no parentheses.
type call struct {
	name     string
	bare     bool
	args     []choice
	optional bool
}

func (c *call) count() float64 {
	n := 1.0
	for _, a := range c.args {
		n *= a.count()
	}
	if c.optional {
		n++
	}
	return n
}

func (c *call) all() (out []string) {
	for _, args := range product(c.args) {
		if c.bare {
			out = append(out, c.name)
			continue
		}
		out = append(out, c.name+"("+strings.Join(args, ", ")+")")
	}
	if c.optional {
		out = append(out, "")
	}
	return out
}

// line is stages between ">>". Where the first one is left out nothing is left of the line.
type line []*call

func (l line) count() float64 {
	n := 1.0
	for _, c := range l {
		n *= c.count()
	}
	return n
}

func (l line) all() (out []string) {
	parts := make([]choice, len(l))
	for i, c := range l {
		parts[i] = c
	}
	nothing := false
	for _, stages := range product(parts) {
		if nothing && stages[0] == "" {
			continue // said once
		}
		nothing = nothing || stages[0] == ""
		kept := []string{}
		for _, s := range stages {
			if s != "" && stages[0] != "" {
				kept = append(kept, s)
			}
		}
		out = append(out, strings.Join(kept, " >> "))
	}
	return out
}

// product returns every way to take one text of each choice, without those that are "" among arguments left in.
func product(of []choice) [][]string {
	out := [][]string{{}}
	for _, c := range of {
		var next [][]string
		texts := c.all()
		_, argument := c.(line)
		for _, head := range out {
			for _, t := range texts {
				row := append(make([]string, 0, len(of)), head...)
				if t != "" || !argument {
					row = append(row, t)
				}
				next = append(next, row)
			}
		}
		out = next
	}
	return out
}

type expander struct {
	text   string
	pos    int
	ranged int // values of all ranges so far
}

func (p *expander) fail(pos int, message string) error {
	return say.Faultf("matrix", "at byte %d: %s", pos, message)
}

func (p *expander) unexpected(expected string) error {
	p.space()
	if p.pos >= len(p.text) {
		return p.fail(p.pos, "unexpected end: "+expected)
	}
	for _, r := range p.text[p.pos:] {
		return p.fail(p.pos, "unexpected "+strconv.Quote(string(r))+": "+expected)
	}
	return p.fail(p.pos, expected)
}

func (p *expander) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

func (p *expander) next(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

// atom returns a name or a value with its alternatives, as written.
func (p *expander) atom() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("+-._|/", c) >= 0) {
			break
		}
		p.pos++
	}
	return p.text[start:p.pos]
}

func (p *expander) line(depth int) (line, error) {
	var out line
	for {
		c, err := p.stage(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
		if !p.next('>') {
			return out, nil
		}
		if p.pos >= len(p.text) || p.text[p.pos] != '>' {
			return nil, p.fail(p.pos-1, `unexpected ">"; did you mean >>?`)
		}
		p.pos++
	}
}

func (p *expander) stage(depth int) (*call, error) {
	p.space()
	at := p.pos
	name := p.atom()
	if name == "" {
		return nil, p.unexpected("expected the name of a stage")
	}
	c := &call{name: name, bare: true}
	if p.next('(') {
		if depth++; depth > 16 {
			return nil, p.fail(at, "nested too deep")
		}
		c.bare = false
		for !p.next(')') {
			if len(c.args) > 0 && !p.next(',') {
				return nil, p.unexpected("expected , or )")
			}
			a, err := p.argument(depth)
			if err != nil {
				return nil, err
			}
			c.args = append(c.args, a)
		}
	}
	c.optional = p.next('?')
	if strings.ContainsAny(c.name, "|/") {
		return nil, p.fail(at, "alternatives are of values: write two systems, not "+strconv.Quote(brief(c.name)))
	}
	return c, nil
}

func (p *expander) argument(depth int) (choice, error) {
	p.space()
	at := p.pos
	key := p.atom()
	if key == "" {
		return nil, p.unexpected("expected a parameter or a pipeline")
	}
	if p.next('=') {
		p.space()
		at := p.pos
		value := p.atom()
		if value == "" {
			return nil, p.unexpected("expected the value of " + strconv.Quote(brief(key)))
		}
		w, err := p.values(at, value)
		return pair{key, w}, err
	}
	if strings.ContainsAny(key, "|/") || strings.Contains(key, "..") { // of a positional parameter: cut(10|20)
		return p.valuesOf(at, key)
	}
	p.pos = at
	return p.line(depth)
}

func (p *expander) valuesOf(at int, text string) (choice, error) {
	w, err := p.values(at, text)
	return w, err
}

// values reads alternatives and ranges.
func (p *expander) values(at int, text string) (word, error) {
	var out word
	for _, part := range strings.Split(text, "|") {
		if part == "" {
			return nil, p.fail(at, "an alternative is empty in "+strconv.Quote(brief(text)))
		}
		from, to, ranged := strings.Cut(part, "..")
		if !ranged {
			out = append(out, part)
			continue
		}
		to, step, stepped := strings.Cut(to, "/")
		if !stepped {
			step = "1"
		}
		list, why := between(from, to, step)
		if why != "" {
			return nil, p.fail(at, "the range "+strconv.Quote(brief(part))+" "+why)
		}
		out = append(out, list...)
		if p.ranged += len(list); p.ranged > mostValues {
			return nil, p.fail(at, "the ranges have too many values: the limit is "+strconv.Itoa(mostValues))
		}
	}
	return out, nil
}

// between returns the numbers of a range in decimal, or why there are none. They are counted in units of the last
// decimal, so that 0.6, 0.8, 1 are these and not their neighbours.
func between(from, to, step string) (out []string, why string) {
	unit := 0
	for _, s := range []string{from, to, step} {
		if _, after, ok := strings.Cut(s, "."); ok {
			unit = max(unit, len(after))
		}
	}
	if unit > 9 {
		return nil, "has more than nine decimals"
	}
	scale := 1.0
	for range unit {
		scale *= 10
	}
	var n [3]float64
	for i, s := range []string{from, to, step} {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || strings.Trim(s, "+-.0123456789") != "" || math.Abs(v*scale) > 1e15 {
			return nil, "is not of numbers: from..to/step"
		}
		n[i] = math.Round(v * scale)
	}
	switch {
	case n[2] <= 0:
		return nil, "has no step above 0"
	case n[1] < n[0]:
		return nil, "ends before it begins"
	case (n[1]-n[0])/n[2] >= mostValues:
		return nil, "has too many values: the limit is " + strconv.Itoa(mostValues)
	}
	for i := 0.0; n[0]+float64(i*n[2]) <= n[1]; i++ {
		out = append(out, strconv.FormatFloat((n[0]+float64(i*n[2]))/scale, 'f', -1, 64))
	}
	return out, ""
}

// brief cuts a text for a message.
func brief(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
