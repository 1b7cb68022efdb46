//go:build !first

package ui

import "github.com/rankbox/rankbox/wasm/app/screens"

func init() {
	section = func(c *Root) []*screens.Screen {
		if on := c.App.On(); on == nil || on.Path() != "" || c.App.Embedded {
			return nil
		}
		return screens.Section(string(c.App.Screen))
	}
}
