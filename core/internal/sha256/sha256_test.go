package sha256

import (
	stdlib "crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Vectors: FIPS 180-2, appendix B; the empty text: NIST CAVP SHA256ShortMsg.
func TestVectors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	} {
		if got := Hex([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// Oracle: crypto/sha256 of the Go that runs the test.
func TestAgainstStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 1000)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for n := range b {
		if got, want := Sum256(b[:n]), stdlib.Sum256(b[:n]); got != want {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
	for range 200 {
		s := New()
		n := 0
		for n < len(b) {
			k := min(r.IntN(150), len(b)-n)
			s.Write(b[n : n+k])
			n += k
			want := stdlib.Sum256(b[:n])
			if got := Format(s.Sum()); got != hex.EncodeToString(want[:]) {
				t.Fatalf("%d bytes in parts: %s", n, got)
			}
		}
	}
}

func ExampleHex() {
	fmt.Println(Hex([]byte("Rankbox"))[:8])
	// Output: 2d68c896
}

func Benchmark1MiB(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Sum256(data)
	}
}
