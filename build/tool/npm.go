package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/build/internal/release"
	"github.com/rankbox/rankbox/build/internal/slim"
)

// npmBudget is what each program of the npm package may weigh after Brotli, whose result varies by some 5 kB with the
// order of the functions.
const npmBudget = 1_200_000

// libraryPrograms are the programs of the npm package, with the tags that they are compiled with.
var libraryPrograms = map[string]string{"measure": "library", "search": "library,search"}

// library compiles a program of the npm package or of the Pyodide wheel, and fails if it is over its budget. Inlining
// is left to the runtime and to what loops: elsewhere it costs more bytes than time. The toolchain's files take the
// forms of the page's: Go's glue passes no environment in Node.js either.
func (p *project) library(ctx context.Context, name, tags string, budget int) ([]byte, error) {
	file := p.path(".cache/library/" + name + ".wasm")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, err
	}
	overlay, err := p.overlay(ctx)
	if err != nil {
		return nil, err
	}
	args := published("-overlay", overlay, "-tags", tags, "-gcflags=all=-l")
	hot := []string{"internal/runtime/...", module + "/core/base/float", module + "/wasm/kernel"}
	if name != "search" {
		hot = append(hot, module+"/core/collection", module+"/core/measure", module+"/core/measure/significance")
	}
	for _, pattern := range hot {
		args = append(args, "-gcflags="+pattern+"=")
	}
	env := append(p.collector(ctx, earlierCollector), jsWasm...)
	if _, err := p.run(ctx, env, "go", append(args, "-o", file, "./wasm/library")...); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if wasm, err = slim.Program(wasm); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := os.WriteFile(file, wasm, 0o666); err != nil {
		return nil, err
	}
	weight, err := p.brotli(ctx, file)
	if err != nil {
		return nil, err
	}
	p.say("  %s.wasm: %s of %s bytes after Brotli", name, thousands(weight), thousands(budget))
	if weight > budget {
		return nil, fmt.Errorf("%s is over its budget by %s bytes", file, thousands(weight-budget))
	}
	return wasm, nil
}

// brotli returns how many bytes a file has after Brotli of quality 11.
func (p *project) brotli(ctx context.Context, file string) (int, error) {
	const script = `const z = require("zlib"), b = require("fs").readFileSync(process.argv[1]);
const params = { [z.constants.BROTLI_PARAM_LGWIN]: 24, [z.constants.BROTLI_PARAM_SIZE_HINT]: b.length };
process.stdout.write(String(z.brotliCompressSync(b, { params }).length));`
	out, err := p.run(ctx, nil, "node", "-e", script, file)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(out))
}

// nodeNames are the words of Node.js for those of Go.
var nodeNames = map[string]string{"windows": "win32", "amd64": "x64"}

func nodeName(word string) string {
	if name := nodeNames[word]; name != "" {
		return name
	}
	return word
}

// nativePackage is the name of the npm package that holds the program of a platform.
func nativePackage(p release.Platform) string {
	return "@rankbox/" + nodeName(p.OS) + "-" + nodeName(p.Arch)
}

// npmManifest are the parts of package.json that are written, in npm's order.
type npmManifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	Keywords     []string          `json:"keywords,omitempty"`
	Homepage     string            `json:"homepage"`
	Repository   string            `json:"repository"`
	Licence      string            `json:"license"`
	Type         string            `json:"type,omitempty"`
	Exports      map[string]any    `json:"exports,omitempty"`
	Types        string            `json:"types,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	SideEffects  *bool             `json:"sideEffects,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"`
}

func (m npmManifest) file() (release.File, error) {
	m.Homepage, m.Repository, m.Licence = "https://github.com/rankbox/rankbox", "github:rankbox/rankbox", "Apache-2.0"
	text, err := json.MarshalIndent(m, "", "  ")
	return release.File{Name: "package/package.json", Data: append(text, '\n')}, err
}

// npmPackage returns the tarball of the npm package rankbox, as `npm pack` names its files.
func (p *project) npmPackage(ctx context.Context, version string) ([]byte, error) {
	pure := false
	m := npmManifest{
		Name: "rankbox", Version: version,
		Description: "Measures and comparisons of search results, and search, in WebAssembly",
		Keywords:    []string{"search", "evaluation", "ndcg", "bm25", "information-retrieval", "trec", "rag"},
		Type:        "module", Types: "./index.d.ts", SideEffects: &pure,
		Bin: map[string]string{"rankbox": "cli.js"},
		Exports: map[string]any{
			".":              map[string]string{"types": "./index.d.ts", "default": "./index.js"},
			"./package.json": "./package.json",
		},
		Engines: map[string]string{"node": ">=20"}, Optional: map[string]string{},
	}
	for _, x := range release.Platforms {
		m.Optional[nativePackage(x)] = version
	}
	manifest, err := m.file()
	if err != nil {
		return nil, err
	}
	files := []release.File{manifest}
	add := func(name string, data []byte) {
		files = append(files, release.File{Name: "package/" + name, Data: data, Executable: name == "cli.js"})
	}
	for _, file := range []string{
		"scripts/npm/index.js", "scripts/npm/index.d.ts", "scripts/npm/cli.js", "scripts/npm/README.md",
		"wasm/kernel/kernel.js", "wasm/kernel/kernel.wasm",
	} {
		data, err := os.ReadFile(p.path(file))
		if err != nil {
			return nil, err
		}
		add(path.Base(file), data)
	}
	glue, err := p.npmGlue(ctx)
	if err != nil {
		return nil, err
	}
	add("go.js", glue)
	var builds []linked
	for _, name := range sortedKeys(libraryPrograms) {
		wasm, err := p.library(ctx, name, libraryPrograms[name], npmBudget)
		if err != nil {
			return nil, err
		}
		add(name+".wasm", wasm)
		builds = append(builds, linked{jsWasm, libraryPrograms[name], "./wasm/library"})
	}
	notices, err := p.releaseNotices(ctx, builds...)
	if err != nil {
		return nil, err
	}
	add("LICENSE", notices)
	return release.TarGz(files)
}

// npmGlue is the toolchain's glue as a module: a function of the global object that it sets its class in, so that the
// page's or the program's own stays as it is, and of what Go writes its last words to.
func (p *project) npmGlue(ctx context.Context) ([]byte, error) {
	glue, err := p.wasmExec(ctx)
	if err != nil {
		return nil, err
	}
	const head = "// Go's wasm_exec.js, within a function. Its licence is in LICENSE.\n" +
		"export function glue(globalThis, fs) {\n"
	return []byte(head + strings.TrimSpace(string(glue)) + "\nreturn globalThis.Go;\n}\n"), nil
}

// npmNative returns the tarball of the npm package with the program of a platform.
func npmNative(x release.Platform, version string, program, notices []byte) ([]byte, error) {
	m := npmManifest{
		Name: nativePackage(x), Version: version, Description: "The command line of rankbox for " + x.String(),
		OS: []string{nodeName(x.OS)}, CPU: []string{nodeName(x.Arch)}, PreferUnplug: true,
	}
	manifest, err := m.file()
	if err != nil {
		return nil, err
	}
	const of = "The command line of [rankbox](https://www.npmjs.com/package/rankbox) for "
	return release.TarGz([]release.File{
		manifest,
		{Name: "package/bin/" + x.Program(), Data: program, Executable: true},
		{Name: "package/LICENSE", Data: notices},
		{Name: "package/README.md", Data: []byte("# " + m.Name + "\n\n" + of + x.String() + ".\n")},
	})
}

// npmTarball is the name of a package's tarball, as `npm pack` has it.
func npmTarball(name, version string) string {
	return strings.NewReplacer("@", "", "/", "-").Replace(name) + "-" + version + ".tgz"
}
