package stage_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// made is a collection of random words and vectors.
type made struct {
	docs    [][2]string
	indexes map[string]*index.Index
	madeModels
}

type madeModels struct {
	vectors *stage.Vectors
	tokens  *stage.Tokens
	weights *stage.Weights
}

func newMade(docs int) *made {
	r := rand.New(rand.NewPCG(5, uint64(docs)))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "w%d ", int(1000*r.Float64()*r.Float64()*r.Float64()))
		}
		return b.String()
	}
	m := &made{indexes: map[string]*index.Index{}}
	rows := func(n int) *dense.Vectors {
		v := &dense.Vectors{Dim: 8, Rows: make([]int8, 8*n), Scales: make([]float32, n)}
		for i := range v.Rows {
			v.Rows[i] = int8(r.IntN(255) - 127)
		}
		for i := range v.Scales {
			v.Scales[i] = r.Float32()
		}
		return v
	}
	for range docs {
		m.docs = append(m.docs, [2]string{words(r.IntN(6)), words(r.IntN(120))})
	}
	ids := []string{"q0", "q1", "q2"}
	m.vectors = &stage.Vectors{Docs: rows(docs), Queries: rows(3), QueryIDs: ids}
	tokens := func(n int) *late.Tokens {
		t := &late.Tokens{Dim: 8, Scale: .5, Offsets: []uint32{0}}
		for range n {
			t.Offsets = append(t.Offsets, t.Offsets[len(t.Offsets)-1]+uint32(r.IntN(9)))
		}
		t.Rows = rows(t.Size()).Rows
		return t
	}
	m.tokens = &stage.Tokens{Label: "random", Docs: tokens(docs), Queries: tokens(3), QueryIDs: ids}
	weights := func(n int) *sparse.Weights {
		texts := make([]map[string]float32, n)
		for i := range texts {
			texts[i] = map[string]float32{}
			for range 20 {
				texts[i][fmt.Sprint(r.IntN(100))] = r.Float32()
			}
		}
		return sparse.Of(texts)
	}
	m.weights = &stage.Weights{Label: "random", Docs: weights(docs), Queries: weights(3), QueryIDs: ids}
	return m
}

func (m *made) Name() string { return "made" }

func (m *made) Card(d uint32) rank.Card {
	return rank.Card{ID: fmt.Sprintf("d%d#%d", d/2, d%2), Title: m.docs[d][0],
		Date: fmt.Sprintf("20%02d-%02d-11", d%25, 1+d%12), Category: []string{"", "sport", "weather"}[d%3],
		Entities: []rank.Entity{{Name: fmt.Sprintf("w%d", d%20), Confidence: float64(d%10) / 9}}}
}

func (m *made) Text(d uint32) (string, error) { return m.docs[d][1], nil }

func (m *made) Run(name string) (map[string][]rank.Hit, error) {
	if name != "stored" && name != "cross-encoder" {
		return nil, nil
	}
	return map[string][]rank.Hit{"q0": {{Doc: 3, Score: 2}, {Doc: 1, Score: 1}},
		"q1": {{Doc: 3, Score: -2}, {Doc: 9, Score: -2}, {Doc: 4, Score: -5}}}, nil
}

func (m *madeModels) Tokens(string) (*stage.Tokens, error) { return m.tokens, nil }

func (m *madeModels) Sparse(string) (*stage.Weights, error) { return m.weights, nil }

func (m *madeModels) Encoded(string) (*encoder.Static, *dense.Vectors, error) { return nil, nil, nil }

func (m *made) Index(analyzer string) (*index.Index, error) {
	if analyzer == "" {
		analyzer = "lucene-english"
	}
	if x := m.indexes[analyzer]; x != nil {
		return x, nil
	}
	a, err := text.Get(analyzer)
	if err != nil {
		return nil, err
	}
	b := index.NewBuilder(a)
	for _, d := range m.docs {
		b.Add(d[0], d[1])
	}
	m.indexes[analyzer] = b.Build()
	return m.indexes[analyzer], nil
}

func (m *made) Models() stage.ModelOutputs { return &m.madeModels }

func (m *madeModels) List() []stage.Model { return []stage.Model{{Name: "minilm", Label: "random"}} }

func (m *madeModels) Vectors(string) (*stage.Vectors, error) { return m.vectors, nil }

func (m *made) Judged() []fuse.Judged {
	var out []fuse.Judged
	for i, q := range madeQueries {
		out = append(out, fuse.Judged{Query: q, Relevant: map[uint32]bool{uint32(i): true, uint32(40 + i): true},
			Of: 2})
	}
	return out
}

var madeQueries = []rank.Query{{ID: "q0", Text: "w1 w2 w3"}, {ID: "q1", Text: "w0 w0 w17 w300"},
	{ID: "q2", Text: "w90 unheard"}}

// shapes are pipelines, each of which reaches every value of its shape that random finds.
var shapes = []string{"bm25", "bm25 >> rm3", "bm25(analyzer=whitespace) >> rocchio >> cut(5)",
	"bm25(analyzer=whitespace)", "bm25 >> cut(5)", "ql", "dense", "late", "sparse", "rrf(bm25, late, sparse)",
	"rrf(bm25, dense)", "combsum(bm25, ql)", "combmnz(bm25, dense)", "combgmnz(bm25, ql, dense)", "wsum(bm25, dense)",
	"bm25 >> mmr", "mixed(wmnz(bm25, ql), logisr(bm25, dense))", "wborda(bm25, lognisr(bm25, dense))",
	"wcondorcet(bm25, condorcet(bm25, ql, dense))", "posfuse(segfuse(bm25, dense), probfuse(bm25, ql))",
	"bayesfuse(mapfuse(bm25, dense), slidefuse(ql, dense))", "bm25 >> prf", "bm25 >> vprf", "bm25 >> spell >> classify",
	"bm25 >> entity", "bm25 >> recency", "bm25 >> datematch", "bm25 >> balance", "bm25 >> dedupe",
	"bm25 >> dedupe(by=shingles)", "bm25 >> collapse >> cluster",
	"bm25 >> filter(category=sport)", "bm25 >> rerank(by=dense) >> cut(9)",
	"ql >> filter >> rerank(by=run,file=stored)", "bm25 >> rerank(by=cross,depth=20)", "rbc(bm25, dense)",
	"combmed(combmin(bm25, ql), combmax(bm25, dense), combanz(isr(bm25, dense), borda(bm25, ql)))",
	"rrf(bm25 >> cut(30), bm25, dense) >> cut(20)"}

// everyShape is more and shapes and, for each stage in none of them, the plainest pipeline that has it. What a backend
// answers is tested in core/remote.
func everyShape(more ...string) []string {
	out := append(more, shapes...)
	for _, s := range stage.All() {
		if p := s.Param("backend"); p != nil && p.Required || slices.ContainsFunc(out, func(shape string) bool {
			return len(stage.MustParse(shape).Find(s.Name)) > 0
		}) {
			continue
		}
		switch s.Role {
		case pipeline.Retriever:
			out = append(out, s.Name)
		case pipeline.Combiner:
			out = append(out, s.Name+"(bm25, dense)")
		default:
			out = append(out, "bm25 >> "+s.Name)
		}
	}
	return out
}

// random gives every parameter that is not fixed a random value, or its default.
func random(t *testing.T, r *rand.Rand, n *pipeline.Node) *pipeline.Node {
	t.Helper()
	for _, s := range stage.All() {
		if len(n.Find(s.Name)) == 0 {
			continue
		}
		for i := range s.Params {
			p := &s.Params[i]
			var v string
			switch {
			case p.Fixed:
				continue
			case p.Kind == pipeline.Word:
				v = "sport"
				if p.Words != nil {
					v = p.Words[r.IntN(len(p.Words))]
				}
			case p.Kind == pipeline.Bool:
				v = []string{"true", "false"}[r.IntN(2)]
			case p.Kind == pipeline.Integer:
				v = fmt.Sprint(int(p.Min) + r.IntN(min(60, int(p.Max-p.Min))))
			default:
				v = fmt.Sprintf("%.3f", p.Min+r.Float64()*min(4, p.Max-p.Min))
			}
			if r.IntN(4) == 0 && !p.Required {
				v = ""
			}
			if m, err := n.With(s.Name, p.Name, v); err == nil { // an error: it means nothing for this variant
				n = m
			}
		}
	}
	return n
}

// Oracle: a ranker that is built for the pipeline and never set. Every hit, score, and number of every explanation is
// the same to the bit, whatever the ranker was set to before.
func TestARankerThatIsSetEqualsOneThatIsBuilt(t *testing.T) {
	c := newMade(400)
	settings := max(shared.Sample(24, 60), 6)             // of every shape: fewer may not change a ranking thrice
	for _, shape := range everyShape("run(stored)")[1:] { // what is stored is not set
		t.Run(shape, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			start := stage.MustParse(shape)
			used, err := stage.Build(c, start)
			if err != nil {
				t.Fatal(err)
			}
			differ, before, values := 0, "", map[string]bool{}
			for range settings {
				n := random(t, r, start)
				values[n.String()] = true
				if n.Shape() != start.Shape() {
					t.Fatalf("%s is of another shape than %s", n, start)
				}
				if err := used.Set(n); err != nil {
					t.Fatal(err)
				}
				fresh, err := stage.Build(c, n)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range madeQueries {
					got, err1 := used.Rank(q, 50, nil, nil)
					want, err2 := fresh.Rank(q, 50, nil, nil)
					if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) {
						t.Fatalf("%s, %q: set %v, %v; built %v, %v", n, q.Text, got, err1, want, err2)
					}
					for _, h := range want[:min(3, len(want))] {
						got, err1 := used.Explain(q, nil, h.Doc)
						want, err2 := fresh.Explain(q, nil, h.Doc)
						if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) {
							t.Fatalf("%s, %q, document %d: set %+v, %v; built %+v, %v", n, q.Text, h.Doc, got, err1,
								want, err2)
						}
					}
					if now := fmt.Sprint(want); now != before {
						differ++
						before = now
					}
				}
			}
			if differ < min(3, len(values)) { // a stage without settings has one
				t.Errorf("the values change nothing: %d rankings", differ)
			}
		})
	}
}

func BenchmarkSlider(b *testing.B) {
	c := newMade(20000)
	for _, shape := range []string{"bm25", "bm25(title=3)", "rrf(bm25, dense)"} {
		start := stage.MustParse(shape)
		steps := make([]*pipeline.Node, 20)
		for i := range steps {
			var err error
			if steps[i], err = start.With(stage.BM25.Name, "k1", fmt.Sprintf("%.2f", 1+float64(i)/20)); err != nil {
				b.Fatal(err)
			}
		}
		used, err := stage.Build(c, start)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("docs=20k/"+shape+"/build", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r, err := stage.Build(c, steps[i%len(steps)])
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Rank(madeQueries[1], 100, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("docs=20k/"+shape+"/set", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if err := used.Set(steps[i%len(steps)]); err != nil {
					b.Fatal(err)
				}
				if _, err := used.Rank(madeQueries[1], 100, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
