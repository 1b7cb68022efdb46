// Package vugugen turns *.vugu files into Go. It is github.com/vugu/vugu/gen with seven differences: the package name
// is the one of the Go files beside (the library takes "main" where a package has an external test), the struct of
// every component is written by hand beside it (the library would add an empty one), the keys of components do not
// depend on what was generated before, the result is formatted, nodes are made by calls of wasm/internal/dom, which
// keeps the builds of components that ask for it, and the five imports that the library adds to every file are dropped
// where nothing uses them, since package log and a JSON decoder would travel to every phone, and a template may name
// the packages that the Go files beside it import. The library's notes to itself are dropped too.
//
// Order of the pipeline: x.vugu → gen.ParserGo → tidy → x_gen.go.
package vugugen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu/gen"
)

// Suffix ends the name of a generated file; what stands before it is the name of the template without ".vugu".
const Suffix = "_gen.go"

// Dir returns the Go files for the templates of one folder by file name; none where the folder holds no template. The
// same folder gives the same bytes.
func Dir(dir string) (map[string][]byte, error) {
	templates, err := filepath.Glob(filepath.Join(dir, "*.vugu"))
	if err != nil || len(templates) == 0 {
		return nil, err
	}
	pkg, err := packageName(dir)
	if err != nil {
		return nil, err
	}
	imports, err := folderImports(dir)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "vugugen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := map[string][]byte{}
	for _, template := range templates {
		stem := strings.TrimSuffix(filepath.Base(template), ".vugu")
		src, err := os.ReadFile(template)
		if err != nil {
			return nil, err
		}
		name := stem + Suffix
		p := gen.ParserGo{PackageName: pkg, StructType: typeName(stem), OutDir: tmp, OutFile: name,
			NoOptimizeStatic: true}
		if err := p.Parse(bytes.NewReader(src), filepath.Base(template)); err != nil {
			return nil, fmt.Errorf("vugugen: %s: %w", template, err)
		}
		text, err := os.ReadFile(filepath.Join(tmp, name))
		if err != nil {
			return nil, err
		}
		if out[name], err = tidy(number(text, pkg+"."+typeName(stem)), imports); err != nil {
			return nil, fmt.Errorf("vugugen: %s: the generated code: %w", template, err)
		}
	}
	return out, nil
}

// Dirs returns the folders below root that hold templates, in byte order of their paths.
func Dirs(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			if os.IsNotExist(err) && file == root {
				return nil
			}
			return err
		}
		if strings.HasSuffix(file, ".vugu") {
			dirs = append(dirs, filepath.Dir(file))
		}
		return nil
	})
	slices.Sort(dirs)
	return slices.Compact(dirs), err
}

// packageName returns the name in the package clauses of the folder's own files, or the name of the folder where it has
// none.
func packageName(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if strings.HasSuffix(file, Suffix) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", fmt.Errorf("vugugen: %w", err)
		}
		return f.Name.Name, nil
	}
	return filepath.Base(dir), nil
}

var componentKey = regexp.MustCompile(`vugu\.MakeCompKey\(0x[0-9A-F]+\^`)

// number gives the components that a file creates keys of their own, from the name of the creator and their order. The
// library's keys go on counting from one run to the next within one process.
func number(src []byte, creator string) []byte {
	n := 0
	return componentKey.ReplaceAllFunc(src, func([]byte) []byte {
		n++
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d", creator, n)
		return fmt.Appendf(nil, "vugu.MakeCompKey(0x%016X^", h.Sum64())
	})
}

// folderImports returns the imports of the Go files of a folder, tests apart: the specification by the name that the
// files use.
func folderImports(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, file := range files {
		if strings.HasSuffix(file, Suffix) || strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return nil, fmt.Errorf("vugugen: %w", err)
		}
		for _, i := range f.Imports {
			to, _ := strconv.Unquote(i.Path.Value)
			name, spec := path.Base(to), i.Path.Value
			if i.Name != nil {
				name, spec = i.Name.Name, i.Name.Name+" "+i.Path.Value
			}
			if have, ok := out[name]; ok && have != spec {
				return nil, fmt.Errorf("vugugen: %s: the name %s stands for two packages in this folder", file, name)
			}
			out[name] = spec
		}
	}
	return out, nil
}

// typeName is the library's rule for the name of a component's struct: "run-table" → "RunTable".
func typeName(stem string) string {
	parts := strings.Split(stem, "-")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// added are the imports that the library puts into every file, with the declaration that keeps the compiler quiet about
// each.
var added = map[string]string{
	"fmt":                     "fmt.Stringer",
	"log":                     "log.Logger",
	"reflect":                 "reflect.Type",
	"github.com/vugu/vjson":   "vjson.RawMessage",
	"github.com/vugu/vugu/js": "js.Value",
}

// libraryNotes are comments about the library's own affairs: the heading of the keepers, and a plan of its authors in
// every handler.
var libraryNotes = regexp.MustCompile(
	`(?m)^\s*// (?:'fix' unused imports|TODO: implement capture, etc\. mostly need to decide syntax)\n`)

// tidy drops the added imports that nothing uses and the declarations that kept them, adds those of imports, by name,
// that are used and missing, and formats.
func tidy(src []byte, imports map[string]string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	keepers := map[string]bool{}
	for _, k := range added {
		keepers[k] = true
	}
	var cut []ast.Node
	used := map[string]bool{}
	for _, decl := range file.Decls {
		if isKeeper(decl, keepers) {
			cut = append(cut, decl)
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.IMPORT || len(d.Specs) != 1 {
			continue
		}
		spec := d.Specs[0].(*ast.ImportSpec)
		path, _ := strconv.Unquote(spec.Path.Value)
		keeper, ok := added[path]
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(keeper, ".")
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if !used[name] {
			cut = append(cut, d)
		}
	}
	out := bytes.Clone(src)
	for _, n := range cut {
		for i := fset.Position(n.Pos()).Offset; i < fset.Position(n.End()).Offset; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	out, err = format.Source(libraryNotes.ReplaceAll(out, nil))
	if err != nil {
		return nil, err
	}
	out = shorten(out)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		if spec := imports[name]; missing(file, used, name) {
			out = bytes.Replace(out, []byte(ownImport), []byte(ownImport+"import "+spec+"\n"), 1)
		}
	}
	return format.Source(out)
}

// ownImport stands in every file, for the library's sake.
const ownImport = "import \"github.com/vugu/vugu\"\n"

// missing says whether a file uses the name of a package that it neither imports nor declares.
func missing(file *ast.File, used map[string]bool, name string) bool {
	return used[name] && slices.ContainsFunc(file.Unresolved, func(i *ast.Ident) bool { return i.Name == name }) &&
		!slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
			to, _ := strconv.Unquote(i.Path.Value)
			return i.Name == nil && path.Base(to) == name || i.Name != nil && i.Name.Name == name
		})
}

// The library writes every node out in full, which the compiler then inlines: most of the program would be that. The
// patterns below are what it writes; what does not fit them is left as it is.
var (
	blankText = regexp.MustCompile(
		`(?m)^\s*vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: "(?:\\[nt]| )*\\n(?:\\[nt]| ` +
			`)*"\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	someText = regexp.MustCompile(
		`(?m)^(\s*)vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(1\), Data: ` +
			`("(?:[^"\\]|\\.)*")\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	someElement = regexp.MustCompile(
		`(?m)^(\s*)vgn = &vugu\.VGNode\{Type: vugu\.VGNodeType\(3\), Namespace: ("(?:[^"\\]|\\.)*"), Data: ` +
			`("(?:[^"\\]|\\.)*"), Attr: \[\]vugu\.VGAttribute(\(nil\)|\{.*\})\}\n\s*vgparent\.AppendChild\(vgn\)\n`)
	someAttr    = regexp.MustCompile(`\{Namespace: "", Key: ("(?:[^"\\]|\\.)*"), Val: ("(?:[^"\\]|\\.)*")\}`)
	someBegin   = regexp.MustCompile(`(?m)^\s*vgout = &vugu\.BuildOut\{\}\n`)
	someUse     = regexp.MustCompile(`(?m)^(\s*)vgin\.BuildEnv\.UseComponent\(vgcompKey, vgcomp\).*\n`)
	someHandler = regexp.MustCompile(
		`(?m)^(\s*)vgn\.DOMEventHandlerSpecList = append\(vgn\.DOMEventHandlerSpecList, ` +
			`vugu\.DOMEventHandlerSpec\{\n\s*EventType: +("[a-z]+"),\n\s*Func: +(func\(event vugu\.DOMEvent\) \{ .* ` +
			`\}),\n\s*\}\)\n`)
)

const helper = "github.com/rankbox/rankbox/wasm/internal/dom"

// shorten writes nodes as calls of package dom: texts of white space with a line feed go (dom.Flatten would drop them),
// the attributes of an element become one constant string.
func shorten(src []byte) []byte {
	src = blankText.ReplaceAll(src, nil)
	src = someText.ReplaceAll(src, []byte("${1}vgn = dom.Text(vgparent, $2)\n"))
	src = someElement.ReplaceAllFunc(src, func(found []byte) []byte {
		m := someElement.FindSubmatch(found)
		var attrs []string
		for _, a := range someAttr.FindAllSubmatch(m[4], -1) {
			for _, quoted := range a[1:] {
				text, err := strconv.Unquote(string(quoted))
				if err != nil || strings.Contains(text, "\x00") {
					return found
				}
				attrs = append(attrs, text)
			}
		}
		if string(m[4]) != "(nil)" && 2*strings.Count(string(m[4]), "Namespace:") != len(attrs) {
			return found // an attribute of another form
		}
		return fmt.Appendf(nil, "%svgn = dom.Element(vgparent, %s, %s, %q)\n", m[1], m[2], m[3],
			strings.Join(attrs, "\x00"))
	})
	src = someBegin.ReplaceAll(src,
		[]byte("\n\tvgout, kept := dom.Begin(vgin, c)\n\tif kept {\n\t\treturn vgout\n\t}\n"))
	src = someUse.ReplaceAll(src, []byte("${1}dom.Use(vgin, c, vgcompKey, vgcomp)\n"))
	src = someHandler.ReplaceAll(src, []byte("${1}dom.On(vgn, $2, $3)\n"))
	return bytes.Replace(src, []byte(ownImport), []byte(ownImport+"import \""+helper+"\"\n"), 1)
}

// isKeeper says whether a declaration is `var _ log.Logger` or another of the library's.
func isKeeper(decl ast.Decl, keepers map[string]bool) bool {
	d, ok := decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR || len(d.Specs) != 1 {
		return false
	}
	v, ok := d.Specs[0].(*ast.ValueSpec)
	if !ok || len(v.Names) != 1 || v.Names[0].Name != "_" || len(v.Values) != 0 {
		return false
	}
	s, ok := v.Type.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && keepers[x.Name+"."+s.Sel.Name]
}
