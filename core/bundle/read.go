package bundle

import (
	"io/fs"

	"github.com/rankbox/rankbox/core/say"
)

// mostFile is how long a file of a model's folder may be: vectors of a million documents by 1,024 float32 numbers.
const mostFile = 4 << 30

// readFile is fs.ReadFile for what ends: a folder of vectors may be anybody's, with a link to a device in it.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, say.Faultf("bundle", "%s is no file", name)
	case info.Size() > mostFile:
		return nil, say.Faultf("bundle", "%s: more than %d GiB", name, mostFile>>30)
	}
	return fs.ReadFile(fsys, name)
}
