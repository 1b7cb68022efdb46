package stage_test

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// A threshold is written in two ways, and printed in one.
func TestThresholdsAreReadAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"bm25 >> rerank(min=.9)":                       "bm25 >> rerank(threshold=0.9)",
		"bm25 >> rerank(threshold=0.9, keep=below)":    "bm25 >> rerank(threshold=0.9,below=keep)",
		"bm25 >> rerank(threshold=0.9, keep=5)":        "bm25 >> rerank(keep=5,threshold=0.9)",
		"bm25 >> rerank(threshold=0.9, below=remove)":  "bm25 >> rerank(threshold=0.9)",
		"bm25 >> rerank(min=0.9,keep=below,keep=3)":    "bm25 >> rerank(keep=3,threshold=0.9,below=keep)",
		"bm25 >> rerank(backend=ce,min=.5,below=keep)": "bm25 >> rerank(backend=ce,threshold=0.5,below=keep)",
		"bm25 >> rerank(min=.5,threshold=.5)":          "threshold appears twice",
		"bm25 >> rerank(keep=above)":                   "a number",
		"bm25(min=3)":                                  "min",
	} {
		n, err := stage.Parse(written)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", written, err)
			}
			continue
		}
		if n.String() != want {
			t.Errorf("%s is read as %s, want %s", written, n, want)
		}
	}
}
