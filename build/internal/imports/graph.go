package imports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Build is one way in which packages of the repository are compiled: what a file imports may depend on it.
type Build struct {
	Name     string
	Env      []string
	Tags     string
	Patterns []string // relative to the root, "./core/..."
}

var browser = []string{"GOOS=js", "GOARCH=wasm"}

// Builds are all of them.
var Builds = []Build{
	{"native", nil, "", []string{"./..."}},
	{"page", browser, "", []string{"./core/...", "./wasm/..."}},
	{"first", browser, "first", []string{"./wasm/rankbox"}},
	{"lessons", browser, "first,lessons", []string{"./wasm/rankbox"}},
}

// Graph says which package imports which in one Build. Paths within the module are without its prefix.
type Graph struct {
	Build    string
	Imports  map[string][]string
	standard map[string]bool
}

// Load asks the go command for the packages of a build and all that they import.
func Load(root string, b Build) (*Graph, error) {
	out, err := list(root, b.Env, append([]string{"-deps", "-tags", b.Tags, "-json=ImportPath,Imports,Standard"},
		b.Patterns...)...)
	if err != nil {
		return nil, err
	}
	g := &Graph{b.Name, map[string][]string{}, map[string]bool{}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Standard   bool
		}
		if err := d.Decode(&p); err == io.EOF {
			return g, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		name := short(p.ImportPath)
		for _, imp := range p.Imports {
			g.Imports[name] = append(g.Imports[name], short(imp))
		}
		if p.Standard {
			g.standard[name] = true
		}
	}
}

func list(root string, env []string, args ...string) ([]byte, error) {
	c := exec.Command("go", append([]string{"list"}, args...)...)
	c.Dir = root
	c.Env = append(os.Environ(), env...)
	var failure bytes.Buffer
	c.Stderr = &failure
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w\n%s", strings.Join(args, " "), err, failure.Bytes())
	}
	return out, nil
}

func short(path string) string { return strings.TrimPrefix(path, Module+"/") }

// Chain is a way from a package to one that it may not import, by way of packages that may.
type Chain struct {
	Build    string
	Packages []string
	Reason   string
}

func (c Chain) String() string {
	return fmt.Sprintf("%s (%s build): %s", strings.Join(c.Packages, " → "), c.Build, c.Reason)
}

// Chains returns the shortest chain from every package to everything that a rule forbids to it. What the standard
// library imports for itself is its own affair; Check finds what a file imports itself.
func (g *Graph) Chains(rules []Rule) []Chain {
	var out []Chain
	for _, from := range g.names() {
		for _, r := range rules {
			if !r.Direct && r.binds(from) {
				out = append(out, g.chains(from, r)...)
			}
		}
	}
	return out
}

func (g *Graph) chains(from string, r Rule) []Chain {
	var out []Chain
	seen := map[string]bool{from: true}
	for queue := [][]string{{from}}; len(queue) > 0; queue = queue[1:] {
		way := queue[0]
		for _, imp := range g.Imports[way[len(way)-1]] {
			if seen[imp] {
				continue
			}
			seen[imp] = true
			next := append(slices.Clone(way), imp)
			switch {
			case r.forbids(imp):
				if len(way) > 1 {
					out = append(out, Chain{g.Build, next, r.Reason})
				}
			case g.standard[imp] || r.binds(imp) || matchAny(r.Known, imp):
				// nothing behind it is ours, or it is found there, or it is known
			default:
				queue = append(queue, next)
			}
		}
	}
	return out
}

func (g *Graph) names() []string {
	var out []string
	for name := range g.Imports {
		if !g.standard[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Missing returns the patterns of rules that no package matches: one that was renamed would be forbidden no longer.
func Missing(root string, rules []Rule, graphs ...*Graph) ([]string, error) {
	out, err := list(root, nil, "std")
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(out))
	names = append(names, "syscall/js") // of another platform
	for _, g := range graphs {
		names = append(names, g.names()...)
	}
	if len(names) == 0 {
		return nil, errors.New("go list: there is no package")
	}
	var missing []string
	for _, r := range rules {
		for _, p := range slices.Concat(r.From, r.Import, r.Except, r.Allow, r.Known) {
			if !slices.ContainsFunc(names, func(name string) bool { return match(p, name) }) &&
				!slices.Contains(missing, p) {
				missing = append(missing, p)
			}
		}
	}
	return missing, nil
}
