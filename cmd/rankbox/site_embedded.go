//go:build site

package main

import (
	"embed"
	"io/fs"
)

//go:embed all:site
var built embed.FS

func init() {
	sub, err := fs.Sub(built, "site")
	if err != nil {
		panic(err)
	}
	embedded = sub
}
