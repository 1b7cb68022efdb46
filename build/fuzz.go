package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fuzzDoc is where fuzz writes unless -o names another file, and what it reads to know what has been done already. It
// is an artefact: nobody commits it, continuous integration keeps it.
const fuzzDoc = ".cache/fuzzing.md"

// fuzzTarget is one native fuzz target of the repository.
type fuzzTarget struct {
	Dir  string // folder of its package, relative to the root
	Name string
}

func (t fuzzTarget) String() string { return t.Dir + " " + t.Name }

// fuzzRow is what is known of a target: what was run of the code that Code is a hash of.
type fuzzRow struct {
	fuzzTarget
	Executions int
	Time       time.Duration
	Inputs     int      // inputs found that reach code no earlier one reached; they stay in Go's cache
	Crashes    []string // files with the inputs that failed, relative to the root
	Code       string   // 12 hexadecimal digits
}

// fuzz runs every fuzz target for a number of executions, one after the other, and writes a report after each. A target
// that has reached the number with the code as it is now is not run again, and one that was interrupted is continued.
func fuzz(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	n := fs.Int("n", 1_000_000, "run each target for this `number` of executions")
	only := fs.String("run", "",
		"run the targets whose folder and name (\"core/share FuzzDecode\") match this regular `expression`")
	list := fs.Bool("list", false, "print the targets and the executions of each")
	out := fs.String("o", p.path(fuzzDoc), "write the report to this `file`, and go on from it")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	switch {
	case *n < 1:
		return usageError{fmt.Sprintf("-n: %d executions", *n)}
	case err != nil:
		return usageError{fmt.Sprintf("-run: %v", err)}
	}
	targets, err := p.fuzzTargets()
	if err != nil {
		return err
	}
	doc, err := readFuzzDoc(*out)
	if err != nil {
		return err
	}
	doc.keep(targets)
	failed, matched := []string{}, 0
	for _, t := range targets {
		if !pattern.MatchString(t.String()) {
			continue
		}
		matched++
		code, err := p.codeOf(ctx, t.Dir)
		if err != nil {
			return err
		}
		row := doc.row(t)
		if row.Code != code {
			*row = fuzzRow{fuzzTarget: t, Code: code}
		}
		switch {
		case *list:
			fmt.Printf("%-40s %s of %s\n", t, thousands(row.Executions), thousands(*n))
			continue
		case row.Executions >= *n && len(row.Crashes) == 0:
			p.say("done %-40s %s executions", t, thousands(row.Executions))
			continue
		}
		err = p.fuzzOne(ctx, row, *n-row.Executions)
		verdict := "ok  "
		if err != nil || len(row.Crashes) > 0 {
			verdict = "FAIL"
			failed = append(failed, t.String())
		}
		p.say("%s %-40s %s executions, %s, %d new inputs", verdict, t, thousands(row.Executions), clock(row.Time),
			row.Inputs)
		for _, c := range row.Crashes {
			p.say("       %s", c)
			if p.exists(c) { // a seed that the target adds itself has no file
				doc.found(c)
			}
		}
		if err != nil && ctx.Err() == nil {
			p.say("%s", indent(err.Error()))
		}
		if err := doc.write(*out, *n); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	switch {
	case matched == 0:
		return usageError{fmt.Sprintf("-run: no target matches %q", *only)}
	case len(failed) > 0:
		return fmt.Errorf("%d of %d targets failed: %s", len(failed), matched, strings.Join(failed, ", "))
	}
	return nil
}

// fuzzTargets finds the targets in the test files that this machine compiles, ordered by folder, then by name.
func (p *project) fuzzTargets() ([]fuzzTarget, error) {
	files, err := p.sourceFiles(".go")
	if err != nil {
		return nil, err
	}
	var out []fuzzTarget
	for _, name := range files {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		if fits, err := gobuild.Default.MatchFile(p.path(path.Dir(name)), path.Base(name)); err != nil {
			return nil, err
		} else if !fits {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), p.path(name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isFuzz(f) {
				out = append(out, fuzzTarget{path.Dir(name), f.Name.Name})
			}
		}
	}
	slices.SortFunc(out, func(a, b fuzzTarget) int { return strings.Compare(a.String(), b.String()) })
	return out, nil
}

// isFuzz says whether a function is func FuzzXxx(*testing.F).
func isFuzz(f *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(f.Name.Name, "Fuzz")
	if !ok || f.Recv != nil || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' || f.Type.Params.NumFields() != 1 {
		return false
	}
	star, ok := f.Type.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := of.X.(*ast.Ident)
	return ok && from.Name == "testing" && of.Sel.Name == "F"
}

// codeOf returns a hash of what a package's tests are compiled from: the files of the repository, the versions of what
// they use from elsewhere, the toolchain. Files that tests read are not in it.
func (p *project) codeOf(ctx context.Context, dir string) (string, error) {
	out, err := p.run(ctx, nil, "go", "list", "-deps", "-test",
		"-json=ImportPath,Dir,Standard,Module,GoFiles,SFiles,TestGoFiles,XTestGoFiles,EmbedFiles", "./"+dir)
	if err != nil {
		return "", err
	}
	parts := map[string][]byte{"go": []byte(runtime.Version())}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var pkg struct {
			ImportPath, Dir                                        string
			Standard                                               bool
			Module                                                 *struct{ Path, Version string }
			GoFiles, SFiles, TestGoFiles, XTestGoFiles, EmbedFiles []string
		}
		if err := d.Decode(&pkg); err == io.EOF {
			break
		} else if err != nil {
			return "", fmt.Errorf("go list: %w", err)
		}
		switch {
		case pkg.Standard || pkg.Module == nil:
			continue
		case pkg.Module.Version != "":
			parts["module "+pkg.Module.Path] = []byte(pkg.Module.Version)
			continue
		}
		files := slices.Concat(pkg.GoFiles, pkg.SFiles, pkg.EmbedFiles)
		if rel, err := filepath.Rel(p.root, pkg.Dir); err == nil && filepath.ToSlash(rel) == dir {
			files = slices.Concat(files, pkg.TestGoFiles, pkg.XTestGoFiles)
		}
		for _, name := range files {
			full := name
			// the main function that go writes for a test is absolute, and follows from the rest
			if !filepath.IsAbs(full) {
				full = filepath.Join(pkg.Dir, name)
			} else {
				continue
			}
			rel, err := filepath.Rel(p.root, full)
			if err != nil {
				return "", err
			}
			if parts[filepath.ToSlash(rel)], err = os.ReadFile(full); err != nil {
				return "", err
			}
		}
	}
	return hashFiles(parts)[:12], nil
}

// fuzzOne runs a target for more executions and adds to its row what came of it. An input that makes the target fail is
// no error: it is in the row, and in the package's testdata.
func (p *project) fuzzOne(ctx context.Context, row *fuzzRow, executions int) error {
	row.Crashes = nil
	executions = max(executions, 1)
	cache, err := p.run(ctx, nil, "go", "env", "GOCACHE")
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "rankbox-fuzz-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, "fuzz.test")
	exact := "^" + row.Name + "$"
	if _, err := p.run(ctx, nil, "go", "test", "-c", "-fuzz="+exact, "-o", binary, "./"+row.Dir); err != nil {
		return err
	}
	c := p.cmd(ctx, nil, binary, "-test.run=^$", "-test.fuzz="+exact, fmt.Sprintf("-test.fuzztime=%dx", executions),
		"-test.parallel=1",
		"-test.fuzzminimizetime=1000x", "-test.fuzzcachedir="+filepath.Join(strings.TrimSpace(string(cache)), "fuzz",
			filepath.FromSlash(modulePath), filepath.FromSlash(row.Dir)))
	c.Dir = p.path(row.Dir)
	c.WaitDelay = 30 * time.Second
	pipe, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	c.Stderr = c.Stdout
	if err := c.Start(); err != nil {
		return err
	}
	saw := p.readFuzz(pipe, row)
	end := c.Wait()
	row.Executions += saw.executions
	row.Time += saw.elapsed
	row.Inputs += saw.inputs
	for _, c := range saw.crashes {
		row.Crashes = append(row.Crashes, path.Join(row.Dir, c))
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case end != nil && len(row.Crashes) == 0:
		return fmt.Errorf("%s: %w\n%s", row.Name, end, strings.Join(saw.tail, "\n"))
	case end == nil && saw.executions < executions:
		return fmt.Errorf("%s ended after %d of %d executions\n%s", row.Name, saw.executions, executions,
			strings.Join(saw.tail, "\n"))
	}
	return nil
}

// modulePath is the path of this repository's module; Go files the inputs that it finds under it.
const modulePath = "github.com/rankbox/rankbox"

// fuzzOutput is what the fuzzer printed.
type fuzzOutput struct {
	executions, inputs int
	elapsed            time.Duration
	crashes            []string // files, relative to the package
	tail               []string // the last lines that are not about progress
}

var (
	fuzzProgress = regexp.MustCompile(
		`^fuzz: elapsed: (\S+), execs: (\d+) \(\d+/sec\)(?:, new interesting: (\d+) \(total: \d+\))?`)
	fuzzWritten = regexp.MustCompile(`Failing input written to (testdata/fuzz/\S+)`)
	fuzzSeed    = regexp.MustCompile(`failure while testing seed corpus entry: (\S+)`)
)

// readFuzz reads what a fuzzer prints, to the end, and reports every minute how far it is.
func (p *project) readFuzz(r io.Reader, row *fuzzRow) fuzzOutput {
	var out fuzzOutput
	said := time.Now()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Text()
		if m := fuzzProgress.FindStringSubmatch(line); m != nil {
			out.elapsed, _ = time.ParseDuration(m[1])
			out.executions, _ = strconv.Atoi(m[2])
			if m[3] != "" {
				out.inputs, _ = strconv.Atoi(m[3])
			}
			if time.Since(said) > time.Minute {
				said = time.Now()
				p.say("     %-40s %s executions, %s", row.fuzzTarget, thousands(row.Executions+out.executions),
					clock(row.Time+out.elapsed))
			}
			continue
		}
		if m := fuzzWritten.FindStringSubmatch(filepath.ToSlash(line)); m != nil {
			out.crashes = append(out.crashes, m[1])
		} else if m := fuzzSeed.FindStringSubmatch(filepath.ToSlash(line)); m != nil {
			out.crashes = append(out.crashes, "testdata/fuzz/"+m[1])
		}
		if out.tail = append(out.tail, line); len(out.tail) > 40 {
			out.tail = out.tail[1:]
		}
	}
	io.Copy(io.Discard, r)
	slices.Sort(out.crashes)
	out.crashes = slices.Compact(out.crashes)
	return out
}

// fuzzReport is what fuzz writes.
type fuzzReport struct {
	rows  []fuzzRow
	fails []string // every file with an input that failed, of this run or an earlier one
}

// row returns the row of a target.
func (d *fuzzReport) row(t fuzzTarget) *fuzzRow {
	for i := range d.rows {
		if d.rows[i].fuzzTarget == t {
			return &d.rows[i]
		}
	}
	d.rows = append(d.rows, fuzzRow{fuzzTarget: t})
	return &d.rows[len(d.rows)-1]
}

// keep drops the rows of targets that are no more, and has one for each that is, in their order.
func (d *fuzzReport) keep(targets []fuzzTarget) {
	var rows []fuzzRow
	for _, t := range targets {
		rows = append(rows, *d.row(t))
	}
	d.rows = rows
}

func (d *fuzzReport) found(files ...string) {
	d.fails = append(d.fails, files...)
	slices.Sort(d.fails)
	d.fails = slices.Compact(d.fails)
}

// text returns the document; n is what was asked for.
func (d *fuzzReport) text(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Fuzzing\n\nWritten by `go run ./build fuzz`. Every fuzz target of the repository, run by Go's "+
		"native fuzzer with one worker (-fuzztime=%dx -parallel=1), "+
		"from its seeds, its committed corpus and what earlier runs had found.\n\n", n)
	var sum fuzzRow
	full := 0
	for _, r := range d.rows {
		sum.Executions += r.Executions
		sum.Time += r.Time
		if r.Executions >= n && len(r.Crashes) == 0 {
			full++
		}
	}
	fmt.Fprintf(&b, "%d of %d targets have reached %s executions without a failure; %s executions in all, %s.\n\n",
		full, len(d.rows), thousands(n), thousands(sum.Executions), clock(sum.Time))
	b.WriteString("| target | package | executions | time | new inputs | crashes | code " +
		"|\n|---|---|---:|---:|---:|---|---|\n")
	for _, r := range d.rows {
		crashes := "none"
		if len(r.Crashes) > 0 {
			crashes = "`" + strings.Join(r.Crashes, "` `") + "`"
		}
		code := r.Code
		if code == "" {
			crashes, code = "not run", "-"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s | %s |\n", r.Name, r.Dir, thousands(r.Executions), clock(r.Time),
			r.Inputs, crashes, code)
	}
	b.WriteString("\nThe time is what the fuzzer ran, on whatever else the machine did. New inputs are those that " +
		"reached code which none before had reached; " +
		"they stay in Go's cache. The code is a hash of the files from which the target is compiled: where it has " +
		"changed since, `go run ./build fuzz` runs the target again.\n")
	b.WriteString("\n## Inputs that failed\n\n")
	if len(d.fails) == 0 {
		b.WriteString("None.\n")
	} else {
		b.WriteString("Found by these runs. Each is kept in the corpus, so that every `go test` runs it again.\n\n")
	}
	for _, f := range d.fails {
		fmt.Fprintf(&b, "- `%s`\n", f)
	}
	return b.String()
}

// write writes the document to a file, whose folder it makes.
func (d *fuzzReport) write(file string, n int) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return update(file, []byte(d.text(n)))
}

// readFuzzDoc reads the document back. One that is not there is empty.
func readFuzzDoc(file string) (*fuzzReport, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return &fuzzReport{}, nil
	}
	if err != nil {
		return nil, err
	}
	return parseFuzzDoc(string(text))
}

func parseFuzzDoc(text string) (*fuzzReport, error) {
	d := &fuzzReport{}
	for i, line := range strings.Split(text, "\n") {
		if f, ok := strings.CutPrefix(line, "- `"); ok {
			d.fails = append(d.fails, strings.TrimSuffix(f, "`"))
		}
		if !strings.HasPrefix(line, "| Fuzz") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 7 {
			return nil, fmt.Errorf("%s:%d: %d columns, want 7", fuzzDoc, i+1, len(cells))
		}
		r := fuzzRow{fuzzTarget: fuzzTarget{cells[1], cells[0]}, Code: strings.TrimPrefix(cells[6], "-")}
		var errs [3]error
		r.Executions, errs[0] = strconv.Atoi(strings.ReplaceAll(cells[2], ",", ""))
		r.Time, errs[1] = time.ParseDuration(strings.ReplaceAll(cells[3], " ", ""))
		r.Inputs, errs[2] = strconv.Atoi(cells[4])
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", fuzzDoc, i+1, err)
		}
		if strings.HasPrefix(cells[5], "`") {
			r.Crashes = strings.Split(strings.Trim(cells[5], "`"), "` `")
		}
		d.rows = append(d.rows, r)
	}
	return d, nil
}

// clock writes a duration to the second: "1h 2m 3s", "4s".
func clock(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	switch {
	case s >= 3600:
		return fmt.Sprintf("%dh %dm %ds", s/3600, s/60%60, s%60)
	case s >= 60:
		return fmt.Sprintf("%dm %ds", s/60, s%60)
	}
	return fmt.Sprintf("%ds", s)
}
