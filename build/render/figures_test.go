package main

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// Every lesson has a figure of its own in the step Do, and moves within the bounds of its handles lead to its goal.
func TestEveryLessonHasItsFigure(t *testing.T) {
	src := harbourWire(t)
	t.Chdir("../..")
	set, err := lessons(sessionOf(t, src))
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, l := range set.Lessons {
		for _, b := range l.Steps[1] {
			if b.Kind != lesson.Figure {
				continue
			}
			if of[b.Name] != "" {
				t.Errorf("lessons %s and %s have the same figure", of[b.Name], l.Name)
			}
			of[b.Name] = l.Name
			f, err := b.Figure()
			if err != nil {
				t.Fatal(err)
			}
			way, ok := figure.Solve(f)
			if !ok {
				t.Fatalf("%s: no way to the goal", l.Name)
			}
			s := f.Start()
			for _, m := range way {
				if s, ok = figure.Moved(f, s, m); !ok {
					t.Fatalf("%s: %+v is no move", l.Name, m)
				}
			}
			if !figure.Reached(f, s) || figure.Reached(f, f.Start()) {
				t.Errorf("%s: %v is not the way", l.Name, way)
			}
		}
	}
	if len(of) != len(set.Lessons) {
		t.Errorf("%d of %d lessons have a figure", len(of), len(set.Lessons))
	}
}

// The figure's fusion gives each document the score that rrf does, at even weights half of it.
func TestTheFiguresFusionIsTheStage(t *testing.T) {
	d, r := rankedLessons(t, "rrf(bm25, dense, depth=10)")
	checked := 0
	for _, q := range d.Queries() {
		given := figure.Given{Targets: []float64{1, 10}}
		for _, system := range []string{"bm25", "dense", "late"} {
			table, err := d.Ranking(q.ID, system, map[string]int{"late": 255}[system]+10, "test")
			if err != nil {
				t.Fatal(err)
			}
			given.Tables = append(given.Tables, figure.Ranking{Name: system, Table: table})
		}
		data, err := figure.Pack("fusion", given)
		if err != nil {
			t.Fatal(err)
		}
		hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, 20, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, hit := range hits {
			title := d.s.Bundle().Cards[hit.Doc].Title
			i := slices.IndexFunc(data.Rows, func(row []string) bool { return row[0] == title }) - 1
			if i < 0 {
				t.Fatalf("%s: no %q", q.ID, title)
			}
			got := figure.ReciprocalRanks(int(data.Values[4*i+1]), int(data.Values[4*i+2]), 0.5, 60)
			if math.Abs(got-hit.Score/2) > 1e-12 {
				t.Errorf("%s, %s: %v, and the stage says %v", q.ID, title, got, hit.Score/2)
			}
			checked++
		}
	}
	if checked < 500 {
		t.Errorf("%d documents", checked)
	}
}

// The figure's mix of two scores ranks as the stage does at every setting, and its nDCG@10 is that of the stage, also
// from the whole numbers that the figure is made of.
func TestTheFiguresExpansionIsTheStage(t *testing.T) {
	d, _ := rankedLessons(t, "bm25")
	m, err := measure.Parse("nDCG@10")
	if err != nil {
		t.Fatal(err)
	}
	given := figure.Given{Targets: []float64{0.65, 0.6}}
	for _, q := range []string{"q27", "q23"} {
		x, err := d.Expansion(q)
		if err != nil {
			t.Fatal(err)
		}
		given.Expansions = append(given.Expansions, x)
	}
	data, err := figure.Pack("expansion", given)
	if err != nil {
		t.Fatal(err)
	}
	f, err := figure.New("expansion", data)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range []string{"q27", "q23"} {
		for docs := 1; docs <= 10; docs++ {
			for tenths := range 11 {
				system := fmt.Sprintf("bm25 >> rm3(docs=%d, original=%.1f)", docs, float64(tenths)/10)
				table, err := d.Ranking(q, system, 255, "test")
				if err != nil {
					t.Fatal(err)
				}
				want := m.Score(table.Topic(0))
				if got := given.Expansions[i].Value(docs, float64(tenths)/10); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s, %s: %v, want %v", q, system, got, want)
				}
				goal := f.Goals(figure.State{docs, tenths, 0})[i]
				if goal.Value != say.Page.Number(want, 3) {
					t.Errorf("%s, %s: the figure says %s, want %v", q, system, goal.Value, want)
				}
			}
		}
	}
}

// The neighbours of a query are what the dense system ranks first, and an index of which every list is probed ranks as
// it does.
func TestNeighboursAreThoseOfTheDenseSystem(t *testing.T) {
	d, r := rankedLessons(t, "dense")
	near, err := d.Neighbours("q38", []int{4, 16})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := r.Rank(rank.Query{ID: "q38"}, len(near.Near), nil, nil)
	if err != nil || len(hits) != 40 {
		t.Fatal(len(hits), err)
	}
	for i, h := range hits {
		if n := near.Near[i]; n.Title != d.s.Bundle().Cards[h.Doc].Title || math.Abs(n.Similarity-h.Score) > 1e-6 {
			t.Errorf("rank %d: %q at %v, the system says %v", i+1, n.Title, n.Similarity, h.Score)
		}
	}
	means, err := d.Report([]string{"dense"}, []string{"nDCG@10"})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range near.Indexes {
		last := x.Lists - 1
		if x.Recall[last] != 1 || x.Products[last] != float64(x.Lists+255) || x.Spend(x.Lists) != x.Lists+255 {
			t.Errorf("every one of %d lists: recall %v, %v products", x.Lists, x.Recall[last], x.Products[last])
		}
		if got, want := x.NDCG[last], means.Columns[0].Means[0]; math.Abs(got-want) > 1e-9 {
			t.Errorf("every one of %d lists: nDCG@10 %v, the system has %v", x.Lists, got, want)
		}
		if near.Found(i, x.Lists, 10) != 10 || near.Found(i, 1, 10) == 10 {
			t.Errorf("%d lists find %d and %d", x.Lists, near.Found(i, 1, 10), near.Found(i, x.Lists, 10))
		}
	}
}

// A lesson's postings are those of the index, and a merge with or without skip pointers finds what looking up each
// document in the other list does.
func TestAMergeFindsWhatTheIndexDoes(t *testing.T) {
	src := harbourWire(t)
	t.Chdir("../..")
	d := &lessonData{s: sessionOf(t, src)}
	words := []string{"dock", "painting", "kelmouth", "fraud", "harbour", "strike", "tram"}
	x, err := d.Postings("", "", nil, words)
	if err != nil {
		t.Fatal(err)
	}
	index, found := d.s.Bundle().Index, 0
	for i := range words {
		for j := range words {
			id, ok := index.ID(x.Words[j])
			if !ok {
				t.Fatal(x.Words[j])
			}
			l := index.List(id)
			var want []int
			for _, doc := range x.Lists[i] {
				if _, ok := l.Find(uint32(doc - 1)); ok {
					want = append(want, doc)
				}
			}
			found += len(want)
			for _, every := range []int{1, 2, 5, 10, 200} {
				if both, _ := figure.Intersect(x.Lists[i], x.Lists[j], every); !slices.Equal(both, want) {
					t.Errorf("%s and %s, every %d: %v, want %v", words[i], words[j], every, both, want)
				}
			}
		}
	}
	if found < 200 {
		t.Errorf("%d documents", found)
	}
}

// What the figure of BM25 computes by numbers is what BM25 explains, word for word.
func TestScoredWordsAreThoseOfTheRanker(t *testing.T) {
	d, r := rankedLessons(t, "bm25")
	checked := 0
	for _, q := range d.Queries()[:12] {
		hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, 3, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		xs, err := d.Scored(q.ID, "bm25", []int{1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range xs {
			k, err := figure.Pack("words", figure.Given{Scored: []figure.Scored{x, x}})
			if err != nil {
				t.Fatal(err)
			}
			f, err := figure.New("words", k)
			if err != nil {
				t.Fatal(err)
			}
			got := f.Goals(f.Start())[0].Value
			want := say.Page.Number(hits[i].Score, 3)
			if got != want {
				t.Errorf("%s, rank %d: %s, and the ranker says %s", q.ID, i+1, got, want)
			}
			if got := say.Page.Number(x.Score(figure.Forms{TF: 2, IDF: 2, Length: 2}), 3); got != want {
				t.Errorf("%s, rank %d: tf-idf in BM25's forms is %s, and the ranker says %s", q.ID, i+1, got, want)
			}
			checked++
		}
	}
	if checked < 30 {
		t.Errorf("%d articles", checked)
	}
}

// rankedLessons are the data of lessons over the demo collection, and a system on it.
func rankedLessons(t *testing.T, notation string) (*lessonData, rank.Ranker) {
	t.Helper()
	src := harbourWire(t)
	t.Chdir("../..")
	d := &lessonData{s: sessionOf(t, src), qrels: map[string]map[string]map[string]int32{}}
	n, err := stage.Parse(notation)
	if err != nil {
		t.Fatal(err)
	}
	r, err := d.s.Rankers.Of(n)
	if err != nil {
		t.Fatal(err)
	}
	return d, r
}
