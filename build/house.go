package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/build/internal/imports"
)

// houseDoc is the picture of the house.
const houseDoc = "docs/house.md"

// room is the part of the house that a package belongs to: the first two folders of its path. Tools have no room.
func room(pkg string) string {
	parts := strings.Split(pkg, "/")
	if len(parts) < 2 || !slices.Contains([]string{"core", "wasm", "cmd"}, parts[0]) || pkg == "wasm/bench" {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// house draws the rooms and who imports whom, of all builds together.
func (p *project) house() (string, error) {
	rooms := map[string]map[string]bool{}
	for _, b := range imports.Builds {
		g, err := imports.Load(p.root, b)
		if err != nil {
			return "", err
		}
		for pkg, list := range g.Imports {
			from := room(pkg)
			if from == "" {
				continue
			}
			if rooms[from] == nil {
				rooms[from] = map[string]bool{}
			}
			for _, imp := range list {
				if to := room(imp); to != "" && to != from {
					rooms[from][to] = true
				}
			}
		}
	}
	drawn, err := reduced(rooms)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(`# The house

Drawn by ` + "`go run ./build generate`" +
		` from what the packages import, tests apart. An arrow leads from a room to one that it imports. Where a way leads there
by other rooms, the direct arrow is left out; the table has them all.

` + "```mermaid\nflowchart TD\n")
	for _, part := range []string{"cmd", "wasm", "core"} {
		fmt.Fprintf(&b, "  subgraph %s\n", part)
		for _, name := range slices.Sorted(maps.Keys(rooms)) {
			if folder, stem, _ := strings.Cut(name, "/"); folder == part {
				fmt.Fprintf(&b, "    %s[%s]\n", node(name), stem)
			}
		}
		b.WriteString("  end\n")
	}
	for _, from := range slices.Sorted(maps.Keys(drawn)) {
		for _, to := range slices.Sorted(maps.Keys(drawn[from])) {
			fmt.Fprintf(&b, "  %s --> %s\n", node(from), node(to))
		}
	}
	b.WriteString("```\n\n| room | imports |\n|---|---|\n")
	for _, from := range slices.Sorted(maps.Keys(rooms)) {
		list := "–"
		if names := slices.Sorted(maps.Keys(rooms[from])); len(names) > 0 {
			list = "`" + strings.Join(names, "`, `") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", from, list)
	}
	return b.String(), nil
}

func node(name string) string { return strings.ReplaceAll(name, "/", "_") }

// reduced returns the graph without the edges that a longer way makes redundant. It is an error where there is a
// circle.
func reduced(g map[string]map[string]bool) (map[string]map[string]bool, error) {
	reach := map[string]map[string]bool{}
	var visit func(name string, way []string) error
	visit = func(name string, way []string) error {
		if slices.Contains(way, name) {
			return fmt.Errorf("rooms import each other: %s → %s", strings.Join(way, " → "), name)
		}
		if reach[name] != nil {
			return nil
		}
		all := map[string]bool{}
		for _, to := range slices.Sorted(maps.Keys(g[name])) {
			if err := visit(to, append(way, name)); err != nil {
				return err
			}
			all[to] = true
			maps.Copy(all, reach[to])
		}
		reach[name] = all
		return nil
	}
	out := map[string]map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if err := visit(name, nil); err != nil {
			return nil, err
		}
	}
	for name, list := range g {
		out[name] = map[string]bool{}
		for to := range list {
			other := slices.ContainsFunc(slices.Collect(maps.Keys(list)), func(by string) bool {
				return by != to && reach[by][to]
			})
			if !other {
				out[name][to] = true
			}
		}
	}
	return out, nil
}
