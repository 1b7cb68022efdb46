package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/rankbox/rankbox/build/internal/slim"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// jsWasm is the environment in which the programs of the page are compiled.
var jsWasm = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// small are the flags that keep the compiler from inlining, except where it is felt: a program is a tenth smaller on
// the way. The last pattern that matches a package holds.
func small(program string) []string {
	flags := []string{"-gcflags=all=-l"}
	hot := []string{"internal/runtime/...", module + "/core/retrieve/index", module + "/core/retrieve/rank/bm25",
		module + "/core/retrieve/rank/dense", module + "/core/base/float", module + "/wasm/kernel"}
	if program != richProgram {
		hot = append(hot, stages)
	} else {
		hot = append(hot, "unicode/utf8", module+"/core/retrieve/rank/...", module+"/core/text", module+"/core/collection/...",
			module+"/core/measure", module+"/core/measure/significance")
	}
	for _, pattern := range hot {
		flags = append(flags, "-gcflags="+pattern+"=")
	}
	return flags
}

// stages is the package whose manual the smaller programs lack: the function that drops it must be inlined for it.
const stages = module + "/core/retrieve/stage"

// published is the command that builds a program of the site or of the edge. Its bytes depend on what is linked only:
// no path, time or commit is in them, nor the ID that Go gives a build, which every source changes; by its sixty bytes
// alone a program is 3 kB more or less of Brotli.
func published(more ...string) []string {
	return append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="}, more...)
}

const module = "github.com/rankbox/rankbox"

// Programs of the site by their names in the table screens.Builds; they are compiled to .cache/wasm.
const (
	firstProgram   = string(screens.First)
	lessonsProgram = string(screens.Lessons)
	richProgram    = string(screens.Rich)

	boardProgram = "board" // wasm/board, which has no screen and is no row of the table
)

// tagsOf are the compiler's tags of a program, as the go command takes them.
func tagsOf(program string) string {
	if program == boardProgram {
		return ""
	}
	for _, b := range screens.Builds {
		if string(b.Program) == program {
			return strings.Join(b.Tags, ",")
		}
	}
	panic("no program is called " + program)
}

// programs are all of them.
func programs() (out []string) {
	for _, b := range screens.Builds {
		out = append(out, string(b.Program))
	}
	return append(out, boardProgram)
}

// packageOf is the package of a program.
func packageOf(program string) string {
	if program == boardProgram {
		return "./wasm/board"
	}
	return "./wasm/rankbox"
}

func wasmFile(program string) string { return ".cache/wasm/" + program + ".wasm" }

// overlay returns what go build -overlay takes for programs in JavaScript: the toolchain's files in their slim form.
func (p *project) overlay(ctx context.Context) (string, error) {
	goroot, err := p.goroot(ctx)
	if err != nil {
		return "", err
	}
	return slim.Overlay(goroot, p.path(".cache/overlay"))
}

// compile builds a program and returns its bytes, made slim.
func (p *project) compile(ctx context.Context, program string) ([]byte, error) {
	overlay, err := p.overlay(ctx)
	if err != nil {
		return nil, err
	}
	args := published(append([]string{"-overlay", overlay, "-tags", tagsOf(program)}, small(program)...)...)
	_, err = p.run(ctx, jsWasm, "go", append(args, "-o", p.path(wasmFile(program)), packageOf(program))...)
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(p.path(wasmFile(program)))
	if err != nil {
		return nil, err
	}
	if wasm, err = slim.Program(wasm); err == nil {
		wasm, err = slim.Unnamed(wasm)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", wasmFile(program), err)
	}
	return wasm, os.WriteFile(p.path(wasmFile(program)), wasm, 0o666)
}

func (p *project) compileOnly(ctx context.Context) error {
	for _, b := range screens.Builds {
		program := string(b.Program)
		if err := p.step("compile "+program, func() error {
			wasm, err := p.compile(ctx, program)
			if err == nil {
				p.say("  %s: %d bytes", wasmFile(program), len(wasm))
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// wasmExec returns the toolchain's own glue between Go and JavaScript. A second copy in the repository could be of
// another toolchain, so none is allowed.
func (p *project) wasmExec(ctx context.Context) ([]byte, error) {
	if p.exists("site/js/wasm_exec.js") {
		return nil, fmt.Errorf(
			"site/js/wasm_exec.js: remove it: the build takes the one of the toolchain that compiles")
	}
	goroot, err := p.goroot(ctx)
	if err != nil {
		return nil, err
	}
	glue, err := os.ReadFile(goroot + "/lib/wasm/wasm_exec.js")
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(glue, []byte("globalThis.Go")) {
		return nil, fmt.Errorf("%s/lib/wasm/wasm_exec.js does not define globalThis.Go", goroot)
	}
	return glue, nil
}
