package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// operators are gremlins' kinds of changes: what is put in the place of an operator.
var operators = map[string]map[string]string{
	"ARITHMETIC_BASE":       {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
	"CONDITIONALS_BOUNDARY": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
	"CONDITIONALS_NEGATION": {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"},
	"INCREMENT_DECREMENT":   {"++": "--", "--": "++"},
	"INVERT_NEGATIVES":      {"-": "+"},
}

// changed is the source with one change.
func changed(source []byte, x mutant) ([]byte, error) {
	at := 0
	for range x.Line - 1 {
		n := bytes.IndexByte(source[at:], '\n')
		if n < 0 {
			return nil, fmt.Errorf("there is no line %d: it was changed meanwhile", x.Line)
		}
		at += n + 1
	}
	at += x.Column - 1
	for n := 2; n > 0; n-- { // <= before <
		if at < 0 || at+n > len(source) {
			continue
		}
		if to, ok := operators[x.Type][string(source[at:at+n])]; ok {
			return append(append(append([]byte(nil), source[:at]...), to...), source[at+n:]...), nil
		}
	}
	return nil, fmt.Errorf("there is nothing for %s at line %d, column %d: it was changed meanwhile", x.Type, x.Line, x.Column)
}

// part is some of a room's tests: the quick ones, or those that take long and are not needed for most mutants.
type part struct {
	args  []string
	limit time.Duration // after which a mutant hangs
}

// slow is from when on a test waits until the quick ones have passed.
const slow = 300 * time.Millisecond

var passed = regexp.MustCompile(`(?m)^--- (?:PASS|SKIP): (\S+) \(([0-9.]+)s\)$`)

// inParts makes two parts of a room's tests by what they took in an unchanged tree. A mutant has ten times as long, for the machine may be
// busier then.
func inParts(out string) []part {
	var names []string
	var took [2]time.Duration
	for _, m := range passed.FindAllStringSubmatch(out, -1) {
		seconds, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		d := time.Duration(seconds * float64(time.Second))
		if d >= slow {
			names = append(names, m[1])
			took[1] += d
		} else {
			took[0] += d
		}
	}
	limit := func(d time.Duration) time.Duration { return 10*d + 10*time.Second }
	if len(names) == 0 {
		return []part{{limit: limit(took[0])}}
	}
	long := "^(" + strings.Join(names, "|") + ")$"
	return []part{{[]string{"-test.skip", long}, limit(took[0])}, {[]string{"-test.run", long}, limit(took[1])}}
}

// runMutants gives every mutant that has not been noticed yet to the room's tests, and writes what became of it into its status. One that
// gremlins says no test runs is run all the same: constants and the conditions of a case are in no block that the cover tool counts.
func runMutants(ctx context.Context, p *project, room string, m *mutants) error {
	dir, err := os.MkdirTemp("", "rankbox-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary, overlay, file := filepath.Join(dir, "room.test"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "changed.go")
	run := func(limit time.Duration, args ...string) (string, error) {
		ctx, stop := context.WithTimeout(ctx, limit+time.Minute)
		defer stop()
		c := exec.CommandContext(ctx, args[0], args[1:]...)
		c.Dir, c.WaitDelay = p.path(room), time.Second
		out, err := c.CombinedOutput()
		return string(out), err
	}
	const whileBuilding = 10 * time.Minute
	if out, err := run(whileBuilding, "go", "test", "-c", "-vet=off", "-o", binary, "."); err != nil {
		return fmt.Errorf("mutate: %s: %w\n%s", room, err, out)
	}
	out, err := run(whileBuilding, binary, "-test.v", "-test.timeout=10m")
	if err != nil {
		return fmt.Errorf("mutate: the tests of %s fail without a change: %w\n%s", room, err, out)
	}
	parts := inParts(out)
	done := 0
	for _, f := range m.Files {
		source, err := os.ReadFile(p.path(path.Join(room, f.Name)))
		if err != nil {
			return err
		}
		for i := range f.Mutations {
			x := &f.Mutations[i]
			done++
			if x.Status == killed || x.Status == timedOut || x.Status == notViable {
				continue
			}
			text, err := changed(source, *x)
			if err != nil {
				return fmt.Errorf("mutate: %s: %w", f.Name, err)
			}
			replace, err := json.Marshal(map[string]any{"Replace": map[string]string{p.path(path.Join(room, f.Name)): file}})
			if err != nil {
				return err
			}
			if err := errors.Join(os.WriteFile(file, text, 0o644), os.WriteFile(overlay, replace, 0o644)); err != nil {
				return err
			}
			began := time.Now()
			status := lived
			if x.Status == notCovered {
				status = notCovered
			}
			if _, err := run(whileBuilding, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, "."); err != nil {
				status = notViable
			} else {
				for _, part := range parts {
					out, err := run(part.limit, append([]string{binary, "-test.failfast", "-test.timeout=" + part.limit.String()}, part.args...)...)
					if err == nil {
						continue
					}
					status = killed
					if strings.Contains(out, "panic: test timed out after") {
						status = timedOut
					}
					break
				}
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			x.Status = status
			p.say("%d of %d: %s %s:%d:%d %s, %.1f s", done, m.len(), x.Status, f.Name, x.Line, x.Column, x.Type, time.Since(began).Seconds())
		}
	}
	return nil
}
