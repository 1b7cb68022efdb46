package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
)

// jsWasm is the environment in which the programs of the page are compiled.
var jsWasm = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

// small are the flags that keep the compiler from inlining, except where it is felt: the program is a tenth smaller on the way.
// The last pattern that matches a package holds.
var small = func() []string {
	flags := []string{"-gcflags=all=-l"}
	for _, hot := range []string{"runtime", "internal/runtime/...", "unicode/utf8", "core/index", "core/rank/...", "core/text/...", "core/significance", "core/float",
		"core/measure", "core/collection/...", "core/internal/...", "wasm/kernel"} {
		if strings.HasPrefix(hot, "core/") || strings.HasPrefix(hot, "wasm/") {
			hot = "github.com/rankbox/rankbox/" + hot
		}
		flags = append(flags, "-gcflags="+hot+"=")
	}
	return flags
}()

const wasmFile = ".cache/wasm/rankbox.wasm"

// compile builds the one program that is both the page and its workers, and returns its bytes. They depend on the sources and
// the toolchain only: no path, time or commit is in them.
func (p *project) compile(ctx context.Context) ([]byte, error) {
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w"}, small...)
	_, err := p.run(ctx, jsWasm, "go", append(args, "-o", p.path(wasmFile), "./wasm/rankbox")...)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(p.path(wasmFile))
}

func (p *project) compileOnly(ctx context.Context) error {
	return p.step("compile", func() error {
		wasm, err := p.compile(ctx)
		if err == nil {
			p.say("  %s: %d bytes", wasmFile, len(wasm))
		}
		return err
	})
}

// wasmExec returns the toolchain's own glue between Go and JavaScript. A second copy in the repository could be of another
// toolchain, so none is allowed.
func (p *project) wasmExec(ctx context.Context) ([]byte, error) {
	if p.exists("site/js/wasm_exec.js") {
		return nil, fmt.Errorf("site/js/wasm_exec.js: remove it: the build takes the one of the toolchain that compiles")
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
