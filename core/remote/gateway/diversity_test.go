package gateway

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestDiversityIsTheShareOfWordsThatOnlyOneHas(t *testing.T) {
	long := strings.Repeat("a ", differingBytes/2)
	for name, c := range map[string]struct {
		texts []string
		want  float64
	}{
		"none":                       {nil, 0},
		"one":                        {[]string{"a b"}, 0},
		"the same":                   {[]string{"Port strike", "strike: PORT, port"}, 0},
		"nothing in common":          {[]string{"a b", "c d"}, 1},
		"two of four":                {[]string{"a b c", "b c d"}, 0.5},
		"no words":                   {[]string{"", "..."}, 0},
		"words and none":             {[]string{"", "a"}, 1},
		"three":                      {[]string{"a b", "a c", "d"}, (2./3 + 1 + 1) / 3}, // a of a b c; none; none
		"letters that are not ASCII": {[]string{"Åre øl", "åre øl"}, 2. / 3},            // øl of Åre, åre, øl
		"digits, and what parts":     {[]string{"by-law 42", "by law 42"}, 0},
		"ends of the alphabet":       {[]string{"az AZ 09 {`[@:/", "az 09"}, 0},
		"what stands at the end":     {[]string{long + "b", long + "c"}, 0},
		"and just before it":         {[]string{long[2:] + "b", long[2:] + "c"}, 2. / 3},
	} {
		if got := diversity(c.texts); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// An answer's diversity is that of its first documents, in the order of the input where reranking failed. One document
// has none.
func TestTheDiversityOfAnswersIsCounted(t *testing.T) {
	scores := `[{"index":0,"score":0.5},{"index":1,"score":0.75}]`
	h := &line{next: []next{{status: 200, body: scores}, {status: 200, body: scores}, {status: 200, body: `{}`}},
		secrets: map[string]string{MetricsSecret: "token"}}
	g := New(parsed(t, oneNode), h)
	for _, ask := range []string{`"q"`, `"r","top_k":1`, `"s"`} {
		if a := post(g, "rerank", `{"backend":"cross","query":`+ask+`,"documents":[{"id":"a","text":"x y z"},`+
			`{"id":"b","text":"y z w"}]}`); a.Status != 200 {
			t.Fatalf("%s: %d %s", ask, a.Status, a.Body)
		}
	}
	lines := strings.Split(string(g.metrics.text(h)), "\n")
	for _, want := range []string{`sum{backend="cross",isolate="00000000"} 1`,
		`count{backend="cross",isolate="00000000"} 2`} {
		if !slices.Contains(lines, "rankbox_rerank_diversity_"+want) {
			t.Errorf("there is no %s", want)
		}
	}
}
