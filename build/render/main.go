// Command render runs what the site and the documents are made of: the registries, the bundle format and the page's
// components. It is a program of its own so that `go run ./build generate` works while these do not compile, and so
// that -watch runs them as they are after a change. It is called by build only; each command prints JSON on standard
// output.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

var commands = map[string]func(args []string) (any, error){
	"docs":      docs,
	"reference": referencePages,
	"bundle":    bundle,
	"encoder":   packEncoder,
	"pages":     pages,
	"finished":  finished,
	"presets":   presets,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: render docs | reference | bundle … | encoder … | pages … | finished … | "+
			"presets …: see go run ./build")
		os.Exit(2)
	}
	v, err := commands[os.Args[1]](os.Args[2:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(v)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
