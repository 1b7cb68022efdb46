package message

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
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

// Few names the first five of files, hidden ones last, and counts the others.
func Few(files []File) string {
	var names, hidden []string
	for _, f := range files {
		if strings.HasPrefix(f.Name[strings.LastIndexByte(f.Name, '/')+1:], ".") {
			hidden = append(hidden, f.Name)
		} else {
			names = append(names, f.Name)
		}
	}
	return say.Few(append(names, hidden...), 5)
}
