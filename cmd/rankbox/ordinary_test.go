package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files as people have them, which index refused (issue 31, section 1).
func TestIndexTakesOrdinaryFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"goods.csv": {"sku,name,description\nA1,Ferry,\"a boat, late\"\nA2,Crane,it lifts\n",
			"2 documents, 0 queries"},
		"body.jsonl": {`{"id":"A1","title":"Ferry","body":"a boat"}` + "\n", "1 document, 0 queries"},
		"text.jsonl": {`{"id":"A1","title":"Ferry","text":"a boat"}` + "\n", "1 document, 0 queries"},
		"array.json": {`[{"id":"A1","title":"Ferry","text":"a boat"},{"id":"A2","title":"Crane","text":"it lifts"}]`,
			"2 documents, 0 queries"},
		"text.txt":  {"The ferry was late.\nA storm, at last.\n", "1 document, 0 queries"},
		"notes.md":  {"# Ferry\n\nIt was late.\n", "1 document, 0 queries"},
		"page.html": {"<title>Ferry</title><p>late", "1 document, 0 queries"},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, errs := call("", "index", "-quiet", "-o", filepath.Join(t.TempDir(), "b"), file)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d, %s%s", name, code, out, errs)
		}
	}
}

func TestIndexTakesAFolderOfNotes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "# Ferry\nlate", "sub/b.html": "<title>Crane</title><p>lifts",
		"sub/c.txt": "fog\nagain", "queries.csv": "id,query\n1,ferry\n", "picture.png": "\x89PNG", ".git/x.md": "no"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := call("", "index", "-quiet", "-o", filepath.Join(t.TempDir(), "b"), dir)
	if code != 0 || !strings.Contains(out, "3 documents, 1 query") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
}

// A text is a document, or each of its lines is.
func TestIndexTakesTheLinesOfAText(t *testing.T) {
	file := put(t, t.TempDir(), "lines.txt", "The ferry was late.\nA storm, at last.\n")
	code, out, errs := call("", "index", "-lines", "-o", filepath.Join(t.TempDir(), "b"), file)
	if code != 0 || !strings.Contains(out, "2 documents, 0 queries") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
}

// A folder, or an archive of it, is read without the files that are broken or no documents, each of which is named.
func TestOneBadFileDoesNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "# Ferry\nlate", "tsconfig.json": "{\n \"strict\": true\n}\n",
		"broken.json": "[{\"id\":1},\n{\"id\":}]", "b.txt": "q1 Q0 d1 1 2.5 tag\n", "sub/pic.png": "\x89PNG",
		"sub/c.html": "<p>caf\xe9", ".git/x.md": "no", "yarn.lock": "no", "queries.csv": "id,query\n1,ferry\n"} {
		put(t, dir, name, text)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	packed := put(t, t.TempDir(), "all.zip", b.String())
	put(t, dir, "inner.zip", b.String())
	for name, docs := range map[string]string{packed: "3 documents, 1 query", dir: "6 documents, 2 queries"} {
		code, out, errs := call("", "index", "-o", filepath.Join(t.TempDir(), "b"), name)
		if code != 0 || !strings.Contains(out, docs) {
			t.Errorf("%s: %d, %s%s", name, code, out, errs)
		}
		for _, want := range []string{"tsconfig.json: not read: it holds no list of objects and no text",
			"broken.json:2: not read: ", "files were passed over: 1 .png, 2 hidden or of a tool"} {
			if name == dir {
				want = strings.Replace(strings.Replace(want, "1 .png", "2 .png", 1), "2 hidden", "4 hidden", 1)
			}
			if !strings.Contains(errs, want) {
				t.Errorf("%s: want %q in\n%s", name, want, errs)
			}
		}
	}
}

func TestIndexRefusesATableOfScoresByWhatItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scores.csv")
	if err := os.WriteFile(file, []byte("run,query,measure,value\nbm25,q1,nDCG@10,0.5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call("", "index", "-o", filepath.Join(t.TempDir(), "b"), file); code != 3 ||
		!strings.Contains(errs, "a table of scores (run, query, measure, value)") {
		t.Errorf("%d, %s", code, errs)
	}
}

// The columns of a table are printed as recognised, changed in the file, and used.
func TestAMappingIsPrintedChangedAndUsed(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	goods := file("goods.csv", "sku,name,description,care,lang\nA1,Ferry,a boat,Keep afloat,de\nA2,Crane,it lifts,Oil "+
		"monthly,de\n")
	code, printed, errs := call("", "index", "-print-map", goods)
	want := "{\n  \"format\": \"rankbox-mapping\",\n  \"version\": 1,\n  \"id\": \"sku\",\n  \"title\": \"name\",\n" +
		"  \"text\": [\"description\"],\n  \"language\": \"lang\"\n}\n"
	if code != 0 || printed != want {
		t.Fatalf("%d, %s%s", code, printed, errs)
	}
	changed := file("goods.map.json", strings.Replace(printed, `["description"]`, `["description", "care"]`, 1))
	b := filepath.Join(t.TempDir(), "bundle")
	code, out, errs := call("", "index", goods, "-map", changed, "-o", b)
	if code != 0 || !strings.Contains(out, "2 documents") || !strings.Contains(errs,
		`text from "description" and "care"`) {
		t.Fatalf("%d, %s%s", code, out, errs)
	}
	if manifest, err := os.ReadFile(filepath.Join(b, "manifest.json")); err != nil ||
		!strings.Contains(string(manifest), "snowball-german") {
		t.Errorf("the language of all documents does not choose the analyzer: %s, %v", manifest, err)
	}
	if code, out, errs = call("", "explain", b, "afloat", "A1", "-s", "bm25"); code != 0 || !strings.Contains(out,
		"afloat") {
		t.Errorf("%d, %s%s", code, out, errs)
	}
	if code, _, errs = call("", "index", dir, "-o", filepath.Join(t.TempDir(), "x")); code != 0 ||
		!strings.Contains(errs, `"care"`) {
		t.Errorf("a mapping in the folder: %d, %s", code, errs)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{3, "goods.csv: line 1: there is no column \"ref\", which the mapping uses for id", []string{goods, "-map",
			file("ref.json", `{"format":"rankbox-mapping","version":1,"id":"ref","text":"name"}`)}},
		{3, "goods.csv: line 3: the id \"de\" (column \"lang\") is that of line 2 too", []string{goods, "-map",
			file("lang.json", `{"format":"rankbox-mapping","version":1,"id":"lang","text":"name"}`)}},
		{3, "it is no mapping", []string{goods, "-map", file("no.json", `{"version":1}`)}},
		{3, "it has no columns that a mapping could name: it looks like Markdown", []string{file("a.md", "# x"),
			"-map", changed}},
		{3, "it has no columns that a mapping could name", []string{file("a.zip", "PK"), "-map", changed}},
	} {
		code, _, errs := call("", append([]string{"index", "-o", filepath.Join(t.TempDir(), "b")}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d, %s", c.args, code, errs)
		}
	}
	if code, _, errs := call("", "index", "-print-map", file("scores.csv",
		"run,query,measure,value\na,q,P,1\n")); code != 3 || !strings.Contains(errs, "a table of scores") {
		t.Errorf("%d, %s", code, errs)
	}
}
