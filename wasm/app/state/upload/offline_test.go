package upload

import (
	"testing"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// device is a browser that keeps collections when the test says so.
type device struct {
	statetest.Recorder
	acts []OfflineAct
	done []func(kept []string, problem string)
}

func (d *device) Offline(act OfflineAct, done func(kept []string, problem string)) {
	d.acts, d.done = append(d.acts, act), append(d.done, done)
}

func TestACollectionIsKeptOfflineCancelledAndRemoved(t *testing.T) {
	d := &device{}
	var u *Upload
	a := state.New(d, func(string) string { return "/" }, "/upload", state.Part{Name: "home"},
		state.Part{Name: "search"}, state.Part{Name: "upload", Make: func(a *state.App) state.Screen {
			u = New(a)
			return u
		}})
	a.Begin("/upload", "")
	if len(d.acts) != 1 || d.acts[0].Do != "list" {
		t.Fatalf("%+v, want the list", d.acts)
	}
	d.done[0]([]string{"b"}, "")
	o := &u.Offline
	if !o.Kept("b") || o.Kept("a") {
		t.Error("the kept collections are not listed")
	}
	for _, tt := range []struct {
		base string
		want bool
	}{{"/collections/public.a/0123456789abcdef/", true}, {"/collections/demo/0123456789abcdef/", false}} {
		if got := o.Can(&gallery.Collection{Base: tt.base}); got != tt.want {
			t.Errorf("%s to choose: %v", tt.base, got)
		}
	}

	o.Keep("a")
	o.Keep("c") // one at a time
	if len(d.acts) != 2 || o.Of != "a" {
		t.Fatalf("%+v while %q is kept", d.acts, o.Of)
	}
	d.acts[1].Tell(3, 12)
	if o.Done != 3 || o.Total != 12 {
		t.Errorf("%d of %d bytes", o.Done, o.Total)
	}
	o.Cancel()
	if o.Of != "" || d.acts[2].Do != "stop" {
		t.Errorf("%q is kept after Cancel, asked %q", o.Of, d.acts[2].Do)
	}

	o.Keep("c")
	d.acts[1].Tell(12, 12) // late, as are the answers
	d.done[1]([]string{"b"}, "")
	d.done[2]([]string{"b"}, "")
	if o.Of != "c" || o.Done != 0 {
		t.Errorf("the answers about a end the keeping of c: %q, %d bytes", o.Of, o.Done)
	}
	d.done[3](nil, "there is no network")
	if p := a.Notices.Problem; o.Of != "" || p == nil || p.Where != "c" ||
		p.What != "The collection is not kept offline: there is no network." {
		t.Errorf("%q, %+v", o.Of, p)
	}
	o.Keep("c")
	if a.Notices.Problem != nil {
		t.Error("the problem stays")
	}
	d.done[4]([]string{"b", "c"}, "")
	if o.Of != "" || !o.Kept("c") || !o.Kept("b") {
		t.Error("c is not kept")
	}
	o.Remove("b")
	d.done[5](nil, "the disk is gone")
	if !o.Kept("b") || a.Notices.Problem == nil {
		t.Error("a removal that failed is not told")
	}
	o.Remove("b")
	if d.done[6]([]string{"c"}, ""); o.Kept("b") || !o.Kept("c") {
		t.Error("b is not removed")
	}
}
