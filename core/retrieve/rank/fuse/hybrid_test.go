package fuse_test

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Oracle: the fusion, by its formula, of Lucene 10.3.2's runs (k1 0.9, b 0.4) and of exact search over the float32
// vectors of bge-small-en-v1.5, the first 100 documents of each. Fused scores often tie (ranks 1 and 2 of one list
// with 2 and 1 of the other), so the figure depends on the order of ties. It does not depend on 32 or 64 bits, on
// ties within a list, or on the two documents of Cranfield without text. The reference figures, 0.7276 and 0.4156,
// order ties by first appearance, with the list of vectors first; ours by descending document id, as trec_eval does
// whatever the order of a run.
func TestHybridOfLuceneAndBGE(t *testing.T) {
	const (
		byID         = iota // descending
		wordsFirst          // by first appearance, lexical list first
		vectorsFirst        // the other way around
	)
	tests := []struct {
		collection string
		ties       int
		want       string
	}{
		{"scifact", vectorsFirst, "0.7276"}, {"scifact", wordsFirst, "0.7276"}, {"scifact", byID, "0.7292"},
		{"cranfield", vectorsFirst, "0.4156"}, {"cranfield", wordsFirst, "0.4154"}, {"cranfield", byID, "0.4150"},
	}
	for _, tt := range tests[:shared.Sample(len(tests), len(tests))] {
		name, want, ties := tt.collection, tt.want, tt.ties
		t.Run(fmt.Sprint(name, ties), func(t *testing.T) {
			words := readRun(t, "oracle/lucene/runs/"+name+".flat.bm25.k0.9-b0.4.run.gz")
			docs, docIDs := vectors(t, name, "docs.npy", "doc_ids.txt")
			queries, queryIDs := vectors(t, name, "queries.npy", "query_ids.txt")
			// ordinals by id descending, as everywhere
			order := slices.Clone(docIDs)
			slices.SortFunc(order, func(a, b string) int { return strings.Compare(b, a) })
			ordinal := map[string]uint32{}
			for i, id := range order {
				ordinal[id] = uint32(i)
			}
			qrels := readQrels(t, "data/"+name+"/qrels/test.tsv")
			m, err := measure.Parse("nDCG@10")
			if err != nil {
				t.Fatal(err)
			}
			sum, n := 0.0, 0
			for q, grades := range qrels {
				var a, b fixed
				name := order
				if i := words.Query(q); i >= 0 {
					for _, e := range words.Ranked(i, collection.InputOrder, nil) {
						a = append(a, rank.Hit{Doc: ordinal[e.Doc], Score: e.Score})
					}
				}
				v := queries[slices.Index(queryIDs, q)]
				for i, row := range docs {
					s := 0.0
					for c := range row {
						s += float64(row[c]) * float64(v[c])
					}
					b = append(b, rank.Hit{Doc: ordinal[docIDs[i]], Score: s})
				}
				slices.SortFunc(b, func(x, y rank.Hit) int {
					if rank.Better(x, y) {
						return -1
					}
					return 1
				})
				if b = b[:100]; ties != byID { // ordinals by first appearance
					at, seen := map[uint32]uint32{}, []string{}
					lists := []fixed{a, b}
					if ties == vectorsFirst {
						lists = []fixed{b, a}
					}
					for _, l := range lists {
						for i, h := range l {
							if _, ok := at[h.Doc]; !ok {
								at[h.Doc] = uint32(len(seen))
								seen = append(seen, order[h.Doc])
							}
							l[i].Doc = at[h.Doc]
						}
					}
					name = seen
				}
				f := &fuse.Fusion{Scale: fuse.Reciprocal(60), Method: fuse.Sum, Depth: 100,
					Names: []string{"bm25", "dense"}, Lists: []rank.Ranker{a, b}}
				hits, err := f.Rank(rank.Query{}, 100, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				topic := measure.Topic{Query: q}
				for _, g := range grades {
					topic.Judged = append(topic.Judged, float64(g))
				}
				for _, h := range hits {
					g, ok := grades[name[h.Doc]]
					if !ok {
						g = measure.Unjudged
					}
					topic.Ranked = append(topic.Ranked, float64(g))
				}
				sum += m.Score(&topic)
				n++
			}
			if got := fmt.Sprintf("%.4f", sum/float64(n)); got != want {
				t.Errorf("nDCG@10 %s over %d queries, want %s", got, n, want)
			}
		})
	}
}

func readRun(t *testing.T, name string) *collection.Run {
	t.Helper()
	z := shared.Open(t, name)
	r, _, err := collection.ReadRun(z, name, collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func readQrels(t *testing.T, name string) map[string]map[string]int32 {
	t.Helper()
	f, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]map[string]int32{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var q, d string
		var g int32
		if n, _ := fmt.Sscan(s.Text(), &q, &d, &g); n == 3 {
			if out[q] == nil {
				out[q] = map[string]int32{}
			}
			out[q][d] = g
		}
	}
	return out
}

// vectors returns the rows of an array with their ids.
func vectors(t *testing.T, name, array, ids string) ([][]float32, []string) {
	t.Helper()
	folder := "embeddings/" + name + "/"
	data, err := os.ReadFile(shared.Path(t, folder+"bge-small-en-v1.5/"+array))
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(shared.Path(t, folder+ids))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	body := data[10+int(data[8])+int(data[9])<<8:] // NumPy 1.0: bytes 8 and 9 hold the length of the header
	dim := len(body) / 4 / len(names)
	rows := make([][]float32, len(names))
	for i := range rows {
		rows[i] = make([]float32, dim)
		for c := range rows[i] {
			b := body[4*(i*dim+c):]
			rows[i][c] = math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
		}
	}
	return rows, names
}
