//go:build !first

package measure

import "strconv"

var conventionTrecEval = Convention{
	Name: "trec_eval", Version: "10.0-rc3", plan: planTrecEval, grades: gradesCut,
	Doc: "Equal scores by document id descending, doubles, and with -c a judged query that the run lacks counts as " +
		"an empty list. The reference.",
}

func planTrecEval(m Measure) (recipe, bool) {
	name, ok := trecName(m)
	r := recipe{as: name, measure: m, ties: DocIDDesc}
	if m.info.Group == Preferring {
		r.ties = DocIDAsc
	}
	if m.info == &infoRBP {
		r.why = "trec_eval takes the highest grade of the query, not of the collection, as the top of the scale"
		r.formula = func(m Measure, _ *List, _ []int, t *Topic) float64 {
			t.TopGrade = 0
			return m.Score(t)
		}
	}
	return r, ok
}

// trecName returns trec_eval's name of a measure, with the options for its parameters, and whether trec_eval has
// it.
func trecName(m Measure) (string, bool) {
	options := ""
	if p := m.info.param("rel"); p != nil && m.rel != noLevel && m.rel != 1 {
		options = " -l" + gainText(m.rel)
		m.rel = 1
	}
	if m.judged {
		options += " -J"
		m.judged = false
	}
	want := m.String()
	for _, tm := range trecMeasures {
		tg, ok := lookup(tm.of)
		if !ok || tg.info != m.info || tm.kind == trecGeo {
			continue
		}
		base := tg.info.blank()
		if preset(&base, tg.set) != nil {
			continue
		}
		params := ""
		switch at := base.info.at(); {
		case tm.kind == trecCuts && !m.isDefault(at):
			base.set(at, m.get(at))
			params = "_" + strconv.Itoa(m.cut)
		case tm.kind == trecPoints:
			base.set(at, m.get(at))
			params = "_" + strconv.FormatFloat(m.get(at), 'f', 2, 64)
		case tm.kind == trecCuts || m.cut != 0:
			continue
		case tm.kind == trecGains && m.table != nil:
			base.table = m.table
			params = "." + gainPairs(m.table)
		case m.info == &infoRBP || m.info == &infoRBPResid:
			if base.Float("p") != m.Float("p") {
				base.setFloat("p", m.Float("p"))
				params = ".p=" + gainText(m.Float("p"))
			}
		case m.info == &infoSetF && m.Float("beta") != 1:
			base.setFloat("beta", m.Float("beta"))
			params = "." + gainText(m.Float("beta"))
		case m.info == &infoUtility && m.x != base.x:
			base.x = m.x
			for i, name := range utilityWorth {
				params += ".,,,"[i:i+1] + gainText(m.Float(name))
			}
			if n := m.Float("docs"); n != 0 {
				options = " -N" + gainText(n) + options
			}
		case m.info == &infoIPrecAvg && m.table != nil:
			base.table = m.table
			for i, v := range m.table.val {
				params += ".,"[min(i, 1):min(i, 1)+1] + gainText(v)
			}
		}
		if base.String() == want {
			return tm.name + params + options, true
		}
	}
	return "", false
}

// gainPairs writes gains in trec_eval's notation: 1=3,2=9.
func gainPairs(t *table) string {
	s := ""
	for i, k := range t.key {
		if i > 0 {
			s += ","
		}
		s += gainText(k) + "=" + gainText(t.val[i])
	}
	return s
}
