//go:build !first

package ui

import "github.com/rankbox/rankbox/wasm/app/screens"

func init() {
	section = func(c *Root) []*screens.Screen {
		if on := c.App.On(); on == nil || on.Path() != "" || c.App.Embedded {
			return nil
		}
		if c.App.Screen == "compare" { // the first screen belongs to the board, and its Add panel leads to the experiment
			return nil
		}
		return screens.Section(string(c.App.Screen))
	}
}
