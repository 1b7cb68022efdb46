package main

import (
	"context"
	"flag"
	"os"
	"strconv"
)

// hashCommand runs a Spec in the terminal and in every browser that is installed, and fails if the reports differ. The
// page compares up to 20 runs.
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
	env, err := p.visiting(ctx, *built)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rankbox-hash")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command, err := p.commandIn(ctx, dir)
	if err != nil {
		return err
	}
	env = append(env, "RANKBOX_COMMAND="+command)
	out, err := p.run(ctx, env, "node", "build/hash.mjs", *spec, strconv.Itoa(*kills))
	os.Stdout.Write(out)
	return err
}
