package collection

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"
)

// zeros is size bytes of one letter, compressed: about a thousandth of it.
func zeros(t testing.TB, size int64, head string) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	io.WriteString(w, head)
	chunk := bytes.Repeat([]byte("a"), 1<<20)
	for n := int64(0); n < size; n += int64(len(chunk)) {
		if _, err := w.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return out.Bytes()
}

// TestBombs holds every bomb to a refusal under a second, and to little memory.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("makes bombs")
	}
	const run = "q1 Q0 d1 1 2.5 t\n"
	big := zeros(t, 512<<20, run)
	lines := func() []byte { // many short lines instead of a long one
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		chunk := bytes.Repeat([]byte(run), 1<<16)
		for range 300 {
			w.Write(chunk)
		}
		w.Close()
		return out.Bytes()
	}()
	npy := func(shape string) []byte {
		dict := "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"
		return append([]byte("\x93NUMPY\x01\x00"+string(rune(len(dict)))+"\x00"), dict...)
	}
	zipOf := func(name string, packed []byte, size int64, crc uint32) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		f, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: uint64(len(packed)),
			UncompressedSize64: uint64(size), CRC32: crc})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(packed)
		w.Close()
		return out.Bytes()
	}
	deflated := big[10 : len(big)-8] // without the header and trailer of gzip
	overlapping := func() []byte {   // many entries that share one file's bytes
		one := zipOf("a.run", deflated, 512<<20, 1)
		i := bytes.LastIndex(one, []byte("PK\x01\x02"))
		j := bytes.LastIndex(one, []byte("PK\x05\x06"))
		entry := one[i:j]
		out := bytes.Clone(one[:i])
		for k := range 100 {
			e := bytes.Clone(entry)
			e[46] = byte('a' + k%26)
			e[48] = byte('a' + k/26)
			out = append(out, e...)
		}
		end := bytes.Clone(one[j:])
		binary.LittleEndian.PutUint16(end[8:], 100)
		binary.LittleEndian.PutUint16(end[10:], 100)
		binary.LittleEndian.PutUint32(end[12:], uint32(100*len(entry)))
		return append(out, end...)
	}()
	manyFiles := func() []byte {
		files := map[string][]byte{}
		for i := range 10001 {
			files[itoa(i)] = nil
		}
		return zipped(t, files, zip.Store)
	}()
	hugeDirectory := func() []byte { // claims a directory of 4 GiB
		end := make([]byte, 22)
		copy(end, "PK\x05\x06")
		binary.LittleEndian.PutUint16(end[10:], 9000)
		binary.LittleEndian.PutUint32(end[12:], 0xfffffff0)
		return append([]byte("PK\x03\x04"), end...)
	}()
	var mixed []byte // of about 140 for each one
	for rnd := rand.New(rand.NewSource(1)); len(mixed) < 70_000; {
		mixed = fmt.Appendf(mixed, "q1 Q0 %016x 1 1 t\n", rnd.Uint64())
	}
	mixed = append(mixed, bytes.Repeat([]byte("q1 Q0 d 1 1 t\n"), 6<<20/14)...)
	for _, tt := range []struct {
		name  string
		data  []byte
		limit string // the limit that refuses it; "": damaged
		want  string
	}{
		{"gzip of one line", big, "Ratio", ""},
		{"one line", bytes.Repeat([]byte("a"), 40<<20), "", "no known format"},
		{"a run with one line", append([]byte(run), bytes.Repeat([]byte("a"), 40<<20)...), "Line", ""},
		{"gzip of lines", lines, "Ratio", ""},
		{"gzip of more than 100 bytes for each one", gz(mixed), "Ratio", ""},
		{"gzip of gzip", gz(big), "", "a gzip within an archive is not opened"},
		{"zip, honest about its size", zipOf("a.run", deflated, 512<<20, 1), "Ratio", ""},
		{"zip that lies about its size", zipOf("a.run", deflated, 1000, 1), "", "longer than the directory says"},
		{"zip that overlaps itself", overlapping, "", "overlap"},
		{"zip of many files", manyFiles, "Files", ""},
		{"zip with a huge directory", hugeDirectory, "", "damaged directory"},
		{"zip of zips", zipped(t, map[string][]byte{"a.zip": zipOf("a.run", deflated, 512<<20, 1)}, zip.Store), "",
			"a zip within an archive is not opened"},
		{"array that claims a gigabyte", npy("(268435456,)"), "",
			"npy: cut off: 0 bytes of data, its shape needs 1073741824"},
		{"array that claims more", npy("(4294967296, 4294967296)"), "Bytes", ""},
		{"JSON of brackets", append([]byte(`{"schema_version":"1.0","metadata":`),
			bytes.Repeat([]byte("["), 50<<20)...), "", "nested deeper than 64 levels"},
		{"JSON of objects", bytes.Repeat([]byte(`{"a":`), 10<<20), "", "nested deeper than 64 levels"},
		{"JSON with one long string", append([]byte(`{"q": {"d": 1.5, "`), bytes.Repeat([]byte("x"), 40<<20)...), "",
			"longer than 16777216 bytes"},
		{"JSON with one long number", append([]byte(`{"q": {"d": 1`), bytes.Repeat([]byte("0"), 40<<20)...), "",
			"longer than 16777216 bytes"},
		{"JSON with one long string at once", append([]byte(`{"`), bytes.Repeat([]byte("x"), 40<<20)...), "",
			"JSON of an unknown shape"},
		{"judged queries above ten megabytes", append([]byte(`[{"query": "`), bytes.Repeat([]byte("x"), 11<<20)...),
			"JSONBytes", ""},
		{"CSV with an open quote",
			append([]byte("query_id,doc_id,score\nq,\""), bytes.Repeat([]byte("x\n"), 20<<20)...), "Line", ""},
		{"topic without an end", append([]byte("<top>\n<num> 1\n<title>\n"), bytes.Repeat([]byte("word\n"), 8<<20)...),
			"Line", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := Read("bomb", bytes.NewReader(tt.data), Options{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			var le *LimitError
			if errors.As(err, &le) != (tt.limit != "") || le != nil && le.Limit != tt.limit || err == nil ||
				!strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %s %s", err, tt.limit, tt.want)
			}
			// it takes tenths of a second; work that grows with the square of a size would take hours, on any machine
			if took > time.Minute {
				t.Errorf("took %v", took)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
				t.Errorf("allocated %d MB", used>>20)
			}
			t.Log(err, took.Round(time.Millisecond), (after.TotalAlloc-before.TotalAlloc)>>20, "MB")
		})
	}
}

// TestLimitBytes reads what is just large enough, and a byte more.
func TestLimitBytes(t *testing.T) {
	text := strings.Repeat("q1 Q0 d1 1 2.5 t\n", 10)
	for _, data := range [][]byte{[]byte(text), gz([]byte(text))} {
		if _, err := Read("run", bytes.NewReader(data), Options{Limits: Limits{Bytes: int64(len(text))}}); err != nil {
			t.Error(err)
		}
		_, err := Read("run", bytes.NewReader(data), Options{Limits: Limits{Bytes: int64(len(text)) - 1}})
		if err == nil || err.Error() != "collection: read run: 170 bytes are more than the limit of 169 (Bytes)" {
			t.Error(err)
		}
	}
	_, err := Read("run", strings.NewReader(text), Options{Limits: Limits{Entries: 9}})
	if err == nil || err.Error() != "collection: read run: line 10: 10 entries in a run are more than the limit of "+
		"9 (Entries)" {
		t.Error(err)
	}
	_, err = Read("run", strings.NewReader("q1 Q0 d1 1 2.5 t\nq2 Q0 d1 1 2.5 t\n"), Options{Limits: Limits{Queries: 1}})
	if err == nil || err.Error() != "collection: read run: line 2: 2 queries in a run are more than the limit of "+
		"1 (Queries)" {
		t.Error(err)
	}
	if _, err = Read("run", strings.NewReader(text),
		Options{Limits: Limits{Entries: -1, Queries: -1, Bytes: -1, Ratio: -1, Line: -1}}); err != nil {
		t.Error(err)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(zipped(f, map[string][]byte{"corpus.jsonl": []byte(`{"_id":"d","text":"x"}`),
		"queries.jsonl": []byte(`{"_id":"q","text":"x"}`), "qrels/test.tsv": []byte("q\td\t1\n")}, zip.Deflate))
	f.Add(zipped(f, map[string][]byte{"a.run": []byte("q1 Q0 d1 1 2.5 t\n"), "b/c": []byte("x")}, zip.Store))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := OpenZip("zip", bytes.NewReader(b), int64(len(b)), Limits{Bytes: 1 << 20})
		if err != nil {
			var pe *ParseError
			if !errors.As(err, &pe) {
				t.Fatalf("a %T", err)
			}
			return
		}
		for _, name := range a.Files() {
			r, err := a.Open(name)
			if err != nil {
				continue
			}
			data, err := io.ReadAll(r)
			if err == nil && crc32.ChecksumIEEE(data) != r.(*zipFile).entry.crc {
				t.Fatal("wrong checksum taken")
			}
		}
		Read("zip", bytes.NewReader(b), Options{Limits: Limits{Bytes: 1 << 20}})
	})
}
