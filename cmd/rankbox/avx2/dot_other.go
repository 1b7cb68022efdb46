//go:build !amd64

package avx2

func dot(dst *int32, rows *int8, n int, q *int16, stride, blocks int) {
	panic("avx2: this processor does not have it")
}
