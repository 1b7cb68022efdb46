//go:build !first

package ui

import (
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state"
)

func init() {
	section = func(c *Root) []*screens.Screen {
		name := string(c.App.Settings.Screen)
		if on := c.App.Screens.On(); on == nil || state.Subpath(on) != "" || c.App.View.Embedded ||
			screens.Named(name).Leads {
			return nil
		}
		return screens.Section(name)
	}
}
