package handout

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/present/chart"
)

// made is a comparison of systems that find relevant documents more often the later they come.
func made(t testing.TB, systems, queries, depth int, name func(i int) string) (compare.Input, string) {
	t.Helper()
	r := rand.New(rand.NewSource(2))
	in := compare.Input{Name: "Made", Qrels: collection.NewQrels(), Measures: []string{"nDCG@10", "AP", "R@20", "RR"}}
	for q := range queries {
		for d := range 5 {
			in.Qrels.Add(fmt.Sprint("q", q), fmt.Sprintf("d%d-%d", q, d), float64(1+r.Intn(3)))
		}
	}
	for s := range systems {
		b := collection.NewRunBuilder("")
		for q := range queries {
			for i := range depth {
				id := fmt.Sprintf("x%d", r.Intn(1e6))
				if r.Intn(60) <= s+1 && i < 20 {
					id = fmt.Sprintf("d%d-%d", q, i%5)
				}
				b.Add(fmt.Sprint("q", q), id, float64(depth-i)) // a document that is there already is no harm
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: name(s), Run: run})
	}
	rep, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	if err := Write(&w, rep, &in, chart.Facts{}, "We compared."); err != nil {
		t.Fatal(err)
	}
	return in, w.String()
}

func TestFiveRunsOfThreeHundredQueriesAreSmall(t *testing.T) {
	_, page := made(t, 5, 300, 100, func(i int) string { return fmt.Sprint("system ", i) })
	if len(page) > Room {
		t.Errorf("%d bytes, more than %d", len(page), Room)
	}
	data, err := Data([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	r, err := packed.UnpackReport(data)
	if err != nil || len(r.Systems) != 5 || len(r.Queries) != 300 {
		t.Errorf("%v, %v", r, err)
	}
	if !strings.Contains(page, "This file contains the report") || strings.Count(page, "<svg") < 8 {
		t.Errorf("%d figures", strings.Count(page, "<svg"))
	}
}

func TestSmallOnesHoldTheRuns(t *testing.T) {
	in, page := made(t, 3, 20, 30, func(i int) string { return fmt.Sprint("s", i) })
	data, err := Data([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	f, err := packed.Unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	a, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := compare.Compare(f.Input, nil, nil)
	if err != nil || a.Hash != b.Hash {
		t.Errorf("it opens on another report: %v", err)
	}
}

// What others named runs nowhere: no element, attribute or address comes of it, and nothing is fetched.
func TestItIsInert(t *testing.T) {
	_, page := made(t, 2, 5, 10, func(i int) string {
		return []string{`<script>alert(1)</script>"><img src=x onerror=alert(1)>`,
			`</script></svg><style>*{}</style>' onclick='x`}[i]
	})
	if n := strings.Count(page, "<script"); n != 2 || strings.Count(page, "<style") != 1 ||
		strings.Contains(page, "<img") {
		t.Errorf("%d scripts", n)
	}
	for _, tag := range regexp.MustCompile(`<[a-zA-Z/][^>]*>`).FindAllString(page[strings.Index(page, "<body>"):], -1) {
		if regexp.MustCompile(`(?i)\son\w+=|\s(href|src|style)=|url\(|alert`).MatchString(tag) {
			t.Errorf("the page has %s", tag)
		}
	}
	if !strings.Contains(page, "default-src 'none'") {
		t.Error("there is no policy")
	}
}

func FuzzData(f *testing.F) {
	f.Add([]byte(begins + dataOpen + "UkJY" + dataClose))
	f.Add([]byte(dataOpen))
	f.Fuzz(func(t *testing.T, b []byte) {
		if data, err := Data(b); err == nil && len(data) > len(b) {
			t.Fatal("more than there was")
		}
	})
}
