package compare

import (
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// PreferencesOf returns the preferences about a query as measures want them, without a ranking, and the numbers of its documents.
func PreferencesOf(p *collection.Preferences, query string) (*measure.Preferences, map[string]int32) {
	docs := p.Documents(query)
	index := make(map[string]int32, len(docs))
	for i, id := range docs {
		index[id] = int32(i)
	}
	out := &measure.Preferences{Docs: len(docs)}
	for _, g := range p.Groups(query) {
		group := measure.PreferenceGroup{Subgroups: make([][]measure.Preferred, len(g.Subgroups))}
		for i, s := range g.Subgroups {
			for k, d := range s.Docs {
				group.Subgroups[i] = append(group.Subgroups[i], measure.Preferred{Doc: d, Level: s.Levels[k]})
			}
		}
		out.Groups = append(out.Groups, group)
	}
	return out, index
}
