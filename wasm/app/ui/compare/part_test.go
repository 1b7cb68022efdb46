package compare

import (
	"strconv"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/ui"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// three is a report of three runs.
func three(t *testing.T) *report.Report {
	t.Helper()
	q := collection.NewQrels()
	in := compare.Input{Name: "made", Qrels: q, Measures: []string{"nDCG@10", "P@1"}}
	for s := range 3 {
		b := collection.NewRunBuilder("run")
		for i := range 12 {
			q.Add(strconv.Itoa(i), "d1", 1)
			b.Add(strconv.Itoa(i), "d"+strconv.Itoa((i+s)%3), 2)
			b.Add(strconv.Itoa(i), "d9", 1)
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: "run " + strconv.Itoa(s), Run: run})
	}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What is kept must show no progress: after news of nothing else the page is what a build from nothing gives.
func TestPartsShowNoProgress(t *testing.T) {
	r := three(t)
	a := state.New(nil, nil, "/compare")
	a.Engine.Phase = state.Ready
	a.Settings.Screen = share.Compare
	s := screen.New(a)
	s.Runs.Done = &message.Compared{Report: r}
	s.View.A, s.View.B = 0, 1
	same := root(s)
	env, _ := vugu.NewBuildEnv()
	first := page(env, same)
	if !strings.Contains(first, "pair-table") || !strings.Contains(first, "run 2") {
		t.Fatal("the comparison is not on the page")
	}
	for i, change := range []func(){
		func() { a.Engine.Progress = message.Progress{What: "Opening Harbour Wire", Done: 3, Total: 7} },
		func() { s.Runs.Progress = &message.Progress{What: "Testing the differences", Done: 17, Total: 90} },
		func() { s.Runs.Progress = &message.Progress{What: "Reading b", First: &message.First{}} },
		func() { a.Engine.Memory = 987e6 },
		func() { s.Runs.Progress = nil },
	} {
		change()
		fresh, _ := vugu.NewBuildEnv()
		if got, want := page(env, same), page(fresh, root(s)); got != want {
			t.Errorf("change %d: the page is not what a build from nothing gives:\n%s\nwant\n%s", i, got, want)
		}
	}
	s.View.A, s.View.B = 1, 2
	a.View.Changes++
	fresh, _ := vugu.NewBuildEnv()
	if got, want := page(env, same), page(fresh, root(s)); got != want || got == first {
		t.Error("another pair is not shown")
	}
}

// root is a page with this screen, of components that were never built.
func root(s *screen.Compare) *ui.Root {
	return &ui.Root{App: s.App, Views: map[string]vugu.Builder{"compare": &Compare{Compare: s}}}
}

func page(env *vugu.BuildEnv, root *ui.Root) string {
	var b strings.Builder
	dom.HTML(&b, dom.Flatten(env.RunBuild(root)))
	return b.String()
}
