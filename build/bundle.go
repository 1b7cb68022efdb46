package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
)

// bundled is one collection, packed.
type bundled struct {
	ID    string
	dir   string            // where the files are, absolute
	files map[string][]byte // by name in the bundle
}

// bundle packs every folder of p.collections that holds a corpus.jsonl, in byte order of their names. A collection whose
// files did not change since it was packed by the same code is taken from .cache/.
func (p *project) bundle(ctx context.Context) ([]bundled, error) {
	corpora, err := filepath.Glob(p.path(p.collections + "/*/corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []bundled
	for _, corpus := range corpora {
		src := filepath.Dir(corpus)
		tree, err := readTree(src)
		if err != nil {
			return nil, err
		}
		tool, err := p.renderTool(ctx)
		if err != nil {
			return nil, err
		}
		program, err := os.ReadFile(tool)
		if err != nil {
			return nil, err
		}
		b := bundled{ID: filepath.Base(src)}
		b.dir = p.path(".cache/bundle/" + b.ID + "-" + hash(program, []byte(hashFiles(tree))))
		if !exist(b.dir) {
			var manifest json.RawMessage
			next := b.dir + ".next"
			if err := os.RemoveAll(next); err != nil {
				return nil, err
			}
			if err := p.render(ctx, &manifest, "bundle", src, next); err != nil {
				return nil, err
			}
			if err := replaceDir(next, b.dir); err != nil {
				return nil, err
			}
			if err := p.forgetBundles(b.ID, b.dir); err != nil {
				return nil, err
			}
		}
		if b.files, err = readTree(b.dir); err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	return out, nil
}

// forgetBundles removes older packings of a collection.
func (p *project) forgetBundles(id, keep string) error {
	old, err := filepath.Glob(p.path(".cache/bundle/" + id + "-*"))
	if err != nil {
		return err
	}
	for _, dir := range old {
		if dir != keep {
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *project) bundleOnly(ctx context.Context) error {
	return p.step("bundle", func() error {
		bundles, err := p.bundle(ctx)
		for _, b := range bundles {
			size := 0
			for _, data := range b.files {
				size += len(data)
			}
			p.say("  %s: %d files, %d bytes", b.dir, len(b.files), size)
		}
		return err
	})
}
