package stage_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// fed is a collection whose runs hold nothing, or one document, for the query q0.
type fed struct{ *made }

func (f fed) Run(name string) (map[string][]rank.Hit, error) {
	switch name {
	case "nothing":
		return map[string][]rank.Hit{"q0": {}}, nil
	case "one":
		return map[string][]rank.Hit{"q0": {{Doc: 3, Score: 2}}}, nil
	case "elsewhere":
		return map[string][]rank.Hit{"q9": {{Doc: 3, Score: 2}}}, nil
	}
	return f.made.Run(name)
}

// torn is a collection of which nothing more can be fetched.
type torn struct{ fed }

var errTorn = errors.New("the network is gone")

func (torn) Vectors(string) (*stage.Vectors, error)    { return nil, errTorn }
func (torn) Tokens(string) (*stage.Tokens, error)      { return nil, errTorn }
func (torn) Sparse(string) (*stage.Weights, error)     { return nil, errTorn }
func (torn) Text(uint32) (string, error)               { return "", errTorn }
func (torn) Run(string) (map[string][]rank.Hit, error) { return nil, errTorn }

// written is a stage as it is written behind input; what must be set is.
func written(s *pipeline.Stage, input string) string {
	need := ""
	for i := range s.Params {
		if p := &s.Params[i]; p.Required && p.Kind == pipeline.Integer {
			need = "(5)"
		}
	}
	switch s.Role {
	case pipeline.Combiner:
		return s.Name + "(" + input + ", " + input + ")"
	case pipeline.Retriever:
		if s.Name == "run" || s.Name == "search" { // they rank what is not in the collection
			return input
		}
		return s.Name
	}
	return input + " >> " + s.Name + need
}

// Every stage of the registry, fed nothing, one document, and a ranking that cannot be made: nothing panics; nothing
// gives nothing, one gives that one or (of a stage that searches again) a ranking, and what cannot be is a sentence.
func TestEveryStageIsFedNothingOneAndAnError(t *testing.T) {
	c := fed{newMade(60)}
	q := rank.Query{ID: "q0", Text: "w1 w2 w3"}
	for _, s := range stage.All() {
		t.Run(s.Name, func(t *testing.T) {
			for _, input := range []string{"nothing", "one", "elsewhere", "unheard of"} {
				text := written(s, "run("+input+")")
				if input == "unheard of" {
					text = written(s, "run(gone)")
				}
				if s.Role == pipeline.Retriever && s.Name != "run" && s.Name != "search" {
					text = s.Name + " >> filter(category=nothing)"
				}
				hits, err := try(t, c, text, q)
				u, sentence := errors.AsType[*rank.Unanswerable](err)
				switch {
				case err != nil && (!sentence || u.Reason == ""):
					t.Errorf("%s: %v is no sentence for the visitor", text, err)
				case err != nil:
				case input == "nothing" && len(hits) != 0 && s.Name != "vprf":
					t.Errorf("%s: %d documents of nothing", text, len(hits))
				case input == "one" && s.Role == pipeline.Transformer && len(hits) == 0:
					t.Errorf("%s: the one document is gone", text)
				case (input == "elsewhere" || input == "unheard of") && s.Role != pipeline.Retriever:
					t.Errorf("%s: %d documents of a ranking that there is not", text, len(hits))
				}
			}
		})
	}
}

// What a stage has to fetch cannot be fetched: one that changes a ranking leaves it as it is and says why, one that
// ranks returns the error; none panics.
func TestEveryStageLosesTheNetwork(t *testing.T) {
	c := torn{fed{newMade(60)}}
	q := rank.Query{ID: "q0", Text: "w1 w2 w3"}
	texts := []string{"bm25 >> rerank(by=cross)", "bm25 >> rerank(by=dense)"}
	for _, s := range stage.All() {
		if s.Role == pipeline.Transformer {
			texts = append(texts, written(s, "bm25"))
		}
	}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			before, err := try(t, c, "bm25", q)
			if err != nil || len(before) == 0 {
				t.Fatal(before, err)
			}
			r, err := stage.Build(c, stage.MustParse(text))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			got, err := r.Rank(q, 50, nil, nil)
			if err != nil || len(got) == 0 {
				t.Fatalf("%s: %d documents, %v", text, len(got), err)
			}
			for _, step := range stage.Steps(r) {
				if step.Aside && (step.Note == "" || !slices.Equal(got, before)) {
					t.Errorf("%s stood aside with the note %q and another ranking", text, step.Note)
				}
			}
			if _, err := r.Explain(q, nil, got[0].Doc); err != nil {
				t.Errorf("%s: explain: %v", text, err)
			}
		})
	}
}

func try(t *testing.T, c stage.Collection, text string, q rank.Query) ([]rank.Hit, error) {
	t.Helper()
	n, err := stage.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r, err := stage.Build(c, n)
	if err != nil {
		return nil, err
	}
	return r.Rank(q, 50, nil, nil)
}
