package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The same three documents in each format make the same bundle.
func TestIndexMakesTheSameBundleOfEveryFormat(t *testing.T) {
	queries := file(t, "queries.jsonl", `{"_id":"q","text":"harbour"}`+"\n")
	qrels := file(t, "qrels.txt", "q 0 b 1\n")
	said := map[string]string{}
	for name, text := range map[string]string{
		"corpus.jsonl": `{"_id":"a","text":"the harbour master"}` + "\n" + `{"_id":"c","text":"a ferry"}` + "\n" +
			`{"_id":"b","text":"harbour, harbour"}` + "\n" + `{"_id":"a","text":"repeated"}` + "\n",
		"corpus.tsv": "a\tthe harbour master\nc\ta ferry\nb\tharbour, harbour\n",
		"corpus.csv": "id,text\na,the harbour master\nc,a ferry\nb,\"harbour, harbour\"\n",
		"corpus.trec": "<DOC><DOCNO>a</DOCNO><TEXT>the harbour master</TEXT></DOC>\n" +
			"<DOC><DOCNO>c</DOCNO><TEXT>a ferry</TEXT></DOC>\n" +
			"<DOC><DOCNO>b</DOCNO><TEXT>harbour, harbour</TEXT></DOC>\n",
	} {
		to := filepath.Join(t.TempDir(), "bundle")
		code, out, errs := call("", "index", "-quiet", "-corpus", file(t, name, text), "-queries", queries,
			"-qrels", qrels, "-name", "Three", "-o", to)
		if code != 0 || !strings.Contains(out, "3 documents, 1 query") {
			t.Errorf("%s: %d, %s%s", name, code, out, errs)
			continue
		}
		_, said[name], _ = strings.Cut(strings.TrimSpace(out), "hash ")
		if left, _ := filepath.Glob(filepath.Join(to, ".*")); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
	}
	for name, hash := range said {
		if hash == "" || hash != said["corpus.jsonl"] {
			t.Errorf("%s: hash %s, of JSONL %s", name, hash, said["corpus.jsonl"])
		}
	}
}

// A corpus that breaks off leaves no folder.
func TestIndexOfADamagedCorpusLeavesNothing(t *testing.T) {
	to := filepath.Join(t.TempDir(), "bundle")
	corpus := file(t, "corpus.jsonl", `{"_id":"a","text":"one"}`+"\n"+`{"_id":"b","text":`+"\n")
	queries := file(t, "queries.jsonl", `{"_id":"q","text":"one"}`+"\n")
	code, _, errs := call("", "index", "-corpus", corpus, "-queries", queries, "-o", to)
	if code != 3 || !strings.Contains(errs, "corpus.jsonl: line 2") {
		t.Errorf("%d, %s", code, errs)
	}
	if _, err := os.Stat(to); !os.IsNotExist(err) {
		t.Errorf("%s: %v", to, err)
	}
}
