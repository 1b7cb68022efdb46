package stage_test

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func TestWithout(t *testing.T) {
	tests := []struct {
		name, text, want string
		off              []int
	}{
		{"the last", "bm25 >> rm3 >> cut(5)", "bm25 >> rm3", []int{2}},
		{"one in the middle", "bm25 >> rm3 >> cut(5)", "bm25 >> cut(5)", []int{1}},
		{"all", "bm25 >> rm3 >> cut(5)", "bm25", []int{1, 2}},
		{"within a fusion", "rrf(bm25 >> rm3, dense >> cut(9)) >> cut(5)", "rrf(bm25, dense >> cut(9)) >> cut(5)",
			[]int{2}},
		{"a retriever stays", "rrf(bm25, dense)", "rrf(bm25, dense)", []int{0, 1, 2}},
	}
	for _, tt := range tests {
		n := stage.MustParse(tt.text)
		got := n.Without(func(i int) bool {
			for _, o := range tt.off {
				if o == i {
					return true
				}
			}
			return false
		})
		if got.String() != tt.want || n.String() != tt.text {
			t.Errorf("%s: %s, want %s; the pipeline itself is now %s", tt.name, got, tt.want, n)
		}
	}
}

func TestSetAt(t *testing.T) {
	tests := []struct {
		name, text, param, value, want string
		at                             int
	}{
		{"of two alike only one", "rrf(bm25, bm25)", "k1", "1.20", "rrf(bm25, bm25(k1=1.2))", 2},
		{"the default goes", "bm25(k1=1.2)", "k1", "", "bm25", 0},
		{"what it makes meaningless goes", "bm25(variant=okapi,epsilon=0.5)", "variant", "atire", "bm25(variant=atire)",
			0},
		{"no such parameter", "bm25", "k9", "1", "error: bm25 has no parameter", 0},
		{"no such stage", "bm25", "k1", "1", "error: no such stage", 7},
		{"a value that is no good", "bm25", "k1", "x", "error: is a number", 0},
		{"a value that has no effect", "bm25", "delta", "1", "error: has no effect", 0},
		{"one that is needed", "bm25 >> cut(5)", "n", "", "error: cut needs n", 1},
	}
	for _, tt := range tests {
		n, err := stage.MustParse(tt.text).SetAt(tt.at, tt.param, tt.value)
		if want, bad := strings.CutPrefix(tt.want, "error: "); bad {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, %v", tt.name, n, err)
			}
		} else if err != nil || n.String() != tt.want {
			t.Errorf("%s: %v, %v; want %s", tt.name, n, err, tt.want)
		}
	}
}

func TestComplete(t *testing.T) {
	tests := []struct {
		text       string
		has, lacks []string
	}{
		{"", []string{"bm25", "rrf(", "run("}, []string{"cut(", "mmr"}},
		{"de", []string{"dense"}, []string{"bm25"}},
		{"bm25 >> mm", []string{"bm25 >> mmr"}, []string{"bm25 >> cut("}},
		{"bm25 >> ", []string{"bm25 >> cut(", "bm25 >> rm3"}, []string{"bm25 >> bm25"}},
		{"rrf(bm25, ", []string{"rrf(bm25, dense", "rrf(bm25, k="}, []string{"rrf(bm25, cut("}},
		{"bm25(k1=1,", []string{"bm25(k1=1,b=", "bm25(k1=1,variant="}, []string{"bm25(k1=1,k1="}},
		{"bm25(variant=ok", []string{"bm25(variant=okapi"}, []string{"bm25(variant=atire"}},
		{"rrf(bm25(variant=okapi), dense) >> mmr(by=", []string{"rrf(bm25(variant=okapi), dense) >> mmr(by=type"}, nil},
		{"bm25(exact=", []string{"bm25(exact=true", "bm25(exact=false"}, nil},
		{"bm25(k1=", nil, []string{"bm25(k1=0"}},
		{"bm25 ", nil, []string{"bm25 dense"}},
		{"nothing(", nil, []string{"nothing(k1="}},
	}
	for _, tt := range tests {
		got := map[string]bool{}
		for _, c := range stage.Complete(tt.text) {
			got[c.Text] = true
		}
		for _, w := range tt.has {
			if !got[w] {
				t.Errorf("%q: %q is not offered", tt.text, w)
			}
		}
		for _, w := range tt.lacks {
			if got[w] {
				t.Errorf("%q: %q is offered", tt.text, w)
			}
		}
		if tt.has == nil && len(got) > 0 {
			t.Errorf("%q: %v is offered", tt.text, got)
		}
	}
}
