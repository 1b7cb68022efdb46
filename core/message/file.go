package message

import "github.com/rankbox/rankbox/core/wire"

// File is a file that somebody gave to the page. Its content travels beside the messages, under its ID.
type File struct {
	ID   int
	Name string
	Size int // bytes
}

// Wire walks the file.
func (f *File) Wire(c *wire.Codec) { c.Fields(&f.ID, &f.Name, &f.Size) }
