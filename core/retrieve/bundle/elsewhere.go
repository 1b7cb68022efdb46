//go:build !first

package bundle

import "github.com/rankbox/rankbox/core/internal/jsontext"

func readElsewhere(r *jsontext.Reader) *Elsewhere {
	x := &Elsewhere{}
	for r.BeginObject(); r.More(); {
		switch string(r.Key()) {
		case "backend":
			x.Backend = r.String()
		case "mode":
			x.Mode = r.String()
		case "identity":
			x.Identity = r.String()
		default:
			r.Skip()
		}
	}
	return x
}
