package compare

import (
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// preferences are those about one query.
type preferences struct {
	of    *measure.Preferences
	index map[string]int32
}

// unranked returns them for a ranking that is still to come.
func (p *preferences) unranked() *measure.Preferences {
	return &measure.Preferences{Docs: p.of.Docs, Groups: p.of.Groups}
}

// at returns the number of a document, -1 where there are no preferences about it.
func (p *preferences) at(doc string) int32 {
	if i, ok := p.index[doc]; ok {
		return i
	}
	return -1
}

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
