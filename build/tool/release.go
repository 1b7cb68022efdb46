package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/build/internal/release"
)

// releaseDir is where a release is written.
const releaseDir = "dist-release"

// releasing is what was asked of the command release.
type releasing struct {
	version, revision string
	platforms         []release.Platform
	npm, wheels       bool
	out               string

	files    map[string][]byte // that are published, by name
	programs map[release.Platform][]byte
	sums     map[release.Platform]string // of the archives
	notices  []byte
}

// releaseCommand writes everything that a release publishes into one folder: docs/releasing.md.
func releaseCommand(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("release", flag.ContinueOnError)
	var names []string
	for _, x := range release.Platforms {
		names = append(names, x.String())
	}
	only := fs.String("only", strings.Join(names, ","), "compile for these `platforms` alone")
	npm := fs.Bool("npm", true, "make the npm packages, which takes Node.js")
	wheels := fs.Bool("wheels", true, "make the Python wheels, which takes Python, and once the network")
	tag := fs.String("tag", "", "fail unless this `tag` is that of the version, as v0.1.0")
	out := fs.String("out", releaseDir, "write it to this `folder`, which is replaced")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	r := &releasing{
		npm: *npm, wheels: *wheels, out: p.path(*out), files: map[string][]byte{},
		programs: map[release.Platform][]byte{}, sums: map[release.Platform]string{},
	}
	for name := range strings.SplitSeq(*only, ",") {
		i := slices.Index(names, name)
		if i < 0 {
			return usageError{fmt.Sprintf("-only: %q is none of %s", name, strings.Join(names, ", "))}
		}
		if !slices.Contains(r.platforms, release.Platforms[i]) {
			r.platforms = append(r.platforms, release.Platforms[i])
		}
	}
	var err error
	if r.version, err = p.version(); err != nil {
		return err
	}
	if *tag != "" && *tag != "v"+r.version {
		return fmt.Errorf("the tag %s is not that of version %s: v%s", *tag, r.version, r.version)
	}
	return p.release(ctx, r)
}

// version is that of package.json. It is an error if another file that states it differs.
func (p *project) version() (string, error) {
	text, err := os.ReadFile(p.path("package.json"))
	if err != nil {
		return "", err
	}
	var npm struct{ Version string }
	if err := json.Unmarshal(text, &npm); err != nil {
		return "", fmt.Errorf("package.json: %w", err)
	}
	for file, pattern := range map[string]string{
		"scripts/python/pyproject.toml": `(?m)^version = "(.*)"$`, "CITATION.cff": `(?m)^version: (.*)$`,
	} {
		text, err := os.ReadFile(p.path(file))
		if err != nil {
			return "", err
		}
		m := regexp.MustCompile(pattern).FindSubmatch(text)
		if m == nil || string(m[1]) != npm.Version {
			return "", fmt.Errorf("%s does not state version %s, which package.json does", file, npm.Version)
		}
	}
	return npm.Version, nil
}

func (p *project) release(ctx context.Context, r *releasing) error {
	// A copy of the sources without git has no commit; the same sources in git have.
	if out, err := p.run(ctx, nil, "git", "rev-parse", "HEAD"); err == nil {
		r.revision = strings.TrimSpace(string(out))
	}
	if err := os.MkdirAll(p.path(".cache"), 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(p.path(".cache"), "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if r.notices, err = p.releaseNotices(ctx, commandLine); err != nil {
		return err
	}
	for _, x := range r.platforms {
		if err := p.step("program "+x.String(), func() error { return p.releaseProgram(ctx, r, x, work) }); err != nil {
			return err
		}
	}
	r.files["rankbox.rb"] = release.Formula(r.version, r.sums)
	if r.files["rankbox.json"], err = release.Scoop(r.version, r.sums); err != nil {
		return err
	}
	if r.npm {
		if err := p.step("npm packages", func() error { return p.releaseNPM(ctx, r) }); err != nil {
			return err
		}
	}
	if r.wheels {
		if err := p.step("Pyodide wheel", func() error {
			name, wheel, err := p.pyodideWheel(ctx, r.version)
			if err != nil {
				return err
			}
			r.files[name] = wheel
			r.files["rankbox-notebooks-"+r.version+".zip"], err = p.notebooks()
			return err
		}); err != nil {
			return err
		}
		if err := p.step("Python wheels", func() error { return p.releaseWheels(ctx, r, work) }); err != nil {
			return err
		}
	}
	return p.writeRelease(r)
}

// releaseProgram compiles the command line for a platform, packs it, and writes its bill of materials.
func (p *project) releaseProgram(ctx context.Context, r *releasing, x release.Platform, work string) error {
	file := filepath.Join(work, x.String(), x.Program())
	set := "-ldflags=-s -w -buildid= -X main.released=v" + r.version + " -X main.revision=" + r.revision
	env := []string{"CGO_ENABLED=0", "GOOS=" + x.OS, "GOARCH=" + x.Arch}
	args := []string{"build", "-trimpath", "-buildvcs=false", set, "-o", file, "./cmd/rankbox"}
	if _, err := p.run(ctx, env, "go", args...); err != nil {
		return err
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	r.programs[x] = program
	readme, err := os.ReadFile(p.path("scripts/release/README.md"))
	if err != nil {
		return err
	}
	archive, err := x.Pack([]release.File{
		{Name: x.Program(), Data: program, Executable: true},
		{Name: "LICENSE.txt", Data: r.notices}, {Name: "README.md", Data: readme},
	})
	if err != nil {
		return err
	}
	name := x.Archive(r.version)
	r.files[name], r.sums[x] = archive, release.Sum(archive)
	if r.files[name+".cdx.json"], err = release.BOM(file, r.version); err != nil {
		return err
	}
	p.say("  %s: %s bytes", name, thousands(len(archive)))
	return nil
}

func (p *project) releaseNPM(ctx context.Context, r *releasing) (err error) {
	if r.files[npmTarball("rankbox", r.version)], err = p.npmPackage(ctx, r.version); err != nil {
		return err
	}
	for x, program := range r.programs {
		name := npmTarball(nativePackage(x), r.version)
		if r.files[name], err = npmNative(x, r.version, program, r.notices); err != nil {
			return err
		}
	}
	return nil
}

// wheelTools are what makes a wheel, pinned: its version is in the wheel.
var wheelTools = []string{"setuptools==80.9.0"}

// releaseWheels makes a wheel for every platform that scripts/python knows, of a copy of the sources: setuptools
// leaves files beside them.
func (p *project) releaseWheels(ctx context.Context, r *releasing, work string) error {
	python := p.path(".cache/wheels/bin/python")
	if _, err := os.Stat(python); err != nil {
		if _, err := exec.LookPath("python3"); err != nil {
			return errors.New("python3 is missing: install it, or give -wheels=false")
		}
		if _, err := p.run(ctx, nil, "python3", "-m", "venv", p.path(".cache/wheels")); err != nil {
			return err
		}
	}
	install := append([]string{"-m", "pip", "install", "--quiet"}, wheelTools...)
	if _, err := p.run(ctx, nil, python, install...); err != nil {
		return err
	}
	// The first time that a zip can say.
	env := []string{"SOURCE_DATE_EPOCH=315532800", "PYTHONDONTWRITEBYTECODE=1"}
	for _, x := range r.platforms {
		copied, made := filepath.Join(work, "python-"+x.String()), filepath.Join(work, "wheel-"+x.String())
		sources, err := readTree(p.path("scripts/python"))
		if err != nil {
			return err
		}
		for name := range sources { // what earlier builds in the repository left
			top, _, _ := strings.Cut(name, "/")
			left := []string{"build", "dist", "rankbox.egg-info"}
			if slices.Contains(left, top) || strings.Contains(name, "__pycache__") {
				delete(sources, name)
			}
		}
		if err := writeTree(copied, sources); err != nil {
			return err
		}
		args := []string{filepath.Join(copied, "build_wheel.py"), x.String(), "--out", made,
			"--program", filepath.Join(work, x.String(), x.Program())}
		if _, err := p.run(ctx, env, python, args...); err != nil {
			return err
		}
		files, err := readTree(made)
		if err != nil {
			return err
		}
		if len(files) != 1 {
			return fmt.Errorf("build_wheel.py made %d files for %s, want one wheel", len(files), x)
		}
		for name, data := range files {
			r.files[name] = data
		}
	}
	return nil
}

// writeRelease puts the files, their sums, and what the container is made of into the folder of the release.
func (p *project) writeRelease(r *releasing) error {
	fresh := r.out + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	r.files["SHA256SUMS"] = release.Sums(r.files)
	if err := writeTree(fresh, r.files); err != nil {
		return err
	}
	container, err := os.ReadFile(p.path("scripts/release/Containerfile"))
	if err != nil {
		return err
	}
	if err := writeTree(fresh, map[string][]byte{"container/Containerfile": container}); err != nil {
		return err
	}
	for _, x := range r.platforms {
		if x.OS != "linux" {
			continue
		}
		file := filepath.Join(fresh, "container", x.String(), x.Program())
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, r.programs[x], 0o755); err != nil {
			return err
		}
	}
	p.say("  %s: %d files, version %s", r.out, len(r.files), r.version)
	return replaceDir(fresh, r.out)
}
