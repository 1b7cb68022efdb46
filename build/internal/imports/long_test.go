package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"testing"
)

// A file above 500 lines or a function above 80 has a reason, which stands here; tests and generated code apart.
const (
	longFile     = 500
	longFunction = 80
)

var (
	table  = "a table, or one case each of many equal ones"
	reader = "a reader of foreign bytes in one pass, with a case for whatever can stand there and a message for " +
		"whatever cannot"
	writer   = "a format written field by field, in the order of its fields"
	paper    = "a procedure of a paper from its sums to its conclusion, in the paper's order"
	drawing  = "a figure drawn from its frame to its labels"
	steps    = "steps that each need what came before, with an error between any two"
	ranker   = "one ranker whole: its parameters, its loop, its explanation"
	language = "an algorithm of Snowball, step by step as published"
)

var reasons = map[string]string{
	"core/lesson/generators.go": table,
	"core/lesson/facts.go":      table,

	"core/internal/jsontext/jsontext.go": reader,
	"core/internal/inflate/inflate.go":   reader,
	"core/collection/json.go":            reader,
	"core/collection/run_text.go":        reader,
	"core/measure/parse.go":              reader,
	"core/measure/treceval.go":           writer,
	"core/index/format.go":               writer,
	"core/measure/preferences.go":        paper,
	"core/measure/subtopics.go":          paper,
	"core/rank/bm25/bm25.go":             ranker,
	"core/rank/dense/tuned.go":           ranker,
	"core/chart/layout.go":               drawing,
	"build/internal/reference/mathml.go": drawing,

	"cmd/rankbox/eval.go": "one command whole: its flags, its forms of output, its conventions",

	"core/collection/run_text.go runText.fast":          reader,
	"core/collection/run_text.go runText.slow":          reader,
	"core/collection/csv.go reading.csvContent":         reader,
	"core/collection/json.go reading.dataset":           reader,
	"core/collection/json.go reading.scores":            reader,
	"core/collection/json.go reading.judgedQueries":     reader,
	"core/collection/npy.go readNPY":                    reader,
	"core/collection/topics.go reading.topics":          reader,
	"core/collection/read.go reading.content":           reader,
	"core/collection/zip.go Archive.directory":          reader,
	"core/collection/metadata.go parseMetadata":         reader,
	"core/collection/beir.go readBEIR":                  steps,
	"core/collection/run_seal.go RunBuilder.seal":       steps,
	"core/internal/inflate/inflate.go Reader.header":    reader,
	"core/internal/jsontext/jsontext.go Reader.escaped": reader,
	"core/measure/parse_trec.go parseTrec":              reader,
	"core/measure/treceval.go trecMeasure.rows":         table,
	"build/internal/gotest/gotest.go Read":              reader,

	"core/share/packed/form.go packed.Wire":   writer,
	"core/index/format.go Index.AppendBytes":  writer,
	"core/measure/treceval.go FormatTrecEval": writer,
	"core/bundle/bundle.go Build":             steps,

	"core/significance/compare.go Compare":            paper,
	"core/significance/choose.go Choose":              paper,
	"core/significance/anova.go Anova":                paper,
	"core/significance/groups.go Groups":              paper,
	"core/significance/wilcoxon.go Wilcoxon":          paper,
	"core/measure/ndcg.go boundNDCG":                  paper,
	"core/measure/convention_ranx.go planRanx":        table,
	"core/analysis/detective.go Detect":               steps,
	"core/analysis/reproduce.go Reproduce":            paper,
	"core/experiment/matrix/errors.go Errors":         steps,
	"core/experiment/matrix/prediction.go Prediction": steps,
	"core/text/snowball/german.go German":             language,

	"core/chart/layout.go frame.measure": drawing,
	"core/chart/latency.go drawLatency":  drawing,
	"core/chart/bars.go drawBars":        drawing,
	"core/chart/matrix.go drawMatrix":    drawing,

	"core/lesson/facts.go comparison.say":              table,
	"core/lesson/facts.go table.say":                   table,
	"core/lesson/resolve.go resolver.block":            table,
	"core/text/internal/unidata/generate.go automaton": steps,
	"build/site.go project.assemble":                   steps,
	"cmd/rankbox/run.go runExperiment":                 steps,
	"cmd/rankbox/convert.go convert":                   steps,
	"wasm/bench/vectors.go init":                       table,
}

func TestWhatIsLongHasAReason(t *testing.T) {
	set := token.NewFileSet()
	long := map[string]int{}
	sources(t, set, func(name string, file *ast.File) {
		if n := set.File(file.Pos()).LineCount() - 1; n > longFile {
			long[name] = n
		}
		for what, n := range functions(set, file) {
			if n > longFunction {
				long[name+" "+what] = n
			}
		}
	})
	for what, n := range long {
		if reasons[what] == "" {
			t.Errorf("%s has %d lines: what reads better in one piece says so here, the rest is to be divided", what, n)
		}
	}
	for what := range reasons {
		if long[what] == 0 {
			t.Errorf("%s is not long, or not there", what)
		}
	}
}

// functions are the lines of every function of a file: "Name", "Type.Name" of a method, "variable" of a function that a
// variable of the package holds. One within another is part of it.
func functions(set *token.FileSet, file *ast.File) map[string]int {
	out := map[string]int{}
	lines := func(n ast.Node) int { return set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1 }
	for _, x := range file.Decls {
		switch x := x.(type) {
		case *ast.FuncDecl:
			name := x.Name.Name
			if x.Recv != nil {
				name = receiver(x.Recv.List[0].Type) + "." + name
			}
			out[name] = max(out[name], lines(x)) // a file has several functions init
		case *ast.GenDecl:
			for _, s := range x.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				ast.Inspect(v, func(n ast.Node) bool {
					f, ok := n.(*ast.FuncLit)
					if ok {
						out[v.Names[0].Name] = max(out[v.Names[0].Name], lines(f))
					}
					return !ok
				})
			}
		}
	}
	return out
}

// receiver is the name of a method's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return "?"
}

func TestFunctionsAreFoundWhereverTheyStand(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "x.go", `package x
func f() {
	func() {
	}()
}
func (a *T[int]) say() {
}
func (b B) say() {

}
var v, w = 1, entry{"e", func() {


}}
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"f": 4, "T.say": 2, "B.say": 3, "v": 4}
	if got := functions(set, file); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
