// Package fused contains every instruction that the test of this name looks for.
package fused

func MulAdd(x, y, z float64) float64      { return x*y + z }
func SubMul(x, y, z float64) float64      { return z - x*y }
func MulSub(x, y, z float64) float64      { return x*y - z }
func NegMulSub(x, y, z float64) float64   { return -(x * y) - z }
func MulAdd32(x, y, z float32) float32    { return x*y + z }
func SubMul32(x, y, z float32) float32    { return z - x*y }
func MulSub32(x, y, z float32) float32    { return x*y - z }
func NegMulSub32(x, y, z float32) float32 { return -(x * y) - z }
func product(x, y float64) float64        { return x * y }
func Rounded(x, y, z float64) float64     { return float64(x*y) + z }

func Inlined(x, y, z float64) float64 { return product(x, y) + z }
