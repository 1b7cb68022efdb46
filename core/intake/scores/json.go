package scores

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/measure"
)

// isRecords reports whether JSON is objects with a score each, as a data frame writes its rows: {"run": …, "query":
// …, "measure": …, "value": …}.
func isRecords(h *head) bool {
	l, ok := layoutOf(h.keys)
	return h.json && ok && l.item >= 0 && l.value >= 0
}

// records reads objects as the rows of a table.
func (r *reading) records() error {
	var header []string
	at := map[string]int{}
	var rows []row
	for _, n := range r.root.Objects() {
		if n.Kind != golden.Map {
			return r.fail(n.Line, errors.New("an entry that is not an object"))
		}
		x := row{make([]string, len(header)), n.Line}
		for _, m := range n.Members {
			i, had := at[m.Key]
			if !had {
				i = len(header)
				at[m.Key], header, x.cells = i, append(header, m.Key), append(x.cells, "")
			}
			switch m.Value.Kind {
			case golden.Text, golden.Number:
				x.cells[i] = m.Value.Text
			}
		}
		rows = append(rows, x)
		r.out.Lines = n.Line
	}
	for i := range rows {
		for len(rows[i].cells) < len(header) {
			rows[i].cells = append(rows[i].cells, "")
		}
	}
	l, ok := layoutOf(header)
	if !ok || l.item < 0 || l.value < 0 {
		return errors.New("its objects have no query, measure and value")
	}
	return r.arrange(header, rows, l)
}

// isNested reports whether JSON is maps down to scores, with measures as one level: {query: {measure: value}}, as
// pytrec_eval gives it, {system: {query: {measure: value}}} or {system: {measure: {query: value}}}.
func isNested(h *head) bool {
	f := &h.first
	switch {
	case !h.json || h.list || f.kind != '{':
		return false
	case f.within == '0':
		return measure.Known(f.inner)
	case f.within == '{':
		return f.deep == '0' && (measure.Known(f.inner) != measure.Known(f.third))
	}
	return false
}

// nested reads such maps.
func (r *reading) nested() error {
	if r.root.Kind != golden.Map {
		return errors.New("it is not one object")
	}
	if r.opt.Systems != "" && r.twoLevels() {
		return r.bySystem()
	}
	if len(r.root.Members) == 0 {
		return errors.New("it is empty")
	}
	first := r.root.Members[0].Value
	if len(first.Members) > 0 && first.Members[0].Value.Kind == golden.Number {
		return r.byQuery(r.file, r.root)
	}
	for _, m := range r.root.Members {
		if m.Value.Kind != golden.Map {
			return r.fail(m.Line, fmt.Errorf("%q is not a map of scores", say.Brief(m.Key, 60)))
		}
		if err := r.byQuery(m.Key, m.Value); err != nil {
			return err
		}
	}
	return nil
}

// twoLevels reports whether the maps are of scores.
func (r *reading) twoLevels() bool {
	for _, m := range r.root.Members {
		for _, x := range m.Value.Members {
			return x.Value.Kind != golden.Map
		}
	}
	return false
}

// bySystem reads {system: {item: score}}, or {item: {system: score}} where columns are the systems.
func (r *reading) bySystem() error {
	r.out.Noun = "item"
	for _, outer := range r.root.Members {
		if outer.Value.Kind != golden.Map {
			return r.fail(outer.Line, fmt.Errorf("%q is not a map of scores", say.Brief(outer.Key, 60)))
		}
		for _, inner := range outer.Value.Members {
			v, err := scoreOf(inner.Value)
			if err != nil {
				return r.fail(inner.Line, fmt.Errorf("%q: %w", say.Brief(inner.Key, 60), err))
			}
			system, item := outer.Key, inner.Key
			if r.opt.Systems == "columns" {
				system, item = item, system
			}
			r.out.Lines = inner.Line
			if err := r.out.add(system, item, "score", v, inner.Line); err != nil {
				return r.fail(inner.Line, err)
			}
		}
	}
	return nil
}

// byQuery reads the maps of a system.
func (r *reading) byQuery(system string, n *golden.Node) error {
	for _, outer := range n.Members {
		if outer.Value.Kind != golden.Map {
			return r.fail(outer.Line, fmt.Errorf("%q is not a map of scores", say.Brief(outer.Key, 60)))
		}
		for _, inner := range outer.Value.Members {
			item, name := outer.Key, inner.Key
			if measure.Known(outer.Key) && !measure.Known(inner.Key) {
				item, name = inner.Key, outer.Key
			}
			if isWhole(item) {
				continue
			}
			v, err := scoreOf(inner.Value)
			if err != nil {
				return r.fail(inner.Line, fmt.Errorf("%q: %w", say.Brief(inner.Key, 60), err))
			}
			r.out.Lines = inner.Line
			if err := r.out.add(system, item, canonical(name), v, inner.Line); err != nil {
				return r.fail(inner.Line, err)
			}
		}
	}
	return nil
}

// scoreOf is the score of a value of JSON; null is missing.
func scoreOf(n *golden.Node) (float64, error) {
	switch n.Kind {
	case golden.Null:
		return nan, nil
	case golden.Number:
		return number(n.Text)
	case golden.Text:
		if strings.EqualFold(n.Text, "nan") {
			return nan, nil
		}
	}
	return 0, errors.New("the score is not a number")
}
