package main

import (
	"context"
	"os"
	"path/filepath"
)

// rendered is one page as package wasm/app renders it.
type rendered struct {
	Path        string // the address, "/search"
	File        string // in the published folder, "search.html"
	Title       string
	Description string
	Body        string // markup
	State       string // what the program that takes the page over begins with, base64
	Data        []byte // what the screen fetches, where that is made with its page
}

// prerender renders the page of every route over the first of the packed collections.
func (p *project) prerender(ctx context.Context, version string, bundles []bundled) ([]rendered, error) {
	var pages []rendered
	args := []string{"pages", version, bundles[0].dir}
	if p.own() {
		args = append(args, "lessons")
	}
	err := p.render(ctx, &pages, args...)
	return pages, err
}

// lists returns the finished lists of the judged queries of the first of the packed collections, as files:
// "lists/q01.txt".
func (p *project) lists(ctx context.Context, bundles []bundled) (map[string][]byte, error) {
	var found map[string]string
	if err := p.render(ctx, &found, "finished", bundles[0].dir); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for id, html := range found {
		files["lists/"+id+".txt"] = []byte(html)
	}
	return files, nil
}

// manual is the reference: its pages, and the definitions that terms on other pages show.
type manual struct {
	Pages []rendered // without a State: no program takes them over
	Terms string     // JSON
}

// reference writes the reference from the registries.
func (p *project) reference(ctx context.Context) (*manual, error) {
	m := new(manual)
	return m, p.render(ctx, m, "reference")
}

// prerenderOnly writes the bodies into .cache/pages, to be looked at.
func (p *project) prerenderOnly(ctx context.Context) error {
	bundles, err := p.bundle(ctx)
	if err != nil {
		return err
	}
	return p.step("prerender", func() error {
		pages, err := p.prerender(ctx, "prerendered", bundles)
		if err != nil {
			return err
		}
		for _, r := range pages {
			file := p.path(".cache/pages/" + r.File)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(r.Body+"\n"), 0o666); err != nil {
				return err
			}
			p.say("  %-20s %7d bytes", r.Path, len(r.Body))
		}
		return nil
	})
}
