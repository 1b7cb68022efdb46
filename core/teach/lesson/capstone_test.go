package lesson

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// fourQueries is a field of three systems and four queries. By hand: the means are .6, .5 and .2; the best is .1 ahead
// of the second, on kind a by (.9 + .7 − .5 − .7) / 2 = .2, on kind b by 0.
func fourQueries() *Field {
	f := &Field{Measure: "nDCG@10", Titles: []string{"One", "Two"},
		Queries: []Asked{{"q1", "t", "a"}, {"q2", "t", "a"}, {"q3", "t", "b"}, {"q4", "t", "b"}}}
	for i, v := range [][]float64{{.9, .7, .4, .4}, {.5, .7, .3, .5}, {.2, .2, .2, .2}} {
		e := Entrant{Notation: "s" + strconv.Itoa(i), Label: "System " + strconv.Itoa(i), Values: v}
		for range v {
			e.Heads = append(e.Heads, []Shown{{0, 3}, {1, -1}})
		}
		f.Systems = append(f.Systems, e)
	}
	f.Trios = []Trio{{Systems: [3]int{0, 1, 2}, Means: [3]float64{.6, .5, .2},
		Best: report.Pair{Diff: .1, Low: -.1, High: .3, Adjusted: .4}, Finding: "On 4 queries."}}
	return f
}

func TestTheCaseOfASeed(t *testing.T) {
	f := fourQueries()
	seen := map[[3]int]bool{}
	for i := range 60 {
		seed := "student " + strconv.Itoa(i)
		c, again := f.Draw(seed), f.Draw(" "+seed)
		if c.Letters != again.Letters {
			t.Fatal("one seed, two cases")
		}
		seen[c.Letters] = true
		right := Claims{Difference: .1, Low: -.11, High: .29, Apart: 0, Kind: "a"}
		for l := range 3 {
			right.Which[l] = c.Trio.Systems[c.Letters[l]]
			if c.System(l).Label != "System "+strconv.Itoa(right.Which[l]) {
				t.Fatal("a letter of another system")
			}
			if c.Letters[l] == 0 {
				right.Best = l
			}
		}
		for _, line := range c.Compare(right) {
			if !line.Agrees {
				t.Errorf("%+v", line)
			}
		}
		nothing := Claims{Which: [3]int{-1, -1, -1}, Best: -1, Difference: math.NaN(), Low: math.NaN(),
			High: math.NaN(), Apart: -1}
		lines := c.Compare(nothing)
		for _, line := range lines {
			if line.Agrees || line.Yours != "–" && line.Yours != "– to –" {
				t.Errorf("nothing was said, and %+v", line)
			}
		}
		wrong := right
		wrong.Which[0], wrong.Which[1] = wrong.Which[1], wrong.Which[0]
		wrong.Kind, wrong.Apart, wrong.Difference, wrong.High = "b", 1, .106, .33
		disagree := 0
		for _, line := range c.Compare(wrong) {
			if !line.Agrees {
				disagree++
			}
		}
		if len(lines) != 8 || disagree != 6 {
			t.Errorf("%d lines, %d of them other than the report", len(lines), disagree)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d of 6 orders of the letters", len(seen))
	}
	// An interval with swapped ends, or beside its own difference, is wrong however close its ends are.
	for _, ends := range [][3]float64{{.1, .3, -.1}, {.1, .29, .11}, {.1, .105, .3}} {
		c := f.Draw("x")
		c.Trio.Best.Low, c.Trio.Best.High = ends[1], ends[2]
		if line := c.Compare(Claims{Difference: ends[0], Low: ends[1], High: ends[2]})[5]; line.Agrees ||
			line.Note == "" {
			t.Errorf("%v: %+v", ends, line)
		}
	}
	f = fourQueries()
	c := f.Draw("x")
	a, b := c.letter(0), c.letter(1)
	// differences .4 0 .1 −.1, mean .1: deviations .3 −.1 0 −.2, squares .14, over 3
	if d := c.Deviation(a, b); math.Abs(d-math.Sqrt(.14/3)) > 1e-12 {
		t.Errorf("deviation %v", d)
	}
	// Student's interval: t of 3 degrees of freedom is 3.182446 (scipy 1.17.1, t.ppf(0.975, 3)), so ±3.182446·√(.14/3)/2.
	low, high := c.Student(a, b)
	if half := 3.182446 * math.Sqrt(.14/3) / 2; math.Abs(low-.1+half) > 1e-6 || math.Abs(high-.1-half) > 1e-6 {
		t.Errorf("Student's interval %v to %v", low, high)
	}
	// Worked out by hand it counts, with a remark. What is near neither interval does not.
	for _, x := range []struct {
		low, high float64
		agrees    bool
		says      string
	}{{low + .01, high - .01, true, "by hand"}, {-.1, .3, true, "counts as the same"}, {low, .3, false, ""},
		{low - .03, high, false, ""}} {
		line := c.Compare(Claims{Difference: .1, Low: x.low, High: x.high})[5]
		if line.Agrees != x.agrees || !strings.Contains(line.Note, x.says) {
			t.Errorf("%+v: %+v", x, line)
		}
	}
	k := c.Kinds()
	if len(k) != 2 || k[0].Kind != "a" || k[0].Queries != 2 || math.Abs(k[0].Means[a]-.8) > 1e-12 {
		t.Errorf("%+v", k)
	}
	f.Trios[0].Means[1] = .6
	if f.Draw("x") != nil {
		t.Error("two best systems are no case")
	}
}

func TestAFieldTravelsWithTheLessons(t *testing.T) {
	var got Set
	if err := wire.Unmarshal(wire.Marshal(&Set{Field: fourQueries()}), &got); err != nil ||
		got.Field.Trios[0].Finding != "On 4 queries." || got.Field.Systems[1].Heads[3][1].Grade != -1 {
		t.Fatalf("%v", err)
	}
	bad := fourQueries()
	bad.Systems[0].Heads[0][0].Title = 2
	if err := wire.Unmarshal(wire.Marshal(&Set{Field: bad}), &got); err == nil {
		t.Error("a title that is not there")
	}
}
