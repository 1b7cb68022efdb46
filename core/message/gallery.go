//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/wire"
)

// Gallery asks for the list of the site's collections.
const Gallery Kind = 63

func init() { register[AskGallery, gallery.Gallery](Gallery, false) }

// AskGallery locates the list.
type AskGallery struct{ URL string }

// Wire codes the question.
func (a *AskGallery) Wire(c *wire.Codec) { c.String(&a.URL) }
