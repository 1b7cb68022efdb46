package imports

import (
	"slices"
	"strings"
	"testing"
)

// graphs loads every build of the repository.
func graphs(t *testing.T) []*Graph {
	t.Helper()
	var out []*Graph
	for _, b := range Builds {
		g, err := Load("../../..", b)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}

func TestRepositoryByWayOfOthers(t *testing.T) {
	all := graphs(t)
	for _, g := range all {
		for _, c := range g.Chains(Rules) {
			t.Error(c)
		}
	}
	missing, err := Missing("../../..", Rules, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range missing {
		t.Errorf("a rule names %s, which is no package", p)
	}
}

func TestChains(t *testing.T) {
	g := &Graph{"native", map[string][]string{
		"core/a":              {"core/b", "fmt", "example.org/lib"},
		"core/b":              {"example.org/known"},
		"core/main":           {"core/a"},
		"fmt":                 {"os", "log"},
		"example.org/lib":     {"example.org/lib/sub"},
		"example.org/lib/sub": {"log"},
		"example.org/known":   {"log"},
		"wasm/app":            {"wasm/between"},
		"wasm/between":        {"wasm/worker"},
		"wasm/worker":         {"fmt"},
	}, map[string]bool{"fmt": true, "os": true, "log": true}}
	core := Rule{From: []string{"core/..."}, Import: []string{"log"}, Known: []string{"example.org/known/..."},
		Reason: "never logs"}
	page := Rule{From: []string{"wasm/app/..."}, Import: []string{"wasm/worker/..."}, Reason: "shares nothing"}
	direct := page
	direct.Direct = true
	except := page
	except.Except = []string{"wasm/app"}
	cases := []struct {
		name string
		rule Rule
		want string
	}{
		{"through a library, found once, not through the standard library and not where it is known", core,
			"core/a → example.org/lib → example.org/lib/sub → log (native build): never logs"},
		{"through the module", page, "wasm/app → wasm/between → wasm/worker (native build): shares nothing"},
		{"only direct imports", direct, ""},
		{"an exception", except, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, chain := range g.Chains([]Rule{c.rule}) {
				got = append(got, chain.String())
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	g := &Graph{"native", map[string][]string{"core/a": nil, "example.org/lib": nil}, nil}
	r := Rule{From: []string{"core/...", "core/gone"}, Import: []string{"net/...", "nets", "*", "syscall/js"},
		Except: []string{"./..."}, Allow: []string{"example.org/lib", "example.org/old/..."}}
	got, err := Missing("../../..", []Rule{r}, g)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"core/gone", "nets", "example.org/old/..."}; !slices.Equal(got, want) {
		t.Errorf("missing %v, want %v", got, want)
	}
}
