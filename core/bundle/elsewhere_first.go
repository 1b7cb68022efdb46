//go:build first

package bundle

import "github.com/rankbox/rankbox/core/internal/jsontext"

// readElsewhere says that there is one: this program leaves such a collection to the richer one.
func readElsewhere(r *jsontext.Reader) *Elsewhere {
	r.Skip()
	return &Elsewhere{}
}
