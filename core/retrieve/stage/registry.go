package stage

import (
	"errors"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// registry holds every stage that this program has, in the order of the documentation.
var registry []*Stage

// notation is how they are written.
var notation *pipeline.Notation

func init() { // not an initial value: combiners and transformers build what is in the registry
	if !reads {
		return
	}
	registry = stages()
	var all []*pipeline.Stage
	for _, s := range registry {
		all = append(all, &s.Stage)
	}
	notation = pipeline.New(all...)
}

// All returns how every stage is written, in the order of the documentation. The slice is the caller's, the stages are
// shared.
func All() []*pipeline.Stage { return notation.All() }

// Lookup returns how the stage of that name is written, or nil.
func Lookup(name string) *pipeline.Stage { return notation.Lookup(name) }

// Complete returns ways to go on with a pipeline that is being written: see pipeline.Notation.
func Complete(text string) []pipeline.Completion { return notation.Complete(text) }

// Parse reads a pipeline. Every error is a *pipeline.Error with the byte offset of the fault. The page's first program
// takes a pipeline that names what it does not know as it is written: see Beyond.
func Parse(s string) (*pipeline.Node, error) {
	if !reads {
		return pipeline.Unread(s), nil
	}
	n, err := notation.Parse(s)
	if first && err != nil {
		if e, ok := errors.AsType[*pipeline.Error](err); ok && e.Unknown {
			return pipeline.Unread(s), nil
		}
	}
	return n, err
}

// MustParse is Parse for texts that are part of the program: it panics on an error.
func MustParse(s string) *pipeline.Node { return notation.MustParse(s) }

// ReadJSON reads a pipeline in its JSON form, which r comes to next; r keeps the first error. Of a pipeline with one it
// returns nil.
func ReadJSON(r *jsontext.Reader) *pipeline.Node { return notation.ReadJSON(r) }
