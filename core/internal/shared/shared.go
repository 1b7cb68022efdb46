// Package shared finds the reference data that tests compare with: collections, embeddings and golden figures that are not
// part of this repository. It is for tests only and holds no data itself.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the absolute path of a file or folder of the reference data, named relative to its root
// ("oracle/bm25/scifact.json"). The root is $RANKBOX_SHARED, or else the folder "shared" beside the one that holds go.mod.
// Where the file is absent the test is skipped and says which one was missing.
func Path(t testing.TB, name string) string {
	t.Helper()
	root := Root()
	if root == "" {
		t.Skipf("reference data absent: set RANKBOX_SHARED to a folder that holds %s", name)
	}
	p := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		t.Skipf("reference data absent: %s", name)
	}
	return p
}

// Root returns the folder of the reference data, or "" where there is none.
func Root() string {
	if r := os.Getenv("RANKBOX_SHARED"); r != "" {
		return r
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			r := filepath.Join(filepath.Dir(dir), "shared")
			if _, err := os.Stat(r); err != nil {
				return ""
			}
			return r
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
