package imports

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// A file above 500 lines or a function above 80 has a reason, which stands here; tests and generated code apart.
const (
	longFile     = 500
	longFunction = 80
)

var (
	table    = "a table, or one case each of many equal ones"
	reader   = "a reader of foreign bytes in one pass, with a case for whatever can stand there and a message for whatever cannot"
	writer   = "a format written field by field, in the order of its fields"
	paper    = "a procedure of a paper from its sums to its conclusion, in the paper's order"
	drawing  = "a figure drawn from its frame to its labels"
	steps    = "steps that each need what came before, with an error between any two"
	screen   = "all that one screen does, a short method each"
	ranker   = "one ranker whole: its parameters, its loop, its explanation"
	language = "an algorithm of Snowball, step by step as published"
)

var reasons = map[string]string{
	"core/lesson/generators.go": table,
	"core/lesson/facts.go":      table,
	"wasm/app/state/actions.go": "what people do on any screen, a short method each",

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
	"wasm/app/state/learn/learn.go":      screen,
	"wasm/app/ui/learn/learn.go":         screen,

	"core/collection/run_text.go fast":           reader,
	"core/collection/run_text.go slow":           reader,
	"core/collection/csv.go csvContent":          reader,
	"core/collection/json.go dataset":            reader,
	"core/collection/json.go scores":             reader,
	"core/collection/json.go judgedQueries":      reader,
	"core/collection/npy.go readNPY":             reader,
	"core/collection/topics.go topics":           reader,
	"core/collection/read.go content":            reader,
	"core/collection/zip.go directory":           reader,
	"core/collection/metadata.go parseMetadata":  reader,
	"core/collection/beir.go readBEIR":           steps,
	"core/collection/run_seal.go seal":           steps,
	"core/internal/inflate/inflate.go header":    reader,
	"core/internal/jsontext/jsontext.go escaped": reader,
	"core/measure/parse_trec.go parseTrec":       reader,
	"core/measure/treceval.go rows":              table,
	"build/internal/gotest/gotest.go Read":       reader,

	"core/share/packed/form.go Wire":          writer,
	"core/index/format.go AppendBytes":        writer,
	"core/measure/treceval.go FormatTrecEval": writer,
	"core/bundle/bundle.go Build":             steps,

	"core/significance/compare.go Compare":             paper,
	"core/significance/choose.go Choose":               paper,
	"core/significance/anova.go Anova":                 paper,
	"core/significance/groups.go Groups":               paper,
	"core/significance/wilcoxon.go Wilcoxon":           paper,
	"core/significance/agreement.go KrippendorffAlpha": paper,
	"core/measure/ndcg.go boundNDCG":                   paper,
	"core/measure/convention_ranx.go planRanx":         table,
	"core/analysis/detective.go Detect":                steps,
	"core/analysis/reproduce.go Reproduce":             paper,
	"core/experiment/matrix/errors.go Errors":          steps,
	"core/experiment/matrix/prediction.go Prediction":  steps,
	"core/text/snowball/german.go German":              language,

	"core/chart/layout.go measure":      drawing,
	"core/chart/latency.go drawLatency": drawing,
	"core/chart/bars.go drawBars":       drawing,
	"core/chart/matrix.go drawMatrix":   drawing,

	"core/lesson/facts.go say":                         table,
	"core/lesson/resolve.go block":                     table,
	"core/text/internal/unidata/generate.go automaton": steps,
	"build/site.go assemble":                           steps,
	"cmd/rankbox/run.go runExperiment":                 steps,
	"cmd/rankbox/convert.go convert":                   steps,
	"wasm/bench/vectors.go init":                       table,
}

func TestWhatIsLongHasAReason(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	set := token.NewFileSet()
	long := map[string]int{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != root && (base == "node_modules" || base == "testdata" || base == "dist" || strings.HasPrefix(base, ".") && base != "..") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if n := set.File(file.Pos()).LineCount() - 1; n > longFile {
			long[relative] = n
		}
		for _, x := range file.Decls {
			if f, ok := x.(*ast.FuncDecl); ok {
				if n := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; n > longFunction {
					long[relative+" "+f.Name.Name] = n
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
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
