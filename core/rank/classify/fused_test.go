package classify_test

import (
	"testing"

	"github.com/rankbox/rankbox/core/float/fused"
)

// Scores must be the same on every machine, so no multiplication may be fused with an addition where a machine can.
func TestNothingIsFused(t *testing.T) { fused.Check(t) }
