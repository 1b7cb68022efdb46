//go:build js

// Command rankbox is every program of the site in one file, so that Go's runtime is on the way once: the first argument is the
// role that this instance plays.
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
