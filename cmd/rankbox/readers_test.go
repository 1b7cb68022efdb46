package main

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// tarOf is a tar of a folder, gzipped where it is to be wrapped.
func tarOf(t testing.TB, dir string, wrapped bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if err := w.WriteHeader(&tar.Header{Name: "./coll/" + filepath.ToSlash(rel), Mode: 0o644,
			Size: int64(len(data))}); err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if !wrapped {
		return b.Bytes()
	}
	var z bytes.Buffer
	g := gzip.NewWriter(&z)
	g.Write(b.Bytes())
	g.Close()
	return z.Bytes()
}

// The same collection in every form that is read is searched alike.
func TestACollectionIsTheSameInEveryForm(t *testing.T) {
	beir := small(t, twoDocs)
	dir := t.TempDir()
	at := func(name, text string) string { return put(t, dir, name, text) }
	idx := filepath.Join(dir, "index")
	if code, out, errs := call("", "index", beir, "-o", idx, "-quiet"); code != 0 ||
		!strings.Contains(out, "2 documents, 1 query, ") {
		t.Fatalf("%d, %s, %s", code, out, errs)
	}
	if code, _, errs := call("", "index", beir, "-o", idx); code != 2 ||
		!strings.Contains(errs, "holds a bundle already") {
		t.Errorf("written over: %d, %s", code, errs)
	}
	sgml := "<DOC><DOCNO>d1</DOCNO><TITLE>Ferry</TITLE><TEXT>The ferry " +
		"sailed.</TEXT></DOC>\n<DOC><DOCNO>d2</DOCNO><TITLE>Rain</TITLE><TEXT>A ferry waited.</TEXT></DOC>\n"
	topics := at("topics", "<top>\n<num> Number: q1\n<title> ferry\n</top>\n<top>\n<num> Number: q2\n<title> "+
		"rain\n</top>\n")
	judged := at("judged", "q1 0 d1 1\n")
	_, want, errs := call("", "search", beir, "-s", "bm25", "-quiet")
	if strings.Count(want, "\n") != 2 {
		t.Fatalf("%q, %s", want, errs)
	}
	for name, args := range map[string][]string{
		"a bundle": {idx},
		"a tar":    {at("c.tar", string(tarOf(t, beir, false)))},
		"a tar.gz": {at("c.tar.gz", string(tarOf(t, beir, true)))},
		"files apart": {"-corpus", filepath.Join(beir, "corpus.jsonl"), "-queries",
			filepath.Join(beir, "queries.jsonl"), "-qrels", filepath.Join(beir, "qrels", "test.tsv")},
		"TREC's": {"-corpus", at("docs.sgml", sgml), "-queries", topics, "-qrels", judged},
		"CSV": {"-corpus",
			at("docs.csv", "doc_id,title,text\nd1,Ferry,The ferry sailed.\nd2,Rain,A ferry waited.\n"), "-queries",
			at("queries.tsv", "q1\tferry\n"), "-qrels", judged},
		"without titles": {"-corpus", at("passages.tsv", "d1\tFerry The ferry sailed.\nd2\tRain A ferry waited.\n"),
			"-queries", topics, "-qrels", judged},
		"id, contents": {"-corpus",
			at("docs.jsonl", `{"id":"d1","contents":"Ferry The ferry sailed."}`+"\n"+
				`{"id":"d2","contents":"Rain A ferry waited."}`+"\n"), "-queries", topics, "-qrels", judged},
	} {
		code, got, errs := call("", append([]string{"search", "-s", "bm25", "-quiet"}, args...)...)
		if code != 0 || got != want {
			t.Errorf("%s: code %d, %s\n%s\nwant\n%s", name, code, errs, got, want)
		}
	}
	for name, args := range map[string][]string{
		"two places":       {beir, "-corpus", topics},
		"queries alone":    {beir, "-queries", topics},
		"no place":         {},
		"no such analyzer": {beir, "-o", filepath.Join(dir, "none"), "-analyzer", "lucene-englsh"},
	} {
		command := []string{"search", "-s", "bm25"}
		if name == "no such analyzer" {
			command = []string{"index"}
		}
		if code, _, errs := call("", append(command, args...)...); code != 2 {
			t.Errorf("%s: code %d, %s", name, code, errs)
		}
	}
	if code, _, errs := call("", "search", "-s", "bm25", "-corpus", topics, "-queries", topics); code != 3 ||
		!strings.Contains(errs, "holds no documents") {
		t.Errorf("topics for documents: %d, %s", code, errs)
	}
	if code, _, errs := call("", "search", "-s", "bm25", "-max-bytes", "100",
		at("bomb.tar.gz", string(tarOf(t, beir, true)))); code != 3 || !strings.Contains(errs, "limit of 100") {
		t.Errorf("a limit: %d, %s", code, errs)
	}
}

// bzip2 1.0.8 packed the run "q1 Q0 b 1 2 s, q1 Q0 a 2 1 s".
func TestBzip2IsReadAsItIs(t *testing.T) {
	b, err := hex.DecodeString(
		"425a6839314159265359f7632b3300000cdb80001040007000200030002800200021248d3328400c20f1ead3bc6385250a3e2ee48a70a121eec65666")
	if err != nil {
		t.Fatal(err)
	}
	packed := put(t, t.TempDir(), "a.run.bz2", string(b))
	for _, args := range [][]string{{"eval", "-quiet", qrelsFile, packed, "RR"},
		{"eval", "-quiet", qrelsFile, "-", "RR"}} {
		code, out, errs := call(string(b), args...)
		if code != 0 || out != "RR\t0.1667\n" {
			t.Errorf("code %d, %q, %s", code, out, errs)
		}
	}
	_, out, _ := call("", "compare", qrelsFile, packed, "-o", "json", "-quiet")
	if !strings.Contains(out, `"name":"a"`) {
		t.Errorf("%s", out)
	}
}

// Whatever stands in front: what comes out of unpack is what went in, or a zip, or an error.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte("q1 Q0 d 1 2 t\n"))
	f.Add([]byte("BZh9"))
	f.Add([]byte("\x1f\x8b\x08\x00rubbish"))
	f.Add(append(make([]byte, 257), "ustar\x0000"...))
	for _, packed := range []bool{false, true} {
		f.Add(tarOf(f, writeBEIR(f), packed))
	}
	f.Add(tarOfFiles(f, true, tar.Header{Name: "large", Size: 2 << 20}))
	f.Add(tarOfFiles(f, false, tar.Header{Name: "a/../b", Size: 600}, tar.Header{Name: "../c", Size: 5},
		tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "b"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &context{in: bytes.NewReader(b), limits: collection.Limits{Bytes: 1 << 20}}
		in, _, err := c.open("-")
		if _, packed := in.(archive); packed || err != nil {
			names, contents, within := listed(b, 1<<20)
			if packed && !within {
				t.Fatal("more than the limit was unpacked")
			}
			if packed {
				a, err := collection.OpenZip("x", in.(archive), in.(archive).Size(), collection.Limits{})
				if err != nil { // a name twice, say
					return
				}
				if got := a.Files(); !slices.Equal(got, slices.Sorted(slices.Values(names))) {
					t.Fatalf("files %q, want %q", got, names)
				}
				for i, name := range names {
					got, err := fs.ReadFile(a, name)
					if err == nil && !bytes.Equal(got, contents[i]) {
						t.Fatalf("%s: %q, want %q", name, got, contents[i])
					}
				}
			}
			return
		}
		defer in.Close()
		var got bytes.Buffer
		if _, err := got.ReadFrom(in); err != nil {
			return
		}
		if !bytes.Equal(got.Bytes(), b) && !bytes.HasPrefix(got.Bytes(), []byte("PK")) &&
			!bytes.HasPrefix(b, []byte("BZh")) {
			t.Errorf("%q became %q", b, got.Bytes())
		}
	})
}

// listed are the files of a tar, compressed or not, as archive/tar alone says them; within is false where they have
// more than limit bytes.
func listed(b []byte, limit int64) (names []string, contents [][]byte, within bool) {
	var r io.Reader = bytes.NewReader(b)
	if bytes.HasPrefix(b, []byte("BZh")) {
		r = bzip2.NewReader(r)
	} else if z, err := gzip.NewReader(r); err == nil {
		r = z
	} else {
		r = bytes.NewReader(b)
	}
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if err != nil {
			return names, contents, true
		}
		if h.Typeflag != tar.TypeReg || !fs.ValidPath(path.Clean(h.Name)) {
			continue
		}
		content, _ := io.ReadAll(io.LimitReader(t, limit+1))
		if limit -= int64(len(content)); limit < 0 {
			return names, contents, false
		}
		names, contents = append(names, strings.ReplaceAll(path.Clean(h.Name), `\`, "/")), append(contents, content)
	}
}

// tarOfFiles is a tar of such files, which are of zeros.
func tarOfFiles(t testing.TB, packed bool, files ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(&b)
	if packed {
		w = tar.NewWriter(z)
	}
	for _, h := range files {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(make([]byte, h.Size)); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	if packed {
		z.Close()
	}
	return b.Bytes()
}

func TestAnalyze(t *testing.T) {
	for _, c := range []struct {
		args    []string
		in, out string
		code    int
	}{
		{[]string{"The ferries' Sailing"}, "", "ferri\t4\t11\tferries\nsail\t13\t20\tSailing\n", 0},
		{[]string{"-all", "The", "ferry"}, "", "\t0\t3\tThe\nferri\t4\t9\tferry\n", 0},
		{[]string{"-a", "whitespace", "-"}, "Über Fähren\n", "über\t0\t5\tÜber\nfähren\t6\t13\tFähren\n", 0},
		{[]string{"-o", "jsonl", "-all"}, "the x", `{"term":null,"start":0,"end":3,"word":"the"}` + "\n" +
			`{"term":"x","start":4,"end":5,"word":"x"}` + "\n", 0},
		{[]string{"-a", "lucene-englsh", "x"}, "", "", 2},
		{[]string{"-o", "xml", "x"}, "", "", 2},
	} {
		code, out, errs := call(c.in, append([]string{"analyze"}, c.args...)...)
		if code != c.code || out != c.out {
			t.Errorf("%q: %d, %q, %s", c.args, code, out, errs)
		}
	}
	if code, out, _ := call("", "analyze", "-list"); code != 0 || !strings.Contains(out, "lucene-english\n") ||
		!strings.Contains(out, "snowball-german\n") {
		t.Errorf("%d, %q", code, out)
	}
}

// The parts add up to the score, which is the one that search writes.
func TestExplain(t *testing.T) {
	dir := small(t, twoDocs)
	_, run, _ := call("", "search", dir, "-s", "bm25", "-quiet")
	score := strings.Fields(run)[4]
	for _, query := range []string{"q1", "ferry"} {
		code, out, errs := call("", "explain", dir, query, "d1", "-s", "bm25", "-o", "json")
		var part struct {
			Name  string
			Score json.Number
			Parts []struct {
				Score  float64
				Values map[string]float64
			}
		}
		if err := json.Unmarshal([]byte(out), &part); code != 0 || err != nil {
			t.Fatalf("%d, %v, %s", code, err, errs)
		}
		sum := 0.0
		for _, p := range part.Parts {
			sum += p.Score
		}
		if v, _ := part.Score.Float64(); part.Score.String() != score || math.Abs(sum-v) > 1e-9 ||
			part.Parts[0].Values["tf"] != 2 {
			t.Errorf("%s: %s, search says %s", query, out, score)
		}
	}
	if code, out, _ := call("", "explain", dir, "ferry", "d1", "-s", "bm25"); code != 0 ||
		!strings.Contains(out, "  ferri  (") {
		t.Errorf("%d, %s", code, out)
	}
	for code, args := range map[int][]string{2: {dir, "d1", "-s", "bm25"}, 3: {dir, "ferry", "d9", "-s", "bm25"}} {
		if got, _, errs := call("", append([]string{"explain"}, args...)...); got != code {
			t.Errorf("%q: %d, %s", args, got, errs)
		}
	}
}
