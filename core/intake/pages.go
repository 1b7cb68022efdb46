//go:build !library

package intake

import (
	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/handout"
)

// handed returns the saved comparison in a page of package handout.
func handed(page []byte) ([]byte, error) { return handout.Data(page) }

// page returns "Markdown" or "HTML" by the name of a file, or "".
func page(name string) string {
	if kind := documents.Looks(name, []byte("x")); kind == "Markdown" || kind == "HTML" {
		return kind
	}
	return ""
}
