// Command build makes, serves and tests Rankbox: `go run ./build <command>`. It needs Go, Node.js with npm, and for
// `test` Chromium.
//
// This program imports a little of the standard library alone, so that it speaks within seconds on a machine with empty
// caches. It compiles the tool itself, build/tool, and runs it with the same arguments.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "build: %v\n", err)
	}
	os.Exit(code)
}

// run compiles the tool and runs it. It returns the tool's exit status.
func run(args []string) (int, error) {
	root, err := moduleRoot()
	if err != nil {
		return 1, err
	}
	tool := filepath.Join(root, ".cache", "bin", "tool")
	if _, err := os.Stat(tool); err != nil {
		fmt.Fprintln(os.Stderr, "build: compiling the build tool, once: one to two minutes on a new machine")
	}
	start := time.Now()
	compile := exec.Command("go", "build", "-buildvcs=false", "-o", tool, "./build/tool")
	compile.Dir, compile.Stdout, compile.Stderr = root, os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return 1, fmt.Errorf("compile build/tool: %w", err)
	}
	if took := time.Since(start); took > 10*time.Second {
		fmt.Fprintf(os.Stderr, "build: compiled in %.0f s\n", took.Seconds())
	}
	child := exec.Command(tool, args...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The terminal sends an interrupt to both. Others end this process alone, so it passes their signal on.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := child.Start(); err != nil {
		return 1, err
	}
	go func() {
		for s := range signals {
			child.Process.Signal(s)
		}
	}()
	err = child.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
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
