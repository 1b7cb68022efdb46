package collection

// Diversity are judgments for the subtopics of queries: query → document → subtopic → grade. Queries, the subtopics of a query and its documents keep
// the order in which they first appeared.
type Diversity struct {
	index  map[string]int
	topics []diverseTopic
	n      int
}

type diverseTopic struct {
	query     string
	subtopics []string
	index     map[string]int
	docs      []string
	grades    [][]SubtopicGrade
}

// SubtopicGrade is the grade of a document for one subtopic, which is given by its place in Diversity.Subtopics.
type SubtopicGrade struct {
	Subtopic int
	Grade    int
}

// NewDiversity returns Diversity without judgments.
func NewDiversity() *Diversity { return &Diversity{index: map[string]int{}} }

// Add judges document doc for a subtopic of the query. A second judgment of the same three replaces the first.
func (d *Diversity) Add(query, subtopic, doc string, grade int) {
	d.add(view(query), view(subtopic), view(doc), int32(grade))
}

// add judges a document and returns the grade that it had before.
func (d *Diversity) add(query, subtopic, doc []byte, grade int32) (old int, had bool) {
	i, ok := d.index[string(query)]
	if !ok {
		i = len(d.topics)
		id := string(query)
		d.index[id] = i
		d.topics = append(d.topics, diverseTopic{query: id, index: map[string]int{}})
	}
	t := &d.topics[i]
	s := -1
	for k, name := range t.subtopics {
		if name == string(subtopic) {
			s = k
			break
		}
	}
	if s < 0 {
		s = len(t.subtopics)
		t.subtopics = append(t.subtopics, string(subtopic))
	}
	k, ok := t.index[string(doc)]
	if !ok {
		k = len(t.docs)
		id := string(doc)
		t.index[id] = k
		t.docs = append(t.docs, id)
		t.grades = append(t.grades, nil)
	}
	for j := range t.grades[k] {
		if t.grades[k][j].Subtopic == s {
			old = t.grades[k][j].Grade
			t.grades[k][j].Grade = int(grade)
			return old, true
		}
	}
	t.grades[k] = append(t.grades[k], SubtopicGrade{s, int(grade)})
	d.n++
	return 0, false
}

// subtopics reports whether the judgments are of several subtopics: whether a document of some query was judged for two of them.
func (d *Diversity) subtopics() bool {
	for i := range d.topics {
		for _, g := range d.topics[i].grades {
			if len(g) > 1 {
				return true
			}
		}
	}
	return false
}

// Len returns the number of judgments.
func (d *Diversity) Len() int { return d.n }

// Queries returns the ids of the queries in order of first appearance.
func (d *Diversity) Queries() []string {
	list := make([]string, len(d.topics))
	for i := range d.topics {
		list[i] = d.topics[i].query
	}
	return list
}

// Subtopics returns the names of the subtopics of a query in order of first appearance; nil for an unknown query.
func (d *Diversity) Subtopics(query string) []string {
	if i, ok := d.index[query]; ok {
		return d.topics[i].subtopics
	}
	return nil
}

// Grades returns the judgments of a document for a query, in the order in which they were added; nil where it has none. The slice is not to be
// written to.
func (d *Diversity) Grades(query, doc string) []SubtopicGrade {
	if i, ok := d.index[query]; ok {
		if k, ok := d.topics[i].index[doc]; ok {
			return d.topics[i].grades[k]
		}
	}
	return nil
}

// Each calls f for every judged document of the query with its judgments, in order of first appearance.
func (d *Diversity) Each(query string, f func(doc string, grades []SubtopicGrade)) {
	if i, ok := d.index[query]; ok {
		t := &d.topics[i]
		for k, doc := range t.docs {
			f(doc, t.grades[k])
		}
	}
}

// Qrels returns the judgments without their subtopics: each document has the highest of its grades.
func (d *Diversity) Qrels() *Qrels {
	q := NewQrels()
	for i := range d.topics {
		t := &d.topics[i]
		for k, doc := range t.docs {
			best := t.grades[k][0].Grade
			for _, g := range t.grades[k] {
				best = max(best, g.Grade)
			}
			q.Add(t.query, doc, best)
		}
	}
	return q
}
