// Package imports holds the imports that are forbidden in this repository, each with its reason, and finds who has
// them: the files, by their import clauses whatever their build tags, so that a breach on one platform is found on all
// (only files marked `//go:build ignore`, which are in no package, are passed over); and the packages that come to them
// by way of others, in every build.
package imports

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Module is the path of this repository's module.
const Module = "github.com/rankbox/rankbox"

// Rule forbids packages to packages. Patterns are paths within the module ("core", "wasm/app") or of any other package;
// one that ends in /... means the package and everything below it, and "*" means every package outside the standard
// library and the module.
type Rule struct {
	From   []string // who may not
	Import []string // what
	Except []string // who of From may all the same
	Allow  []string // what of Import they all may
	Known  []string // packages of others by way of which they come to it, for a reason that stands beside
	Mains  bool     // package main may
	Tests  bool     // _test.go files may
	Direct bool     // only what a file imports itself counts
	Reason string
}

// testOnly are packages that only tests import; they may do what tests may.
var testOnly = []string{"core/internal/shared", "core/evaluate/compare/comparetest"}

// Rules are the forbidden imports.
var Rules = []Rule{
	{
		From: []string{"core/..."}, Import: []string{"syscall/js", "wasm/..."},
		Reason: "core is plain Go that builds and is tested on every platform; the browser's side calls it, never " +
			"the reverse",
	},
	{
		From: []string{"core/..."}, Import: []string{"cmd/...", "build/...", "scripts/..."},
		Reason: "core is what programs are made of; it knows none of them",
	},
	{
		From: []string{"core/..."}, Import: []string{"os", "os/...", "syscall", "io/ioutil", "path/filepath"},
		Except: testOnly, Tests: true,
		Reason: "core also runs without a file system; it reads io.Reader and fs.FS",
	},
	{
		From: []string{"core/..."}, Import: []string{"net/..."}, Tests: true,
		Reason: "core runs without a network, and package net would travel to every phone",
	},
	{
		From: []string{"core/..."}, Import: []string{"log", "log/slog", "encoding/gob", "encoding/json", "encoding/xml",
			"flag", "math/big", "reflect", "regexp", "testing/...", "text/template", "html/template"},
		// Its tests' helpers are no tests, and it logs where it panics: 22 kB of brotli in each program, of the 77 kB
		// that its languages take.
		Known:  []string{"github.com/blevesearch/snowballstem/...", "github.com/kljensen/snowball/..."},
		Except: testOnly, Tests: true,
		Reason: "core returns errors and warnings and never logs; and every kilobyte is paid by a phone",
	},
	{
		From: []string{"core/..."}, Import: []string{"*"},
		// of web pages as documents: in the rich program alone
		Allow: []string{"github.com/blevesearch/snowballstem/...", "github.com/kljensen/snowball/...",
			"golang.org/x/net/html/..."},
		Tests:  true,
		Reason: "core depends on the standard library; a library that it needs all the same is listed here",
	},
	{
		From: []string{"./..."}, Import: testOnly, Tests: true,
		Reason: "a package for tests, with the reference data or the compiler, is no part of a program",
	},
	{
		From: []string{"wasm/app/..."}, Import: []string{"wasm/worker/...", "build/...", "cmd/..."},
		Reason: "the page and the worker share core/message and nothing else of each other",
	},
	{
		From: []string{"wasm/worker/..."}, Import: []string{"wasm/app/...", "github.com/vugu/vugu/...", "build/...",
			"cmd/..."},
		Reason: "the page and the worker share core/message and nothing else of each other",
	},
	{
		From: []string{"wasm/app/state/..."}, Import: []string{"wasm/internal/browser/...", "wasm/app/ui/...",
			"github.com/vugu/vugu/..."},
		Reason: "the state of the page is plain Go that is tested natively",
	},
	{
		// wasm/app and wasm/worker themselves are the bodies of the one main: their _js.go files start a role.
		From: []string{"./..."}, Import: []string{"syscall/js"}, Except: []string{"wasm/internal/browser/...",
			"wasm/app", "wasm/worker"}, Mains: true, Direct: true,
		Reason: "the browser is reached in one place, so that everything else can be tested without one",
	},
	{
		From: []string{"core/...", "wasm/...", "build/...",
			"scripts/..."}, Import: []string{"github.com/modelcontextprotocol/...",
			"github.com/google/jsonschema-go/..."}, Tests: true,
		Reason: "only the command line answers assistants; no other program may link the protocol's library and its " +
			"dependencies",
	},
	{
		From: []string{"cmd/..."}, Import: []string{"wasm/..."}, Tests: true, // a test holds both against each other
		Reason: "the command line is a program over core",
	},
	{
		From: []string{"cmd/..."}, Import: []string{"build/..."}, Except: []string{"cmd/rankbox/..."},
		Reason: "only rankbox serve needs something of build, the server of static files",
	},
	{
		From: []string{"wasm/...", "cmd/...", "build/..."}, Import: []string{"scripts/..."},
		Reason: "scripts may use everything; nothing uses scripts",
	},
}

// binds says whether the rule holds for a package, forbids whether it is one of those that the rule forbids.
func (r Rule) binds(name string) bool   { return matchAny(r.From, name) && !matchAny(r.Except, name) }
func (r Rule) forbids(name string) bool { return matchAny(r.Import, name) && !matchAny(r.Allow, name) }

// Breach is a forbidden import.
type Breach struct {
	File, Import string // the file relative to the root, with slashes
	Line         int
	Reason       string
}

func (b Breach) String() string {
	return fmt.Sprintf("%s:%d: imports %s: %s", b.File, b.Line, b.Import, b.Reason)
}

// Check returns the breaches of the rules in every Go file below root, in the order of files and lines.
func Check(root string, rules []Rule) ([]Breach, error) {
	var out []Breach
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" ||
				d.Name() == "node_modules" || d.Name() == "dist") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		breaches, err := checkFile(filepath.ToSlash(rel), src, rules)
		out = append(out, breaches...)
		return err
	})
	return out, err
}

func checkFile(name string, src []byte, rules []Rule) ([]Breach, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ignored(f) {
		return nil, nil
	}
	from := path.Dir(name)
	test := strings.HasSuffix(name, "_test.go")
	var out []Breach
	for _, spec := range f.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		for _, r := range rules {
			if r.binds(from) && r.forbids(short(imp)) && !(r.Tests && test) && !(r.Mains && f.Name.Name == "main") {
				out = append(out, Breach{name, imp, fset.Position(spec.Pos()).Line, r.Reason})
			}
		}
	}
	return out, nil
}

// ignored says whether a file is marked `//go:build ignore`: a program that is run by its name and is part of no
// package.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				x, err := constraint.Parse(c.Text)
				tag, ok := x.(*constraint.TagExpr)
				return err == nil && ok && tag.Tag == "ignore"
			}
		}
	}
	return false
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

func match(pattern, name string) bool {
	switch pattern {
	case "./...":
		return true
	case "*": // outside the module and the standard library: the first part of the path has a dot
		first, _, _ := strings.Cut(name, "/")
		return strings.Contains(first, ".")
	}
	if stem, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == stem || strings.HasPrefix(name, stem+"/")
	}
	return name == pattern
}
