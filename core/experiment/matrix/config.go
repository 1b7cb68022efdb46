package matrix

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// config is the matrix that configurations of retrieval services are written in: lists of settings, all combined.
//
//	primary_k             the cutoff that counts: nDCG at it is tested
//	k_values_for_metrics  further cutoffs
//	top_k_values          how many documents are kept: >> cut(k)
//	search_modes          lexical, dense or hybrid (other names of the three are taken too)
//	use_reranker          false, true or both: >> reranker
//	reranker              what reranks, a stage; "rerank" where there is such a stage
//	rrf_k_values          k of reciprocal rank fusion, of the hybrid mode alone
//	score_thresholds      least scores; null and 0 leave every document
//
// A mode that a setting means nothing for is the same run for each of its values: the plan merges them and says so.
type config struct {
	given        bool
	primary      int
	cutoffs, top []int
	modes        []string
	rerank       []bool
	reranker     string
	fusion       []float64
	thresholds   []float64
}

var configKeys = []string{"primary_k", "k_values_for_metrics", "top_k_values", "search_modes", "use_reranker",
	"reranker", "rrf_k_values", "score_thresholds"}

// modeNames are the names of the modes, each with what it is.
var modeNames = map[string]string{
	"lexical": "bm25", "keyword": "bm25", "sparse": "bm25", "bm25": "bm25", "full_text": "bm25", "fulltext": "bm25",
	"dense": "dense", "semantic": "dense", "vector": "dense",
	"hybrid": "hybrid",
}

// read reads the member of a name, false where it has none of that name.
func (c *config) read(r *jsontext.Reader, key string) bool {
	switch key {
	case "primary_k":
		c.primary = int(r.Int())
	case "k_values_for_metrics":
		c.cutoffs = integers(r)
	case "top_k_values":
		c.top = integers(r)
	case "search_modes":
		c.modes = texts(r, (*jsontext.Reader).String, nil)
	case "use_reranker":
		c.rerank = bools(r)
	case "reranker":
		c.reranker = r.String()
	case "rrf_k_values":
		c.fusion = numbers(r)
	case "score_thresholds":
		c.thresholds = thresholds(r)
	default:
		return false
	}
	c.given = true
	return true
}

// into makes a Spec of it: one line a combination, in the order of the members.
func (c *config) into(s *Spec) error {
	if len(c.modes) == 0 {
		return about("search_modes",
			"read config matrix: it is empty: search_modes lists at least one of lexical, dense and hybrid")
	}
	if len(c.top) == 0 {
		c.top = []int{configTop}
	}
	if len(c.rerank) == 0 {
		c.rerank = []bool{false}
	}
	if len(c.fusion) == 0 {
		c.fusion = []float64{60}
	}
	if c.primary == 0 {
		c.primary = 10
	}
	deepest := c.primary
	for _, k := range c.cutoffs {
		deepest = max(deepest, k)
	}
	for i, k := range c.top {
		if k < deepest {
			return aboutItem("top_k_values", i,
				"read config matrix: top_k %d is below the cutoff %d of a measure: raise top_k", k, deepest)
		}
	}
	if slices.Contains(c.rerank, true) {
		named := "reranker"
		if c.reranker == "" {
			c.reranker, named = "rerank", "use_reranker"
		}
		if _, err := stage.Parse("bm25 >> " + c.reranker); err != nil {
			return about(named, "read config matrix: use_reranker: %w; \"reranker\" names what reranks", err)
		}
	}
	if n := float64(len(c.top)) * float64(len(c.modes)) * float64(len(c.rerank)) * float64(len(c.fusion)) *
		float64(max(len(c.thresholds), 1)); n > mostWritten {
		return about("search_modes", "read config matrix: %s runs are too many: the limit is %d", magnitude(n),
			mostWritten)
	}
	if len(c.cutoffs) > mostMeasures {
		return about("k_values_for_metrics", "read config matrix: %d cutoffs: the limit is %d", len(c.cutoffs),
			mostMeasures)
	}
	for _, top := range c.top {
		for at, mode := range c.modes {
			for _, rerank := range c.rerank {
				for _, k := range c.fusion {
					text, err := c.system(mode, k)
					if err != nil {
						return &Misplaced{"search_modes", at, err}
					}
					if rerank {
						text += " >> " + c.reranker
					}
					s.Systems = append(s.Systems, text+" >> cut("+strconv.Itoa(top)+")")
				}
			}
		}
	}
	s.Thresholds = c.thresholds
	s.Configured = len(s.Systems) * max(len(c.thresholds), 1)
	s.Depth = max(s.Depth, slices.Max(c.top))
	if len(s.Measures) == 0 {
		s.Measures = []string{"nDCG@" + strconv.Itoa(c.primary)}
		for _, k := range append([]int{c.primary}, c.cutoffs...) {
			for _, m := range []string{"nDCG@", "P@", "R@", "RR@"} {
				if text := m + strconv.Itoa(k); !slices.Contains(s.Measures, text) {
					s.Measures = append(s.Measures, text)
				}
			}
		}
	}
	return nil
}

// system is the pipeline of a mode.
func (c *config) system(mode string, k float64) (string, error) {
	switch modeNames[mode] {
	case "bm25":
		return "bm25", nil
	case "dense":
		return "dense", nil
	case "hybrid":
		return "rrf(bm25, dense, k=" + strconv.FormatFloat(k, 'f', -1, 64) + ")", nil
	}
	return "", say.Faultf("matrix", "read config matrix: search mode %q is not one of lexical, dense and hybrid",
		brief(mode))
}
