//go:build !library

package intake

import (
	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/handout"
)

// handoutComparison returns the saved comparison in a page of package handout.
func handoutComparison(page []byte) ([]byte, error) { return handout.Data(page) }

// pageKind returns "Markdown" or "HTML" by the name of a file, or "".
func pageKind(name string) string {
	if kind := documents.Looks(name, []byte("x")); kind == "Markdown" || kind == "HTML" {
		return kind
	}
	return ""
}
