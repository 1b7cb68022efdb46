package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestADamagedLinkOpensTheHomePageAndSaysWhy(t *testing.T) {
	for _, fragment := range []string{"#v=1&q=x&x=00000000", "#rubbish", "#v=9&x=1", "#v=1", "#%ff%00"} {
		r := &statetest.Recorder{}
		a := New(r, func(string) string { return "" }, "/search", first...)
		a.Begin("/search", fragment)
		if a.Notices.Problem == nil || a.Settings.Screen != "" || a.Notices.Problem.Do == "" {
			t.Errorf("%s: problem %+v, screen %q", fragment, a.Notices.Problem, a.Settings.Screen)
		}
	}
}

func TestBackRestoresWhatWasThere(t *testing.T) {
	a, r := start(t, "/", "")
	a.Search.Pick("q1")
	a.Moved("/", "", 0)
	if a.Settings.Screen != "" || a.Settings.HasQuery() || a.Search.Results != nil {
		t.Errorf("%+v", a.Settings.Spec)
	}
	a.Moved("/search", r.Addresses[0][strings.Index(r.Addresses[0], "#"):], 1)
	if a.Settings.Spec.QueryID != "q1" || a.Settings.Screen != share.Search {
		t.Errorf("%+v", a.Settings.Spec)
	}
}

// A site need not have the demo, nor vectors: the page opens what the site has, with the systems that it can answer.
func TestTheSiteSaysWhatIsOpenedWhereTheAddressDoesNot(t *testing.T) {
	r := &statetest.Recorder{}
	a := New(r, func(id string) string { return "/collections/" + id + "/" }, "/", Part{Name: "home"},
		Part{Name: "search"})
	a.Settings.Default = "scifact"
	a.Begin("/", "")
	ask := r.Last(t, message.Open)
	if p := ask.Question.(*message.Place); p.Collection != "scifact" || p.Base != "/collections/scifact/" {
		t.Fatalf("opens %+v", p)
	}
	for _, c := range []struct {
		models  []string
		lexical bool // those of the static encoder wait until a dense system is asked for
		want    []string
	}{{nil, true, Defaults[:2]}, {[]string{"minilm"}, false, Defaults}, {[]string{"minilm"}, true, Defaults[:2]}} {
		o := *opened
		o.Ref.ID, o.Models, o.Lexical = "scifact", c.models, c.lexical
		a.Receive(message.Reply{ID: ask.ID, Kind: message.Open, Answer: &o})
		if !slices.Equal(a.Settings.Systems(), c.want) {
			t.Errorf("with models %q the systems are %q, want %q", c.models, a.Settings.Systems(), c.want)
		}
		link, err := a.Sharing.Link()
		_, fragment, _ := strings.Cut(link, "#")
		if s, bad := share.Decode(fragment); err != nil || bad != nil || s.Collection != "scifact" ||
			len(s.Systems) != len(c.want) {
			t.Errorf("link %s: %v, %v", link, err, bad)
		}
		a.Figures.Report = nil
		a.Begin("/", "")
		ask = r.Last(t, message.Open)
	}
}

func TestAFrameShowsOnlyPartsThatAreMadeForIt(t *testing.T) {
	judging, err := share.Encode(share.Address{Screen: "judge"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path, fragment string
		embedded             bool
		screen               share.Screen
		whole                string
	}{
		{"nothing", "/embed", "", true, Embed, "/"},
		{"a screen that is no part", "/embed", "#" + judging, true, Embed, "/"},
		{"a path below", "/embed/x", "", false, Embed, "/"},
		{"an ordinary page", "/search", "", false, share.Search, "/search"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &statetest.Recorder{}
			a := New(r, func(string) string { return "" }, c.path,
				append(first[:2:2], Part{Name: "embed"}, Part{Name: "judge"})...)
			a.Begin(c.path, c.fragment)
			if a.View.Embedded != c.embedded || a.Settings.Screen != c.screen || a.Location.WholePage() != c.whole {
				t.Errorf("embedded %v, screen %q, whole page %q", a.View.Embedded, a.Settings.Screen,
					a.Location.WholePage())
			}
		})
	}
}
