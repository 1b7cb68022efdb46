//go:build !js

package stage_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/stage"
)

// named are the files that may name stages: each chooses systems for people to start from.
var named = map[string]string{
	"core/lesson/capstone.go":                  "the systems of the capstone",
	"core/lesson/generators.go":                "systems whose figures lessons ask about",
	"cmd/rankbox/published.go":                 "systems that are measured on every public collection",
	"build/npm.go":                             "a keyword of the npm package",
	"build/localedge.go":                       "what the local edge's backends can do",
	"core/experiment/matrix/config.go":         "what a config matrix calls its modes",
	"core/gateway/backend/backend.go":          "what backends can do, and the sorts of vectors that they give",
	"core/gateway/backend/described.go":        "what a described backend can do",
	"core/gateway/config.go":                   "a route of the gateway",
	"core/remote/ask.go":                       "a route of the edge",
	"wasm/app/ui/play/play.go":                 "a key of its settings that is spelled as a stage is",
	"core/scores/columns.go":                   "a column of a leaderboard: MTEB's rank by Borda count",
	"wasm/worker/example.go":                   "the systems of Compare's example",
	"wasm/app/ui/experiment/experiment.go":     "matrices to start from, and their baseline",
	"wasm/app/ui/experiment/experiment_gen.go": "an example in a hint",
	"wasm/app/ui/upload/upload_gen.go":         "an example in a hint",
	"wasm/app/state/compare/presets.go":        "the baseline of the ready-made systems",
}

// everyday are names of stages that are words of everything else too.
var everyday = map[string]bool{"late": true, "run": true, "filter": true, "cluster": true, "spell": true,
	"balance": true, "recency": true, "sparse": true, "mixed": true, "classify": true, "entity": true, "search": true}

// A name of a stage, or a pipeline, that stands as a string outside this room is a second place to change. Tests may.
func TestStagesAreNamedHereOnly(t *testing.T) {
	names := map[string]bool{}
	for _, s := range stage.All() {
		names[s.Name] = !everyday[s.Name]
	}
	root, seen := os.DirFS("../.."), map[string]bool{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); path != "." && strings.HasPrefix(base, ".") || base == "node_modules" ||
				base == "testdata" || base == "dist" ||
				path == "core/stage" || path == "scripts" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		data, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			l, ok := n.(*ast.BasicLit)
			if !ok || l.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(l.Value)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := stage.Parse(text); (err != nil || everyday[text]) && !names[text] {
				return true
			}
			if seen[path] = true; named[path] == "" {
				t.Errorf("%s: %s names a stage", set.Position(l.Pos()), l.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range named {
		if !seen[path] {
			t.Errorf("%s names no stage: take it off the list", path)
		}
	}
}
