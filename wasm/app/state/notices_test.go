package state

import "testing"

func TestANoticeGoesAndTheNextOneHasItsOwnTime(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Notices.Say("one")
	a.Notices.Shared = "https://example.org/search#v=1"
	a.Notices.Say("two")
	if a.Notices.Text != "two" || a.Notices.Shared != "" {
		t.Errorf("notice %q, shared %q", a.Notices.Text, a.Notices.Shared)
	}
	if r.Pass(); a.Notices.Text != "" || a.Notices.stop != nil {
		t.Errorf("the notice %q stays", a.Notices.Text)
	}
	a.Notices.Silent(8)
	if a.Notices.Text != "The server has sent nothing for 8 seconds. You can go on; Rankbox keeps waiting." {
		t.Errorf("notice %q", a.Notices.Text)
	}
}
