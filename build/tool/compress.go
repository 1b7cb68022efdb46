package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// worthwhile says whether a file is compressed: not what is compressed already, and not what fits in one packet anyway.
func worthwhile(name string, data []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".webp", ".jpg", ".woff2", ".gz", ".zip", ".br":
		return false
	}
	return len(data) >= 256 && !network(name)
}

// effort is the brotli quality of a file: for what is large and comes from others, a seventh of a minute buys less than
// it costs.
func effort(name, quality string, data []byte) string {
	if (strings.HasPrefix(name, vendor) && len(data) > 1<<20 || strings.HasPrefix(name, publicPath)) &&
		quality == "11" {
		return "9"
	}
	return quality
}

// compress returns the brotli (.br) and gzip (.gz) forms of files under name.br and name.gz, where they are smaller
// than the file. Forms are kept in .cache/ by content, so that only what changed is compressed again.
func (p *project) compress(ctx context.Context, files map[string][]byte) (map[string][]byte, error) {
	quality := "11"
	if p.quick {
		quality = "5"
	}
	cache := p.path(".cache/compress")
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return nil, err
	}
	type job struct {
		File string `json:"file"`
		Key  string `json:"key"`
	}
	how, err := os.ReadFile(p.path("build/compress.mjs"))
	if err != nil {
		return nil, err
	}
	jobs := map[string][]job{} // by quality
	keys := map[string]string{}
	tmp, err := os.MkdirTemp(p.path(".cache"), "raw")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, name := range sortedKeys(files) {
		data := files[name]
		if !worthwhile(name, data) {
			continue
		}
		quality := effort(name, quality, data)
		key := hash(data, how) + "-" + quality
		keys[name] = key
		if exist(filepath.Join(cache, key+".br")) && exist(filepath.Join(cache, key+".gz")) {
			continue
		}
		raw := filepath.Join(tmp, key)
		if err := os.WriteFile(raw, data, 0o666); err != nil {
			return nil, err
		}
		jobs[quality] = append(jobs[quality], job{raw, key})
	}
	for _, quality := range sortedKeys(jobs) {
		list, err := json.Marshal(jobs[quality])
		if err != nil {
			return nil, err
		}
		c := p.cmd(ctx, nil, "node", "build/compress.mjs", cache, quality)
		c.Stdin = bytes.NewReader(list)
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("node build/compress.mjs: %w\n%s", err, out)
		}
	}
	out := map[string][]byte{}
	now := time.Now()
	for name, key := range keys {
		for _, ext := range []string{".br", ".gz"} {
			file := filepath.Join(cache, key+ext)
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if err := os.Chtimes(file, now, now); err != nil {
				return nil, err
			}
			if len(data) < len(files[name]) {
				out[name+ext] = data
			}
		}
	}
	return out, p.forget(cache, now.Add(-14*24*time.Hour))
}

// forget removes what was not used since a time.
func (p *project) forget(dir string, since time.Time) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.ModTime().After(since) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func exist(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
