package state

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// rowOf is the screen that an address opens.
func rowOf(path, fragment string) *screens.Screen {
	if of := screens.Of(strings.TrimPrefix(fragment, "#")); of != nil {
		return of
	}
	return screens.At(path)
}

// plainScreen is the name of a screen as links write it: the home page has none.
func plainScreen(s share.Screen) share.Screen {
	if s == share.Home {
		return ""
	}
	return s
}

func clone(s share.Address) share.Address {
	s.Systems = slices.Clone(s.Systems)
	s.Measures = slices.Clone(s.Measures)
	s.Filter.Categories = slices.Clone(s.Filter.Categories)
	s.Filter.Entities = slices.Clone(s.Filter.Entities)
	return s
}

// Explicit writes the default systems out where the address points at one of them: a link must not change its meaning
// when the defaults do.
func Explicit(s share.Address) share.Address {
	if len(s.Systems) == 0 && (s.Baseline != 0 || s.System != 0) {
		s.Systems = slices.Clone(Defaults)
	}
	return s
}

// equal reports whether two addresses mean the same.
func equal(a, b share.Address) bool {
	if !HasWorker { // which has no systems in its addresses
		return a.Screen == b.Screen
	}
	return share.Equal(Explicit(a), Explicit(b))
}

func searchDiffers(x, y experiment.Spec) bool {
	x.Baseline, y.Baseline = 0, 0
	return !share.Equal(share.Address{Spec: x}, share.Address{Spec: y})
}
