package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Whoever imports core/base/float computes with floating point, so its tests run in wasm too; and every pattern names a
// package.
func TestEveryPackageWhoseBitsMatterRunsInWasm(t *testing.T) {
	list := func(args ...string) []string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"list"}, args...)...)
		cmd.Dir = "../.."
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(bytes.TrimSpace(out))), "\n")
	}
	var covered []string
	for _, pattern := range bits {
		found := list(pattern)
		if len(found) == 0 || found[0] == "" {
			t.Errorf("%s names no package", pattern)
		}
		covered = append(covered, found...)
	}
	format := `{{$p := .ImportPath}}{{range .Imports}}` +
		`{{if eq . "github.com/rankbox/rankbox/core/base/float"}}{{$p}}{{end}}{{end}}`
	importers := 0
	for _, name := range list("-f", format, "./core/...") {
		if name == "" {
			continue
		}
		if importers++; !slices.Contains(covered, name) {
			t.Errorf("%s computes with core/base/float and is not tested in wasm", name)
		}
	}
	if importers < 10 {
		t.Errorf("%d packages import core/base/float", importers)
	}
}
