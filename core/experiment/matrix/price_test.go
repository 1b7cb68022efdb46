package matrix

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/tokens"
)

// A backend that makes the vectors of 40 documents gets them once, 32 at a time, whichever runs use them; a judged
// query goes to it once a run. Tokens are counted as package tokens estimates them, of documents by their mean.
func TestVectorsOfDocumentsAreChargedOnce(t *testing.T) {
	s, _, _ := withEdge(t, `"price":{"million_tokens":2,"currency":"EUR"},`)
	bill, err := plan(t, s, `{"systems": ["dense(backend=ce, model=backend)", `+
		`"rrf(bm25, dense(backend=ce, model=backend))"], "measures": ["AP"]}`).Price(s)
	if err != nil {
		t.Fatal(err)
	}
	sum, queries := 0, 0
	for d := range 40 {
		text, err := s.Parts().Text(uint32(d))
		if err != nil {
			t.Fatal(err)
		}
		sum += tokens.Of(s.Parts().Card(uint32(d)).Title + " " + text)
	}
	for _, q := range s.Bundle().Queries {
		queries += tokens.Of(q.Text)
	}
	want := 40*int(math.Ceil(float64(sum)/40)) + 2*queries
	if bill.Calls != 2+2*12 || bill.Texts != 40+2*12 || bill.Tokens != want || bill.Currency != "EUR" ||
		math.Abs(bill.Money-float64(want)*2/1e6) > 1e-12 {
		t.Errorf("%+v, want %d tokens", bill, want)
	}
}

// What one worker did is told to another by bits, and counts there once it is taken.
func TestWhatAnotherWorkerDidCounts(t *testing.T) {
	s := session(t)
	store := &Memory{}
	even, odd := of(t, s, store), of(t, s, &Memory{})
	if err := even.Run(Options{Skip: func(run, q int) bool { return (run+q)%2 == 1 }}); err != nil {
		t.Fatal(err)
	}
	have := even.Have()
	for run := range 2 {
		for q := range 12 {
			if got := odd.Has(have, run, q); got != ((run+q)%2 == 0) {
				t.Errorf("query %d of run %d is done: %v", q, run, got)
			}
		}
	}
	if odd.Has(nil, 0, 0) || odd.Has(have[:1], 0, 8) {
		t.Error("what nobody told of is done")
	}
	if err := odd.Take(store.Since(len(journalHead))); err != nil {
		t.Fatal(err)
	}
	last := Progress{}
	if err := odd.Run(Options{Progress: func(p Progress) { last = p }}); err != nil || last.Done != 24 {
		t.Errorf("%d of 24 are done, %v", last.Done, err)
	}
}

// The bounds of what a Spec says.
func TestBoundsOfASpec(t *testing.T) {
	long := strings.Repeat("x", maxText)
	measures := `"P@1"` + strings.Repeat(`, "P@1"`, mostMeasures-1)
	for member, want := range map[string]string{
		`"depth": 1`:                            "",
		`"depth": 10000`:                        "",
		`"depth": 10001`:                        "depth is between 1 and 10000, not 10001",
		`"depth": -1`:                           "depth is between 1 and 10000, not -1",
		`"folds": 2`:                            "",
		`"folds": 1`:                            "folds is between 2 and",
		`"folds": ` + strconv.Itoa(mostFolds):   "",
		`"folds": ` + strconv.Itoa(mostFolds+1): "folds is between 2 and",
		`"seed": 0`:                             "",
		`"seed": -1`:                            "seed is -1, want at least 0",
		`"collection": "` + long + `"`:          "",
		`"collection": "` + long + `x"`:         "collection has 4097 bytes: the limit is 4096",
		`"measures": [` + measures + `]`:        "",
		`"measures": [` + measures + `, "AP"]`:  "more than 100 measures are too many",
		`"measures": ["P@5` + strings.Repeat(" ", maxText-3) + `"]`: "",
		`"measures": ["P@5` + strings.Repeat(" ", maxText-2) + `"]`: "a measure of 4097 bytes: the limit is 4096",
	} {
		_, err := ReadSpec([]byte(`{"systems": ["bm25"], ` + member + `}`))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", member, err, want)
		}
	}
	text := `{"systems": ["bm25"]}`
	for spaces, ok := range map[int]bool{MaxSpec - len(text): true, MaxSpec - len(text) + 1: false} {
		if _, err := ReadSpec([]byte(text + strings.Repeat(" ", spaces))); (err == nil) != ok {
			t.Errorf("%d bytes: %v", len(text)+spaces, err)
		}
	}
}
