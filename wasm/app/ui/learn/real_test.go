package learn

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestTheSameOnRealDataIsOfTheOpenCollection(t *testing.T) {
	at := share.Address{Screen: share.Search, Spec: experiment.Spec{Collection: state.DefaultCollection, QueryID: "q10",
		Systems: []string{"bm25", "rrf(bm25, dense)"}}}
	fragment, err := share.Encode(at)
	if err != nil {
		t.Fatal(err)
	}
	var l *screen.Learn
	a := state.New(&statetest.Recorder{}, func(string) string { return "/" }, "/learn", state.Part{Name: "home"},
		state.Part{Name: "search"}, state.Part{Name: "learn", Make: func(a *state.App) state.Screen {
			l = screen.New(a)
			return l
		}})
	queries := []report.Query{{ID: "7", Text: "a"}}
	c := &Block{Learn: l, B: &lesson.Block{Kind: lesson.Link, Link: "/search#" + fragment}}
	for _, tt := range []struct {
		name   string
		opened *message.Opened
		want   []string // systems, nil for no link
	}{
		{"nothing is open", nil, nil},
		{"the demo", &message.Opened{Ref: report.Ref{ID: state.DefaultCollection}, Queries: queries}, nil},
		{"no queries", &message.Opened{Ref: report.Ref{ID: "mine"}}, nil},
		{"with vectors", &message.Opened{Ref: report.Ref{ID: "scifact"}, Queries: queries, Models: []string{"minilm"}},
			at.Systems},
		{"without", &message.Opened{Ref: report.Ref{ID: "scifact"}, Queries: queries},
			state.DefaultsOf(&message.Opened{})},
	} {
		a.Engine.Opened = tt.opened
		link := c.OpenLink()
		path, fragment, _ := strings.Cut(link, "#")
		if tt.want == nil {
			if link != "" {
				t.Errorf("%s: %q", tt.name, link)
			}
			continue
		}
		to, err := share.Decode(fragment)
		if err != nil || path != "/search" || to.Collection != "scifact" || to.QueryID != "7" ||
			!slices.Equal(to.Systems, tt.want) {
			t.Errorf("%s: %s %+v, %v", tt.name, path, to, err)
		}
	}
}
