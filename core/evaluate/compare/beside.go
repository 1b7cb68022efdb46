package compare

import (
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// beside are the judgments of one query beside its grades: for its subtopics, and of preference; with the numbers of
// the documents that they are about.
type beside struct {
	subtopics             *measure.Subtopics
	preferences           *measure.Preferences
	subtopicOf, preferred map[string]int32
}

func (in *Input) besideOf(query string) (x beside) {
	if in.Diversity != nil {
		x.subtopics, x.subtopicOf = subtopicsOf(in.Diversity, query)
	}
	if in.Preferences != nil {
		x.preferences, x.preferred = PreferencesOf(in.Preferences, query)
	}
	return x
}

// unranked returns them for a ranking that is still to come.
func (x beside) unranked() (s *measure.Subtopics, p *measure.Preferences) {
	if x.subtopics != nil {
		s = &measure.Subtopics{Docs: x.subtopics.Docs}
	}
	if x.preferences != nil {
		p = &measure.Preferences{Docs: x.preferences.Docs, Groups: x.preferences.Groups}
	}
	return s, p
}

// join appends the grades and scores of a ranking, and what s and p, which may be nil, say of its documents.
func (c *Comparison) join(query string, list []collection.Entry, of beside, s *measure.Subtopics,
	p *measure.Preferences, grades, scores []float64) ([]float64, []float64) {
	number := func(index map[string]int32, doc string) int32 {
		if i, ok := index[doc]; ok {
			return i
		}
		return -1
	}
	for _, e := range list {
		g, ok := c.in.Qrels.Grade(query, e.Doc)
		if !ok {
			g = measure.Unjudged
		}
		grades, scores = append(grades, g), append(scores, e.Score)
		if s != nil {
			s.Ranked = append(s.Ranked, number(of.subtopicOf, e.Doc))
		}
		if p != nil {
			p.Ranked = append(p.Ranked, number(of.preferred, e.Doc))
		}
	}
	return grades, scores
}

// subtopicsOf returns the judgments of a query for its subtopics and the numbers of its documents, which are ordered by
// id, descending, as measure.Subtopics wants them.
func subtopicsOf(d *collection.Diversity, query string) (*measure.Subtopics, map[string]int32) {
	var ids []string
	d.Each(query, func(doc string, _ []collection.SubtopicGrade) { ids = append(ids, doc) })
	slices.Sort(ids)
	slices.Reverse(ids)
	out, index := &measure.Subtopics{}, make(map[string]int32, len(ids))
	width := len(d.Subtopics(query))
	for i, id := range ids {
		row := make([]float64, width)
		for j := range row {
			row[j] = measure.Unjudged
		}
		for _, g := range d.Grades(query, id) {
			row[g.Subtopic] = g.Grade
		}
		out.Docs = append(out.Docs, row)
		index[id] = int32(i)
	}
	return out, index
}

// PreferencesOf returns the preferences about a query as measures want them, without a ranking, and the numbers of its
// documents.
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
