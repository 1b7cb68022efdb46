package workspace

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// A string has at most 393,216 bytes as it is written, those of the longest text if each is escaped. That bounds what a
// reader keeps of a file that anybody may have made, also of members that it does not know.
func TestNoStringIsLongerThanTheLongestText(t *testing.T) {
	for n, ok := range map[int]bool{393216: true, 393217: false} {
		later := `,"later":"` + strings.Repeat("x", n) + `"`
		body := strings.Replace(`{"edit":"name","time":1,"tab":"a","n":1,"text":"t"}`, "}", later+"}", 1)
		edits, lost := ReadJournal(fmt.Appendf(nil, "%08x %s\n", crcOf([]byte(body)), body))
		if (len(edits) == 1) != ok || (len(lost) == 0) != ok {
			t.Errorf("a record with a string of %d bytes: %v", n, lost)
		}
		line := `{"name":"s","form":"system","text":"bm25","time":1,"tab":"a","n":1` + later + "}\n"
		if _, err := Read(v2("", map[string]string{specsName: line}), Limits{}); (err == nil) != ok {
			t.Errorf("a file with a string of %d bytes: %v", n, err)
		}
	}
}

// Grades are in the order of the queries, whatever their ids are: the digest depends on it.
func TestMergedGradesAreInTheOrderOfTheQueries(t *testing.T) {
	b, m := built(t)
	b.edit(t, 1, Edit{Kind: SetQuery, Query: "a-later-one", Text: "strike"})
	b.edit(t, 1, SetHead(Head{ID: "mine", Origin: Person}))
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "mine", Query: "a-later-one", Document: "d39", Grade: 3})
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "mine", Query: "q1", Document: "d0", Grade: 2})
	bun, err := bundle.Open(m, b.w.Fetch)
	must(t, err)
	merged, err := b.w.Merge(bun)
	must(t, err)
	var order []int
	for _, j := range merged.Judgments {
		order = append(order, j.Query)
	}
	if !slices.Equal(order, []int{0, 0, 1, 2}) || merged.Judgments[3].Doc != "d39" {
		t.Errorf("%+v", merged.Judgments)
	}
}

// Of two grades of one moment the first layer's counts, also by the rule of the latest.
func TestOfGradesOfOneMomentTheFirstLayersCounts(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	b.edit(t, 1, SetHead(Head{ID: "mine", Origin: Person}))
	b.edit(t, 1, SetHead(Head{ID: "two", Origin: Second}))
	b.edit(t, 1, Edit{Kind: SetRule, Text: string(Latest)})
	b.edit(t, 5, Edit{Kind: SetGrade, Layer: "mine", Query: "q", Document: "d", Grade: 1})
	b.edit(t, 5, Edit{Kind: SetGrade, Layer: "two", Query: "q", Document: "d", Grade: 3})
	if got := b.w.Resolve(nil); len(got) != 1 || got[0].Grade != 1 {
		t.Errorf("%+v", got)
	}
	b.edit(t, 6, Edit{Kind: SetGrade, Layer: "two", Query: "q", Document: "d", Grade: 3})
	if got := b.w.Resolve(nil); got[0].Grade != 3 {
		t.Errorf("a later grade: %+v", got)
	}
}

// The smallest pools that can be split, and what is said of those that cannot.
func TestTheSmallestPoolsAreSplit(t *testing.T) {
	pool := func(n int) (out []Pooled) {
		for i := range n {
			out = append(out, Pooled{"q", fmt.Sprint("d", i)})
		}
		return out
	}
	for _, c := range []struct{ documents, judges, each, least, most int }{
		{3, 1, 1, 3, 3}, // one judge has all
		{4, 4, 1, 1, 1}, // one document a judge
		{2, 3, 3, 2, 2}, // fewer documents than judges, who all judge all
		{5, 5, 3, 3, 3},
	} {
		shares, err := Split(pool(c.documents), c.judges, c.each, 1)
		if err != nil || len(shares) != c.judges {
			t.Fatalf("%+v: %d shares, %v", c, len(shares), err)
		}
		for _, s := range shares {
			if len(s) < c.least || len(s) > c.most {
				t.Errorf("%+v: a share of %d documents", c, len(s))
			}
		}
	}
	for want, c := range map[string][3]int{
		"of 5 judges at most 3 can judge each document, or all": {9, 5, 4},
		"of 4 judges at most 2 can judge each document, or all": {9, 4, 3},
		"the pool has 3 documents, fewer than 4 judges":         {3, 4, 1},
		"a pool is split for at least one judge":                {3, 0, 1},
	} {
		if _, err := Split(pool(c[0]), c[1], c[2], 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", c, err, want)
		}
	}
}
