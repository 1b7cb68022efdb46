package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs/reproduce.md is what the command prints of the reference data: published figures (their sources are in the
// recipes) are the oracle.
func TestReproducePageIsUpToDate(t *testing.T) {
	root := os.Getenv("RANKBOX_SHARED")
	data, vectors := filepath.Join(root, "data"), filepath.Join(root, "embeddings")
	for _, dir := range []string{data, vectors} {
		for _, name := range []string{"cranfield", "scifact"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Skip("RANKBOX_SHARED names no folder with the whole collections and their vectors:", err)
			}
		}
	}
	code, out, errs := call("", "published", "-quiet", "-gate", "-o", "markdown", "-at", data, "-vectors", vectors)
	if code != 0 || errs != "" {
		t.Fatalf("code %d, %s", code, errs)
	}
	want, err := os.ReadFile("../../docs/reproduce.md")
	if err != nil {
		t.Fatal(err)
	}
	if out != string(want) {
		t.Errorf("docs/reproduce.md is not what rankbox published prints:\n%s", out)
	}
}

func TestPublishedOfAFolder(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"published", "-at", empty}, 2, "-o markdown"},
		{[]string{"published", "-o", "markdown"}, 2, "want the name of one collection"},
		{[]string{"published", "-o", "markdown", "-at", empty}, 3, "has none of the known collections: want a " +
			"folder called after one"},
	} {
		if code, _, errs := call("", c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: code %d, %s", c.args, code, errs)
		}
	}
}
