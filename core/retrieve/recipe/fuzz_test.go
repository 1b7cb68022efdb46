package recipe

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/collection"
)

func number(n int) string { return strconv.Itoa(n) }

// folder reads a folder of testdata.
func folder(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	files, err := filepath.Glob(filepath.Join("testdata", name, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = &fstest.MapFile{Data: data}
	}
	return out
}

func gzipped(t testing.TB, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The result is a recipe that passes its own checks, or an error with the file's name.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	for _, r := range All() {
		data, err := own.ReadFile("recipes/" + r.Name + Suffix)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse("x.recipe", data)
		var at *Error
		switch {
		case err != nil && !errors.As(err, &at):
			t.Errorf("%v names no file", err)
		case err == nil && (r.Name == "" || len(r.Files) == 0 || r.Bytes() < 1 || r.Split("") == nil):
			t.Errorf("%+v", r)
		}
	})
}

func fuzzOld(f *testing.F, layout string, names [3]string) {
	files := folder(f, layout)
	f.Add(files[names[0]].Data, files[names[1]].Data, files[names[2]].Data)
	r := Named(All(), layout)
	f.Fuzz(func(t *testing.T, docs, queries, judgments []byte) {
		c, err := r.Read(fstest.MapFS{names[0]: {Data: docs}, names[1]: {Data: queries}, names[2]: {Data: judgments}},
			"", collection.Options{})
		var at *collection.ParseError
		if err != nil {
			if !errors.As(err, &at) {
				t.Errorf("%v names no file", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, d := range c.Docs {
			if d.ID == "" || seen[d.ID] {
				t.Errorf("document %q", d.ID)
			}
			seen[d.ID] = true
		}
		for _, q := range c.Queries {
			if q.Text == "" || !c.Qrels.Has(q.ID) {
				t.Errorf("query %+v", q)
			}
		}
	})
}

func FuzzCranfield(f *testing.F) {
	fuzzOld(f, "cranfield", [3]string{cranDocuments, cranQueries, cranJudgments})
}

func FuzzVaswani(f *testing.F) {
	fuzzOld(f, "vaswani", [3]string{nplDocuments, nplQueries, nplJudgments})
}
