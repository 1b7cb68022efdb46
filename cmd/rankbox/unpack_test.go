package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// What is small and becomes large, or many, is refused before it is built, whatever it is packed with.
func TestNoArchiveBecomesLargeOrMany(t *testing.T) {
	archive := func(packed bool, files ...tar.Header) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(&b)
		if packed {
			w = tar.NewWriter(z)
		}
		for _, h := range files {
			h.Typeflag = tar.TypeReg
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(make([]byte, h.Size)); err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		if packed {
			z.Close()
		}
		return b.Bytes()
	}
	var many, none []tar.Header
	for i := range 30_000 {
		many = append(many, tar.Header{Name: strconv.Itoa(i)})
		none = append(none, tar.Header{Name: "../" + strconv.Itoa(i)})
	}
	hole := func(name string) tar.Header { // 512 bytes and a hole of 6 MiB, as GNU tar 1.35 -S --sparse-version=0.1 says it
		return tar.Header{Name: name, Size: 512, PAXRecords: map[string]string{"XNU.sparse.major": "0", "XNU.sparse.minor": "1", "XNU.sparse.size": "6291456", "XNU.sparse.numblocks": "1", "XNU.sparse.map": "0,512"}}
	}
	holes := archive(false, hole("a"), hole("b"), hole("c"), hole("d"), hole("e"), hole("f"))
	// A judgment and 16 MiB of line feeds, by bzip2 of Python 3.12: 68 bytes.
	feeds, err := hex.DecodeString("425a6839314159265359d55e1d4c02020759808010400060000400200000082000508600295353353ed0080640201ce5008063bd6ee790100fc5dc914e14243557875300")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		data  []byte
		limit string
		want  string
	}{
		{"a file of zeros", archive(true, tar.Header{Name: "a", Size: 64 << 20}), "1GiB", "(Ratio)"},
		{"zeros that nobody wants", archive(true, tar.Header{Name: "../a", Size: 64 << 20}), "1GiB", "(Ratio)"},
		{"many files", archive(true, many...), "1GiB", "10001 files in an archive"},
		{"many files, not compressed", archive(false, many...), "1GiB", "10001 files in an archive"},
		{"many that nobody wants", archive(false, none...), "8MiB", "(Bytes)"},
		{"holes", bytes.ReplaceAll(holes, []byte("XNU"), []byte("GNU")), "1GiB", "(Ratio)"},
		{"line feeds", feeds, "1GiB", "(Ratio)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			code, _, err := call(string(c.data), "eval", "-", runFile, "P@5", "-max-bytes", c.limit)
			runtime.ReadMemStats(&after)
			if code != 3 || !strings.Contains(err, c.want) {
				t.Errorf("exit code %d, %s, want %s", code, err, c.want)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 24<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
}
