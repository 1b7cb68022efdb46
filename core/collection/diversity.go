package collection

import "fmt"

// Diversity are judgments for the subtopics of queries: query → document → subtopic → grade. Queries, the subtopics of
// a query and its documents keep the order in which they first appeared.
type Diversity struct {
	index  map[string]int
	topics []diverseTopic
	n      int
}

type diverseTopic struct {
	query     string
	subtopics []string
	named     map[string]int // subtopics, where they are many
	index     map[string]int
	docs      []string
	grades    [][]SubtopicGrade
	graded    map[[2]int]int // document and subtopic: place in grades, of documents with many
}

// manySubtopics is from how many on they are looked up instead of gone through.
const manySubtopics = 32

// MaxSubtopicCells is how many cells the tables of documents × subtopics of all queries have together, at most: 64 MiB
// of memory.
const MaxSubtopicCells = 16 << 20

// Check reports subtopics that are too many for the diversity measures, which look at each of them in each document.
func (d *Diversity) Check() error {
	n := 0
	for i := range d.topics {
		t := &d.topics[i]
		if n += len(t.docs) * len(t.subtopics); n > MaxSubtopicCells {
			return fmt.Errorf("query %q raises the judged documents × subtopics of all queries to %d, above the "+
				"limit of %d: is the second column really a subtopic?", t.query, n, MaxSubtopicCells)
		}
	}
	return nil
}

// SubtopicGrade is the grade of a document for one subtopic, which is given by its place in Diversity.Subtopics.
type SubtopicGrade struct {
	Subtopic int
	Grade    float64
}

// NewDiversity returns Diversity without judgments.
func NewDiversity() *Diversity { return &Diversity{index: map[string]int{}} }

// Add judges document doc for a subtopic of the query. A second judgment of the same three replaces the first.
func (d *Diversity) Add(query, subtopic, doc string, grade float64) {
	d.add(view(query), view(subtopic), view(doc), grade)
}

// add judges a document and returns the grade that it had before.
func (d *Diversity) add(query, subtopic, doc []byte, grade float64) (old float64, had bool) {
	i, ok := d.index[string(query)]
	if !ok {
		i = len(d.topics)
		id := string(query)
		d.index[id] = i
		d.topics = append(d.topics, diverseTopic{query: id, index: map[string]int{}})
	}
	t := &d.topics[i]
	s := t.subtopic(subtopic)
	k, ok := t.index[string(doc)]
	if !ok {
		k = len(t.docs)
		id := string(doc)
		t.index[id] = k
		t.docs = append(t.docs, id)
		t.grades = append(t.grades, nil)
	}
	if j := t.grade(k, s); j >= 0 {
		g := &t.grades[k][j]
		old, g.Grade = g.Grade, grade
		return old, true
	}
	if t.grades[k] = append(t.grades[k], SubtopicGrade{s, grade}); len(t.grades[k]) >= manySubtopics {
		if t.graded == nil {
			t.graded = map[[2]int]int{}
		}
		from := len(t.grades[k]) - 1
		if len(t.grades[k]) == manySubtopics {
			from = 0
		}
		for j := from; j < len(t.grades[k]); j++ {
			t.graded[[2]int{k, t.grades[k][j].Subtopic}] = j
		}
	}
	d.n++
	return 0, false
}

// subtopic returns the place of a subtopic, which is new where it is not there.
func (t *diverseTopic) subtopic(name []byte) int {
	if t.named == nil {
		for k, s := range t.subtopics {
			if s == string(name) {
				return k
			}
		}
	} else if k, ok := t.named[string(name)]; ok {
		return k
	}
	n := len(t.subtopics)
	t.subtopics = append(t.subtopics, string(name))
	if n+1 >= manySubtopics {
		if t.named == nil {
			t.named = map[string]int{}
			for k, s := range t.subtopics {
				t.named[s] = k
			}
		}
		t.named[t.subtopics[n]] = n
	}
	return n
}

// grade returns the place of the judgment of document k for subtopic s, -1 where there is none.
func (t *diverseTopic) grade(k, s int) int {
	if len(t.grades[k]) >= manySubtopics {
		if j, ok := t.graded[[2]int{k, s}]; ok {
			return j
		}
		return -1
	}
	for j, g := range t.grades[k] {
		if g.Subtopic == s {
			return j
		}
	}
	return -1
}

// subtopics reports whether the judgments are of several subtopics: whether a document of some query was judged for two
// of them.
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

// Grades returns the judgments of a document for a query, in the order in which they were added; nil where it has none.
// The slice is not to be written to.
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
