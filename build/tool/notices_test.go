package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotices(t *testing.T) {
	text, err := newProject("../..", io.Discard).notices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Apache License", "The Go Authors", "github.com/vugu/vugu v",
		"github.com/blevesearch/snowballstem v", "github.com/kljensen/snowball v", "github.com/vugu/xxhash v",
		"onnxruntime-web 1.30.0",
		"github.com/modelcontextprotocol/go-sdk v", "github.com/segmentio/asm v", "github.com/segmentio/encoding v",
		"github.com/yosida95/uritemplate/v3 v", "golang.org/x/oauth2 v", "golang.org/x/sync v", "golang.org/x/time v"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not there", want)
		}
	}
	if strings.Contains(string(text), "wazero v") {
		t.Error("a module of tests is there")
	}
}

// A notice is passed on with the licence that asks for it.
func TestNoticesStandBelowTheirLicence(t *testing.T) {
	dir := t.TempDir()
	if _, err := licence("x", dir); err == nil {
		t.Error("no licence, and no error")
	}
	for name, text := range map[string]string{"COPYING": "Apache License\n", "NOTICE": "by somebody\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := licence("x", dir); err != nil || string(got) != "Apache License\n\nby somebody" {
		t.Errorf("%q, %v", got, err)
	}
}
