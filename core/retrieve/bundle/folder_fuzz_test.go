package bundle_test

import (
	"bytes"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// written returns an array in NumPy's format.
func written(a *collection.Array) []byte {
	var b bytes.Buffer
	a.WriteNPY(&b)
	return b.Bytes()
}

// FuzzFolders reads folders of models as users place them beside a collection (vectors in int8 and float32, tokens,
// weights, a static encoder). They are refused, or the result is consistent; neither takes more than the files'
// size.
func FuzzFolders(f *testing.F) {
	rows := written(&collection.Array{Shape: []int{2, 2}, Int8: []int8{1, 2, 3, 4}})
	f.Add(byte(0), []byte(`{"model":"m","dim":2}`), "a\nb\n", rows,
		written(&collection.Array{Shape: []int{2}, Float32: []float32{.5, 1}}))
	f.Add(byte(1), []byte(`{}`), "a\nb\n",
		written(&collection.Array{Shape: []int{2, 2}, Float32: []float32{1, 2, 3, 4}}), []byte{})
	f.Add(byte(2), []byte(`{"scale":0.5}`), "a\nb\n", rows,
		written(&collection.Array{Shape: []int{3}, Int32: []int32{0, 1, 2}}))
	f.Add(byte(3), []byte(`{"model":"m"}`), "", []byte(`{"id":"a","vector":{"port":1.5}}`),
		[]byte(`{"id":"q","vector":{"port":1}}`))
	f.Add(byte(4), []byte(`{"name":"e","teacher":"t","dimensions":2}`), "[UNK]\nport\n", []byte{0x88, 0x9a},
		written(&collection.Array{Shape: []int{2}, Float32: []float32{1, 1}}))
	f.Fuzz(func(t *testing.T, kind byte, meta []byte, ids string, one, two []byte) {
		files := map[string][]byte{"m/meta.json": meta, "m/doc_ids.txt": []byte(ids), "m/query_ids.txt": []byte(ids)}
		for _, side := range []string{"doc", "query"} {
			many := map[string]string{"doc": "docs", "query": "queries"}[side]
			switch kind % 5 {
			case 0:
				files["m/"+many+".i8.npy"], files["m/"+many+".scales.npy"] = one, two
			case 1:
				files["m/"+many+".npy"] = one
			case 2:
				files["m/"+side+"_tokens.i8.npy"], files["m/"+side+"_offsets.npy"] = one, two
			}
		}
		switch kind % 5 {
		case 3:
			files["m/docs.jsonl"], files["m/queries.jsonl"] = one, two
		case 4:
			files = map[string][]byte{"meta.json": meta, "vocab.txt": []byte(ids), "rows.u4": one, "scales.npy": two,
				"projection.npy": two}
		}
		folder, size := fstest.MapFS{}, 0
		for name, data := range files {
			folder[name] = &fstest.MapFile{Data: data}
			size += len(data)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var models *bundle.Models
		var err error
		if kind%5 == 4 {
			_, err = bundle.ReadEncoder(folder)
		} else {
			models, err = bundle.ReadVectors(folder, ".", nil)
		}
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(16_000_000+64*size); got > most {
			t.Errorf("reading %d bytes allocates %d, more than %d", size, got, most)
		}
		if err != nil || models == nil {
			return
		}
		for _, v := range models.Vectors {
			if v.Docs.Check() != nil || v.Queries.Check() != nil || v.Docs.Len() != len(v.DocIDs) ||
				v.Queries.Len() != len(v.QueryIDs) || v.Model.Dim != v.Docs.Dim {
				t.Fatalf("vectors: %d of %d ids, %d of %d, %v, %v", v.Docs.Len(), len(v.DocIDs), v.Queries.Len(),
					len(v.QueryIDs), v.Docs.Check(), v.Queries.Check())
			}
		}
		for _, v := range models.Tokens {
			if v.Docs.Check() != nil || v.Queries.Check() != nil || v.Docs.Len() != len(v.DocIDs) ||
				v.Queries.Len() != len(v.QueryIDs) {
				t.Fatalf("tokens: %d of %d ids, %d of %d, %v, %v", v.Docs.Len(), len(v.DocIDs), v.Queries.Len(),
					len(v.QueryIDs), v.Docs.Check(), v.Queries.Check())
			}
		}
		for _, v := range models.Weights {
			if v.Docs.Len() != len(v.DocIDs) || v.Queries.Len() != len(v.QueryIDs) {
				t.Fatalf("weights: %d of %d ids, %d of %d", v.Docs.Len(), len(v.DocIDs), v.Queries.Len(),
					len(v.QueryIDs))
			}
		}
	})
}
