package main

import (
	"context"
	"flag"
	"os"
)

// pictures takes the pictures of the README, docs/pictures/*.png, of the built site in Chromium: what is shown there is what there is.
func pictures(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("pictures", flag.ContinueOnError)
	built := fs.Bool("built", false, "take them of the site as it was built last")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if err := p.packages(ctx); err != nil {
		return err
	}
	browser, err := p.chromium(ctx)
	if err != nil {
		return err
	}
	if !*built {
		if err := p.site(ctx); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return p.step("pictures", func() error {
		_, err := p.run(ctx, []string{"CHROMIUM=" + browser, "RANKBOX_BUILD=" + self}, "node", "build/pictures.mjs", "docs/pictures")
		return err
	})
}
