package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestAnEmbedCodeShowsWhatWasOnTheScreen(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q2")
	if a.Sharing.CopyEmbed(); r.Copied != "" {
		t.Errorf("copied %q before any link", r.Copied)
	}
	a.Sharing.CopyLink()
	link := r.Copied
	if a.Notices.Shared != link {
		t.Fatalf("shared %q, want %q", a.Notices.Shared, link)
	}
	a.Sharing.CopyEmbed()
	before, rest, ok := strings.Cut(r.Copied, `src="https://example.org/embed#`)
	fragment, after, more := strings.Cut(rest, `"`)
	if !ok || !more || before != "<iframe " || after != ` title="Rankbox" width="100%" height="640" loading="lazy" style="border: 0"></iframe>` {
		t.Fatalf("copied %q", r.Copied)
	}
	if strings.Contains(strings.ReplaceAll(fragment, "&amp;", ""), "&") || a.Notices.Shared != "" {
		t.Errorf("fragment %q, shared %q", fragment, a.Notices.Shared)
	}
	code := r.Copied
	r.Copied = ""
	a.Sharing.Weigh()
	if a.Sharing.LinkLength != len(link) {
		t.Errorf("Share says %d characters, the link has %d", a.Sharing.LinkLength, len(link))
	}
	if a.Sharing.HandOn("embed"); r.Copied != code {
		t.Errorf("Share copies %q, the notice %q", r.Copied, code)
	}
	b, rb := start(t, "/embed", "#"+strings.ReplaceAll(fragment, "&amp;", "&"))
	if !b.View.Embedded || b.Settings.Screen != share.Search || b.Settings.Spec.QueryID != "q2" {
		t.Errorf("%v, %+v", b.View.Embedded, b.Settings.Address)
	}
	if got := b.Location.WholePage(); got != strings.TrimPrefix(link, "https://example.org") {
		t.Errorf("leads to %q, want %q", got, link)
	}
	b.Search.Select(0, "d3")
	if got := rb.Addresses[len(rb.Addresses)-1]; !strings.HasPrefix(got, "/embed#v=1") {
		t.Errorf("address %q: a frame stays on the path that may be framed", got)
	}
	b.AddFiles(nil) // a frame takes no files, and asks for no program that would
	if b.Programs.Wanted() {
		t.Error("dropped files lead out of the frame")
	}
	r.Refuse = true
	a.Sharing.CopyLink()
	if a.Notices.Shared != "" {
		t.Error("a link that was not copied is offered as a frame")
	}
	a.Sharing.CopyFrame("<iframe>")
	if a.Notices.Problem == nil || !strings.Contains(a.Notices.Problem.Do, "<iframe>") {
		t.Errorf("%+v", a.Notices.Problem)
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
			a := New(r, func(string) string { return "" }, c.path, append(first[:2:2], Part{Name: "embed"}, Part{Name: "judge"})...)
			a.Begin(c.path, c.fragment)
			if a.View.Embedded != c.embedded || a.Settings.Screen != c.screen || a.Location.WholePage() != c.whole {
				t.Errorf("embedded %v, screen %q, whole page %q", a.View.Embedded, a.Settings.Screen,
					a.Location.WholePage())
			}
		})
	}
}
