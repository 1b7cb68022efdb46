//go:build first

package bundle

import "github.com/rankbox/rankbox/core/internal/jsontext"

// readElsewhere only detects the member: this program leaves such collections to the larger one.
func readElsewhere(r *jsontext.Reader) *Elsewhere {
	r.Skip()
	return &Elsewhere{}
}
