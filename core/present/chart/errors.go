package chart

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Mistakes is the name of the figure of what goes wrong, the one that shows Facts.Patterns.
const Mistakes = "errors"

var mistakes = Figure{
	Name: Mistakes, Title: "Error patterns",
	Doc: "The number of queries with each error by run: unanswered, at the lowest value, worse than the baseline by " +
		"a fifth of the scale or more, and the named patterns if known. A query may be in several rows.",
	draw: drawMistakes,
}

func drawMistakes(in *Input) *Drawing {
	r, col := in.Report, in.column()
	k := len(r.Systems)
	lo, hi := in.reach()
	bad := lo
	none := Pattern{"at the lowest value", make([]int, k)}
	worse := Pattern{"a fifth worse than the baseline", make([]int, k)}
	if col.Lower {
		bad, none.Name = hi, "at the highest value"
	}
	missing := Pattern{"not answered", make([]int, k)}
	for s, v := range col.Values {
		missing.Queries[s] = r.Systems[s].Missing
		for q, x := range v {
			if x == bad {
				none.Queries[s]++
			}
			lost := significance.Difference(x, col.Values[r.Baseline][q])
			if col.Lower {
				lost = -lost
			}
			if lost >= (hi-lo)/5-1e-12 {
				worse.Queries[s]++
			}
		}
	}
	all := []Pattern{missing, none, worse}
	for _, p := range in.Facts.Patterns {
		if len(p.Queries) == k {
			all = append(all, p)
		}
	}
	d := &Drawing{Head: append([]string{"What"}, in.letters()...), Data: [][]string{{"what", "run", "queries"}}}
	var names []string
	total := make([]int, k)
	for _, p := range all {
		names = append(names, p.Name)
		row := []string{p.Name}
		for s, n := range p.Queries {
			total[s] = max(total[s], n)
			row = append(row, say.Thousands(n))
			d.Data = append(d.Data, []string{p.Name, r.Systems[s].Label, strconv.Itoa(n)})
		}
		d.Rows = append(d.Rows, row)
	}
	d.cells("run", in.letters(), names, func(y, x int) cell {
		n := all[y].Queries[x]
		return cell{float64(n), strconv.Itoa(n)}
	})
	d.X.Title = "queries by error pattern (rows) and run (columns)"
	least, most := 0, 0
	for s, n := range none.Queries {
		if n < none.Queries[least] {
			least = s
		}
		if n > none.Queries[most] {
			most = s
		}
	}
	d.Sentence = r.Letter(most) + " has " + say.Count(none.Queries[most], "query", "queries") + " " + none.Name +
		" by " + col.Measure
	if most != least {
		d.Sentence += ", the most; " + r.Letter(least) + " has " + say.Thousands(none.Queries[least]) + ", the fewest"
	}
	if n := len(r.Systems); n > 1 {
		at := 0
		for s := range n {
			if worse.Queries[s] > worse.Queries[at] {
				at = s
			}
		}
		if worse.Queries[at] > 0 {
			d.Sentence += "; " + r.Letter(at) + " is worse than the baseline by a fifth of the scale on " +
				say.Thousands(worse.Queries[at])
		}
	}
	d.Sentence += "."
	return d
}
