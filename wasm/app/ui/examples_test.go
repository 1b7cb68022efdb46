package ui

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// A collection without types of queries, as public ones are, has examples from all over it, and a placeholder.
func TestExamplesAreOfTheOpenCollection(t *testing.T) {
	long := strings.Repeat("word ", 12)
	queries := func(types ...string) (out []report.Query) {
		for i := range 12 {
			q := report.Query{ID: strconv.Itoa(i), Text: "query " + strconv.Itoa(i)}
			if i == 3 {
				q.Text = long
			}
			if len(types) > 0 {
				q.Type = types[i%len(types)]
			}
			out = append(out, q)
		}
		return out
	}
	for _, tt := range []struct {
		name    string
		queries []report.Query
		want    []string
	}{
		{"no types, the fourth is long", queries(), []string{"0", "4", "6", "9"}},
		{"two types", queries("a", "b"), []string{"0", "1", "4", "6"}},
		{"five types", queries("a", "b", "c", "d", "e"), []string{"0", "1", "2", "3"}},
		{"one query", queries()[:1], []string{"0"}},
		{"none", nil, nil},
	} {
		a := state.New(&statetest.Recorder{}, func(string) string { return "/" }, "/", state.Part{Name: "home"})
		a.Settings.Spec.Collection = "other"
		a.Engine.Opened = &message.Opened{Ref: report.Ref{ID: "other"}, Queries: tt.queries}
		var got []string
		for _, q := range Examples(a) {
			got = append(got, q.ID)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		said := (&Box{App: a}).Placeholder()
		want := ""
		if n := len(tt.want); n > 0 {
			want = tt.queries[atoi(tt.want[n-1])].Text
		}
		if said != want {
			t.Errorf("%s: the placeholder is %q", tt.name, said)
		}
	}
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
