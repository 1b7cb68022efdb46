package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// noticesFile is published, and linked from the foot of every page.
const noticesFile = "licences.txt"

// onnxruntime is the notice of onnxruntime-web, whose package brings the name of its licence and not the text.
//
//go:embed onnxruntime.txt
var onnxruntime string

// notices is this repository's licence, followed by those of the toolchain and of every module that a program of the page is compiled
// from, as they stand in each. It is an error where one has none.
func (p *project) notices(ctx context.Context) ([]byte, error) {
	var b bytes.Buffer
	add := func(title, dir string) error {
		for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), bytes.TrimSpace(text))
			return nil
		}
		return fmt.Errorf("%s has no licence: it cannot be published", title)
	}
	if err := add("Rankbox", p.root); err != nil {
		return nil, err
	}
	goroot, err := p.goroot(ctx)
	if err != nil {
		return nil, err
	}
	if err := add("Go: its runtime, its library and wasm_exec.js", goroot); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(onnxruntime))
	modules := map[string]string{}
	for _, program := range programs {
		out, err := p.run(ctx, jsWasm, "go", "list", "-deps", "-tags", program, "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./wasm/rankbox")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[name] = dir
			}
		}
	}
	for _, name := range sortedKeys(modules) {
		if err := add(name, modules[name]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
