//go:build !library

package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake/golden"
)

// maxGolden is how many bytes a golden set may have that is opened beside runs.
const maxGolden = 10 << 20

// isYAML reports whether a file is YAML by its name. Its content does not say it: nearly any text is YAML.
func isYAML(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// goldenLike reports whether a file may be a golden set: YAML, or JSON that no reader of package collection knows for
// certain.
func goldenLike(name string, head []byte, role Role) bool {
	if role != Any && role != Judgments {
		return false
	}
	if isYAML(name) {
		return true
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return false
	}
	switch collection.Detect(head) {
	case collection.Unknown, collection.JudgedQueryJSON, collection.BenchmarkJSON:
		return true
	case collection.QrelsJSON, collection.RunJSON:
		return bytes.Contains(head, []byte(`"gradingResult"`)) // promptfoo's, whose counts look like grades
	}
	return false
}

// golden reads a golden set, and gives back the reader of anything else.
func (f *File) golden(r io.Reader, opt collection.Options) (rest io.Reader, done bool, err error) {
	var read bytes.Buffer
	b, err := within.All(io.TeeReader(r, &read), 0, maxGolden)
	switch {
	case errors.Is(err, within.ErrLong):
		return io.MultiReader(&read, r), false, nil
	case err != nil:
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	whole := func() io.Reader { return bytes.NewReader(b) }
	if !isYAML(f.Name) {
		if _, err := collection.Read(f.Name, whole(), opt); err == nil {
			return whole(), false, nil
		}
	}
	n, err := golden.ParseText(f.Name, b)
	if err == nil {
		f.Golden, err = golden.Read(f.Name, n)
	}
	switch {
	case err == nil:
		f.Bytes = int64(len(b))
		return nil, true, nil
	case isYAML(f.Name):
		return nil, false, err
	}
	f.Golden = nil
	return whole(), false, nil // package collection says what it looks like
}

// golden takes a golden set in: its queries, the documents that they expect as judgments, and its measures.
func (g *gathering) golden(f *File) {
	g.is("golden set")
	s, in := f.Golden, &g.out.Input
	qrels := s.Qrels()
	g.told.Queries, g.told.Entries, g.told.Warnings = len(s.Queries), qrels.Len(), s.Warnings
	for i := range s.Queries {
		g.told.Lines = max(g.told.Lines, s.Queries[i].Line)
	}
	switch other := s.QueriesFile + s.JudgmentsFile; {
	case in.Qrels != nil:
		g.twice()
	case other != "":
		g.problem(fmt.Errorf("its queries or judgments are in another file (%s): rankbox check reads it", other))
	case qrels.Len() == 0:
		g.problem(errors.New("no query expects a document, so that nothing can be measured: rankbox check " +
			"tests the rest"))
	default:
		g.judged, in.Qrels = f.Name, qrels
		if topics := s.Topics(); in.Queries == nil {
			in.Queries = topics
		} else {
			in.Queries = append(in.Queries, topics...)
		}
		if in.Measures = s.Measures; len(in.Measures) == 0 {
			in.Measures = golden.DefaultMeasures()
		}
		g.out.Golden = s
	}
}

// finishGolden makes a run of the results that a golden set holds itself, where no run was given.
func (g *gathering) finishGolden() {
	s := g.out.Golden
	if s == nil || s.Answers == nil || len(g.out.Input.Runs) > 0 || len(g.out.Traces) > 0 {
		return
	}
	run, err := s.Run(&golden.Found{Answers: s.Answers})
	for i, f := range g.files {
		if f.Golden == nil || g.out.Files[i].Problem != nil {
			continue
		}
		if g.at, g.told = i, &g.out.Files[i]; err != nil {
			g.problem(err)
			continue
		}
		g.is("run")
		g.run(compare.Named{Name: Name(f.Name), Run: run})
	}
}
