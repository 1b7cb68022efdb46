package gotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead runs the real `go test -json` over small packages, so that a change in what the toolchain prints is noticed.
func TestRead(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is absent, as in js/wasm")
	}
	const fine = "func TestA(t *testing.T) { t.Run(\"x\", func(t *testing.T) {}); t.Run(\"y\", func(t " +
		"*testing.T) {}) }\n"
	cases := []struct {
		name, body              string
		passed, failed, skipped int
		says                    string // in the failures or skips
	}{
		{"subtests count, their parent does not", fine, 2, 0, 0, ""},
		{"a failing subtest", fine +
			"func TestB(t *testing.T) { t.Run(\"z\", func(t *testing.T) { t.Error(\"wrong rank\") }) }", 2, 1, 0,
			"wrong rank"},
		{"a test that fails after its subtests passed",
			"func TestB(t *testing.T) { t.Run(\"z\", func(t *testing.T) {}); t.Error(\"wrong rank\") }", 1, 1, 0,
			"wrong rank"},
		{"a skipped test with its reason", fine +
			"func TestB(t *testing.T) { t.Skip(\"reference data absent: a.json\") }", 2, 0, 1,
			"p TestB: reference data absent: a.json"},
		{"a panic", "func TestB(t *testing.T) { panic(\"index out of reach\") }", 0, 1, 0, "index out of reach"},
		{"an exit in the middle", "func TestB(t *testing.T) { os.Stdout.WriteString(\"half\\n\"); os.Exit(3) }", 0,
			1, 0, "TestB did not end:"},
		{"a package that does not compile", "func TestB(t *testing.T) { undefinedName() }", 0, 1, 0, "undefinedName"},
		{"no tests", "", 0, 0, 0, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod": "module p\n\ngo 1.26\n",
				"a_test.go": "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\nvar _ " +
					"testing.TB\n\n" + c.body,
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("go", "test", "-json", "-vet=off", "./...")
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
			out, _ := cmd.Output() // failing is part of the test
			got, err := Read(strings.NewReader(string(out)))
			if err != nil {
				t.Fatal(err)
			}
			if got.Passed != c.passed || got.Failed != c.failed || got.Skipped != c.skipped {
				t.Errorf("%d passed, %d failed, %d skipped; want %d, %d, %d\n%s", got.Passed, got.Failed, got.Skipped,
					c.passed, c.failed, c.skipped, out)
			}
			if all := strings.Join(append(got.Failures, got.Skips...), "\n"); !strings.Contains(all, c.says) {
				t.Errorf("%q is not in %q", c.says, all)
			}
		})
	}
}

func TestReadOfAnErrorOfGoItself(t *testing.T) {
	got, err := Read(strings.NewReader("go: cannot find main module\n"))
	if err != nil || got.Failed != 1 || !strings.Contains(got.Failures[0], "main module") {
		t.Errorf("%+v, %v", got, err)
	}
}
