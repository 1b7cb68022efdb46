package measure

import (
	"math"
	"strings"
	"testing"
)

// Tools that take lists of ids: the packages' own figures for the run of TestConventions and for two lists with
// repeated documents (versions in the file).
func TestConventionsOfIDs(t *testing.T) {
	c, lists := readConventionFile(t, "testdata/conventions_ids.json")
	if len(c.Values) < 3 {
		t.Fatalf("%d tools", len(c.Values))
	}
	c.check(t, lists)
}

// Server tools: the figures of their own classes and scripts for the same lists. Elastic's rank-eval-client
// 7.17.28, search-relevance d17ddf6 and 0b75cf8, and Quepid 8.6.0's scorers in its own functions
// (scripts/oracle/measures/conventions_servers.py).
func TestConventionsOfServersAsTheyRun(t *testing.T) {
	c, lists := readConventionFile(t, "testdata/conventions_servers.json")
	if len(c.Values) != 4 {
		t.Fatalf("%d tools", len(c.Values))
	}
	c.check(t, lists)
}

// Only tools that take lists see repeated documents. With repetitions marked, the lists give the packages' figures;
// trec_eval's are those of the lists without repetitions.
func TestConventionsSeeDocumentsThatComeAgain(t *testing.T) {
	c, lists := readConventionFile(t, "testdata/conventions_ids.json")
	once := make([]List, len(lists))
	marked := 0
	for i := range lists {
		l := &lists[i]
		once[i] = *l
		once[i].IDs, once[i].Scores, once[i].Grades = nil, nil, nil
		seen := map[string]bool{}
		again := make([]bool, len(l.IDs))
		for k, id := range l.IDs {
			if again[k] = seen[id]; again[k] {
				marked++
				l.Again = again
				continue
			}
			seen[id] = true
			once[i].IDs, once[i].Scores = append(once[i].IDs, id), append(once[i].Scores, l.Scores[k])
			once[i].Grades = append(once[i].Grades, l.Grades[k])
		}
	}
	if marked != 4 {
		t.Fatalf("%d documents come again", marked)
	}
	c.check(t, lists)
	for _, notation := range []string{"nDCG@10", "AP", "P@5", "RR@10"} {
		m := mustParse(t, notation)
		for _, name := range []string{"trec_eval", "ranx", "sklearn"} {
			got, ok := ConventionByName(name).Evaluate(lists, m)
			want, _ := ConventionByName(name).Evaluate(once, m)
			if ok && got.Mean != want.Mean {
				t.Errorf("%s, %s: %v, of the lists without repetition %v", name, notation, got.Mean, want.Mean)
			}
		}
		diffs, _ := explain(ConventionByName("LlamaIndex"), lists, m, Policy{Depth: 3})
		for _, d := range diffs {
			now := d.Ours
			for _, r := range d.Reasons {
				if math.Abs(r.Before-now) > 1e-12 {
					t.Errorf("%s, query %s: %s begins at %v, not %v", notation, d.Query, r.Decision, r.Before, now)
				}
				now = r.After
			}
			if math.Abs(now-d.Theirs) > 1e-9 {
				t.Errorf("%s, query %s: the reasons end at %v, not %v", notation, d.Query, now, d.Theirs)
			}
		}
	}
}

// Elasticsearch: the answers of a 7.10.2 node to _rank_eval over the lists without repetitions
// (scripts/oracle/measures/rank_eval.py).
func TestConventionOfRankEval(t *testing.T) {
	c, lists := readConventionFile(t, "testdata/conventions_rank_eval.json")
	if len(c.Values["Elasticsearch"]) != 27 || len(lists) != 12 {
		t.Fatalf("%d measures, %d lists", len(c.Values["Elasticsearch"]), len(lists))
	}
	c.check(t, lists)
}

// The figures of three public issues, each from its list: one relevant document, retrieved twice. The first two are
// also the packages' figures in conventions_ids.json: 1 + 1/log2(3), and (1/1 + 2/2)/1.
func TestPublicFigures(t *testing.T) {
	twice := []List{{Query: "q", IDs: []string{"a", "a"}, Scores: []float64{2, 1}, Grades: []float64{1, 1},
		Judged: []float64{1}, JudgedIDs: []string{"a"}}}
	for _, c := range []struct {
		tool, measure string
		want          float64
	}{
		{"LlamaIndex", "nDCG", 1.6309297535714575}, // run-llama/llama_index #22683
		{"LlamaIndex", "AP", 2},                    // the same
		{"Haystack 2", "nDCG", 1.6309297535714575}, // deepset-ai/haystack #11959
		{"Haystack", "nDCG", 1},                    // fixed there
		{"OpenSearch 3", "nDCG@10", 1.63},
		{"OpenSearch", "nDCG@10", 1.63},
		{"AutoRAG", "nDCG", 1.6309297535714575},
		{"Elasticsearch", "nDCG@10", 1.6309297535714575},
		{"MLflow", "nDCG@10", 1}, // the ideal ranking also repeats the document
		{"Quepid", "nDCG@10", 1.6309297535714575},
		{"Ragas", "P@10", 1},
		{"LangSmith", "R@10", 1},
	} {
		o, ok := ConventionByName(c.tool).Evaluate(twice, mustParse(t, c.measure))
		if !ok || math.Abs(o.Mean-c.want) > 1e-12 {
			t.Errorf("%s, %s: %+v, want %v", c.tool, c.measure, o, c.want)
		}
	}
}

// Server tools, by hand with the formulas in their source. The list has grades 2, unjudged, 1; the judgments are 3,
// 2, 1, 1. Gains are 2^grade − 1.
func TestConventionsOfServers(t *testing.T) {
	l := []List{{Query: "q", IDs: []string{"a", "x", "c"}, Scores: []float64{3, 2, 1}, Grades: []float64{2, Unjudged, 1},
		Judged: []float64{1, 2, 3, 1}}, {Query: "none", Judged: []float64{1}, Missing: true}}
	log3, log5 := math.Log2(3), math.Log2(5)
	dcg := 3 + 1.0/2
	for _, c := range []struct {
		tool, measure, as string
		want              float64 // of the first query
	}{
		// modules/rank-eval: the ideal has as many documents as there are hits, three; precision divides by them.
		{"Elasticsearch", "nDCG@10", "dcg (normalize, k=10)", dcg / (7 + 3/log3 + 1.0/2)},
		{"Elasticsearch", "nDCG@2", "dcg (normalize, k=2)", 3 / (7 + 3/log3)},
		{"Elasticsearch", "DCG@10", "dcg (k=10)", dcg},
		{"Elasticsearch", "P@10", "precision (k=10)", 2.0 / 3},
		{"Elasticsearch", "P(rel=2)@10", "precision (k=10, relevant_rating_threshold=2)", 1.0 / 3},
		{"Elasticsearch", "R@10", "recall (k=10)", 2.0 / 4},
		{"Elasticsearch", "RR@10", "mean_reciprocal_rank (k=10)", 1},
		// Evaluation.java: the ideal has k documents. Half of the highest grade is 1.5, the 90th percentile 3.
		{"OpenSearch", "nDCG@10", "NDCG@10", 0.36}, // 3.5/(7 + 1.89 + .5 + .43) = .3563
		{"OpenSearch", "P@10", "Precision@10", 0},
		{"OpenSearch", "R@10", "Recall@10", 0},
		{"OpenSearch 3", "P@10", "Precision@10", 0.67},
		{"OpenSearch 3", "AP@10", "MAP@10", 0.42}, // (1 + 2/3)/4 = .4167
		// db/scorers: the ideal of NDCG has every rated document, four, at any depth; that of NDCG_CUT has two.
		{"Quepid", "nDCG@2", "NDCG@2", 3 / (7 + 3/log3 + 1.0/2 + 1/log5)},
		{"Quepid", "nDCG(dcg='exp-log2')@2", "NDCG_CUT@2", 3 / (7 + 3/log3)},
		{"Quepid", "P@10", "P@10", 2.0 / 3},
		{"Quepid", "AP@10", "AP@10", (1 + 2.0/3) / 4},
		{"Quepid", "RR@10", "RR@10", 1},
		{"Anserini", "RR@2", "recip_rank -c -M 2", 1},
		{"Anserini", "nDCG@10", "ndcg_cut_10 -c", (2 + 1.0/2) / (3 + 2/log3 + 1.0/2 + 1/log5)},
	} {
		o, ok := ConventionByName(c.tool).Evaluate(l, mustParse(t, c.measure))
		if !ok || o.As != c.as || math.Abs(o.Values[0]-c.want) > 1e-12 || math.Abs(o.Mean-c.want/2) > 1e-12 {
			t.Errorf("%s, %s: %v %+v, want %s %v", c.tool, c.measure, ok, o, c.as, c.want)
		}
	}
	for tool, measures := range map[string]string{"OpenSearch 3": "R@10 RR@10 DCG@10", "MLflow": "nDCG AP@10",
		"Ragas": "nDCG@10 P(rel=2)@10", "Quepid": "nDCG nDCG(judged_only=True)@10 P(rel=2)@10 Q",
		"Elasticsearch": "AP@10 P P(judged_only=True)@10",
		"LangSmith":     "P@10 nDCG@10 R(rel=2)@10", "LlamaIndex": "nDCG(gains={1:3}) F@10"} {
		for _, m := range strings.Fields(measures) {
			if parsed, err := Parse(m); err == nil {
				if o, ok := ConventionByName(tool).Evaluate(l, parsed); ok {
					t.Errorf("%s has %s: %+v", tool, m, o)
				}
			}
		}
	}
}

// A LangSmith evaluator without relevant ids gives the example no score (None), so the mean excludes it.
func TestLangSmithLeavesOutExamplesWithoutScore(t *testing.T) {
	l := []List{{Query: "q", IDs: []string{"a", "b"}, Scores: []float64{2, 1}, Grades: []float64{1, 0},
		JudgedIDs: []string{"a", "b", "c"}, Judged: []float64{1, 0, 2}},
		{Query: "none", IDs: []string{"a"}, Scores: []float64{1}, Grades: []float64{0}, JudgedIDs: []string{"a"},
			Judged: []float64{0}}}
	o, ok := ConventionByName("LangSmith").Evaluate(l, mustParse(t, "R@3"))
	if !ok || o.As != "recall@3" || o.Mean != 0.5 || o.Queries != 1 || o.Counts[1] {
		t.Errorf("%v %+v", ok, o)
	}
}

// Java rounds halves up: one relevant document at rank 8 has .125, at two decimals .13.
func TestOpenSearchRoundsHalvesUp(t *testing.T) {
	o, ok := ConventionByName("OpenSearch").Evaluate([]List{oneRelevant(10, 8)}, mustParse(t, "RR@10"))
	if !ok || o.Mean != 0.13 {
		t.Errorf("%+v", o)
	}
}
