package collection

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"testing"
)

// packed is a file as it lies in a zip: without a data descriptor, so that the next one begins right behind it.
type packed struct {
	name   string
	method uint16
	data   []byte // as they lie there
	size   uint64
	crc    uint32
}

func stored(name, text string) packed {
	return packed{name, zip.Store, []byte(text), uint64(len(text)), crc32.ChecksumIEEE([]byte(text))}
}

func deflated(name, text string) packed {
	var out bytes.Buffer
	w, _ := flate.NewWriter(&out, 9)
	io.WriteString(w, text)
	w.Close()
	return packed{name, zip.Deflate, out.Bytes(), uint64(len(text)), crc32.ChecksumIEEE([]byte(text))}
}

func zipFiles(t *testing.T, note string, files ...packed) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, p := range files {
		f, err := w.CreateRaw(&zip.FileHeader{Name: p.name, Method: p.method, CompressedSize64: uint64(len(p.data)),
			UncompressedSize64: p.size, CRC32: p.crc})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(p.data)
	}
	if err := w.SetComment(note); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// says is what OpenZip says of a zip, and, where that is nothing, what the files hold or why they cannot be read.
func says(b []byte, limits Limits) string {
	a, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), limits)
	if err != nil {
		return strings.TrimPrefix(err.Error(), "collection: read x.zip: ")
	}
	var out []string
	for _, name := range a.Files() {
		text := ""
		if r, err := a.open(name); err != nil {
			text = err.Error()
		} else if all, err := io.ReadAll(r); err != nil {
			text = err.Error()
		} else {
			text = string(all)
		}
		out = append(out, name+": "+text)
	}
	return strings.Join(out, ", ")
}

// The directory says where each file is and how long, and each of its numbers can be one too many. Offsets are those of
// APPNOTE 6.3.10: 4.3.7 (local header, 30 bytes and the name), 4.3.12 (directory, 46 bytes and the name) and 4.3.16
// (end record, 22 bytes and the note).
func TestZipAtItsBounds(t *testing.T) {
	two := zipFiles(t, "", stored("a", "of a"), deflated("b/c", "of c"))
	end := len(two) - 22
	dir := bytes.Index(two, []byte("PK\x01\x02"))
	second := bytes.LastIndex(two, []byte("PK\x01\x02"))
	const good = "a: of a, b/c: of c"
	put := func(at, size int, add int) func(b []byte) []byte {
		return func(b []byte) []byte {
			switch size {
			case 1:
				b[at] += byte(add)
			case 2:
				binary.LittleEndian.PutUint16(b[at:], binary.LittleEndian.Uint16(b[at:])+uint16(add))
			case 4:
				binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(b[at:])+uint32(add))
			}
			return b
		}
	}
	note := func(text string) []byte { return zipFiles(t, text, stored("a", "of a"), deflated("b/c", "of c")) }
	const damaged = "zip: damaged directory"
	for _, c := range []struct {
		name string
		b    []byte
		do   func(b []byte) []byte
		want string
	}{
		{"as it is", two, nil, good},
		{"a note", note("a note"), nil, good},
		{"the longest note", note(strings.Repeat("n", 65535)), nil, good},
		{"a note that looks like an end record, which is longer than the note",
			note("PK\x05\x06" + strings.Repeat("\xff", 18)), nil, good},
		{"a byte behind the end record", append(bytes.Clone(two), 'x'), nil, good},
		{"an end record whose note is a byte too long", two, put(end+20, 2, 1),
			"zip: cut off: it has no directory at its end"},
		{"a byte before the first file", two, func(b []byte) []byte { return append([]byte("x"), b...) }, damaged},
		{"a file more than there is", two, put(end+10, 2, 1), damaged},
		{"a file less than there is", two, put(end+10, 2, -1), "a: of a"},
		{"a directory that is a byte shorter", two, put(end+12, 4, -1), damaged},
		{"a directory that is a byte longer", two, put(end+12, 4, 1), damaged},
		{"a directory that begins a byte later", two, put(end+16, 4, 1), damaged},
		{"a directory that begins a byte earlier", two, put(end+16, 4, -1), damaged},
		{"a sign that is another", two, put(second, 1, 1), damaged},
		{"a name that is a byte longer", two, put(second+28, 2, 1), damaged},
		{"an extra field that is not there", two, put(second+30, 2, 1), damaged},
		{"a note of a file that is not there", two, put(second+32, 2, 1), damaged},
		{"encrypted", two, put(second+8, 2, 1), "zip: b/c is encrypted"},
		{"names in UTF-8", two, put(second+8, 2, 1<<11), good},
		{"a file that lies a byte later", two, put(second+42, 4, 1), "a: of a, b/c: zip: damaged file header"},
		{"the first file a byte longer: it overlaps the second", two, func(b []byte) []byte {
			put(dir+24, 4, 1)(b)
			return put(dir+20, 4, 1)(b)
		}, "zip: a and b/c overlap"},
		{"a stored file of another length than it has", two, put(dir+24, 4, 1),
			"a: zip: damaged file header, b/c: of c"},
		{"a file longer than the directory says", two, put(second+24, 4, -1),
			"a: of a, b/c: zip: damaged: the file is longer than the directory says"},
		{"a file shorter than the directory says", two, put(second+24, 4, 1),
			"a: of a, b/c: zip: damaged: the file is shorter than the directory says"},
		{"another checksum", two, put(second+16, 4, 1), "a: of a, b/c: zip: damaged: its checksum does not match"},
		{"another checksum of a stored file", two, put(dir+16, 4, 1),
			"a: zip: damaged: its checksum does not match, b/c: of c"},
		{"another method", two, put(second+10, 2, 1),
			"a: of a, b/c: zip: compression method 9 is not known (stored and deflate are)"},
		{"deflated data that are damaged", two, func(b []byte) []byte {
			b[bytes.Index(b, []byte("b/c"))+3] = 7
			return b
		}, "a: of a, b/c: zip: damaged compressed data: fetch the file again"},
		{"deflated data that are cut off",
			zipFiles(t, "", packed{"c", zip.Deflate, deflated("c", "of c").data[:3], 4, 0}), nil,
			"c: zip: cut off: fetch the file again"},
		{"an empty name", zipFiles(t, "", stored("", "x")), nil, `zip: unsafe path ""`},
		{"a folder", zipFiles(t, "", stored("d/", ""), stored("d/a", "x")), nil, "d/a: x"},
		{"a folder and nothing in it", zipFiles(t, "", stored("d/", "")), nil, ""},
		{"nothing", zipFiles(t, ""), nil, ""},
		{"an absolute path", zipFiles(t, "", stored("/a", "x")), nil, `zip: unsafe path "/a"`},
		{"a name with a backslash", zipFiles(t, "", stored(`d\a`, "x")), nil, "d/a: x"},
		{"a file of nothing, twice", zipFiles(t, "", stored("a", ""), stored("b", "")), nil, "a: , b: "},
	} {
		b := bytes.Clone(c.b)
		if c.do != nil {
			b = c.do(b)
		}
		if got := says(b, Limits{}); got != c.want {
			t.Errorf("%s: %.200s, want %s", c.name, got, c.want)
		}
	}
	// An end record's sign within the last 22 bytes of a file is not looked for.
	if got := says([]byte("PK\x05\x06"+strings.Repeat("\x00", 17)),
		Limits{}); got != "zip: cut off: it has no directory at its end" {
		t.Error(got)
	}
	if got := says([]byte("PK\x05\x06"+strings.Repeat("\x00", 18)), Limits{}); got != "" {
		t.Error(got)
	}
}

// Sizes are as large as the limits and no larger; what they say is checked before anything is unpacked.
func TestZipLimits(t *testing.T) {
	const from = 4 << 20
	claims := func(size uint64, n int) []byte { // a file that says that it is so large, of so many bytes
		return zipFiles(t, "", packed{"a", zip.Deflate, make([]byte, n), size, 0})
	}
	const open = "a: zip: cut off: fetch the file again" // opened, and what is in it is no deflate
	for _, c := range []struct {
		name   string
		b      []byte
		limits Limits
		want   string
	}{
		{"as many files as are allowed", zipFiles(t, "", stored("a", "x"), stored("b", "y")), Limits{Files: 2},
			"a: x, b: y"},
		{"a file too many", zipFiles(t, "", stored("a", "x"), stored("b", "y")), Limits{Files: 1},
			"2 files in a zip are more than the limit of 1 (Files)"},
		{"as many bytes as are allowed", zipFiles(t, "", stored("a", "xyz")), Limits{Bytes: 3}, "a: xyz"},
		{"a byte too many", zipFiles(t, "", stored("a", "xyz")), Limits{Bytes: 2},
			"a: 3 bytes are more than the limit of 2 (Bytes)"},
		{"4 MiB of a byte", claims(from, 1), Limits{}, open},
		{"a byte more of a byte", claims(from+1, 1), Limits{},
			fmt.Sprintf("a: %d bytes out of every compressed byte are more than the limit of 100 (Ratio)", from+1)},
		{"a byte more of nothing", claims(from+1, 0), Limits{},
			fmt.Sprintf("a: %d bytes out of every compressed byte are more than the limit of 100 (Ratio)", from+1)},
		{"100 of each", claims(5_000_000, 50_000), Limits{}, open},
		{"100 of each and 99", claims(5_000_099, 50_000), Limits{}, open},
		{"101 of one", claims(5_000_100, 50_000), Limits{},
			"a: 100 bytes out of every compressed byte are more than the limit of 100 (Ratio)"},
		{"twice as many", claims(10_000_000, 50_000), Limits{},
			"a: 200 bytes out of every compressed byte are more than the limit of 100 (Ratio)"},
	} {
		got := says(c.b, c.limits)
		if c.want == open { // whatever is wrong with what is in it
			if !strings.HasPrefix(got, "a: zip: ") {
				t.Errorf("%s: %s, want it opened", c.name, got)
			}
		} else if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Folders list what is in them and no more; a name is looked for among those of its folder.
func TestZipFolders(t *testing.T) {
	b := zipFiles(t, "", stored("b", "1"), stored("d/b", "22"), stored("d/e/f", "333"), stored("d/e/g", "4444"),
		stored("d.x", "5"), stored("da/z", "6"))
	a, err := OpenZip("x.zip", bytes.NewReader(b), int64(len(b)), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{".": "[b d.x] [d da]", "d": "[b] [e]", "d/e": "[f g] []", "da": "[z] []",
		"c": "[] []", "d/b": "[] []", "e": "[] []"} {
		files, dirs, err := a.list(dir)
		if got := fmt.Sprint(files, " ", dirs); got != want && got != strings.ReplaceAll(want, "] [", "]   [") ||
			(err != nil) != (want == "[] []") {
			t.Errorf("%s: %s, %v, want %s", dir, got, err, want)
		}
	}
	for path, want := range map[string]string{
		".": "d da b/1 d.x/1", "d": "e b/2", "d/e": "f/3 g/4", "da": "z/1", "c": "open c: file does not exist",
		"../d": "open ../d: invalid argument",
	} {
		got := ""
		if list, err := fs.ReadDir(a, path); err != nil {
			got = err.Error()
		} else {
			// fs.ReadDir sorts by name; folders come first where they are asked for one by one.
			f, _ := a.Open(path)
			var names []string
			for {
				some, err := f.(fs.ReadDirFile).ReadDir(1)
				if err != nil {
					if err != io.EOF {
						t.Error(err)
					}
					break
				}
				i, _ := some[0].Info()
				name := i.Name()
				if !i.IsDir() {
					name += fmt.Sprint("/", i.Size())
				}
				if i.IsDir() != i.Mode().IsDir() ||
					i.Mode().Perm() != map[bool]fs.FileMode{true: 0o555, false: 0o444}[i.IsDir()] {
					t.Errorf("%s: %v", name, i.Mode())
				}
				names = append(names, name)
			}
			if len(names) != len(list) {
				t.Errorf("%s: %v, %v", path, names, list)
			}
			got = strings.Join(names, " ")
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	f, err := a.Open("d/e/g")
	if err != nil {
		t.Fatal(err)
	}
	if i, err := f.Stat(); err != nil || i.Name() != "g" || i.Size() != 4 || i.IsDir() {
		t.Errorf("%v, %v", i, err)
	}
	d, err := a.Open("d/e")
	if err != nil {
		t.Fatal(err)
	}
	if i, err := d.Stat(); err != nil || i.Name() != "e" || !i.IsDir() {
		t.Errorf("%v, %v", i, err)
	}
	if _, err := d.Read(nil); err == nil || err.Error() != "read e: is a folder" {
		t.Error(err)
	}
	for _, n := range []int{0, -1} {
		d, _ := a.Open("d/e")
		for _, want := range []int{2, 0} {
			if list, err := d.(fs.ReadDirFile).ReadDir(n); len(list) != want || err != nil {
				t.Errorf("%d: %v, %v", n, list, err)
			}
		}
	}
	d, _ = a.Open("d/e")
	for _, want := range []int{2, 0} {
		if list, err := d.(fs.ReadDirFile).ReadDir(3); len(list) != want || (err == io.EOF) != (want == 0) {
			t.Errorf("%v, %v", list, err)
		}
	}
}

// Read takes a zip for BEIR's layout or file by file; all files together are within the limit of one.
func TestReadZip(t *testing.T) {
	run, qrels := stored("a.run", "q1 Q0 d1 1 2.5 t\n"), stored("b/b.qrels", "q1 0 d1 1\n")
	for _, c := range []struct {
		name string
		b    []byte
		opt  Options
		want string
	}{
		{"two files", zipFiles(t, "", run, qrels), Options{}, "a.run run 17, b/b.qrels qrels 10: 27"},
		{"what macOS adds", zipFiles(t, "", run, stored("__MACOSX/a.run", "x"),
			stored(".DS_Store", "\x00\x00\x00\x01Bud1"), stored("b/._b", "y")), Options{}, "a.run run 17: 17"},
		{"a file that begins with a dot and is one", zipFiles(t, "", stored(".a.run", "q1 Q0 d1 1 2.5 t\n")), Options{},
			".a.run run 17: 17"},
		{"nothing", zipFiles(t, ""), Options{}, "collection: read x.zip: zip: it holds no files"},
		{"nothing but what macOS adds", zipFiles(t, "", stored("__MACOSX/a.run", "x")), Options{},
			"collection: read x.zip: zip: it holds no files"},
		{"a bad line", zipFiles(t, "", run, stored("b.run", "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 x t\n")), Options{},
			`collection: read x.zip/b.run: line 2: score "x" is not a number`},
		{"a bomb behind a dot", zipFiles(t, "", run, packed{".b", zip.Deflate, []byte("x"), 5 << 20, 0}), Options{},
			"collection: read x.zip/.b: 5242880 bytes out of every compressed byte are more than the limit of " +
				"100 (Ratio)"},
		{"a limit of both", zipFiles(t, "", stored("a", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 20)),
			stored("b", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 30))), Options{Limits: Limits{Bytes: 851 + 300}},
			"a run 340, b run 510: 850"},
		{"a zip above the limit", zipFiles(t, "", run), Options{Limits: Limits{Bytes: 100}},
			fmt.Sprintf("collection: read x.zip: %d bytes are more than the limit of 100 (Bytes)",
				len(zipFiles(t, "", run)))},
		{"a zip of the limit", zipFiles(t, "", run), Options{Limits: Limits{Bytes: int64(len(zipFiles(t, "", run)))}},
			"a.run run 17: 17"},
		{"files that are together at the limit",
			zipFiles(t, "", deflated("a", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100)),
				deflated("b", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100))), Options{Limits: Limits{Bytes: 3400}},
			"collection: read x.zip: 3400 bytes are more than the limit of 3400 (Bytes)"},
		{"files that are together below the limit",
			zipFiles(t, "", deflated("a", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100)),
				deflated("b", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100))), Options{Limits: Limits{Bytes: 3401}},
			"a run 1700, b run 1700: 3400"},
		{"files that are together above the limit",
			zipFiles(t, "", deflated("a", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100)),
				deflated("b", strings.Repeat("q1 Q0 d1 1 2.5 t\n", 100))), Options{Limits: Limits{Bytes: 3399}},
			"collection: read x.zip/b: 1700 bytes are more than the limit of 1699 (Bytes)"},
	} {
		// in its place, and as a stream
		for _, r := range []io.Reader{bytes.NewReader(c.b), io.MultiReader(bytes.NewReader(c.b))} {
			got := ""
			if x, err := Read("x.zip", r, c.opt); err != nil {
				got = err.Error()
			} else {
				var list []string
				for _, f := range x.Files {
					list = append(list, fmt.Sprint(f.Name, " ", f.Format, " ", f.Bytes))
				}
				got = fmt.Sprint(strings.Join(list, ", "), ": ", x.Bytes)
			}
			want := c.want
			if _, ok := r.(io.Seeker); !ok && c.name == "a zip above the limit" {
				// it is read no further
				want = "collection: read x.zip: 101 bytes are more than the limit of 100 (Bytes)"
			}
			if got != want {
				t.Errorf("%s: %s, want %s", c.name, got, want)
			}
		}
	}
	beir := zipFiles(t, "", stored("corpus.jsonl", `{"_id":"d","text":"x"}`),
		stored("queries.jsonl", `{"_id":"q","text":"x"}`), stored("qrels/test.tsv", "q\td\t1\n"))
	c, err := Read("some/where/tiny.zip", bytes.NewReader(beir), Options{})
	if err != nil || c.Collection == nil || c.Collection.Name != "tiny" || c.Bytes != 22+22+6 {
		t.Errorf("%+v, %v", c, err)
	}
}
