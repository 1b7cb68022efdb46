package index_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
)

var update = flag.Bool("update", false, "write testdata/v1.idx where there is none")

// readFixture returns testdata/v1.idx, which never changes.
func readFixture(t testing.TB) []byte {
	const name = "testdata/v1.idx"
	b, err := os.ReadFile(name)
	if *update && errors.Is(err, os.ErrNotExist) {
		b = fixture().Bytes()
		err = os.WriteFile(name, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The frozen fixture of version 1 reads as what was indexed. While the format is 1, writing reproduces it.
func TestVersion1StaysReadable(t *testing.T) {
	b := readFixture(t)
	x, err := index.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	if index.Format == 1 && !bytes.Equal(fixture().Bytes(), b) {
		t.Error("the same collection gives other bytes than it did: raise Format")
	}
	if name, version := x.Analyzer(); name != "space" || version != 7 {
		t.Errorf("analyzer %s %d", name, version)
	}
	// Counted by a Python program that splits the same texts.
	for f, want := range map[index.Field]index.Stats{
		index.Contents: {Docs: 261, Terms: 80, Postings: 2025, Tokens: 5709},
		index.Title:    {Docs: 101, Terms: 9, Postings: 201, Tokens: 500},
		index.Text:     {Docs: 241, Terms: 73, Postings: 1905, Tokens: 5209},
	} {
		if got := x.Stats(f); got != want || x.Docs() != 300 {
			t.Errorf("%s: %d documents, %+v, want %+v", f, x.Docs(), got, want)
		}
	}
	for _, c := range []struct {
		term       string
		doc        uint32
		all, title uint32
	}{
		{"tide", 17, 700, 300}, {"tide", 18, 255, 0}, {"tide", 19, 254, 0}, {"harbour", 0, 1, 1}, {"harbour", 3, 2, 1},
		{"port3", 3, 1, 1},
		{"a\x00b", 100, 1, 0}, {"\x00", 100, 1, 0}, {"ærø", 100, 1, 0}, {"naïve", 100, 1, 0}, {"東京", 100, 1, 0},
		{"\ufffd\ufffd", 100, 1, 0},
		{strings.Repeat("long", 100), 100, 1, 0}, {strings.Repeat("long", 100) + "er", 100, 1, 0}, {"ferry", 22, 22, 0},
	} {
		id, ok := x.ID(c.term)
		if !ok {
			t.Errorf("%q is not there", c.term)
			continue
		}
		l := x.List(id)
		i, ok := l.Find(c.doc)
		if !ok {
			t.Errorf("%q is not in document %d", c.term, c.doc)
			continue
		}
		if all, title := l.TF(i); all != c.all || title != c.title {
			t.Errorf("%q in document %d: %d and %d times, want %d and %d", c.term, c.doc, all, title, c.all, c.title)
		}
	}
	if _, ok := x.ID("the"); ok {
		t.Error("a stopword is there")
	}
	if n := x.Length(index.Contents, 17); n != 300+2+6+17+400 { // title, "harbour wire", words, ferries, tides
		t.Errorf("document 17 has length %d", n)
	}
}

// seal corrects the length and the checksum of changed bytes.
func seal(b []byte) []byte {
	if len(b) >= 24 {
		binary.LittleEndian.PutUint64(b[8:], uint64(len(b)))
		binary.LittleEndian.PutUint64(b[16:], index.Checksum(b[24:]))
	}
	return b
}

func TestReadRefuses(t *testing.T) {
	good := readFixture(t)
	change := func(f func(b []byte) []byte) []byte { return f(slices.Clone(good)) }
	for _, c := range []struct {
		name string
		b    []byte
		want error
		says string
	}{
		{"nothing", nil, index.ErrTruncated, "0 bytes"},
		{"half a magic", good[:3], index.ErrTruncated, ""},
		{"a gzip file", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), index.ErrForeign, ""},
		{"a page of HTML", []byte("<!doctype html><title>404</title>"), index.ErrForeign, ""},
		{"half a head", good[:20], index.ErrTruncated, ""},
		{"the head alone", good[:24], index.ErrTruncated, ""},
		{"all but a byte", good[:len(good)-1], index.ErrTruncated, ""},
		{"a byte too many", change(func(b []byte) []byte { return append(b, 0) }), nil, "1 bytes follow its end"},
		{"format 2", change(func(b []byte) []byte { b[4] = 2; return b }), index.ErrNewer, "format 2"},
		{"format 0", change(func(b []byte) []byte { b[4] = 0; return b }), index.ErrForeign, "format 0"},
		{"a changed checksum", change(func(b []byte) []byte { b[16]++; return b }), index.ErrDamaged, ""},
		{"a changed byte", change(func(b []byte) []byte { b[1000]++; return b }), index.ErrDamaged, ""},
		{"a count not in its shortest form", change(func(b []byte) []byte {
			b = slices.Insert(b, 25, 0x80) // 300 is ac 02: make it ac 82 00
			b[25], b[26] = 0x82, 0
			return seal(b)
		}), nil, "shortest form"},
		{"a term too many", change(func(b []byte) []byte { b[26]++; return seal(b) }), nil,
			"its sections do not have the lengths"},
		{"a posting too many", change(func(b []byte) []byte { b[27]++; return seal(b) }), nil,
			"do not add up to its postings"},
		{"no body", seal(append(slices.Clone(good[:24]), 1, 2, 3)), nil, "cut short"},
	} {
		x, err := index.Read(c.b)
		if err == nil || x != nil {
			t.Errorf("%s: it was read", c.name)
			continue
		}
		if c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if !strings.HasPrefix(err.Error(), "index: read ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v does not say %q", c.name, err, c.says)
		}
	}
}

// Every prefix and every single-bit change is refused.
func TestReadRefusesDamage(t *testing.T) {
	good := readFixture(t)
	for n := range good {
		if _, err := index.Read(good[:n]); !errors.Is(err, index.ErrTruncated) {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	b := slices.Clone(good)
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			if _, err := index.Read(b); err == nil {
				t.Fatalf("bit %d of byte %d flipped: it was read", bit, i)
			}
			b[i] ^= 1 << bit
		}
	}
}

// walk uses everything in an index.
func walk(t testing.TB, x *index.Index) {
	lengths := make([][2]int, x.Docs())
	before := ""
	for id := range uint32(x.Terms()) {
		term := x.Term(id)
		if found, ok := x.ID(term); !ok || found != id || id > 0 && term <= before {
			t.Fatalf("term %d is %q behind %q, found as %d (%v)", id, term, before, found, ok)
		}
		before = term
		l := x.List(id)
		df, cf := 0, 0
		for i, p := range l.Postings {
			all, title := l.TF(i)
			if i > 0 && p.Doc() <= l.Postings[i-1].Doc() || int(p.Doc()) >= x.Docs() || all == 0 || title > all {
				t.Fatalf("%q: posting %d is document %d, %d and %d times", term, i, p.Doc(), all, title)
			}
			if at, ok := l.Find(p.Doc()); !ok || at != i {
				t.Fatalf("%q: document %d is not found", term, p.Doc())
			}
			if all > title {
				df++
				cf += int(all - title)
			}
			lengths[p.Doc()][0] += int(all)
			lengths[p.Doc()][1] += int(title)
		}
		if x.DF(index.Contents, id) != l.Len() || x.DF(index.Text, id) != df || x.CF(index.Text, id) != cf {
			t.Fatalf("%q: df %d and %d, cf %d, want %d, %d and %d", term, x.DF(index.Contents, id),
				x.DF(index.Text, id), x.CF(index.Text, id),
				l.Len(), df, cf)
		}
	}
	for d, n := range lengths {
		if d := uint32(d); x.Length(index.Contents, d) != n[0] || x.Length(index.Title, d) != n[1] ||
			x.Length(index.Text, d) != n[0]-n[1] {
			t.Fatalf("document %d: lengths %d and %d, want %d and %d", d, x.Length(index.Contents, d),
				x.Length(index.Title, d), n[0], n[1])
		}
	}
	for _, f := range []index.Field{index.Contents, index.Title, index.Text} {
		x.Stats(f)
	}
}

// FuzzRead: bytes are refused, or are a consistent index that writes the same bytes. Length and checksum are
// corrected first, because the fuzzer cannot guess them.
func FuzzRead(f *testing.F) {
	f.Add(readFixture(f))
	f.Add(index.NewBuilder(space{}).Build().Bytes())
	small := index.NewBuilder(space{})
	small.Add("a b", "a c c")
	small.Add("", "c d")
	f.Add(small.Build().Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, seal(slices.Clone(b))} {
			x, err := index.Read(b)
			if err != nil {
				continue
			}
			walk(t, x)
			if !bytes.Equal(x.Bytes(), b) {
				t.Fatal("writing again gives other bytes")
			}
		}
	})
}

// FuzzBuild: the built index equals naive counts, and reads back.
func FuzzBuild(f *testing.F) {
	f.Add("a b\na c c\n\nb", "x y\n\nz\nx x")
	f.Add("\n\n\n", "")
	f.Add("\x00 \xff", "é É")
	f.Fuzz(func(t *testing.T, titles, texts string) {
		b := index.NewBuilder(space{})
		count := map[string]map[uint32][2]uint32{}
		a, c := strings.Split(titles, "\n"), strings.Split(texts, "\n")
		for d := range max(len(a), len(c)) {
			var doc [2]string
			for i, list := range [][]string{a, c} {
				if d < len(list) {
					doc[i] = list[d]
				}
				space{}.Words(doc[i], func(start, end int) {
					if term, ok := (space{}).Term(doc[i][start:end]); ok {
						term = strings.ToValidUTF8(term, "\ufffd")
						if count[term] == nil {
							count[term] = map[uint32][2]uint32{}
						}
						n := count[term][uint32(d)]
						n[0]++
						n[1] += uint32(1 - i)
						count[term][uint32(d)] = n
					}
				})
			}
			b.Add(doc[0], doc[1])
		}
		x := b.Build()
		walk(t, x)
		if x.Terms() != len(count) {
			t.Fatalf("%d terms, want %d", x.Terms(), len(count))
		}
		for term, docs := range count {
			id, ok := x.ID(term)
			if !ok {
				t.Fatalf("%q is not there", term)
			}
			l := x.List(id)
			if l.Len() != len(docs) {
				t.Fatalf("%q is in %d documents, want %d", term, l.Len(), len(docs))
			}
			for i, p := range l.Postings {
				if all, title := l.TF(i); docs[p.Doc()] != [2]uint32{all, title} {
					t.Fatalf("%q in %d: %d and %d times, want %v", term, p.Doc(), all, title, docs[p.Doc()])
				}
			}
		}
		y, err := index.Read(x.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		walk(t, y)
		if !bytes.Equal(y.Bytes(), x.Bytes()) {
			t.Fatal("writing again gives other bytes")
		}
	})
}

// A whole collection, written and read back.
func TestBytesRoundTrip(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			docs := corpus(t, name)
			x := build(t, docs, "lucene-english")
			b := x.Bytes()
			y, err := index.Read(b)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(x, y) {
				t.Error("what was read differs from what was written")
			}
			if !bytes.Equal(y.Bytes(), b) {
				t.Error("writing again gives other bytes")
			}
			walk(t, y)
			checkLucene(t, name, docs, y)
		})
	}
}

func BenchmarkRead(b *testing.B) {
	x := build(b, corpus(b, "scifact"), "lucene-english")
	data := x.Bytes()
	b.Run("docs=5183", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := index.Read(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	docs := corpus(b, "scifact")
	b.Run("docs=5183", func(b *testing.B) {
		for b.Loop() {
			build(b, docs, "lucene-english")
		}
	})
}
