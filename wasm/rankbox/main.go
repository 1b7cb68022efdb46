//go:build js && !runs

// Command rankbox is every program of the site: the page and its worker in one file, so that Go's runtime is on the way once; the
// first argument is the role that this instance plays. With the build tag "runs" it is a worker that reads and compares runs too,
// which is fetched when somebody does.
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
