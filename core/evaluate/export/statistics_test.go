package export

import (
	"encoding/json"
	"errors"
	"math/rand"
	"strings"
	"testing"
	"unicode"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// One run, one query, runs that are the same: nothing is divided by nothing, and text and JSON are written.
func TestStatisticsOfLittle(t *testing.T) {
	for _, x := range []struct{ runs, queries int }{{1, 5}, {2, 1}, {3, 2}} {
		in := random(t, rand.New(rand.NewSource(1)), x.runs, x.queries, 5)
		if x.runs == 3 {
			in.Runs[1].Run = in.Runs[0].Run
		}
		c, err := compare.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Report(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		agreements, err := c.Agreements(nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Statistics(0, report.StatisticsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json"} {
			var b strings.Builder
			if err := WriteStatistics(&b, r, s, agreements, format); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") || format == "json" &&
				!json.Valid([]byte(b.String())) {
				t.Errorf("%+v: %s", x, b.String())
			}
		}
	}
}

func TestStatisticsText(t *testing.T) {
	c, err := compare.Open(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Report(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	agreements, err := c.Agreements(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Statistics(0, report.StatisticsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for format, file := range map[string]string{"text": "statistics.txt", "json": "statistics.json"} {
		var b strings.Builder
		if err := WriteStatistics(&b, r, s, agreements, format); err != nil {
			t.Fatal(err)
		}
		golden(t, file, b.String())
	}
	var b strings.Builder
	if err := WriteResiduals(&b, c, nil); err != nil {
		t.Fatal(err)
	}
	golden(t, "residuals.txt", b.String())
	if err := WriteResiduals(&b, c, func() bool { return true }); !errors.Is(err, compare.ErrCancelled) {
		t.Error(err)
	}
	if _, err := c.Agreements(func() bool { return true }); !errors.Is(err, compare.ErrCancelled) {
		t.Error(err)
	}
}

func TestStatisticsStayInert(t *testing.T) {
	r := hostile(t)
	s, err := r.Statistics(0, report.StatisticsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteStatistics(&b, r, s, nil, "text"); err != nil {
		t.Fatal(err)
	}
	for _, c := range b.String() {
		if c != '\n' && (unicode.IsControl(c) || say.Visible(string(c)) != string(c)) {
			t.Fatalf("%q is in the text", c)
		}
	}
	b.Reset()
	if err := WriteStatistics(&b, r, s, nil, "json"); err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(b.String())) || strings.Contains(b.String(), "<") {
		t.Error("json")
	}
}
