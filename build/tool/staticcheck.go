package main

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// builds are what staticcheck looks at where the browser's files are others: what is compiled natively and for the
// richer program of the page, and code is unused only where no build uses it.
const builds = "native:\npage: GOOS=js GOARCH=wasm\n"

// ofTemplate is a finding in the Go of a template, which sets vgn after every node whether another one follows or not.
var ofTemplate = regexp.MustCompile(`_gen\.go:\d+:\d+: this value of vgn is never used .*\(SA4006\)$`)

// staticcheck runs the linter that go.mod pins over everything.
func (p *project) staticcheck(ctx context.Context) error {
	others, err := p.othersInPage(ctx)
	if err != nil {
		return err
	}
	same, err := p.packagesOf(ctx, func(pkg string) bool { return !slices.Contains(others, pkg) }, "./...")
	if err != nil {
		return err
	}
	return errors.Join(p.lint(ctx, "", same...), p.lint(ctx, builds, append([]string{"-matrix"}, others...)...))
}

// spacious lets a program that soon ends collect less of its memory, up to what a small machine has.
var spacious = []string{"GOGC=400", "GOMEMLIMIT=3GiB"}

// lint runs staticcheck with its standard input, and returns what it finds as an error.
func (p *project) lint(ctx context.Context, input string, args ...string) error {
	c := p.cmd(ctx, spacious, "go", append([]string{"tool", "staticcheck"}, args...)...)
	c.Stdin = strings.NewReader(input)
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || len(out) == 0) {
		return err
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); line != "" && line != "exit status 1" && !ofTemplate.MatchString(line) {
			found = append(found, line)
		}
	}
	if len(found) > 0 {
		return errors.New(strings.Join(found, "\n"))
	}
	return nil
}
