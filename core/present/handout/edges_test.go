package handout

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/chart"
)

func compared(t *testing.T, systems int) (compare.Input, *report.Report) {
	t.Helper()
	in, _ := made(t, systems, 20, 30, func(i int) string { return fmt.Sprint("s", i) })
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return in, r
}

func page(t *testing.T, r *report.Report, in *compare.Input, paragraphs ...string) string {
	t.Helper()
	var w strings.Builder
	if err := Write(&w, r, in, chart.Facts{}, paragraphs...); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

// A paragraph fills the page up to the last byte with which the runs are inside. One byte more and the report is.
func TestRunsAreInsideUpToTheRoomOfAPage(t *testing.T) {
	in, r := compared(t, 3)
	n := sort.Search(Room, func(n int) bool {
		return !strings.Contains(page(t, r, &in, strings.Repeat("x", n+1)), "contains the runs and judgments")
	})
	if p := page(t, r, &in, strings.Repeat("x", n)); len(p) > Room || len(p) < Room-600 {
		t.Errorf("%d bytes", len(p))
	}
	for more, runs := range []bool{true, false} {
		p := page(t, r, &in, strings.Repeat("x", n+more))
		data, err := Data([]byte(p))
		if err != nil || len(p) > Room {
			t.Fatalf("%d bytes, %v", len(p), err)
		}
		_, err = packed.Unpack(data)
		if (err == nil) != runs || strings.Contains(p, "contains the runs and judgments") != runs {
			t.Errorf("%d bytes more than have room with the runs: %v", more, err)
		}
		if _, err := packed.UnpackReport(data); (err == nil) == runs {
			t.Errorf("%d bytes more than have room with the runs, as a report: %v", more, err)
		}
	}
}

func TestParagraphsStandBehindTheFinding(t *testing.T) {
	_, r := compared(t, 2)
	p := page(t, r, nil, "", "We compared <two> systems.", "")
	_, p, _ = strings.Cut(p, "</h1>\n")
	p, _, _ = strings.Cut(p, tablesHead)
	if strings.Contains(p, "<p></p>") || !strings.HasSuffix(p, "<p>We compared &lt;two&gt; systems.</p>\n") {
		t.Errorf("%s", p)
	}
}

func TestTheDataOfAPageIsRead(t *testing.T) {
	for text, want := range map[string]string{
		dataOpen + "UkJY" + dataClose:                                 "RBX",
		"x" + dataOpen + " UkJY\n" + dataClose + "x":                  "RBX",
		dataOpen + "UkJY" + dataClose + dataOpen + "QQ==" + dataClose: "A",
		dataOpen + dataClose:                                          "",
		"":                                                            "-",
		dataOpen + "UkJY":                                             "-",
		dataOpen + "UkJ" + dataClose:                                  "-",
		"UkJY" + dataClose:                                            "-",
	} {
		got, err := Data([]byte(text))
		if want == "-" && !errors.Is(err, ErrNoData) || want != "-" && (err != nil || string(got) != want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

// What stands before the tables is not looked at, bold figures and the letters behind them are.
func TestFiguresAreThoseOfTheTables(t *testing.T) {
	const cells = `<td class="n"><b>0.5</b><sup>ab</sup></td><td>name</td><td class="n">−0.25</td>`
	if got := Figures([]byte(`<td class="n">9</td>` + tablesHead + cells)); !slices.Equal(got, []string{"0.5",
		"−0.25"}) {
		t.Errorf("%q", got)
	}
	_, r := compared(t, 2)
	mean := measure.Mean(r.Columns[0].Values[0])
	if got := Figures([]byte(page(t, r, nil))); !slices.Contains(got, fmt.Sprintf("%.4f", mean)) {
		t.Errorf("%q", got)
	}
}

// The figures of a pair are of the baseline and the best of the others, also where the baseline is the best.
func TestFiguresShowTheBaselineAndTheBestOther(t *testing.T) {
	_, r := compared(t, 3) // later systems are better
	best := r.Ranking()
	for _, baseline := range best {
		r.Baseline = baseline
		want := best[0]
		if baseline == want {
			want = best[1]
		}
		if in := input(r, chart.Facts{}); in.A != baseline || in.B != want {
			t.Errorf("baseline %d: %d and %d, want %d", baseline, in.A, in.B, want)
		}
	}
	_, r = compared(t, 1)
	if in := input(r, chart.Facts{}); in.A != r.Baseline || in.B != r.Baseline {
		t.Errorf("one system: %d and %d", in.A, in.B)
	}
}
