package main

import (
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
)

// builds are what staticcheck looks at: what is compiled for the browser is looked at as it is compiled natively and for the
// richer program of the page, and code is unused only where no build uses it.
const builds = "native:\npage: GOOS=js GOARCH=wasm\n"

// ofTemplate is a finding in the Go of a template, which sets vgn after every node whether another one follows or not.
var ofTemplate = regexp.MustCompile(`_gen\.go:\d+:\d+: this value of vgn is never used .*\(SA4006\)$`)

// staticcheck runs the linter that go.mod pins over everything.
func (p *project) staticcheck(ctx context.Context) error {
	tools, err := p.packagesOf(ctx, func(pkg string) bool {
		name := strings.TrimPrefix(pkg, module+"/")
		return !strings.HasPrefix(name, "core/") && !strings.HasPrefix(name, "wasm/")
	}, "./...")
	if err != nil {
		return err
	}
	return errors.Join(p.lint(ctx, "", tools...), p.lint(ctx, builds, "-matrix", module+"/core/...", module+"/wasm/..."))
}

// lint runs staticcheck with its standard input, and returns what it finds as an error.
func (p *project) lint(ctx context.Context, input string, args ...string) error {
	c := p.cmd(ctx, nil, "go", append([]string{"tool", "staticcheck"}, args...)...)
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
