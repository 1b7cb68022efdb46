package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// What a type may have: one that holds page state, a screen, a session or what the worker has open, and any interface.
const (
	mostMethods = 30
	mostAsked   = 8
)

// Types stay small enough to be read at one sitting: see ARCHITECTURE.md. Methods of all builds are counted.
func TestTypesStaySmall(t *testing.T) {
	tree := os.DirFS(filepath.Join("..", "..", ".."))
	methods := map[string]int{}
	files := 0
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (name == "node_modules" || d.Name() == "testdata" || d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		for _, decl := range file.Decls {
			switch x := decl.(type) {
			case *ast.FuncDecl:
				if x.Recv != nil {
					methods[path.Dir(name)+"."+receiver(x.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, spec := range x.Specs {
					named, ok := spec.(*ast.TypeSpec)
					if !ok {
						continue
					}
					of, ok := named.Type.(*ast.InterfaceType)
					if ok && of.Methods.NumFields() > mostAsked {
						t.Errorf("%s: %s asks for %d methods, more than %d", name, named.Name,
							of.Methods.NumFields(), mostAsked)
					}
				}
			}
		}
		return nil
	})
	if err != nil || files < 500 {
		t.Fatalf("%d files, %v", files, err)
	}
	for name, n := range methods {
		held := strings.HasPrefix(name, "wasm/app") || strings.HasPrefix(name, "wasm/worker.") ||
			name == "core/experiment.Session"
		if held && n > mostMethods {
			t.Errorf("%s has %d methods, more than %d", name, n, mostMethods)
		}
	}
}
