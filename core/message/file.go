package message

import (
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// File is a file opened on the page. Its content travels beside the messages, under its ID.
type File struct {
	ID       int
	Name     string
	Size     int // bytes
	Modified int // milliseconds since 1970, 0 if unknown
}

// Wire codes the file.
func (f *File) Wire(c *wire.Codec) { c.Fields(&f.ID, &f.Name, &f.Size, &f.Modified) }

// Few names the first five files and counts the others.
func Few(files []File) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return say.Few(names, 5)
}
