package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// The address at which a ranking is played with names documents of the site's runs, and none of a person's own.
func TestARankingOfOnesOwnFilesIsPlayedWithOutsideTheAddress(t *testing.T) {
	for _, x := range []struct {
		name string
		of   func(*screen.Compare)
		own  bool
	}{
		{"the example", func(s *screen.Compare) { s.Runs.Setting.Example = true }, false},
		{"files", func(s *screen.Compare) { s.Runs.Setting.Files = []message.File{{ID: 1, Name: "a.run"}} }, true},
		{"documents of one's own", func(s *screen.Compare) {
			s.App.Settings.Spec.Collection = "upload-0123456789abcdef"
		}, true},
	} {
		r := &statetest.Recorder{}
		a := state.New(r, nil, "/compare")
		a.Settings.Screen = share.Compare
		s := screen.New(a)
		s.Runs.Done = &message.Compared{Report: three(t)}
		side := compare.Side{Docs: []compare.Placed{{ID: "letter-7", Grade: 1}}}
		s.Reasons.Detail = &message.Detail{Sides: []compare.Side{side}}
		x.of(s)
		c := &Sides{part{Compare: s}}
		link := c.Play(side)
		c.Hand(side)
		_, fragment, _ := strings.Cut(link, "#")
		if x.own {
			if fragment != play.Own {
				t.Errorf("%s: the address is %s", x.name, link)
			}
			fragment = r.Recall(state.PlayKey)
		} else if r.Recall(state.PlayKey) != "" {
			t.Errorf("%s: the device remembers %q", x.name, r.Recall(state.PlayKey))
		}
		if table, err := play.Decode(fragment); err != nil || table.Docs[0].Label != "letter-7" ||
			table.Docs[0].Grade != 1 {
			t.Errorf("%s: %q, %v", x.name, fragment, err)
		}
	}
}
