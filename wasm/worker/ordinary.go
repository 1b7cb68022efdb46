//go:build !first

package worker

import (
	"errors"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	docs "github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/within"
)

// markup says by a file's name that it is Markdown or HTML, which no format of a test collection is.
func markup(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// unrecognised says that a file was refused because no format of a test collection was seen in it, and not for a line that is wrong.
func unrecognised(name string, err error) bool {
	var at *collection.ParseError
	if !errors.As(err, &at) || errors.Is(err, errStopped) {
		return false
	}
	var limit *collection.LimitError
	return !errors.As(err, &limit) && (at.Unrecognised || strings.EqualFold(path.Ext(name), ".json"))
}

// empty says that nothing of a collection was found in a file.
func empty(f *intake.File) bool {
	for _, c := range f.Contents {
		if len(c.Docs) > 0 || len(c.Queries) > 0 || c.Qrels != nil || c.Collection != nil || c.Vectors != nil {
			return false
		}
	}
	return true
}

// ordinary reads a file that is no format of a test collection. several says that it is one of several files.
func (e *Engine) ordinary(f message.File, limit int64, several bool, stopped func() bool) (*docs.Read, error) {
	source, err := e.Files(f.ID)
	if err != nil {
		return nil, err
	}
	b, err := within.All(watch(source, func(int) error {
		if stopped() {
			return errStopped
		}
		return nil
	}), int64(f.Size), limit)
	if err != nil {
		return nil, err
	}
	return docs.File(f.Name, b, docs.RoleOf(f.Name), several, docs.Limits{Bytes: limit})
}
