//go:build !first

package ui

import "github.com/rankbox/rankbox/wasm/app/screens"

func init() {
	section = func(c *Root) []*screens.Screen {
		name := string(c.App.Screen)
		if on := c.App.On(); on == nil || on.Path() != "" || c.App.Embedded || screens.Named(name).Leads {
			return nil
		}
		return screens.Section(name)
	}
}
