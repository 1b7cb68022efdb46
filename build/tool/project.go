package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"
)

// project is the repository that is being built.
type project struct {
	root  string
	log   io.Writer // what is being done, one line a step
	quick bool      // compress for a quick answer, not for the smallest file
	fresh bool      // run tests again that passed and have not changed since

	// folders of the collections that go into the site, absolute or relative to the root, and names of public ones
	collections string
	anyLicence  bool   // public collections without a stated licence too
	vectors     string // folder of their vectors, NAME/MODEL as scripts/embed writes them; "" for none
	budget      int    // bytes of the public collections; 0 for mostPublic
	out         string // folder that the site is written to; "" for the one that netlify.toml publishes

	others func()                           // of a check that runs beside others: returns when they are over
	live   func(format string, args ...any) // of such a check: says at once what cannot wait for its end

	mu sync.Mutex // guards log
}

// ownCollections is the folder of those that are the project's own: what their readers find odd stops the build.
const ownCollections = "site/collections"

func newProject(root string, log io.Writer) *project {
	return &project{root: root, log: log, collections: ownCollections}
}

// path returns the absolute path of a file that is named with slashes, relative to the root unless it is absolute.
func (p *project) path(name string) string {
	if filepath.IsAbs(filepath.FromSlash(name)) {
		return filepath.FromSlash(name)
	}
	return filepath.Join(p.root, filepath.FromSlash(name))
}

// exists says whether a file or folder is there.
func (p *project) exists(name string) bool {
	_, err := os.Stat(p.path(name))
	return err == nil
}

func (p *project) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.log, format+"\n", args...)
}

// step runs one part of a build and reports how long it took. Errors name the part.
func (p *project) step(name string, f func() error) error {
	start := time.Now()
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.say("  %-28s %6.1f s", name, time.Since(start).Seconds())
	return nil
}

// cmd prepares a program to run in the root. Cancelling the context asks it to end, and ends it after five seconds.
func (p *project) cmd(ctx context.Context, env []string, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = p.root
	c.Env = append(os.Environ(), env...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 5 * time.Second
	return c
}

// run runs a program and returns its standard output. What it printed on standard error is part of the error.
func (p *project) run(ctx context.Context, env []string, name string, args ...string) ([]byte, error) {
	c := p.cmd(ctx, env, name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text := strings.TrimSpace(errs.String() + "\n" + out.String())
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, text)
	}
	return out.Bytes(), nil
}

// goroot returns the folder of the toolchain that compiles the site.
func (p *project) goroot(ctx context.Context) (string, error) {
	out, err := p.run(ctx, nil, "go", "env", "GOROOT")
	return strings.TrimSpace(string(out)), err
}

// packages installs the npm packages that package-lock.json pins, when they are not the ones installed.
func (p *project) packages(ctx context.Context) error {
	lock, err := os.ReadFile(p.path("package-lock.json"))
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return fmt.Errorf("npm is missing: install Node.js 20.19 or newer")
	}
	want := hash(lock)
	stamp := p.path("node_modules/.rankbox")
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		return nil
	}
	return p.step("npm packages", func() error {
		if _, err := p.run(ctx, nil, "npm", "ci", "--ignore-scripts"); err != nil {
			return err
		}
		return os.WriteFile(stamp, []byte(want), 0o666)
	})
}

// hash returns the first 16 hexadecimal digits of a SHA-256.
func hash(data ...[]byte) string {
	h := sha256.New()
	for _, d := range data {
		h.Write(d)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// hashFiles returns one hash over names and contents.
func hashFiles(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range sortedKeys(files) {
		fmt.Fprintf(h, "%d %s %d\n", len(name), name, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// readTree reads every file below a folder; names are relative to it, with slashes. Files and folders whose name starts
// with a dot are left out. A folder that is not there is empty.
func readTree(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if os.IsNotExist(err) && path == dir {
				return nil
			}
			return err
		}
		if path != dir && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	return files, err
}

// writeTree writes files below a folder.
func writeTree(dir string, files map[string][]byte) error {
	for _, name := range sortedKeys(files) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}

// replaceDir puts a new folder in the place of an old one, which may be absent.
func replaceDir(newDir, dir string) error {
	old := dir + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(dir, old); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.Rename(newDir, dir); err != nil {
		return err
	}
	return os.RemoveAll(old)
}
