package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/build/internal/gotest"
	"github.com/rankbox/rankbox/build/internal/imports"
	"github.com/rankbox/rankbox/build/internal/links"
	"github.com/rankbox/rankbox/build/static"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// check is one part of `test`. It reports how many tests it ran; a check that is one test reports {Passed: 1} or an
// error.
type check struct {
	name  string
	lane  lane
	needs []string // checks without which it cannot run: it then fails, naming them
	run   func(p *project, ctx context.Context) (gotest.Result, error)
}

// checks are all there is, in the order in which they run: what is fast and what most often fails first.
var checks = []check{
	{"npm packages", first, nil, one((*project).packages)},
	{"formatting", first, nil, one((*project).checkFormat)},
	{"forbidden imports", first, nil, one((*project).checkForbidden)},
	{"modules", first, nil, one((*project).checkModules)},
	{"generated code", first, []string{"npm packages"}, one((*project).checkCurrent)},
	{"vet", first, nil, one((*project).vet)},
	{"staticcheck", first, nil, one((*project).staticcheck)},
	{"scripts lint", first, []string{"npm packages"}, one((*project).lintScripts)},
	{"site", browsers, []string{"npm packages"}, one((*project).site)},
	{"links of the site", browsers, []string{"site"}, one((*project).checkSiteLinks)},
	{"links of the documents", browsers, nil, one((*project).checkDocumentLinks)},
	{"size budgets", browsers, []string{"site"}, one((*project).reportSize)},
	{"Chromium", browsers, nil, one(func(p *project, ctx context.Context) error {
		_, err := p.headless(ctx)
		return err
	})},
	{"end to end", browsers, []string{"npm packages", "site", "Chromium"}, (*project).endToEnd},
	{"unit tests", packages, nil, (*project).unitTests},
	{"kernels", packages, nil, (*project).kernelTests},
	{"unit tests of the lessons' program", packages, nil, one((*project).lessonsTests)},
	{"unit tests in wasm", packages, nil, (*project).wasmTests},
	{"the edge's worker", packages, []string{"npm packages"}, one(func(p *project, ctx context.Context) error {
		return edgeCommand(ctx, p, nil)
	})},
}

func one(f func(*project, context.Context) error) func(*project, context.Context) (gotest.Result, error) {
	return func(p *project, ctx context.Context) (gotest.Result, error) {
		if err := f(p, ctx); err != nil {
			return gotest.Result{Failed: 1, Failures: []string{err.Error()}}, nil
		}
		return gotest.Result{Passed: 1}, nil
	}
}

// test runs the checks and closes with one line, "N passed, N failed, N skipped". Nothing is left out silently: tests
// that skip themselves are listed with their reasons, and so are the checks that -run leaves out.
func test(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("test", flag.ContinueOnError)
	list := fs.Bool("list", false, "print the names of the checks")
	only := fs.String("run", "", "run the checks whose name matches this regular `expression`, and their dependencies")
	fs.BoolVar(&p.fresh, "fresh", p.fresh,
		"run those tests too that passed and have not changed since, as continuous integration does")
	long := fs.Bool("long", false, "run all cases of the tests that otherwise sample theirs, as RANKBOX_LONG=1 does")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if *long {
		if err := os.Setenv("RANKBOX_LONG", "1"); err != nil {
			return err
		}
	}
	if *list {
		for _, c := range checks {
			fmt.Println(c.name)
		}
		return nil
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return usageError{fmt.Sprintf("-run: %v", err)}
	}
	chosen, left := choose(checks, pattern)
	start := time.Now()
	p.log = os.Stdout // one stream, in order
	remove, err := p.temporary()
	if err != nil {
		return err
	}
	defer remove()
	p.warnOfRoom(ctx)
	total := runChecks(ctx, p, chosen)
	for _, line := range grouped(total.Skips) {
		p.say("skipped: %s", line)
	}
	if len(left) > 0 {
		p.say("left out by -run: %s", strings.Join(left, ", "))
	}
	if len(total.Alone) > 0 {
		p.say("passed by itself, having failed beside others: %s", strings.Join(total.Alone, ", "))
	}
	p.say("%d checks in %.0f s", len(chosen), time.Since(start).Seconds())
	p.say("%d passed, %d failed, %d skipped", total.Passed, total.Failed, total.Skipped)
	if total.Failed > 0 {
		return errors.New("tests failed")
	}
	return ctx.Err()
}

// grouped joins the skipped tests of one package that have one kind of reason ("reference data absent: …") to a line.
func grouped(skips []string) []string {
	var out []string
	first := map[string]string{}
	count := map[string]int{}
	for _, s := range skips {
		name, reason, _ := strings.Cut(s, ": ")
		pkg, _, _ := strings.Cut(name, " ")
		kind, _, _ := strings.Cut(reason, ": ")
		key := pkg + ": " + kind
		if count[key]++; count[key] == 1 {
			first[key] = s
		}
	}
	for _, key := range sortedKeys(count) {
		line := first[key]
		if n := count[key] - 1; n > 0 {
			line += fmt.Sprintf(" (and %d more there for such a reason)", n)
		}
		out = append(out, line)
	}
	return out
}

// choose returns the checks that match, with what they need, in their order, and the names of the others.
func choose(all []check, pattern *regexp.Regexp) (chosen []check, left []string) {
	want := map[string]bool{}
	for _, c := range slices.Backward(all) {
		if want[c.name] || pattern.MatchString(c.name) {
			want[c.name] = true
			for _, n := range c.needs {
				want[n] = true
			}
		}
	}
	for _, c := range all {
		if want[c.name] {
			chosen = append(chosen, c)
		} else {
			left = append(left, c.name)
		}
	}
	return chosen, left
}

func names(list []check) string {
	var out []string
	for _, c := range list {
		out = append(out, c.name)
	}
	return strings.Join(out, ", ")
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}

// foreign says whether a folder of the repository holds nothing of ours.
func foreign(dir string) bool {
	switch path.Base(dir) {
	case "node_modules", "dist", "testdata":
		return true
	}
	return strings.HasPrefix(path.Base(dir), ".")
}

// sourceFiles returns the files of the repository with one of the extensions, relative to the root.
func (p *project) sourceFiles(extensions ...string) ([]string, error) {
	var out []string
	err := fs.WalkDir(os.DirFS(p.root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && foreign(name):
			return fs.SkipDir
		case !d.IsDir() && slices.Contains(extensions, path.Ext(name)):
			out = append(out, name)
		}
		return nil
	})
	return out, err
}

// checkFormat compares every Go file with what gofmt makes of it.
func (p *project) checkFormat(context.Context) error {
	files, err := p.sourceFiles(".go")
	if err != nil {
		return err
	}
	var bad []string
	for _, name := range files {
		src, err := os.ReadFile(p.path(name))
		if err != nil {
			return err
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution); err != nil {
			bad = append(bad, err.Error()) // format.Source takes pieces of a file too
		} else if want, err := format.Source(src); err != nil {
			bad = append(bad, fmt.Sprintf("%s: %v", name, err))
		} else if !bytes.Equal(src, want) {
			bad = append(bad, name)
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("not formatted (fix with gofmt -w):\n%s", strings.Join(bad, "\n"))
	}
	p.say("  %d files", len(files))
	return nil
}

func (p *project) checkForbidden(context.Context) error {
	breaches, err := imports.Check(p.root, imports.Rules)
	if err != nil {
		return err
	}
	return listed("forbidden imports", breaches)
}

// listed makes an error of a list that should be empty.
func listed[T fmt.Stringer](what string, items []T) error {
	if len(items) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s:", len(items), what)
	for _, i := range items {
		b.WriteString("\n" + i.String())
	}
	return errors.New(b.String())
}

// checkModules compares go.mod and go.sum with what the code imports.
func (p *project) checkModules(ctx context.Context) error {
	if _, err := p.run(ctx, nil, "go", "mod", "tidy", "-diff"); err != nil {
		return fmt.Errorf("go.mod or go.sum does not match the code (fix with go mod tidy): %w", err)
	}
	_, err := p.run(ctx, nil, "go", "mod", "verify")
	return err
}

func (p *project) checkCurrent(ctx context.Context) error {
	stale, err := p.checkGenerated(ctx)
	if err != nil {
		return err
	}
	if len(stale) > 0 {
		return fmt.Errorf("these files were stale and have been regenerated; commit them:\n%s",
			strings.Join(stale, "\n"))
	}
	return nil
}

func (p *project) vet(ctx context.Context) error {
	others, err := p.othersInPage(ctx)
	if err != nil {
		return err
	}
	_, native := p.run(ctx, nil, "go", "vet", "./...")
	_, page := p.run(ctx, jsWasm, "go", append([]string{"vet"}, others...)...)
	var programs error
	for _, b := range screens.Builds {
		if len(b.Tags) > 0 {
			_, err := p.run(ctx, jsWasm, "go", "vet", "-tags", tagsOf(string(b.Program)), "./wasm/rankbox")
			programs = errors.Join(programs, err)
		}
	}
	_, library := p.run(ctx, jsWasm, "go", "vet", "-tags", libraryPrograms["search"], "./wasm/library")
	_, notebook := p.run(ctx, jsWasm, "go", "vet", "-tags", notebookTags, "./wasm/library")
	return errors.Join(native, page, programs, library, notebook)
}

// lessonsTests runs the tests that only the tags of the lessons' program compile, and those of figures, for which it
// has fewer measures than other programs.
func (p *project) lessonsTests(ctx context.Context) error {
	_, err := p.run(ctx, nil, "go", "test", "-tags", tagsOf(lessonsProgram), "-run", "TestTheProgramOfLessons",
		"./wasm/app/state/learn")
	_, figures := p.run(ctx, nil, "go", "test", "-tags", tagsOf(lessonsProgram), "./core/teach/lesson/figure")
	return errors.Join(err, figures)
}

// lintScripts runs ESLint over every script of ours; eslint.config.mjs has the rules.
func (p *project) lintScripts(ctx context.Context) error {
	_, err := p.run(ctx, nil, "node", "node_modules/eslint/bin/eslint.js", "--max-warnings", "0", ".")
	return err
}

// goTest runs `go test` over packages; vet is a check of its own.
func (p *project) goTest(ctx context.Context, env []string, args ...string) (gotest.Result, error) {
	// nobody debugs what is linked here
	words := append(p.behind(), "go", "test", "-json", "-vet=off", "-ldflags=-s -w", "-timeout=40m")
	if p.fresh {
		words = append(words, "-count=1") // else go leaves out what it has seen pass
	}
	c := p.cmd(ctx, nil, words[0], append(words[1:], args...)...)
	c.Env = append(smallEnvironment(), env...)
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err != nil {
		return gotest.Result{}, err
	}
	if err := c.Start(); err != nil {
		return gotest.Result{}, err
	}
	res, err := gotest.Read(pipe)
	end := c.Wait()
	if err != nil {
		return gotest.Result{}, err
	}
	if end != nil && res.Failed == 0 {
		return *res, fmt.Errorf("go test: %w, though no test failed", end)
	}
	if end == nil && res.Passed+res.Failed == 0 {
		return *res, errors.New("go test ran no test")
	}
	return *res, nil
}

// packagesOf returns the import paths that patterns name, less those that a filter refuses.
func (p *project) packagesOf(ctx context.Context, keep func(string) bool, patterns ...string) ([]string, error) {
	out, err := p.run(ctx, nil, "go", append([]string{"list"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range strings.Fields(string(out)) {
		if keep(name) {
			list = append(list, name)
		}
	}
	return list, nil
}

// othersInPage are the packages that have other files, or tests of other files, in the browser than natively. What is
// the same needs no second look: its sizes of integers are too. What there is natively none of is named as a pattern,
// which may match nothing.
func (p *project) othersInPage(ctx context.Context) ([]string, error) {
	list := func(env []string) (map[string]string, error) {
		out, err := p.run(ctx, env, "go", "list", "-f",
			"{{.ImportPath}}\t{{.GoFiles}}{{.TestGoFiles}}{{.XTestGoFiles}}", "./core/...", "./wasm/...")
		files := map[string]string{}
		for line := range strings.Lines(string(out)) {
			name, list, _ := strings.Cut(line, "\t")
			files[name] = list
		}
		return files, err
	}
	native, err := list(nil)
	if err != nil {
		return nil, err
	}
	page, err := list(jsWasm)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, name := range sortedKeys(page) {
		switch files, ok := native[name]; {
		case !ok:
			others = append(others, name+"...")
		case files != page[name]:
			others = append(others, name)
		}
	}
	return others, nil
}

func isKernel(pkg string) bool { return strings.Contains(pkg+"/", "/wasm/kernel/") }

// unitTests runs every test there is on this machine, but those of the kernels, which are reported apart.
func (p *project) unitTests(ctx context.Context) (gotest.Result, error) {
	packages, err := p.packagesOf(ctx, func(pkg string) bool { return !isKernel(pkg) }, "./...")
	if err != nil {
		return gotest.Result{}, err
	}
	return p.goTest(ctx, nil, packages...)
}

// kernelTests runs the kernels in a WebAssembly interpreter on this machine against their Go twins.
func (p *project) kernelTests(ctx context.Context) (gotest.Result, error) {
	return p.goTest(ctx, nil, "./wasm/kernel/...")
}

// bits are the packages that compute with floating point: Go's math, its compiler and its fusing of instructions differ
// between machines, and their tests check every result to its last bit. Tests of text, bytes and whole numbers pass or
// fail alike in wasm, where an int has 64 bits too. A test checks that the importers of core/base/float are listed.
var bits = []string{
	"./core/intake/scores/...",
	"./core/base/float/...", "./core/evaluate/analysis/...", "./core/evaluate/compare/...",
	"./core/evaluate/evaluation/...", "./core/evaluate/report/...", "./core/experiment/...", "./core/measure/...",
	"./core/present/chart/...", "./core/retrieve/encoder/...", "./core/retrieve/rank/...",
	"./core/retrieve/stage/...", "./core/teach/lesson/...", "./wasm/kernel/...",
}

// wasmTests runs the tests whose bits matter again, compiled for the browser, under Node.js.
func (p *project) wasmTests(ctx context.Context) (gotest.Result, error) {
	goroot, err := p.goroot(ctx)
	if err != nil {
		return gotest.Result{}, err
	}
	launcher := filepath.Join(goroot, "lib", "wasm", "go_js_wasm_exec")
	if p.exists("wasm/kernel/exec/wasm_exec_kernel.mjs") { // knows the kernels, which the toolchain's own does not
		launcher = "node --stack-size=8192 " + p.path("wasm/kernel/exec/wasm_exec_kernel.mjs")
	}
	return p.goTest(ctx, jsWasm, append([]string{"-exec=" + launcher}, bits...)...)
}

// smallEnvironment is the part of the environment that a Go program needs. A js/wasm program has 8 kB for it and for
// its arguments, which the variables of a CI machine exceed.
func smallEnvironment() []string {
	var out []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "PATH", "HOME", "TMPDIR", "TMP", "TEMP", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT", "XDG_CACHE_HOME",
			"HTTP_PROXY", "HTTPS_PROXY",
			"NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE":
			out = append(out, v)
		default:
			if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "RANKBOX_") {
				out = append(out, v)
			}
		}
	}
	return out
}

// checkSiteLinks follows the links of every page of the built site.
func (p *project) checkSiteLinks(context.Context) error {
	config, err := p.netlify()
	if err != nil {
		return err
	}
	tree, err := readTree(p.path(config.Publish))
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for name, data := range tree {
		files[static.Address(name)] = data
	}
	problems, n := links.Site(files)
	p.say("  %d links", n)
	return listed("problems", problems)
}

// checkDocumentLinks follows the links of every Markdown file.
func (p *project) checkDocumentLinks(context.Context) error {
	problems, n, err := links.Documents(os.DirFS(p.root), foreign)
	if err != nil {
		return err
	}
	p.say("  %d links", n)
	return listed("problems", problems)
}
