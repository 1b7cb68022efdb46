package main

import (
	"context"
	"os"
	"path/filepath"
)

// rendered is one page as package wasm/app renders it.
type rendered struct {
	Route string `json:"route"`
	Head  string `json:"head"`
	Body  string `json:"body"`
}

// prerender renders the page of every route over the packed collections.
func (p *project) prerender(ctx context.Context, bundles []bundled) ([]rendered, error) {
	args := []string{"pages"}
	for _, b := range bundles {
		args = append(args, b.ID+"="+b.dir)
	}
	var pages []rendered
	err := p.render(ctx, &pages, args...)
	return pages, err
}

// prerenderOnly writes the bodies into .cache/pages, to be looked at.
func (p *project) prerenderOnly(ctx context.Context) error {
	bundles, err := p.bundle(ctx)
	if err != nil {
		return err
	}
	return p.step("prerender", func() error {
		pages, err := p.prerender(ctx, bundles)
		if err != nil {
			return err
		}
		for _, r := range pages {
			file := p.path(".cache/pages/" + filepath.Clean("/"+r.Route+"/body.html"))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(r.Head+"\n"+r.Body+"\n"), 0o666); err != nil {
				return err
			}
			p.say("  %-20s %7d bytes", r.Route, len(r.Body))
		}
		return nil
	})
}
