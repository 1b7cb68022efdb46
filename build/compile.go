package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
)

// jsWasm is the environment in which the programs of the page are compiled.
var jsWasm = []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}

const wasmFile = ".cache/wasm/rankbox.wasm"

// compile builds the one program that is both the page and its workers, and returns its bytes. They depend on the sources and
// the toolchain only: no path, time or commit is in them.
func (p *project) compile(ctx context.Context) ([]byte, error) {
	_, err := p.run(ctx, jsWasm, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", p.path(wasmFile), "./wasm/rankbox")
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
