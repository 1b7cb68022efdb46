package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// chromium returns the browser of the end-to-end tests: $CHROMIUM, or the first that is installed, or one that it installs from Debian's
// packages where it may. Otherwise the error is the one command to run.
func (p *project) chromium(ctx context.Context) (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("CHROMIUM=%s: %w", path, err)
		}
		return path, nil
	}
	find := func() string {
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"} {
			if path, err := exec.LookPath(name); err == nil {
				return path
			}
		}
		return ""
	}
	if path := find(); path != "" {
		return path, nil
	}
	const by = "sudo apt-get update && sudo apt-get install -y chromium"
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
	if _, err := p.run(ctx, env, "apt-get", "install", "-y", "--no-install-recommends", "chromium"); err != nil {
		return "", fmt.Errorf("%w\nChromium is missing and could not be installed; run: %s", err, by)
	}
	if path := find(); path != "" {
		return path, nil
	}
	return "", errors.New("apt-get installed chromium, but it is not found")
}
