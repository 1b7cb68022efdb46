package avx2

// dot writes the dot products of q with n rows that begin stride numbers after each other, over their first 16·blocks
// numbers.
//
//go:noescape
func dot(dst *int32, rows *int8, n int, q *int16, stride, blocks int)
