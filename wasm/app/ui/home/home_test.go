package home

import (
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestHomeLeadsBackToTheLastProject(t *testing.T) {
	r := &statetest.Recorder{Kept: map[string]string{"last project": "upload-ad81 Team handbook"}}
	c := &Home{App: state.New(r, func(string) string { return "/" }, "/", state.Part{Name: "home"})}
	if link := c.Continue("judge"); !strings.HasPrefix(link, "/judge#") || !strings.Contains(link, "upload-ad81") {
		t.Error(link)
	}
}

func TestHomeSaysWhatWasMadeAndWhen(t *testing.T) {
	now := time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) int64 { return now.Add(-ago).UnixMilli() }
	for _, c := range []struct {
		p    state.Project
		want string
	}{
		{state.Project{}, "No query of yours yet."},
		{state.Project{Grades: 1, Queries: 1, Edited: at(time.Hour)}, "1 grade, 1 query of yours, last changed today."},
		{state.Project{Grades: 41, Queries: 10, Edited: at(10 * time.Hour)},
			"41 grades, 10 queries of yours, last changed yesterday."},
		{state.Project{Grades: 2, Edited: at(72 * time.Hour)},
			"2 grades, 0 queries of yours, last changed on 25 November 2026."},
	} {
		if got := made(&c.p, now.UnixMilli(), (&statetest.Recorder{}).Day); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}
