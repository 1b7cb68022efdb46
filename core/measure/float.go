package measure

import "github.com/rankbox/rankbox/core/base/float"

// Scores use these functions of package float, which give equal bits on every platform.

func log2(x float64) float64 { return float.Log2(x) }
func ln(x float64) float64   { return float.Log(x) }
func exp(x float64) float64  { return float.Exp(x) }
func exp2(x float64) float64 { return float.Exp2(x) }
