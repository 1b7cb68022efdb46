package worker

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
)

// many are judgments and three runs of forty queries, in which a wins more often than not.
func many() map[int][2]string {
	var q, a, b, c strings.Builder
	for i := range 40 {
		id := "q" + strconv.Itoa(i)
		q.WriteString(id + " 0 d1 1\n" + id + " 0 d2 1\n")
		order := func(w *strings.Builder, docs string) {
			for k, d := range strings.Fields(docs) {
				w.WriteString(id + " Q0 " + d + " " + strconv.Itoa(k+1) + " " + strconv.Itoa(9-k) + " r\n")
			}
		}
		order(&a, []string{"d1 d2 d3", "d3 d1 d2", "d1 d3 d2"}[i%3])
		order(&b, []string{"d3 d1 d4", "d3 d4 d1", "d1 d2 d3", "d4 d3 d5"}[i%4])
		order(&c, []string{"d1 d2", "d5 d1"}[i%2])
	}
	return map[int][2]string{1: {"t.qrels", q.String()}, 2: {"a.run", a.String()}, 3: {"b.run", b.String()},
		4: {"c.run", c.String()}}
}

func manySetting() *message.Setting {
	s := &message.Setting{Chosen: true, Measures: []string{"AP", "RR"}}
	files := many()
	for id := 1; id <= 4; id++ {
		s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	return s
}

func TestEveryTestOfAPairIsMadeWhereSomebodyLooks(t *testing.T) {
	l := newLab(t, many())
	d := l.compare(manySetting())
	ask := func(a, b int, measure string, margin float64) *message.PairTests {
		t.Helper()
		return answer[message.PairTests](l, message.Statistics,
			&message.AskStatistics{A: a, B: b, Measure: measure, Margin: margin})
	}
	for m, name := range []string{"AP", "RR"} {
		x := ask(0, 1, name, 0.05)
		v := d.Report.Columns[m].Values
		diff, _ := significance.Differences(v[0], v[1])
		if len(x.Rows) != len(significance.All()) || x.Queries != 40 || x.Pairs != 3 || x.Correction != "Holm" {
			t.Fatalf("%+v", x)
		}
		for i, test := range significance.All() {
			want, _ := test.Run(diff, significance.Options{Seed: 20260101})
			if x.Rows[i].Test != test.Name || x.Rows[i].P != want.P || x.Rows[i].Statistic != want.Statistic ||
				x.Rows[i].Adjusted < want.P {
				t.Errorf("%s: %+v, want %+v", name, x.Rows[i], want)
			}
		}
		if n := slices.IndexFunc(x.Rows, func(r message.TestRow) bool { return r.Counts }); m == 0 &&
			(x.Rows[n].P != d.Report.Pairs[0].P || x.Rows[n].Adjusted != d.Report.Pairs[0].Adjusted) {
			t.Errorf("%+v is not the test of the report, %+v", x.Rows[n], d.Report.Pairs[0])
		}
		e := report.BoundsOf(name).Equivalence(diff, 0.05, 0.05)
		if x.Equivalent != e.P || x.EquivalentLow != e.Low || x.EquivalentHigh != e.High ||
			x.Dz != significance.CohenDz(diff) || x.G != significance.HedgesG(diff) ||
			x.Superiority != significance.PairedSuperiority(diff) {
			t.Errorf("%s: %+v", name, x)
		}
		// the other way round it is the pair with its runs exchanged
		y := ask(1, 0, name, 0)
		back, _ := significance.Differences(v[1], v[0])
		for i, test := range significance.All() {
			want, _ := test.Run(back, significance.Options{Seed: 20260101})
			if math.Abs(y.Rows[i].Statistic-want.Statistic) > 1e-12 || y.Rows[i].P != x.Rows[i].P {
				t.Errorf("%s turned round: %+v, want %+v", name, y.Rows[i], want)
			}
		}
		if y.Margin != 0.01 || y.Low != -x.High ||
			math.Abs(y.Superiority-significance.PairedSuperiority(back)) > 1e-12 || y.Cliff != -x.Cliff {
			t.Errorf("%s turned round: %+v", name, y)
		}
	}
	if r := l.do(message.Request{Kind: message.Statistics,
		Question: &message.AskStatistics{A: 0, B: 7, Measure: "AP"}}); r.Problem == nil {
		t.Errorf("a run that is not there: %+v", r)
	}
	if r := l.do(message.Request{Kind: message.Statistics, Question: &message.AskStatistics{}}); r.Answer != nil ||
		r.Problem != nil {
		t.Errorf("nothing is looked at: %+v", r)
	}
}

func TestAnotherTestIsMadeWithoutMeasuringAgain(t *testing.T) {
	l := newLab(t, many())
	s := manySetting()
	first := l.compare(s)
	at := len(l.replies)
	s.Policy = "test=wilcoxon correction=bonferroni zeros=pratt"
	d := l.compare(s)
	for _, r := range l.replies[at:] {
		if r.Progress != nil && r.Progress.What == "Measuring" {
			t.Error("the runs were measured again")
		}
	}
	v := d.Report.Columns[0].Values
	diff, _ := significance.Differences(v[0], v[1])
	want, _ := significance.Wilcoxon(diff, significance.Options{Zeros: significance.Pratt})
	if d.Policy != s.Policy || d.Report.Pairs[0].P != want.P || d.Report.Pairs[0].Adjusted != min(1, 3*want.P) ||
		d.Report.Hash == first.Report.Hash {
		t.Errorf("%s: %+v, want p %v", d.Policy, d.Report.Pairs[0], want.P)
	}
	linked := newLab(t, nil).compare(&message.Setting{Link: d.Link})
	if linked.Report.Hash != d.Report.Hash || linked.Policy != s.Policy {
		t.Errorf("the link gives %s %q", linked.Report.Hash, linked.Policy)
	}
	s.Policy = ""
	if l.compare(s).Report.Hash != first.Report.Hash {
		t.Error("back to the default gives another report")
	}
}

// With a clock that runs fast one question compares few queries, and the next ones the others.
func TestRankingsAreComparedABitAtATime(t *testing.T) {
	l := newLab(t, many())
	l.compare(manySetting())
	now := 0.0
	l.Engine.page.clock = func() float64 { now += 20_000; return now }
	var last *message.Agreed
	asked := 0
	for last == nil || last.Done < last.Total {
		x := answer[message.Agreed](l, message.Agreement, &message.AskAgreement{Measure: "AP"})
		if last != nil && x.Done <= last.Done {
			t.Fatalf("%+v", x)
		}
		last = x
		asked++
	}
	want, err := l.Engine.comparisons.kept[0].c.Agreements(nil)
	if err != nil || asked < 4 || !slices.Equal(last.Rankings, want) || len(last.Orders) != 1 ||
		last.Orders[0].Measure != "RR" {
		t.Errorf("asked %d times: %+v, want %+v, %v", asked, last, want, err)
	}
}
