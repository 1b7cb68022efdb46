package matrix

import (
	"strings"
	"testing"
)

func TestExpandHasLimits(t *testing.T) {
	for _, x := range []struct {
		name, written string
		limit, want   int // 0: refused
	}{
		{"as many as the limit", "x(a=1..100)", 100, 100},
		{"one more", "x(a=1..101)", 100, 0},
		{"as many values as a range has", "x(a=1..10000)", 20_000, 10_000},
		{"one value more", "x(a=1..10001)", 20_000, 0},
		{"one value", "x(a=2..2)", 9, 1},
		{"nine decimals", "x(a=0.000000001..0.000000003/0.000000001)", 9, 3},
		{"ten decimals", "x(a=0.0000000001..0.0000000003/0.0000000001)", 9, 0},
		{"the largest numbers", "x(a=999999999999999..1000000000000000)", 9, 2},
		{"larger ones", "x(a=1000000000000000..1000000000000001)", 9, 0},
		{"below zero", "x(a=-1..1)", 9, 3},
		{"the longest line", strings.Repeat("x", MaxWritten), 9, 1},
		{"a longer line", strings.Repeat("x", MaxWritten+1), 9, 0},
		{"sixteen deep", strings.Repeat("a(", 16) + "b" + strings.Repeat(")", 16), 9, 1},
		{"seventeen deep", strings.Repeat("a(", 17) + "b" + strings.Repeat(")", 17), 9, 0},
	} {
		got, err := Expand(x.written, x.limit)
		if len(got) != x.want || (err == nil) != (x.want > 0) {
			t.Errorf("%s: %d texts, %v; want %d", x.name, len(got), err, x.want)
		}
	}
	if got := brief(strings.Repeat("x", 60)); len(got) != 60 {
		t.Errorf("60 bytes are cut to %q", got)
	}
	if got := magnitude(1e15) + " " + magnitude(999_999_999_999_999); got != "1.0e+15 999999999999999" {
		t.Error(got)
	}
}

// By hand: the clock goes on by ten at each look, and two queries are asked between two looks: five a query. What is
// not tried is taken to be like the mean of what is.
func TestEstimatesTryARunOfEachShape(t *testing.T) {
	s := session(t)
	p := plan(t, s, five)
	shapes := map[string]bool{}
	for i := range p.Runs {
		shapes[p.Runs[i].node.Shape()] = true
	}
	for _, tries := range []int{1, 2, len(shapes), 100} {
		x, err := Open(p, s, &Memory{})
		if err != nil {
			t.Fatal(err)
		}
		now := 0.0
		e := x.Estimate(func() float64 { now += 10; return now }, tries)
		if want := min(tries, len(shapes)); e.Tried != want || e.Micros != 5*12*float64(len(p.Runs)) ||
			e.Bytes != p.Bytes(12) {
			t.Errorf("%d tries: %+v; want %d tried, %d runs", tries, e, want, len(p.Runs))
		}
	}
}
