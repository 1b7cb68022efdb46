package report

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
)

// A system keeps its letter when one before it leaves; a new one takes the first that is free.
func TestLetters(t *testing.T) {
	cases := []struct {
		name  string
		given Letters
		n     int
		want  Letters
	}{
		{"nobody left", nil, 3, nil},
		{"each at its own place", Letters{0, 1}, 3, nil},
		{"B left", Letters{0, 2}, 2, Letters{0, 2}},
		{"B left, another came", Letters{0, 2}, 3, Letters{0, 2, 1}},
		{"A left, two came", Letters{1, -1, -1}, 3, Letters{1, 0, 2}},
		{"one letter twice", Letters{2, 2}, 2, Letters{2, 0}},
		{"more than there are", Letters{3, 1, 0}, 1, Letters{3}},
		{"a place that no letter has", Letters{MaxPlace, 1}, 2, nil},
		{"none", Letters{4}, 0, nil},
	}
	for _, c := range cases {
		got := c.given.For(c.n)
		if !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if again := got.For(c.n); !slices.Equal(again, got) {
			t.Errorf("%s: %v becomes %v", c.name, got, again)
		}
	}
}

// The letters travel with a report and are no part of its hash; letters that no program gives are refused.
func TestLettersTravelWithAReport(t *testing.T) {
	r := Report{Systems: make([]System, 2), Letters: Letters{0, 27}}
	r.Seal()
	plain := r
	plain.Letters = nil
	plain.Seal()
	if r.Hash != plain.Hash {
		t.Error("the hash is of the letters too")
	}
	var back Report
	if err := wire.Unmarshal(wire.Marshal(&r), &back); err != nil || back.Letter(1) != "AB" || back.Place(1) != 27 {
		t.Errorf("%s, %v", back.Letter(1), err)
	}
	if s, err := back.SystemOf("ab"); s != 1 || err != nil {
		t.Errorf("the run AB is %d, %v", s, err)
	}
	if _, err := back.SystemOf("B"); err == nil {
		t.Error("there is no run B")
	}
	r.Letters = Letters{5, 5}
	if err := wire.Unmarshal(wire.Marshal(&r), &back); err == nil {
		t.Error("two runs with one letter are read")
	}
}

// The letters of a report that an earlier version saved are those of another test. Read again they follow from its pairs.
func TestLettersOfAnEarlierVersionFollowFromThePairs(t *testing.T) {
	r := tested(t)
	r.Columns[0].Groups, r.Pairs[0].Adjusted = []string{"a", "a"}, 0.001
	if r.Settle(); r.Columns[0].Groups[0] == r.Columns[0].Groups[1] {
		t.Errorf("%q", r.Columns[0].Groups)
	}
}
