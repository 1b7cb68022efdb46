package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
)

// calc evaluates an arithmetic expression: numbers, + - × /, integer powers ^ and brackets. "1-0.95^20" is .6415….
func calc(text string) (float64, error) {
	c := &calculator{rest: text}
	v := c.sum()
	if c.rest != "" || c.bad || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is nothing to reckon", text)
	}
	return v, nil
}

// calculator is a recursive-descent parser.
type calculator struct {
	rest  string
	bad   bool
	depth int
}

func (c *calculator) take(s string) bool {
	rest, ok := strings.CutPrefix(c.rest, s)
	c.rest = rest
	return ok
}

func (c *calculator) sum() float64 {
	v := c.product()
	for {
		switch {
		case c.take("+"):
			v += c.product()
		case c.take("-"):
			v -= c.product()
		default:
			return v
		}
	}
}

func (c *calculator) product() float64 {
	v := c.power()
	for {
		switch {
		case c.take("×"):
			v = float64(v * c.power())
		case c.take("/"):
			v /= c.power()
		default:
			return v
		}
	}
}

func (c *calculator) power() float64 {
	v := c.atom()
	if !c.take("^") {
		return v
	}
	n := c.atom()
	if n != math.Trunc(n) || n < 0 || n > 1000 {
		c.bad = true
		return v
	}
	out := 1.0
	for range int(n) {
		out = float64(out * v)
	}
	return out
}

func (c *calculator) atom() float64 {
	if c.depth++; c.depth > 50 {
		c.bad = true
		return 0
	}
	defer func() { c.depth-- }()
	if c.take("log2(") {
		v := c.sum()
		c.bad = c.bad || !c.take(")") || v <= 0
		return float.Log(v) / float.Log(2)
	}
	if c.take("ln(") {
		v := c.sum()
		c.bad = c.bad || !c.take(")") || v <= 0
		return float.Log(v)
	}
	if c.take("(") {
		v := c.sum()
		c.bad = c.bad || !c.take(")")
		return v
	}
	n := 0
	for n < len(c.rest) && strings.IndexByte("0123456789.", c.rest[n]) >= 0 {
		n++
	}
	v, err := strconv.ParseFloat(c.rest[:n], 64)
	c.bad = c.bad || err != nil
	c.rest = c.rest[n:]
	return v
}
