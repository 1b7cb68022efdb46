package state

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

func knob(t *testing.T, a *App, name string) Knob {
	t.Helper()
	for _, k := range a.Sliders.Knobs() {
		if k.Param.Name == name {
			return k
		}
	}
	t.Fatalf("no slider for %s", name)
	return Knob{}
}

func slide(t *testing.T, a *App, name string, system int, value float64) {
	t.Helper()
	a.Sliders.Slide(knob(t, a, name), system, value)
}

func with(t *testing.T, systems ...string) (*App, func(message.Kind) message.Request) {
	t.Helper()
	f, err := share.Encode(share.Address{Screen: share.Search,
		Spec: experiment.Spec{Collection: DefaultCollection, Systems: systems}})
	if err != nil {
		t.Fatal(err)
	}
	a, r := start(t, "/search", "#"+f)
	return a, func(k message.Kind) message.Request { return r.Last(t, k) }
}

// Each case moves handles one after the other and says where all of them stand in the end.
func TestSlidersMoveTheSystemTheyAreOf(t *testing.T) {
	type move struct {
		system int
		to     float64
	}
	for _, c := range []struct {
		name    string
		systems []string
		lock    string // "on", "off", "" for what the page does by itself
		moves   []move
		want    []string
	}{
		{"one of several that differ, the one inside rrf too",
			[]string{"bm25(k1=0.5)", "bm25(k1=2)", "rrf(bm25, dense)"}, "", []move{{0, 0.55}},
			[]string{"bm25(k1=0.55)", "bm25(k1=2)", "rrf(bm25, dense)"}},
		{"the one inside rrf", []string{"bm25(k1=0.5)", "bm25(k1=2)", "rrf(bm25, dense)"}, "", []move{{2, 1}},
			[]string{"bm25(k1=0.5)", "bm25(k1=2)", "rrf(bm25(k1=1), dense)"}},
		{"all that stand at one place", []string{"bm25", "dense", "rrf(bm25, dense)"}, "", []move{{0, 1}},
			[]string{"bm25(k1=1)", "dense", "rrf(bm25(k1=1), dense)"}},
		{"those stay apart where the lock is open", []string{"bm25", "rrf(bm25, dense)"}, "off", []move{{0, 1}},
			[]string{"bm25(k1=1)", "rrf(bm25, dense)"}},
		{"a lock keeps the distances", []string{"bm25(k1=0.5)", "bm25(k1=2)"}, "on", []move{{0, 0.75}},
			[]string{"bm25(k1=0.75)", "bm25(k1=2.25)"}},
		{"and stops with the first at an end", []string{"bm25(k1=0.5)", "bm25(k1=2)"}, "on", []move{{0, 3}},
			[]string{"bm25(k1=1.5)", "bm25(k1=3)"}},
		{"a handle drawn past another leaves it there", []string{"bm25(k1=0.5)", "bm25(k1=2)"}, "",
			[]move{{0, 2}, {0, 2.5}}, []string{"bm25(k1=2.5)", "bm25(k1=2)"}},
		{"or at the other", []string{"bm25(k1=0.5)", "bm25(k1=2)"}, "on", []move{{1, 1}},
			[]string{"bm25(k1=0)", "bm25(k1=1.5)"}},
		{"one at the lower end holds all", []string{"bm25(k1=0)", "bm25(k1=2)"}, "on", []move{{1, 1}},
			[]string{"bm25(k1=0)", "bm25(k1=2)"}},
		{"one at the upper end holds all", []string{"bm25(k1=3)", "bm25(k1=2)"}, "on", []move{{1, 2.5}},
			[]string{"bm25(k1=3)", "bm25(k1=2)"}},
		{"a value beyond the slider holds nobody back", []string{"bm25(k1=9)", "bm25(k1=2)"}, "on", []move{{1, 2.5}},
			[]string{"bm25(k1=9.5)", "bm25(k1=2.5)"}},
		{"nor on the way back", []string{"bm25(k1=9)", "bm25(k1=2)"}, "on", []move{{1, 1.5}},
			[]string{"bm25(k1=8.5)", "bm25(k1=1.5)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _ := with(t, c.systems...)
			if c.lock != "" {
				a.Sliders.Lock(knob(t, a, "k1"), c.lock == "on")
			}
			for _, m := range c.moves {
				slide(t, a, "k1", m.system, m.to)
			}
			if got := a.Settings.Systems(); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestTheFiguresOfTheHandAreKeptWhileItMovesAndForgottenWithTheNextQuery(t *testing.T) {
	a, last := with(t, "bm25", "dense")
	a.Search.Pick("q1")
	a.Receive(message.Reply{ID: last(message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Judged: true,
			Lists: []experiment.List{{Scores: []float64{.5}}, {Problem: "no vector"}}}})
	slide(t, a, "k1", 0, 1)
	slide(t, a, "k1", 0, 1.05)
	if a.Sliders.Held == nil || a.Sliders.Held.Scores[0] != .5 || !math.IsNaN(a.Sliders.Held.Scores[1]) {
		t.Fatalf("%+v", a.Sliders.Held)
	}
	a.Search.Pick("q2")
	if a.Sliders.Held != nil {
		t.Error("the change of another query is shown")
	}
}

// A drag asks for no curve, as it does not depend on the slider's own value; what it does depend on asks for another,
// once it rests. One that a search pushed aside is asked for again.
func TestTheCurveIsAskedForWhereItIsAnother(t *testing.T) {
	a, last := with(t, "bm25", "dense")
	r := a.Browser.(interface{ Pass() })
	r.Pass()
	first := last(message.Curve)
	if ask := first.Question.(*message.AskCurve); ask.Stage != "bm25" || ask.Param != "k1" ||
		!slices.Equal(ask.Spec.Systems, []string{"bm25", "dense"}) {
		t.Fatalf("%+v", ask)
	}
	a.Receive(message.Reply{ID: first.ID, Kind: message.Curve})
	r.Pass()
	again := last(message.Curve)
	if again.ID == first.ID {
		t.Fatal("a curve that was pushed aside is not asked for again")
	}
	a.Receive(message.Reply{ID: again.ID, Kind: message.Curve,
		Answer: &experiment.Curve{Stage: "bm25", Param: "k1", At: []float64{.9, 1},
			Lines: []experiment.Line{{Means: []float64{.25, .75}}}}})
	a.Figures.Report = &report.Report{Columns: []report.Column{{Means: []float64{.25, .5}}},
		Systems: []report.System{{Notation: "bm25"}, {Notation: "dense"}}, Collection: opened.Ref}
	slide(t, a, "k1", 0, 1)
	if m, ok := a.Sliders.Mean(0); !ok || m != .75 {
		t.Errorf("while the report waits the mean is %v, %v; the curve has it", m, ok)
	}
	if _, ok := a.Sliders.Mean(1); ok {
		t.Error("the curve has no figure of dense")
	}
	r.Pass()
	if last(message.Curve).ID != again.ID || !a.Sliders.CurveFits() {
		t.Error("a drag asks for the same curve again")
	}
	slide(t, a, "b", 0, .5)
	r.Pass()
	if ask := last(message.Curve).Question.(*message.AskCurve); ask.Param != "b" ||
		!strings.Contains(ask.Spec.Systems[0], "b=0.5") || a.Sliders.CurveFits() {
		t.Errorf("%+v", ask)
	}
}

// The curve is that of the other systems too.
func TestTheCurveDependsOnEverySystem(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	a.Sliders.Turned = "bm25 k1"
	of := a.Sliders.curveKey()
	if !strings.Contains(of, "dense") {
		t.Fatalf("%q", of)
	}
	a.Settings.Spec.Systems = []string{"bm25", "dense >> mmr"}
	if a.Sliders.curveKey() == of {
		t.Error("another second system has the same curve")
	}
}
