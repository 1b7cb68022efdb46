// Package gotest reads what `go test -json` prints: how many tests passed, failed and were skipped, why they were
// skipped, and what the failed ones said.
package gotest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
)

// Result counts tests. A test with subtests is not counted beside them. A package that fails without a failing test (it
// does not compile, it panics in init, it runs out of time) counts as one failed test.
type Result struct {
	Passed, Failed, Skipped int
	Packages                int      // packages that ran at least one test
	Failures                []string // what the failed tests and packages printed
	Skips                   []string // "package Test: reason", in byte order
	// Files of tests that failed beside others and passed when they were run by themselves
	Alone []string
}

// Add adds the tests of another run.
func (r *Result) Add(s Result) {
	r.Passed += s.Passed
	r.Failed += s.Failed
	r.Skipped += s.Skipped
	r.Packages += s.Packages
	r.Failures = append(r.Failures, s.Failures...)
	r.Skips = append(r.Skips, s.Skips...)
	r.Alone = append(r.Alone, s.Alone...)
}

type event struct {
	Action     string
	Package    string
	ImportPath string
	Test       string
	Output     string
}

type key struct{ pkg, test string }

// Read reads the whole stream. A line that is not JSON is kept as part of the failure of the stream's end, since go
// prints errors of its own that way. It is one switch over the events of go test.
func Read(r io.Reader) (*Result, error) {
	output := map[key]*strings.Builder{}
	last := map[key]string{}
	parents := map[key]bool{}
	begun := map[string][]string{} // of a package, its tests in their order
	built := map[string]*strings.Builder{}
	var stray []string
	add := func(m map[key]*strings.Builder, k key, s string) {
		if m[k] == nil {
			m[k] = &strings.Builder{}
		}
		m[k].WriteString(s)
	}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		line := scanner.Bytes()
		var e event
		if len(line) == 0 {
			continue
		}
		if line[0] != '{' || json.Unmarshal(line, &e) != nil {
			stray = append(stray, string(line))
			continue
		}
		k := key{e.Package, e.Test}
		switch e.Action {
		case "build-output":
			if built[e.ImportPath] == nil {
				built[e.ImportPath] = &strings.Builder{}
			}
			built[e.ImportPath].WriteString(e.Output)
		case "build-fail":
			last[key{"build of " + e.ImportPath, ""}] = "fail"
			add(output, key{"build of " + e.ImportPath, ""}, built[e.ImportPath].String())
		case "output":
			add(output, k, e.Output)
		case "run":
			begun[e.Package] = append(begun[e.Package], e.Test)
			for t := e.Test; ; {
				i := strings.LastIndexByte(t, '/')
				if i < 0 {
					break
				}
				t = t[:i]
				parents[key{e.Package, t}] = true
			}
		case "pass", "fail", "skip":
			last[k] = e.Action
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("gotest: read: %w", err)
	}

	res := &Result{}
	failing := map[string]bool{} // packages with a failing test
	below := map[key]bool{}      // tests with a failing subtest
	ran := map[string]bool{}
	builds := false
	keys := make([]key, 0, len(last))
	for k := range last {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if keys[i].pkg != keys[j].pkg {
			return keys[i].pkg < keys[j].pkg
		}
		return keys[i].test > keys[j].test // subtests before their parent, the package itself last
	})
	for _, k := range keys {
		text := ""
		if b := output[k]; b != nil {
			text = b.String()
		}
		if k.test == "" {
			if strings.HasPrefix(k.pkg, "build of ") {
				builds = true
			} else if last[k] != "fail" || failing[k.pkg] || builds && strings.Contains(text, "[build failed]") {
				continue
			}
			for _, t := range begun[k.pkg] { // what the program said as it ended belongs to the tests that it was in
				if at := (key{k.pkg, t}); last[at] == "" && output[at] != nil {
					text += t + " did not end:\n" + output[at].String()
				}
			}
			res.Failed++
			res.Failures = append(res.Failures, k.pkg+"\n"+text)
			continue
		}
		ran[k.pkg] = true
		if last[k] == "fail" {
			failing[k.pkg] = true
			res.Failures = append(res.Failures, k.pkg+" "+k.test+"\n"+text)
			if i := strings.LastIndexByte(k.test, '/'); i >= 0 {
				below[key{k.pkg, k.test[:i]}] = true
			}
		}
		if parents[k] && (last[k] != "fail" || below[k]) {
			continue // the subtests say it
		}
		switch last[k] {
		case "pass":
			res.Passed++
		case "fail":
			res.Failed++
		case "skip":
			res.Skipped++
			res.Skips = append(res.Skips, k.pkg+" "+k.test+": "+reason(text))
		}
	}
	res.Packages = len(ran)
	if len(stray) > 0 && len(last) == 0 {
		res.Failed++
		res.Failures = append(res.Failures, strings.Join(stray, "\n"))
	}
	sort.Strings(res.Skips)
	return res, nil
}

// reason returns what a skipped test said, on one line.
func reason(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- ") {
			continue
		}
		if file, rest, ok := strings.Cut(line, ": "); ok && strings.Contains(file, ".go:") {
			line = rest
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return "no reason given"
	}
	return strings.Join(out, " ")
}
