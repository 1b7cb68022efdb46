package facts

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Patterns returns on how many queries each named pattern holds, by system, from the section that counts them: those
// that hold anywhere, in its order. It is nil where none of the sections does, or where it looked into other than so
// many systems.
func Patterns(sections []analysis.Section, systems int) []chart.Pattern {
	i := slices.IndexFunc(sections, func(s analysis.Section) bool { return s.Name == analysis.Wrong })
	if i < 0 || len(sections[i].Tables) == 0 {
		return nil
	}
	t := &sections[i].Tables[0]
	if len(t.Columns) < systems+2 || t.Columns[systems] != say.Letter(systems-1) || t.Columns[systems+1] != "All" {
		return nil
	}
	var out []chart.Pattern
	for _, row := range t.Rows {
		p := chart.Pattern{Name: row[0].Text, Queries: make([]int, systems)}
		for s := range p.Queries {
			p.Queries[s] = int(row[s+1].Value)
		}
		if slices.Max(p.Queries) > 0 {
			out = append(out, p)
		}
	}
	return out
}
