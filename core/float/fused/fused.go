// Package fused finds multiply-adds that a compiler has fused, for tests of packages whose figures must have the same bits on
// every architecture. It is for tests only.
package fused

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Check compiles the package in the working directory for arm64, an architecture on which Go fuses x*y + z, and fails the test
// for every fused instruction in it, with file and line. Write float64(x*y) + z there, also where the product is made in a
// function that is inlined. It is skipped with -short and where there is no go command (in a browser).
func Check(t *testing.T) {
	t.Helper()
	if testing.Short() || runtime.GOOS == "js" {
		t.Skip("compiles for another architecture")
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	instructions := 0
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		// 	0x0048 00072 (/dir/exp.go:63)	FMSUBD	F3, F0, F1, F3
		f := strings.Split(strings.TrimSpace(lines.Text()), "\t")
		if len(f) < 2 || !strings.Contains(f[0], "(") {
			continue
		}
		instructions++
		switch strings.TrimRight(f[1], "DS") {
		case "FMADD", "FMSUB", "FNMADD", "FNMSUB":
			place := f[0][strings.Index(f[0], "(")+1:]
			place = strings.TrimSuffix(place, ")")
			if filepath.Dir(place) == dir || !filepath.IsAbs(place) {
				place = filepath.Base(place)
			}
			t.Errorf("fused: %s: %s", place, strings.Join(f[1:], " "))
		}
	}
	if instructions < 100 {
		t.Fatalf("read %d instructions of the assembly, so nothing was checked", instructions)
	}
}
