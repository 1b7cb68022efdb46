package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// watcher builds again when a source changes. It compares times and sizes twice a second, which needs nothing of the
// system.
type watcher struct {
	*project
	dir   string // the folder that is served
	built bool   // watch that folder, not the sources
	last  map[string]stamp
}

// newWatcher returns a watcher for the changes from now on.
func newWatcher(p *project, dir string, built bool) *watcher {
	w := &watcher{project: p, dir: dir, built: built}
	w.last = w.state()
	return w
}

// stamp is what tells one state of a file from another.
type stamp struct {
	time time.Time
	size int64
}

// sources are the files and folders that a build reads.
var sources = []string{"core", "wasm", "site", "build", "go.mod", "go.sum", "package.json", "package-lock.json",
	"netlify.toml"}

// state returns the stamps of everything that is watched. What a build writes itself is not, or it would never rest.
func (w *watcher) state() map[string]stamp {
	var roots []string
	if w.built {
		roots = []string{w.path("netlify.toml"), w.dir}
	} else {
		for _, name := range sources {
			roots = append(roots, w.path(name))
		}
	}
	out := map[string]stamp{}
	for _, root := range roots {
		// A file that vanishes while it is looked at will be seen as gone: no error is worth reporting here.
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			rel, err := filepath.Rel(w.root, path)
			if err != nil {
				return nil
			}
			name := filepath.ToSlash(rel)
			hidden := strings.HasPrefix(d.Name(), ".") || strings.HasSuffix(d.Name(), "~")
			if d.IsDir() {
				if hidden || d.Name() == "testdata" || name == "site/e2e" {
					return filepath.SkipDir
				}
				return nil
			}
			if hidden || !w.built && (generated(name) || strings.HasSuffix(name, "_test.go")) {
				return nil
			}
			if info, err := d.Info(); err == nil {
				out[name] = stamp{info.ModTime(), info.Size()}
			}
			return nil
		})
	}
	return out
}

// run calls build after every change until the context ends. Changes that arrive within a moment of each other are one;
// changes during a build cause the next. A build that fails is reported and leaves what is served as it was.
func (w *watcher) run(ctx context.Context, build func(context.Context) error) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := w.state()
		changed := changes(w.last, now)
		if len(changed) == 0 {
			continue
		}
		for { // until it is quiet
			time.Sleep(150 * time.Millisecond)
			again := w.state()
			if len(changes(now, again)) == 0 {
				break
			}
			now = again
		}
		changed = changes(w.last, now)
		w.last = now
		start := time.Now()
		fmt.Fprintf(os.Stderr, "changed: %s\n", summary(changed))
		if slices.ContainsFunc(changed, func(name string) bool {
			return strings.HasPrefix(name, "build/tool/") && strings.HasSuffix(name, ".go")
		}) {
			fmt.Fprintln(os.Stderr, "the build tool itself changed: start it again to use it")
		}
		if err := build(ctx); err != nil {
			if ctx.Err() == nil {
				fmt.Fprintf(os.Stderr, "build: %v\nstill serving the last good site\n", err)
			}
			continue
		}
		fmt.Fprintf(os.Stderr, "serving the change after %.1f s\n", time.Since(start).Seconds())
	}
}

// changes returns the names that are not in both states with the same stamp, in byte order.
func changes(a, b map[string]stamp) []string {
	var out []string
	for name, s := range b {
		if a[name] != s {
			out = append(out, name)
		}
	}
	for name := range a {
		if _, ok := b[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func summary(names []string) string {
	if len(names) > 5 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}
