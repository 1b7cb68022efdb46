// Command tool is what `go run ./build` compiles and runs. It needs Go, Node.js with npm, and for
// `test` Chromium.
//
// Order of the pipeline: generate → compile → bundle → prerender → the site in dist/ → serve or test. The page itself
// and the bundle format are compiled into a second program, build/render, so that this one still runs when they do not
// compile, and so that -watch uses them as they are now.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

type command struct {
	name, what string
	run        func(ctx context.Context, p *project, args []string) error
}

var commands = []command{
	{"serve", "build the site and serve it with its production headers; -open, -watch, -addr, -built, -edge", serve},
	{"test", "run the checks of a contribution; -list, -run, -fresh, -long", test},
	{"site", "build the site into dist/; -collections, -any-licence, -vectors, -budget, -out", siteCommand},
	{"generate", "write the code and the documents that are generated", simple((*project).generate)},
	{"binary", "build bin/rankbox, the command line with the site in it; -built, -out", binaryCommand},
	{"release", "write a release into dist-release/; -only, -npm, -wheels, -tag, -out", releaseCommand},
	{"edge", "build the worker of the edge into .cache/edge; -weigh, -out, -tags", edgeCommand},
	{"scorm", "pack lessons of the built site as SCORM 1.2; -lessons, -site, -out, -unpacked", scormCommand},
	{"lessons", "print what the lessons of the built site ask, with all answers, as JSON", lessonsCommand},
	{"compile", "compile the program of the page into .cache/", simple((*project).compileOnly)},
	{"bundle", "pack the collections of site/collections into .cache/", simple((*project).bundleOnly)},
	{"prerender", "render every page into .cache/", simple((*project).prerenderOnly)},
	{"bench", "measure how fast search and the page are, beside other libraries, and write docs/benchmark.md; " +
		"-built, -only", bench},
	{"hash", "run a Spec in the terminal and in every browser here, and compare the hashes; -spec, -kills, -built",
		hashCommand},
	{"pictures", "take the pictures of the README of the built site; -built", pictures},
	{"size", "print what the built site weighs, and fail where it is over its budget", simple((*project).size)},
}

// simple makes a command of a step that takes no flags.
func simple(step func(*project, context.Context) error) func(context.Context, *project, []string) error {
	return func(ctx context.Context, p *project, args []string) error {
		if len(args) > 0 {
			return usageError{fmt.Sprintf("unexpected argument %q", args[0])}
		}
		return step(p, ctx)
	}
}

// usageError is a mistake on the command line.
type usageError struct{ why string }

func (e usageError) Error() string { return e.why }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	var usage usageError
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "build: %v\n\n", err)
		printUsage()
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "build: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return usageError{"a command is missing"}
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		printUsage()
		return nil
	}
	for _, c := range commands {
		if c.name == args[0] {
			root, err := moduleRoot()
			if err != nil {
				return err
			}
			return c.run(ctx, newProject(root, os.Stderr), args[1:])
		}
	}
	return usageError{fmt.Sprintf("unknown command %q", args[0])}
}

func printUsage() {
	fmt.Fprintln(os.Stderr, "usage: go run ./build <command> [flags]")
	for _, c := range commands {
		fmt.Fprintf(os.Stderr, "  %-10s %s\n", c.name, c.what)
	}
}

// parseFlags parses the flags of a command that takes no other arguments.
func parseFlags(fs *flag.FlagSet, args []string) error {
	fs.SetOutput(io.Discard) // main says what is wrong
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(os.Stderr)
			fs.PrintDefaults()
			return err
		}
		return usageError{err.Error()}
	}
	if fs.NArg() > 0 {
		return usageError{fmt.Sprintf("unexpected argument %q", fs.Arg(0))}
	}
	return nil
}

// moduleRoot returns the folder of go.mod, looked for from the working directory upwards.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod here or above: run this inside the repository")
		}
		dir = up
	}
}
