package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// part is a file of a bundle under construction.
type part func(c *wire.Codec)

// Wire codes the file.
func (p part) Wire(c *wire.Codec) { p(c) }

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// changed is a bundle with other data for a role, and a matching manifest.
func changed(t *testing.T, files map[string][]byte, role string, data []byte) map[string][]byte {
	t.Helper()
	m, err := bundle.ReadManifest(files["manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(files)
	var hashed string
	for i := range m.Files {
		f := &m.Files[i]
		if f.Role == role {
			f.Sum, f.Bytes = sumOf(data), len(data)
			out[f.Name] = data
		}
		kind, _, _ := strings.Cut(f.Role, "/")
		if !slices.Contains([]string{"late", "sparse", "run", "onnx"}, kind) {
			hashed += f.Role + " " + f.Sum + "\n"
		}
	}
	m.Hash = sumOf([]byte(hashed))
	out["manifest.json"] = m.JSON()
	return out
}

// Names of collections have up to 64 lower-case letters, digits and hyphens; names of files have up to 120,
// including dots and slashes.
func TestNamesInManifestsHaveLimits(t *testing.T) {
	try := func(what string, change func(s *bundle.Source), ok bool) {
		t.Helper()
		s := small()
		change(&s)
		if _, err := bundle.Build(s, func(string, []byte) error { return nil }); (err == nil) != ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	for id, ok := range map[string]bool{strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "": false,
		"az09-": true} {
		try("the id "+id, func(s *bundle.Source) { s.ID = id }, ok)
	}
	for name, ok := range map[string]bool{strings.Repeat("a", 120): true, strings.Repeat("a", 121): false, "": false,
		"az09-./x": true, "/a": false, "a..b": false} {
		try("the file "+name, func(s *bundle.Source) { s.Beside = []bundle.Beside{{Name: name}} }, ok)
	}
	for _, c := range "`{/:,.@AZ_ é" {
		try(fmt.Sprintf("an id with %q", c), func(s *bundle.Source) { s.ID = "a" + string(c) }, false)
	}
	for _, c := range "`{:,@AZ_ é\\" {
		try(fmt.Sprintf("a file with %q", c), func(s *bundle.Source) {
			s.Beside = []bundle.Beside{{Name: "a" +
				string(c)}}
		}, false)
	}
}

func TestManifestsComeBackWithAllTheyHave(t *testing.T) {
	s := rich()
	s.Elsewhere = &bundle.Elsewhere{Backend: "solr", Mode: "hybrid", Identity: "solr \"9\""}
	s.Collection.RemoveQuery = true
	for _, list := range []*[]bundle.SourceVectors{&s.Vectors} {
		second := (*list)[0]
		second.Model.Name, second.Model.Label, second.Model.Prefix, second.Static = "second", "Second", "query: ",
			"glove"
		second.Model.Revision, second.Model.Licence, second.Model.Pooling = "r1", "MIT", "mean"
		*list = append(*list, second)
	}
	tokens, weights := s.Tokens[0], s.Weights[0]
	tokens.Model.Name, weights.Model.Name = "second-tokens", "second-weights"
	s.Tokens, s.Weights = append(s.Tokens, tokens), append(s.Weights, weights)
	files := build(t, s)
	m, err := bundle.ReadManifest(files["manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.JSON(), files["manifest.json"]) || !reflect.DeepEqual(m.Elsewhere, s.Elsewhere) ||
		!m.RemoveQuery {
		t.Errorf("%s", m.JSON())
	}
	want := []bundle.Model{{Name: "toy", Label: "toy-2", Dim: 2, Normalised: true, Numbers: "f32"},
		{Name: "second", Label: "Second", Revision: "r1", Licence: "MIT", Pooling: "mean", Prefix: "query: ", Dim: 2,
			Normalised: true, Encoder: "glove", Numbers: "f32"}}
	if !slices.Equal(m.Models, want) || len(m.Late) != 2 || len(m.Sparse) != 2 || m.Sparse[1].Name != "second-weights" {
		t.Errorf("%+v, %+v, %+v", m.Models, m.Late, m.Sparse)
	}
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.Encoded("second", from(files))
	if err != nil || v.Len() != 4 {
		t.Errorf("what typed queries are compared with: %v", err)
	}
	for _, name := range []string{"toy-tokens", "second-tokens", "other"} {
		v, ok, err := b.Tokens(name, from(files))
		if err != nil || ok != (name != "other") || ok && v.Model.Name != name {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
		name = strings.Replace(name, "tokens", "weights", 1)
		w, ok, err := b.Weights(name, from(files))
		if err != nil || ok != (name != "other") || ok && w.Model.Name != name {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
}

func TestCountsOfManifestsHaveLimits(t *testing.T) {
	good := string(build(t, small())["manifest.json"])
	for _, c := range []struct {
		old, new string
		ok       bool
	}{
		{`"documents": 4`, `"documents": 2147483647`, true}, {`"documents": 4`, `"documents": 2147483648`, false},
		{`"documents": 4`, `"documents": 0`, true},
		{`"shard": 3`, `"shard": 1`, true}, {`"shard": 3`, `"shard": 0`, false}, {`"dim": 2`, `"dim": 2147483648`,
			false},
		{`"sha256": "`, `"sha256": "0`, false}, {`"queries": 2`, `"queries": -1`, false}, {`"judgments": 3`,
			`"judgments": 2147483648`, false},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if _, err := bundle.ReadManifest([]byte(text)); text == good || (err == nil) != c.ok {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

// Opening refuses intact files that do not belong together.
func TestFilesThatDoNotBelongTogetherAreRefused(t *testing.T) {
	files := build(t, noted())
	strs := func(list ...string) []byte { return wire.Marshal(part(func(c *wire.Codec) { c.Strings(&list) })) }
	cards := func(ids ...string) []byte {
		return wire.Marshal(part(func(c *wire.Codec) {
			wire.List(c, &ids, func(id *string) {
				var none string
				c.Fields(id, &none, &none, &none)
				c.Len(0, 1)
			})
		}))
	}
	qrels := func(queries ...int) []byte {
		return wire.Marshal(part(func(c *wire.Codec) {
			wire.List(c, &queries, func(q *int) {
				doc, grade := "d", 1
				c.Fields(q, &doc, &grade)
			})
		}))
	}
	queries := func(n int) []byte {
		list := make([]string, n)
		return wire.Marshal(part(func(c *wire.Codec) {
			wire.List(c, &list, func(q *string) { c.Fields(q, q, q, q, q) })
		}))
	}
	needs := func(n int) []byte {
		list := make([]string, n)
		return wire.Marshal(part(func(c *wire.Codec) { wire.List(c, &list, func(q *string) { c.Fields(q, q) }) }))
	}
	news := func(n int) []byte {
		list := make([][]string, n)
		return wire.Marshal(part(func(c *wire.Codec) {
			wire.List(c, &list, func(q *[]string) {
				var none string
				c.Fields(&none, &none, &none, &none, q)
			})
		}))
	}
	for _, x := range []struct {
		name, role string
		data       []byte
		says       string
	}{
		{"the same", "cards", cards("é3", "d2", "d10", "d1"), ""},
		{"a card less", "cards", cards("é3", "d2", "d10"), "the cards hold 3"},
		{"cards in another order", "cards", cards("é3", "d2", "d1", "d10"), "descending order"},
		{"a card twice", "cards", cards("é3", "d2", "d1", "d1"), "descending order"},
		{"judgments of all queries", "qrels", qrels(0, 1, 1), ""},
		{"a judgment of no query", "qrels", qrels(0, 2, 1), "a judgment for query 2 of 2"},
		{"a judgment of query -1", "qrels", qrels(0, -1, 1), "a judgment for query -1 of 2"},
		{"a judgment less", "qrels", qrels(0, 1), "3 judgments, there are 2"},
		{"other queries", "queries", queries(2), ""},
		{"a query more", "queries", queries(3), "2 queries, there are 3"},
		{"a shard", "texts/0", strs("", "", ""), ""},
		{"a shard of two", "texts/0", strs("", ""), "holds 2 texts, want 3"},
		{"a shard of four", "texts/0", strs("", "", "", ""), "holds 4 texts, want 3"},
		{"the last shard", "texts/1", strs(""), ""},
		{"a last shard of two", "texts/1", strs("", ""), "holds 2 texts, want 1"},
		{"needs", "needs", needs(2), ""},
		{"needs of one", "needs", needs(1), "needs of 1 queries, there are 2"},
		{"news", "news", news(4), ""},
		{"news of five", "news", news(5), "news of 5 documents, there are 4"},
	} {
		changed := changed(t, files, x.role, x.data)
		b, err := open(changed)
		if err == nil {
			_, _, e1 := b.Texts(0, from(changed))
			_, first, e2 := b.Texts(3, from(changed))
			_, e3 := b.Needs(from(changed))
			_, e4 := b.News(from(changed))
			if err = errors.Join(e1, e2, e3, e4); err == nil && first != 3 {
				t.Errorf("%s: the last shard begins at %d", x.name, first)
			}
		}
		if x.says == "" && err != nil || x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says)) {
			t.Errorf("%s: %v, want %q", x.name, err, x.says)
		}
		if strings.Contains(x.name, "card less") || x.name == "a query more" {
			m, err := bundle.ReadManifest(changed["manifest.json"])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := bundle.OpenTexts(m, from(changed)); err == nil {
				t.Errorf("%s: texts are opened", x.name)
			}
		}
	}
}

// A row of signs has as many bytes as its dimensions need.
func TestSignsFillTheirBytes(t *testing.T) {
	for _, c := range []struct {
		dim, rows, bytes int
		ok               bool
	}{
		{1, 2, 2, true}, {7, 1, 1, true}, {8, 2, 2, true}, {9, 2, 4, true}, {16, 1, 2, true}, {17, 1, 3, true}, {8, 2,
			3, false}, {9, 2, 3, false}, {9, 1, 1, false},
		{0, 1, 0, false}, {-8, 1, -1, false}, {1 << 20, 1, 1 << 17, true}, {1<<20 + 1, 1, 1<<17 + 1, false}, {64, 1,
			9, false}, {64, 1, 7, false},
	} {
		zero, raw := make([]bool, c.rows), make([]byte, max(c.bytes, 0))
		data := wire.Marshal(part(func(x *wire.Codec) {
			x.Int(&c.dim)
			wire.List(x, &zero, x.Bool)
			x.Bytes(&raw)
		}))
		if err := bundle.Decode("signs", data); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Unrounded numbers are finite, four bytes each, and as many as the rows have.
func TestNumbersBeforeRoundingAreWhole(t *testing.T) {
	files := build(t, rich())
	for _, role := range []string{"vectors/toy/docs-f32", "vectors/toy/queries-f32"} {
		m, err := bundle.ReadManifest(files["manifest.json"])
		if err != nil {
			t.Fatal(err)
		}
		f, _ := m.File(role)
		good := files[f.Name]
		number := func(bits uint32) []byte {
			b := bytes.Clone(good)
			b[4], b[5], b[6], b[7] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
			return b
		}
		for says, data := range map[string][]byte{
			"": good, "bytes are no numbers of 4": good[:len(good)-1],
			"number 1 is not finite": number(math.Float32bits(float32(math.Inf(1)))),
			"1 is not finite":        number(math.Float32bits(float32(math.NaN()))), role: good[:len(good)-4],
		} {
			_, err := open(changed(t, files, role, data))
			if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
				t.Errorf("%s: %v, want %q", role, err, says)
			}
		}
	}
}

// Vectors, tokens and weights cover all documents and have an id per query.
func TestModelsHaveEveryDocument(t *testing.T) {
	files := build(t, rich())
	b, err := open(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []string{"vectors/toy/", "late/toy-tokens/", "sparse/toy-weights/"} {
		d, _ := b.Manifest.File(role + "docs")
		q, _ := b.Manifest.File(role + "queries")
		for _, swap := range [][2]string{{role + "docs", q.Name}, {role + "queries", d.Name}} {
			files := changed(t, files, swap[0], files[swap[1]])
			m, err := bundle.ReadManifest(files["manifest.json"])
			if err != nil {
				t.Fatal(err)
			}
			b, err := bundle.Open(m, from(files))
			if err != nil {
				t.Fatal(err)
			}
			_, _, e1 := b.Vectors("toy", from(files))
			_, _, e2 := b.Tokens("toy-tokens", from(files))
			_, _, e3 := b.Weights("toy-weights", from(files))
			if err := errors.Join(e1, e2, e3); err == nil || !strings.Contains(err.Error(), "toy") {
				t.Errorf("%s with the other's file: %v", swap[0], err)
			}
		}
	}
	s := rich()
	s.Vectors[0].Static = "glove"
	files = build(t, s)
	if b, err = open(files); err != nil {
		t.Fatal(err)
	}
	q, _ := b.Manifest.File("vectors/toy/queries")
	fewer := changed(t, files, "vectors/toy/encoded", files[q.Name])
	b.Manifest, _ = bundle.ReadManifest(fewer["manifest.json"])
	if _, err := b.Encoded("toy", from(fewer)); err == nil || !strings.Contains(err.Error(), "2 of 4 documents") {
		t.Errorf("encoded vectors of two documents: %v", err)
	}
}

// A model may have more documents than the collection, even if their order is the collection's.
func TestModelsMayKnowMoreDocuments(t *testing.T) {
	for _, ids := range [][]string{{"é3", "d2", "d10", "d1", "more"}, {"more", "é3", "d2", "d10", "d1"}, {"d1",
		"more", "d10", "d2", "é3"}} {
		s := rich()
		at := map[string]int8{"é3": 10, "d2": 20, "d10": 30, "d1": 40, "more": 50}
		v := &dense.Vectors{Dim: 1}
		tokens := &late.Tokens{Dim: 1, Scale: 1, Offsets: []uint32{0}}
		var weights []map[string]float32
		for i, id := range ids {
			v.Rows, v.Scales = append(v.Rows, at[id]), append(v.Scales, float32(at[id]))
			tokens.Rows, tokens.Offsets = append(tokens.Rows, at[id]), append(tokens.Offsets, uint32(i+1))
			weights = append(weights, map[string]float32{"w": float32(at[id])})
		}
		s.Vectors[0].Docs, s.Vectors[0].DocIDs = v, ids
		s.Vectors[0].Queries = &dense.Vectors{Dim: 1, Rows: []int8{1, 2}, Scales: []float32{1, 1}}
		s.Tokens[0].Docs, s.Tokens[0].DocIDs = tokens, ids
		s.Weights[0].Docs, s.Weights[0].DocIDs = sparse.Of(weights), ids
		files := build(t, s)
		b, err := open(files)
		if err != nil {
			t.Fatal(err)
		}
		dv, _, err := b.Vectors("toy", from(files))
		if err != nil || !slices.Equal(dv.Docs.Rows, []int8{10, 20, 30, 40}) ||
			!slices.Equal(dv.Docs.Scales, []float32{10, 20, 30, 40}) {
			t.Errorf("%v: %+v, %v", ids, dv, err)
		}
		tv, _, err := b.Tokens("toy-tokens", from(files))
		if err != nil || !slices.Equal(tv.Docs.Rows, []int8{10, 20, 30, 40}) || tv.Docs.Words != nil {
			t.Errorf("%v: %+v, %v", ids, tv, err)
		}
		wv, _, err := b.Weights("toy-weights", from(files))
		if err != nil || !slices.Equal(wv.Docs.Weight, []float32{10, 20, 30, 40}) {
			t.Errorf("%v: %+v, %v", ids, wv, err)
		}
	}
	for says, change := range map[string]func(s *bundle.Source){
		"document d1 has no vector": func(s *bundle.Source) {
			s.Vectors[0].DocIDs = []string{"d10", "é3", "d2",
				"d7"}
		},
		"document d1 has no token": func(s *bundle.Source) {
			s.Tokens[0].DocIDs = []string{"d10", "é3", "d2",
				"d7"}
		},
		"none of its 2 documents":         func(s *bundle.Source) { s.Weights[0].DocIDs = []string{"x", "y"} },
		"3 ids for the tokens of 4":       func(s *bundle.Source) { s.Tokens[0].DocIDs = s.Tokens[0].DocIDs[:3] },
		"0 ids for the tokens of 1":       func(s *bundle.Source) { s.Tokens[0].QueryIDs = nil },
		"1 and 1 ids for the weights":     func(s *bundle.Source) { s.Weights[0].DocIDs = s.Weights[0].DocIDs[:1] },
		"2 and 0 ids for the weights":     func(s *bundle.Source) { s.Weights[0].QueryIDs = nil },
		"4 and 1 ids for 4 and 2 vectors": func(s *bundle.Source) { s.Vectors[0].QueryIDs = s.Vectors[0].QueryIDs[:1] },
		"query q1 has no vector":          func(s *bundle.Source) { s.Vectors[0].QueryIDs = []string{"q2", "q3"} },
	} {
		s := rich()
		change(&s)
		if _, err := bundle.Build(s, func(string, []byte) error { return nil }); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// Documents of a run must be in the collection, and its scores must be integers over a power of ten up to 10^22.
func TestStoredRunsHaveLimits(t *testing.T) {
	s := small()
	s.Runs = readRun(t, "q1 Q0 d1 1 2 x\n")
	files := build(t, s)
	for _, x := range []struct {
		decimals int
		docs     []int
		scores   []int
		ok       bool
	}{
		{0, []int{0, 3}, []int{1, 2}, true}, {0, []int{0, 4}, []int{1, 2}, false}, {0, []int{3}, []int{1, 2}, false},
		{0, []int{0, 1}, []int{1}, false},
		{22, []int{1}, []int{5}, true}, {23, []int{1}, []int{5}, false}, {-1, []int{1}, []int{5}, false}, {0, []int{2,
			1}, []int{1, 1}, false}, {0, []int{1, 1}, []int{1, 1}, false},
		{0, []int{math.MaxUint32 + 1}, []int{1}, false},
	} {
		data := wire.Marshal(part(func(c *wire.Codec) {
			c.Int(&x.decimals)
			one := []string{"q1"}
			wire.List(c, &one, func(q *string) {
				c.String(q)
				last := -1
				wire.List(c, &x.docs, func(d *int) {
					gap := *d - last - 1
					c.Int(&gap)
					last = *d
				})
				c.Ints(&x.scores)
			})
		}))
		files := changed(t, files, "run/cross-encoder", data)
		b, err := open(files)
		if err != nil {
			t.Fatal(err)
		}
		lists, there, err := b.Run("cross-encoder", from(files))
		if !there || (err == nil) != x.ok || err == nil && len(lists["q1"]) != len(x.docs) {
			t.Errorf("%+v: %v, %v", x, lists, err)
		}
		if x.decimals == 22 && lists["q1"][0].Score != 5e-22 {
			t.Errorf("%v", lists)
		}
	}
	for text, ok := range map[string]bool{"9007199254740991": true, "9007199254740992": false,
		"-9007199254740991": true, "-9007199254740992": false,
		"0.0000000000000000000001": true, "0.00000000000000000000001": false, "900719925474099.1": true} {
		s := small()
		s.Runs = readRun(t, "q1 Q0 d1 1 "+text+" x\n")
		if _, err := bundle.Build(s, func(string, []byte) error { return nil }); (err == nil) != ok {
			t.Errorf("the score %s: %v", text, err)
		}
	}
}

func TestChunksAreNamedByTheirPlace(t *testing.T) {
	s := small()
	s.Vectors = nil
	s.Collection.Docs = nil
	for _, id := range []string{"notes.md#1", "notes.md#2", "notes.md#3", "a#b#1", "plain"} {
		s.Collection.Docs = append(s.Collection.Docs, collection.Doc{ID: id, Text: "x"})
	}
	for _, beside := range [][]bundle.Beside{nil, {{Name: bundle.ChunksName, Data: []byte("{}\n")}}} {
		s.Beside = beside
		files := build(t, s)
		b, err := open(files)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]string{"notes.md#3": "chunk 3 of 3 of notes.md",
			"notes.md#1": "chunk 1 of 3 of notes.md", "a#b#1": "chunk 1 of 1 of a#b", "plain": ""} {
			if beside == nil {
				want = ""
			}
			if got := b.Part(id); got != want {
				t.Errorf("%s: %q, want %q", id, got, want)
			}
		}
		data, err := b.Beside(bundle.ChunksName, from(files))
		if err != nil || (data != nil) != (beside != nil) || beside != nil && string(data) != "{}\n" {
			t.Errorf("%q, %v", data, err)
		}
	}
}

// Step is called for every document, and its error ends Build.
func TestStepsOfABuild(t *testing.T) {
	s := small()
	seen := map[int]int{}
	last := 0
	s.Step = func(indexed int) error {
		if indexed < last {
			t.Errorf("%d documents after %d", indexed, last)
		}
		last = indexed
		seen[indexed]++
		return nil
	}
	build(t, s)
	if seen[1] != 1 || seen[2] != 1 || seen[3] != 1 || seen[4] < 5 || len(seen) != 4 {
		t.Errorf("%v", seen)
	}
	stop := errors.New("stop")
	for n := 1; n <= 4; n++ {
		calls := 0
		s.Step = func(indexed int) error {
			if calls++; indexed == n {
				return stop
			}
			return nil
		}
		if _, err := bundle.Build(s, func(string, []byte) error { return nil }); !errors.Is(err, stop) || calls != n {
			t.Errorf("%v after %d calls, want %d", err, calls, n)
		}
	}
}

func TestWhichBundlesTakeVectors(t *testing.T) {
	for name, x := range map[string]struct {
		change func(s *bundle.Source)
		want   bool
	}{
		"plain":   {func(s *bundle.Source) { s.Vectors, s.Tokens, s.Weights = nil, nil, nil }, true},
		"vectors": {func(s *bundle.Source) { s.Tokens, s.Weights = nil, nil }, false},
		"tokens":  {func(s *bundle.Source) { s.Vectors, s.Weights = nil, nil }, false},
		"weights": {func(s *bundle.Source) { s.Vectors, s.Tokens = nil, nil }, false},
		"elsewhere": {func(s *bundle.Source) {
			s.Vectors, s.Tokens, s.Weights, s.Elsewhere = nil, nil, nil, &bundle.Elsewhere{}
		}, false},
		"a run": {func(s *bundle.Source) {
			s.Vectors, s.Tokens, s.Weights = nil, nil, nil
			s.Runs = readRun(t, "q1 Q0 d1 1 2 x\n")
		}, false},
	} {
		s := rich()
		x.change(&s)
		m, err := bundle.ReadManifest(build(t, s)["manifest.json"])
		if err != nil || m.TakesVectors() != x.want {
			t.Errorf("%s takes vectors: %v, %v", name, m.TakesVectors(), err)
		}
	}
}

// tokenFolder is a folder with token vectors of two documents and a query.
func tokenFolder() fstest.MapFS {
	file := func(a *collection.Array) *fstest.MapFile { return &fstest.MapFile{Data: written(a)} }
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"v/m/doc_tokens.i8.npy":   file(&collection.Array{Shape: []int{3, 2}, Int8: []int8{1, 2, 3, 4, 5, 6}}),
		"v/m/doc_offsets.npy":     file(&collection.Array{Shape: []int{3}, Int32: []int32{0, 2, 3}}),
		"v/m/doc_token_ids.npy":   file(&collection.Array{Shape: []int{3}, Uint16: []uint16{1, 0, 1}}),
		"v/m/query_tokens.i8.npy": file(&collection.Array{Shape: []int{1, 2}, Int8: []int8{7, 8}}),
		"v/m/query_offsets.npy":   file(&collection.Array{Shape: []int{2}, Int32: []int32{0, 1}}),
		"v/m/vocab.txt":           text("pay\nferry\n"), "v/m/doc_ids.txt": text("d1\r\nd2\r\n"),
		"v/query_ids.txt": text("q1"),
		"v/m/meta.json":   text(`{"model":"m","scale":0.25}`), "v/notes.txt": text("no folder"),
		"v/empty/x.txt": text("no model"),
	}
}

func TestFoldersOfTokensAreRead(t *testing.T) {
	got, err := bundle.ReadVectors(tokenFolder(), "v", nil)
	if err != nil || len(got.Tokens) != 1 || len(got.Vectors)+len(got.Weights) != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	v := got.Tokens[0]
	want := &late.Tokens{Dim: 2, Scale: .25, Rows: []int8{1, 2, 3, 4, 5, 6}, Offsets: []uint32{0, 2, 3},
		Words: []uint16{1, 0, 1}, Vocab: []string{"pay", "ferry"}}
	if !reflect.DeepEqual(v.Docs, want) || !slices.Equal(v.DocIDs, []string{"d1", "d2"}) || v.Model.Dim != 2 ||
		v.Model.Name != "m" {
		t.Errorf("%+v, %q, %+v", v.Docs, v.DocIDs, v.Model)
	}
	if v.Queries.Words != nil || v.Queries.Vocab != nil || !slices.Equal(v.Queries.Rows, []int8{7, 8}) ||
		!slices.Equal(v.QueryIDs, []string{"q1"}) {
		t.Errorf("%+v, %q", v.Queries, v.QueryIDs)
	}
	plain := tokenFolder()
	delete(plain, "v/m/vocab.txt") // makes token numbers useless
	if got, err := bundle.ReadVectors(plain, "v", nil); err != nil || got.Tokens[0].Docs.Words != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, want := range [][]string{{"m"}, {"other"}, {}} {
		got, err := bundle.ReadVectors(tokenFolder(), "v", want)
		if err != nil || (len(got.Tokens) == 1) != slices.Contains(want, "m") {
			t.Errorf("of %q: %+v, %v", want, got, err)
		}
	}
	file := func(a *collection.Array) []byte { return written(a) }
	for _, x := range []struct {
		name string
		data []byte // nil to delete
		says string
	}{
		{"v/m/meta.json", []byte(`{"scale":1e30}`), ""}, {"v/m/meta.json", []byte(`{"scale":1.1e30}`), `"scale"`},
		{"v/m/meta.json", []byte(`{"scale":0}`), `"scale"`},
		{"v/m/meta.json", []byte(`{"scale":-1}`), `"scale"`}, {"v/m/meta.json", nil, "meta.json"}, {"v/m/meta.json",
			[]byte(`{`), "meta.json"},
		{"v/m/doc_offsets.npy", file(&collection.Array{Shape: []int{3}, Int32: []int32{0, -1, 3}}), "row 1 is -1"},
		{"v/m/doc_offsets.npy", file(&collection.Array{Shape: []int{3}, Int32: []int32{0, 0, 3}}), ""},
		{"v/m/doc_offsets.npy", file(&collection.Array{Shape: []int{3}, Int32: []int32{0, 3, 2}}), "after its end"},
		{"v/m/doc_offsets.npy", file(&collection.Array{Shape: []int{3}, Float32: []float32{0, 2, 3}}), "offsets"},
		{"v/m/doc_offsets.npy", nil, "doc_offsets.npy"},
		{"v/m/query_offsets.npy", file(&collection.Array{Shape: []int{2}, Int32: []int32{0, 2}}),
			"numbers are not 2 tokens"},
		{"v/m/doc_tokens.i8.npy", file(&collection.Array{Shape: []int{6}, Int8: []int8{1, 2, 3, 4, 5, 6}}), "shape"},
		{"v/m/doc_tokens.i8.npy", file(&collection.Array{Shape: []int{3, 2}, Float32: make([]float32, 6)}), "|i1"},
		{"v/m/query_tokens.i8.npy", nil, "query_tokens"},
		{"v/m/doc_ids.txt", []byte("d1\n"), "1 ids for the tokens of 2 texts"}, {"v/m/doc_ids.txt", nil,
			"no doc_ids.txt"}, {"v/query_ids.txt", nil, "no query_ids.txt"},
		{"v/m/doc_token_ids.npy", file(&collection.Array{Shape: []int{3}, Uint16: []uint16{1, 0, 2}}), "docs"},
		{"v/m/doc_token_ids.npy", []byte("x"), "doc_token_ids.npy"},
		{"v/m/doc_token_ids.npy", nil, ""},
	} {
		files := tokenFolder()
		if delete(files, x.name); x.data != nil {
			files[x.name] = &fstest.MapFile{Data: x.data}
		}
		_, err := bundle.ReadVectors(files, "v", nil)
		if x.says == "" && err != nil || x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says)) {
			t.Errorf("%s: %v, want %q", x.name, err, x.says)
		}
	}
}

// Rows in int8 have a scale each, and the dimensions in meta.json, if any.
func TestFoldersOfRoundedVectorsAreRead(t *testing.T) {
	whole := func() fstest.MapFS {
		file := func(a *collection.Array) *fstest.MapFile { return &fstest.MapFile{Data: written(a)} }
		text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
		return fstest.MapFS{
			"all-MiniLM-L6-v2/docs.i8.npy": file(&collection.Array{Shape: []int{2, 2}, Int8: []int8{1, 2, 3,
				4}}),
			"all-MiniLM-L6-v2/docs.scales.npy": file(&collection.Array{Shape: []int{2}, Float32: []float32{.5,
				.25}}),
			"all-MiniLM-L6-v2/queries.i8.npy":     file(&collection.Array{Shape: []int{1, 2}, Int8: []int8{5, 6}}),
			"all-MiniLM-L6-v2/queries.scales.npy": file(&collection.Array{Shape: []int{1}, Float32: []float32{1}}),
			"doc_ids.txt":                         text("d1\nd2\n"), "query_ids.txt": text("q1\n"),
			"all-MiniLM-L6-v2/meta.json": text(`{"model":"m","licence":"MIT","pooling":"mean",` +
				`"query_prefix":"q: ","dim":2,"normalised":true,"weights":{"version":"r1","x":[1]},"x":{}}`),
		}
	}
	got, err := bundle.ReadVectors(whole(), ".", []string{"minilm"})
	if err != nil || len(got.Vectors) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	m := got.Vectors[0].Model
	if m.Name != "minilm" || m.Label != "all-MiniLM-L6-v2" || m.Licence != "MIT" || m.Pooling != "mean" ||
		m.Prefix != "q: " || m.Dim != 2 || !m.Normalised || m.Revision != "r1" {
		t.Errorf("%+v", m)
	}
	if d := got.Vectors[0].Docs; !slices.Equal(d.Rows, []int8{1, 2, 3, 4}) ||
		!slices.Equal(d.Scales, []float32{.5, .25}) || d.Floats != nil {
		t.Errorf("%+v", d)
	}
	if names := bundle.ModelNames(whole(), "."); !slices.Equal(names, []string{"minilm", "all-MiniLM-L6-v2"}) {
		t.Errorf("%q", names)
	}
	for _, x := range []struct{ name, text, says string }{
		{"meta.json", `{"dim":3}`, "2 dimensions, meta.json says 3"}, {"meta.json", `{"dim":0}`, ""}, {"meta.json",
			`{"dim":-1}`, ""}, {"meta.json", `{"dim":`, "meta.json"},
		{"queries.meta.json", `{"pooling":"mean"}`, ""}, {"queries.meta.json", `{"dim":3}`, "another dimensions"},
		{"queries.meta.json", `{"normalised":false}`, "another normalisation"},
		{"queries.meta.json", `{"weights":{"version":"r2"}}`, "another revision"}, {"docs.scales.npy", "",
			"docs.scales.npy"},
		{"docs.scales.npy", string(written(&collection.Array{Shape: []int{2}, Int32: []int32{1, 2}})),
			"their scales <f4"},
		{"docs.scales.npy", string(written(&collection.Array{Shape: []int{1}, Float32: []float32{1}})), "docs"},
		{"docs.i8.npy", string(written(&collection.Array{Shape: []int{2, 2}, Float32: make([]float32, 4)})),
			"vectors are |i1"},
		{"queries.i8.npy", string(written(&collection.Array{Shape: []int{1, 3}, Int8: []int8{5, 6, 7}})),
			"3 dimensions, meta.json says 2"},
	} {
		files := whole()
		files["all-MiniLM-L6-v2/"+x.name] = &fstest.MapFile{Data: []byte(x.text)}
		_, err := bundle.ReadVectors(files, ".", nil)
		if x.says == "" && err != nil || x.says != "" && (err == nil || !strings.Contains(err.Error(), x.says)) {
			t.Errorf("%s %.40q: %v, want %q", x.name, x.text, err, x.says)
		}
	}
	files := whole()
	files["all-MiniLM-L6-v2/meta.json"] = &fstest.MapFile{Data: []byte(`{}`)}
	files["all-MiniLM-L6-v2/queries.i8.npy"] = &fstest.MapFile{Data: written(&collection.Array{Shape: []int{1, 3},
		Int8: []int8{5, 6, 7}})}
	if _, err := bundle.ReadVectors(files, ".", nil); err == nil ||
		!strings.Contains(err.Error(), "documents have 2 dimensions, queries 3") {
		t.Errorf("%v", err)
	}
}

// A file has as many tokens as its texts declare, with two bytes each for their words.
func TestTokensOfAFileFit(t *testing.T) {
	for _, x := range []struct {
		lengths []int
		words   int // bytes
		vocab   []string
		rows    int
		ok      bool
	}{
		{[]int{1, 2}, 0, nil, 3, true}, {[]int{0, 3}, 0, nil, 3, true}, {[]int{1, 3}, 0, nil, 3, false}, {[]int{1, 1},
			0, nil, 3, false}, {[]int{-1, 4}, 0, nil, 3, false},
		{[]int{1, 2}, 6, []string{"a"}, 3, true}, {[]int{1, 2}, 4, []string{"a"}, 3, false}, {[]int{4}, 0, nil, 3,
			false}, {[]int{3}, 6, nil, 3, false},
		{nil, 0, nil, 0, true},
	} {
		data := wire.Marshal(part(func(c *wire.Codec) {
			dim, scale, ids, words, rows := 1, .5, []string(nil), make([]byte, x.words), make([]byte, x.rows)
			c.Int(&dim)
			c.Float(&scale)
			c.Strings(&ids)
			c.Ints(&x.lengths)
			c.Fields(&words, &x.vocab)
			c.Bytes(&rows)
		}))
		if err := bundle.Decode("tokens", data); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
	}
}

// Build ends with the first write error and writes no further file.
func TestAFileThatCannotBeWrittenEndsTheBuild(t *testing.T) {
	source := func() bundle.Source {
		s := rich()
		e, err := toyEncoder(t, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Encoders = []*bundle.Encoder{e}
		s.Collection = noted().Collection
		s.Runs = readRun(t, "q1 Q0 d1 1 2 x\n")
		s.Networks = []bundle.SourceNetwork{{Model: "toy", Files: map[string][]byte{"model.onnx": []byte("x"),
			"vocab.txt": []byte("y")}}}
		s.Beside = []bundle.Beside{{Name: "x.txt", Data: []byte("x")}}
		return s
	}
	full := errors.New("disk full")
	total := len(build(t, source()))
	if total < 20 {
		t.Errorf("only %d files", total)
	}
	for n := 1; n <= total; n++ {
		calls := 0
		_, err := bundle.Build(source(), func(string, []byte) error {
			if calls++; calls == n {
				return full
			}
			return nil
		})
		if !errors.Is(err, full) || calls != n {
			t.Errorf("file %d of %d: %v after %d files", n, total, err, calls)
		}
	}
}

func TestManifestsNameOnlyTheModelsThereAre(t *testing.T) {
	for kind, change := range map[string]func(s *bundle.Source){
		"token_models":  func(s *bundle.Source) { s.Tokens = nil },
		"weight_models": func(s *bundle.Source) { s.Weights = nil }} {
		s := rich()
		if text := build(t, s)["manifest.json"]; !bytes.Contains(text, []byte(kind)) {
			t.Errorf("no %s in %s", kind, text)
		}
		change(&s)
		if text := build(t, s)["manifest.json"]; bytes.Contains(text, []byte(kind)) {
			t.Errorf("%s in %s", kind, text)
		}
	}
}

// Weights without any document are an error, unless the collection is empty.
func TestAnEmptyCollectionTakesWeights(t *testing.T) {
	s := rich()
	s.Collection.Docs, s.Vectors, s.Tokens = nil, nil, nil
	b, err := open(build(t, s))
	if err != nil || len(b.Cards) != 0 {
		t.Errorf("%v", err)
	}
}
