//go:build !lessons

package stage

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// reads says that this program knows stages. One that does not takes every pipeline as it is written.
const reads = true

// early are the stages of the page's first program.
func early() []*Stage { return []*Stage{BM25, Dense, RRF, Cut} }

// begins says whether the first program has the stage, as it is set.
func begins(n *pipeline.Node) bool {
	s := of(n)
	return slices.Contains(early(), s) && !(s == Dense && tuned(n))
}
