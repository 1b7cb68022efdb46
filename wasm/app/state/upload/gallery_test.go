package upload

import (
	"testing"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func TestTheGalleryIsFilteredByLanguageAndSize(t *testing.T) {
	r := &statetest.Recorder{}
	u, a := page(t, r)
	listed := func() (out string) {
		for _, c := range u.Gallery.Listed() {
			out += c.ID
		}
		return out
	}
	if listed() != "" {
		t.Errorf("%q before the list was answered", listed())
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Gallery).ID, Kind: message.Gallery, Answer: &gallery.Gallery{
		Collections: []gallery.Collection{{ID: "a", Language: "de", Transfer: 1e6}, {ID: "b", Transfer: 4e6},
			{ID: "c", Language: "de", Transfer: 9e6}}}})
	for _, tt := range []struct {
		language string
		largest  int
		want     string
	}{{"", 0, "abc"}, {"de", 0, "ac"}, {"", 4e6, "ab"}, {"de", 5e6, "a"}, {"fr", 0, ""}} {
		if u.Gallery.Language, u.Gallery.Largest = tt.language, tt.largest; listed() != tt.want {
			t.Errorf("%q up to %d: %q, want %q", tt.language, tt.largest, listed(), tt.want)
		}
	}
	u.Gallery.Unfold("a")
	if u.Gallery.Unfold("c"); u.Gallery.Card != "c" {
		t.Errorf("the card of %q is open", u.Gallery.Card)
	}
	if u.Gallery.Unfold("c"); u.Gallery.Card != "" {
		t.Error("the card is not closed")
	}
}
