package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rankbox/rankbox/build/internal/slim"
)

// workersModule is the library whose glue between Go and JavaScript the worker of the edge has.
const workersModule = "github.com/syumai/workers"

// edgeDir is where the worker is built; wasm/edge/wrangler.jsonc names it.
const edgeDir = ".cache/edge"

// edgeBudget is what the program of the worker may weigh after Brotli. A free account may have 3 MB. Inlined calls took
// it over 1,080,000; they save a tenth of a request's processor time.
const edgeBudget = 1_107_000

// edgeCommand builds the worker of the edge.
func edgeCommand(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("edge", flag.ContinueOnError)
	out := fs.String("out", p.path(edgeDir), "write it to this `folder`")
	weigh := fs.Bool("weigh", false, "compress it too, and fail if it is over its budget")
	tags := fs.String("tags", "", "build with these `tags`; fault makes it fail when asked to, for tests")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if len(fs.Args()) > 0 {
		return usageError{fmt.Sprintf("unexpected argument %q", fs.Arg(0))}
	}
	if err := p.step("edge", func() error { return p.edge(ctx, *out, *tags) }); err != nil || !*weigh {
		return err
	}
	return p.step("weigh", func() error { return p.weighEdge(ctx, filepath.Join(*out, "shared", "app.wasm")) })
}

// weighEdge holds the program against its budget, as Brotli of quality 11 gives it.
func (p *project) weighEdge(ctx context.Context, program string) error {
	n, err := p.brotli(ctx, program)
	if err != nil {
		return err
	}
	p.say("  %s of %s bytes after Brotli", thousands(n), thousands(edgeBudget))
	if n > edgeBudget+edgeBudget*headroom/100 {
		return fmt.Errorf("%s is over its budget by %s bytes", program, thousands(n-edgeBudget))
	}
	return nil
}

// edge writes the worker into the folder shared: wrangler takes all modules of a folder. The glue between Go and
// JavaScript is the library's, which gives the program its context; it is refused where it is not made for this
// toolchain.
func (p *project) edge(ctx context.Context, out, tags string) error {
	if err := os.MkdirAll(filepath.Join(out, "shared"), 0o777); err != nil {
		return err
	}
	program := filepath.Join(out, "shared", "app.wasm")
	// Calls are inlined in what a request runs through; elsewhere that costs more bytes than time. The collector is
	// the one before Go 1.26's, which is smaller and, on one thread, no slower; HTTP/2 is the runtime's of the worker,
	// not the program's.
	args := published("-tags", strings.TrimPrefix(tags+",nethttpomithttp2", ","), "-gcflags=all=-l")
	for _, inlined := range inlinedAtTheEdge {
		args = append(args, "-gcflags="+inlined+"=")
	}
	args = append(args, "-o", program, "./wasm/edge")
	env := append(p.collector(ctx, earlierCollector), jsWasm...)
	if _, err := p.run(ctx, env, "go", args...); err != nil {
		return err
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if wasm, err = slim.Program(wasm); err != nil {
		return fmt.Errorf("%s: %w", program, err)
	}
	dir, err := p.run(ctx, nil, "go", "list", "-m", "-f", "{{.Dir}}", workersModule)
	if err != nil {
		return err
	}
	assets := filepath.Join(strings.TrimSpace(string(dir)), "cmd", "workers-assets-gen", "assets")
	glue, err := os.ReadFile(filepath.Join(assets, "wasm_exec_go.js"))
	if err != nil {
		return err
	}
	own, err := p.wasmExec(ctx)
	if err != nil {
		return err
	}
	if err := sameGlue(string(glue), string(own)); err != nil {
		return err
	}
	worker, err := os.ReadFile(p.path("wasm/edge/worker.mjs"))
	if err != nil {
		return err
	}
	for name, b := range map[string][]byte{"app.wasm": wasm, "wasm_exec.js": glue, "worker.mjs": worker} {
		if err := os.WriteFile(filepath.Join(out, "shared", name), b, 0o666); err != nil {
			return err
		}
	}
	p.say("  %s: %s bytes", program, thousands(len(wasm)))
	return nil
}

// inlinedAtTheEdge are the packages whose calls the compiler inlines in the worker: those that a request runs through.
var inlinedAtTheEdge = []string{"internal/...", "runtime", "syscall/js", "unicode/utf8", "strconv", "strings",
	"slices", "sync/...", "time", module + "/core/remote/gateway/...", module + "/core/internal/..."}

// earlierCollector is the experiment by which Go 1.26 builds programs with the garbage collector of the versions before
// it.
const earlierCollector = "nogreenteagc"

// collector is the environment that turns an experiment of the toolchain on; empty, and a note, for a toolchain that
// does not know it: it would refuse every command.
func (p *project) collector(ctx context.Context, experiment string) []string {
	env := []string{"GOEXPERIMENT=" + experiment}
	if _, err := p.run(ctx, env, "go", "env", "GOEXPERIMENT"); err != nil {
		p.say("  this Go has no GOEXPERIMENT=%s: the worker has its usual collector", experiment)
		return nil
	}
	return env
}

// sameGlue says whether the library's glue is this toolchain's but for the context that it adds: what both import of
// the program must be the same functions.
func sameGlue(library, own string) error {
	names := func(s string) (out []string) {
		for line := range strings.Lines(s) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, `"runtime.`) || strings.HasPrefix(line, `"syscall/js.`) {
				name, _, _ := strings.Cut(line[1:], `"`)
				out = append(out, name)
			}
		}
		return out
	}
	a, b := strings.Join(names(library), " "), strings.Join(names(own), " ")
	if a != b || a == "" {
		return fmt.Errorf("the glue of %s is for another Go: it has %s, this toolchain's %s", workersModule, a, b)
	}
	return nil
}
