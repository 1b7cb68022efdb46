package collection_test

import (
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

func Example() {
	run, err := collection.Read("bm25.run",
		strings.NewReader("q1 Q0 d7 1 2.5 bm25\nq1 Q0 d1 2 1.5 bm25\nq1 Q0 d9 3 1.5 bm25\n"), collection.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	qrels, err := collection.Read("test.tsv", strings.NewReader("query-id\tcorpus-id\tscore\nq1\td9\t2\nq1\td7\t0\n"),
		collection.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Format, qrels.Format)
	grades, scores := run.Run.Grades(0, qrels.Qrels, collection.DocIDDescending, nil, nil)
	for i, g := range grades {
		if g == collection.Unjudged {
			fmt.Println(scores[i], "unjudged")
		} else {
			fmt.Println(scores[i], "grade", g)
		}
	}
	for _, w := range run.Warnings {
		fmt.Println(w)
	}
	_, err = collection.Read("bad.run", strings.NewReader("q1 Q0 d7 1 2.5 bm25\nq1 Q0 d1 2 nan bm25\n"),
		collection.Options{})
	fmt.Println(err)
	// Output:
	// run qrels-tsv
	// 2.5 grade 0
	// 1.5 grade 2
	// 1.5 unjudged
	// bm25.run:2: documents of query "q1" share a score; their order depends on convention (2 times)
	// collection: read bad.run: line 2: score nan cannot be ranked: replace it with a number, or remove the line
}
