package judge

import (
	"math"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

var opened = &message.Opened{Ref: report.Ref{ID: state.DefaultCollection, Name: "Wire", Documents: 9, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"}, {ID: "q2", Text: "ferry"}},
	Encoded: []bool{true, true}}

func hit(id string, grade int, twins ...experiment.Found) experiment.Found {
	return experiment.Found{ID: id, Grade: float64(grade), Twins: twins}
}

// start is a page on which the documents of q1 are found: a b d (with e folded under it) by one system, b c by another.
func start(t *testing.T) (*Judge, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var j *Judge
	a := state.New(r, func(string) string {
		return "/"
	}, "/judge", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "judge", Make: func(a *state.App) state.Screen {
			j = New(a)
			return j
		}})
	a.Begin("/judge", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	j.Queries.Step(1)
	found(t, j, r)
	return j, r
}

func found(t *testing.T, j *Judge, r *statetest.Recorder) {
	t.Helper()
	no := experiment.NoGrade
	j.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Judged: true, Lists: []experiment.List{
			{Hits: []experiment.Found{hit("a", 3), hit("b", no), hit("d", 0, hit("e", no))}},
			{Hits: []experiment.Found{hit("b", no), hit("c", 1)}}}}})
}

func pool(j *Judge) string {
	s := ""
	for _, f := range j.Grading.Pool() {
		s += f.ID
	}
	return s
}

func TestGradesAreHeldAgainstTheCollections(t *testing.T) {
	j, _ := start(t)
	if both, _, kappa := j.Layers.Agreement(); both != 0 || !math.IsNaN(kappa) {
		t.Errorf("%d, κ %v", both, kappa)
	}
	for _, g := range []int{3, 2, 1, 3} { // a b c d; the collection says 3, nothing, 1, 0
		j.Grading.Give(g)
	}
	// agreement 2 of 3; by chance (3: 2·1 + 1: 1·1 + 0: 0·1) / 9 = 1/3
	if both, same, kappa := j.Layers.Agreement(); both != 3 || same != 2 || math.Abs(kappa-0.5) > 1e-15 {
		t.Errorf("%d, %d, κ %v", both, same, kappa)
	}
}
