//go:build !js

package measure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// named are the declarations that may name measures, and why.
var named = map[string]string{
	"build/bench.go figures":            "what the command line is timed on",
	"core/report/gates/gate.go Grammar": "an example in the text that explains gates",

	"build/internal/reference/collections.go collectionEntry": "a label that is spelled as a measure is",
	"cmd/rankbox/published.go standardMeasures":               "what public collections are measured by",
	"wasm/app/ui/home/home.go Measure":                        "a measure whose name people know without its parameters",

	"core/compare/comparetest/comparetest.go Fixture": "what the fixture of the tests is measured by",
	"core/experiment/matrix/config.go into":           "what configurations of another program mean by their cutoffs",

	"core/analysis/detective.go neighbours": "measures that are taken for one another",

	"cmd/rankbox/trace.go traceAgents": "what the steps of agents are measured by, unless a measure is named",
	"core/scores/mteb.go mtebName":     "what MTEB calls measures",
	"core/scores/report.go preferred":  "the measures of a table that are tested, unless one is named",
	"core/trace/measure.go Measure":    "what the steps of agents are measured by, unless a measure is named",
	"core/trace/measure.go recall":     "recall over all steps",
	"core/trace/measure.go open":       "All@k is recall of 1 at the cutoff, and Any@k the success there",
	"core/trace/measure.go outcome":    "All@k is recall of 1 at the cutoff, and Any@k the success there",

	"core/golden/golden.go DefaultMeasures": "what a golden set is held against that names no measure",

	"core/chart/judged.go judged":     "the figure of that measure",
	"core/chart/judged.go drawJudged": "the figure of that measure",
	"core/lesson/order.go makeOrder":  "pairs of measures that pull an order in two directions",

	"core/lesson/generators.go makePrecision": "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeRecall":    "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeAP":        "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeIPrec":     "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeNDCG":      "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeGain":      "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeCutoff":    "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeTies":      "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeHoles":     "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeRBP":       "an exercise about that measure, with its mistakes",
	"core/lesson/generators.go makeERR":       "an exercise about that measure, with its mistakes",

	"core/lesson/figure/answer.go Citations":      "precision and recall at the depth of a set are those of the set",
	"core/lesson/figure/area.go Goals":            "a figure about that measure",
	"core/lesson/figure/area.go View":             "a figure about that measure",
	"core/lesson/figure/cutoff.go View":           "a figure about that measure",
	"core/lesson/figure/expansion.go Value":       "a figure about that measure",
	"core/lesson/figure/fusion.go Goals":          "a figure about that measure",
	"core/lesson/figure/gains.go Goals":           "a figure about that measure",
	"core/lesson/figure/gains.go measure":         "a figure about that measure",
	"core/lesson/figure/gains.go View":            "a figure about that measure",
	"core/lesson/figure/points.go View":           "a figure about that measure",
	"core/lesson/figure/points.go credit":         "a figure about that measure",
	"core/lesson/figure/points.go point":          "a figure about that measure",
	"core/lesson/figure/pool.go Goals":            "a figure about that measure",
	"core/lesson/figure/pool.go View":             "a figure about that measure",
	"core/lesson/figure/readers.go measure":       "a figure about that measure",
	"core/lesson/figure/ties.go Goals":            "a figure about that measure",
	"core/lesson/figure/ties.go View":             "a figure about that measure",
	"core/lesson/figure/weights.go Goals":         "a figure about that measure",
	"wasm/app/state/judge/comparison.go Measures": "what layers order systems by before a report names its measures",
	"wasm/app/state/learn/remix.go measures":      "a figure has no measures of its own, and a link of Play names one",
}

// A measure's name stands in its own file. What the rest of the house has to know of a measure its entry says (Info),
// so that a new one is one file: a name written elsewhere is a fact that the next measure lacks.
func TestNamesStandInTheirFiles(t *testing.T) {
	root := "../.."
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if n := d.Name(); rel == "core/measure" || n == "testdata" || n == "node_modules" || n == "scripts" ||
				strings.HasPrefix(n, ".") && n != "." && n != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasSuffix(path, "_gen.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, src, 0)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			names := namesIn(decl)
			for _, n := range names {
				where := rel + " " + declared(decl)
				if _, ok := named[where]; ok {
					seen[where] = true
					continue
				}
				t.Errorf("%s: %s names the measure %s", fset.Position(n.Pos()), declared(decl), n.Value)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for where := range named {
		if !seen[where] {
			t.Errorf("%s names no measure any more", where)
		}
	}
}

// namesIn returns the string literals of a declaration that are a measure: its name, with or without parameters and a
// cutoff. A single letter is one only with these.
func namesIn(decl ast.Decl) []*ast.BasicLit {
	var out []*ast.BasicLit
	ast.Inspect(decl, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec, *ast.Field: // a field has a tag
			if f, ok := x.(*ast.Field); !ok || f.Tag != nil {
				return false
			}
		case *ast.BasicLit:
			if x.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(x.Value)
			if err != nil {
				return true
			}
			name, _, cut := strings.Cut(text, "@")
			name, _, params := strings.Cut(name, "(")
			for _, in := range registry {
				if in.Name == name && (len(name) > 1 || cut || params) {
					out = append(out, x)
				}
			}
		}
		return true
	})
	return out
}

// declared is what a declaration declares.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				return s.Names[0].Name
			case *ast.TypeSpec:
				return s.Name.Name
			}
		}
	}
	return "?"
}
