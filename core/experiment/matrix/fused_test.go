package matrix

import (
	"testing"

	"github.com/rankbox/rankbox/core/float/fused"
)

func TestNothingIsFused(t *testing.T) { fused.Check(t) }
