package avx2

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"golang.org/x/sys/cpu"
)

// The loops of core are the oracle; the sums are of integers, so that there is one right answer.
func TestEqualsTheLoopOfCore(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	slow, slowAt := dense.Scan, dense.ScanAt // nothing has been installed in this test's program
	random := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 64, 100, 384, 385, 768} {
		for _, n := range []int{0, 1, 2, 3, 17} {
			for _, kind := range []string{"random", "least", "mixed"} {
				backing := make([]int8, n*dim+dim+3)
				for i := range backing {
					switch {
					case kind == "least", kind == "mixed" && random.IntN(2) == 0:
						backing[i] = -128
					case kind == "mixed":
						backing[i] = 127
					default:
						backing[i] = int8(random.IntN(256) - 128)
					}
				}
				q, rows := backing[1:1+dim], backing[1+dim:1+dim+n*dim] // unaligned
				got, want := make([]int32, n), make([]int32, n)
				scan(got, rows, q)
				slow(want, rows, q)
				if !slices.Equal(got, want) {
					t.Errorf("%d rows of %d, %s: %v, want %v", n, dim, kind, got, want)
				}
				at := make([]uint32, 0, 5)
				for range 5 {
					if n > 0 {
						at = append(at, uint32(random.IntN(n)))
					}
				}
				got, want = make([]int32, len(at)), make([]int32, len(at))
				scanAt(got, rows, at, q)
				slowAt(want, rows, at, q)
				if !slices.Equal(got, want) {
					t.Errorf("rows %v of %d, %s: %v, want %v", at, dim, kind, got, want)
				}
			}
		}
	}
}

// Rows that are not there are no matter of what lies behind them.
func TestTooFewRowsPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"scan":   func() { scan(make([]int32, 3), make([]int8, 2*384), make([]int8, 384)) },
		"scanAt": func() { scanAt(make([]int32, 1), make([]int8, 2*384), []uint32{2}, make([]int8, 384)) },
		"room":   func() { scanAt(nil, make([]int8, 384), []uint32{0}, make([]int8, 384)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func BenchmarkScan(b *testing.B) {
	rows, q, dst := make([]int8, 5183*384), make([]int8, 384), make([]int32, 5183)
	for i := range rows {
		rows[i] = int8(i * 31)
	}
	copy(q, rows[7:])
	b.Run("core", func(b *testing.B) {
		for b.Loop() {
			dense.Scan(dst, rows, q)
		}
	})
	b.Run("avx2", func(b *testing.B) {
		if !cpu.X86.HasAVX2 {
			b.Skip("this processor has no AVX2")
		}
		for b.Loop() {
			scan(dst, rows, q)
		}
	})
}
