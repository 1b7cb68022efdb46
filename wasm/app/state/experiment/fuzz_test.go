package experiment

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// FuzzReadLink: a link fills in what was typed, or says that it is damaged and leaves what was there; the address that
// is written then, before its collection has come and after, opens the same.
func FuzzReadLink(f *testing.F) {
	f.Add("experiment=bm25%0Adense&m=nDCG@10&b=bm25")
	f.Add("experiment=&c=upload-0123456789abcdef&h=0123456789abcdef&n=My%20files&d=12")
	f.Add("experiment=%E2%82&a=zz&c=..&h=1&d=-3")
	f.Add("experiment=bm25(k1%3D0.9..1.2)&x=1&%")
	open := func(fragment string) *Experiment {
		var x *Experiment
		a := state.New(&statetest.Recorder{}, func(string) string {
			return "/c/"
		}, "/experiment", state.Part{Name: "home"}, state.Part{Name: "search"},
			state.Part{Name: string(ID), Make: func(a *state.App) state.Screen {
				x = New(a, Written{Systems: "bm25\ndense", Measures: "nDCG@10"})
				return x
			}})
		a.Begin("/experiment", fragment)
		return x
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		var x *Experiment
		statetest.Costs(t, len(fragment), func() { x = open(fragment) })
		if x.App.Notices.Problem != nil && (x.Written != x.first || x.App.Notices.Problem.What == "" ||
			x.App.Notices.Problem.Do == "") {
			t.Fatalf("%q: %+v, and %+v is written", fragment, x.App.Notices.Problem, x.Written)
		}
		same := func(x *Experiment) {
			wrote, _ := x.Fragment()
			y := open(wrote)
			if again, _ := y.Fragment(); x.App.Notices.Problem == nil &&
				(y.App.Notices.Problem != nil || y.Written != x.Written ||
					y.App.Settings.Spec.Collection != x.App.Settings.Spec.Collection || again != wrote) {
				t.Fatalf("%q became %q, %+v, which became %q, %+v (%v)", fragment, wrote, x.Written, again, y.Written,
					y.App.Notices.Problem)
			}
		}
		same(x)
		x.App.Engine.Opened, x.App.Engine.Phase = &message.Opened{Ref: report.Ref{ID: "c", Name: "Wire"}}, state.Ready
		x.Missing()
		x.Matrix()
		same(x)
	})
}
