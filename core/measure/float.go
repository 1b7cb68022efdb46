package measure

import "math"

func log2(x float64) float64   { return math.Log2(x) }
func exp(x float64) float64    { return math.Exp(x) }
func ln(x float64) float64     { return math.Log(x) }
func pow(x, y float64) float64 { return math.Pow(x, y) }
