//go:build library && !notebook && !first

package stage

import "github.com/rankbox/rankbox/core/remote"

// The library for JavaScript opens no collection whose documents are elsewhere.
func outside(Collection) *remote.Outside { return nil }

func fetchOutside(*remoteScorer, []remote.Doc, func(title, text string) string) (bool, error) {
	return false, nil
}
