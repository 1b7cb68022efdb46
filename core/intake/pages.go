//go:build !library

package intake

import (
	"github.com/rankbox/rankbox/core/present/handout"
	"github.com/rankbox/rankbox/core/project/documents"
)

// handed returns the saved comparison that a page of package handout holds.
func handed(page []byte) ([]byte, error) { return handout.Data(page) }

// page returns "Markdown" or "HTML" if the name of a file says so, and otherwise "".
func page(name string) string {
	if kind := documents.Looks(name, []byte("x")); kind == "Markdown" || kind == "HTML" {
		return kind
	}
	return ""
}
