package bundle

import (
	"io/fs"

	"github.com/rankbox/rankbox/core/within"
)

// mostFile is how long a file of a model's folder may be: vectors of a million documents by 1,024 float32 numbers.
const mostFile = 4 << 30

func readFile(fsys fs.FS, name string) ([]byte, error) { return within.FS(fsys, name, mostFile) }
