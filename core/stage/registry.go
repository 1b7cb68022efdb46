package stage

import "github.com/rankbox/rankbox/core/pipeline"

// registry holds every stage, in the order of the documentation. A stage is one file and one line here.
var registry []*Stage

// notation is how they are written.
var notation *pipeline.Notation

func init() { // not an initial value: combiners and transformers build what is in the registry
	registry = []*Stage{
		BM25,
		QL,
		Dense,
		RRF,
		CombSUM,
		CombMNZ,
		CombANZ,
		CombMIN,
		CombMAX,
		CombMED,
		CombGMNZ,
		WSum,
		ISR,
		RBC,
		Borda,
		Cut,
		MMR,
		RM3,
		Rocchio,
	}
	var all []*pipeline.Stage
	for _, s := range registry {
		all = append(all, &s.Stage)
	}
	notation = pipeline.New(all...)
}

// All returns how every stage is written, in the order of the documentation. The slice is the caller's, the stages are shared.
func All() []*pipeline.Stage { return notation.All() }

// Lookup returns how the stage of that name is written, or nil.
func Lookup(name string) *pipeline.Stage { return notation.Lookup(name) }

// Parse reads a pipeline. Every error is a *pipeline.Error with the byte offset of the fault.
func Parse(s string) (*pipeline.Node, error) { return notation.Parse(s) }

// MustParse is Parse for texts that are part of the program: it panics on an error.
func MustParse(s string) *pipeline.Node { return notation.MustParse(s) }

// ParseJSON reads a pipeline in its JSON form. Every error is a *pipeline.Error with the byte offset of the fault.
func ParseJSON(data []byte) (*pipeline.Node, error) { return notation.ParseJSON(data) }
