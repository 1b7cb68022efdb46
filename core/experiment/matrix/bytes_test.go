package matrix

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// By hand: a ranking is no longer than the collection, so one run of 2 queries over 30 documents takes 2 x (64 + 16 x
// 30) bytes although its rankings may have 1,000; if the number of documents is not known, 2 x (64 + 16 x 1000).
func TestMemoryOfAPlanIsBoundedByTheCollection(t *testing.T) {
	for documents, want := range map[int]int{30: 1088, 0: 32128} {
		p, err := NewPlan(Spec{Systems: []string{"bm25"}, Measures: []string{"AP"}}, report.Ref{Documents: documents})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Bytes(2); got != want {
			t.Errorf("%d documents: %d bytes, want %d", documents, got, want)
		}
	}
}
