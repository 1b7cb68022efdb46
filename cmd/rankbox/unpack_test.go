package main

import (
	"archive/tar"
	"bytes"
	"encoding/hex"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// What is small and becomes large, or many, is refused before it is built, whatever it is packed with.
func TestNoArchiveBecomesLargeOrMany(t *testing.T) {
	var many, none []tar.Header
	for i := range 30_000 {
		many = append(many, tar.Header{Name: strconv.Itoa(i)})
		none = append(none, tar.Header{Name: "../" + strconv.Itoa(i)})
	}
	// 512 bytes and a hole of 6 MiB, as GNU tar 1.35 -S --sparse-version=0.1 says it
	hole := func(name string) tar.Header {
		return tar.Header{Name: name, Size: 512, PAXRecords: map[string]string{"XNU.sparse.major": "0",
			"XNU.sparse.minor": "1", "XNU.sparse.size": "6291456", "XNU.sparse.numblocks": "1",
			"XNU.sparse.map": "0,512"}}
	}
	holes := tarOfFiles(t, false, hole("a"), hole("b"), hole("c"), hole("d"), hole("e"), hole("f"))
	// A judgment and 16 MiB of line feeds, by bzip2 of Python 3.12: 68 bytes.
	feeds, err := hex.DecodeString(
		"425a6839314159265359d55e1d4c02020759808010400060000400200000082000508600295353353ed0080640201ce5008063bd6ee790100fc5dc914e14243557875300")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		data  []byte
		limit string
		want  string
	}{
		{"a file of zeros", tarOfFiles(t, true, tar.Header{Name: "a", Size: 64 << 20}), "1GiB", "(Ratio)"},
		{"zeros that nobody wants", tarOfFiles(t, true, tar.Header{Name: "../a", Size: 64 << 20}), "1GiB", "(Ratio)"},
		{"many files", tarOfFiles(t, true, many...), "1GiB", "10001 files in an archive"},
		{"many files, not compressed", tarOfFiles(t, false, many...), "1GiB", "10001 files in an archive"},
		{"many that nobody wants", tarOfFiles(t, false, none...), "8MiB", "(Bytes)"},
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
