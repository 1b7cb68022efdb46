package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
)

func TestALinkOpensOnExactlyWhatWasOnTheScreen(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q2")
	slide(t, a, "b", 0, 0.75)
	a.Filters.Category("sport")
	a.Filters.Dates("2024-02", "2024-11")
	a.Search.Select(2, "d3")
	a.Sharing.CopyLink()
	link := r.Copied
	if !strings.HasPrefix(link, "https://example.org/search#v=1") || len(link) > 2000 {
		t.Fatalf("link %q", link)
	}
	b, _ := start(t, "/search", link[strings.Index(link, "#"):])
	got, want := b.Settings.Address, a.Settings.Address
	got.Spec, want.Spec = b.Settings.Full(), a.Settings.Full()
	want.Hash = opened.Ref.Hash[:16]
	if !share.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if want.Filter.To != "2024-11-30" || want.Filter.From != "2024-02-01" {
		t.Errorf("dates %v", want.Filter)
	}
}

func TestCopyingThatIsRefusedShowsTheLink(t *testing.T) {
	a, r := start(t, "/search", "")
	r.Refuse = true
	a.Search.Type("port")
	a.Sharing.CopyLink()
	if a.Notices.Problem == nil || !strings.Contains(a.Notices.Problem.Do, "https://example.org/search#") {
		t.Errorf("%+v", a.Notices.Problem)
	}
}

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
	if !ok || !more || before != "<iframe " ||
		after != ` title="Rankbox" width="100%" height="640" loading="lazy" style="border: 0"></iframe>` {
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
