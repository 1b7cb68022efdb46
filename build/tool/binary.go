package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
)

// binaryCommand builds the command line with the site in it.
func binaryCommand(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("binary", flag.ContinueOnError)
	built := fs.Bool("built", false, "do not build the site: take what is in its folder")
	out := fs.String("out", "bin/rankbox", "write it to this `file`")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if !*built {
		if err := p.site(ctx); err != nil {
			return err
		}
	}
	return p.step("binary", func() error { return p.binary(ctx, *out) })
}

// siteCopy is where the compiler finds the site: it embeds nothing that is outside of the package's folder.
const siteCopy = "cmd/rankbox/site"

func (p *project) binary(ctx context.Context, out string) error {
	config, err := p.netlify()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(p.path(siteCopy)); err != nil {
		return err
	}
	defer os.RemoveAll(p.path(siteCopy))
	if err := os.CopyFS(p.path(siteCopy), os.DirFS(p.path(config.Publish))); err != nil {
		return err
	}
	headers, err := os.ReadFile(p.path("netlify.toml"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(p.path(siteCopy), "netlify.toml"), headers, 0o666); err != nil {
		return err
	}
	if !filepath.IsAbs(out) {
		out = p.path(out)
	}
	_, err = p.run(ctx, []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-tags", "site", "-ldflags=-s -w", "-o",
		out, "./cmd/rankbox")
	return err
}
