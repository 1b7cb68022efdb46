package bundle

import (
	"io/fs"

	"github.com/rankbox/rankbox/core/base/within"
)

// maxFileBytes is the maximum length of a file in a model's folder: a million vectors of 1,024 float32 numbers.
const maxFileBytes = 4 << 30

func readFile(fsys fs.FS, name string) ([]byte, error) { return within.FS(fsys, name, maxFileBytes) }
