package play

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// Sum is the arithmetic of one list.
type Sum struct {
	Unfolding *measure.Unfolding
	Play      *Play
	List      List
}

// Head names the terms.
func (c *Sum) Head() string {
	if c.Unfolding.Stepwise {
		return "Changes"
	}
	return "Term"
}

// BaseName says what the value is before any document.
func (c *Sum) BaseName() string {
	if c.Unfolding.Stepwise {
		return "an empty list"
	}
	return "whatever the list is"
}

// Measure names what comes out.
func (c *Sum) Measure() string {
	m, _ := c.Play.T().Measure()
	return m.String()
}

func number(n int) string  { return strconv.Itoa(n) }
func tieOf(doc int) string { return strconv.Itoa(doc) }

func tie(r Row) any {
	if r.Cut {
		return nil
	}
	return r.Key
}

func row(r Row) any {
	if r.Cut {
		return nil
	}
	return strconv.Itoa(r.Place)
}

func hand(list int) string  { return "hand-" + strconv.Itoa(list) }
func cutID(list int) string { return "cut-" + strconv.Itoa(list) }

func join(s []string) string { return strings.Join(s, " ") }

func boolean(on bool) string { return strconv.FormatBool(on) }

func second(on bool) string {
	if on {
		return "One list"
	}
	return "A second list"
}

func tables(second bool) string {
	if second {
		return "tables two"
	}
	return "tables"
}

func valueHead(second bool, list int) string {
	if second {
		return say.Letter(list)
	}
	return "Value"
}

func limit(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func example(p Param) string {
	if p.Kind == measure.KindGains {
		return "{1:1,2:3}"
	}
	return "[1,2]"
}
