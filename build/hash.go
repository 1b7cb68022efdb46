package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strconv"
)

// hashCommand runs a Spec in the terminal and in every browser that is installed, and fails where the reports differ. The page
// compares up to 20 runs.
func hashCommand(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("hash", flag.ContinueOnError)
	built := fs.Bool("built", false, "use the site as it was built last")
	spec := fs.String("spec", "", "a Spec: a `file` in JSON, as rankbox run reads it")
	kills := fs.Int("kills", 3, "how often Chromium's worker is ended at random moments, in a visit of its own")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if *spec == "" {
		return usageError{"hash needs -spec, a file in JSON as rankbox run reads it"}
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
	dir, err := os.MkdirTemp("", "rankbox-hash")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "rankbox")
	if _, err := p.run(ctx, nil, "go", "build", "-buildvcs=false", "-o", command, "./cmd/rankbox"); err != nil {
		return err
	}
	out, err := p.run(ctx, []string{"CHROMIUM=" + browser, "RANKBOX_BUILD=" + self, "RANKBOX_COMMAND=" + command},
		"node", "build/hash.mjs", *spec, strconv.Itoa(*kills))
	os.Stdout.Write(out)
	return err
}
