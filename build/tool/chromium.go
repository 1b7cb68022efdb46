package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
)

// shell is Chromium without what draws windows, which Debian packages by itself: the same engine for a sixth less
// processor time.
const shell = "chromium-headless-shell"

// browserNames are the names and places of Chromium with all it has.
var browserNames = []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	"/Applications/Chromium.app/Contents/MacOS/Chromium"}

// chromium returns the browser that measures and takes pictures: $CHROMIUM, or the first that is installed, the shell
// last, or one that it installs from Debian's packages where it may. Otherwise the error is the one command to run.
func (p *project) chromium(ctx context.Context) (string, error) {
	return p.browser(ctx, append(slices.Clone(browserNames), shell))
}

// headless returns the browser of the end-to-end tests: as chromium does, but the shell first.
func (p *project) headless(ctx context.Context) (string, error) {
	return p.browser(ctx, append([]string{shell}, browserNames...))
}

// browser returns the first of names that is installed, or installs one.
func (p *project) browser(ctx context.Context, names []string) (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("CHROMIUM=%s: %w", path, err)
		}
		return path, nil
	}
	find := func() string {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path, nil
	}
	wanted := names[0]
	by := "sudo apt-get update && sudo apt-get install -y " + wanted
	if !exist("/etc/debian_version") {
		return "", errors.New("install Chromium, which is missing, and set CHROMIUM to its path")
	}
	if os.Geteuid() != 0 {
		return "", errors.New("install Chromium, which is missing and which only root may install: " + by)
	}
	p.say("  Chromium is missing: installing it with apt-get")
	env := []string{"DEBIAN_FRONTEND=noninteractive"}
	if _, err := p.run(ctx, env, "apt-get", "update"); err != nil {
		return "", fmt.Errorf("%w\nChromium is missing and could not be installed; run: %s", err, by)
	}
	install := func(name string) error {
		_, err := p.run(ctx, env, "apt-get", "install", "-y", "--no-install-recommends", name)
		return err
	}
	err := install(wanted)
	if err != nil && wanted == shell { // an older Debian, or Ubuntu, has no such package
		err = install("chromium")
	}
	if err != nil {
		return "", fmt.Errorf("%w\nChromium is missing and could not be installed; run: %s", err, by)
	}
	if path := find(); path != "" {
		return path, nil
	}
	return "", errors.New("apt-get installed Chromium, but it is not found")
}

// visiting is the environment of a script that visits the site: $CHROMIUM is the browser, and $RANKBOX_BUILD this
// program, which serves the site. Unless that was built already, it is built first.
func (p *project) visiting(ctx context.Context, built bool) ([]string, error) {
	if err := p.packages(ctx); err != nil {
		return nil, err
	}
	browser, err := p.chromium(ctx)
	if err != nil {
		return nil, err
	}
	if !built {
		if err := p.site(ctx); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	return []string{"CHROMIUM=" + browser, "RANKBOX_BUILD=" + self}, err
}
