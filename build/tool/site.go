package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/build/static"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// site builds everything into the folder that netlify.toml publishes. The folder is replaced as a whole when all is
// done, so a build that fails leaves the last good one.
//
// Names: what has a hash in its path never changes (the scripts and styles share one hash, since they name each other);
// pages, sw.js and what is copied from site/ keep their names.
func (p *project) site(ctx context.Context) error {
	start := time.Now()
	config, err := p.netlify()
	if err != nil {
		return err
	}
	if err := p.generateCode(ctx); err != nil {
		return err
	}
	files, err := p.assemble(ctx)
	if err != nil {
		return err
	}
	if files[static.HeadersFile], err = headers(config, files); err != nil {
		return err
	}
	err = p.step("compress", func() error {
		small, err := p.compress(ctx, files)
		for name, data := range small {
			files[name] = data
		}
		return err
	})
	if err != nil {
		return err
	}
	out := p.out
	if out == "" {
		out = config.Publish
	}
	err = p.step("write "+out, func() error {
		next := p.path(".cache/dist.next")
		if err := os.RemoveAll(next); err != nil {
			return err
		}
		if err := writeTree(next, files); err != nil {
			return err
		}
		return replaceDir(next, p.path(out))
	})
	if err == nil {
		p.say("  built in %.1f s", time.Since(start).Seconds())
	}
	return err
}

// siteCommand is `site`.
func siteCommand(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("site", flag.ContinueOnError)
	fs.StringVar(&p.collections, "collections", p.collections,
		"`list` of what goes into the site, with commas: folders of collections, or of one collection in BEIR's "+
			"layout, with or without collection.json; "+
			"and names of public collections (docs/collections.md), which come beside the demo if no folder is named "+
			"and are downloaded if they are not here")
	fs.BoolVar(&p.anyLicence, "any-licence", false, "public collections whose source states no licence too")
	fs.StringVar(&p.vectors, "vectors", "",
		"`folder` of vectors of public collections, NAME/MODEL/ as scripts/embed writes them; "+
			"English collections without get those of the static encoder")
	fs.IntVar(&p.budget, "budget", mostPublic, "`bytes` that public collections may have together, unpacked")
	fs.StringVar(&p.out, "out", "", "`folder` to write to, instead of the one that netlify.toml publishes")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	return p.site(ctx)
}

// netlify reads netlify.toml.
func (p *project) netlify() (*static.Config, error) {
	f, err := os.Open(p.path("netlify.toml"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return static.ReadConfig(f)
}

// assemble makes every file of the site but the compressed forms, by its name in the published folder.
// It is the order of the build: the addresses of one step go into the next.
func (p *project) assemble(ctx context.Context) (map[string][]byte, error) {
	var (
		wasm, wasmBrotli = map[string][]byte{}, map[string]int{}
		bundles          []bundled
		wasmErr, packErr error
		both             sync.WaitGroup
	)
	both.Go(func() {
		wasmErr = p.step("compile", func() error {
			for _, program := range programs() {
				data, err := p.compile(ctx, program)
				if err != nil {
					return err
				}
				small, err := p.compress(ctx, map[string][]byte{"x.wasm": data})
				if err != nil {
					return err
				}
				wasm[program], wasmBrotli[program] = data, len(small["x.wasm.br"])
			}
			return nil
		})
	})
	both.Go(func() {
		packErr = p.step("bundle", func() (err error) {
			bundles, err = p.bundle(ctx)
			return err
		})
	})
	both.Wait()
	for _, err := range []error{wasmErr, packErr} {
		if err != nil {
			return nil, err
		}
	}

	files := map[string][]byte{}
	program := func(name string) asset {
		return asset{URL: put(files, "assets/wasm/"+name, ".wasm", wasm[name]), Bytes: len(wasm[name]),
			Brotli: wasmBrotli[name], Integrity: integrity(wasm[name])}
	}
	c := siteConfig{Programs: map[string]programConfig{}, Board: program(boardProgram)}
	for _, b := range screens.Builds {
		c.Programs[string(b.Program)] = programConfig{program(string(b.Program)), b.Worker}
	}
	for _, s := range screens.All {
		c.Screens = append(c.Screens, screenConfig{Name: s.Name, Path: s.Path, Old: s.Old, Door: s.Door, Tab: s.Tab,
			Program: string(s.Program), Link: s.Link, Own: s.Own, Files: s.Files})
	}
	config, err := p.netlify()
	if err != nil {
		return nil, err
	}
	c.Edge = edgeOrigin(config.Header("/").Get("Content-Security-Policy"))
	kernels, err := filepath.Glob(p.path("wasm/kernel/*.wasm"))
	if err != nil {
		return nil, err
	}
	c.Kernels = map[string]asset{}
	for _, file := range kernels {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".wasm")
		c.Kernels[name] = asset{URL: put(files, "assets/wasm/"+name, ".wasm", data), Bytes: len(data),
			Integrity: integrity(data)}
	}
	if c.Collections, err = p.place(ctx, bundles, files); err != nil {
		return nil, err
	}

	encoders, teachers, err := p.packEncoders(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(encoders) {
		data := encoders[name]
		small, err := p.compress(ctx, map[string][]byte{"x.bin": data})
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		a := asset{URL: put(files, "assets/encoders/"+name, ".bin", data), Bytes: len(data),
			Brotli: len(small["x.bin.br"])}
		c.Encoders = append(c.Encoders, encoderConfig{a, name, teachers[name], hex.EncodeToString(sum[:])})
	}

	if c.Network, err = p.network(ctx, files); err != nil {
		return nil, err
	}

	reference, err := p.reference(ctx)
	if err != nil {
		return nil, err
	}
	written, err := p.lists(ctx, bundles)
	if err != nil {
		return nil, err
	}
	written["js/terms.json"] = []byte(reference.Terms)
	assets, err := p.scripts(ctx, &c, written)
	if err != nil {
		return nil, err
	}
	for name, data := range assets.files {
		files[name] = data
	}
	if files[noticesFile], err = p.notices(ctx); err != nil {
		return nil, err
	}
	if err := p.machines(files); err != nil {
		return nil, err
	}
	if err := p.copied(files); err != nil {
		return nil, err
	}
	err = p.step("prerender", func() error { return p.pages(ctx, bundles, reference, assets, files) })
	if err != nil {
		return nil, err
	}
	return files, p.serviceWorker(files, &c)
}

// put adds a file under a name with the hash of its content and returns its address.
func put(files map[string][]byte, stem, ext string, data []byte) string {
	name := stem + "." + hash(data) + ext
	files[name] = data
	return "/" + name
}

// siteConfig is the default export of assets/<hash>/js/config.js: where everything is, and how much of it there is, so
// that progress can be told in bytes. The script adds "worker", the address of worker.js beside it.
type siteConfig struct {
	Version  string                   `json:"version"` // of package.json, "+", the hash of everything below
	Programs map[string]programConfig `json:"programs"`
	Board    asset                    `json:"board"` // the program that shows the figures of a comparison's link
	Screens  []screenConfig           `json:"screens"`
	// Kernels are by the name of the file in wasm/kernel without its extension.
	Kernels     map[string]asset   `json:"kernels"`
	Collections []collectionConfig `json:"collections"`
	// of the scripts and what they fetch beside them, by name: "terms.js"; the page itself says it of boot.js and what
	// that needs
	Integrity map[string]string `json:"integrity"`
	Encoders  []encoderConfig   `json:"encoders"` // of typed queries
	// what runs a model's own network, fetched on request
	Network networkConfig `json:"network"`
	// origin of the edge where it is another than the site's: the one that connect-src allows
	Edge string `json:"edge,omitempty"`
}

// edgeOrigin is the origin beside the site's own that its policy lets the page connect to, "" where there is none.
func edgeOrigin(policy string) string {
	for _, rule := range strings.Split(policy, ";") {
		words := strings.Fields(rule)
		if len(words) == 0 || words[0] != "connect-src" {
			continue
		}
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "https://") {
				return strings.TrimSuffix(w, "/")
			}
		}
	}
	return ""
}

// screenConfig is what the scripts know of a screen.
type screenConfig struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Old     string `json:"old,omitempty"`
	Door    string `json:"door,omitempty"`
	Tab     string `json:"tab"`
	Program string `json:"program"`
	Link    string `json:"link,omitempty"`
	Own     bool   `json:"own,omitempty"`
	Files   bool   `json:"files,omitempty"`
}

type asset struct {
	URL    string `json:"url"`
	Bytes  int    `json:"bytes"`            // decoded
	Brotli int    `json:"brotli,omitempty"` // on the way

	Integrity string `json:"integrity"`
}

type programConfig struct {
	asset
	Worker bool `json:"worker,omitempty"` // whether it plays the worker too
}

type encoderConfig struct {
	asset
	Name    string `json:"name"`
	Teacher string `json:"teacher"` // the full name of the model that it stands for
	Sum     string `json:"sha256"`
}

type collectionConfig struct {
	ID    string `json:"id"`
	Base  string `json:"base"` // the folder of its manifest.json, with a slash at its end
	Bytes int    `json:"bytes"`
}

// scriptSet is the scripts and styles of one build; they are in one folder that is named by a hash over all of them.
type scriptSet struct {
	base    string // "/assets/<hash>/"
	version string
	config  *siteConfig
	files   map[string][]byte // by name in the published folder
	own     map[string][]byte // by name below base: "js/boot.js"
}

// scripts collects site/js, site/css, site/fonts, the toolchain's glue, what the build wrote and the configuration.
func (p *project) scripts(ctx context.Context, c *siteConfig, written map[string][]byte) (*scriptSet, error) {
	s := &scriptSet{own: map[string][]byte{}, files: map[string][]byte{}}
	for _, dir := range []string{"js", "css", "fonts"} {
		tree, err := readTree(p.path("site/" + dir))
		if err != nil {
			return nil, err
		}
		for name, data := range tree {
			s.own[dir+"/"+name] = data
		}
	}
	glue, err := p.wasmExec(ctx)
	if err != nil {
		return nil, err
	}
	s.own["js/wasm_exec.js"] = glue
	if s.own["js/kernel.js"], err = os.ReadFile(p.path("wasm/kernel/kernel.js")); err != nil {
		return nil, err
	}
	for _, name := range append(sortedKeys(written), "js/config.js") {
		if _, ok := s.own[name]; ok {
			return nil, fmt.Errorf("site/%s: the build writes a file of this name; give yours another", name)
		}
	}
	for name, data := range written {
		s.own[name] = data
	}
	c.Integrity = map[string]string{}
	for name, data := range s.own {
		if name, ok := strings.CutPrefix(name, "js/"); ok {
			c.Integrity[name] = integrity(data)
		}
	}
	var pkg struct{ Version string }
	data, err := os.ReadFile(p.path("package.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &pkg); err != nil {
		return nil, fmt.Errorf("package.json: %w", err)
	}
	before, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	c.Version = pkg.Version + "+" + hash(before, []byte(hashFiles(s.own)))[:7]
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return nil, err
	}
	s.own["js/config.js"] = fmt.Appendf(nil,
		"// Written by the build.\nconst config = %s;\nconfig.worker = new URL('./worker.js', "+
			"import.meta.url).href;\nexport default Object.freeze(config);\n", text)
	s.version, s.config = c.Version, c
	s.base = "/assets/" + hashFiles(s.own) + "/"
	for name, data := range s.own {
		s.files[s.base[1:]+name] = data
	}
	return s, checkImports(s.own)
}

var staticImport = regexp.MustCompile(`(?m)(?:\bfrom\s*|^\s*import\s*)["'](\.{1,2}/[^"']+)["']`)

var importPattern = regexp.MustCompile(
	`(?m)(?:\bfrom\s*|^\s*import\s*|\bimport\(\s*|\bnew URL\(\s*)["'](\.{1,2}/[^"']+)["']`)

// relativeImports returns the files that a script names relative to itself, in order of appearance.
func relativeImports(name string, script []byte) []string {
	var out []string
	for _, m := range importPattern.FindAllSubmatch(script, -1) {
		out = append(out, path.Join(path.Dir(name), string(m[1])))
	}
	return out
}

// checkImports reports scripts that name a script that is not there.
func checkImports(files map[string][]byte) error {
	for _, name := range sortedKeys(files) {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, to := range relativeImports(name, files[name]) {
			if _, ok := files[to]; !ok {
				return fmt.Errorf("site/%s imports %s, which is not there", name, to)
			}
		}
	}
	return nil
}

// copied adds what is published as it is: everything in site/ but the sources of other files.
func (p *project) copied(files map[string][]byte) error {
	tree, err := readTree(p.path("site"))
	if err != nil {
		return err
	}
	for name, data := range tree {
		top, _, below := strings.Cut(name, "/")
		switch {
		case below && slices.Contains([]string{"js", "css", "fonts", "collections", "encoders", "e2e", "lessons"}, top):
		case name == "sw.js", strings.HasSuffix(name, ".html"):
		default:
			files[name] = data
		}
	}
	return nil
}

// integrity is the SHA-256 of a file as browsers take it (Subresource Integrity).
func integrity(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

var (
	hashed = regexp.MustCompile(
		`^(assets/[0-9a-f]{16}/|assets/(wasm|encoders|vendor)/[^/]+\.[0-9a-f]{16}\.(wasm|bin|js)$|collections/[^/]+/[0-9a-f]{16}/)`)
	fixed = regexp.MustCompile(`^(assets|collections)/`) // nothing there may keep its name when it changes
)

// headers returns the rules that follow from the files: what has a hash in its path is kept for ever, everything else
// is asked for anew, and a program is compiled while it arrives, which takes the right type. No other site may frame a
// page but that of the screen which is made for frames; an address at which nothing is answers with a page that runs
// nothing. Each rule names one file, so that nothing is said of such an address: a cache that kept its answer for ever
// would keep it when there is a file. It is an error where the rules of netlify.toml say anything about caches, types
// or frames, or leave a file without the policy.
func headers(c *static.Config, files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	for _, name := range sortedKeys(files) {
		cache := "no-cache"
		if hashed.MatchString(name) {
			cache = "public, max-age=31536000, immutable"
		} else if fixed.MatchString(name) {
			return nil, fmt.Errorf("%s has no hash in its path", name)
		}
		address := static.Address(name)
		h := c.Header(address)
		if h.Get("Content-Security-Policy") == "" {
			return nil, fmt.Errorf("netlify.toml: %s has no Content-Security-Policy", address)
		}
		if h.Get("Cache-Control") != "" || h.Get("Content-Type") != "" || h.Get("X-Frame-Options") != "" ||
			strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors") {
			return nil, fmt.Errorf("netlify.toml: a rule for %s is about caches, types or frames, which the "+
				"build sees to", address)
		}
		fmt.Fprintf(&b, "%s\n  Cache-Control: %s\n", address, cache)
		if strings.HasSuffix(name, ".wasm") {
			fmt.Fprintf(&b, "  Content-Type: application/wasm\n")
		}
		if slices.ContainsFunc(screens.All, func(s screens.Screen) bool { return s.Framed && s.Path == address }) {
			continue
		}
		fmt.Fprintf(&b, "  X-Frame-Options: DENY\n")
		if strings.HasSuffix(name, ".html") { // at the name of its file too, which a host may answer
			fmt.Fprintf(&b, "/%s\n  X-Frame-Options: DENY\n", name)
		}
	}
	return b.Bytes(), nil
}
