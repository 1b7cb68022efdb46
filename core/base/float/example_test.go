package float_test

import (
	"fmt"

	"github.com/rankbox/rankbox/core/base/float"
)

// The idf of a term that 12 of 5183 documents have, as Lucene computes it.
func Example() {
	n, df := 5183.0, 12.0
	fmt.Println(float.Log(1 + (n-df+0.5)/(df+0.5)))
	// Output: 6.027603593723855
}
