package collection

import "slices"

// groups calls f for every stretch of two equal scores or more.
func groups(scores []float64, f func(from, to int)) {
	for i := 1; i < len(scores); i++ {
		if scores[i] == scores[i-1] {
			j := i + 1
			for j < len(scores) && scores[j] == scores[i] {
				j++
			}
			f(i-1, j)
			i = j
		}
	}
}

// Grades joins query i with its judgments: it appends the grade of every document in rank order, Unjudged where it has
// none, to ranked[:0], and the scores to scores[:0]. Where scores is nil the Run's own are returned, which must not be
// written to. A query without judgments has only Unjudged documents.
func (r *Run) Grades(query int, q *Qrels, ties Ties, ranked []float64, scores []float64) ([]float64, []float64) {
	l := &r.lists[query]
	n := int(l.n)
	if cap(ranked) < n {
		ranked = make([]float64, n)
	}
	ranked = ranked[:n]
	own := r.f.at(l.fs, l.fo, l.n)
	t := q.find(l.query)
	ids, places := r.parts(l)
	switch {
	case t == nil || len(t.docs) == 0:
		for k := range ranked {
			ranked[k] = Unjudged
		}
	case ids != nil:
		t.gradeNumbers(ids, ranked)
	default:
		b := r.bytesOf(l)
		for k := range ranked {
			var id []byte
			id, b = cutID(b)
			ranked[k] = Unjudged
			if j := t.find(hashID(id), id); j >= 0 {
				ranked[k] = t.docs[j].grade
			}
		}
	}
	if l.flags&tied != 0 && ties != DocIDDescending && t != nil {
		groups(own, func(from, to int) {
			g := ranked[from:to]
			if ties == DocIDAscending {
				slices.Reverse(g)
			} else if places != nil {
				byPlace(g, places[from:to])
			}
		})
	}
	if scores == nil {
		return ranked, own
	}
	return ranked, append(scores[:0], own...)
}

// Lacks reports whether a list of so many documents lacks a judged one. If none does, lists of this size may be
// rankings of the whole collection.
func (r *Run) Lacks(q *Qrels, size int) bool {
	var ranked, judged []float64
	for i, id := range r.Queries() {
		if r.Size(i) != size {
			continue
		}
		found := 0
		ranked, _ = r.Grades(i, q, DocIDDescending, ranked, nil)
		for _, g := range ranked {
			if g != Unjudged {
				found++
			}
		}
		if judged = q.Grades(id, judged); found < len(judged) {
			return true
		}
	}
	return false
}

// gradeNumbers sets ranked to the grades of documents whose ids are numbers.
func (t *topic) gradeNumbers(ids []uint32, ranked []float64) {
	ranked = ranked[:len(ids)]
	filter, table := t.filter, t.table
	if table == nil {
		for k, v := range ids {
			h := hashNumber(v)
			ranked[k] = Unjudged
			if filter>>(h>>58)&1 != 0 {
				for i := range t.docs {
					// Two numbers never have the same hash.
					if j := &t.docs[i]; j.hash == h && j.isNumber() {
						ranked[k] = j.grade
						break
					}
				}
			}
		}
		return
	}
	mask := uint64(len(table) - 1)
	for k, v := range ids {
		h := hashNumber(v)
		grade := float64(Unjudged)
		for s := h & mask; ; s = (s + 1) & mask {
			e := table[s]
			if (e^h)>>32 == 0 && e != 0 {
				if j := &t.docs[uint32(e)-1]; j.hash == h && j.isNumber() {
					grade = j.grade
					break
				}
			} else if e == 0 {
				break
			}
		}
		ranked[k] = grade
	}
}

// isNumber reports whether the document's id is a number: see number. Only hits of a hash ask, so it is not kept.
func (j *judgment) isNumber() bool {
	_, ok := number(view(j.doc))
	return ok
}

// byPlace orders the grades of a group of ties by the places of their lines in the input.
func byPlace(grades []float64, places []uint32) {
	old := slices.Clone(grades)
	for i, k := range sorted(len(grades), func(i, j int32) int { return int(places[i]) - int(places[j]) }) {
		grades[i] = old[k]
	}
}
