package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/build/internal/gotest"
)

// lane is a row of checks that run one after the other. The first lane runs before the others, which run side by side:
// browsers wait much of their time, and what packages compute fills it.
type lane int

const (
	first lane = iota
	browsers
	packages
	lanes // how many there are
)

// niceness is by how much what packages run stands back behind the browsers, whose tests have time limits.
const niceness = "5"

// behind is what a command line begins with that stands back, or nothing where no such program is.
func (p *project) behind() []string {
	if p.others == nil {
		return nil
	}
	if path, err := exec.LookPath("nice"); err == nil {
		return []string{path, "-n", niceness}
	}
	return nil
}

// runChecks runs checks, lane beside lane, reports each when it has ended, at the end what took how long, the longest
// first, and returns the sum.
func runChecks(ctx context.Context, p *project, list []check) gotest.Result {
	r := &checkRun{p: p, ended: map[string]chan struct{}{}, failed: map[string]bool{}}
	var rows [lanes][]check
	for _, c := range list {
		r.ended[c.name] = make(chan struct{})
		rows[c.lane] = append(rows[c.lane], c)
	}
	r.lane(ctx, rows[first], nil)
	var running sync.WaitGroup
	var over [lanes]chan struct{}
	for l := first + 1; l < lanes; l++ {
		over[l] = make(chan struct{})
	}
	for l := first + 1; l < lanes; l++ {
		running.Go(func() {
			defer close(over[l])
			r.lane(ctx, rows[l], func() {
				for o := first + 1; o < l; o++ {
					<-over[o]
				}
				for o := l + 1; o < lanes; o++ {
					<-over[o]
				}
			})
		})
	}
	running.Wait()
	if len(r.unrun) > 0 {
		r.total.Failed++
		p.say("interrupted; not run: %s", names(r.unrun))
	}
	slices.SortStableFunc(r.took, func(a, b string) int { return strings.Compare(b[:9], a[:9]) })
	p.say("what took how long, some of it side by side:\n%s", strings.Join(r.took, "\n"))
	return r.total
}

// checkRun is what lanes share.
type checkRun struct {
	p     *project
	ended map[string]chan struct{} // of each check, closed when it has ended

	mu     sync.Mutex // guards what follows
	total  gotest.Result
	took   []string // the timetable
	failed map[string]bool
	unrun  []check
}

// lane runs checks one after the other; others returns when all other lanes are over.
func (r *checkRun) lane(ctx context.Context, list []check, others func()) {
	for _, c := range list {
		for _, n := range c.needs {
			<-r.ended[n]
		}
		r.one(ctx, c, others)
		close(r.ended[c.name])
	}
}

// one runs a check and reports it as one piece, so that lanes do not mix.
func (r *checkRun) one(ctx context.Context, c check, others func()) {
	if ctx.Err() != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.unrun = append(r.unrun, c)
		return
	}
	start := time.Now()
	var missing []string
	r.mu.Lock()
	for _, n := range c.needs {
		if r.failed[n] {
			missing = append(missing, n)
		}
	}
	r.mu.Unlock()
	var said bytes.Buffer
	p := r.p.beside(&said, others)
	p.say("== %s", c.name)
	var res gotest.Result
	if len(missing) > 0 {
		res = gotest.Result{Failed: 1, Failures: []string{"not run, since this failed: " + strings.Join(missing, ", ")}}
	} else {
		var err error
		if res, err = c.run(p, ctx); err != nil {
			res.Failed++
			res.Failures = append(res.Failures, err.Error())
		}
	}
	for _, f := range res.Failures {
		p.say("%s", indent(f))
	}
	verdict := "ok  "
	if res.Failed > 0 {
		verdict = "FAIL"
	}
	counts := fmt.Sprintf("%d passed", res.Passed)
	if res.Failed > 0 {
		counts += fmt.Sprintf(", %d failed", res.Failed)
	}
	if res.Skipped > 0 {
		counts += fmt.Sprintf(", %d skipped", res.Skipped)
	}
	seconds := time.Since(start).Seconds()
	p.say("%s %s: %s, %.1f s", verdict, c.name, counts, seconds)
	r.p.say("%s", strings.TrimRight(said.String(), "\n"))

	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed[c.name] = res.Failed > 0
	r.took = append(r.took, fmt.Sprintf("  %7.1f s  %s", seconds, c.name))
	r.total.Add(res)
}

// beside is the project for a check that runs beside others: what it says is kept apart, but for what goes to live.
func (p *project) beside(log io.Writer, others func()) *project {
	return &project{root: p.root, log: log, quick: p.quick, fresh: p.fresh, collections: p.collections,
		anyLicence: p.anyLicence, vectors: p.vectors, budget: p.budget, out: p.out, others: others, live: p.say}
}
