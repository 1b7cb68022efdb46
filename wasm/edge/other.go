//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "the worker of the edge runs in workerd: go run ./build edge; on a machine of your own "+
		"it is rankbox serve")
	os.Exit(2)
}
