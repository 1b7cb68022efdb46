//go:build !js

package app

import (
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// capabilities are the optional interfaces of package state.
var capabilities = []reflect.Type{
	reflect.TypeFor[state.Undoable](),
	reflect.TypeFor[state.Paged](),
	reflect.TypeFor[state.PathReader](),
	reflect.TypeFor[state.Linked](),
	reflect.TypeFor[state.LinkReader](),
	reflect.TypeFor[state.LinkCopier](),
	reflect.TypeFor[state.Beginner](),
	reflect.TypeFor[state.Listener](),
	reflect.TypeFor[state.ProgressListener](),
	reflect.TypeFor[state.ResultsListener](),
	reflect.TypeFor[state.Interrupted](),
	reflect.TypeFor[state.Repeater](),
	reflect.TypeFor[state.Presented](),
	reflect.TypeFor[state.FileTaker](),
	reflect.TypeFor[state.Entered](),
	reflect.TypeFor[state.Left](),
	reflect.TypeFor[state.Unopened](),
	reflect.TypeFor[state.WorkspaceKeeper](),
	reflect.TypeFor[state.ClickLogger](),
	reflect.TypeFor[state.Sharer](),
	reflect.TypeFor[state.Weigher](),
}

// A method of another type than its capability has would never be called, and nothing would say so.
func TestScreensHaveCapabilitiesWholeOrNotAtAll(t *testing.T) {
	a, _ := build(nothing{}, func(string) string { return "/" }, "/")
	var screens, used int
	alone := map[string]bool{
		"*model.Model.Save": true, "*upload.Upload.Save": true, // undo goes back to nothing of theirs
		"*status.Status.Offers": true, // the backends of the edge, not a menu's lines
	}
	for _, p := range parts {
		x := a.Screens.Other(share.Screen(p.name))
		if x == nil {
			continue
		}
		screens++
		of := reflect.TypeOf(x)
		for _, c := range capabilities {
			if of.Implements(c) {
				used++
				continue
			}
			for m := range c.NumMethod() {
				name := c.Method(m).Name
				if _, has := of.MethodByName(name); has && !alone[of.String()+"."+name] {
					t.Errorf("%s has a method %s, but is no %s", of, name, c)
				}
			}
		}
	}
	if screens < 8 || used < 40 {
		t.Errorf("%d screens with %d capabilities: the test looks at too little", screens, used)
	}
}
