// Package shared finds the reference data that tests compare with: collections, embeddings and golden figures. What was
// distilled of them is in its testdata, as scripts/oracle/distil wrote it; the rest is not part of this repository. It
// is for tests only.
package shared

import (
	"compress/bzip2"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// whole names the two collections that are no part of the repository. A test that needs the whole of one is the only
// one that may be skipped for
// want of data.
var whole = []string{"cranfield", "scifact"}

// own says where the repository has under another name what the reference data has, or would have.
var own = []struct{ prefix, folder string }{
	{"data/harbour-wire", "site/collections/harbour-wire"},
	{"embeddings/harbour-wire", "site/collections/harbour-wire/vectors"},
	{"embeddings/static/vocab.txt", "site/encoders/minilm-static/vocab.txt"},
}

// Path returns the absolute path of a file or folder of the reference data, named relative to its root
// ("oracle/bm25/scifact.json"). The root is $RANKBOX_SHARED, or else the folder "shared" beside the one that holds
// go.mod; what is not there is looked for in the repository: among its own collections, and among what is distilled
// here, which of a large file may be a part. What is in neither skips the test where it is about the whole of SciFact
// or Cranfield, and fails it where it is not.
func Path(t testing.TB, name string) string {
	t.Helper()
	if root := Root(); root != "" {
		p := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	if p := inRepository(t, filepath.ToSlash(name)); p != "" {
		return p
	}
	for _, c := range whole {
		if strings.Contains(name, c) {
			t.Skipf("the whole of %s is absent: %s is not in RANKBOX_SHARED", c, name)
		}
	}
	t.Fatalf("%s is neither in RANKBOX_SHARED nor distilled (scripts/oracle/README.md)", name)
	return ""
}

// Open opens a file of the reference data, unpacked.
func Open(t testing.TB, name string) io.Reader {
	t.Helper()
	return Unpacked(t, Path(t, name))
}

// Unpacked opens a file, unpacked where its name ends in .gz, and closes it when the test ends.
func Unpacked(t testing.TB, file string) io.Reader {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(file, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// inRepository returns the path of a file or folder that the repository holds, a file unpacked where it was packed; ""
// where there is none.
func inRepository(t testing.TB, name string) string {
	t.Helper()
	top := module()
	if top == "" {
		return ""
	}
	for _, o := range own {
		if rest, ok := strings.CutPrefix(name, o.prefix); ok && (rest == "" || rest[0] == '/') {
			if p := filepath.Join(top, filepath.FromSlash(o.folder+rest)); exists(p) {
				return p
			}
		}
	}
	p := filepath.Join(top, "core", "internal", "shared", "testdata",
		filepath.FromSlash(strings.TrimSuffix(name, ".gz")))
	f, err := os.Open(p + ".bz2")
	if err != nil {
		if f, err = os.Open(p + ".gz"); err != nil {
			return ""
		}
	}
	defer f.Close()
	var r io.Reader = bzip2.NewReader(f)
	if strings.HasSuffix(f.Name(), ".gz") {
		if strings.HasSuffix(name, ".gz") {
			return f.Name()
		}
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	out, err := os.Create(filepath.Join(t.TempDir(), filepath.Base(name)))
	if err != nil {
		t.Fatal(err)
	}
	var w io.WriteCloser = out
	if strings.HasSuffix(name, ".gz") { // as its readers expect it
		w, _ = gzip.NewWriterLevel(out, gzip.NoCompression)
	}
	if _, err := io.Copy(w, r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := w.Close(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if w != io.WriteCloser(out) {
		out.Close()
	}
	return out.Name()
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Root returns the folder of the reference data, or "" where there is none.
func Root() string {
	if r := os.Getenv("RANKBOX_SHARED"); r != "" {
		return r
	}
	top := module()
	if top == "" {
		return ""
	}
	if r := filepath.Join(filepath.Dir(top), "shared"); exists(r) {
		return r
	}
	return ""
}

// module returns the folder that holds go.mod, "" where there is none.
func module() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if exists(filepath.Join(dir, "go.mod")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
