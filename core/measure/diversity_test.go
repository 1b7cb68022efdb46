package measure

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// readSubtopics reads diversity qrels (query, subtopic, document, grade) into one topic per query. The run is
// ranked by score and then ascending document id, as in pyndeval. Subtopics are numbered by first appearance in the
// file.
func readSubtopics(t testing.TB, qrels, run string) []Topic {
	type key struct{ query, doc string }
	grades := map[key]map[int]float64{}
	docs := map[string][]string{}
	number := map[string]int{}
	var queries []string
	for _, line := range strings.Split(openAll(t, qrels), "\n") {
		f := strings.Fields(line)
		if len(f) != 4 {
			continue
		}
		if _, ok := number[f[1]]; !ok {
			number[f[1]] = len(number)
		}
		g, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		k := key{f[0], f[2]}
		if grades[k] == nil {
			grades[k] = map[int]float64{}
			if docs[f[0]] == nil {
				queries = append(queries, f[0])
			}
			docs[f[0]] = append(docs[f[0]], f[2])
		}
		grades[k][number[f[1]]] = float64(g)
	}
	r := readRun(t, run)
	var out []Topic
	for _, q := range queries {
		sort.Sort(sort.Reverse(sort.StringSlice(docs[q])))
		s := &Subtopics{}
		index := map[string]int32{}
		tp := Topic{Query: q, Subtopics: s, Ranked: []float64{}}
		for i, d := range docs[q] {
			index[d] = int32(i)
			row := make([]float64, len(number))
			for j := range row {
				row[j] = Unjudged
				if g, ok := grades[key{q, d}][j]; ok {
					row[j] = g
				}
			}
			s.Docs = append(s.Docs, row)
			tp.Judged = append(tp.Judged, slices.Max(row))
		}
		for _, i := range order(r.ids[q], r.scores[q], DocIDAsc, false) {
			at, ok := index[r.ids[q][i]]
			if !ok {
				at = -1
				tp.Ranked = append(tp.Ranked, Unjudged)
			} else {
				tp.Ranked = append(tp.Ranked, tp.Judged[at])
			}
			s.Ranked = append(s.Ranked, at)
			tp.Scores = append(tp.Scores, r.scores[q][i])
		}
		tp.Missing = len(s.Ranked) == 0
		out = append(out, tp)
	}
	return out
}

// Every diversity value of ir_measures 0.4.3 with pyndeval 0.0.8, per query, to 1e-9. At cutoff 1 ndeval does not
// normalise ERR_IA and alpha_DCG: there its value is ours times the number of subtopics with a relevant document.
func TestEqualsPyndeval(t *testing.T) {
	for _, run := range []string{"ties", "distinct"} {
		t.Run(run, func(t *testing.T) {
			topics := readSubtopics(t, "oracle/measures/diversity/qrels.txt.gz",
				"oracle/measures/diversity/"+run+".run.gz")
			if len(topics) != 60 {
				t.Fatalf("%d topics", len(topics))
			}
			var doc struct {
				Measures map[string]oracleMeasure `json:"measures"`
			}
			if err := json.Unmarshal([]byte(openAll(t, "oracle/measures/diversity/"+run+".json")), &doc); err != nil {
				t.Fatal(err)
			}
			values := 0
			for name, o := range doc.Measures {
				m := mustParse(t, name)
				bad := 0
				for i := range topics {
					want, got := number(t, o.PerQuery[topics[i].Query]), m.Score(&topics[i])
					if in := m.Info(); m.Cutoff() == 1 && (in == &infoERRIA || in == &infoAlphaDCG) {
						_, a := topics[i].Subtopics.relevantTo(m.rel)
						got *= float64(a)
					}
					values++
					if !isNear(got, want) {
						if bad++; bad <= 3 {
							t.Errorf("%s, query %s: %.12g, oracle %.12g", name, topics[i].Query, got, want)
						}
					}
				}
				if bad > 3 {
					t.Errorf("%s: %d queries differ", name, bad)
				}
			}
			t.Logf("%d values", values)
		})
	}
}

// A million subtopics of one document at the end of four million: searching them at every rank would take four
// million million steps.
func TestSubtopicsAreLookedForWhereJudged(t *testing.T) {
	const width, depth = 1 << 20, 1 << 22
	s := &Subtopics{Docs: [][]float64{slices.Repeat([]float64{1}, width)}, Ranked: slices.Repeat([]int32{-1}, depth)}
	s.Ranked[depth-1] = 0
	tp := &Topic{Ranked: slices.Repeat([]float64{Unjudged}, depth), Subtopics: s}
	for name, want := range map[string]float64{
		"AP_IA": 1.0 / depth, "AP_IA(judged_only=True)": 1, "AP_avgjg": 1.0 / depth, "AP_avgjg(judged_only=True)": 1,
		"P_avgjg@10": 0, "Rprec_mult_avgjg@1": 0,
	} {
		if got := mustParse(t, name).Score(tp); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
