// Package shared finds the reference data that tests compare with: collections, embeddings and golden figures. The figures that need no
// collection are in its testdata, as scripts/oracle/distil wrote them; the rest is not part of this repository. It is for tests only.
package shared

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Path returns the absolute path of a file or folder of the reference data, named relative to its root
// ("oracle/bm25/scifact.json"). The root is $RANKBOX_SHARED, or else the folder "shared" beside the one that holds go.mod; what is
// not there is looked for among the figures of this package. A file that is in neither skips the test, which says which one was missing.
func Path(t testing.TB, name string) string {
	t.Helper()
	if root := Root(); root != "" {
		p := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	if p := distilled(t, name); p != "" {
		return p
	}
	t.Skipf("reference data absent: %s is not in RANKBOX_SHARED", name)
	return ""
}

// distilled returns the path of a file of testdata, unpacked where it was packed for the repository; "" where there is none.
func distilled(t testing.TB, name string) string {
	t.Helper()
	top := module()
	if top == "" {
		return ""
	}
	p := filepath.Join(top, "core", "internal", "shared", "testdata", filepath.FromSlash(name))
	if s, err := os.Stat(p); err == nil && !s.IsDir() { // of a folder only a part is here
		return p
	}
	f, err := os.Open(p + ".gz")
	if err != nil {
		return ""
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(out, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return out
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
	r := filepath.Join(filepath.Dir(top), "shared")
	if _, err := os.Stat(r); err != nil {
		return ""
	}
	return r
}

// module returns the folder that holds go.mod, "" where there is none.
func module() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
