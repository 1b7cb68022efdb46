package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ranked returns the documents of a run that search writes, and what it says.
func ranked(t *testing.T, args ...string) (docs, says string) {
	t.Helper()
	code, out, errs := call("", append([]string{"search"}, args...)...)
	if code != 0 {
		t.Fatalf("%v: code %d, %s", args, code, errs)
	}
	var ids []string
	for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
		f := strings.Fields(l + " - - - - -")
		ids = append(ids, f[2]+" "+f[4])
	}
	return strings.Join(ids, ", "), errs
}

// The vectors, by hand: query 1 is (3, 4); d1 is (1, 0), d2 (3, 4), d3 (6, 8): dot 3, 25, 50; cosine .6, 1, 1;
// distances −20, 0, −25. Equal scores come in descending order of the ids. Tokens: query 1 has (1, 0) and (0, 2) with
// scale 1; d1 has (3, 1) and (0, 4): 3 + 8; d3 has (5, 0): 5; d2 has none. Weights: query 1 has port 2, d1 port 1.5, d2
// port 4.
func TestModelsInAFolderBesideTheCollection(t *testing.T) {
	dir, models := writeBEIR(t), t.TempDir()
	put(t, models, "doc_ids.txt", "d1\nd2\nd3\n")
	put(t, models, "query_ids.txt", "1\n2\n")
	put(t, models, "own/docs.npy", npy([]float32{1, 0}, []float32{3, 4}, []float32{6, 8}))
	put(t, models, "own/queries.npy", npy([]float32{3, 4}, []float32{0, 0}))
	array := func(kind, shape, data string) string {
		head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
		return "\x93NUMPY\x01\x00" + string(rune(len(head))) + "\x00" + head + data
	}
	put(t, models, "tok/doc_tokens.i8.npy", array("|i1", "3, 2", "\x03\x01\x00\x04\x05\x00"))
	put(t, models, "tok/doc_offsets.npy",
		array("<i4", "4,", "\x00\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00"))
	put(t, models, "tok/query_tokens.i8.npy", array("|i1", "2, 2", "\x01\x00\x00\x02"))
	put(t, models, "tok/query_offsets.npy", array("<i4", "3,", "\x00\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00"))
	put(t, models, "tok/meta.json", `{"model":"org/tok","scale":1}`)
	put(t, models, "impact/docs.jsonl", `{"id":"d1","contents":"","vector":{"port":1.5}}`+"\n"+
		`{"id":"d2","vector":{"port":4,"x":1}}`)
	put(t, models, "impact/queries.jsonl", `{"id":"1","vector":{"port":2}}`+"\n"+`{"id":"2","vector":{}}`)
	for _, c := range []struct{ system, want, says string }{
		{"dense(model=own)", "d3 50, d2 25, d1 3", ""},
		{"dense(model=own,similarity=cosine)", "d3 1, d2 1, d1 0.6", ""},
		{"dense(model=own,similarity=l2)", "d2 0, d1 -20, d3 -25", ""},
		{"dense(model=own,scan=bit,rescore=0)", "d3 2, d2 2, d1 2",
			"finds 100.0 % of the documents that dense(model=own) ranks among the first 100"},
		{"dense(model=own,scan=int8,rescore=1)", "d3 50", "finds 33.3 % of the documents that"},
		{"late(model=tok)", "d1 11, d3 5", ""},
		{"sparse(model=impact)", "d2 8, d1 3", ""},
		{"dense(model=own) >> cut(1)", "d3 50", ""},
	} {
		t.Run(c.system, func(t *testing.T) {
			got, says := ranked(t, dir, "-vectors", models, "-s", c.system)
			if got != c.want || !strings.Contains(says, c.says) {
				t.Errorf("%s\n%s\nwant %s, %s", got, says, c.want, c.says)
			}
			bundled := filepath.Join(t.TempDir(), "b")
			if code, _, errs := call("", "index", dir, "-o", bundled); code != 0 {
				t.Fatal(errs)
			}
			if again, _ := ranked(t, bundled, "-vectors", models, "-s", c.system); again != c.want {
				t.Errorf("over a bundle: %s", again)
			}
		})
	}
	spec, kept := filepath.Join(t.TempDir(), "spec.json"), filepath.Join(t.TempDir(), "kept")
	put(t, filepath.Dir(spec), "spec.json", `{"systems": ["dense(model=own)", "bm25"], "measures": ["RR"]}`)
	run := func(from string, more ...string) string {
		t.Helper()
		code, text, errs := call("",
			append([]string{"run", spec, "-collection", dir, "-vectors", from, "-o", kept, "-f", "json"}, more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		var out struct {
			Provenance struct{ Models []struct{ Name string } }
			Report     struct {
				Runs []struct {
					Measures map[string]struct{ Mean float64 }
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Provenance.Models) != 1 {
			t.Fatalf("%v: %s", err, text)
		}
		return fmt.Sprintf("%s %.4f", out.Provenance.Models[0].Name, out.Report.Runs[0].Measures["RR"].Mean)
	}
	first := run(models)
	if first != "own 0.3333" { // d1, which is relevant, comes third
		t.Errorf("%s", first)
	}
	other := t.TempDir()
	put(t, other, "own/docs.npy", npy([]float32{6, 8}, []float32{3, 4}, []float32{1, 0}))
	put(t, other, "own/queries.npy", npy([]float32{3, 4}, []float32{0, 0}))
	put(t, other, "doc_ids.txt", "d1\nd2\nd3\n")
	put(t, other, "query_ids.txt", "1\n2\n")
	if second := run(other, "-resume"); second == first {
		t.Errorf("what other vectors ranked was taken up again: %s", second)
	}
	if again := run(models, "-resume"); again != first {
		t.Errorf("%s, want %s", again, first)
	}
	for _, c := range []struct {
		name, system, file, content, says string
	}{
		{"a model that is not there", "dense(model=owm)", "", "", "did you mean own?"},
		{"an id too few", "dense(model=own)", "own/doc_ids.txt", "d1\nd2\n", "3 rows, but 2 ids"},
		{"a document that is not there", "dense(model=own)", "own/doc_ids.txt", "d1\nd2\nd4\n",
			"document d3 has no vector"},
		{"queries of another model", "dense(model=own)", "own/queries.meta.json", `{"model":"org/other"}`,
			`"org/other"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.file != "" {
				put(t, models, c.file, c.content)
				defer os.Remove(filepath.Join(models, c.file))
			}
			if code, _, errs := call("", "search", dir, "-vectors", models, "-s", c.system); code != 3 ||
				!strings.Contains(errs, c.says) {
				t.Errorf("code %d, %s", code, errs)
			}
		})
	}
	if code, _, errs := call("", "search", dir, "-vectors", t.TempDir(), "-s", "bm25"); code != 3 ||
		!strings.Contains(errs, "no model folder") {
		t.Errorf("an empty folder: code %d, %s", code, errs)
	}
	zeros := filepath.Join(models, "own")
	put(t, zeros, "docs.npy", npy([]float32{1, 0}, []float32{0, 0}, []float32{6, 8}))
	if got, says := ranked(t, dir, "-vectors", models, "-s", "dense(model=own)"); got != "d3 50, d1 3" ||
		!strings.Contains(says, "row 1 (from 0), document d2") {
		t.Errorf("a row of zeros: %s\n%s", got, says)
	}
}

// A folder's stored run is there under the name of its file, in the folder and in a bundle made of it.
func TestRunsInAFolderBesideTheCollection(t *testing.T) {
	dir := writeBEIR(t)
	put(t, dir, "runs/cross-encoder.run", "1 Q0 d3 1 0.25 x\n1 Q0 d1 2 -1.5 x\n1 Q0 d2 3 -2 x\n")
	bundled := filepath.Join(t.TempDir(), "b")
	if code, _, errs := call("", "index", dir, "-o", bundled); code != 0 {
		t.Fatal(errs)
	}
	for _, from := range []string{dir, bundled} {
		if got, says := ranked(t, from, "-s", "run(cross-encoder)"); got != "d3 0.25, d1 -1.5, d2 -2" {
			t.Errorf("%s: %s\n%s", from, got, says)
		}
	}
	put(t, dir, "runs/cross-encoder.run", "1 Q0 d3\n")
	if code, _, errs := call("", "search", dir, "-s", "bm25"); code != 3 ||
		!strings.Contains(errs, "cross-encoder.run") {
		t.Errorf("a run that is damaged: code %d, %s", code, errs)
	}
}

// Oracle: shared/embeddings/README.md, trec_eval through pytrec_eval over the first 1,000 documents.
func TestTheFiguresOfTheReferenceModels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	for _, c := range []struct{ collection, system, want string }{
		{"scifact", "dense(model=all-MiniLM-L6-v2)", "0.6451"},
		{"scifact", "dense(model=bge-small-en-v1.5)", "0.7137"},
		{"scifact", "dense(model=e5-small-v2)", "0.6871"},
		{"cranfield", "dense(model=all-MiniLM-L6-v2)", "0.3817"},
		{"cranfield", "dense(model=bge-small-en-v1.5)", "0.3995"},
		{"cranfield", "dense(model=e5-small-v2)", "0.3838"},
	} {
		t.Run(c.collection+"/"+c.system, func(t *testing.T) {
			dir := reference(t, "data/"+c.collection)
			code, run, errs := call("", "search", dir, "-vectors", reference(t, "embeddings/"+c.collection), "-s",
				c.system, "-k", "1000")
			if code != 0 {
				t.Fatal(errs)
			}
			if code, out, errs := call(run, "eval", filepath.Join(dir, "qrels", "test.tsv"), "-",
				"nDCG@10"); code != 0 || !strings.Contains(out, c.want) {
				t.Errorf("%s %s, want %s", out, errs, c.want)
			}
		})
	}
}
