//go:build !first

package worker

import (
	"fmt"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Gallery, handler{blame: at("the list of collections")}, toOpenCollection,
		(*openCollection).gallery)
}

// gallery fetches the list of the site's collections.
func (o *openCollection) gallery(_ message.Request, ask *message.AskGallery) (*gallery.Gallery, error) {
	b, err := o.fetch(ask.URL, func(int) {})
	if err != nil {
		return nil, fmt.Errorf("the list of collections could not be fetched: %w", err)
	}
	g := &gallery.Gallery{}
	if err := wire.Unmarshal(b, g); err != nil {
		return nil, fmt.Errorf("the list of collections is damaged: %w", err)
	}
	return g, nil
}
