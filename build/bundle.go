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
	encoders, err := p.encoders()
	if err != nil {
		return nil, err
	}
	var known []byte // what of the encoders goes into every bundle
	for _, dir := range encoders {
		tree, err := readTree(dir)
		if err != nil {
			return nil, err
		}
		known = append(known, hashFiles(tree)...)
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
		b.dir = p.path(".cache/bundle/" + b.ID + "-" + hash(program, []byte(hashFiles(tree)), known))
		if !exist(b.dir) {
			var manifest json.RawMessage
			next := b.dir + ".next"
			if err := os.RemoveAll(next); err != nil {
				return nil, err
			}
			if err := p.render(ctx, &manifest, append([]string{"bundle", src, next}, encoders...)...); err != nil {
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

// encoders returns the folders of site/encoders, absolute, in byte order of their names.
func (p *project) encoders() ([]string, error) {
	metas, err := filepath.Glob(p.path("site/encoders/*/meta.json"))
	var out []string
	for _, meta := range metas {
		out = append(out, filepath.Dir(meta))
	}
	return out, err
}

// packEncoders returns the encoders as the page fetches them, by name, with the models that they stand for.
func (p *project) packEncoders(ctx context.Context) (packed map[string][]byte, teachers map[string]string, err error) {
	dirs, err := p.encoders()
	if err != nil {
		return nil, nil, err
	}
	packed, teachers = map[string][]byte{}, map[string]string{}
	for _, dir := range dirs {
		name := filepath.Base(dir)
		file := p.path(".cache/encoder-" + name)
		var teacher string
		if err := p.render(ctx, &teacher, "encoder", dir, file); err != nil {
			return nil, nil, err
		}
		if packed[name], err = os.ReadFile(file); err != nil {
			return nil, nil, err
		}
		teachers[name] = teacher
	}
	return packed, teachers, nil
}
