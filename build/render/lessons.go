package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/stage"
)

// lessonsIn is where the lessons are, and collectionOf where the judgments are that they talk about.
const (
	lessonsIn    = "site/lessons"
	collectionOf = "site/collections/harbour-wire"
)

// lessons reads every lesson and works out its figures over the demo collection: the English ones by number, then those of each other
// language. What is wrong with one is an error with its file and line.
func lessons(s *experiment.Session) (*lesson.Set, error) {
	root := os.DirFS(".")
	files, err := fs.Glob(root, lessonsIn+"/*/lesson*.md")
	if err != nil {
		return nil, err
	}
	var sources []*lesson.Source
	names := map[string][]string{} // a lesson's languages
	for _, file := range files {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		src, err := lesson.Parse(file, string(text))
		if err != nil {
			return nil, err
		}
		src.Name = path.Base(path.Dir(file))
		if l := strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "lesson"), ".md"); l != "" {
			src.Lang = strings.TrimPrefix(l, ".")
		}
		names[src.Name] = append(names[src.Name], src.Lang)
		sources = append(sources, src)
	}
	slices.SortStableFunc(sources, func(a, b *lesson.Source) int {
		if (a.Lang == lesson.English) != (b.Lang == lesson.English) {
			if a.Lang == lesson.English {
				return -1
			}
			return 1
		}
		return a.Number - b.Number
	})
	data := &lessonData{s: s, qrels: map[string]map[string]map[string]int32{}}
	set := &lesson.Set{}
	for _, src := range sources {
		if !slices.Contains(names[src.Name], lesson.English) {
			return nil, fmt.Errorf("%s: there is no lesson.md beside it", src.File)
		}
		src.Languages = names[src.Name]
		l, err := src.Resolve(data, func(name string) bool { return names[name] != nil })
		if err != nil {
			return nil, err
		}
		set.Lessons = append(set.Lessons, *l)
	}
	return set, nil
}

// lessonData is the demo collection as lessons ask for it.
type lessonData struct {
	s     *experiment.Session
	qrels map[string]map[string]map[string]int32 // of judgments: a query, a document
}

// judged returns the grades of qrels/<name>.tsv.
func (d *lessonData) judged(name string) (map[string]map[string]int32, error) {
	if q, ok := d.qrels[name]; ok {
		return q, nil
	}
	if !slices.Contains([]string{"test", "pooled", "second"}, name) {
		return nil, fmt.Errorf("there are no judgments %q", name)
	}
	text, err := os.ReadFile(path.Join(collectionOf, "qrels", name+".tsv"))
	if err != nil {
		return nil, err
	}
	q := map[string]map[string]int32{}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 {
			continue
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("qrels/%s.tsv:%d: %d columns", name, i+1, len(f))
		}
		g, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, err
		}
		if q[f[0]] == nil {
			q[f[0]] = map[string]int32{}
		}
		q[f[0]][f[1]] = int32(g)
	}
	d.qrels[name] = q
	return q, nil
}

// Ranking is what a system answers to a query.
func (d *lessonData) Ranking(query, system string, depth int, judgments string) (*play.Table, error) {
	b := d.s.Bundle()
	qi := slices.IndexFunc(d.Queries(), func(q report.Query) bool { return q.ID == query })
	if qi < 0 {
		return nil, fmt.Errorf("there is no query %q", query)
	}
	grades, err := d.judged(judgments)
	if err != nil {
		return nil, err
	}
	n, err := stage.Parse(system)
	if err != nil {
		return nil, err
	}
	r, err := d.s.Ranker(n)
	if err != nil {
		return nil, err
	}
	hits, err := r.Rank(rank.Query{ID: query, Text: d.Queries()[qi].Text}, depth, nil, nil)
	if err != nil {
		return nil, err
	}
	t := &play.Table{}
	seen := map[string]bool{}
	for i, h := range hits {
		c := b.Cards[h.Doc]
		g, ok := grades[query][c.ID]
		if !ok {
			g = measure.Unjudged
		}
		seen[c.ID] = true
		t.Docs = append(t.Docs, play.Doc{Label: c.Title, Grade: g})
		t.Lists[0] = append(t.Lists[0], i)
	}
	for _, c := range b.Cards { // by ordinal
		if g := grades[query][c.ID]; g > 0 && !seen[c.ID] {
			t.Docs = append(t.Docs, play.Doc{Label: c.Title, Grade: g})
		}
	}
	return t, nil
}

// Queries are those of the collection.
func (d *lessonData) Queries() []report.Query { return d.s.Queries() }

// Report compares systems.
func (d *lessonData) Report(systems, measures []string) (*report.Report, error) {
	return d.s.Evaluate(experiment.Spec{Systems: systems, Measures: measures}, nil)
}

// Judges are both judgments, pair by pair.
func (d *lessonData) Judges(query string) (first, second []int, err error) {
	a, err1 := d.judged("test")
	b, err2 := d.judged("second")
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	for _, q := range d.Queries() {
		if query != "" && q.ID != query {
			continue
		}
		for _, c := range d.s.Bundle().Cards {
			x, ok1 := a[q.ID][c.ID]
			y, ok2 := b[q.ID][c.ID]
			if ok1 && ok2 {
				first, second = append(first, int(x)), append(second, int(y))
			}
		}
	}
	if len(first) == 0 {
		return nil, nil, fmt.Errorf("nothing of query %q is judged twice", query)
	}
	return first, second, nil
}
