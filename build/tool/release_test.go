package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/build/internal/release"
)

// TestAReleaseIsReproducibleAndWorksInAnEmptyFolder builds this machine's part of a release twice, from what the
// compiler keeps and linked anew, and installs what came out into empty folders.
func TestAReleaseIsReproducibleAndWorksInAnEmptyFolder(t *testing.T) {
	if os.Getenv("RANKBOX_LONG") != "1" {
		t.Skip("it compiles for minutes: RANKBOX_LONG=1, or go run ./build test -long, runs it")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(root, io.Discard)
	host := release.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}
	_, noNode := exec.LookPath("npm")
	args := []string{"-only", host.String(), "-wheels=false"}
	if noNode != nil {
		args = append(args, "-npm=false")
	}
	var sums [2][]byte
	var out string
	for i := range sums {
		out = filepath.Join(t.TempDir(), "out")
		if err := releaseCommand(context.Background(), p, append(args, "-out", out)); err != nil {
			t.Fatal(err)
		}
		if sums[i], err = os.ReadFile(filepath.Join(out, "SHA256SUMS")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(sums[0], sums[1]) {
		t.Fatalf("two builds differ:\n%s\n%s", sums[0], sums[1])
	}
	for line := range strings.Lines(string(sums[1])) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || release.Sum(data) != sum {
			t.Errorf("%s: error %v, sum %s, want %s", name, err, release.Sum(data), sum)
		}
	}
	version, err := p.version()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("archive", func(t *testing.T) { archiveWorks(t, root, filepath.Join(out, host.Archive(version)), version) })
	t.Run("install", func(t *testing.T) { installs(t, root, out, host.Archive(version), version) })
	t.Run("container", func(t *testing.T) { containerWorks(t, filepath.Join(out, "container"), host) })
	t.Run("npm", func(t *testing.T) {
		if noNode != nil {
			t.Skip("there is no npm: ", noNode)
		}
		npmWorks(t, root, out, host, version)
	})
}

// emulators run programs of machines that this one is not.
var emulators = []struct {
	machine  release.Platform
	programs []string // by any of these names
}{
	{release.Platform{OS: "linux", Arch: "arm64"}, []string{"qemu-aarch64-static", "qemu-aarch64"}},
	{release.Platform{OS: "windows", Arch: "amd64"}, []string{"wine64", "wine", "/usr/lib/wine/wine64"}},
}

// TestAReleaseOfAnotherMachineSaysTheSame builds the archives of machines that an installed emulator runs, and holds
// what their programs print against this machine's, hashes included.
func TestAReleaseOfAnotherMachineSaysTheSame(t *testing.T) {
	if os.Getenv("RANKBOX_LONG") != "1" {
		t.Skip("it compiles for minutes: RANKBOX_LONG=1, or go run ./build test -long, runs it")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(root, io.Discard)
	version, err := p.version()
	if err != nil {
		t.Fatal(err)
	}
	host := release.Platform{OS: runtime.GOOS, Arch: runtime.GOARCH}
	if os.Getenv("WINEPREFIX") == "" {
		t.Setenv("WINEPREFIX", t.TempDir())
	}
	for _, e := range emulators {
		t.Run(e.machine.String(), func(t *testing.T) {
			emulator := ""
			for _, name := range e.programs {
				if found, err := exec.LookPath(name); err == nil && emulator == "" {
					emulator = found
				}
			}
			if emulator == "" || e.machine == host {
				t.Skip("none of these is installed, or none is needed: ", strings.Join(e.programs, ", "))
			}
			out := filepath.Join(t.TempDir(), "out")
			args := []string{"-only", host.String() + "," + e.machine.String(), "-npm=false", "-wheels=false",
				"-out", out}
			if err := releaseCommand(context.Background(), p, args); err != nil {
				t.Fatal(err)
			}
			native := unpacked(t, filepath.Join(out, host.Archive(version)))
			foreign := program(t, filepath.Join(out, e.machine.Archive(version)), e.machine.Program())
			if msg, err := exec.Command(emulator, foreign, "version").CombinedOutput(); err != nil &&
				bytes.Contains(msg, []byte("bcryptprimitives.dll not found")) {
				t.Skip("this Wine is too old for Go: it has no bcryptprimitives.dll")
			}
			dir := t.TempDir()
			write(t, dir, map[string]string{"q.txt": "q1 0 d1 1\nq2 0 d3 2\n",
				"a.run": "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\nq2 Q0 d3 1 1 a\n",
				"b.run": "q1 Q0 d1 1 2 b\nq2 Q0 d2 1 .3 b\nq2 Q0 d3 2 .1 b\n"})
			for _, words := range [][]string{{"eval", "-q", "q.txt", "a.run", "nDCG@10", "ERR@10"},
				{"compare", "q.txt", "a.run", "b.run", "-quiet", "-o", "json"}} {
				want := output(t, dir, native, words...)
				if got := output(t, dir, emulator, append([]string{foreign}, words...)...); got != want {
					t.Errorf("%s:\n%s\nwant\n%s", words[0], got, want)
				}
			}
			if said := output(t, dir, emulator, foreign, "version"); !strings.HasPrefix(said, "rankbox v"+version+" ") {
				t.Errorf("version: %q", said)
			}
		})
	}
}

// program unpacks the program out of an archive for any machine.
func program(t *testing.T, archive, name string) string {
	t.Helper()
	if !strings.HasSuffix(archive, ".zip") {
		return unpacked(t, archive)
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{name: string(data)})
	return filepath.Join(dir, name)
}

// unpacked unpacks an archive into an empty folder and returns its program.
func unpacked(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	if msg, err := exec.Command("tar", "-xf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, msg)
	}
	return filepath.Join(dir, release.Platform{OS: runtime.GOOS}.Program())
}

// output runs a program in a folder and returns what it prints.
func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, text, errs.String())
	}
	return string(text)
}

// asPrinted compares JSON with what a command line prints for arguments, value by value.
func asPrinted(t *testing.T, dir, program string) func(what string, got map[string]any, args ...string) {
	return func(what string, got map[string]any, args ...string) {
		t.Helper()
		var want map[string]any
		if err := json.Unmarshal([]byte(output(t, dir, program, args...)), &want); err != nil {
			t.Fatal(err)
		}
		a, _ := json.Marshal(got) // keys in order, floats as they are
		b, _ := json.Marshal(want)
		if !bytes.Equal(a, b) {
			t.Errorf("%s:\n%s\nwant\n%s", what, a, b)
		}
	}
}

func archiveWorks(t *testing.T, root, archive, version string) {
	program := unpacked(t, archive)
	if said := output(t, filepath.Dir(program), program, "version"); !strings.HasPrefix(said, "rankbox v"+version+" ") {
		t.Errorf("version: %q", said)
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"qrels.txt": "q1 0 d1 1\n", "a.run": "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\n"})
	// d1 at rank 2: a reciprocal rank of 1/2.
	if said := output(t, dir, program, "eval", "qrels.txt", "a.run", "RR"); said != "RR\t0.5000\n" {
		t.Errorf("eval: %q", said)
	}
}

// installs holds the script of the action against a folder that is laid out as the releases are.
func installs(t *testing.T, root, out, archive, version string) {
	if _, err := exec.LookPath("curl"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no curl, or no bash")
	}
	releases := t.TempDir()
	files := map[string]string{}
	for _, name := range []string{"SHA256SUMS", archive} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		files["v"+version+"/"+name] = string(data)
	}
	files["v0.0.1/SHA256SUMS"] = files["v"+version+"/SHA256SUMS"]
	write(t, releases, files)
	install := func(tag string) (dir string, code int, said string) {
		dir = t.TempDir()
		c := exec.Command(filepath.Join(root, "scripts", "release", "install.sh"), tag, dir)
		c.Env = append(os.Environ(), "RANKBOX_RELEASES=file://"+releases)
		msg, err := c.CombinedOutput()
		if c.ProcessState == nil {
			t.Fatal(err)
		}
		return dir, c.ProcessState.ExitCode(), string(msg)
	}
	dir, code, said := install("v" + version)
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	said = output(t, dir, filepath.Join(dir, "rankbox"), "version")
	if !strings.HasPrefix(said, "rankbox v"+version+" ") {
		t.Errorf("version: %q", said)
	}
	for _, tag := range []string{"main", "v9.9.9", "v0.0.1"} {
		if _, code, said := install(tag); code != 4 {
			t.Errorf("%s: exit code %d, want 4\n%s", tag, code, said)
		}
	}
	write(t, releases, map[string]string{"v" + version + "/" + archive: "damaged"})
	if dir, code, said := install("v" + version); code != 1 || !strings.Contains(said, "is damaged") {
		t.Errorf("damaged: exit code %d in %s\n%s", code, dir, said)
	}
}

// containerWorks reads the Containerfile and does its steps by hand, without the base image: the program runs in a root
// that holds nothing but it, with a folder mounted as the comment of the file says.
func containerWorks(t *testing.T, context string, host release.Platform) {
	text, err := os.ReadFile(filepath.Join(context, "Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	rooted := t.TempDir()
	var steps []string
	var entry []string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		steps = append(steps, words[0])
		switch words[0] {
		case "FROM", "ARG": // the image is of a registry; the argument is the builder's
			if len(words) != 2 {
				t.Errorf("%q: want one word", line)
			}
		case "COPY":
			if len(words) != 3 || host.OS != "linux" {
				t.Skipf("%q: its source is of Linux, or not one file", line)
			}
			from := strings.ReplaceAll(words[1], "${TARGETARCH}", host.Arch)
			data, err := os.ReadFile(filepath.Join(context, from))
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(rooted, words[2])
			if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, 0o755)); err != nil {
				t.Fatal(err)
			}
		case "ENTRYPOINT":
			_, list, _ := strings.Cut(line, " ")
			if err := json.Unmarshal([]byte(list), &entry); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		default:
			t.Errorf("%q is a step that this test does not do", line)
		}
	}
	if said := strings.Join(steps, " "); said != "FROM ARG COPY ENTRYPOINT" {
		t.Errorf("steps %s", said)
	}
	write(t, rooted, map[string]string{
		"work/qrels.txt": "q1 0 d1 1\n", "work/a.run": "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\n",
	})
	if err := exec.Command("unshare", "-r", "chroot", rooted, entry[0], "version").Run(); err != nil {
		t.Skip("no root of one's own here: ", err)
	}
	args := append([]string{"-r", "chroot", rooted}, append(entry, "eval", "/work/qrels.txt", "/work/a.run", "RR")...)
	// d1 at rank 2: a reciprocal rank of 1/2.
	if said := output(t, rooted, "unshare", args...); said != "RR\t0.5000\n" {
		t.Errorf("eval: %q", said)
	}
}

// npmWorks installs the tarballs into an empty folder, and compares what the library and npx say with what the
// program says.
func npmWorks(t *testing.T, root, out string, host release.Platform, version string) {
	program := unpacked(t, filepath.Join(out, host.Archive(version)))
	demo := filepath.Join(root, "site", "collections", "harbour-wire")
	qrels := filepath.Join(demo, "qrels", "test.tsv")
	const system, words = "bm25(k1=1.2,b=0.75)", "nDCG@10 AP R(rel=2)@100 RR NumRelRet"
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"package.json": `{"private": true, "type": "module"}`,
		"bm25.run":     output(t, dir, program, "search", demo, "-quiet", "-s", system),
		"ql.run":       output(t, dir, program, "search", demo, "-quiet", "-s", "ql"),
		"use.mjs": `import { readFileSync } from 'node:fs';
import { evaluate, compare, index, search, explain } from 'rankbox';
const [demo, system, measures, query, document] = process.argv.slice(2);
const read = (name) => readFileSync(name);
const qrels = read(demo + '/qrels/test.tsv');
const bm25 = read('bm25.run'), ql = read('ql.run');
const evaluation = await evaluate(qrels, bm25, measures);
const report = await compare(qrels, { bm25, ql }, measures);
const opened = await index(read(demo + '/corpus.jsonl'), { queries: read(demo + '/queries.jsonl'), qrels });
const run = await opened.run({ system, k: 100 });
const again = await compare(qrels, { bm25: run, ql }, measures);
const hits = await search(opened, query, { system, k: 5 });
const why = await explain(opened, query, document, { system });
const refused = [];
for (const wrong of [() => evaluate('qrels.txt', bm25, 'AP'), () => evaluate({ q1: { d1: 0.5 } }, bm25, 'AP'),
  () => evaluate(qrels, 'q01 Q0 d1 1 high x\n', 'AP'), () => search(opened, query, { system: 'bm52' })]) {
  await wrong().then(() => refused.push('nothing'), (error) => refused.push(error.name + ': ' + error.message));
}
await opened.close();
const globals = typeof Go + typeof fs;
console.log(JSON.stringify({ evaluation, report, again: again.hash, run, hits, why, refused, globals }));
`,
	})
	library, native := npmTarball("rankbox", version), npmTarball(nativePackage(host), version)
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", "--offline",
		filepath.Join(out, library), filepath.Join(out, native))
	npm.Dir, npm.Env = dir, append(os.Environ(), "npm_config_cache="+t.TempDir())
	if msg, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, msg)
	}
	hits := strings.Fields(output(t, dir, program, "search", demo, "-quiet", "-s", system))
	query, document := hits[0], hits[2]
	text := output(t, dir, "node", "use.mjs", demo, system, words, query, document)
	var said struct {
		Evaluation, Report map[string]any
		Again              string
		Run                map[string]map[string]float64
		Hits               []struct {
			Rank  int
			ID    string
			Score float64
		}
		Why     map[string]any
		Refused []string
		Globals string
	}
	if err := json.Unmarshal([]byte(text), &said); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	same := asPrinted(t, dir, program)
	delete(said.Evaluation, "warnings")
	delete(said.Report, "files")
	args := append([]string{"eval", "-quiet", "-q", "-o", "json", qrels, "bm25.run"}, strings.Fields(words)...)
	same("evaluate", said.Evaluation, args...)
	same("compare", said.Report, "compare", "-quiet", "-q", "-o", "json", "-m", words, qrels, "bm25.run", "ql.run")
	same("explain", said.Why, "explain", "-quiet", "-o", "json", "-s", system, demo, query, document)
	hash := said.Report["hash"]
	if said.Again != hash || !regexp.MustCompile("^[0-9a-f]{64}$").MatchString(said.Again) {
		t.Errorf("the hash with the package's own run is %s, with the command's %v", said.Again, hash)
	}
	if len(said.Hits) != 5 {
		t.Fatalf("%d hits, want 5", len(said.Hits))
	}
	if best := said.Hits[0]; best.ID != document || best.Rank != 1 || best.Score != said.Run[query][document] {
		t.Errorf("search: %+v, want %s first", said.Hits, document)
	}
	for i, want := range []string{"is no text of a file", "is no grade", "line 1", "bm52"} {
		if got := said.Refused[i]; !strings.HasPrefix(got, "RankboxError: ") || !strings.Contains(got, want) {
			t.Errorf("error %d: %q, want %q in it", i, got, want)
		}
	}
	if said.Globals != "undefinedundefined" {
		t.Errorf("the package sets globals: %s", said.Globals)
	}
	if a, b := output(t, dir, "npx", "--offline", "rankbox", "version"), output(t, dir, program, "version"); a != b {
		t.Errorf("npx rankbox version: %q, want %q", a, b)
	}
	failed := exec.Command("npx", "--offline", "rankbox", "eval")
	failed.Dir = dir
	if failed.Run(); failed.ProcessState.ExitCode() != 2 {
		t.Errorf("npx rankbox eval: exit code %d, want 2", failed.ProcessState.ExitCode())
	}
}
