package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/build/internal/gotest"
)

// together is how many files of site/e2e run at a time: two, and one for every two processors beyond the third. Each
// has a server and a browser of its own, and keeps one to two processors busy.
func together(processors int) int { return max(2, (processors+1)/2) }

// longest are the files that begin first, so that none of them is left over in the end. Of faults and kills much is
// waiting.
var longest = []string{"faults", "compare", "kills", "page", "statistics", "reference", "learn"}

// endToEnd runs site/e2e in Chromium against the site as it was built.
func (p *project) endToEnd(ctx context.Context) (gotest.Result, error) {
	files, err := filepath.Glob(p.path("site/e2e/*.test.mjs"))
	if err != nil {
		return gotest.Result{}, err
	}
	if files, err = p.tonight(files); err != nil {
		return gotest.Result{}, err
	}
	if len(files) == 0 {
		return gotest.Result{}, errors.New("site/e2e holds no test")
	}
	browser, err := p.headless(ctx)
	if err != nil {
		return gotest.Result{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return gotest.Result{}, err
	}
	dir, err := os.MkdirTemp("", "rankbox-e2e-*")
	if err != nil {
		return gotest.Result{}, err
	}
	defer os.RemoveAll(dir)
	tool, err := p.commandIn(ctx, dir)
	if err != nil {
		return gotest.Result{}, err
	}
	return p.nodeTests(ctx, []string{"CHROMIUM=" + browser, "RANKBOX_BUILD=" + self, "RANKBOX_COMMAND=" + tool},
		ordered(files, longest))
}

// nightly begins a file of tests that runs with -long alone, followed by the reason.
const nightly = "// Nightly: "

// tonight leaves out the files that run with -long alone, unless this run is such a one, and says which.
func (p *project) tonight(files []string) (now []string, err error) {
	var later []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if os.Getenv("RANKBOX_LONG") != "1" && bytes.HasPrefix(text, []byte(nightly)) {
			later = append(later, strings.TrimSuffix(filepath.Base(file), ".test.mjs"))
		} else {
			now = append(now, file)
		}
	}
	if len(later) > 0 {
		p.say("  left to the nightly run (-long): %s", strings.Join(later, ", "))
	}
	return now, nil
}

// commandIn builds the command line in a folder.
func (p *project) commandIn(ctx context.Context, dir string) (string, error) {
	tool := filepath.Join(dir, "rankbox")
	_, err := p.run(ctx, nil, "go", "build", "-buildvcs=false", "-o", tool, "./cmd/rankbox")
	return tool, err
}

// ordered puts the files that are named first, in the order of the names.
func ordered(files, names []string) []string {
	rank := func(file string) int {
		base, _, _ := strings.Cut(filepath.Base(file), ".")
		if i := slices.Index(names, base); i >= 0 {
			return i
		}
		return len(names)
	}
	out := slices.Clone(files)
	slices.SortStableFunc(out, func(a, b string) int { return rank(a) - rank(b) })
	return out
}

// nodeTests runs files of tests, some at a time. A file that fails beside others, which slow it down, is run once more
// when nothing else runs, and what comes out then counts: what is broken fails again.
func (p *project) nodeTests(ctx context.Context, env, files []string) (gotest.Result, error) {
	var total gotest.Result
	var again []string
	var mu sync.Mutex // guards total and again
	queue := make(chan string)
	var running sync.WaitGroup
	for range together(runtime.NumCPU()) {
		running.Go(func() {
			for file := range queue {
				res := p.nodeTest(ctx, env, file, "")
				mu.Lock()
				if res.Failed > 0 {
					again = append(again, file)
				} else {
					total.Add(res)
				}
				mu.Unlock()
			}
		})
	}
	for _, file := range files {
		queue <- file
	}
	close(queue)
	running.Wait()
	if len(again) > 0 && p.others != nil {
		p.others()
	}
	for _, file := range ordered(again, nil) {
		res := p.nodeTest(ctx, env, file, ", by itself")
		if res.Failed == 0 {
			res.Alone = append(res.Alone, filepath.Base(file))
		}
		total.Add(res)
	}
	return total, ctx.Err()
}

// nodeTest runs one file and says at once what came out of it. Whatever ends it without counts is one failed test.
func (p *project) nodeTest(ctx context.Context, env []string, file, how string) gotest.Result {
	start := time.Now()
	res, said, err := p.runNodeTest(ctx, env, file)
	if err != nil {
		res.Failed++
		said += "\n" + err.Error()
	}
	verdict := "ok  "
	if res.Failed > 0 {
		verdict = "FAIL"
	}
	text := fmt.Sprintf("%s\n%s %s%s: %d passed, %d failed, %.1f s", strings.TrimRight(said, "\n"), verdict,
		filepath.Base(file), how, res.Passed, res.Failed, time.Since(start).Seconds())
	if p.live != nil {
		p.live("%s", text)
	} else {
		p.say("%s", text)
	}
	if res.Failed > 0 {
		res.Failures = append(res.Failures, filepath.Base(file)+how+": what failed stands above")
	}
	return res
}

func (p *project) runNodeTest(ctx context.Context, env []string, file string) (gotest.Result, string, error) {
	report, err := os.CreateTemp("", "rankbox-e2e-*.tap")
	if err != nil {
		return gotest.Result{}, "", err
	}
	report.Close()
	defer os.Remove(report.Name())
	c := p.cmd(ctx, env, "node", "--test", "--test-reporter=spec", "--test-reporter-destination=stdout",
		"--test-reporter=tap", "--test-reporter-destination="+report.Name(), file)
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	end := c.Run()
	text, err := os.ReadFile(report.Name())
	if err != nil {
		return gotest.Result{}, said.String(), err
	}
	res, err := gotest.ReadTAP(bytes.NewReader(text))
	switch {
	case err != nil:
		return gotest.Result{}, said.String(), err
	case end != nil && res.Failed == 0:
		return *res, said.String(), fmt.Errorf("node --test: %w, though no test failed", end)
	case end == nil && res.Passed+res.Skipped == 0:
		return *res, said.String(), errors.New("node --test passed no test")
	}
	return *res, said.String(), nil
}
