//go:build js && !lessons

// Command rankbox is every program of the site, each by build tags of its own (wasm/app/screens.Builds): the page and
// its worker in one file, so that Go's runtime is on the way once; the first argument is the role that this instance
// plays. Without a tag it holds everything. The program of lessons, page.go, is a page alone
// (docs/adr/0002-one-binary.md).
package main

import (
	"os"

	"github.com/rankbox/rankbox/wasm/app"
	"github.com/rankbox/rankbox/wasm/worker"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		worker.Run()
		return
	}
	app.Run()
}
