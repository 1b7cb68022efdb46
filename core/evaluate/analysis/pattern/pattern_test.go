package pattern

import (
	"slices"
	"testing"
)

func set(words ...string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Each case is made to meet one rule, and once more with one thing changed so that it does not.
func TestPatterns(t *testing.T) {
	wrong := func(id string) Doc { return Doc{ID: id, Judged: true} }
	missing := func(id string) Doc { return Doc{ID: id, Judged: true, Grade: 1} }
	for _, x := range []struct {
		name string
		c    Case
		want []string
	}{
		{"nothing", Case{}, nil},
		{"a relevant document without the words", Case{Words: []string{"a", "b", "c"}, Terms: []string{"a", "b", "c"},
			Found: 50, Relevant: []Doc{{ID: "r", Rank: 20, Grade: 1, Judged: true, Terms: set("y", "z")}}},
			[]string{"vocabulary mismatch"}},
		{"one of three is without them", Case{Words: []string{"a", "b", "c"}, Terms: []string{"a", "b", "c"}, Found: 50,
			Relevant: []Doc{{ID: "r", Rank: 20, Grade: 1, Judged: true, Terms: set("y", "z")},
				{ID: "s", Rank: 21, Grade: 1, Judged: true, Terms: set("a", "b")},
				{ID: "t", Rank: 22, Grade: 1, Judged: true, Terms: set("a", "b", "c")}}}, nil},
		{"one of two is", Case{Words: []string{"a", "b", "c"}, Terms: []string{"a", "b", "c"}, Found: 50,
			Relevant: []Doc{{ID: "r", Rank: 20, Grade: 1, Judged: true, Terms: set("y", "z")},
				{ID: "s", Rank: 21, Grade: 1, Judged: true, Terms: set("a", "b")}}}, []string{"vocabulary mismatch"}},
		{"it is among the first", Case{Words: []string{"a", "b", "c"}, Terms: []string{"a", "b", "c"}, Found: 50,
			Relevant: []Doc{{ID: "r", Rank: 2, Grade: 1, Judged: true, Terms: set("y", "z")}}}, nil},
		{"another person of the name",
			Case{Names: [][]string{{"mary", "holm"}}, Top: []Doc{{ID: "d", Judged: true, Words: set("peter", "holm")}}},
			[]string{"name confusion"}},
		{"the person", Case{Names: [][]string{{"mary", "holm"}},
			Top: []Doc{{ID: "d", Judged: true, Words: set("mary", "holm")}}}, nil},
		{"another year", Case{Words: []string{"flood", "2019"}, Terms: []string{"flood", "2019"},
			Top: []Doc{{ID: "d", Judged: true, Year: "2021"}}, Found: 50,
			Relevant: []Doc{{ID: "r", Rank: 9, Judged: true, Grade: 1, Year: "2019"}}}, []string{"date mismatch"}},
		{"no year is asked for", Case{Words: []string{"flood", "x019"}, Terms: []string{"flood", "x019"},
			Top: []Doc{{ID: "d", Judged: true, Year: "2021"}}, Found: 50,
			Relevant: []Doc{{ID: "r", Rank: 9, Judged: true, Grade: 1, Year: "2019"}}}, nil},
		{"four of a kind", Case{Top: []Doc{{ID: "a", Judged: true, Grade: 1, Shingles: []uint64{1, 2}},
			{ID: "b", Judged: true, Grade: 1, Shingles: []uint64{1, 2}},
			{ID: "c", Judged: true, Grade: 1, Shingles: []uint64{1, 2}},
			{ID: "d", Judged: true, Grade: 1, Shingles: []uint64{1, 2}}}}, []string{"near-duplicate crowding"}},
		{"two pairs", Case{Top: []Doc{{ID: "a", Judged: true, Grade: 1, Shingles: []uint64{1, 2}},
			{ID: "b", Judged: true, Grade: 1, Shingles: []uint64{1, 2}},
			{ID: "c", Judged: true, Grade: 1, Shingles: []uint64{3, 4}},
			{ID: "d", Judged: true, Grade: 1, Shingles: []uint64{3, 4}}}}, nil},
		{"nobody looked", Case{Top: []Doc{{ID: "a"}, {ID: "b", Judged: true, Grade: 1}}},
			[]string{"unjudged at the top"}},
		{"variety costs", Case{Diverse: true, Inputs: []Component{{Name: "mmr", More: .05}}},
			[]string{"over-diversified"}},
		{"variety costs little", Case{Diverse: true, Inputs: []Component{{Name: "mmr", More: .04}}}, nil},
		{"put out by the reranker",
			Case{Reranked: true, Inputs: []Component{{Name: "rerank", Rank: map[string]int{"r": 3}, More: .1}},
				Found: 50, Relevant: []Doc{missing("r")}}, []string{"reranker demoted"}},
		{"put out by another stage",
			Case{Inputs: []Component{{Name: "recency", Rank: map[string]int{"r": 3}, More: .1}}, Found: 50,
				Relevant: []Doc{missing("r")}}, nil},
		{"put out by the fusion",
			Case{Inputs: []Component{{Name: "rrf", Rank: map[string]int{"r": 3}, More: .1}, {Name: "rrf"}}, Found: 50,
				Relevant: []Doc{missing("r")}}, []string{"fused away"}},
		{"the fusion is as good", Case{Inputs: []Component{{Name: "rrf", Rank: map[string]int{"r": 3}}, {Name: "rrf"}},
			Found: 50, Relevant: []Doc{missing("r")}}, nil},
		{"misspelt", Case{Words: []string{"harbuor"}, Unknown: []string{"harbuor"}, Spelled: []string{"harbour"}},
			[]string{"spelling"}},
		{"a word of its own", Case{Words: []string{"xyzzy"}, Unknown: []string{"xyzzy"}, Spelled: []string{""}}, nil},
		{"all documents have it", Case{All: 40, Docs: 300}, []string{"too broad"}},
		{"few have it", Case{All: 19, Docs: 100}, nil},
		{"hardly anything is found", Case{Found: 2, Relevant: []Doc{missing("r")}}, []string{"too narrow"}},
		{"long ones first", Case{Found: 50,
			Top: []Doc{{ID: "a", Judged: true, Length: 90}, {ID: "b", Judged: true, Length: 100},
				{ID: "c", Judged: true, Length: 110}},
			Relevant: []Doc{{ID: "x", Judged: true, Grade: 1, Length: 50},
				{ID: "y", Judged: true, Grade: 1, Length: 50}, {ID: "z", Judged: true, Grade: 1, Length: 50}}},
			[]string{"length bias"}},
		{"only stop words", Case{Words: []string{"to", "be", "hamlet"}, Terms: []string{"hamlet"}},
			[]string{"stop word or stem lost"}},
		{"a stem that means something else",
			Case{Found: 50, Words: []string{"universities"}, Terms: []string{"univers"},
				Top:      []Doc{{ID: "d", Judged: true, Terms: set("univers"), Words: set("universe")}},
				Relevant: []Doc{{ID: "r", Judged: true, Grade: 1, Terms: set("univers"), Words: set("universities")}}},
			[]string{"stop word or stem lost"}},
		{"only what is judged is wrong",
			Case{Names: [][]string{{"mary", "holm"}},
				Top: []Doc{wrong("a"), wrong("b"), {ID: "d", Words: set("peter", "holm")}}}, nil},
	} {
		var got []string
		for _, f := range Find(&x.c) {
			got = append(got, All[f.Pattern].Name)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

func TestEveryPatternIsDescribed(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All {
		if p.Name == "" || p.Rule == "" || p.Fix == "" || seen[p.Name] {
			t.Errorf("%+v", p)
		}
		seen[p.Name] = true
	}
	if len(All) != 13 {
		t.Errorf("%d patterns", len(All))
	}
}

// What stands in brackets behind a pattern, with one of what it counts.
func TestExamplesCountOne(t *testing.T) {
	missing := []Doc{{ID: "x", Judged: true, Grade: 1, Length: 5}, {ID: "y", Judged: true, Grade: 1, Length: 5},
		{ID: "z", Judged: true, Grade: 1, Length: 5}}
	for want, x := range map[string]struct {
		p Pattern
		c Case
	}{
		"1 document was found": {narrow, Case{Found: 1, Relevant: missing}},
		"1 word against 5": {length,
			Case{Found: 50, Relevant: missing,
				Top: []Doc{{ID: "a", Judged: true, Length: 1}, {ID: "b", Judged: true, Length: 1},
					{ID: "c", Judged: true, Length: 1}}}},
	} {
		if got, holds := x.p.holds(&x.c); got != want || !holds {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
