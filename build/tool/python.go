package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/rankbox/rankbox/build/internal/release"
)

// notebookBudget is what the program of the Pyodide wheel may weigh after Brotli: the npm package's and figures.
const notebookBudget = 1_475_000

// notebookTags are what the program of the Pyodide wheel is compiled with.
const notebookTags = "library,notebook"

// pyodideWheel returns the wheel of the Python package with the core in WebAssembly inside, and its name. It is the
// package of the other wheels, tagged for any platform: pip prefers a wheel with a native program if there is one.
//
// It is written here, not by setuptools, so that it takes no Python.
func (p *project) pyodideWheel(ctx context.Context, version string) (name string, wheel []byte, err error) {
	files, err := p.pythonSources()
	if err != nil {
		return "", nil, err
	}
	if files["rankbox/rankbox-core.wasm"], err = p.library(ctx, "notebook", notebookTags, notebookBudget); err != nil {
		return "", nil, err
	}
	glue, err := p.wasmExec(ctx)
	if err != nil {
		return "", nil, err
	}
	core, err := os.ReadFile(p.path("scripts/python/core.js"))
	if err != nil {
		return "", nil, err
	}
	text := strings.Replace(string(core), "/* glue */", strings.TrimSpace(string(glue)), 1)
	if text == string(core) {
		return "", nil, fmt.Errorf("scripts/python/core.js has no place for Go's glue: /* glue */")
	}
	files["rankbox/rankbox-core.js"] = []byte(text)
	info := "rankbox-" + version + ".dist-info/"
	build := linked{jsWasm, notebookTags, "./wasm/library"}
	if files[info+"licenses/LICENSE"], err = p.releaseNotices(ctx, build); err != nil {
		return "", nil, err
	}
	readme, err := os.ReadFile(p.path("scripts/python/README.md"))
	if err != nil {
		return "", nil, err
	}
	files[info+"METADATA"] = []byte("Metadata-Version: 2.4\nName: rankbox\nVersion: " + version +
		"\nSummary: " + pythonSummary + "\nRequires-Python: >=3.10\nDescription-Content-Type: text/markdown\n" +
		"License-Expression: Apache-2.0\nLicense-File: LICENSE\n" +
		"Provides-Extra: pandas\nRequires-Dist: pandas>=2; extra == \"pandas\"\n\n" + string(readme))
	files[info+"WHEEL"] = []byte("Wheel-Version: 1.0\nGenerator: rankbox " + version +
		"\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	var record bytes.Buffer
	for _, file := range sortedKeys(files) {
		sum := sha256.Sum256(files[file])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(files[file]))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files[info+"RECORD"] = record.Bytes()
	var packed []release.File
	for _, file := range sortedKeys(files) {
		packed = append(packed, release.File{Name: file, Data: files[file]})
	}
	wheel, err = release.Zip(packed)
	return "rankbox-" + version + "-py3-none-any.whl", wheel, err
}

// pythonSummary is the description of scripts/python/pyproject.toml.
const pythonSummary = "Measures and comparisons of search runs, by the rankbox program"

// pythonSources are the modules of the Python package.
func (p *project) pythonSources() (map[string][]byte, error) {
	read, err := readTree(p.path("scripts/python/rankbox"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for name, data := range read {
		if path.Ext(name) == ".py" || path.Ext(name) == ".gz" || name == "py.typed" { // not what a build or a test left
			files["rankbox/"+name] = data
		}
	}
	return files, nil
}

// notebooks returns the notebooks for JupyterLite and their marimo twins as a zip.
func (p *project) notebooks() ([]byte, error) {
	read, err := readTree(p.path("scripts/python/notebooks"))
	if err != nil {
		return nil, err
	}
	var files []release.File
	for _, name := range sortedKeys(read) {
		if ext := path.Ext(name); path.Dir(name) == "." && (ext == ".ipynb" || ext == ".py") {
			files = append(files, release.File{Name: name, Data: read[name]})
		}
	}
	return release.Zip(files)
}
