//go:build !first

package search

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/arithmetic"
	"github.com/rankbox/rankbox/wasm/app/ui/arithmetic"
)

func init() {
	rich = func(a *state.App) (state.Screen, vugu.Builder) {
		s := screen.New(a)
		return s, &arithmetic.Arithmetic{S: s}
	}
}
