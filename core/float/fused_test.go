package float

import (
	"testing"

	"github.com/rankbox/rankbox/core/float/fused"
)

func TestNothingFused(t *testing.T) { fused.Check(t) }
