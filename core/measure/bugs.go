//go:build !first

package measure

// Bug is a published report of an impossible figure, with a short list for which the tool computes it.
type Bug struct {
	Name          string // URL fragment: "llama-index-22683"
	Title         string
	Issue         string // address of the report, "" if the tool intends the figure
	Tool, Measure string // the tool's convention, and the measure in our notation
	IDs           []string
	JudgedIDs     []string
	Judged        []float64
	Working       string // how the tool computes it
}

// list returns the ranking, with or without repeated documents.
func (b *Bug) list(again bool) List {
	l := List{Query: "q", JudgedIDs: b.JudgedIDs, Judged: b.Judged}
	seen := map[string]bool{}
	for _, id := range b.IDs {
		if seen[id] && !again {
			continue
		}
		seen[id] = true
		g := float64(Unjudged)
		for i, j := range b.JudgedIDs {
			if j == id {
				g = b.Judged[i]
			}
		}
		l.IDs, l.Grades = append(l.IDs, id), append(l.Grades, g)
		l.Scores = append(l.Scores, float64(len(b.IDs)-len(l.Scores)))
	}
	return l
}

// Values returns the tool's figure for the list and Rankbox's. In Rankbox every document counts once, at its best
// rank, and the ideal ranking comes from the judgments.
func (b *Bug) Values() (theirs, ours float64) {
	m, err := Parse(b.Measure)
	if err != nil {
		panic("measure: " + b.Name + ": " + err.Error())
	}
	opinion, _ := ConventionByName(b.Tool).Evaluate([]List{b.list(true)}, m)
	own, _ := conventionTrecEval.Evaluate([]List{b.list(false)}, m)
	return opinion.Mean, own.Mean
}

// Bugs returns the published bugs.
func Bugs() []Bug {
	one := []string{"a"}
	search := "https://github.com/opensearch-project/search-relevance/issues/191"
	twice := "(1/log₂ 2 + 1/log₂ 3) / (1/log₂ 2): the document counts at both ranks, the ideal ranking has it once"
	return []Bug{
		{Name: "llama-index-22683", Title: "nDCG of 1.63 in LlamaIndex",
			Issue: "https://github.com/run-llama/llama_index/issues/22683", Tool: "LlamaIndex", Measure: "nDCG",
			IDs: []string{"a", "a"}, JudgedIDs: one, Judged: []float64{1},
			Working: twice},
		{Name: "llama-index-22683-ap", Title: "Average precision of 2 in LlamaIndex",
			Issue: "https://github.com/run-llama/llama_index/issues/22683", Tool: "LlamaIndex", Measure: "AP",
			IDs: []string{"a", "a"}, JudgedIDs: one, Judged: []float64{1},
			Working: "(1/1 + 2/2) / 1: two hits of one relevant document"},
		{Name: "haystack-11959", Title: "nDCG of 1.63 in Haystack before its correction",
			Issue: "https://github.com/deepset-ai/haystack/issues/11959", Tool: "Haystack 2", Measure: "nDCG",
			IDs: []string{"a", "a"}, JudgedIDs: one, Judged: []float64{1},
			Working: twice},
		{Name: "search-relevance-191", Title: "nDCG of 1.31 in OpenSearch",
			Issue: search, Tool: "OpenSearch 3",
			Measure: "nDCG@10",
			IDs:     []string{"a", "b", "a"}, JudgedIDs: []string{"a", "b"}, Judged: []float64{1, 1},
			Working: "(1/log₂ 2 + 1/log₂ 3 + 1/log₂ 4) / (1/log₂ 2 + 1/log₂ 3), to two decimals. The thread does not " +
				"say which list gave its figure; this one gives it"},
		{Name: "ideal-from-list", Title: "nDCG of 1 although the best document is missing: the ideal from the list",
			Tool: "sklearn", Measure: "nDCG@10",
			IDs: []string{"b", "c"}, JudgedIDs: []string{"a", "b", "c"}, Judged: []float64{3, 2, 1},
			Working: "(2/log₂ 2 + 1/log₂ 3) / (2/log₂ 2 + 1/log₂ 3): scikit-learn is only given the retrieved " +
				"documents, so the ideal ranking lacks document a"},
	}
}
