package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRepository(t *testing.T) {
	breaches, err := Check("../../..", Rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range breaches {
		t.Error(b)
	}
}

func TestRules(t *testing.T) {
	for i, r := range Rules {
		if len(r.Reason) < 20 {
			t.Errorf("rule %d has no reason", i)
		}
	}
	cases := []struct {
		name, file, pkg, imp string
		want                 int
	}{
		{"core and the browser", "core/retrieve/rank/x_js.go", "rank", "syscall/js", 2},
		{"core and the browser in a test", "core/retrieve/rank/x_test.go", "rank", "syscall/js", 2},
		{"core and the page", "core/retrieve/rank/x.go", "rank", Module + "/wasm/app", 1},
		{"core and a program", "core/retrieve/rank/x.go", "rank", Module + "/cmd/rankbox", 1},
		{"core and the build", "core/retrieve/rank/x_test.go", "rank", Module + "/build/static", 1},
		{"core and files", "core/retrieve/rank/x.go", "rank", "os", 1},
		{"core and files in a test", "core/retrieve/rank/x_test.go", "rank", "os", 0},
		{"core and fs.FS", "core/retrieve/rank/x.go", "rank", "io/fs", 0},
		{"core and the network", "core/retrieve/rank/x.go", "rank", "net", 1},
		{"core and net/http", "core/retrieve/rank/x.go", "rank", "net/http", 1},
		{"core and JSON by reflection", "core/retrieve/rank/x.go", "rank", "encoding/json", 1},
		{"core and the log", "core/retrieve/rank/x.go", "rank", "log", 1},
		{"core and a library", "core/retrieve/rank/x.go", "rank", "github.com/google/uuid", 1},
		{"core and the stemmers", "core/text/x.go", "text", "github.com/kljensen/snowball/english", 0},
		{"core and itself", "core/text/x.go", "text", Module + "/core/retrieve/rank", 0},
		{"a library in a test", "core/text/x_test.go", "text", "github.com/tetratelabs/wazero", 0},
		{"the reference data outside of tests", "core/text/x.go", "text", Module + "/core/internal/shared", 1},
		{"the reference data in a test", "core/text/x_test.go", "text", Module + "/core/internal/shared", 0},
		{"what compares saved comparisons outside of tests", "core/retrieve/rank/x.go", "rank", Module +
			"/core/evaluate/compare/comparetest", 1},
		{"the compiler in a package for tests", "core/evaluate/compare/comparetest/x.go", "comparetest", "os/exec", 0},
		{"the page and the worker", "wasm/app/state/x.go", "state", Module + "/wasm/worker", 1},
		{"the worker and the page", "wasm/worker/x.go", "worker", Module + "/wasm/app/state", 1},
		{"the worker and Vugu", "wasm/worker/x.go", "worker", "github.com/vugu/vugu", 1},
		{"the page and the messages", "wasm/app/state/x.go", "state", Module + "/core/message", 0},
		{"the state and the components", "wasm/app/state/x.go", "state", Module + "/wasm/app/ui", 1},
		{"the browser outside its package", "wasm/app/ui/x.go", "ui", "syscall/js", 1},
		{"the browser in the state", "wasm/app/state/x_js.go", "state", "syscall/js", 1},
		{"the browser where a role starts", "wasm/worker/worker_js.go", "worker", "syscall/js", 0},
		{"the browser in its package", "wasm/internal/browser/x.go", "browser", "syscall/js", 0},
		{"the browser in a main", "wasm/rankbox/main.go", "main", "syscall/js", 0},
		{"both roles in the main", "wasm/rankbox/main.go", "main", Module + "/wasm/worker", 0},
		{"the command line and the page", "cmd/rankbox/x.go", "main", Module + "/wasm/app", 1},
		{"the command line and the server", "cmd/rankbox/serve.go", "main", Module + "/build/static", 0},
		{"the build and a script", "build/x.go", "main", Module + "/scripts/bench", 1},
		{"a name that only begins alike", "corexyz/x.go", "corexyz", "net", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			// The import is the second, so that a check of the first only would be found out.
			src := "//go:build js || ignore\n\npackage " + c.pkg + "\n\nimport (\n\t\"strings\"\n\t\"" + c.imp +
				"\"\n)\n"
			got, err := checkFile(c.file, []byte(src), Rules)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != c.want {
				t.Errorf("%d breaches, want %d: %v", len(got), c.want, got)
			}
			for _, b := range got {
				if s := b.String(); !strings.HasPrefix(s, c.file+":7: imports "+c.imp+": ") {
					t.Errorf("message %q", s)
				}
			}
		})
	}
}

func TestCheckFindsABreachOnDisk(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"core/a/a.go":                 "package a\n\nimport \"net\"\n",
		"core/a/generate.go":          "//go:build ignore\n\npackage main\n\nimport \"net\"\n",
		"core/a/testdata/b.go":        "package b\n\nimport \"net\"\n",
		"node_modules/x/core/a/a.go":  "package a\n\nimport \"net\"\n",
		".cache/core/a.go":            "package a\n\nimport \"net\"\n",
		"wasm/internal/browser/b.txt": "import \"net\"",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Check(root, Rules)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].File != "core/a/a.go" {
		t.Errorf("breaches %v", got)
	}
	if err := os.WriteFile(filepath.Join(root, "core/a/bad.go"), []byte("pack"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(root, Rules); err == nil {
		t.Error("no error for a file that is not Go")
	}
}

// The main of the page and of its worker starts what is tested elsewhere: it is one function, which tells the roles
// apart.
func TestTheMainStaysThin(t *testing.T) {
	const most = 40 // lines of main
	files, err := filepath.Glob("../../../wasm/rankbox/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	mains := 0
	for _, file := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name.Name != "main" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		mains++
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
				if g := d.(*ast.GenDecl); g.Tok != token.IMPORT {
					t.Errorf("%s: a main declares nothing but main", fset.Position(d.Pos()))
				}
			case fn.Name.Name != "main":
				t.Errorf("%s: func %s belongs into a package with tests", fset.Position(d.Pos()), fn.Name.Name)
			case fset.Position(fn.End()).Line-fset.Position(fn.Pos()).Line > most:
				t.Errorf("%s: main has more than %d lines", fset.Position(d.Pos()), most)
			}
		}
	}
	if mains == 0 {
		t.Error("there is no main")
	}
}
