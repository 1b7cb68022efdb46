//go:build js && !first

package worker

import (
	"strings"

	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

func init() {
	open := map[string]*browser.File{} // a file is this worker's until it ends
	keepIn = func(name string) (matrix.Store, error) {
		if f := open[name]; f != nil {
			return f, nil
		}
		f, err := browser.OpenFile(name)
		if err != nil {
			return nil, err
		}
		open[name] = f
		return f, nil
	}
	forgetKept = func(collection string) {
		of := func(name string) bool { return strings.Contains(name, "-"+collection+"-") }
		for name, f := range open {
			if of(name) {
				f.Close()
				delete(open, name)
			}
		}
		_ = browser.RemoveFiles(of) // a browser that keeps no files has none to remove
	}
}
