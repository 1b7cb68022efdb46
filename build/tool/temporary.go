package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// temporaries is what the folders begin with that temporary makes, and owner the file in each with the number of the
// process that made it. Names are short, since a browser puts sockets into them, whose paths end at a hundred bytes.
const (
	temporaries = "rankbox-test-"
	owner       = "owner"
)

// temporary gives this program and all that it starts one folder for what is temporary. remove takes it away, with all
// that was left in it. What runs that were killed have left, of any clone, goes now. A clone has the same folder every
// time: `go test` runs again what passed with another TMPDIR.
func (p *project) temporary() (remove func(), err error) {
	base := os.TempDir()
	p.sweep(base)
	name := filepath.Join(base, temporaries+hash([]byte(p.root))[:8])
	dir := name
	for n := 2; ; n++ {
		if err = os.Mkdir(dir, 0o700); !errors.Is(err, os.ErrExist) {
			break
		}
		dir = fmt.Sprintf("%s-%d", name, n) // another run in this clone goes on
	}
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, owner), []byte(strconv.Itoa(os.Getpid())), 0o666); err != nil {
		return nil, err
	}
	for _, v := range []string{"TMPDIR", "TMP", "TEMP"} {
		if err := os.Setenv(v, dir); err != nil {
			return nil, err
		}
	}
	return func() {
		for range 50 { // programs that were interrupted may still write
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		p.say("%s could not be removed; the next run tries again", dir)
	}, nil
}

// sweep removes what was left in base by runs that are no more.
func (p *project) sweep(base string) {
	left, err := filepath.Glob(filepath.Join(base, temporaries+"*"))
	if err != nil {
		return // the name of the folder reads as a pattern
	}
	for _, dir := range left {
		about, err := os.Stat(dir)
		if err != nil || !about.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, owner))
		if errors.Is(err, os.ErrNotExist) && time.Since(about.ModTime()) < time.Minute {
			continue // is being made
		}
		if pid, err := strconv.Atoi(string(text)); err == nil && alive(pid) {
			continue
		}
		if os.RemoveAll(dir) == nil {
			p.say("removed %s, which a run that was killed had left", dir)
		}
	}
}

// alive says whether a process runs, or may run.
func alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer process.Release()
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

// roomy is what a run in a clean clone takes with room to spare: see CONTRIBUTING.md.
const roomy = 4 << 30

// warnOfRoom says where less than roomy bytes are free. Where df is not there, or prints something else, it says
// nothing.
func (p *project) warnOfRoom(ctx context.Context) {
	cache, err := p.run(ctx, nil, "go", "env", "GOCACHE")
	if err != nil {
		return
	}
	for _, dir := range []string{os.TempDir(), strings.TrimSpace(string(cache)), p.root} {
		out, err := p.run(ctx, nil, "df", "-Pk", dir)
		if err != nil {
			continue
		}
		if free, ok := available(string(out)); ok && free < roomy {
			p.say("little space is left: %.1f GB on the disk of %s, and a run in a clean clone takes up to %d GB",
				float64(free)/(1<<30), dir, roomy>>30)
			return
		}
	}
}

// available reads the bytes that are free from what `df -Pk` prints of one folder (POSIX: six columns, the fifth in
// percent).
func available(text string) (bytes int64, ok bool) {
	_, line, _ := strings.Cut(strings.TrimSpace(text), "\n")
	words := strings.Fields(line)
	for i, w := range words {
		if strings.HasSuffix(w, "%") && i > 0 {
			n, err := strconv.ParseInt(words[i-1], 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}
