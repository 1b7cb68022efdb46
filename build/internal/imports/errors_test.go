package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// An error says with Said what people are told (core/base/say), and with its type what it is: nobody cuts or searches its
// text.
func TestNobodyReadsTheTextOfAnError(t *testing.T) {
	set := token.NewFileSet()
	for _, c := range []struct {
		source string
		found  int
	}{
		{`strings.TrimPrefix(err.Error(), "play: ")`, 1},
		{`strings.TrimSuffix(strings.TrimPrefix(err.Error(), "measure: "), ".")`, 1},
		{`f(err).Error()[len("pipeline: "):]`, 1},
		{`func() { what := err.Error(); _, what, _ = strings.Cut(what, ": ") }`, 1},
		{`strings.TrimPrefix(name, "a") + err.Error()`, 0},
		{`strings.Join([]string{err.Error()}, ", ")`, 0},
		{`indent(err.Error())`, 0},
	} {
		file, err := parser.ParseFile(set, "x.go", "package x\nvar x = "+c.source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := readErrors(file); len(got) != c.found {
			t.Errorf("%s: found %d, want %d", c.source, len(got), c.found)
		}
	}
	sources(t, set, func(name string, file *ast.File) {
		for _, at := range readErrors(file) {
			t.Errorf("%s:%d reads the text of an error: give it a type, or Said", name, set.Position(at).Line)
		}
	})
}

// readErrors returns where the text of an error is cut or searched: what Error returns, directly or by a variable that
// holds it.
func readErrors(file *ast.File) (out []token.Pos) {
	texts := map[string]bool{}
	isText := func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.CallExpr:
			s, ok := x.Fun.(*ast.SelectorExpr)
			return ok && s.Sel.Name == "Error" && len(x.Args) == 0
		case *ast.Ident:
			return texts[x.Name]
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			clear(texts)
		case *ast.AssignStmt:
			for i, x := range n.Rhs {
				if to, ok := n.Lhs[i].(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					texts[to.Name] = isText(x)
				}
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 1 && isText(n.Args[0]) {
				if p, ok := f.X.(*ast.Ident); ok && p.Name == "strings" {
					out = append(out, n.Pos())
				}
			}
		case *ast.SliceExpr:
			if isText(n.X) {
				out = append(out, n.Pos())
			}
		}
		return true
	})
	return out
}

// sources calls do for every Go file of the repository, tests and generated code apart.
func sources(t *testing.T, set *token.FileSet, do func(name string, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root &&
			(base == "node_modules" || base == "testdata" || base == "dist" || strings.HasPrefix(base, ".") &&
				base != "..") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err == nil {
			do(filepath.ToSlash(relative), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
