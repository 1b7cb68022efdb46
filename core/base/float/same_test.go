//go:build !js

package float

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNothingIsFused compiles all of core for arm64, where Go fuses x*y + z, and reports every fused instruction by
// file and line: figures must have equal bits on every machine. Write float64(x*y) + z there, even if an inlined
// function makes the product.
func TestNothingIsFused(t *testing.T) {
	const core = "github.com/rankbox/rankbox/core/..."
	packages, found := fused(t, core)
	list, err := exec.Command("go", "list", core).Output()
	if err != nil {
		t.Fatal(err)
	}
	without := func(all, some []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(some, p) })
	}
	want := strings.Fields(string(list))
	if missing := without(want, packages); len(missing) > 0 {
		// A build cache may hold a package without the compiler's output. A new, empty include folder changes the
		// command, so that these packages are compiled again.
		again, more := fused(t, core, "-I", t.TempDir())
		packages, found = append(packages, again...), append(found, more...)
	}
	if missing := without(want, packages); len(missing) > 0 {
		t.Errorf("the assembly of these packages was not read: %s", strings.Join(missing, ", "))
	}
	if others := without(packages, want); len(others) > 0 {
		t.Errorf("assembly of packages that are not listed was read: %s", strings.Join(others, ", "))
	}
	for _, f := range found {
		t.Error("fused: " + f)
	}
}

// TestFusedIsSeen checks that the test above finds every fused instruction of the architecture, by line.
func TestFusedIsSeen(t *testing.T) {
	_, found := fused(t, "./testdata/fused")
	var got []string
	for _, f := range found {
		place, instruction, _ := strings.Cut(f, ": ")
		got = append(got, filepath.Base(place)+" "+instruction)
	}
	want := []string{"fused.go:4 FMADDD", "fused.go:5 FMSUBD", "fused.go:6 FNMSUBD", "fused.go:7 FNMADDD",
		"fused.go:8 FMADDS", "fused.go:9 FMSUBS", "fused.go:10 FNMSUBS", "fused.go:11 FNMADDS", "fused.go:15 FMADDD"}
	if !slices.Equal(got, want) {
		t.Errorf("seen: %q\nwant: %q", got, want)
	}
}

// An instruction in an assembly listing, for example "\t0x0048 00072 (/dir/exp.go:63)\tFMSUBD\tF3, F0, F1, F3".
var multiplyAdd = regexp.MustCompile(`^\t0x[0-9a-f]+ \d+ \((.*)\)\t(FN?M(?:ADD|SUB)[DS])\t`)

// fused compiles packages for arm64 and returns them with every fused instruction, as "file:line: instruction".
// flags are additional compiler flags.
func fused(t *testing.T, pattern string, flags ...string) (packages, found []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: compiles for another architecture")
	}
	flags = append([]string{"-S"}, flags...)
	cmd := exec.Command("go", "build", "-gcflags="+pattern+"="+strings.Join(flags, " "), pattern)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(listing)
	lines.Buffer(nil, 1<<20)
	var last string // output before an error
	for lines.Scan() {
		line := lines.Text()
		if name, ok := strings.CutPrefix(line, "# "); ok {
			packages = append(packages, name)
		} else if m := multiplyAdd.FindStringSubmatch(line); m != nil {
			found = append(found, m[1]+": "+m[2])
		}
		last = line
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("go build: %v\n%s", err, last)
	}
	return packages, found
}

// TestOthersFunctionsAreNotCalled finds calls of functions that package math computes in assembly on some
// architectures, with other bits: core must use this package's.
func TestOthersFunctionsAreNotCalled(t *testing.T) {
	others := []string{"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Erf", "Erfc",
		"Erfcinv", "Erfinv", "Exp", "Exp2", "Expm1", "FMA",
		"Gamma", "Hypot", "J0", "J1", "Jn", "Lgamma", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sincos", "Sinh",
		"Tan", "Tanh", "Y0", "Y1", "Yn"}
	files := 0
	err := fs.WalkDir(os.DirFS("../.."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join("..", "..", filepath.FromSlash(path)), nil,
			parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(others, s.Sel.Name) {
				if of, ok := s.X.(*ast.Ident); ok && of.Name == "math" {
					t.Errorf("%s: math.%s", set.Position(s.Pos()), s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || files < 300 {
		t.Errorf("%d files, error %v", files, err)
	}
}
