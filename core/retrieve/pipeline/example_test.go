package pipeline_test

import (
	"fmt"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func Example() {
	n, err := stage.Parse("rrf( bm25(k1=1.20, b=0.4), dense(model=minilm), k=60 )>>cut(n=20)")
	fmt.Println(n, err)
	fmt.Println(n.Label())
	moved, err := n.With("bm25", "b", "0.75")
	fmt.Println(moved, err)
	_, err = stage.Parse("rrf(bm25, dens)")
	fmt.Println(err)
	// Output:
	// rrf(bm25(k1=1.2), dense) >> cut(20) <nil>
	// Hybrid of BM25, k1 1.2 + Dense (MiniLM), top 20
	// rrf(bm25(k1=1.2,b=0.75), dense) >> cut(20) <nil>
	// pipeline: at byte 10: unknown stage "dens"; did you mean dense?
}
