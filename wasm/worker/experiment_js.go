//go:build js && !first

package worker

import (
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
}
