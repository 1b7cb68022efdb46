package stage

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

func TestLabel(t *testing.T) {
	tests := []struct{ text, want string }{
		{"bm25", "BM25"},
		{"bm25(title=3)", "BM25, title x3"},
		{"bm25(k1=1.2,b=0.75,exact=true)", "BM25, k1 1.2, b 0.75, exact lengths"},
		{"bm25(variant=okapi,analyzer=whitespace)", "BM25 (Okapi), whitespace"},
		{"bm25(variant=robertson)", "BM25 (Robertson)"},
		{"bm25(variant=atire)", "BM25 (ATIRE)"},
		{"bm25(variant=bm25+,delta=0.5)", "BM25+, delta 0.5"},
		{"bm25(variant=bm25l)", "BM25L"},
		{"bm25(variant=bm25f,title=3)", "BM25F, title x3"},
		{"ql(mu=500)", "Query likelihood, mu 500"},
		{"ql(smoothing=jm,analyzer=whitespace)", "Query likelihood (Jelinek–Mercer), whitespace"},
		{"dense", "Dense (MiniLM)"},
		{"dense(model=bge)", "Dense (BGE)"},
		{"dense(model=e5)", "Dense (E5)"},
		{"dense(model=custom-1)", "Dense (custom-1)"},
		{"dense(similarity=l2,scan=bit,rescore=300)", "Dense (MiniLM), l2, bit, 300 rescored"},
		{"dense(scan=int8)", "Dense (MiniLM), int8"},
		{"late", "Late interaction"},
		{"late(model=colbert,candidates=50)", "Late interaction (colbert), 50 candidates"},
		{"sparse", "Sparse (splade)"},
		{"rrf(bm25, dense)", "Hybrid"},
		{"rrf(dense, bm25, k=10)", "Hybrid, k 10"},
		{"rrf(bm25(title=3), dense)", "Hybrid of BM25, title x3 + Dense (MiniLM)"},
		{"rrf(bm25, dense, dense(model=e5))", "Fusion of BM25 + Dense (MiniLM) + Dense (E5)"},
		{"rrf(bm25, bm25 >> cut(5),depth=50)", "Fusion of BM25 + BM25, top 5, depth 50"},
		{"rrf(dense, dense, dense, dense, dense, dense)", "Fusion of 6 systems"},
		{"rrf(bm25, dense) >> cut(20)", "Hybrid, top 20"},
		{"bm25 >> rm3(terms=20)", "BM25 + RM3, terms 20"},
		{"bm25(k1=1.2) >> rocchio", "BM25, k1 1.2 + Rocchio"},
		{"wsum(bm25, dense,weight=0.3,norm=zmuv)", "Weighted sum of BM25 + Dense (MiniLM), weight 0.3, norm zmuv"},
		{"bm25 >> mmr(lambda=0.5) >> cut(5)", "BM25 + MMR, lambda 0.5, top 5"},
		{"rrf(ql, bm25)", "Fusion of Query likelihood + BM25"},
	}
	for _, tt := range tests {
		if got := MustParse(tt.text).Label(); got != tt.want {
			t.Errorf("label of %s is %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestRegistry holds the declarations to what the rest of the package assumes of them.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range All() {
		if seen[s.Name] || !lowercase(s.Name) || Lookup(s.Name) != s {
			t.Errorf("%s: name is used twice or is not lowercase letters and digits", s.Name)
		}
		seen[s.Name] = true
		if s.Doc == "" || s.Formula == "" || s.Source == "" || s.Label == nil {
			t.Errorf("%s: undocumented or unlabelled", s.Name)
		}
		if (s.Role == pipeline.Combiner) != (s.MinArgs > 0) {
			t.Errorf("%s: MinArgs %d of a %s", s.Name, s.MinArgs, s.Role)
		}
		params, positional := map[string]bool{}, 0
		for i := range s.Params {
			p := &s.Params[i]
			name := s.Name + "." + p.Name
			if params[p.Name] || !lowercase(p.Name) || p.Doc == "" {
				t.Errorf("%s: name is used twice or no name, or undocumented", name)
			}
			if p.By != "" && (!params[p.By] || s.Param(p.By).Kind != pipeline.Word || s.Param(p.By).Words == nil &&
				!whileOpen(p)) ||
				p.By == "" && (p.Defaults != nil || p.Only != nil) {
				t.Errorf("%s: depends on %q, which is no earlier word", name, p.By)
			}
			params[p.Name] = true
			if p.Positional {
				positional++
			}
			if p.Required && (p.Default != "" || p.Defaults != nil) {
				t.Errorf("%s: required, with a default", name)
			}
			if p.Default == "" && !p.Required && p.Kind != pipeline.Word {
				t.Errorf("%s: no default", name)
			}
			defaults := append([]pipeline.Case{{Default: p.Default}}, p.Defaults...)
			for _, d := range defaults {
				if d.Default == "" && d.Word == "" {
					continue
				}
				if got, err := value(s, p, d.Word, d.Default); err != nil || got != d.Default {
					t.Errorf("%s: default %q for %q: %v, canonical %q", name, d.Default, d.Word, err, got)
				}
				if d.Word != "" && !slices.Contains(s.Param(p.By).Words, d.Word) {
					t.Errorf("%s: default for unknown %q", name, d.Word)
				}
			}
			for _, w := range p.Only {
				if !slices.Contains(s.Param(p.By).Words, w) && !whileOpen(p) {
					t.Errorf("%s: only for unknown %q", name, w)
				}
			}
		}
		if positional > 1 || positional > 0 && s.Role == pipeline.Combiner {
			t.Errorf("%s: %d positional parameters of a %s", s.Name, positional, s.Role)
		}
	}
}

// whileOpen reports whether a parameter means something only while another word is not written.
func whileOpen(p *pipeline.Param) bool { return len(p.Only) == 1 && p.Only[0] == "" }

// value writes a stage with nothing but one value, and the word that this depends on, and returns what it is then. The
// values around it are as short as the notation allows.
func value(s *pipeline.Stage, p *pipeline.Param, by, text string) (string, error) {
	written := s.Name + "("
	for i := 0; i < s.MinArgs; i++ {
		written += BM25.Name + ", "
	}
	if by != "" {
		written += p.By + "=" + by + ","
	} else if p.Only != nil && p.Only[0] != "" {
		written += p.By + "=" + p.Only[0] + ","
	}
	for i := range s.Params {
		if q := &s.Params[i]; q.Required && q != p {
			example := "1"
			if q.Kind == pipeline.Word {
				example = "one"
			}
			written += q.Name + "=" + example + ","
		}
	}
	written += p.Name + "=" + text + ")"
	if s.Role == pipeline.Transformer {
		written = BM25.Name + " >> " + written
	}
	n, err := Parse(written)
	if err != nil {
		return "", err
	}
	return n.Value(p.Name), nil
}

func lowercase(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == "" && s[0] >= 'a'
}

func TestUsage(t *testing.T) {
	for name, want := range map[string]string{
		"bm25": "bm25(variant=lucene,k1=0.9,b=0.4,delta=1,epsilon=0.25,title=1,analyzer=<word>,exact=false)",
		"wsum": "wsum(pipeline, pipeline, weight=0.5,norm=minmax,depth=100)",
		"rrf":  "rrf(pipeline, pipeline, …, k=60,depth=100)",
		"cut":  "… >> cut(n)",
	} {
		if got := Lookup(name).Usage(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A stage that searches again by words says what it cannot stand behind.
func TestFeedbackStandsBehindWords(t *testing.T) {
	for _, text := range []string{"dense >> rm3", "rrf(bm25, dense) >> rocchio", "bm25 >> cut(5) >> rm3"} {
		_, err := Build(nil, MustParse(text))
		if err == nil || !strings.Contains(err.Error(), "must follow a bm25 stage") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFirstWords(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{{"the ferry was late", 2, "the ferry"}, {"  the\n ferry", 1, "  the"}, {"the ferry", 2, "the ferry"},
		{"the ferry", 9, "the ferry"}, {"the ferry", 0, "the ferry"}, {"", 3, ""},
		{"größer als\u00a0das", 2, "größer als"}} {
		if got := firstWords(tt.text, tt.n); got != tt.want {
			t.Errorf("%d words of %q: %q, want %q", tt.n, tt.text, got, tt.want)
		}
	}
}
