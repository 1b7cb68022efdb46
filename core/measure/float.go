package measure

import "github.com/rankbox/rankbox/core/float"

// The functions of mathematics that a score may depend on, all from package float: bit-equal on every platform.

func log2(x float64) float64 { return float.Log2(x) }
func ln(x float64) float64   { return float.Log(x) }
func exp(x float64) float64  { return float.Exp(x) }
