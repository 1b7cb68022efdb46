package statetest

import (
	"runtime"
	"testing"
)

// Costs fails where f, which reads n bytes that anybody may have written, allocates more than 64 bytes for each of them
// and 16 MB.
func Costs(t testing.TB, n int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(16_000_000+64*n); got > most {
		t.Errorf("reading %d bytes allocates %d, more than %d", n, got, most)
	}
}
