package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestReduced(t *testing.T) {
	graph := func(edges ...string) map[string]map[string]bool {
		g := map[string]map[string]bool{}
		for _, e := range edges {
			from, to, _ := strings.Cut(e, ">")
			if g[from] == nil {
				g[from] = map[string]bool{}
			}
			g[from][to] = true
		}
		return g
	}
	cases := []struct{ name, edges, want string }{
		{"a chain", "a>b b>c", "a>b b>c"},
		{"a way round", "a>b b>c a>c", "a>b b>c"},
		{"a long way round", "a>b b>c c>d a>d", "a>b b>c c>d"},
		{"two ways of one length", "a>b a>c b>d c>d a>d", "a>b a>c b>d c>d"},
		{"a circle", "a>b b>c c>a", "error"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out, err := reduced(graph(strings.Fields(c.edges)...))
			var got []string
			for from, list := range out {
				for to := range maps.Keys(list) {
					got = append(got, from+">"+to)
				}
			}
			slices.Sort(got)
			if err != nil {
				got = []string{"error"}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestRoom(t *testing.T) {
	for pkg, want := range map[string]string{
		"core/rank": "core/rank", "core/rank/bm25": "core/rank", "cmd/rankbox": "cmd/rankbox",
		"wasm/app/ui/compare": "wasm/app",
		"build":               "", "build/static": "", "scripts/bench": "", "fmt": "", "github.com/vugu/vugu": "",
		"wasm/bench": "",
	} {
		if got := room(pkg); got != want {
			t.Errorf("%s: %q, want %q", pkg, got, want)
		}
	}
}

// TestArchitecture asks that every path that ARCHITECTURE.md and CONTRIBUTING.md name is there. "<name>" and "*" stand
// for any name.
func TestArchitecture(t *testing.T) {
	path := regexp.MustCompile("`((?:core|wasm|cmd|build|site|docs|scripts)/[^`\\s(]*)`")
	placeholder := regexp.MustCompile(`<\w+>`)
	named := 0
	for _, doc := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile("../" + doc)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, m := range path.FindAllStringSubmatch(line, -1) {
				named++
				found, err := filepath.Glob("../" + placeholder.ReplaceAllString(m[1], "*"))
				if err != nil || len(found) == 0 {
					t.Errorf("%s:%d: %s is not there", doc, i+1, m[1])
				}
			}
		}
	}
	if named < 20 {
		t.Errorf("%d paths are named", named)
	}
}
