package stage_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// ranked builds and asks a pipeline.
func ranked(t *testing.T, text string, q rank.Query) ([]rank.Hit, []stage.Step) {
	t.Helper()
	r, err := stage.Build(newMade(400), stage.MustParse(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	hits, err := r.Rank(q, 50, nil, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return hits, stage.Steps(r)
}

// A stage that cannot do its work leaves the ranking it was given, and says why.
func TestAStageThatCannotDoItsWorkLeavesARankingAndANote(t *testing.T) {
	q := rank.Query{ID: "q0", Text: "w1 w2 w3"}
	tests := []struct {
		name, text, plain string
		q                 rank.Query
		note              string
	}{
		{"no vectors of the model", "bm25 >> mmr(model=other) >> cut(7)", "bm25 >> cut(7)", q, "has no vectors"},
		{"no such run", "bm25 >> rerank(by=run,file=other)", "bm25", q, "no stored run"},
		{"no cross-encoder's scores", "bm25 >> rerank(by=cross,file=other)", "bm25", q, "no stored run"},
		{"a query that the run does not hold", "bm25 >> rerank(by=run,file=stored)", "bm25",
			rank.Query{ID: "q2", Text: "w90"}, "no ranking for query q2"},
		{"a typed query, and no encoder", "bm25 >> rerank(by=dense)", "bm25", rank.Query{Text: "w1"},
			"query has no vector"},
		{"scores of other documents", "bm25 >> filter(from=20300101) >> rerank(by=run,file=stored)",
			"bm25 >> filter(from=20300101)", q, ""},
	}
	for _, tt := range tests {
		got, steps := ranked(t, tt.text, tt.q)
		want, _ := ranked(t, tt.plain, tt.q)
		if len(got) != len(want) {
			t.Fatalf("%s: %d documents, without the stage %d", tt.name, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %v at rank %d, without the stage %v", tt.name, got[i], i+1, want[i])
				break
			}
		}
		said := ""
		for _, s := range steps {
			if s.Aside {
				said += s.Note
			}
		}
		if tt.note != "" && !strings.Contains(said, tt.note) {
			t.Errorf("%s: said %q, want %q in it", tt.name, said, tt.note)
		}
	}
}

func TestStepsSayWhatEachStageDid(t *testing.T) {
	_, steps := ranked(t, "rrf(bm25 >> spell, run(stored)) >> classify >> collapse >> cluster >> cut(5)",
		rank.Query{ID: "q0", Text: "why w1 w2 w3"})
	var names []string
	for _, s := range steps {
		names = append(names, s.Node.Stage.Name)
		if !s.Ran {
			t.Errorf("%s did not run", s.Node.Stage.Name)
		}
	}
	if got := strings.Join(names, " "); got != "rrf bm25 spell run classify collapse cluster cut" {
		t.Errorf("the steps are %s", got)
	}
	if s := steps[3]; s.Hits != 2 {
		t.Errorf("the run hands on %d documents, it has 2", s.Hits)
	}
	if s := steps[4]; !strings.HasPrefix(s.Note, "The query is taken to be analytical: it asks why") {
		t.Errorf("classify says %q", s.Note)
	}
	if s := steps[5]; len(s.Gone) == 0 || s.Gone[0].Why == "" {
		t.Errorf("collapse took out %v", s.Gone)
	}
	if s := steps[6]; len(s.Groups) < 3 {
		t.Errorf("cluster found %v", s.Groups)
	}
	if s := steps[7]; s.Hits != 5 {
		t.Errorf("cut hands on %d documents", s.Hits)
	}
}

// By hand on the made collection: the dates of documents run from 2000 to 2024, and categories go round by three.
func TestFilter(t *testing.T) {
	c := newMade(400)
	hits, _ := ranked(t, "bm25 >> filter(category=Sport,from=20100101,to=20191231)", rank.Query{Text: "w0 w1 w2 w3 w4"})
	for _, h := range hits {
		if card := c.Card(h.Doc); card.Category != "sport" || card.Date < "2010-01-01" || card.Date > "2019-12-31" {
			t.Errorf("%+v passed", card)
		}
	}
	if len(hits) != 50 {
		t.Errorf("%d documents", len(hits))
	}
}

// "w1000000" is no word of the collection; the terms begin with w and differ by digits. A word that is there stays as
// it is.
func TestSpell(t *testing.T) {
	// a query that finds something keeps its words: one that no document holds may be right
	as, _ := ranked(t, "bm25", rank.Query{Text: "w1 wx17 w2"})
	kept, steps := ranked(t, "bm25 >> spell", rank.Query{Text: "w1 wx17 w2"})
	if got := steps[1].Note; !slices.Equal(as, kept) ||
		!strings.HasPrefix(got, "Did you mean “w1 w") || !strings.HasSuffix(got, " w2”? Nothing was changed") ||
		steps[1].State() != stage.Did || steps[1].Moved != 0 {
		t.Errorf("%q, %v, want %v", got, kept, as)
	}
	// one that finds nothing does not
	found, steps := ranked(t, "bm25 >> spell", rank.Query{Text: "wx17"})
	if len(found) == 0 {
		t.Error("nothing is found")
	}
	if got := steps[1].Note; !strings.HasPrefix(got,
		"Nothing was found as written. Searched instead: “w") || steps[1].Moved != len(found) {
		t.Errorf("%q", got)
	}
	if _, steps = ranked(t, "bm25 >> spell", rank.Query{Text: "w1 w2"}); steps[1].State() != stage.Nothing ||
		steps[1].Note != "Every word of the query is in the collection" {
		t.Errorf("%v: %q", steps[1].State(), steps[1].Note)
	}
}

// Oracle: late interaction over the first two tokens alone. In batches of seven the ranking is the same.
func TestRerankByTheFirstTokensInBatches(t *testing.T) {
	q := rank.Query{ID: "q1", Text: "w0 w0 w17 w300"}
	c := newMade(400)
	l, err := late.New("random", c.tokens.Docs, c.tokens.Queries, c.tokens.QueryIDs)
	if err != nil {
		t.Fatal(err)
	}
	l.Limit = 2
	scores := map[uint32]float64{}
	all, err := l.Rank(q, 400, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range all {
		scores[h.Doc] = h.Score
	}
	whole, _ := ranked(t, "bm25 >> rerank(depth=30)", q)
	got, _ := ranked(t, "bm25 >> rerank(depth=30,tokens=2)", q)
	batches, _ := ranked(t, "bm25 >> rerank(depth=30,tokens=2,batch=7)", q)
	if !slices.Equal(got, batches) || slices.Equal(got, whole) || len(got) != len(whole) {
		t.Fatalf("two tokens %v\nin batches %v\nall tokens %v", got, batches, whole)
	}
	compared := 0
	for _, h := range got {
		if h.Score == scores[h.Doc] {
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("%d of the first thirty have the score of their first two tokens", compared)
	}
}
