//go:build !first

package search

import (
	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
	bench "github.com/rankbox/rankbox/wasm/app/state/workbench"
	"github.com/rankbox/rankbox/wasm/app/ui/arithmetic"
)

func init() {
	rich = func(a *state.App) (state.Screen, vugu.Builder) {
		s := bench.New(a)
		return s, &arithmetic.Arithmetic{S: s.Arithmetic}
	}
}
