package worker

import (
	"io"

	"github.com/rankbox/rankbox/core/collection"
)

// Device is what the engine has of this device.
type Device struct {
	// Files opens a file that was given to the page; nil if there are none.
	Files func(id int) (io.Reader, error)
	// Shelf keeps collections; nil if nothing is kept.
	Shelf Shelf

	opened   *collection.Archive // the zip among the files that was opened last
	openedID int
}
