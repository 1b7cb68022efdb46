package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
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
	return nil, fmt.Errorf("there is nothing for %s at line %d, column %d: it was changed meanwhile", x.Type, x.Line,
		x.Column)
}

// part is some of a room's tests: the quick ones, or those that take long and are not needed for most mutants.
type part struct {
	args  []string
	limit time.Duration // after which a mutant hangs
}

// slow is from when on a test waits until the quick ones have passed.
const slow = 300 * time.Millisecond

var passed = regexp.MustCompile(`(?m)^--- (?:PASS|SKIP): (\S+) \(([0-9.]+)s\)$`)

// inParts makes two parts of a room's tests by what they took in an unchanged tree. A mutant has ten times as long, for
// the machine may be busier then.
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

// runMutants gives every mutant that has not been run yet to the room's tests, in the order of the draw, and writes
// what became of it into its status; save is called after each. So many workers run at once. What the last run knows of
// the same mutants and tests is taken over. One that gremlins says no test runs is run all the same: constants and the
// conditions of a case are in no block that the cover tool counts.
func runMutants(ctx context.Context, p *project, room string, m, last *mutants, workers int, save func() error) error {
	dir, err := os.MkdirTemp("", "rankbox-mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := roomTests{p.path(room), filepath.Join(dir, "room.test"), nil}
	if out, err := r.run(ctx, whileBuilding, "go", "test", "-c", "-vet=off", "-o", r.binary, "."); err != nil {
		return fmt.Errorf("mutate: %s: %w\n%s", room, err, out)
	}
	out, err := r.run(ctx, whileBuilding, r.binary, "-test.v", "-test.timeout=10m")
	if err != nil {
		return fmt.Errorf("mutate: the tests of %s fail without a change: %w\n%s", room, err, out)
	}
	r.parts = inParts(out)
	binary, err := os.ReadFile(r.binary)
	if err != nil {
		return err
	}
	if m.Drawn == nil {
		if m.Tests = hash(binary); m.Tests == last.Tests {
			m.known(last)
		}
	}
	type turn struct {
		file string
		*mutant
	}
	var turns []turn
	for _, f := range m.Files {
		for i := range f.Mutations {
			if !f.Mutations[i].Run {
				turns = append(turns, turn{f.Name, &f.Mutations[i]})
			}
		}
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return a.Turn - b.Turn })
	var mu sync.Mutex // guards what follows, and the statuses
	var failed error
	next, done := 0, m.len()-len(turns)
	var wait sync.WaitGroup
	for w := range max(1, workers) {
		r := r
		r.binary += strconv.Itoa(w)
		wait.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for failed == nil && next < len(turns) {
				x := turns[next]
				next++
				mu.Unlock()
				began := time.Now()
				status, err := r.meets(ctx, x.file, *x.mutant)
				mu.Lock()
				if failed = errors.Join(failed, err, ctx.Err()); failed != nil {
					return
				}
				x.Status, x.Run = status, true
				failed = save()
				done++
				p.say("%d of %d: %s %s:%d:%d %s, %.1f s", done, m.len(), x.Status, x.file, x.Line, x.Column, x.Type,
					time.Since(began).Seconds())
			}
		})
	}
	wait.Wait()
	return failed
}

// roomTests are the tests of the room in a folder.
type roomTests struct {
	dir, binary string
	parts       []part
}

const whileBuilding = 10 * time.Minute

func (r *roomTests) run(ctx context.Context, limit time.Duration, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, limit+time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, args[0], args[1:]...)
	c.Dir, c.WaitDelay = r.dir, time.Second
	out, err := c.CombinedOutput()
	return string(out), err
}

// meets says what became of a mutant of a file.
func (r *roomTests) meets(ctx context.Context, name string, x mutant) (string, error) {
	source, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		return "", err
	}
	text, err := changed(source, x)
	if err != nil {
		return "", fmt.Errorf("mutate: %s: %w", name, err)
	}
	file, overlay := r.binary+".go", r.binary+".json"
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(r.dir, name): file}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(file, text, 0o644), os.WriteFile(overlay, replace, 0o644)); err != nil {
		return "", err
	}
	if _, err := r.run(ctx, whileBuilding, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", r.binary,
		"."); err != nil {
		return notViable, nil
	}
	for _, part := range r.parts {
		out, err := r.run(ctx, part.limit,
			append([]string{r.binary, "-test.failfast", "-test.timeout=" + part.limit.String()}, part.args...)...)
		switch {
		case err == nil:
		case strings.Contains(out, "panic: test timed out after"):
			return timedOut, nil
		default:
			return killed, nil
		}
	}
	if x.Status == notCovered {
		return notCovered, nil
	}
	return lived, nil
}
