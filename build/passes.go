package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rankbox/rankbox/build/internal/gotest"
)

// passes are the files of site/e2e that have passed, each under the hash of all that it depends on, in .cache/e2e. It
// is not shared: a clean clone knows of none.
type passes struct {
	dir  string
	keys map[string]string // file → hash
}

// passes hashes what each of the files depends on: the site, the programs, the browsers, every file of the repository
// that is no Go (whose effect is in the site and the programs) and no other test, and the settings that tests read.
func (p *project) passes(ctx context.Context, files []string, programs ...string) (passes, error) {
	sum := sha256.New()
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "RANKBOX_") {
			fmt.Fprintf(sum, "%s\n", v)
		}
	}
	for _, tool := range [][]string{{"node", "--version"}, {programs[0], "--version"}} {
		out, err := p.run(ctx, nil, tool[0], tool[1:]...)
		if err != nil {
			return passes{}, err
		}
		sum.Write(out)
	}
	for _, name := range programs[1:] {
		if err := addFile(sum, name); err != nil {
			return passes{}, err
		}
	}
	err := filepath.WalkDir(p.root, func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (base == ".git" || base == ".cache" || base == "node_modules"):
			// the lock file stands for the last
			return fs.SkipDir
		case d.Type().IsRegular() && !strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, ".test.mjs"):
			fmt.Fprintf(sum, "%s\n", strings.TrimPrefix(name, p.root))
			return addFile(sum, name)
		}
		return nil
	})
	if err != nil {
		return passes{}, err
	}
	seen := passes{p.path(".cache/e2e"), map[string]string{}}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return passes{}, err
		}
		own := sha256.Sum256(append(sum.Sum(nil), text...))
		seen.keys[file] = filepath.Base(file) + "-" + hex.EncodeToString(own[:16])
	}
	if err := os.MkdirAll(seen.dir, 0o777); err != nil {
		return passes{}, err
	}
	return seen, p.forget(seen.dir, time.Now().Add(-14*24*time.Hour))
}

func addFile(w io.Writer, name string) error {
	data, err := os.ReadFile(name)
	if err == nil {
		fmt.Fprintf(w, "%d\n", len(data))
		_, err = w.Write(data)
	}
	return err
}

// of returns what came out of a file when it passed as it is now.
func (s passes) of(file string) (res gotest.Result, ok bool) {
	key, known := s.keys[file]
	if !known {
		return res, false
	}
	text, err := os.ReadFile(filepath.Join(s.dir, key))
	return res, err == nil && json.Unmarshal(text, &res) == nil
}

// keep remembers what passed whole. What skips a test may be there the next time. A file that cannot be written is not
// remembered.
func (s passes) keep(file string, res gotest.Result) {
	key, known := s.keys[file]
	if !known || res.Failed+res.Skipped > 0 {
		return
	}
	if text, err := json.Marshal(res); err == nil {
		os.WriteFile(filepath.Join(s.dir, key), text, 0o666)
	}
}
