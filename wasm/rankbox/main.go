//go:build js

// Command rankbox is every program of the site: the page and its worker in one file, so that Go's runtime is on the way once; the
// first argument is the role that this instance plays. With the build tag "first" it is the program that
// answers the first search. Without it is the richer one: it has every screen, reads and compares runs and stems every language, and takes
// the place of the first in both roles where one of these is needed (docs/adr/0002-one-binary.md).
package main

import (
	"os"

	"github.com/rankbox/rankbox/wasm/app"
)

// work is the worker's role; nil in programs that do not play it.
var work func()

func main() {
	if work != nil && len(os.Args) > 1 && os.Args[1] == "worker" {
		work()
		return
	}
	app.Run()
}
