package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Harbour Wire, as it lies in the repository: what is said beside the tuned figure is that of queries which had no say
// in it.
func TestTune(t *testing.T) {
	const wire = "../../site/collections/harbour-wire"
	tests := []struct {
		name string
		args []string
		code int
		want []string // in what is printed, or said
	}{
		{"in words", []string{wire, "-s", "wsum(bm25, dense)"}, 0,
			[]string{"held out", "optimism", "present", "wsum(bm25, dense, weight=", "keep your setting"}},
		{"OpenSearch", []string{wire, "-s", "wsum(bm25, dense)", "-o", "opensearch"}, 0,
			[]string{`"phase_results_processors"`, `"min_max"`, "on queries held out"}},
		{"Weaviate, for a type", []string{wire, "-s", "wsum(bm25, dense)", "-o", "weaviate", "-type", "factual"}, 0,
			[]string{`"alpha"`, "factual queries"}},
		{"a type that is not there", []string{wire, "-s", "wsum(bm25, dense)", "-type", "odd"}, 3,
			[]string{`no settings for the predicted query type "odd"; there are for all`}},
		{"no weight", []string{wire, "-s", "bm25"}, 3, []string{"no fusion with anything to tune"}},
		{"no equivalent", []string{wire, "-s", "wmnz(bm25, dense)", "-o", "weaviate"}, 3,
			[]string{"no equivalent in Weaviate"}},
		{"no pipeline", []string{wire}, 2, []string{"want one collection and one pipeline"}},
		{"another output", []string{wire, "-s", "rrf(bm25, dense)", "-o", "yaml"}, 2, []string{"is not text, json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, errs := call("", append([]string{"tune", "-quiet"}, tt.args...)...)
			if code != tt.code {
				t.Fatalf("code %d, want %d\n%s%s", code, tt.code, out, errs)
			}
			for _, w := range tt.want {
				if !strings.Contains(out+errs, w) {
					t.Errorf("%q is not in\n%s%s", w, out, errs)
				}
			}
		})
	}
	var got struct {
		Values  []string
		Means   []float64
		Choices []struct {
			Queries string
			Tuned   float64
			HeldOut float64  `json:"held_out"`
			Folds   []string `json:"chosen_without_fold"`
		}
	}
	_, out, _ := call("", "tune", wire, "-quiet", "-s", "wsum(bm25, dense)", "-o", "json")
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got.Values) != 21 || len(got.Means) != 21 ||
		got.Choices[0].Queries != "all" || len(got.Choices[0].Folds) != 5 {
		t.Fatalf("%v, %+v", err, got)
	}
	for _, c := range got.Choices {
		if c.HeldOut > c.Tuned+1e-12 {
			t.Errorf("%s: held out %v is above tuned %v", c.Queries, c.HeldOut, c.Tuned)
		}
	}
}
