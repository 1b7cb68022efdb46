package bundle_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// rich is small with unrounded vectors, token vectors and term weights, in a different order.
func rich() bundle.Source {
	s := small()
	ids := []string{"d10", "é3", "d2", "d1"}
	v := &s.Vectors[0]
	v.DocIDs = ids
	v.Docs, v.Queries = dense.Round([]float32{3, -4, .5, 6, 0, 0, 1, 2}, 2), dense.Round([]float32{1, 0, 0, 1}, 2)
	s.Tokens = []bundle.SourceTokens{{Model: bundle.Model{Name: "toy-tokens", Label: "toy-tokens"}, DocIDs: ids,
		QueryIDs: []string{"q1"},
		Docs: &late.Tokens{Dim: 1, Scale: .5, Rows: []int8{7, 8, 9}, Offsets: []uint32{0, 1, 3, 3, 3},
			Words: []uint16{0, 1, 0}, Vocab: []string{"pay", "ferry"}},
		Queries: &late.Tokens{Dim: 1, Scale: .5, Rows: []int8{3}, Offsets: []uint32{0, 1}}}}
	s.Weights = []bundle.SourceWeights{{Model: bundle.Model{Name: "toy-weights", Label: "toy-weights"}, DocIDs: ids[:2],
		QueryIDs: []string{"q1"},
		Docs:     sparse.Of([]map[string]float32{{"pay": 2, "ferry": .5}, {"talks": 3}}),
		Queries:  sparse.Of([]map[string]float32{{"pay": 1}})}}
	return s
}

// Ordinals are é3, d2, d10, d1.
func TestWhatModelsMadeIsReadAsItWasWritten(t *testing.T) {
	for _, c := range []struct {
		numbers string
		rows    []int8
		floats  []float32
	}{
		// by hand: the scales are the largest numbers / 127, so .5 of 6 is 11 (10.58), 3 of 4 is 95 (95.25), 1 of 2 is
		// 64 (63.5, to even)
		{"f32", []int8{11, 127, 0, 0, 95, -127, 64, 127}, []float32{.5, 6, 0, 0, 3, -4, 1, 2}},
		{"int8", []int8{11, 127, 0, 0, 95, -127, 64, 127}, nil},
		{"bit", []int8{1, 1, 1, 1, 1, -1, 1, 1}, nil},
	} {
		t.Run(c.numbers, func(t *testing.T) {
			s := rich()
			if err := s.Vectors[0].Keep(c.numbers); err != nil {
				t.Fatal(err)
			}
			files := build(t, s)
			b, err := open(files)
			if err != nil {
				t.Fatal(err)
			}
			v, _, err := b.Vectors("toy", from(files))
			if err != nil || !slices.Equal(v.Docs.Rows, c.rows) || !slices.Equal(v.Docs.Floats, c.floats) ||
				v.Docs.Scales[1] != 0 {
				t.Errorf("%+v, %v", v.Docs, err)
			}
			tokens, ok, err := b.Tokens("toy-tokens", from(files))
			if err != nil || !ok || !slices.Equal(tokens.Docs.Rows, []int8{8, 9, 7}) ||
				!slices.Equal(tokens.Docs.Offsets, []uint32{0, 2, 2, 3, 3}) || tokens.Docs.Word(1) != "pay" {
				t.Errorf("%+v, %v", tokens, err)
			}
			weights, ok, err := b.Weights("toy-weights", from(files))
			if err != nil || !ok || !reflect.DeepEqual(weights.Docs.Weight, []float32{3, .5, 2}) ||
				!slices.Equal(weights.Docs.Offsets, []uint32{0, 1, 1, 3, 3}) {
				t.Errorf("%+v, %v", weights, err)
			}
			for name := range files {
				if damaged := strings.Contains(name, "toy"); damaged {
					broken := map[string][]byte{}
					for n, data := range files {
						broken[n] = data
					}
					broken[name] = append([]byte("x"), files[name][1:]...)
					_, _, e1 := b.Vectors("toy", from(broken))
					_, _, e2 := b.Tokens("toy-tokens", from(broken))
					_, _, e3 := b.Weights("toy-weights", from(broken))
					if e1 == nil && e2 == nil && e3 == nil {
						t.Errorf("%s is damaged, and nobody says so", name)
					}
				}
			}
		})
	}
	s := small()
	if err := s.Vectors[0].Keep("f32"); err == nil {
		t.Error("f32 of int8 vectors: accepted")
	}
	if err := s.Vectors[0].Keep("f16"); err == nil {
		t.Error("f16: accepted")
	}
}

// Links name a collection by its hash, which added token vectors and weights do not change.
func TestTheHashIsOfTheCollectionNotOfWhatLateModelsMadeOfIt(t *testing.T) {
	whole, without := rich(), rich()
	without.Tokens, without.Weights = nil, nil
	a, err := open(build(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	b, err := open(build(t, without))
	if err != nil {
		t.Fatal(err)
	}
	if a.Manifest.Hash != b.Manifest.Hash || len(a.Manifest.Files) != len(b.Manifest.Files)+4 {
		t.Errorf("%s and %s, %d and %d files", a.Manifest.Hash, b.Manifest.Hash, len(a.Manifest.Files),
			len(b.Manifest.Files))
	}
}

func TestFoldersOfModelsThatAreWrongAreRefused(t *testing.T) {
	npy := func(rows string, shape string, kind string) *fstest.MapFile {
		head := "{'descr': '" + kind + "', 'fortran_order': False, 'shape': (" + shape + "), }\n"
		return &fstest.MapFile{Data: []byte("\x93NUMPY\x01\x00" + string(rune(len(head))) + "\x00" + head + rows)}
	}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	f32 := func(n int) string { return strings.Repeat("\x00\x00\x80\x3f", n) } // ones
	whole := fstest.MapFS{
		"m/docs.npy": npy(f32(4), "2, 2", "<f4"), "m/queries.npy": npy(f32(2), "1, 2", "<f4"),
		"doc_ids.txt": text("d1\nd2\n"), "query_ids.txt": text("q1\n"),
		"m/meta.json": text(`{"model":"org/m","pooling":"mean","dim":2}`),
	}
	if m, err := bundle.ReadVectors(whole, ".", nil); err != nil || len(m.Vectors) != 1 ||
		len(m.Vectors[0].Docs.Floats) != 4 {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, c := range []struct {
		name, file string
		data       *fstest.MapFile
		says       string
	}{
		{"a row too few", "doc_ids.txt", text("d1\nd2\nd3\n"), "2 rows, but 3 ids"},
		{"NaN", "m/docs.npy", npy(f32(3)+"\x00\x00\xc0\x7f", "2, 2", "<f4"), "row 1, column 1"},
		{"another type", "m/docs.npy", npy(f32(8), "2, 2", "<f8"), "<f8"},
		{"big endian", "m/docs.npy", npy(f32(4), "2, 2", ">f4"), ">f4"},
		{"other dimension", "m/queries.npy", npy(f32(3), "1, 3", "<f4"), "3 dimensions, meta.json says 2"},
		{"queries of another model", "m/queries.meta.json", text(`{"model":"org/other","pooling":"mean","dim":2}`),
			`another model ("org/other") than the documents ("org/m")`},
		{"queries pooled otherwise", "m/queries.meta.json", text(`{"model":"org/m","pooling":"cls","dim":2}`),
			`another pooling`},
		{"cut off", "m/docs.npy", npy(f32(3), "2, 2", "<f4"), "cut off"},
		{"token vectors without scale", "m/doc_tokens.i8.npy", npy("\x01", "1, 1", "|i1"), `"scale"`},
		{"weights that are none", "m/docs.jsonl", text(`{"id":"d1"}`), `m/docs.jsonl: line 1: missing "vector"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := fstest.MapFS{c.file: c.data}
			for name, f := range whole {
				if name != c.file {
					broken[name] = f
				}
			}
			if _, err := bundle.ReadVectors(broken, ".", nil); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %q", err, c.says)
			}
		})
	}
}

// Vectors that a ranker biased are written unbiased, in every number format.
func TestVectorsThatARankerTookAreWrittenAsTheyWere(t *testing.T) {
	dense.ScanBiased = func([]int32, []int8, []int8) { t.Error("nothing is searched here") }
	dense.ScanBiasedAt = func([]int32, []int8, []uint32, []int8) { t.Error("nothing is searched here") }
	defer func() { dense.ScanBiased, dense.ScanBiasedAt = nil, nil }()
	for _, numbers := range []string{"f32", "int8", "bit"} {
		plain, taken := rich(), rich()
		v := &taken.Vectors[0]
		for _, docs := range []*dense.Vectors{v.Docs, v.Queries} {
			if _, err := dense.NewTuned("m", docs, dense.Round([]float32{1, 0}, 2), []string{"q"},
				dense.SearchParameters{}); err != nil {
				t.Fatal(err)
			}
			if docs.Rows != nil {
				t.Fatal("the ranker left the rows as they are: nothing is tested")
			}
		}
		for _, s := range []*bundle.Source{&plain, &taken} {
			if err := s.Vectors[0].Keep(numbers); err != nil {
				t.Fatal(err)
			}
		}
		want, got := build(t, plain), build(t, taken)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d files, other than the %d of vectors that no ranker took", numbers, len(got), len(want))
		}
	}
}
