package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rankbox/rankbox/wasm/app/screens"
)

// noticesFile is published, and linked from the foot of every page.
const noticesFile = "licences.txt"

// onnxruntime is the notice of onnxruntime-web, whose package brings the name of its licence and not the text.
//
//go:embed onnxruntime.txt
var onnxruntime string

// licence is what stands in a folder about how it may be used: its licence, and the notice that some ask to be passed
// on with it. It is an error where there is no licence.
func licence(title, dir string) ([]byte, error) {
	var text []byte
	for _, name := range []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "COPYING"} {
		var err error
		if text, err = os.ReadFile(filepath.Join(dir, name)); err == nil {
			break
		}
	}
	if text == nil {
		return nil, fmt.Errorf("%s has no licence: it cannot be published", title)
	}
	for _, name := range []string{"NOTICE", "NOTICE.md", "NOTICE.txt"} {
		if more, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			text = append(append(bytes.TrimSpace(text), "\n\n"...), more...)
		}
	}
	return bytes.TrimSpace(text), nil
}

// notices is this repository's licence, followed by those of the toolchain and of every module that a program of the
// page, or the command that has the site within it, is compiled from, as they stand in each. It is an error where one
// has none.
func (p *project) notices(ctx context.Context) ([]byte, error) {
	var b bytes.Buffer
	add := func(title, dir string) error {
		text, err := licence(title, dir)
		if err == nil {
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), text)
		}
		return err
	}
	if err := add("Rankbox", p.root); err != nil {
		return nil, err
	}
	for _, font := range []struct{ title, file string }{
		{"Rankbox Serif: a subset of Source Serif 4", "OFL-source-serif-4.txt"},
		{"Rankbox Sans: a subset of IBM Plex Sans", "OFL-ibm-plex-sans.txt"},
	} {
		text, err := os.ReadFile(p.path("scripts/fonts/" + font.file))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", font.title, strings.Repeat("=", len(font.title)), bytes.TrimSpace(text))
	}
	goroot, err := p.goroot(ctx)
	if err != nil {
		return nil, err
	}
	if err := add("Go: its runtime, its library and wasm_exec.js", goroot); err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(onnxruntime))
	var builds []linked
	for _, b := range screens.Builds {
		builds = append(builds, linked{jsWasm, tagsOf(string(b.Program)), "./wasm/rankbox"}) // wasm/board has no more
	}
	modules, err := p.modulesOf(ctx, append(builds, commandLine)...)
	if err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(modules) {
		if err := add(name, modules[name]); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// linked is a program as it is compiled.
type linked struct {
	env           []string
	tags, program string
}

var commandLine = linked{[]string{"CGO_ENABLED=0"}, "", "./cmd/rankbox"}

// modulesOf returns the folders of the modules that programs are compiled from, by path and version.
func (p *project) modulesOf(ctx context.Context, builds ...linked) (map[string]string, error) {
	const form = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}"
	modules := map[string]string{}
	for _, l := range builds {
		out, err := p.run(ctx, l.env, "go", "list", "-deps", "-tags", l.tags, "-f", form, l.program)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
				modules[name] = dir
			}
		}
	}
	return modules, nil
}

// releaseNotices is this repository's licence, followed by those of Go and of every module that released programs are
// compiled from.
func (p *project) releaseNotices(ctx context.Context, builds ...linked) ([]byte, error) {
	modules, err := p.modulesOf(ctx, builds...)
	if err != nil {
		return nil, err
	}
	goroot, err := p.goroot(ctx)
	if err != nil {
		return nil, err
	}
	titles := append([]string{"Rankbox", "Go: its runtime and its library"}, sortedKeys(modules)...)
	modules[titles[0]], modules[titles[1]] = p.root, goroot
	var b bytes.Buffer
	for _, title := range titles {
		text, err := licence(title, modules[title])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", title, strings.Repeat("=", len(title)), text)
	}
	return b.Bytes(), nil
}
