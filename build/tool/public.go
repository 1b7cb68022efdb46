package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// publicPath begins the folders of public collections in the site. They are fetched when one is opened, and are
// part of no first visit.
const publicPath = "collections/public."

// galleryFile lists the site's collections: see package gallery. The page reads the same as collections.bin.
const galleryFile = "collections.json"

// mostPublic is what the bundles of public collections may take together, in bytes, if -budget says nothing.
const mostPublic = 256_000_000

// workspaceEnding ends the names of workspaces in -collections.
const workspaceEnding = ".zip"

// workspaceFolder returns a workspace that the page saved as a folder in BEIR's layout below .cache/.
func (p *project) workspaceFolder(name string) (string, error) {
	data, err := os.ReadFile(p.path(name))
	if err != nil {
		return "", err
	}
	id := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), workspaceEnding), ".workspace")
	dir := ".cache/workspaces/" + hash(data) + "/" + id
	if exist(p.path(dir)) {
		return dir, nil
	}
	w, err := workspace.Import(name, data, workspace.Limits{Bytes: 1 << 30})
	if err != nil {
		return "", fmt.Errorf("-collections takes folders, names, and workspaces saved on the page: %w", err)
	}
	all, analyzer, err := w.Whole()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(p.path(dir)), 0o777); err != nil {
		return "", err
	}
	return dir, fetch.WriteCollection(all, analyzer, p.path(dir))
}

// wanted takes -collections apart: folders, workspaces, and the names of public collections. Without a folder the
// project's own collections are there.
func (p *project) wanted() (folders []string, public []*recipe.Recipe, err error) {
	if p.isFolder(p.collections) { // its name may have commas
		return []string{p.collections}, nil, nil
	}
	var all []*recipe.Recipe
	for _, word := range strings.Split(p.collections, ",") {
		word = strings.TrimSpace(word)
		if p.isFolder(word) || strings.HasSuffix(word, workspaceEnding) {
			folders = append(folders, word)
			continue
		}
		if all == nil {
			if all, err = fetch.Recipes(); err != nil {
				return nil, nil, err
			}
		}
		r := recipe.Named(all, word)
		if r == nil {
			return nil, nil, fmt.Errorf("%s is no folder, and %w", p.path(word), recipe.Unknown(all, word))
		}
		if slices.Contains(public, r) {
			return nil, nil, fmt.Errorf("-collections names %s twice", word)
		}
		public = append(public, r)
	}
	if len(folders) == 0 {
		folders = []string{ownCollections}
	}
	return folders, public, nil
}

func (p *project) isFolder(name string) bool {
	info, err := os.Stat(p.path(name))
	return name != "" && err == nil && info.IsDir()
}

// own reports whether the site has the project's own collections and perhaps public ones beside them.
func (p *project) own() bool {
	folders, _, err := p.wanted()
	return err == nil && slices.Equal(folders, []string{ownCollections})
}

// publicFolders returns the folders of the public collections of the site, in the order of -collections, and what each
// is.
func (p *project) publicFolders(ctx context.Context) (folders []string, known map[string]*recipe.Recipe, err error) {
	_, public, err := p.wanted()
	known = map[string]*recipe.Recipe{}
	for _, r := range public {
		folder, err := p.publicFolder(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		folders, known[folder] = append(folders, folder), r
	}
	return folders, known, err
}

// publicFolder returns a collection as a folder in BEIR's layout below .cache/, with the vectors that -vectors has of
// it. One that is not on this machine is downloaded.
func (p *project) publicFolder(ctx context.Context, r *recipe.Recipe) (string, error) {
	dir, err := p.downloaded(ctx, r)
	if err != nil {
		return "", err
	}
	vectors := filepath.Join(dir, "vectors")
	if err := os.RemoveAll(vectors); err != nil { // of an earlier build
		return "", err
	}
	if p.vectors == "" {
		return dir, nil
	}
	models, err := filepath.Glob(filepath.Join(p.path(p.vectors), r.Name, "*", "meta.json"))
	if err != nil {
		return "", err
	}
	for _, m := range models {
		from := filepath.Dir(m)
		to := filepath.Join(vectors, filepath.Base(from))
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			return "", err
		}
		for _, ids := range []string{"doc_ids.txt", "query_ids.txt"} { // shared by all models
			data, err := os.ReadFile(filepath.Join(filepath.Dir(from), ids))
			if err != nil || exist(filepath.Join(to, ids)) {
				continue
			}
			if err := os.WriteFile(filepath.Join(to, ids), data, 0o666); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}

// downloaded returns a collection as a folder in BEIR's layout, without vectors.
func (p *project) downloaded(ctx context.Context, r *recipe.Recipe) (string, error) {
	if r.Licence == "" && !p.anyLicence {
		return "", fmt.Errorf("%s: its source states no licence (%s), so a site may not be free to carry it; leave "+
			"it out, or say -any-licence for a site of your own", r.Name, r.LicenceAt)
	}
	cache, err := fetch.Default()
	if err != nil {
		return "", err
	}
	cache.Notice = func(text string) { p.say("  %s", text) }
	shown := time.Now()
	cache.Progress = func(file string, done, of int64) {
		if time.Since(shown) > 5*time.Second {
			shown = time.Now()
			p.say("  %s: %s of %s", file, say.Bytes(done), say.Bytes(of))
		}
	}
	dir := p.path(".cache/collections/" + filepath.Base(cache.Folder(r)) + "/" + r.Name)
	if exist(filepath.Join(dir, "corpus.jsonl")) {
		return dir, nil
	}
	missing := new(fetch.Missing)
	if err := cache.Has(r); errors.As(err, &missing) {
		p.say("  %s is not on this machine: downloading %s", r.Name, say.Bytes(missing.Bytes))
	}
	if _, err := cache.Fetch(ctx, r, ""); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	return dir, cache.WriteFolder(r, dir, collection.Options{})
}

// size is what a bundle takes, in bytes.
func (b *bundled) size() (n int) {
	for _, data := range b.files {
		n += len(data)
	}
	return n
}

// withinBudget refuses public collections that are larger than the site may be.
func (p *project) withinBudget(bundles []bundled) error {
	most := p.budget
	if most == 0 {
		most = mostPublic
	}
	total, sizes := 0, []string{}
	for _, b := range bundles {
		if b.public != nil {
			total += b.size()
			sizes = append(sizes, fmt.Sprintf("%s %s", b.ID, say.Bytes(int64(b.size()))))
		}
	}
	if total > most {
		return fmt.Errorf("the public collections have %s bytes and may have %s (-budget): %s; leave some out of "+
			"-collections", say.Thousands(total), say.Thousands(most), strings.Join(sizes, ", "))
	}
	if total > 0 {
		p.say("  public collections: %s of %s: %s", say.Bytes(int64(total)), say.Bytes(int64(most)),
			strings.Join(sizes, ", "))
	}
	return nil
}

// place adds the files of the bundles to those of the site, and the index of the gallery, and returns where each bundle
// is.
func (p *project) place(ctx context.Context, bundles []bundled, files map[string][]byte) ([]collectionConfig, error) {
	var out []collectionConfig
	var shown gallery.Gallery
	for _, b := range bundles {
		base := "collections/" + b.ID + "/" + hashFiles(b.files) + "/"
		if b.public != nil {
			base = publicPath + b.ID + "/" + hashFiles(b.files) + "/"
		}
		own := map[string][]byte{}
		for name, data := range b.files {
			files[base+name], own[base+name] = data, data
		}
		out = append(out, collectionConfig{ID: b.ID, Base: "/" + base, Bytes: b.size()})
		small, err := p.compress(ctx, own)
		if err != nil {
			return nil, err
		}
		transfer := 0
		for name, data := range own {
			if s, ok := small[name+".br"]; ok {
				data = s
			}
			transfer += len(data)
		}
		entry, err := b.entry("/"+base, transfer)
		if err != nil {
			return nil, err
		}
		shown.Collections = append(shown.Collections, entry)
	}
	index, err := json.MarshalIndent(shown, "", "  ")
	files[galleryFile], files["collections.bin"] = index, wire.Marshal(&shown)
	return out, err
}

// entry describes one collection. transfer is how many bytes its files have on the way.
func (b *bundled) entry(base string, transfer int) (gallery.Collection, error) {
	m, err := bundle.ReadManifest(b.files["manifest.json"])
	if err != nil {
		return gallery.Collection{}, fmt.Errorf("%s: %w", b.dir, err)
	}
	e := gallery.Collection{ID: b.ID, Name: m.Name, Base: base, Sentence: m.Source, Source: m.Source,
		Analyzer: m.Analyzer, Documents: m.Documents, Queries: m.Queries, Judgments: m.Judgments,
		Models: []string{}, Bytes: b.size(), Transfer: transfer, Licence: m.Licence, Faults: []string{},
		Figures: []gallery.Figure{}}
	for i := range m.Models {
		e.Models = append(e.Models, m.Models[i].Called())
	}
	r := b.public
	if r == nil {
		if of := recipe.LanguagesOf(m.Analyzer); len(of) == 1 { // the only language that chooses its analyzer
			e.Language = of[0]
		}
		return e, nil
	}
	e.Sentence, e.Domain, e.Language, e.LicenceSource, e.Source = r.Sentence, r.Domain, r.Language, r.LicenceAt,
		r.Files[0].URL
	e.Citation, e.Judged, e.RemoveQuery = r.Citation, r.Judged, r.RemoveQuery
	e.Faults = append(e.Faults, r.Faults...)
	for _, f := range r.Figures {
		s := r.Source(f.Source)
		e.Figures = append(e.Figures, gallery.Figure{System: f.System, Measure: f.Measure, Value: f.Value(),
			About: s.About, URL: s.URL, Note: f.Note})
	}
	return e, nil
}
