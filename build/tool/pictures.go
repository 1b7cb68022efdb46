package main

import (
	"context"
	"flag"
)

// pictures takes the pictures of the README, docs/pictures/*.png, of the built site in Chromium: what is shown there is
// what there is.
func pictures(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("pictures", flag.ContinueOnError)
	built := fs.Bool("built", false, "take them of the site as it was built last")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	env, err := p.visiting(ctx, *built)
	if err != nil {
		return err
	}
	return p.step("pictures", func() error {
		_, err := p.run(ctx, env, "node", "build/pictures.mjs", "docs/pictures")
		return err
	})
}
