package stage_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// How stages that ask backends are written: a backend takes the place of by and of all that depends on it.
func TestBackendsAreWritten(t *testing.T) {
	for _, tt := range []struct{ written, want, fault string }{
		{"bm25 >> rerank(backend=ce,depth=50)", "bm25 >> rerank(backend=ce,depth=50)", ""},
		{"bm25 >> rerank(depth=100,backend=ce)", "bm25 >> rerank(backend=ce)", ""},
		{"search(backend=wire)", "search(backend=wire)", ""},
		{"rrf(bm25, search(mode=hybrid,backend=wire,depth=10))", "rrf(bm25, search(backend=wire,mode=hybrid,depth=10))",
			""},
		{"dense(backend=minilm-tei,model=bge)", "dense(model=bge,backend=minilm-tei)", ""},
		{"search", "", "search needs backend"},
		{"bm25 >> rerank(by=dense,backend=ce)", "", "by has no effect if backend is set"},
		{"bm25 >> rerank(backend=ce,model=bge)", "", "model has no effect if backend is set"},
		{"bm25 >> rerank(backend=ce,file=x)", "", "file has no effect if backend is set"},
		{"bm25 >> rerank(file=x)", "", "file has no effect with by=late: it is for cross and run only"},
		{"search(backend=http://10.0.0.7)", "", "unexpected"},
		{"search(backend=wire,depth=1001)", "", "between 1 and 1000"},
	} {
		n, err := stage.Parse(tt.written)
		if tt.fault != "" {
			var e *pipeline.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: %v, want %q", tt.written, err, tt.fault)
			}
			continue
		}
		if err != nil || n.String() != tt.want {
			t.Errorf("%s: %v, %v, want %s", tt.written, n, err, tt.want)
		}
	}
	n := stage.MustParse("rrf(search(backend=wire), bm25 >> rerank(backend=ce), dense(backend=wire)) >> " +
		"rerank(by=run,file=x)")
	if got := strings.Join(stage.Backends(n), " "); got != "wire ce" {
		t.Errorf("backends: %s", got)
	}
	if need := stage.Needs(stage.MustParse("bm25 >> rerank(backend=ce)")); len(need) != 0 {
		t.Errorf("a backend needs no vectors of the collection: %v", need)
	}
}

// Without an edge a reranker stands aside and says what gives it one; a retriever cannot be built.
func TestWithoutAnEdge(t *testing.T) {
	c := newMade(400)
	r, err := stage.Build(c, stage.MustParse("bm25 >> rerank(backend=ce)"))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := stage.Build(c, stage.MustParse("bm25"))
	if err != nil {
		t.Fatal(err)
	}
	q := rank.Query{Text: "w1 w2 w3"}
	got, err := r.Rank(q, 10, nil, nil)
	want, _ := plain.Rank(q, 10, nil, nil)
	if err != nil || len(got) == 0 || len(got) != len(want) || got[0] != want[0] {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	steps := stage.Steps(r)
	if s := steps[len(steps)-1]; !s.Aside || !strings.Contains(s.Note, "rankbox serve -config") ||
		len(stage.FellBack(r)) != 1 {
		t.Errorf("%+v, fell back: %v", s, stage.FellBack(r))
	}
	for _, text := range []string{"search(backend=wire)", "dense(backend=ce)"} {
		_, err := stage.Build(c, stage.MustParse(text))
		var u *rank.Unanswerable
		if !errors.As(err, &u) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
