package compare_test

import (
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

func Example() {
	judgments, err := collection.Read("qrels", strings.NewReader("q1 0 a 1\nq1 0 b 2\n"), collection.Options{})
	if err != nil {
		panic(err)
	}
	qrels := judgments.Qrels
	read := func(text string) *collection.Run {
		r, _, err := collection.ReadRun(strings.NewReader(text), "run", collection.Options{})
		if err != nil {
			panic(err)
		}
		return r
	}
	c, err := compare.Open(compare.Input{
		Qrels: qrels,
		Runs: []compare.Named{
			{Name: "old", Run: read("q1 Q0 a 1 9 t\nq1 Q0 x 2 8 t\nq1 Q0 b 3 7 t\n")},
			{Name: "new", Run: read("q1 Q0 b 1 9 t\nq1 Q0 a 2 8 t\n")},
		},
		Measures: []string{"nDCG@10"},
	})
	if err != nil {
		panic(err)
	}
	e, err := c.Explain("nDCG@10", 0, 1, "q1")
	if err != nil {
		panic(err)
	}
	fmt.Println(e.Sentence(say.Plain))
	for _, d := range e.Changes {
		fmt.Printf("%s %s: %+.4f\n", d.ID, d.What, d.Diff)
	}
	u, err := c.Unfold("nDCG@10", 0, "q1")
	if err != nil {
		panic(err)
	}
	for _, step := range u.Steps {
		fmt.Println(step)
	}
	// Output:
	// +0.2398 nDCG@10: 1 document moved up, 1 document moved down.
	// b up: +0.3801
	// a down: -0.1403
	// 1 / log2(2) + 2 / log2(4) = 2
	// IDCG@10 = 2 / log2(2) + 1 / log2(3) = 2.63093
	// 2 / 2.63093 = 0.760188
}
