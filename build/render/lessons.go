package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
	"github.com/rankbox/rankbox/core/text"
)

// lessonsIn is where the lessons are, and collectionOf where the judgments are that they talk about.
const (
	lessonsIn    = "site/lessons"
	collectionOf = "site/collections/harbour-wire"
)

// lessons reads every lesson, by number, and works out its figures over the demo collection. An error names the file
// and the line.
func lessons(s *experiment.Session) (*lesson.Set, error) {
	root := os.DirFS(".")
	files, err := fs.Glob(root, lessonsIn+"/*/lesson.md")
	if err != nil {
		return nil, err
	}
	var sources []*lesson.Source
	known := map[string]bool{}
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
		known[src.Name] = true
		sources = append(sources, src)
	}
	slices.SortStableFunc(sources, func(a, b *lesson.Source) int { return a.Number - b.Number })
	data := &lessonData{s: s, qrels: map[string]map[string]map[string]int32{}}
	set := &lesson.Set{}
	for _, src := range sources {
		l, err := src.Resolve(data, func(name string) bool { return known[name] })
		if err != nil {
			return nil, err
		}
		if err := src.Keeps(l); err != nil {
			return nil, err
		}
		set.Lessons = append(set.Lessons, *l)
	}
	set.Field, err = data.field()
	return set, err
}

// field is what the capstone draws from.
func (d *lessonData) field() (*lesson.Field, error) {
	by := measure.Defaults()[0]
	f := &lesson.Field{Measure: by}
	all, err := d.Report(lesson.Entrants, []string{by})
	if err != nil {
		return nil, err
	}
	for _, q := range all.Queries {
		f.Queries = append(f.Queries, lesson.Asked{ID: q.ID, Text: q.Text, Kind: q.Type})
	}
	places := map[string]int{}
	for i, s := range all.Systems {
		e := lesson.Entrant{Notation: s.Notation, Label: s.Label, Values: all.Columns[0].Values[i]}
		for _, q := range f.Queries {
			t, err := d.Ranking(q.ID, s.Notation, lesson.HeadDepth, "test")
			if err != nil {
				return nil, err
			}
			var head []lesson.Shown
			for _, doc := range t.Lists[0] {
				title := t.Docs[doc].Label
				if _, ok := places[title]; !ok {
					places[title] = len(f.Titles)
					f.Titles = append(f.Titles, title)
				}
				head = append(head, lesson.Shown{Title: places[title], Grade: int(t.Docs[doc].Grade)})
			}
			e.Heads = append(e.Heads, head)
		}
		f.Systems = append(f.Systems, e)
	}
	for a := range f.Systems {
		for b := range a {
			for c := range b {
				r, err := d.Report([]string{f.Systems[c].Notation, f.Systems[b].Notation, f.Systems[a].Notation},
					[]string{by})
				if err != nil {
					return nil, err
				}
				f.Trios = append(f.Trios, lesson.TrioOf(r, [3]int{c, b, a}))
			}
		}
	}
	return f, nil
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
	if name == "late" {
		return d.judgedByLate()
	}
	if !slices.Contains([]string{"test", "pooled", "second", "blind"}, name) {
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
	r, err := d.s.Rankers.Of(n)
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
func (d *lessonData) Queries() []report.Query { return d.s.Queries.Described() }

// Report compares systems.
func (d *lessonData) Report(systems, measures []string) (*report.Report, error) {
	return d.s.Evaluate(experiment.Spec{Systems: systems, Measures: measures}, nil)
}

// judgedByLate are the judgments of a model: it calls relevant what the late stage ranks among its first ten.
func (d *lessonData) judgedByLate() (map[string]map[string]int32, error) {
	out := map[string]map[string]int32{}
	for _, q := range d.Queries() {
		t, err := d.Ranking(q.ID, "late", 10, "test")
		if err != nil {
			return nil, err
		}
		found := map[string]bool{}
		for _, doc := range t.Lists[0] {
			found[t.Docs[doc].Label] = true
		}
		out[q.ID] = map[string]int32{}
		for _, c := range d.s.Bundle().Cards {
			out[q.ID][c.ID] = 0
			if found[c.Title] {
				out[q.ID][c.ID] = 1
			}
		}
	}
	d.qrels["late"] = out
	return out, nil
}

// Judges are the test judgments and others, pair by pair.
func (d *lessonData) Judges(query, by string) (first, second []int, err error) {
	a, err1 := d.judged("test")
	b, err2 := d.judged(by)
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
				if by == "late" {
					x = min(x, 1) // a judge without grades
				}
				first, second = append(first, int(x)), append(second, int(y))
			}
		}
	}
	if len(first) == 0 {
		return nil, nil, fmt.Errorf("nothing of query %q is judged twice", query)
	}
	return first, second, nil
}

// Figures implements lesson.Data.
func (d *lessonData) Figures() lesson.FigureData { return d }

// Scored are documents of BM25's ranking by their ranks, as it explains their scores.
func (d *lessonData) Scored(query, system string, ranks []int) (out []figure.Scored, err error) {
	qi := slices.IndexFunc(d.Queries(), func(q report.Query) bool { return q.ID == query })
	n, err := stage.Parse(system)
	if err != nil || qi < 0 {
		return nil, fmt.Errorf("query %q, system %q: %w", query, system, err)
	}
	r, err := d.s.Rankers.Of(n)
	if err != nil {
		return nil, err
	}
	q := rank.Query{ID: query, Text: d.Queries()[qi].Text}
	hits, err := r.Rank(q, slices.Max(append([]int{1}, ranks...)), nil, nil)
	if err != nil {
		return nil, err
	}
	t, err := d.Ranking(query, system, len(hits), "test")
	if err != nil {
		return nil, err
	}
	for _, at := range ranks {
		if at > len(hits) {
			return nil, fmt.Errorf("there is no rank %d", at)
		}
		hit := hits[at-1]
		part, err := r.Explain(q, nil, hit.Doc)
		if err != nil {
			return nil, err
		}
		value := func(p rank.Part, name string) float64 {
			i := slices.IndexFunc(p.Values, func(v rank.Value) bool { return v.Name == name })
			if i < 0 {
				return 0
			}
			return p.Values[i].Value
		}
		x := figure.Scored{Title: d.s.Bundle().Cards[hit.Doc].Title, Grade: int(t.Docs[at-1].Grade),
			Docs: value(part, "N"), Length: value(part, "dl"),
			Average: value(part, "avgdl")}
		for _, w := range part.Parts {
			x.Words = append(x.Words, figure.Word{Name: w.Name, TF: value(w, "tf"), DF: value(w, "df")})
		}
		out = append(out, x)
	}
	return out, nil
}

// Postings are posting lists of the collection's index, documents numbered from 1, or of an index of a few titles.
func (d *lessonData) Postings(query, system string, ranks []int, words []string) (out figure.Postings, err error) {
	x := d.s.Bundle().Index
	name, _ := x.Analyzer()
	a, err := text.Get(name)
	if err != nil {
		return out, err
	}
	if query != "" {
		t, err := d.Ranking(query, system, slices.Max(append([]int{1}, ranks...)), "test")
		if err != nil {
			return out, err
		}
		b := index.NewBuilder(a)
		for _, at := range ranks {
			if at > len(t.Lists[0]) {
				return out, fmt.Errorf("there is no rank %d", at)
			}
			title := t.Docs[t.Lists[0][at-1]].Label
			out.Titles = append(out.Titles, title)
			b.Add("", title)
		}
		x = b.Build()
	}
	if query == "" {
		for _, c := range d.s.Bundle().Cards {
			out.Titles = append(out.Titles, c.Title)
		}
	}
	out.Docs = x.Docs()
	if words == nil {
		for id := range x.Terms() {
			words = append(words, x.Term(uint32(id)))
		}
	}
	for _, w := range words {
		term, ok := w, true
		if query == "" {
			term, ok = a.Term(w)
		}
		id, known := x.ID(term)
		if !ok || !known {
			return out, fmt.Errorf("the index has no word %q", w)
		}
		l := x.List(id)
		var docs []int
		for _, p := range l.Postings {
			docs = append(docs, int(p.Doc())+1)
		}
		out.Words, out.Lists = append(out.Words, term), append(out.Lists, docs)
	}
	return out, nil
}

// Documents is how many there are.
func (d *lessonData) Documents() int { return len(d.s.Bundle().Cards) }

// Articles are the first documents for a query with their texts and both grades. What counts is in queries.jsonl.
func (d *lessonData) Articles(query, system string, depth int) (lesson.Articles, error) {
	out := lesson.Articles{}
	t, err := d.Ranking(query, system, depth, "test")
	if err != nil {
		return out, err
	}
	second, err := d.Ranking(query, system, depth, "second")
	if err != nil {
		return out, err
	}
	err = each(path.Join(collectionOf, "queries.jsonl"), func(line []byte) error {
		var q struct {
			ID       string `json:"_id"`
			Text     string
			Metadata struct{ Description, Narrative string }
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		if q.ID == query {
			out.Query, out.Description, out.Narrative = q.Text, q.Metadata.Description, q.Metadata.Narrative
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	texts := map[string]string{}
	err = each(path.Join(collectionOf, "corpus.jsonl"), func(line []byte) error {
		var x struct{ Title, Text string }
		err := json.Unmarshal(line, &x)
		texts[x.Title] = x.Text
		return err
	})
	if err != nil {
		return out, err
	}
	for i, doc := range t.Lists[0] {
		a := t.Docs[doc]
		b := second.Docs[second.Lists[0][i]]
		if a.Grade == measure.Unjudged || b.Grade == measure.Unjudged {
			return out, fmt.Errorf("%q is not judged twice", a.Label)
		}
		out.List = append(out.List, lesson.Article{Title: a.Label, Text: opening(texts[a.Label]), First: int(a.Grade),
			Second: int(b.Grade)})
	}
	return out, nil
}

// opening is the beginning of a text, in whole sentences: as many as it takes to a dozen words.
func opening(text string) string {
	words := strings.Fields(text)
	for i, w := range words[:max(0, len(words)-1)] {
		if end := strings.TrimRight(w, `"'”’)`); i+1 >= 12 && end != "" &&
			strings.ContainsAny(end[len(end)-1:], ".!?") && !titles[w] {
			return strings.Join(words[:i+1], " ") + " …"
		}
	}
	return strings.Join(words, " ")
}

// titles end no sentence.
var titles = map[string]bool{"Mr.": true, "Mrs.": true, "Ms.": true, "Dr.": true, "St.": true, "No.": true,
	"a.m.": true, "p.m.": true}

// each hands over the lines of a file.
func each(file string, f func(line []byte) error) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if err := f(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}
