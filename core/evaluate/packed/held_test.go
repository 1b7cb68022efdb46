package packed

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// graded is fixture with negative grades, grades from 4 on, and the extreme ones.
func graded(t testing.TB) compare.Input {
	in := fixture(t)
	for i, g := range []int{-2, 0, 4, 7, 1 << 20, math.MaxInt32 - 1, -math.MaxInt32} {
		in.Qrels.Add("q1", "d"+string(rune('1'+i)), float64(g))
		in.Qrels.Add("q2", "nowhere"+string(rune('1'+i)), float64(g))
	}
	return in
}

// held compares the opened comparison with the packed form, field by field: the other tests of Unpack read both
// sides with the same code.
func held(t *testing.T, version byte, payload []byte, got *File) {
	t.Helper()
	p := &packed{viewed: version >= viewedVersion, preferred: version == prefsVersion, fallen: version == fellVersion}
	if err := wire.Unmarshal(payload, p); err != nil {
		t.Fatal(err)
	}
	judged := 0
	ids := map[string]bool{}
	for _, q := range p.queries {
		ids[q.id] = true
		want, unnamed := map[string]float64{}, map[float64]int{}
		for i, g := range q.judged {
			if g > 0 && g == math.Trunc(g) {
				want[p.docs[q.docs[i]]] = g - 1
			} else if g != 0 {
				want[p.docs[q.docs[i]]] = g
			}
		}
		for _, g := range q.extra {
			if g.Count > 0 {
				unnamed[g.Grade] += g.Count
			}
			judged += g.Count
		}
		judged += len(want)
		named, others := map[string]float64{}, map[float64]int{}
		got.Qrels.Each(q.id, func(doc string, grade float64) {
			if _, ok := want[doc]; ok {
				named[doc] = grade
			} else {
				others[grade]++
			}
		})
		if !maps.Equal(named, want) || !maps.Equal(others, unnamed) {
			t.Fatalf("query %q has grades %v and %v, want %v and %v", q.id, named, others, want, unnamed)
		}
	}
	if got.Qrels.Len() != judged {
		t.Fatalf("%d judgments, want %d", got.Qrels.Len(), judged)
	}
	if len(got.Runs) != len(p.runs) {
		t.Fatalf("%d runs, want %d", len(got.Runs), len(p.runs))
	}
	for i, r := range p.runs {
		run := got.Runs[i]
		if run.Name != r.name || run.Run.Tag != r.tag || len(run.Fell) != len(r.unanswered) {
			t.Fatalf("run %q, tag %q, fell %q; want %q, %q, %d", run.Name, run.Run.Tag, run.Fell, r.name, r.tag,
				len(r.unanswered))
		}
		for k, q := range r.unanswered {
			if run.Fell[k] != p.queries[q].id {
				t.Fatalf("run %q fell back for %q, want %q", r.name, run.Fell[k], p.queries[q].id)
			}
		}
		queries := 0
		for qi, l := range r.lists {
			at := run.Run.Query(p.queries[qi].id)
			if l.there != (at >= 0) {
				t.Fatalf("run %q has query %q: %v, want %v", r.name, p.queries[qi].id, at >= 0, l.there)
			}
			if !l.there {
				continue
			}
			queries++
			want := make([]collection.Entry, len(l.docs))
			for k, d := range l.docs {
				want[k].Doc = p.docs[p.queries[qi].docs[d]]
				if p.scores {
					want[k].Score = l.scores[k]
				} else {
					want[k].Score = -float64(l.class[k])
				}
			}
			slices.SortStableFunc(want, func(a, b collection.Entry) int {
				switch {
				case a.Score > b.Score:
					return -1
				case a.Score < b.Score:
					return 1
				}
				return 0
			})
			if have := run.Run.Ranked(at, collection.InputOrder, nil); !slices.EqualFunc(have, want,
				func(a, b collection.Entry) bool {
					return a.Doc == b.Doc && a.Score == b.Score
				}) {
				t.Fatalf("run %q, query %q: %v, want %v", r.name, p.queries[qi].id, have, want)
			}
		}
		foreign := map[string]bool{}
		for _, q := range r.foreign {
			foreign[q] = true
			if at := run.Run.Query(q); ids[q] || at < 0 || run.Run.Size(at) != 0 {
				t.Fatalf("run %q: the foreign query %q is one of the comparison, or has documents, or is not there",
					r.name, q)
			}
		}
		if run.Run.NumQueries() != queries+len(foreign) {
			t.Fatalf("run %q has %d queries, want %d and %d", r.name, run.Run.NumQueries(), queries, len(foreign))
		}
	}
	for _, q := range p.queries {
		if p.preferred {
			want := collection.NewPreferences()
			for _, u := range q.users {
				for _, s := range u.subs {
					for k, d := range s.docs {
						if err := want.Add(q.id, u.name, s.name, p.docs[q.docs[d]], s.levels[k]); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			same := func(a, b collection.PreferenceGroup) bool {
				return a.Name == b.Name &&
					slices.EqualFunc(a.Subgroups, b.Subgroups, func(a, b collection.Subgroup) bool {
						return a.Name == b.Name && slices.Equal(a.Docs, b.Docs) && slices.Equal(a.Levels, b.Levels)
					})
			}
			if have, want := got.Preferences.Groups(q.id), want.Groups(q.id); !slices.EqualFunc(have, want, same) {
				t.Fatalf("query %q: preferences %v, want %v", q.id, have, want)
			}
		}
	}
}

// Values at a bound are accepted, those beyond refused.
func TestBoundsOfThePackedForm(t *testing.T) {
	form := func(change func(p *packed)) *packed {
		p := &packed{measures: []string{"P@1"}, docs: []string{"d"}, scores: true, preferred: true,
			queries: []packedQuery{{id: "q", docs: []int{0}, judged: []float64{1},
				users: []packedUser{{name: "u",
					subs: []packedSubgroup{{name: "s", docs: []int{0}, levels: []float64{1}}}}}}},
			runs: []packedRun{{name: "a", lists: []packedList{{there: true, docs: []int{0}, scores: []float64{1}}}}}}
		change(p)
		return p
	}
	extra := func(g report.Grade) func(p *packed) {
		return func(p *packed) { p.queries[0].extra = []report.Grade{g} }
	}
	for _, c := range []struct {
		name   string
		change func(p *packed)
		fine   bool
	}{
		{"as it is", func(*packed) {}, true},
		{"the highest grade", func(p *packed) { p.queries[0].judged[0] = math.MaxInt32 }, true},
		{"a higher grade", func(p *packed) { p.queries[0].judged[0] = math.MaxInt32 + 1 }, false},
		{"the lowest grade", func(p *packed) { p.queries[0].judged[0] = -math.MaxInt32 }, true},
		{"a lower grade", func(p *packed) { p.queries[0].judged[0] = -math.MaxInt32 - 1 }, false},
		{"the highest grade without a name", extra(report.Grade{Grade: math.MaxInt32, Count: 1}), true},
		{"a higher grade without a name", extra(report.Grade{Grade: math.MaxInt32 + 1, Count: 1}), false},
		{"the lowest grade without a name", extra(report.Grade{Grade: -math.MaxInt32, Count: 1}), true},
		{"a lower grade without a name", extra(report.Grade{Grade: -math.MaxInt32 - 1, Count: 1}), false},
		{"as many without a name as may be", extra(report.Grade{Grade: 1, Count: maxUnnamed}), true},
		{"one more", extra(report.Grade{Grade: 1, Count: maxUnnamed + 1}), false},
		{"fewer than none", extra(report.Grade{Grade: 1, Count: -1}), false},
		{"a level that is no number", func(p *packed) { p.queries[0].users[0].subs[0].levels[0] = math.NaN() }, false},
		{"a level without end", func(p *packed) { p.queries[0].users[0].subs[0].levels[0] = math.Inf(1) }, false},
		{"a query of nobody", func(p *packed) { p.runs[0].foreign = []string{"x"} }, true},
		{"a judged query as one of nobody", func(p *packed) {
			p.runs[0].foreign, p.runs[0].lists[0] = []string{"q"}, packedList{}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := form(c.change).open(prefsVersion); (err == nil) != c.fine {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// Grades, counts and order are those that were packed.
func TestGradesComeBackAsTheyWere(t *testing.T) {
	in := graded(t)
	for _, s := range []Saving{{}, {Scores: true}, {Scores: true, Names: true}} {
		b, err := Pack(File{Input: in}, s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack(b)
		if err != nil {
			t.Fatal(err)
		}
		_, payload, _, err := unseal(packedInput, plainVersion, b, 1<<30, nil)
		if err != nil {
			t.Fatal(err)
		}
		held(t, plainVersion, payload, got)
		for _, q := range in.Qrels.Queries() {
			want, have := in.Qrels.Grades(q, nil), got.Qrels.Grades(q, nil)
			slices.Sort(want)
			if slices.Sort(have); !slices.Equal(have, want) {
				t.Errorf("%+v: query %s has grades %v, want %v", s, q, have, want)
			}
		}
	}
}
