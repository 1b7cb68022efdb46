package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/recipe"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// bundled is one collection, packed.
type bundled struct {
	ID     string
	Name   string
	dir    string            // where the files are, absolute
	public *recipe.Recipe    // nil for a folder
	files  map[string][]byte // by name in the bundle
}

// sources returns the folders of the collections: those in each folder that hold a corpus, or that folder itself where
// it does. The one that the page opens where a link names none comes first: the demo, or where the site goes without it
// the first by name.
func (p *project) sources() ([]string, error) {
	folders, public, err := p.wanted()
	if err != nil {
		return nil, err
	}
	var out []string
	for _, folder := range folders {
		if strings.HasSuffix(folder, workspaceEnding) && !p.isFolder(folder) {
			if folder, err = p.workspaceFolder(folder); err != nil {
				return nil, err
			}
		}
		before := len(out)
		for _, name := range []string{"", "*/"} {
			for _, corpus := range []string{"corpus.jsonl", "corpus.jsonl.gz"} {
				found, err := filepath.Glob(filepath.Join(p.path(folder), filepath.FromSlash(name)+corpus))
				if err != nil {
					return nil, err
				}
				for _, f := range found {
					out = append(out, filepath.Dir(f))
				}
			}
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s: no collection: neither it nor a folder in it holds a corpus.jsonl",
				p.path(folder))
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	ids := map[string]string{}
	for _, r := range public {
		ids[r.Name] = "the public collection " + r.Name
	}
	for _, dir := range out {
		id := collectionID(dir)
		if other, twice := ids[id]; twice {
			return nil, fmt.Errorf("%s and %s are both called %s: rename one of the folders", other, dir, id)
		}
		ids[id] = dir
	}
	slices.SortStableFunc(out, func(a, b string) int {
		demo := func(dir string) int {
			if collectionID(dir) == state.DefaultCollection {
				return 0
			}
			return 1
		}
		return demo(a) - demo(b)
	})
	return out, nil
}

// collectionID makes an id, as links and addresses have it, of the name of a folder: "SciFact_v2" is scifact-v2.
func collectionID(dir string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, filepath.Base(dir))
	return id[:min(len(id), 64)]
}

// bundle packs the collections of p.collections. One whose files did not change since it was packed by the same code is
// taken from .cache/.
func (p *project) bundle(ctx context.Context) ([]bundled, error) {
	folders, err := p.sources()
	if err != nil {
		return nil, err
	}
	public, known, err := p.publicFolders(ctx)
	if err != nil {
		return nil, err
	}
	encoders, err := p.encoders()
	if err != nil {
		return nil, err
	}
	var encoded []byte // what of the encoders goes into every bundle
	for _, dir := range encoders {
		tree, err := readTree(dir)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, hashFiles(tree)...)
	}
	var out []bundled
	for _, folder := range append(folders, public...) {
		src, err := filepath.EvalSymlinks(folder)
		if err != nil {
			return nil, err
		}
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
		b := bundled{ID: collectionID(folder), public: known[folder]}
		with := encoders
		if b.public != nil && b.public.Language != "en" { // the encoders know English words
			with = nil
		}
		parts := [][]byte{program, []byte(hashFiles(tree))}
		if len(with) > 0 {
			parts = append(parts, encoded)
		}
		b.dir = p.path(".cache/bundle/" + b.ID + "-" + hash(parts...))
		if err := p.pack(ctx, b, src, with); err != nil {
			return nil, err
		}
		if b.files, err = readTree(b.dir); err != nil {
			return nil, err
		}
		var about struct{ Name string }
		if err := json.Unmarshal(b.files["manifest.json"], &about); err != nil {
			return nil, fmt.Errorf("%s: manifest.json: %w", b.dir, err)
		}
		b.Name = about.Name
		out = append(out, b)
	}
	return out, p.withinBudget(out)
}

// pack packs the collection in a folder into b.dir, unless that is done, with the encoders that know its words.
func (p *project) pack(ctx context.Context, b bundled, src string, encoders []string) error {
	if exist(b.dir) {
		return nil
	}
	var odd []string
	next := b.dir + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := p.render(ctx, &odd, append([]string{"bundle", src, b.ID, next}, encoders...)...); err != nil {
		return err
	}
	if len(odd) > 0 && b.public == nil && p.own() {
		return fmt.Errorf("%s: %s", src, odd[0])
	}
	for _, w := range odd {
		p.say("  %s: %s", src, w)
	}
	if err := replaceDir(next, b.dir); err != nil {
		return err
	}
	return p.forgetBundles(b.ID, b.dir)
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
