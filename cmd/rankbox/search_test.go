package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file below dir.
func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// npy is a float32 array of rows as NumPy 1.0 writes it.
func npy(rows ...[]float32) string {
	var b bytes.Buffer
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (" + string(rune('0'+len(rows))) + ", " +
		string(rune('0'+len(rows[0]))) + "), }"
	header += strings.Repeat(" ", 64-(10+len(header)+1)%64) + "\n"
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	for _, r := range rows {
		for _, x := range r {
			binary.Write(&b, binary.LittleEndian, math.Float32bits(x))
		}
	}
	return b.String()
}

func TestWhatStandsBesideACollectionDoesNotStopASearchByWords(t *testing.T) {
	for name, file := range map[string]string{
		"a model that systems have no short name for": "vectors/my-own.model/meta.json",
		"a folder that is no model":                   "vectors/.cache/x",
		"an array that is damaged":                    "vectors/all-MiniLM-L6-v2/docs.i8.npy",
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeBEIR(t)
			put(t, dir, file, "rubbish")
			if code, out, errs := call("", "search", dir, "-s", "bm25"); code != 0 ||
				!strings.HasPrefix(out, "1 Q0 d") {
				t.Errorf("code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// By hand: the dot products of query 1 with d1, d2, d3 are 0.6, 1 and −0.8; rounding to int8 keeps the order.
func TestFloatVectorsOfAnyModel(t *testing.T) {
	for _, ids := range []string{"vectors/my-own.model/", "vectors/"} {
		dir := writeBEIR(t)
		put(t, dir, "vectors/my-own.model/docs.npy", npy([]float32{0.6, 0.8}, []float32{1, 0}, []float32{-0.8, 0.6}))
		put(t, dir, "vectors/my-own.model/queries.npy", npy([]float32{1, 0}))
		put(t, dir, ids+"doc_ids.txt", "d1\nd2\nd3\n")
		put(t, dir, ids+"query_ids.txt", "1\r\n")
		code, out, errs := call("", "search", dir, "-s", "dense(model=my-own.model)")
		var got []string
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			got = append(got, strings.Fields(l + " - - -")[2])
		}
		if code != 0 || strings.Join(got, " ") != "d2 d1 d3" {
			t.Errorf("ids in %s: code %d\n%s%s", ids, code, out, errs)
		}
	}
}

func TestAMistakeInAPipelineIsSaidBeforeTheCollectionIsRead(t *testing.T) {
	dir := t.TempDir() // reading it would fail: there is no corpus
	put(t, dir, "vectors/all-MiniLM-L6-v2/docs.npy", "")
	put(t, dir, "vectors/bge-small-en-v1.5/docs.npy", "")
	for _, c := range []struct {
		name, system string
		code         int
		says         string
	}{
		{"stage", "bm52", 2, "did you mean bm25?"},
		{"analyzer", "bm25(analyzer=lucene-englich)", 2, "did you mean lucene-english?"},
		{"value", "bm25(k1=1e3)", 2, "between 0 and 100"},
		{"model", "dense(model=bgee)", 3, "did you mean bge?"},
		{"part of a model's name", "rrf(bm25, dense(model=small))", 3, "did you mean bge-small-en-v1.5?"},
		{"a model like none", "dense(model=colbert)", 3, "no vectors of the model \"colbert\", but of minilm"},
		{"nothing is wrong but the collection", "dense(model=all-MiniLM-L6-v2)", 3, "corpus.jsonl"},
	} {
		if code, _, errs := call("", "search", dir, "-s", c.system); code != c.code ||
			!strings.Contains(errs, c.says) || c.code == 2 && strings.Contains(errs, "corpus") {
			t.Errorf("%s: code %d, %s", c.name, code, errs)
		}
	}
}

func TestWithoutVectorsItIsSaidHowToMakeThem(t *testing.T) {
	code, _, errs := call("", "search", writeBEIR(t), "-s", "dense")
	if code != 3 || !strings.Contains(errs, `no vectors of the model "minilm" or any other; scripts/embed creates`) {
		t.Errorf("code %d, %s", code, errs)
	}
}

func TestACollectionWithoutQrelsIsSearched(t *testing.T) {
	dir := writeBEIR(t)
	if err := os.RemoveAll(filepath.Join(dir, "qrels")); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call("", "search", dir, "-s", "bm25")
	if code != 0 || !strings.Contains(out, "1 Q0 d") || !strings.Contains(out, "2 Q0 d2") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
	if code, _, errs := call("", "search", dir, "-s", "bm25", "-split", "dev"); code != 3 ||
		!strings.Contains(errs, "dev") {
		t.Errorf("a split that is not there: code %d, %s", code, errs)
	}
}

func TestWhatHoldsNoCollectionIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, content, says string }{
		{"text", `{"_id":"d1"}` + "\n", "no list of objects and no text"},
		{"gzip", "\x1f\x8b\x08\x00rubbish", "gzip: cut off"},
		{"bzip2", "BZh91AY&SY", "unexpected EOF"},
		{"pdf", "%PDF-1.7\n", "a PDF"},
		{"nothing", "", "empty file"},
		{"noise", "\x00\x01\x02\x03\xff", "no text"},
		{"half a zip", "PK\x03\x04\x14\x00", "cut off"},
	} {
		if code, _, errs := call("", "search", put(t, dir, c.name, c.content), "-s", "bm25"); code != 3 ||
			!strings.Contains(errs, c.says) {
			t.Errorf("%s: code %d, %s", c.name, code, errs)
		}
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(writeBEIR(t))); err != nil {
		t.Fatal(err)
	}
	z.Close()
	if code, out, errs := call("", "search", put(t, dir, "beir.zip", b.String()), "-s", "bm25"); code != 0 ||
		!strings.HasPrefix(out, "1 Q0 d") {
		t.Errorf("a zip: code %d\n%s%s", code, out, errs)
	}
}

func TestSeveralSystemsAreOneFileEach(t *testing.T) {
	dir, out := writeBEIR(t), filepath.Join(t.TempDir(), "runs")
	if code, _, errs := call("", "search", dir, "-s", "bm25", "-s", "ql >> cut(1)", "-o", out); code != 0 {
		t.Fatal(errs)
	}
	for name, tag := range map[string]string{"bm25.run": "bm25", "ql__cut(1).run": "ql>>cut(1)"} {
		got, err := os.ReadFile(filepath.Join(out, name))
		_, alone, _ := call("", "search", dir, "-s", tag)
		if err != nil || string(got) != alone || !strings.Contains(alone, " "+tag+"\n") {
			t.Errorf("%s: %v\n%swant\n%s", name, err, got, alone)
		}
	}
	for name, args := range map[string][]string{
		"no folder":  {"search", dir, "-s", "bm25", "-s", "ql"},
		"one tag":    {"search", dir, "-s", "bm25", "-s", "ql", "-o", out, "-t", "x"},
		"same twice": {"search", dir, "-s", "bm25", "-s", "bm25(k1=0.9)", "-o", out},
	} {
		if code, _, errs := call("", args...); code != 2 || errs == "" {
			t.Errorf("%s: code %d, %s", name, code, errs)
		}
	}
}

// What a stored run ranks is what comes out of run(file), and a ready-made pipeline is what its name stands for.
func TestSearchByAStoredRun(t *testing.T) {
	demo := filepath.Join("..", "..", "site", "collections", "harbour-wire")
	code, first, errs := call("", "search", demo, "-s", "bm25", "-k", "20", "-t", "x", "-quiet")
	if code != 0 {
		t.Fatal(errs)
	}
	file := put(t, t.TempDir(), "mine.run", first)
	for _, flag := range []string{file, "mine=" + file} {
		code, again, errs := call("", "search", demo, "-run", flag, "-s", "run(mine)", "-k", "20", "-t", "x", "-quiet")
		if code != 0 || again != first {
			t.Errorf("-run %s: exit %d, %s; the same run: %v", flag, code, errs, again == first)
		}
	}
	tests := []struct {
		name, said string
		args       []string
	}{
		{"no such run", "there is no stored run called mine", []string{"-s", "run(mine)"}},
		{"a name that no pipeline can write", "want NAME=FILE", []string{"-run", "1st=" + file, "-s", "bm25"}},
		{"a run of another collection", "none of its queries or documents are in the collection",
			[]string{"-run", "x=" + put(t, t.TempDir(), "x.run", "q99 Q0 d1 1 2 x\n"), "-s", "run(x)"}},
	}
	for _, tt := range tests {
		if code, _, errs := call("", append([]string{"search", demo, "-quiet"}, tt.args...)...); code < 2 ||
			!strings.Contains(errs, tt.said) {
			t.Errorf("%s: exit %d, %s", tt.name, code, errs)
		}
	}
	_, named, _ := call("", "search", demo, "-s", "simple", "-t", "x", "-quiet")
	_, written, _ := call("", "search", demo, "-s", "bm25(variant=okapi,k1=1.2,title=3,analyzer=nltk) >> dedupe", "-t",
		"x", "-quiet")
	if named == "" || named != written {
		t.Error("the preset simple is another pipeline")
	}
}
