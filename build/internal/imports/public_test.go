package imports

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The packages that README.md offers to other modules are those of core that have an example, eight at most: see
// docs/adr/0011-public-packages.md.
func TestPublicPackagesHaveExamples(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed, examples []string
	for _, m := range regexp.MustCompile("\\[`(\\w+)`\\]\\(core/([\\w/]+)\\)").FindAllStringSubmatch(string(readme), -1) {
		if m[1] != path.Base(m[2]) {
			t.Errorf("%s leads to core/%s", m[1], m[2])
		}
		listed = append(listed, m[1])
	}
	for _, depth := range []string{"*", "*/*"} {
		found, err := filepath.Glob(filepath.Join(root, "core", filepath.FromSlash(depth), "example_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			examples = append(examples, filepath.Base(filepath.Dir(f)))
		}
	}
	slices.Sort(examples)
	slices.Sort(listed)
	if !slices.Equal(listed, examples) || len(listed) == 0 || len(listed) > 8 {
		t.Errorf("README.md lists %s, and there are examples of %s", listed, examples)
	}
}

// The lines of Go in README.md compile.
func TestTheGoOfTheReadmeCompiles(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) != 1 {
		t.Fatalf("%d blocks of Go", len(blocks))
	}
	var uses strings.Builder
	for _, name := range []string{"judged", "run", "c", "means", "err"} {
		uses.WriteString("\t_ = " + name + "\n")
	}
	text := "package main\n\nimport (\n\t\"io\"\n\n\t\"github.com/rankbox/rankbox/core/collection\"\n" +
		"\t\"github.com/rankbox/rankbox/core/evaluate/compare\"\n)\n\nfunc main() {\n\tvar qrels, bm25 io.Reader\n" +
		blocks[0][1] + uses.String() + "}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(root, "build", "internal", "readme", "main.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(list, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", os.DevNull, "-overlay", list, "./build/internal/readme")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, text)
	}
}
