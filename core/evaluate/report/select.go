package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Select returns queries of the report by place, filtered and sorted by the values of one column.
//
// Both sort and where are about an expression: a run's letter (its value), two letters as B-A (the first less the
// second), or "spread" (the largest less the smallest value of all runs). where is an expression, one of >= > <= < =
// and a number, as in "B-A>0.1", or "" for all. sort is an expression, largest first, or the same after a minus sign,
// smallest first; "" keeps the order of the judgments. Equal values keep it too.
func (r *Report) Select(column int, sort, where string) ([]int, error) {
	if column < 0 || column >= len(r.Columns) {
		return nil, say.Faultf("report", "select queries: there is no measure %d", column)
	}
	keep := func(int) bool { return true }
	if where = strings.TrimSpace(where); where != "" {
		at := strings.IndexAny(where, "<>=")
		if at < 0 {
			return nil, say.Faultf("report",
				"select queries: filter %q: want an expression, one of >= > <= < =, and a number, as in B-A>0.1", where)
		}
		value, err := r.expression(column, where[:at])
		if err != nil {
			return nil, err
		}
		op, rest := where[at:at+1], where[at+1:]
		if op != "=" && strings.HasPrefix(rest, "=") {
			op, rest = op+"=", rest[1:]
		}
		limit, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
		if err != nil || math.IsNaN(limit) {
			return nil, say.Faultf("report", "select queries: filter %q: %q is not a number", where, rest)
		}
		const slack = 1e-12
		keep = func(q int) bool {
			v := value(q)
			switch op {
			case ">=":
				return v >= limit-slack
			case ">":
				return v > limit+slack
			case "<=":
				return v <= limit+slack
			case "<":
				return v < limit-slack
			}
			return math.Abs(v-limit) <= slack
		}
	}
	var out []int
	for q := range r.Queries {
		if keep(q) {
			out = append(out, q)
		}
	}
	if sort = strings.TrimSpace(sort); sort != "" {
		text, falling := strings.CutPrefix(sort, "-")
		value, err := r.expression(column, text)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(out, func(a, b int) int {
			x, y := value(a), value(b)
			if falling {
				x, y = -x, -y
			}
			return cmp.Compare(y, x) // what is no number last
		})
	}
	return out, nil
}

// expression returns the function from a query to the value of an expression.
func (r *Report) expression(column int, text string) (func(q int) float64, error) {
	values := r.Columns[column].Values
	text = strings.TrimSpace(text)
	if strings.EqualFold(text, "spread") {
		return func(q int) float64 {
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, v := range values {
				lo, hi = min(lo, v[q]), max(hi, v[q])
			}
			return hi - lo
		}, nil
	}
	first, second, two := strings.Cut(text, "-")
	a, err := r.SystemOf(first)
	if err != nil {
		return nil, err
	}
	if !two {
		return func(q int) float64 { return values[a][q] }, nil
	}
	b, err := r.SystemOf(second)
	if err != nil {
		return nil, err
	}
	return func(q int) float64 { return values[a][q] - values[b][q] }, nil
}

// SystemOf returns the run of a letter.
func (r *Report) SystemOf(letter string) (int, error) {
	letter = strings.ToUpper(strings.TrimSpace(letter))
	for i := range r.Systems {
		if r.Letter(i) == letter {
			return i, nil
		}
	}
	return 0, say.Faultf("report", "there is no run %q (the runs are %s to %s)", letter, r.Letter(0),
		r.Letter(len(r.Systems)-1))
}
