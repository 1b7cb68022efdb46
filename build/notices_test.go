package main

import (
	"io"
	"strings"
	"testing"
)

func TestNotices(t *testing.T) {
	text, err := newProject("..", io.Discard).notices(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Apache License", "The Go Authors", "github.com/vugu/vugu v", "github.com/kljensen/snowball v", "github.com/vugu/xxhash v", "onnxruntime-web 1.30.0"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not there", want)
		}
	}
	if strings.Contains(string(text), "wazero v") {
		t.Error("a module of tests is there")
	}
}
