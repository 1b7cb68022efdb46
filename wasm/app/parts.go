package app

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// part makes a screen for a page: what it keeps, nil for nothing, and what it looks like.
type part struct {
	name string
	make func(*state.App) (state.Screen, vugu.Builder)
}

// parts are the screens that this program holds. The files parts_*_gen.go fill it from the table of screens.
var parts []part

// build returns a page at a path.
func build(fx state.Effects, base func(collection string) string, path string) (*state.App, *ui.Root) {
	root := &ui.Root{Views: map[string]vugu.Builder{}}
	var with []state.Part
	for _, p := range parts {
		with = append(with, state.Part{Name: p.name, Make: func(a *state.App) state.Screen {
			s, v := p.make(a)
			root.Views[p.name] = v
			return s
		}})
	}
	root.App = state.New(fx, base, path, with...)
	return root.App, root
}
