package inflate

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"
	"testing/iotest"
)

func pack(t testing.TB, data []byte, level int) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// samples are data of many kinds: random, repetitive, text, with long and short matches.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	m := map[string][]byte{"empty": nil, "byte": {7}, "zeros": make([]byte, 400000)}
	noise := make([]byte, 200000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	m["noise"] = noise
	var lines bytes.Buffer
	for i := range 20000 {
		fmt.Fprintf(&lines, "%d Q0 %d %d %f Anserini\n", 1000+i/1000, r.IntN(8e6), i%1000+1, r.Float64()*20)
	}
	m["run"] = lines.Bytes()
	skew := make([]byte, 300000) // lengths of codes up to 15
	for i := range skew {
		v := 0
		for v < 250 && r.IntN(2) == 0 {
			v++
		}
		skew[i] = byte(v)
	}
	m["skewed"] = skew
	var far bytes.Buffer // matches from everywhere in the window
	far.Write(noise[:40000])
	for range 5000 {
		k := max(far.Len()-32768, 0)
		n := 3 + r.IntN(256)
		from := k + r.IntN(32768-n)
		far.Write(bytes.Clone(far.Bytes()[from : from+n]))
		far.WriteByte(byte(r.Uint32()))
	}
	m["far"] = far.Bytes()
	return m
}

// Oracle: the data that compress/flate of the Go that runs the test compressed.
func TestAgainstFlate(t *testing.T) {
	for name, data := range samples() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9} {
			p := pack(t, data, level)
			for how, src := range map[string]io.Reader{"whole": bytes.NewReader(p),
				"halves":       iotest.HalfReader(bytes.NewReader(p)),
				"with the end": iotest.DataErrReader(bytes.NewReader(p)),
				"bytes":        iotest.OneByteReader(bytes.NewReader(p))} {
				got, err := io.ReadAll(New(src))
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s level %d %s: %v, %d bytes of %d", name, level, how, err, len(got), len(data))
				}
			}
		}
	}
}

// TestAfter reads streams one after another with bytes in between.
func TestAfter(t *testing.T) {
	var all []byte
	data := samples()["run"]
	for i := range 5 {
		all = append(all, pack(t, data[:i*1000], 6)...)
		all = append(all, "between"...)
	}
	z := New(bytes.NewReader(all))
	for i := range 5 {
		got, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(got, data[:i*1000]) {
			t.Fatal(i, err, len(got))
		}
		for _, want := range []byte("between") {
			c, err := z.Byte()
			if err != nil || c != want {
				t.Fatalf("%d: %q %v", i, c, err)
			}
		}
		z.Restart()
	}
	if _, err := z.Byte(); err != io.EOF {
		t.Error(err)
	}
	// A match must not reach into the stream before.
	reach := New(bytes.NewReader(append(pack(t, data, 6), 0x4b, 0x04, 0x92, 0x00)))
	io.ReadAll(reach)
	reach.Restart()
	want, wantErr := io.ReadAll(flate.NewReader(bytes.NewReader([]byte{0x4b, 0x04, 0x92, 0x00})))
	if got, err := io.ReadAll(reach); (err == nil) != (wantErr == nil) || !bytes.Equal(got, want) {
		t.Error(got, err, want, wantErr)
	}
}

func TestCut(t *testing.T) {
	for name, data := range samples() {
		p := pack(t, data, 6)
		for _, n := range []int{0, 1, 2, 5, len(p) / 2, len(p) - 1} {
			if n >= len(p) || n < 0 {
				continue
			}
			got, err := io.ReadAll(New(bytes.NewReader(p[:n])))
			if err != io.ErrUnexpectedEOF || !bytes.HasPrefix(data, got) {
				t.Errorf("%s cut to %d of %d: %v, %d bytes", name, n, len(p), err, len(got))
			}
		}
	}
	broken := fmt.Errorf("broken")
	if _, err := io.ReadAll(
		New(io.MultiReader(bytes.NewReader([]byte{0x4b}), iotest.ErrReader(broken)))); err != broken {
		t.Error(err)
	}
}

// TestDamage holds the outcome for damaged data to that of compress/flate.
func TestDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	data := samples()
	n := 3000
	if runtime.GOARCH == "wasm" {
		n = 600 // of every kind: integer arithmetic, which is the same there
	}
	for i := range n {
		src := data[[]string{"run", "skewed", "far", "noise"}[i%4]][:2000+r.IntN(3000)]
		p := pack(t, src, []int{1, 6, 9, flate.HuffmanOnly}[r.IntN(4)])
		for range 1 + r.IntN(3) {
			p[r.IntN(min(len(p), 1+r.IntN(len(p))))] ^= 1 << r.IntN(8)
		}
		compare(t, p)
	}
}

func compare(t *testing.T, p []byte) {
	t.Helper()
	got, err := io.ReadAll(io.LimitReader(New(bytes.NewReader(p)), 1<<20))
	want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(p)), 1<<20))
	if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%x: %d bytes, %v; compress/flate: %d bytes, %v", p, len(got), err, len(want), wantErr)
	}
	if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
		t.Fatalf("%x: other bytes before the damage", p)
	}
}

func FuzzInflate(f *testing.F) {
	for _, s := range []string{"", "a", "hello hello hello hello", string(make([]byte, 300))} {
		for _, level := range []int{0, 1, 9, flate.HuffmanOnly} {
			f.Add(pack(f, []byte(s), level))
		}
	}
	f.Add(pack(f, samples()["skewed"][:1000], 9))
	f.Fuzz(func(t *testing.T, p []byte) { compare(t, p) })
}

func BenchmarkInflate(b *testing.B) {
	var data []byte
	for len(data) < 8<<20 {
		data = append(data, samples()["run"]...)
		for i := range 1000 {
			data = strconv.AppendInt(data, int64(i*7919), 10)
		}
	}
	p := pack(b, data, 6)
	buf := make([]byte, 64<<10)
	for name, open := range map[string]func() io.Reader{
		"own":   func() io.Reader { return New(bytes.NewReader(p)) },
		"flate": func() io.Reader { return flate.NewReader(bytes.NewReader(p)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				r := open()
				for {
					_, err := r.Read(buf)
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
