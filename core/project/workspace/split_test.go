package workspace

import (
	"fmt"
	"reflect"
	"testing"
)

func TestAPoolIsSplitEvenlyAndEachDocumentHasItsJudges(t *testing.T) {
	for _, c := range []struct{ queries, depth, judges, each int }{{10, 72, 30, 2}, {7, 13, 5, 3}, {3, 5, 4, 1}, {1, 9,
		3, 3}, {2, 11, 9, 5}} {
		var pool []Pooled
		for q := range c.queries {
			for d := range c.depth {
				pool = append(pool, Pooled{fmt.Sprint("q", q), fmt.Sprint("d", d)})
			}
		}
		shares, err := Split(pool, c.judges, c.each, 1)
		must(t, err)
		judges := map[Pooled]int{}
		least, most := len(pool), 0
		for s, share := range shares {
			least, most = min(least, len(share)), max(most, len(share))
			own := map[Pooled]bool{}
			for _, p := range share {
				if own[p] {
					t.Fatalf("%+v: judge %d has %v twice", c, s, p)
				}
				own[p] = true
				judges[p]++
			}
		}
		for _, p := range pool {
			if judges[p] != c.each {
				t.Fatalf("%+v: %d judges have %v", c, judges[p], p)
			}
		}
		if most-least > c.each {
			t.Errorf("%+v: shares of %d to %d documents", c, least, most)
		}
		again, _ := Split(pool, c.judges, c.each, 1)
		other, _ := Split(pool, c.judges, c.each, 2)
		if !reflect.DeepEqual(shares, again) || reflect.DeepEqual(shares, other) {
			t.Errorf("%+v: the seed does not decide", c)
		}
	}
	for _, bad := range [][2]int{{0, 1}, {3, 0}, {4, 3}, {5, 1}} {
		if _, err := Split([]Pooled{{"q", "a"}, {"q", "b"}, {"q", "c"}, {"q", "d"}}, bad[0], bad[1], 1); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
