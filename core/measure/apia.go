//go:build !first

package measure

import (
	"slices"
	"strconv"
	"strings"
)

var infoAPIA = Info{
	Name:      "AP_IA",
	Title:     "intent-aware average precision",
	Brief:     "Average precision computed for every sub-topic alone, and averaged over the sub-topics.",
	Group:     Diverse,
	Aliases:   []Alias{{"ir_measures", "MAP_IA", ""}, {"ndeval", "MAP-IA", ""}},
	Params:    []Param{relevance, judgedOnly},
	Formula:   "AP_IA = (1/A) sum over sub-topics with a relevant document of AP with the relevance to that sub-topic",
	High:      1,
	Reference: "R. Agrawal, S. Gollapudi, A. Halverson and S. Ieong, Diversifying search results, WSDM 2009",
	Example: Example{
		Measure: "AP_IA", Ranked: []float64{1, 1, Unjudged}, Subtopics: exampleSubtopics(), Value: (1 + 0.25) / 2,
		Working: "first sub-topic: (1 + 2/2) / 2; second: (1/2) / 2; their mean",
	},
	Notes:  []string{noSubtopics},
	better: betterSubtopics,
	spread: spreadAPIA,
	unfold: func(u *unfolder) {
		s := u.t.Subtopics
		if s == nil {
			return
		}
		counts, a := s.relevantTo(u.m.rel)
		relevant, above := slices.Clone(counts), make([]int, len(counts))
		u.novel(0, 0, func(p *Part, _ float64) {
			var work []string
			if d := s.Ranked[p.Place-1]; d >= 0 {
				for j, g := range s.Docs[d] {
					if g >= u.m.rel {
						above[j]++
						p.Term += float64(above[j]) / float64(p.Rank) / float64(relevant[j])
						work = append(work, fraction(above[j], p.Rank)+"/"+strconv.Itoa(int(relevant[j])))
					}
				}
			}
			p.Work = strings.Join(work, " + ")
		})
		u.over(float64(a), bySubtopics)
	},
	score: func(m Measure, t *Topic) float64 {
		s := t.Subtopics
		if s == nil {
			return 0
		}
		relevant, a := s.relevantTo(m.rel)
		if a == 0 {
			return 0
		}
		list := s.list(m.judged)
		places := s.places(list)
		total := 0.0
		for j, r := range relevant {
			if r == 0 {
				continue
			}
			sum, n := 0.0, 0.0
			for _, i := range places {
				if s.Docs[list[i]][j] >= m.rel {
					n++
					sum += n / float64(i+1)
				}
			}
			total += sum / float64(r)
		}
		return total / float64(a)
	},
}

// spreadAPIA: a document adds the precision of each of its subtopics at its rank.
func spreadAPIA(m Measure, t *Topic) (lo, hi float64, ok bool) {
	s := t.Subtopics
	if s == nil {
		return 0, 0, true
	}
	counts, a := s.relevantTo(m.rel)
	if a == 0 {
		return 0, 0, true
	}
	relevant := slices.Clone(counts)
	p := noveltyProblem(m, t, 0, nil)
	kinds := s.kinds(m, p)
	p.add = func(c, r int, above []int) float64 {
		total := 0.0
		for _, j := range kinds[c] {
			n := 1
			for d, k := range above {
				if k > 0 && p.covers[d][j] {
					n += k
				}
			}
			total += float64(n) / float64(r) / float64(relevant[j])
		}
		return total
	}
	lo, hi, ok = p.solve()
	return lo / float64(a), hi / float64(a), ok
}
