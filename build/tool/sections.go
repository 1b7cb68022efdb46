package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
)

// section is a part of a file that people write which is generated, between two lines that say so.
type section struct {
	file    string // relative to the root
	name    string
	comment [2]string // what a comment begins and ends with there
	text    func(p *project, ctx context.Context) (string, error)
}

var sections = []section{
	{"site/js/dom.js", "operations", [2]string{"// ", ""}, (*project).operations},
}

// generateSections writes the sections anew.
func (p *project) generateSections(ctx context.Context) error {
	for _, s := range sections {
		text, err := s.text(p, ctx)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", s.file, s.name, err)
		}
		file, err := os.ReadFile(p.path(s.file))
		if err != nil {
			return err
		}
		whole, err := s.put(string(file), text)
		if err != nil {
			return err
		}
		if err := update(p.path(s.file), []byte(whole)); err != nil {
			return err
		}
	}
	return nil
}

// put returns a file with text, which ends with a line feed, between the lines of the section.
func (s section) put(file, text string) (string, error) {
	begin := s.comment[0] + "generated: " + s.name + s.comment[1] + "\n"
	end := s.comment[0] + "end of " + s.name + s.comment[1] + "\n"
	before, rest, ok := strings.Cut(file, begin)
	_, after, both := strings.Cut(rest, end)
	if !ok || !both || strings.Contains(after, begin) {
		return "", fmt.Errorf("%s: want %q and %q, once each", s.file, begin, end)
	}
	return before + begin + text + end + after, nil
}

// operations are the numbers of the renderer's operations as JavaScript: the Op constants of wasm/internal/dom in their
// order.
func (p *project) operations(context.Context) (string, error) {
	const file, prefix = "wasm/internal/dom/diff.go", "Op"
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, p.path(file), nil, 0)
	if err != nil {
		return "", err
	}
	check := types.Config{Importer: importer.Default(), Error: func(error) {}} // the rest of the package is not there
	known := types.Info{Defs: map[*ast.Ident]types.Object{}}
	check.Check("dom", set, []*ast.File{tree}, &known)
	var b strings.Builder
	seen := map[string]string{}
	for _, d := range tree.Decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		for _, s := range block.Specs {
			for _, name := range s.(*ast.ValueSpec).Names {
				stem, ok := strings.CutPrefix(name.Name, prefix)
				if !ok {
					continue
				}
				c, ok := known.Defs[name].(*types.Const)
				if !ok || c.Val().Kind() != constant.Int {
					return "", fmt.Errorf("%s: %s is no whole number", file, name.Name)
				}
				value := c.Val().ExactString()
				if other, ok := seen[value]; ok {
					return "", fmt.Errorf("%s: %s and %s are both %s", file, other, name.Name, value)
				}
				seen[value] = name.Name
				fmt.Fprintf(&b, "const %s%s = %s;\n", strings.ToLower(prefix), stem, value)
			}
		}
	}
	if b.Len() == 0 {
		return "", fmt.Errorf("%s: no constant begins with %s", file, prefix)
	}
	return b.String(), nil
}
