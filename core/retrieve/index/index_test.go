package index_test

import (
	"fmt"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/text"
)

func ExampleBuilder() {
	a, err := text.Get("lucene-english")
	if err != nil {
		panic(err)
	}
	b := index.NewBuilder(a)
	b.Add("Port strike", "The dockers' strike enters its second week.")
	b.Add("", "A ferry left the port.")
	x, err := index.Read(b.Build().Bytes())
	if err != nil {
		panic(err)
	}
	s := x.Stats(index.Contents)
	fmt.Printf("%d documents, %d terms, %.1f a document\n", s.Docs, s.Terms, s.AvgLength())
	id, _ := x.ID("strike")
	l := x.List(id)
	for i, p := range l.Postings {
		all, title := l.TF(i)
		fmt.Printf("%s is %d times in document %d, %d of them in the title\n", x.Term(id), all, p.Doc(), title)
	}
	// Output:
	// 2 documents, 9 terms, 5.5 a document
	// strike is 2 times in document 0, 1 of them in the title
}

func TestEmpty(t *testing.T) {
	for _, c := range []struct {
		name string
		docs int
	}{{"no documents", 0}, {"documents without terms", 3}} {
		b := index.NewBuilder(space{})
		for range c.docs {
			b.Add("the", " ")
		}
		for _, x := range []*index.Index{b.Build(), reread(t, b.Build())} {
			if x.Docs() != c.docs || x.Terms() != 0 || x.HasTitles() || x.Stats(index.Contents) != (index.Stats{}) {
				t.Errorf("%s: %d documents, %d terms", c.name, x.Docs(), x.Terms())
			}
			if _, ok := x.ID("x"); ok {
				t.Errorf("%s: it has a term", c.name)
			}
			if avg := x.Stats(index.Title).AvgLength(); avg != 0 {
				t.Errorf("%s: mean length %v", c.name, avg)
			}
		}
	}
}

func reread(t *testing.T, x *index.Index) *index.Index {
	y, err := index.Read(x.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// Without titles, Text is Contents and Title is empty.
func TestWithoutTitles(t *testing.T) {
	b := index.NewBuilder(space{})
	b.Add("", "a b a")
	b.Add("", "b")
	for _, x := range []*index.Index{b.Build(), reread(t, b.Build())} {
		id, _ := x.ID("a")
		if x.HasTitles() || x.Stats(index.Text) != x.Stats(index.Contents) || x.Stats(index.Title) != (index.Stats{}) ||
			x.DF(index.Text, id) != 1 || x.DF(index.Title, id) != 0 || x.CF(index.Text, id) != 2 ||
			x.CF(index.Title, id) != 0 ||
			x.Length(index.Text, 0) != 3 || x.Length(index.Title, 0) != 0 || x.Lengths(index.Title) != nil {
			t.Error("title and text are not as they should be")
		}
	}
}

func TestPrefix(t *testing.T) {
	b := index.NewBuilder(space{})
	b.Add("", "ab abc abd ac b \xf4\x8f\xbf\xbf")
	x := b.Build()
	for _, c := range []struct {
		prefix   string
		from, to uint32
	}{{"ab", 0, 3}, {"abc", 1, 2}, {"", 0, 6}, {"a", 0, 4}, {"c", 5, 5}, {"\U0010ffff", 5, 6}, {"z", 5, 5}} {
		if from, to := x.Prefix(c.prefix); from != c.from || to != c.to {
			t.Errorf("%q: %d to %d, want %d to %d", c.prefix, from, to, c.from, c.to)
		}
	}
}

// A Builder remains usable after Build, and does not change the index.
func TestBuildTwice(t *testing.T) {
	b := index.NewBuilder(space{})
	b.Add("t", "b")
	x := b.Build()
	b.Add("", "a b")
	y := b.Build()
	walk(t, x)
	walk(t, y)
	if x.Docs() != 1 || y.Docs() != 2 || x.Terms() != 2 || y.Terms() != 3 {
		t.Errorf("%d and %d documents, %d and %d terms", x.Docs(), y.Docs(), x.Terms(), y.Terms())
	}
}

// Oracle: the xxHash specification's reference implementation, version 0.8.
func TestChecksum(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"", 0xef46db3751d8e999},
		{"a", 0xd24ec4f1a98c6e5b},
		{"abc", 0x44bc2cf5ad770999},
		{"Nobody inspects the spammish repetition", 0xfbcea83c8a378bf1},
	} {
		if got := index.Checksum([]byte(c.text)); got != c.want {
			t.Errorf("%q: %016x, want %016x", c.text, got, c.want)
		}
	}
}
