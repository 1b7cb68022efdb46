package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

func made(t *testing.T, queries int, seed int64) (run, qrels string) {
	t.Helper()
	var r, q bytes.Buffer
	w, judged := bufio.NewWriter(&r), bufio.NewWriter(&q)
	generate(w, judged, queries, seed)
	w.Flush()
	judged.Flush()
	return r.String(), q.String()
}

// What is measured must be the same everywhere and always, without ties in single precision, and with the judgments of
// MS MARCO's dev queries: 7,437 of 6,980.
func TestGenerate(t *testing.T) {
	text, judged := made(t, 60, 1)
	if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(text))); sum[:16] != "234c1a10436ba47e" {
		t.Errorf("another run than before: %s", sum[:16])
	}
	other, same := made(t, 60, 2)
	if other == text || same != judged {
		t.Error("a seed must change the run and leave the qrels")
	}
	run, warnings, err := collection.ReadRun(strings.NewReader(text), "made", collection.Options{})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	judgments, err := collection.Read("made", strings.NewReader(judged), collection.Options{})
	if err != nil || len(judgments.Warnings) > 0 {
		t.Fatal(err, judgments.Warnings)
	}
	qrels := judgments.Qrels
	if run.NumQueries() != 60 || run.Len() != 60*depth || len(qrels.Queries()) != 60 {
		t.Errorf("%d queries, %d entries, %d judged", run.NumQueries(), run.Len(), len(qrels.Queries()))
	}
	found := 0
	for i, q := range run.Queries() {
		last := float32(0)
		for k, e := range run.Ranked(i, collection.DocIDDescending, nil) {
			if s := float32(e.Score); k > 0 && !(s < last) || s <= 0 {
				t.Fatalf("query %s: score %v at rank %d after %v", q, s, k+1, last)
			}
			last = float32(e.Score)
			if g, ok := qrels.Grade(q, e.Doc); ok && g == 1 {
				found++
			}
		}
	}
	if share := float64(found) / float64(qrels.Len()); share < 0.7 || share > 0.95 {
		t.Errorf("%d of %d relevant documents retrieved", found, qrels.Len())
	}
	sum := 0
	for i := range 6980 {
		sum += relevant(i, 6980)
	}
	if sum != 7437 {
		t.Errorf("%d judgments of 6,980 queries", sum)
	}
}

// Of a table of systems that grow better, the last one beats the first; the same one twice gives the same hash.
func TestTable(t *testing.T) {
	r, again := table(3, 40, 2), table(3, 40, 2)
	if err := r.Conclude(report.Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := again.Conclude(report.Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	if r.Hash != again.Hash || len(r.Pairs) != 3 || !(r.Columns[0].Means[2] > r.Columns[0].Means[0]) {
		t.Errorf("hash %s, %s; %d pairs; means %v", r.Hash, again.Hash, len(r.Pairs), r.Columns[0].Means)
	}
}

// The wasm program that is measured must be compiled as the page's worker for runs is: the strings of small in
// build/tool/compile.go, in their order, with the module's path where they follow it, are those of HOT and of the flags in
// bench.py.
func TestCompiledAsTheWorker(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../../build/tool/compile.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/rankbox/rankbox"
	var flags, hot []string
	ast.Inspect(file, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Name.Name != "small" {
			return !ok
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			add := func(e *ast.BasicLit, prefix string) {
				s, err := strconv.Unquote(e.Value)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case s == "-gcflags=" || s == "=": // put around every pattern
				case strings.HasPrefix(s, "-"):
					flags = append(flags, s)
				default:
					hot = append(hot, prefix+s)
				}
			}
			switch e := n.(type) {
			case *ast.BinaryExpr:
				if name, ok := e.X.(*ast.Ident); ok && name.Name == "module" {
					add(e.Y.(*ast.BasicLit), module)
					return false
				}
			case *ast.BasicLit:
				add(e, "")
			}
			return true
		})
		return false
	})
	b, err := os.ReadFile("bench.py")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "\nHOT = ")
	list, _, _ := strings.Cut(rest, "\n\n")
	var theirs []string
	for i, s := range strings.Split(list, "'") {
		switch {
		case i%2 == 0: // outside of the quotes
		case s == "{MODULE}/{p}":
		case strings.HasPrefix(s, "internal/runtime") || s == "unicode/utf8":
			theirs = append(theirs, s)
		default:
			theirs = append(theirs, module+"/"+s)
		}
	}
	if !slices.Equal(hot, theirs) || len(hot) < 8 {
		t.Errorf("bench.py compiles with\n%q\nbuild/tool/compile.go with\n%q", theirs, hot)
	}
	for _, f := range append(flags, "-buildvcs=false", "-ldflags=-s -w", "-trimpath") {
		if !bytes.Contains(b, []byte("'"+f+"'")) {
			t.Errorf("bench.py compiles without %s", f)
		}
	}
}
