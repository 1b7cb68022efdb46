//go:build !first

package kernel

import (
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

// installMore installs the kernels of functions that the first program lacks.
func installMore() {
	bm25.Vectorised()
	dense.ScanFloats = DotF32
	dense.ScanBits = Hamming
	dense.ScanBiased = dotBiased
	dense.ScanBiasedAt = dotBiasedAt
	dense.DotAt = dotF64At
	dense.Near = near
	dense.Weigh = weigh
	dense.Above = above
	late.MaxSim = maxSim
	encoder.SumRows = sumRows
}

// maxSim is late.MaxSim.
func maxSim(dst []float32, tokens []int8, offsets []uint32, q []int8, nq int) {
	most := 1
	if len(dst) > 0 {
		most = max(int(offsets[len(dst)]), nq)
	}
	for len(ones) < most {
		ones = append(ones, 1)
	}
	MaxSimI8(dst, tokens, ones, offsets, q, ones[:nq])
}

// ones are neutral scales.
var ones []float32
