package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pyodide is the folder in which `npm install` has put the package pyodide: scripts/python/tests/pyodide pins it.
func pyodide(t *testing.T, root string) string {
	t.Helper()
	if os.Getenv("RANKBOX_LONG") != "1" {
		t.Skip("it compiles for a minute: RANKBOX_LONG=1, or go run ./build test -long, runs it")
	}
	dir := os.Getenv("RANKBOX_PYODIDE")
	if dir == "" {
		dir = filepath.Join(root, "scripts", "python", "tests", "pyodide", "node_modules")
	}
	if _, err := os.Stat(filepath.Join(dir, "pyodide", "pyodide.mjs")); err != nil {
		t.Skip("there is no Pyodide: npm install in scripts/python/tests/pyodide, or RANKBOX_PYODIDE=…/node_modules")
	}
	return dir
}

// pyodideScript runs the Python in a file with the wheel unpacked where Pyodide's own installer would put it, and with
// the files of the folder. It prints what the Python returns.
const pyodideScript = `import { readFileSync, readdirSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const [modules, wheel, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(modules + '/pyodide/pyodide.mjs'));
const began = performance.now();
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(wheel)), 'wheel');
for (const name of readdirSync('.')) {
  if (statSync(name).isFile()) python.FS.writeFile(name, readFileSync(name));
}
console.log(JSON.stringify({ Started: performance.now() - began }));
const answer = await python.runPythonAsync(readFileSync(program, 'utf8')).catch((error) => {
  console.error(error.message); // without the lines of Pyodide's source, which are a megabyte
  process.exit(1);
});
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ Processor: (user + system) / 1e6 }));
console.log(answer);
`

// TestThePyodideWheelGivesTheSameFigures installs the wheel into Pyodide in an empty folder and holds what it says
// against the native program: evaluation, report, hash and figure.
func TestThePyodideWheelGivesTheSameFigures(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	modules := pyodide(t, root)
	p := newProject(root, io.Discard)
	version, err := p.version()
	if err != nil {
		t.Fatal(err)
	}
	name, wheel, err := p.pyodideWheel(context.Background(), version)
	if err != nil {
		t.Fatal(err)
	}
	if z, err := zip.NewReader(bytes.NewReader(wheel), int64(len(wheel))); err != nil || len(z.File) < 10 {
		t.Fatalf("the wheel: %v", err)
	}
	t.Run("notebooks", func(t *testing.T) { notebooksWork(t, root, modules, name, wheel) })
	dir := t.TempDir()
	program := native(t)
	demo := filepath.Join(root, "site", "collections", "harbour-wire")
	qrels, err := os.ReadFile(filepath.Join(demo, "qrels", "test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		name:        string(wheel),
		"use.mjs":   pyodideScript,
		"qrels.tsv": string(qrels),
		"bm25.run":  output(t, dir, program, "search", demo, "-quiet", "-s", "bm25(k1=1.2,b=0.75)"),
		"ql.run":    output(t, dir, program, "search", demo, "-quiet", "-s", "ql"),
		"use.py": `import json, rankbox
M = "nDCG@10 AP R(rel=2)@100 RR NumRelRet"
runs = {"bm25": "bm25.run", "ql": "ql.run"}
found = rankbox.compare("qrels.tsv", runs, M)
refused = []
for wrong in (lambda: rankbox.evaluate("none.tsv", "bm25.run", "AP"),
              lambda: rankbox.evaluate({"q": {"d": .5}}, {}, "AP"),
              lambda: rankbox.evaluate("qrels.tsv", "use.py", "AP"),
              lambda: rankbox.compare("qrels.tsv", runs, "nDGC@10"),
              lambda: found.figure("pie"), lambda: found.means):
    try: refused.append(repr(wrong()))
    except Exception as e: refused.append(type(e).__name__ + ": " + str(e))
numbers = rankbox.evaluate({"10": {"a": 1}, "2": {"a": 1}}, {"10": {"a": 1.0}, "2": {"b": 2.0, "a": 1.0}}, "RR")
json.dumps({"evaluation": rankbox.evaluate("qrels.tsv", "bm25.run", M).json, "report": found.json, "hash": found.hash,
  "svg": str(found.figure("differences", theme="dark")), "html": found._repr_html_(), "refused": refused,
  "order": list(numbers.json["queries"]), "rr": float(numbers)})
`,
	})
	var said struct {
		Evaluation, Report map[string]any
		Hash, SVG, HTML    string
		Refused, Order     []string
		RR                 float64
	}
	text := output(t, dir, "node", "use.mjs", modules, name, "use.py")
	text = strings.TrimSpace(text)
	text = text[strings.LastIndex(text, "\n")+1:] // the lines before it are of times
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	same := asPrinted(t, dir, program)
	const measures = "nDCG@10 AP R(rel=2)@100 RR NumRelRet"
	args := append([]string{"eval", "-quiet", "-q", "-o", "json", "qrels.tsv", "bm25.run"}, strings.Fields(measures)...)
	same("evaluate", said.Evaluation, args...)
	runs := []string{"-m", measures, "-run-name=bm25", "-run-name=ql", "qrels.tsv", "bm25.run", "ql.run"}
	same("compare", said.Report, append([]string{"compare", "-quiet", "-q", "-o", "json"}, runs...)...)
	if said.Hash != said.Report["hash"] || len(said.Hash) != 64 || !strings.Contains(said.HTML, said.Hash) {
		t.Errorf("the hash is %q", said.Hash)
	}
	figure := []string{"compare", "figure", "differences", "-quiet", "-theme=dark", "-o", "svg"}
	want := output(t, dir, program, append(figure, runs...)...)
	if said.SVG != want || !strings.Contains(want, "<svg ") {
		t.Errorf("figure:\n%s\nwant\n%s", said.SVG, want)
	}
	// Reciprocal ranks 1 and 1/2.
	if strings.Join(said.Order, " ") != "10 2" || said.RR != 0.75 {
		t.Errorf("order %v, want that of the judgments; RR %v, want 0.75", said.Order, said.RR)
	}
	for i, want := range []string{
		"RankboxError: none.tsv: No such file", "is no grade", "use.py: line 1: ", "nDGC", "pie",
		"pip install pandas",
	} {
		if got := said.Refused[i]; !strings.Contains(got, want) {
			t.Errorf("error %d: %q, want %q in it", i, got, want)
		}
	}
}

// notebooksWork runs the notebooks in Pyodide, each in an empty folder with the wheel, and measures from the start of
// Python to the first figure.
func notebooksWork(t *testing.T, root, modules, name string, wheel []byte) {
	runner, err := os.ReadFile(filepath.Join(root, "scripts", "python", "tests", "notebook_runner.py"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(root, "scripts", "python", "notebooks", "*.ipynb"))
	if err != nil || len(found) != 3 {
		t.Fatalf("%d notebooks, want 3 (error %v)", len(found), err)
	}
	for _, path := range found {
		notebook, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		write(t, dir, map[string]string{
			name: string(wheel), "use.mjs": pyodideScript,
			"notebook_runner.py": string(runner), "n.ipynb": string(notebook),
			"use.py": `import time; began = time.perf_counter()
import json, notebook_runner
before = time.perf_counter() - began
shown = notebook_runner.run("n.ipynb")
json.dumps(shown | {"first": shown["first"] + before})`,
		})
		var shown struct {
			Cells, Tables, Figures int
			First                  float64 // seconds
			Started                float64 // milliseconds
			Processor              float64 // seconds, of the whole run and all its threads
		}
		text := output(t, dir, "node", "use.mjs", modules, name, "use.py")
		for line := range strings.Lines(text) {
			if err := json.Unmarshal([]byte(line), &shown); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
		}
		first := shown.Started/1000 + shown.First
		t.Logf("%s: first figure %.1f s after the start of Python (%.1f s of them start it), without downloads; "+
			"all %d cells, with %d tables and %d figures, take %.1f s of processor",
			filepath.Base(path), first, shown.Started/1000, shown.Cells, shown.Tables, shown.Figures, shown.Processor)
		// The processor's time, which other work on the machine lengthens little, is longer than the wait.
		if shown.Processor > 15 || shown.First == 0 || shown.Figures < 2 || shown.Tables < 1 {
			t.Errorf("%s: want a table and two figures within 15 s of processor: %+v", filepath.Base(path), shown)
		}
	}
}

var updateDemo = flag.Bool("update-demo", false, "write the demo of the Python package again")

// TestTheDemoOfThePythonPackage holds the files of rankbox.demo() against the demo collection and the program's runs.
func TestTheDemoOfThePythonPackage(t *testing.T) {
	program := native(t)
	demo := filepath.Join("..", "..", "site", "collections", "harbour-wire")
	at := filepath.Join("..", "..", "scripts", "python", "rankbox", "demo")
	qrels, err := os.ReadFile(filepath.Join(demo, "qrels", "test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"qrels.tsv.gz": string(qrels)}
	for name, system := range map[string]string{
		"bm25": "bm25(k1=1.2,b=0.75)", "ql": "ql", "dense": "dense", "hybrid": "rrf(bm25, dense, k=60)",
	} {
		want[name+".run.gz"] = output(t, ".", program, "search", demo, "-quiet", "-k", "20", "-s", system)
	}
	for name, text := range want {
		file := filepath.Join(at, name)
		if *updateDemo {
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
			io.WriteString(z, text)
			if err := errors.Join(z.Close(), os.WriteFile(file, b.Bytes(), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || string(got) != text {
			const write = "go test ./build/tool -run TestTheDemoOf -update-demo"
			t.Errorf("%s is not what the program prints (error %v): %s", name, err, write)
		}
	}
}

// native compiles the command line.
func native(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "rankbox")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/rankbox").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestThePythonPackage runs the tests of scripts/python: what ranx, ir_measures and pytrec_eval say beside it.
func TestThePythonPackage(t *testing.T) {
	python := os.Getenv("RANKBOX_PYTHON")
	if python == "" {
		t.Skip("RANKBOX_PYTHON names no Python with what scripts/python/tests/requirements.txt lists")
	}
	program := native(t)
	test := exec.Command(python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests")
	at, err := filepath.Abs(filepath.Join("..", "..", "scripts", "python"))
	if err != nil {
		t.Fatal(err)
	}
	test.Dir = at
	test.Env = append(os.Environ(), "RANKBOX="+program, "PYTHONPATH="+at, "PYTHONDONTWRITEBYTECODE=1")
	out, err := test.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
