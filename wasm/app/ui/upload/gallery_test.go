package upload

import (
	"testing"

	"github.com/rankbox/rankbox/core/base/gallery"
)

func TestTheBestPublishedFigureIsOfTheFirstMeasure(t *testing.T) {
	f := func(system, measure, value string) gallery.Figure {
		return gallery.Figure{System: system, Measure: measure, Value: value}
	}
	for _, tt := range []struct {
		name    string
		figures []gallery.Figure
		want    string
	}{
		{"none", nil, ""},
		{"ours of SciFact", []gallery.Figure{f("bm25", "nDCG@10", "0.6789"), f("bm25", "R@100", "0.9253"),
			f("dense(model=bge)", "nDCG@10", "0.713–0.72"), f("dense", "nDCG@10", "0.645")},
			"Best published nDCG@10: 0.713–0.72, dense(model=bge)"},
		{"no number", []gallery.Figure{f("bm25", "nDCG@10", "high")}, ""},
	} {
		if got := best(&gallery.Collection{Figures: tt.figures}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
