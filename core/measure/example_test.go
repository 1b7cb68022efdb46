package measure_test

import (
	"fmt"

	"github.com/rankbox/rankbox/core/measure"
)

// One query: a run's list, ranked as in trec_eval, scored, and compared with ir_measures.
func Example() {
	list := measure.List{
		Query:  "q1",
		IDs:    []string{"a", "b", "c", "d"},
		Scores: []float64{7, 5, 5, 2},
		Grades: []float64{0, 2, measure.Unjudged, 1},
		Judged: []float64{0, 2, 1, 1},
	}
	ms, err := measure.ParseList("nDCG@10 AP MRR@10")
	if err != nil {
		fmt.Println(err)
		return
	}
	topics := []measure.Topic{list.Topic(measure.Policy{})}
	r := measure.Evaluate(topics, ms, measure.Policy{})
	for i, m := range ms {
		t := m.TieRange(&topics[0])
		fmt.Printf("%-8s %.4f (ties: %.4f to %.4f)\n", m, r.Summary(i), t.Low, t.High)
	}
	if q, ok := measure.ConventionByName("ir_measures").Inquire(ms[2], measure.Policy{}); ok {
		d := q.Add(&list)
		fmt.Printf("%s: %.4f, not %.4f: %s\n", d.Query, d.Theirs, d.Ours, d.Reasons[0].Text)
	}
	// Output:
	// nDCG@10  0.4569 (ties: 0.4569 to 0.5406)
	// AP       0.2778 (ties: 0.2778 to 0.3333)
	// RR@10    0.3333 (ties: 0.3333 to 0.5000)
	// q1: 0.5000, not 0.3333: ir_measures orders tied documents by document id ascending: rank 2 is b (grade 2) instead of c (not judged), both with score 5
}
