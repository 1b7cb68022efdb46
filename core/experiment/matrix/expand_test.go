package matrix

import (
	"slices"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	for _, x := range []struct {
		name, written string
		want          []string
	}{
		{"nothing varies", "bm25(k1=1.2)", []string{"bm25(k1=1.2)"}},
		{"a range, decimal", "bm25(k1=0.6..1/0.2)", []string{"bm25(k1=0.6)", "bm25(k1=0.8)", "bm25(k1=1)"}},
		{"a range that its step does not meet", "x(k=1..4/2)", []string{"x(k=1)", "x(k=3)"}},
		{"a range by one", "x(k=1..3)", []string{"x(k=1)", "x(k=2)", "x(k=3)"}},
		{"values and a range", "x(k=0..1/0.5|9)", []string{"x(k=0)", "x(k=0.5)", "x(k=1)", "x(k=9)"}},
		{"the first varies slowest", "x(a=1|2,b=p|q)",
			[]string{"x(a=1, b=p)", "x(a=1, b=q)", "x(a=2, b=p)", "x(a=2, b=q)"}},
		{"a stage on and off", "bm25 >> rm3?", []string{"bm25 >> rm3", "bm25"}},
		{"with values that vary", "bm25 >> rm3(docs=5|10)? >> cut(20)",
			[]string{"bm25 >> rm3(docs=5) >> cut(20)", "bm25 >> rm3(docs=10) >> cut(20)", "bm25 >> cut(20)"}},
		{"an argument", "rrf(bm25, dense?, k=60)", []string{"rrf(bm25, dense, k=60)", "rrf(bm25, k=60)"}},
		{"a stage within an argument", "rrf(bm25 >> rm3?, dense)",
			[]string{"rrf(bm25 >> rm3, dense)", "rrf(bm25, dense)"}},
		{"positional values", "bm25 >> cut(10|20)", []string{"bm25 >> cut(10)", "bm25 >> cut(20)"}},
		{"the first stage off leaves nothing", "bm25? >> cut(5)", []string{"bm25 >> cut(5)", ""}},
		{"nothing is left once, whatever else is off", "bm25? >> cut(5|9)?", []string{"bm25 >> cut(5)",
			"bm25 >> cut(9)", "bm25", ""}},
		{"signs", "x(k=+1|-1)", []string{"x(k=+1)", "x(k=-1)"}},
		{"letters of every kind", "aZz_A09(k=1|2)", []string{"aZz_A09(k=1)", "aZz_A09(k=2)"}},
		{"spaces", " bm25 ( b = 0|1 ) ", []string{"bm25(b=0)", "bm25(b=1)"}},
	} {
		got, err := Expand(x.written, 100)
		if err != nil || !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, %v; want %q", x.name, got, err, x.want)
		}
	}
}

func TestAsManyValuesAsMayBe(t *testing.T) {
	got, err := Expand("x(a=5..10004)", 20_000)
	if err != nil || len(got) != 10_000 || got[9999] != "x(a=10004)" {
		t.Errorf("%d, %v", len(got), err)
	}
}

func TestExpandRefuses(t *testing.T) {
	for _, x := range []struct{ name, written, want string }{
		{"a thousand million", "x(a=1..1000,b=1..1000,c=1..1000)", "1000000000 runs are too many: the limit is 100"},
		{"more than there are numbers for",
			"x(a=1..1000,b=1..1000,c=1..1000,d=1..1000,e=1..1000,f=1..1000,g=1..1000,h=1..1000)", "1.0e+24 runs"},
		{"a range without end", "x(a=0..1/0.0000001)", "too many values: the limit is 10000"},
		{"a step of nothing", "x(a=0..1/0)", "no step above 0"},
		{"backwards", "x(a=2..1)", "ends before it begins"},
		{"words", "x(a=p..q)", "not of numbers"},
		{"an empty alternative", "x(a=1|)", "alternative is empty"},
		{"alternatives of stages", "bm25|dense", "write two systems"},
		{"one arrow", "bm25 > cut(5)", "at byte 5: unexpected \">\"; did you mean >>?"},
		{"an arrow at the end", "bm25 >", "did you mean >>"},
		{"numbers of too many digits", "x(a=0.000001..10000000000/5000000000)", "is not of numbers: from..to/step"},
		{"ten thousand and one values", "x(a=5..10005)", "too many values: the limit is 10000"},
		{"an open end", "bm25(k1=", "unexpected end"},
		{"a megabyte", strings.Repeat("x", 1<<20), "the limit is 20000"},
		{"deep", strings.Repeat("rrf(", 40), "nested too deep"},
	} {
		got, err := Expand(x.written, 100)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %d texts, %v; want %q", x.name, len(got), err, x.want)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, s := range []string{"bm25(k1=0.6..1.8/0.2, b=0|0.4|0.75) >> rm3?", "rrf(bm25 >> rm3?, dense?)",
		"x(a=1..2/0.5|9) >> cut(10|20)", "a?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		texts, err := Expand(s, 64)
		if err != nil {
			return
		}
		if len(texts) == 0 || len(texts) > 64 {
			t.Fatalf("%q gives %d texts", s, len(texts))
		}
		for _, x := range texts { // what came out has no alternatives any more
			if x == "" {
				continue
			}
			again, err := Expand(x, 64)
			if err != nil || len(again) != 1 || again[0] != x {
				t.Fatalf("%q gives %q, and that %q, %v", s, x, again, err)
			}
		}
	})
}
