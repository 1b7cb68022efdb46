package collection

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"
)

// zip64 is a zip with everything that ZIP64 can say in 64 bits said there (APPNOTE 6.3.10, 4.3.14, 4.3.15 and 4.5.3),
// two stored files whose local headers have an extra field, and a field of another kind before the one of ZIP64 in the
// directory. at are the offsets of its parts.
func zip64() (b []byte, at map[string]int) {
	at = map[string]int{}
	u16 := func(v ...uint16) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, x)
		}
	}
	u32 := func(v ...uint32) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
	}
	u64 := func(v ...uint64) {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, x)
		}
	}
	const all = 0xffffffff
	files := []struct{ name, text string }{{"a.run", "q1 Q0 d1 1 2.5 t\n"}, {"b.txt", "of b"}}
	var header []int
	for _, f := range files {
		header = append(header, len(b))
		u32(0x04034b50)
		u16(45, 0, 0, 0, 0)
		u32(crc32.ChecksumIEEE([]byte(f.text)), all, all)
		u16(uint16(len(f.name)), 20)
		b = append(b, f.name...)
		u16(1, 16)
		u64(uint64(len(f.text)), uint64(len(f.text)))
		b = append(b, f.text...)
	}
	at["directory"] = len(b)
	for i, f := range files {
		u32(0x02014b50)
		u16(45, 45, 0, 0, 0, 0)
		u32(crc32.ChecksumIEEE([]byte(f.text)), all, all)
		u16(uint16(len(f.name)), 9+28, 3, 0, 0)
		u32(0, all)
		b = append(b, f.name...)
		u16(0x5455, 5) // when the file was changed
		b = append(b, 1, 0, 0, 0, 0)
		at["extra"] = len(b)
		u16(1, 24)
		u64(uint64(len(f.text)), uint64(len(f.text)), uint64(header[i]))
		b = append(b, "new"...)
	}
	at["end64"] = len(b)
	u32(0x06064b50)
	u64(44)
	u16(45, 45)
	u32(0, 0)
	u64(2, 2, uint64(at["end64"]-at["directory"]), uint64(at["directory"]))
	at["locator"] = len(b)
	u32(0x07064b50, 0)
	u64(uint64(at["end64"]))
	u32(1)
	at["end"] = len(b)
	u32(0x06054b50)
	u16(0, 0, 0xffff, 0xffff)
	u32(all, all)
	u16(0)
	return b, at
}

// archive/zip, of Go 1.26, reads the same.
func TestZip64(t *testing.T) {
	b, at := zip64()
	oracle, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil || len(oracle.File) != 2 {
		t.Fatalf("archive/zip: %v", err)
	}
	a, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range oracle.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		want, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		z, err := a.open(f.Name)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) || a.Files()[i] != f.Name {
			t.Errorf("%s: %q, %v, want %q", f.Name, got, err, want)
		}
	}
	for _, c := range []struct {
		name string
		do   func(b []byte) []byte
	}{
		{"no locator", func(b []byte) []byte { b[at["locator"]]++; return b }},
		{"nothing before the end record", func(b []byte) []byte { return b[at["end"]:] }},
		{"no record where the locator says", func(b []byte) []byte { b[at["end64"]]++; return b }},
		{"a locator beyond the file", func(b []byte) []byte { b[at["locator"]+15] = 0x7f; return b }},
		{"a locator before the file", func(b []byte) []byte { b[at["locator"]+15] = 0xff; return b }},
		{"a field that is longer than the fields", func(b []byte) []byte { b[at["extra"]+2]++; return b }},
		{"a field without the third number", func(b []byte) []byte { b[at["extra"]+2] = 16; return b }},
		{"a name that is longer than the directory", func(b []byte) []byte { b[at["directory"]+29] = 0x7f; return b }},
		{"fields that are longer than the directory", func(b []byte) []byte { b[at["directory"]+31] = 0x7f; return b }},
		{"a note that is longer than the directory", func(b []byte) []byte { b[at["directory"]+33] = 0x7f; return b }},
		{"a negative size", func(b []byte) []byte { b[at["extra"]+4+7] = 0x80; return b }},
		{"a negative packed size", func(b []byte) []byte { b[at["extra"]+12+7] = 0x80; return b }},
		{"a negative place", func(b []byte) []byte { b[at["extra"]+20+7] = 0x80; return b }},
		{"a file that would lie behind the directory", func(b []byte) []byte { b[at["extra"]+20] += 64; return b }},
		{"less directory than files need", func(b []byte) []byte { b[at["end64"]+40] = 46*2 - 1; return b }},
		{"a third file in the directory of two", func(b []byte) []byte { b[at["end64"]+32] = 3; return b }},
		{"a directory of another place", func(b []byte) []byte { b[at["end64"]+48]++; return b }},
	} {
		damaged := c.do(bytes.Clone(b))
		if _, err := OpenZip("x.zip", bytes.NewReader(damaged), int64(len(damaged)), Limits{}); err == nil ||
			err.Error() != "collection: read x.zip: zip: damaged directory" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// 2 is as many as are allowed, 1 is not.
	if _, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), Limits{Files: 2}); err != nil {
		t.Error(err)
	}
	var limit *LimitError
	if _, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), Limits{Files: 1}); !errors.As(err, &limit) ||
		limit.Limit != "Files" {
		t.Errorf("two files, one allowed: %v", err)
	}
}

// brokenReader has less than it is said to have, or fails.
type brokenReader struct{ err error }

func (r brokenReader) ReadAt(b []byte, off int64) (int, error) { return 0, r.err }

func TestWhatIsNoZip(t *testing.T) {
	fails := errors.New("the disk is gone")
	for _, c := range []struct {
		name string
		r    io.ReaderAt
		size int64
		want string
	}{
		{"empty", strings.NewReader(""), 0, "collection: read x: empty file"},
		{"cut off", strings.NewReader("PK\x03\x04 and more than the end record is long"), 41,
			"collection: read x: zip: cut off: it has no directory at its end"},
		{"gzip", bytes.NewReader(gz([]byte("of a text that is long enough"))), 25,
			"collection: read x: not a zip: compressed with gzip: unpack it, or use zip"},
		{"text", strings.NewReader("q1 Q0 d1 1 2.5 t\n"), 17,
			"collection: read x: not a zip: a text file, and a collection is a folder or a zip of one"},
		{"bytes", strings.NewReader("\x00\x01\x02"), 3, "collection: read x: not a zip, and of no known format"},
		{"a PDF", strings.NewReader("%PDF-1.7\n"), 9, "collection: read x: not a zip: a PDF"},
		{"shorter than said", strings.NewReader("q1"), 30, "collection: read x: unexpected EOF"},
		{"reads nothing and says nothing", brokenReader{}, 30, "collection: read x: unexpected EOF"},
		{"cannot be read", brokenReader{fails}, 30, "collection: read x: the disk is gone"},
	} {
		if _, err := OpenZip("x", c.r, c.size, Limits{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// A file that appears twice, and one that is as long as the place up to the next.
func TestZipNamesAFileOnce(t *testing.T) {
	pack := func(names ...string) []byte {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, name := range names {
			f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(f, "x")
		}
		w.Close()
		return out.Bytes()
	}
	for _, c := range []struct {
		names []string
		want  string // the error, "" for none
	}{
		{[]string{"b", "a", "c"}, ""},
		{[]string{"b", "a", "b"}, "collection: read x.zip: zip: b appears twice"},
		{[]string{"d/b", `d\b`}, "collection: read x.zip: zip: d/b appears twice"},
		{[]string{"a", "../b"}, `collection: read x.zip: zip: unsafe path "../b"`},
	} {
		b := pack(c.names...)
		a, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), Limits{})
		if got := fmt.Sprint(err); got != c.want && (c.want != "" || err != nil) {
			t.Errorf("%q: %v, want %q", c.names, err, c.want)
		}
		if err == nil && !slices.Equal(a.Files(), []string{"a", "b", "c"}) {
			t.Errorf("files %q", a.Files())
		}
	}
}

// As html.UnescapeString, of Go 1.26, where the name is one of the five of XML; the semicolon is looked for in the 11
// bytes behind the &.
func TestUnescapeMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b": "a & b", "&lt;x&gt;": "<x>", "&quot;&apos;": `"'`, "&;": "&;", "&": "&", "&&amp;": "&&",
		";&": ";&", "&a;": "&a;",
		"&#65;": "A", "&#x41;&#X42;": "AB", "&#;": "&#;", "&#x;": "&#x;", "&#0000000065": "&#0000000065",
		"&#1114111;": "\U0010ffff", "&#1114112;": "&#1114112;",
		"&#xd800;": "&#xd800;", "&#000000065;": "A", "&#0000000065;": "&#0000000065;", "&unknown;": "&unknown;",
		"x; &amp": "x; &amp",
	} {
		if got := unescapeMarkup(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// The order of the file is that of its lines also after the scores changed, whatever the ranks were.
func TestWithScoresKeepsTheOrderOfTheFile(t *testing.T) {
	r, _ := mustRun(t, "q Q0 c 1 1 t\nq Q0 a 2 3 t\nq Q0 d 3 4 t\nq Q0 b 4 2 t\n")
	one := r.WithScores(func(float64) float64 { return 1 })
	for ties, want := range map[Ties]string{InputOrder: "c a d b", DocIDAscending: "a b c d",
		DocIDDescending: "d c b a"} {
		if got := docs(one, "q", ties); got != want {
			t.Errorf("%v: %s, want %s", ties, got, want)
		}
	}
}

// A line that is no line of a run is refused wherever it stands: among many of one shape, which a quick reader takes,
// as alone.
func TestABadLineAmongMany(t *testing.T) {
	for _, bad := range []string{
		"q1 Q0 d900 1-2.5 t", "q1 Q0 d900 1 2.5.5 t", "q1 Q0 d900 1 - t", "q1 Q0 d900 1 . t", "q1 Q0 d900 1 2.5x t",
		"q1 Q0 d900 1 2.5", "q1 Q0 d900 1",
		"q1 Q0 d900 1 1e t", "q1 Q0 d900 1 --1 t", "q1 Q0 d900 1 NaNN t",
	} {
		var text strings.Builder
		for i := range 40 {
			if i == 20 {
				text.WriteString(bad + "\n")
			}
			fmt.Fprintf(&text, "q1 Q0 d%d %d %d.5 t\n", i, i, 100-i)
		}
		_, _, alone := ReadRun(strings.NewReader("q1 Q0 d1 1 3.5 t\n"+bad+"\n"), "run", Options{})
		_, _, err := ReadRun(strings.NewReader(text.String()), "run", Options{})
		if alone == nil || err == nil {
			t.Errorf("%q: alone %v, among many %v", bad, alone, err)
			continue
		}
		if want := strings.Replace(alone.Error(), "line 2:", "line 21:", 1); err.Error() != want ||
			want == alone.Error() {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
}

// A policy that is none of the three says its number.
func TestTiesSayTheirName(t *testing.T) {
	for ties, want := range map[Ties]string{DocIDDescending: "docid-desc", DocIDAscending: "docid-asc",
		InputOrder: "input", 7: "ties(7)"} {
		if got := ties.String(); got != want {
			t.Errorf("%d: %q, want %q", ties, got, want)
		}
	}
}

// An id beside a text is that of a document where there is no other id, wherever the columns stand.
func TestAnIDBesideAText(t *testing.T) {
	for _, c := range []struct {
		header           string
		doc, query, text int
	}{
		{"id,text", 0, -1, 1}, {"text,id", 1, -1, 0}, {"text,_id", 1, -1, 0}, {"Text, ID ", 1, -1, 0},
		{"query_id,id,text", -1, 0, 2}, {"id,query_id,text", -1, 1, 2},
		{"doc_id,id,text", 0, -1, 2}, {"id,doc_id,text", 1, -1, 2},
	} {
		h, err := parseHeader(bytes.Split([]byte(c.header), []byte(",")))
		if err != nil || h.at[colDoc] != c.doc || h.at[colQuery] != c.query || h.at[colText] != c.text {
			t.Errorf("%s: document %d, query %d, text %d, %v", c.header, h.at[colDoc], h.at[colQuery], h.at[colText],
				err)
		}
	}
}

// What is no known format says what would have been the next best.
func TestWhyAFormatIsUnknown(t *testing.T) {
	for in, want := range map[string]string{
		"q1 Q0 d1 1 x\n": `line 1: score "x" is not a number`,
		"q1 0 d1 y x\n": `line 1: no known format: 5 columns where a run has 6 (query, Q0, document, rank, ` +
			`score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade); as a run, its ` +
			`score "x" is not a number`,
		"q1 0 d1 x\n": `line 1: no known format: 4 columns where a run has 6 (query, Q0, document, rank, ` +
			`score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade); as qrels, its ` +
			`grade "x" is not a number`,
		"q1 d1\n": `line 1: no known format: 2 columns where a run has 6 (query, Q0, document, rank, ` +
			`score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade)`,
		"# one\n# two\nq1 d1\n": `line 3: no known format: 2 columns where a run has 6 (query, Q0, document, rank, ` +
			`score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade)`,
		"# one\n# two\n": `line 2: nothing but comments`,
	} {
		if _, err := Read("x", strings.NewReader(in), Options{}); err == nil || err.Error() != "collection: read x: "+
			want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

// A line that is too long says how much of it was seen: more than is allowed, and no more than there is of it.
func TestALongLineSaysHowLong(t *testing.T) {
	for _, before := range []int{0, 1, 50} {
		text := strings.Repeat("q1 Q0 d1 1 2.5 t\n", before) + strings.Repeat("x", 7400)
		_, _, err := ReadRun(strings.NewReader(text), "run", Options{Limits: Limits{Line: 1000}})
		var limit *LimitError
		var at *ParseError
		if !errors.As(err, &limit) || !errors.As(err, &at) || limit.Limit != "Line" || limit.Max != 1000 ||
			limit.Got <= 1000 || limit.Got > 7400 || at.Line != before+1 {
			t.Errorf("after %d lines: %v, %+v", before, err, limit)
		}
	}
}

// Five columns with a number at the end may be a run without tags or preferences about numeric ids.
func TestPreferring(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{
		{"nothing", "", false}, {"comments", "# a\n\n", false}, {"one line", "q u 7 9 2\n", true},
		{"without its ending", "q u 7 9 2", true},
		{"after a comment", "# a\nq u 7 9 2\n", true}, {"Q0", "q Q0 7 9 2\n", false},
		{"q0 later", "q u 7 9 2\nq q0 7 9 2\n", false}, {"from rank 0", "q u 7 0 2\n", false},
		{"from rank 1", "q u 7 1 2\n", false}, {"1 later", "q u 7 9 2\nq u 7 1 2\n", true},
		{"cut off", "q u 7 9 2\nq u 7", true},
		{"four columns", "q u 7 9 2\nq u 7 9\n", false}, {"cut off at once", "q u 7", false},
		{"no number", "q u 7 9 x\n", false}, {"six columns", "q u 7 9 2 3\n", false},
	} {
		if got := preferring([]byte(c.head)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Files that are read together may have a third more than one alone.
func TestTogether(t *testing.T) {
	for limit, want := range map[int64]int64{0: 0, 3: 4, 300: 400, 3 << 30: 4 << 30} {
		if got := Together(limit); got != want {
			t.Errorf("%d: %d, want %d", limit, got, want)
		}
	}
}
