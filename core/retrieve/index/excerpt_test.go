package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/text"
)

// For any number of documents, an excerpt has the lists and statistics of the full index for its terms.
func TestAnExcerptHasTheListsOfTheWholeIndex(t *testing.T) {
	a, err := text.Get("lucene-english")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("port ferry storm storms harbour the closed and of strike")
	some := func(most int) string {
		var out []string
		for range random.IntN(most) {
			out = append(out, words[random.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	b := index.NewBuilder(a)
	if x := b.Excerpt("storm"); x.Docs() != 0 || x.Terms() != 0 {
		t.Errorf("%d documents, %d terms before the first", x.Docs(), x.Terms())
	}
	for n := range 40 {
		b.Add(some(3), strings.Repeat(some(8)+" ", 1+random.IntN(2)*150))
		whole, part := b.Build(), b.Excerpt("the STORMS, a port? storm absent")
		if part.Docs() != n+1 || part.HasTitles() != whole.HasTitles() ||
			part.Stats(index.Contents).Tokens != whole.Stats(index.Contents).Tokens ||
			part.Stats(index.Contents).AvgLength() != whole.Stats(index.Contents).AvgLength() {
			t.Fatalf("%d documents: %+v, whole %+v", n+1, part.Stats(index.Contents), whole.Stats(index.Contents))
		}
		for _, term := range []string{"storm", "port", "ferri", "strike", "absent"} {
			in, inPart := part.ID(term)
			at, inWhole := whole.ID(term)
			if asked := term == "storm" || term == "port"; inPart != (asked && inWhole) {
				t.Fatalf("%d documents: %s is there: %t, whole %t", n+1, term, inPart, inWhole)
			}
			if !inPart {
				continue
			}
			if got, want := listed(part, in), listed(whole, at); !slices.Equal(got, want) {
				t.Fatalf("%d documents: %s %v, whole %v", n+1, term, got, want)
			}
		}
	}
}

// listed returns the list of a term: documents with their frequencies.
func listed(x *index.Index, id uint32) (out []string) {
	l := x.List(id)
	for i, p := range l.Postings {
		all, title := l.TF(i)
		out = append(out, fmt.Sprint(p.Doc(), all, title))
	}
	return out
}
