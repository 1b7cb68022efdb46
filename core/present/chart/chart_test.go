package chart

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// small is three runs on four queries. By hand: means 0.5, 0.65 and 0.25; B - A is 0.2, -0.1, 0, 0.5; ranks by query A
// 2 1 1.5 3, B 1 2 1.5 1, C 3 3 3 2.
func small() *Input {
	values := [][]float64{{0.5, 0.6, 0.7, 0.2}, {0.7, 0.5, 0.7, 0.7}, {0.2, 0.4, 0.1, 0.3}}
	r := &report.Report{Measures: []string{"nDCG@10", "nDCG@5"}}
	for _, label := range []string{"bm25", "hybrid", "dense"} {
		r.Systems = append(r.Systems, report.System{Label: label})
	}
	for i, id := range []string{"q1", "q2", "q3", "q4"} {
		r.Queries = append(r.Queries, report.Query{ID: id, Relevant: 2 + 3*(i/3)}) // 2, 2, 2, 5
	}
	r.Columns = []report.Column{
		{Measure: "nDCG@10", Values: values, Means: []float64{0.5, 0.65, 0.25}, Low: []float64{0.3, 0.5, 0.1},
			High: []float64{0.65, 0.7, 0.35}, Groups: []string{"ab", "a", "b"}, Best: 0.65,
			TieLow: []float64{0.5, 0.6, 0.25}, TieHigh: []float64{0.5, 0.7, 0.25}, ResidualLow: []float64{0.4, 0.65,
				math.NaN()}, ResidualHigh: []float64{0.8, 0.7, math.NaN()}},
		{Measure: "nDCG@5", Values: values, Means: []float64{0.6, 0.55, 0.2}, Low: []float64{0.3, 0.5, 0.1},
			High: []float64{0.65, 0.7, 0.35}, Groups: []string{"ab", "a", "b"}, Best: 0.6},
	}
	return &Input{Report: r, B: 1, Facts: Facts{
		Times:    [][]float64{{1, 2, 3, 4}, {10, 20, 30, 600}, {2, 2, 2, 2}},
		Protocol: "the second of two times, one hand",
		Costs: []Cost{{"index", true, []float64{1000, 3000, math.NaN()}},
			{"all queries", false, []float64{10, 660, 8}}},
		Stages: []int{1, 3, 1},
		Sweep: &Sweep{X: Param{"k1", []float64{0.9, 1.2}}, Y: Param{"b", []float64{0.4, 0.75}},
			System: [][]int{{0, 2}, {2, 1}}},
		Steps: []Growth{{0, "bm25"}, {1, "rm3"}},
		Ablation: &Ablation{"rrf(bm25, dense) >> rm3", "nDCG@10",
			[]Worth{{"rm3", 0.1, 0.02, 0.2, -0.05, 0.03}, {"dense", 0.2, -0.01, 0.4, 0.25, 0.22}}},
		Grades: []Graded{{0, 0, false, 30, 0, 0.1, 0.2, 0.3, 0.4}, {0, 0, true, 8, 0.1, 0.2, 0.3, 0.4, 0.5},
			{0, 1, true, 5, 0.4, 0.5, 0.6, 0.7, 0.8}, {1, 0, true, 9, 0, 0.1, 0.2, 0.3, 0.4}, {1, 2, true, 4, 0.6, 0.7,
				0.8, 0.9, 1}},
		Patterns: []Pattern{{"vocabulary mismatch", []int{1, 0, 2}}},
		Courses: []Course{{[]float64{0.25, 0.5}, []float64{100, 180}, []int{4, 3}},
			{[]float64{0.4, 0.75, 0.75}, nil, []int{4, 4, 1}}, {[]float64{0.1}, nil, []int{4}}},
	}}
}

// TestSentences has the sentence, the table and the first rows of data of every figure that the small report has all
// for; worked out by hand.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		figure, sentence, row, data string
	}{
		{"intervals", "B has the best mean nDCG@10, 0.650 (95 % interval 0.500 to 0.700). 1 other run is not " +
			"significantly different (5 % after Holm over 3 pairs).", "A bm25|0.5000|0.3000 to 0.6500|ab",
			"bm25,nDCG@10,0.5,0.3,0.65,ab"},
		{"bars", "A has the best mean by nDCG@5; B by nDCG@10.", "A bm25|0.5000|0.6000", "bm25,nDCG@10,0.5"},
		{"differences", "B is better than A by nDCG@10 on 2 of 4 queries and worse on 1; the largest change is " +
			"+0.500 on query q4.", "above +0.5|0", "q4,0.2,0.7,0.49999999999999994"},
		{"pair", "Where B is better than A (2 queries), nDCG@10 goes from 0.350 to 0.700 in the mean; where it is " +
			"worse (1 query), from 0.600 to 0.500; 1 is equal.", "B better|2|0.350|0.700", "q1,0.5,0.7"},
		// quarters of C's 0.1, 0.2, 0.3, 0.4 are 0.175 and 0.325; of A 0.425 and 0.625; of B 0.65 and 0.7
		{"queries", "By nDCG@10 half of the queries lie between 0.425 and 0.625 in A, whose values are farthest " +
			"apart; its median is 0.550.", "A bm25|0.200|0.425|0.550|0.625|0.700", "q1,0.5,0.7,0.2"},
		{"bounds", "The order of tied documents changes a mean of nDCG@10 by up to 0.100; unjudged documents leave " +
			"up to 0.400 open, for A.", "A bm25|0.5000|0.5000 to 0.5000|0.400 to 0.800",
			"bm25,nDCG@10,0.5,0.5,0.5,0.4,0.8"},
		{"matrix", "Of 4 queries, 0 are at 0 by nDCG@10 in every run, and on 3 the runs are 0.5 or more apart.",
			"B hybrid|2|0|0", ""},
		// over q1 to q3 the means are 0.6, 0.633 and 0.233
		{"kinds", "B, the best by nDCG@10 over all queries, is the best of 2 of 2 kinds.",
			"relevant documents: 1 to 3|3|0.600|0.633|0.233", "relevant documents,1 to 3,3,bm25,nDCG@10,0.6"},
		{"cutoffs", "nDCG is best for A at @5, B at @10.", "A bm25|0.600|0.500", "bm25,5,0.6"},
		// medians 2.5, 25 and 2 ms: C is the quickest, A better and slower, B better and slower still
		{"speed", "C, A and B are the runs that none betters in both time and nDCG@10.", "A bm25|2.5 ms|0.5000|1|yes",
			"bm25,2.5,nDCG@10,0.5,1,yes"},
		{"waterfall", "From bm25 to the whole pipeline nDCG@10 goes from 0.500 to 0.650; the largest step is that of " +
			"rm3, +0.150.", "bm25|0.5000|–|–", "bm25,bm25,nDCG@10,0.5,,,"},
		{"worth", "dense is worth most by nDCG@10, +0.220 of rrf(bm25, dense) >> rm3; the interval of the loss " +
			"without it excludes 0 for 1 of 2 stages.", "rm3|+0.1000|+0.0200 to +0.2000|−0.0500|+0.0300",
			"rm3,nDCG@10,0.1,0.02,0.2,-0.05,0.03"},
		// over q1 to q3 the mean of 0.6, 0.633 and 0.233 is 0.489; on q4 that of 0.2, 0.7 and 0.3 is 0.4
		{"types", "Over all runs nDCG@10 is best on relevant documents: 1 to 3 (3), 0.489, and worst on relevant " +
			"documents: 4 to 6 (1), 0.400.", "relevant documents: 1 to 3|3|0.600|0.633|0.233",
			"relevant documents,1 to 3,3,bm25,nDCG@10,0.6"},
		// C loses 0.3, 0.2 and 0.6 on q1 to q3 and gains on q4; B loses 0.1 on q2
		{"errors", "A has 0 queries at the lowest value by nDCG@10; C is worse than the baseline by a fifth of the " +
			"scale on 3.", "not answered|0|0|0", "not answered,bm25,0"},
		{"sweep", "nDCG@10 is best at k1 1.2 and b 0.75, 0.650, and 0.400 better than at its worst; that is an end " +
			"of the tried range, so better values may lie beyond.", "0.4|0.5000|0.2500", "bm25,0.9,0.4,nDCG@10,0.5"},
		{"bump", "At k1 0.9 b 0.4 is best by nDCG@10, at 1.2 0.75; places change 2 times on the way.", "0.4|1|2",
			"0.4,0.9,nDCG@10,0.5,1"},
		{"grades", "B holds the grades farthest apart: half of the documents of grade 2 lie above 0.800 of their " +
			"list, half of those of grade 0 above 0.200.", "A bm25|unjudged|30|0.200|0.100 to 0.300|0.000 to 0.400",
			"bm25,unjudged,30,0,0.1,0.2,0.3,0.4"},
		// numpy.percentile([10, 20, 30, 600], 95) is 514.5
		{"steps", "B had found 40\u00a0% of the relevant documents of a query after its first step and 75\u00a0% " +
			"after step 2; its later steps found nothing new.", "A bm25|2|0.250|0.500", "bm25,1,4,0.25,100"},
		{"latency", "C answers 95 of 100 queries within 2.0 ms, the quickest; B within 514 ms, the slowest; 1 answer " +
			"takes longer than 500 ms.", "A bm25|4|2.5 ms|2.5 ms|3.8 ms|4.0 ms", "bm25,1"},
		{"resources", "index: B needs most, 3 kB, A least, 1 kB; all queries: B needs most, 660 ms, C least, 8.0 ms.",
			"A bm25|1 kB|10.0 ms", "index,bm25,1000,bytes"},
	} {
		t.Run(c.figure, func(t *testing.T) {
			f, err := Lookup(c.figure)
			if err != nil {
				t.Fatal(err)
			}
			d := f.Draw(small())
			if d.Sentence != c.sentence {
				t.Errorf("says %q\n want %q", d.Sentence, c.sentence)
			}
			if got := strings.Join(d.Rows[0], "|"); got != c.row {
				t.Errorf("row %q, want %q", got, c.row)
			}
			if got := strings.Join(d.Data[1], ","); !strings.HasPrefix(got, c.data) {
				t.Errorf("data %q, want %q", got, c.data)
			}
			for _, row := range d.Rows {
				if len(row) != len(d.Head) {
					t.Errorf("row %q under %q", row, d.Head)
				}
			}
		})
	}
}

// TestMarks has where the marks of the figures are.
func TestMarks(t *testing.T) {
	in := small()
	bar := drawDifferences(in).Layers
	if got := bar[0].Marks; len(got) != 2 || got[0] != (Mark{X: 0.1, X2: 0.9, Y2: got[0].Y2, Text: "q4"}) ||
		math.Abs(got[1].Y2-0.2) > 1e-15 || got[1].Text != "q1" || bar[0].Role != Gain {
		t.Errorf("better: %+v", got)
	}
	if got := bar[1].Marks; len(got) != 1 || got[0].Text != "q2" || got[0].X != 3.1 || bar[1].Role != Loss {
		t.Errorf("worse: %+v", got)
	}
	in.Report.Columns[0].Lower = true
	if d := drawDifferences(in); d.Layers[0].Role != Loss ||
		!strings.HasPrefix(d.Sentence, "B is better than A by nDCG@10 on 1 of 4 queries and worse on 2;") {
		t.Errorf("where smaller is better: %s %s", d.Layers[0].Role, d.Sentence)
	}
	in.Report.Columns[0].Lower, in.Report.Columns[0].Values[1] = false, []float64{0, 0, 0, 0}
	if d := drawDifferences(in); !strings.HasPrefix(d.Sentence,
		"B is worse than A by nDCG@10 on 4 of 4 queries and better on none;") {
		t.Errorf("where nothing is better: %s", d.Sentence)
	}
	in = small()
	matrix := drawMatrix(in)
	cells := 0
	for i, l := range matrix.Layers {
		for _, m := range l.Marks {
			cells++
			s := matrix.Y.Bands[int(m.Y+0.5)].System
			q := slices.IndexFunc(in.Report.Queries, func(x report.Query) bool { return x.ID == m.Text })
			if v := in.column().Values[s][q]; int(v*8) != i {
				t.Errorf("%v of run %d on %s is in step %d", v, s, m.Text, i)
			}
		}
	}
	if cells != 12 {
		t.Errorf("%d cells", cells)
	}
}

// TestNothingToDraw asks figures for what the report has not.
func TestNothingToDraw(t *testing.T) {
	in := small()
	in.B = in.A
	for _, name := range []string{"differences", "pair", "precision-recall"} {
		f, _ := Lookup(name)
		if f.Draw(in) != nil {
			t.Errorf("%s is drawn", name)
		}
		if f.Needs == "" {
			t.Errorf("%s does not say what it needs", name)
		}
	}
	in.Column = 2
	if got := Draw(in); got != nil {
		t.Errorf("%d figures of a measure that is not there", len(got))
	}
	if got := Draw(&Input{Report: &report.Report{}}); got != nil {
		t.Errorf("%d figures of nothing", len(got))
	}
	if _, err := Lookup("pie"); err == nil || !strings.Contains(err.Error(), "intervals") {
		t.Errorf("an unknown figure: %v", err)
	}
}

// TestRoundingIsNoDifference: 0.1 + 0.2 and 0.3 are equal in every figure that counts or ranks.
func TestRoundingIsNoDifference(t *testing.T) {
	in := small()
	in.Report.Columns[0].Values[0][2] = 0.7 + 1e-16*8
	if d := drawPair(in); d.Rows[1][1] != "1" {
		t.Errorf("equal: %v", d.Rows[1])
	}
}

// TestSeriation: two kinds of queries, those on which A is good and those on which B is, are not mixed.
func TestSeriation(t *testing.T) {
	a := []float64{.9, .1, .8, .2, .9, .1, 0, 0}
	b := []float64{.1, .9, .2, .8, .2, .8, 0, 0}
	var kinds strings.Builder
	for _, q := range seriate([][]float64{a, b}, 8) {
		switch {
		case a[q] > b[q]:
			kinds.WriteByte('A')
		case b[q] > a[q]:
			kinds.WriteByte('B')
		default:
			kinds.WriteByte('0')
		}
	}
	if got := kinds.String(); !regexp.MustCompile(`^0?0?(A{3}B{3}|B{3}A{3})0?0?$`).MatchString(got) {
		t.Errorf("order %s", got)
	}
	// the components of [[2 1][1 2]] are (1,1)/√2 and (1,-1)/√2
	first, _ := components([][]float64{{2, 1}, {1, 2}})
	if math.Abs(first[0]-math.Sqrt2/2) > 1e-12 || math.Abs(first[1]-math.Sqrt2/2) > 1e-12 {
		t.Errorf("first component %v", first)
	}
	last := -1.0
	for a := 0.0; a < 2*math.Pi; a += 0.01 {
		if v := diamond(math.Cos(a), math.Sin(a)); v <= last {
			t.Fatalf("diamond of %v is %v after %v", a, v, last)
		} else {
			last = v
		}
	}
}

// TestTicks has round numbers, few enough, for spans of every size.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		most   int
		whole  bool
		want   string
	}{
		{0, 1, 6, false, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 1, 12, false, "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0"},
		{-0.31, 0.29, 4, false, "−0.2 0.0 0.2"},
		{0.4712, 0.4731, 5, false, "0.4715 0.4720 0.4725 0.4730"},
		{1, 4, 10, true, "1 2 3 4"},
		{0, 1e6, 3, false, "0 500000 1000000"},
		{0.1, 0.1, 5, false, ""},
	} {
		a := Axis{Low: c.lo, High: c.hi, Whole: c.whole}
		var got []string
		for _, x := range a.ticksFor(c.most) {
			got = append(got, x.text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, s, c.want)
		}
	}
	a := Axis{Low: 1, High: 1000, Log: true}
	if got := a.ticksFor(5); len(got) != 4 || got[3].text != "1000" {
		t.Errorf("powers of ten: %v", got)
	}
}

// TestPaletteIsThatOfThePage holds the colours against the style sheet, and the classes of every role.
func TestPaletteIsThatOfThePage(t *testing.T) {
	css, err := os.ReadFile("../../../site/css/rankbox.css")
	if err != nil {
		t.Fatal(err)
	}
	for role, c := range Palette() {
		if want := "--" + c.Token + ": light-dark(" + c.Light + ", " + c.Dark +
			");"; !strings.Contains(string(css), want) {
			t.Errorf("the style sheet has no %q", want)
		}
		if role == "grid" || role == "paper" || role == "sheet" {
			continue
		}
		if want := "." + string(role) + " { --c: var(--" + c.Token + "); }"; !strings.Contains(string(css), want) {
			t.Errorf("the style sheet has no %q", want)
		}
	}
}

// A colour that is copied drifts from where it comes from.
func TestColoursStandInThePaletteAlone(t *testing.T) {
	colour := regexp.MustCompile(`[^&]#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\b`)
	if err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			name == "../../present/chart/palette.go" {
			return err
		}
		data, err := os.ReadFile(name)
		if m := colour.Find(data); m != nil {
			t.Errorf("%s: %s", name, m)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// TestContrast: text and marks of every theme are 3 to 1 or more against their ground, text 4.5 to 1 (WCAG 2.2, 1.4.3
// and 1.4.11).
func TestContrast(t *testing.T) {
	luminance := func(hex string) float64 {
		v, err := strconv.ParseUint(hex[1:], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, w := range []float64{0.0722, 0.7152, 0.2126} {
			c := float64(v>>(8*i)&255) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += w * c
		}
		return sum
	}
	for role, c := range Palette() {
		if role == "grid" || role == "paper" || role == "sheet" || len(role) == 2 {
			continue
		}
		for _, ground := range []Role{"paper", "sheet"} {
			for _, theme := range []Theme{Light, Dark} {
				x, y := luminance(c.In(theme)), luminance(Palette()[ground].In(theme))
				if ratio := (max(x, y) + 0.05) / (min(x, y) + 0.05); ratio < 4.5 {
					t.Errorf("%s on %s, theme %d: %.2f to 1", role, ground, theme, ratio)
				}
			}
		}
	}
}

// TestLayout: nothing lies outside the sheet, no two numbers or labels of one kind over each other, for 1 to 20 runs
// and 1 to 10,000 queries, wide and narrow.
func TestLayout(t *testing.T) {
	number := regexp.MustCompile(`[MLHV ]?-?\d+(\.\d+)?`)
	for _, systems := range []int{1, 2, 8, 20} {
		for _, n := range []int{1, 2, 30, 10000} {
			if runtime.GOARCH == "wasm" && n == 10000 && systems != 2 {
				// One of the large ones: where a shape lies is settled natively, and TestBits of core/base/float holds the
				// arithmetic
				continue
			}
			in := many(systems, n)
			for _, f := range All() {
				d := f.Draw(in)
				if d == nil {
					continue
				}
				for _, width := range []int{Wide, Narrow} {
					s := d.Sheet(width)
					name := f.Name + " of " + strconv.Itoa(systems) + " runs and " + strconv.Itoa(n) + " queries, " +
						strconv.Itoa(width) + " wide"
					bytes := 0
					type box struct{ x, x2, y float64 }
					var boxes []box
					for _, x := range s.Shapes {
						bytes += len(x.D)
						if strings.Contains(x.D, "NaN") || strings.Contains(x.D, "Inf") {
							t.Fatalf("%s: %q", name, x.D)
						}
						if !x.Text {
							for _, m := range number.FindAllString(x.D, -1) {
								if v, err := strconv.ParseFloat(strings.TrimLeft(m, "MLHV "), 64); err == nil &&
									(m[0] == 'H' && (v < -1 || v > float64(s.W)+1) || m[0] == 'V' &&
										(v < -1 || v > float64(s.H)+1)) {
									t.Errorf("%s: %s lies outside", name, m)
								}
							}
							continue
						}
						px, _ := strconv.ParseFloat(x.X, 64)
						py, _ := strconv.ParseFloat(x.Y, 64)
						size := tickSize
						if strings.HasPrefix(x.Class, "label") {
							size = labelSize
						}
						w := textWidth(x.D, size)
						switch {
						case strings.HasSuffix(x.Class, "middle"):
							px -= w / 2
						case strings.HasSuffix(x.Class, "end"):
							px -= w
						}
						if px < -1 || px+w > float64(s.W)+1 || py < 8 || py > float64(s.H) {
							t.Errorf("%s: %q at %s, %s lies outside %s", name, x.D, x.X, x.Y, s.Box())
						}
						for _, o := range boxes {
							if math.Abs(o.y-py) < 11 && px < o.x2 && px+w > o.x {
								t.Errorf("%s: %q lies over another text", name, x.D)
							}
						}
						boxes = append(boxes, box{px, px + w, py})
					}
					if bytes > 150_000 || len(s.Shapes) > 600 {
						t.Errorf("%s: %d bytes of %d shapes", name, bytes, len(s.Shapes))
					}
				}
				if text := d.Text(DefaultColumns); strings.Count(text, "\n") > 200 {
					t.Errorf("%s of %d runs and %d queries: %d lines of text", f.Name, systems, n,
						strings.Count(text, "\n"))
				}
			}
		}
	}
}

// many is a report of so many runs with long names and so many queries, with the measures of every figure.
func many(systems, n int) *Input {
	r := &report.Report{Measures: []string{"nDCG@10"}}
	for _, f := range All() {
		if f.Measures != nil {
			for _, m := range f.Measures("nDCG@10") {
				if !slices.Contains(r.Measures, m) {
					r.Measures = append(r.Measures, m)
				}
			}
		}
	}
	for s := range systems {
		label := "run-of-a-team-with-a-long-name-" + strconv.Itoa(s)
		if s%3 == 1 {
			label = "检索系统-" + strings.Repeat("很长", 20)
		}
		r.Systems = append(r.Systems, report.System{Label: label})
	}
	for q := range n {
		r.Queries = append(r.Queries, report.Query{ID: "q" + strconv.Itoa(q), Relevant: q % 20})
	}
	seed := uint32(1)
	for m, name := range r.Measures {
		c := report.Column{Measure: name}
		for range systems {
			var values []float64
			sum := 0.0
			for range n {
				seed = seed*1664525 + 1013904223
				v := float64(seed>>16) / 65536 * float64(m+1) / float64(len(r.Measures))
				values = append(values, v)
				sum += v
			}
			mean := sum / float64(n)
			c.Values = append(c.Values, values)
			c.Means, c.Low, c.High = append(c.Means, mean), append(c.Low, mean*0.9), append(c.High, mean*1.1)
			c.TieLow, c.TieHigh, c.ResidualLow, c.ResidualHigh = append(c.TieLow, mean*0.99), append(c.TieHigh,
				mean*1.01), append(c.ResidualLow, mean*0.8), append(c.ResidualHigh, mean*1.3)
			c.Groups = append(c.Groups, "a")
			c.Best = max(c.Best, mean)
		}
		r.Columns = append(r.Columns, c)
	}
	in := &Input{Report: r, B: systems - 1, Facts: Facts{Sweep: &Sweep{X: Param{Name: "k1"}, Y: Param{Name: "b"}},
		Ablation: &Ablation{Pipeline: strings.Repeat("bm25 >> ", 40), Measure: "nDCG@10"}}}
	x := &in.Facts
	for s := range systems {
		x.Times = append(x.Times, r.Columns[0].Values[s])
		x.Stages = append(x.Stages, 1+s)
		x.Steps = append(x.Steps, Growth{s, r.Systems[s].Label})
		x.Ablation.Stages = append(x.Ablation.Stages, Worth{r.Systems[s].Label, 0.1, -0.1, 0.3, 0.2, 0.15})
		x.Sweep.X.Values, x.Sweep.Y.Values = append(x.Sweep.X.Values, float64(s)/10), append(x.Sweep.Y.Values,
			float64(s)/7)
		row := make([]int, systems)
		for i := range row {
			row[i] = (s*i + s) % systems
		}
		x.Sweep.System = append(x.Sweep.System, row)
		for g := -1; g < 4; g++ {
			x.Grades = append(x.Grades, Graded{s, float64(g), g >= 0, n, 0.1, 0.2, 0.3, 0.4, 0.5})
		}
	}
	x.Costs = []Cost{{"bytes that are kept in the memory of the device", true, r.Columns[0].Means},
		{"time", false, r.Columns[0].Means}}
	x.Patterns = []Pattern{{strings.Repeat("named ", 20), make([]int, systems)}}
	for s := range systems {
		x.Courses = append(x.Courses, Course{[]float64{0.1, float64(s) / 30}, []float64{1, 2}, []int{n, n}})
	}
	return in
}

// TestSpots has what a pointer finds: every mark once, with its query and its numbers, where it is drawn.
func TestSpots(t *testing.T) {
	in := small()
	for _, c := range []struct {
		figure, query, said string
	}{
		{"differences", "q4", "query q4, better: +0.500"},
		{"pair", "q1", "query q1, better: (0.500, 0.700)"},
		{"queries", "q2", "query q2, C dense: 0.400"},
		{"matrix", "q3", "query q3, B hybrid: 0.700"},
		{"bars", "", "A bm25: 0.500"},
		{"intervals", "", "B hybrid: 0.500 to 0.700"},
		{"types", "", "relevant documents: 1 to 3 (3): A 0.60"},
		{"latency", "", "B hybrid, mean: 165.000"},
		{"resources", "", "B hybrid: 3 kB"},
		{"waterfall", "", "+ rm3, better: +0.150 to 0.650"},
		{"cutoffs", "", "B hybrid: (10, 0.650)"},
	} {
		f, _ := Lookup(c.figure)
		d := f.Draw(in)
		for _, width := range []int{Wide, Narrow} {
			spots, sheet := d.Spots(width), d.Sheet(width)
			i := slices.IndexFunc(spots, func(s Spot) bool { return s.Said == c.said && s.Query == c.query })
			if i < 0 {
				t.Errorf("%s: no %q among %+v", c.figure, c.said, spots)
				continue
			}
			if s := spots[i]; s.X < 0 || s.X > float64(sheet.W) || s.Y < 0 || s.Y > float64(sheet.H) ||
				Nearest(spots, s.X, s.Y, 1) < 0 || Nearest(spots, -50, s.Y, 20) >= 0 {
				t.Errorf("%s: %+v is not where it is drawn", c.figure, s)
			}
			if ring := Ring(spots, "q1"); (ring != "") != (c.query != "") ||
				strings.Count(Ring(spots, c.query), "M") > len(in.Report.Systems) {
				t.Errorf("%s: ring %q", c.figure, ring)
			}
		}
	}
}

// On a phone what is no system keeps its name in the legend, a row that heads others has the whole width for its name,
// and cells too small for one of their numbers have none, so that a cell without a number is not taken for an empty
// one.
func TestNarrowSheetsCanBeRead(t *testing.T) {
	texts := func(s *Sheet) (out []string) {
		for _, x := range s.Shapes {
			if x.Text {
				out = append(out, x.D)
			}
		}
		return out
	}
	d := &Drawing{Legend: true, Y: Axis{Bands: []Band{{"files read for ranking", -1}, {"bm25", 0}}},
		X: Axis{High: 1}, Layers: []Layer{
			{Kind: Points, Label: "l", Name: "lost without it", Marks: []Mark{{X: 0.5, Y: 1}}},
			{Kind: Points, Label: "B", Name: "bm25", system: 2, Marks: []Mark{{X: 0.7, Y: 1}}},
		}}
	got := texts(d.Sheet(Narrow))
	for _, want := range []string{"lost without it", "B", "files read for ranking"} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	for _, x := range []struct{ columns, heads, numbers int }{{4, 4, 4}, {20, 10, 0}} {
		c := &Drawing{}
		var heads []string
		for i := range x.columns {
			heads = append(heads, string(rune('A'+i)))
		}
		c.cells("run", heads, []string{"row"}, func(int, int) cell { return cell{10, "10"} })
		n := map[bool]int{}
		for _, s := range texts(c.Sheet(Narrow)) {
			if len(s) < 3 {
				n[s == "10"]++
			}
		}
		if n[false] != x.heads || n[true] != x.numbers {
			t.Errorf("%d columns: %d heads and %d numbers, want %d and %d", x.columns, n[false], n[true], x.heads,
				x.numbers)
		}
	}
}
