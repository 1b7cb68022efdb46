package home

import (
	"testing"
	"time"

	"github.com/rankbox/rankbox/wasm/app/state"
)

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
		if got := made(&c.p, now); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
}
