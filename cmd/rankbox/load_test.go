package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// bulkEngine keeps documents as OpenSearch does, as far as a load can tell: one index, documents by id.
type bulkEngine struct {
	mu         sync.Mutex
	made       bool
	docs       map[string]string
	bulks      int
	now        int
	most       int             // bulk requests at once
	pause      time.Duration   // of a bulk request
	busy       func(n int) int // the status of bulk request n; 0 for success
	refuses    string          // an id
	wholly     bool            // the whole request is refused for that document
	authorised string
	seen       []string // Authorization
}

func (e *bulkEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, r.Header.Get("Authorization"))
	if e.authorised != "" && r.Header.Get("Authorization") != e.authorised {
		w.WriteHeader(401)
		return
	}
	switch {
	case r.Method == "PUT" && r.URL.Path == "/i":
		if e.made {
			w.WriteHeader(400)
			io.WriteString(w, `{"error":{"type":"resource_already_exists_exception","reason":"index [i] already `+
				`exists"}}`)
			return
		}
		e.made = true
	case r.URL.Path == "/i/_bulk":
		e.bulk(w, body)
		return
	case r.URL.Path == "/i/_stats/docs":
		fmt.Fprintf(w, `{"indices":{"i":{"uuid":"u","primaries":{"docs":{"count":%d}},`+
			`"shards":{"0":[{"routing":{"primary":true},"seq_no":{"max_seq_no":1}}]}}}}`, len(e.docs))
		return
	}
	io.WriteString(w, `{"acknowledged":true}`)
}

func (e *bulkEngine) bulk(w http.ResponseWriter, body []byte) {
	e.bulks++
	e.now++
	e.most = max(e.most, e.now)
	n := e.bulks
	e.mu.Unlock()
	time.Sleep(e.pause)
	e.mu.Lock()
	e.now--
	if e.busy != nil {
		if status := e.busy(n); status != 0 {
			w.WriteHeader(status)
			return
		}
	}
	var items []string
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var head struct {
			Index, Delete struct {
				ID string `json:"_id"`
			}
		}
		json.Unmarshal(lines.Bytes(), &head)
		if id := head.Delete.ID; id != "" {
			delete(e.docs, id)
			continue
		}
		lines.Scan()
		id := head.Index.ID
		if id == e.refuses {
			if e.wholly {
				w.WriteHeader(413)
				return
			}
			items = append(items, `{"index":{"status":400,"error":{"type":"mapper_parsing_exception","reason":"no `+
				`such day"}}}`)
			continue
		}
		e.docs[id] = lines.Text()
		items = append(items, `{"index":{"status":201}}`)
	}
	fmt.Fprintf(w, `{"items":[%s]}`, strings.Join(items, ","))
}

func startEngine(t *testing.T, e *bulkEngine) (url string) {
	t.Helper()
	e.docs = map[string]string{}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	return s.URL
}

// corpusFile writes n short documents.
func corpusFile(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"_id":"d%d","title":"t","text":"text of %d"}`+"\n", i, i)
	}
	name := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLoad(t *testing.T) {
	e := &bulkEngine{}
	at, file := startEngine(t, e), corpusFile(t, 5000)
	journal := filepath.Join(t.TempDir(), "journal")
	load := func(more ...string) (int, string, string) {
		return call("", append([]string{"load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal",
			journal}, more...)...)
	}
	code, text, errs := load()
	if code != 0 || len(e.docs) != 5000 || e.docs["d7"] != `{"text":"text of 7","title":"t"}` || e.bulks != 3 {
		t.Fatalf("%d %s %s: %d documents by %d requests", code, text, errs, len(e.docs), e.bulks)
	}
	if !strings.Contains(text, `"kind": "opensearch"`) || !strings.Contains(errs, `"analyzer": "english"`) ||
		!strings.Contains(errs, "the index i has 5000") {
		t.Errorf("%s %s", text, errs)
	}
	// again: the journal says that nothing is left
	if code, _, errs := load(); code != 0 || e.bulks != 3 || !strings.Contains(errs,
		"5,000 documents are written already") {
		t.Errorf("%d %s, %d requests", code, errs, e.bulks)
	}
	// without a journal each document is written again under its id
	if code, _, errs := load("-journal", "none"); code != 0 || len(e.docs) != 5000 || e.bulks != 6 {
		t.Errorf("%d %s, %d documents", code, errs, len(e.docs))
	}
	// the index is gone: from the start
	e.made, e.docs = false, map[string]string{}
	if code, _, errs := load(); code != 0 || len(e.docs) != 5000 || !strings.Contains(errs,
		"of an index that is gone") {
		t.Errorf("%d %s, %d documents", code, errs, len(e.docs))
	}
	// another corpus
	other := corpusFile(t, 10)
	code, _, errs = call("", "load", other, "-to", "opensearch", "-url", at, "-index", "i", "-journal", journal)
	if code != 3 || !strings.Contains(errs, "4,990 documents that the index i has are not in this corpus, such as d10. "+
		"-delete deletes them") || len(e.docs) != 5000 {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := load("-to", "elasticsearch"); code != 3 || !strings.Contains(errs,
		"it is of opensearch, index i") {
		t.Errorf("%d %s", code, errs)
	}
}

// Texts that were edited are written again and no others, documents that the corpus no longer has are deleted when that
// is wanted, and one that comes back is written.
func TestLoadOfAnEditedCorpus(t *testing.T) {
	e := &bulkEngine{}
	at, file := startEngine(t, e), corpusFile(t, 5000)
	journal := filepath.Join(t.TempDir(), "journal")
	load := func(want int, more ...string) string {
		t.Helper()
		code, _, errs := call("", append([]string{"load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal",
			journal}, more...)...)
		if code != want {
			t.Fatalf("%d %s", code, errs)
		}
		return errs
	}
	load(0)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(whole), `"text of 7"`, `"another text"`, 1)
	os.WriteFile(file, []byte(edited), 0o666)
	if errs := load(0); !strings.Contains(errs, "1 document written, 4,999 unchanged") || e.bulks != 4 ||
		e.docs["d7"] != `{"text":"another text","title":"t"}` {
		t.Errorf("%s: %s, %d requests", errs, e.docs["d7"], e.bulks)
	}
	os.WriteFile(file, []byte(strings.Replace(edited, `{"_id":"d9","title":"t","text":"text of 9"}`+"\n", "", 1)), 0o666)
	if errs := load(3); !strings.Contains(errs, "1 document that the index i has is not in this corpus, such as d9") ||
		len(e.docs) != 5000 {
		t.Errorf("%s, %d documents", errs, len(e.docs))
	}
	if errs := load(0, "-delete"); !strings.Contains(errs, "0 documents written, 4,999 unchanged, 1 deleted") ||
		len(e.docs) != 4999 || e.docs["d9"] != "" {
		t.Errorf("%s, %d documents", errs, len(e.docs))
	}
	os.WriteFile(file, whole, 0o666)
	for range 2 { // the second time nothing is left to do
		load(0, "-delete")
		if len(e.docs) != 5000 || e.docs["d9"] == "" || e.docs["d7"] != `{"text":"text of 7","title":"t"}` {
			t.Errorf("%d documents, %s", len(e.docs), e.docs["d7"])
		}
	}
}

// A wait for an engine is told, with what it waits for; an answer without a reason says so.
func TestLoadSaysWhatItWaitsFor(t *testing.T) {
	e := &bulkEngine{busy: func(n int) int { return map[int]int{1: 429, 2: 400}[n] }}
	at, file := startEngine(t, e), corpusFile(t, 1)
	code, _, errs := call("", "load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal", "none")
	if code != 3 || !strings.Contains(errs, "opensearch answers with status 429 (too many requests): waiting 0.2 s. "+
		"0 documents are written") || !strings.Contains(errs, "it gives no reason") {
		t.Errorf("%d %s", code, errs)
	}
}

// A busy engine gets fewer requests at once, and no document is lost.
func TestLoadSlowsDown(t *testing.T) {
	e := &bulkEngine{pause: 5 * time.Millisecond, busy: func(n int) int {
		return map[int]int{2: 429, 3: 503, 5: 429}[n]
	}}
	at, file := startEngine(t, e), corpusFile(t, 20_000)
	code, _, errs := call("", "load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal", "none")
	// by hand: 10 batches of 2,000, and three that were sent again
	if code != 0 || len(e.docs) != 20_000 || e.bulks != 13 || e.most > 4 || e.most < 2 {
		t.Errorf("%d %s: %d documents by %d requests, %d at once", code, errs, len(e.docs), e.bulks, e.most)
	}
}

// A load that is killed goes on where it was.
func TestLoadIsResumed(t *testing.T) {
	e := &bulkEngine{pause: 20 * time.Millisecond}
	at, file := startEngine(t, e), corpusFile(t, 60_000)
	journal := filepath.Join(t.TempDir(), "journal")
	args := []string{"load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal", journal, "-j", "2"}
	cmd := itself(args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	bulks := func() int { e.mu.Lock(); defer e.mu.Unlock(); return e.bulks }
	for deadline := time.Now().Add(time.Minute); bulks() < 10; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the load does not begin")
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if n := bulks(); n >= 30 {
		t.Skip("it was over before it was killed")
	}
	// a line that was cut off
	f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"written":[["d59`)
	f.Close()
	code, _, errs := call("", args...)
	// by hand: 30 batches, and at most those on their way when it was killed once more
	if n := bulks(); code != 0 || len(e.docs) != 60_000 || n > 30+2+1 || !strings.Contains(errs,
		"documents are written already") {
		t.Errorf("%d %s: %d documents by %d requests", code, errs, len(e.docs), n)
	}
}

// An error names the document, also where the engine refuses a request as a whole.
func TestLoadNamesTheDocument(t *testing.T) {
	for _, wholly := range []bool{false, true} {
		e := &bulkEngine{refuses: "d2345", wholly: wholly}
		at, file := startEngine(t, e), corpusFile(t, 5000)
		args := []string{"load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal", "none", "-quiet"}
		code, _, errs := call("", args...)
		if code != 3 || !strings.Contains(errs, "opensearch refuses document d2345, number 2,346 of the corpus") {
			t.Errorf("%d %s", code, errs)
		}
		code, _, errs = call("", append(args, "-skip", "1")...)
		if code != 0 || len(e.docs) != 4999 || !strings.Contains(errs, "d2345") {
			t.Errorf("%d %s: %d documents", code, errs, len(e.docs))
		}
	}
}

func TestLoadRefusals(t *testing.T) {
	e := &bulkEngine{authorised: "Basic c2VjcmV0"}
	at, file := startEngine(t, e), corpusFile(t, 10)
	t.Setenv("ENGINE_KEY", "c2VjcmV0")
	for _, x := range []struct {
		name string
		args []string
		code int
		said string
	}{
		{"no engine", []string{"-to", "solr"}, 2, "is not one of opensearch, elasticsearch, weaviate, qdrant, vespa"},
		{"no index", []string{"-index", ""}, 2, "plain name"},
		{"an upper-case index", []string{"-index", "Wire"}, 2, "lower case"},
		{"a class in lower case", []string{"-to", "weaviate"}, 2, "capital letter"},
		{"credentials in the address", []string{"-url", "http://me:x@host"}, 2, "want http"},
		{"no variable", []string{"-secret", "NOBODY_SET_THIS"}, 2, "no such environment variable"},
		{"no key", nil, 3, "name the environment variable that holds it with -secret"},
		{"no engine there", []string{"-url", "http://127.0.0.1:9"}, 3, "opensearch cannot be reached"},
		{"no vectors", []string{"-vectors", "minilm"}, 3, "no vectors of the model minilm"},
		{"a key", []string{"-secret", "ENGINE_KEY"}, 0, "the index i has 10"},
	} {
		args := append([]string{"load", file, "-to", "opensearch", "-url", at, "-index", "i", "-journal", "none"},
			x.args...)
		code, _, errs := call("", args...)
		if code != x.code || !strings.Contains(errs, x.said) || strings.Contains(errs, "c2VjcmV0") {
			t.Errorf("%s: %d %s", x.name, code, errs)
		}
	}
	far := distantOf(t, beir(t))
	if code, _, errs := call("", "load", far, "-to", "opensearch", "-url", at, "-index", "i", "-journal",
		"none"); code != 3 ||
		!strings.Contains(errs, "no documents to load") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, _ := call("", "index", "-queries", filepath.Join(far, "queries.jsonl"), "-o", t.TempDir()); code != 2 {
		t.Errorf("an index of no documents: %d", code)
	}
	if code, text, _ := call("", "load", file, "-to", "vespa", "-index", "wire", "-dry-run"); code != 0 ||
		!strings.Contains(text, "rank-profile bm25") {
		t.Errorf("%d %s", code, text)
	}
}

// SciFact in a real OpenSearch (2.19.1 by scripts/cluster/Node.java) or Elasticsearch (7.10.2), at the address of
// RANKBOX_OPENSEARCH or RANKBOX_ELASTICSEARCH: loaded, and searched by queries and judgments alone, it has the figures
// of bm25 over the documents here, and returns their titles and texts.
func TestLoadIntoARealEngine(t *testing.T) {
	for _, kind := range []string{"opensearch", "elasticsearch"} {
		t.Run(kind, func(t *testing.T) { loadIntoARealEngine(t, kind) })
	}
}

func loadIntoARealEngine(t *testing.T, kind string) {
	variable := "RANKBOX_" + strings.ToUpper(kind)
	at := os.Getenv(variable)
	if at == "" {
		t.Skip(variable + " is not set: the address of a node that may be written to")
	}
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		t.Skip("reference data absent: RANKBOX_SHARED is not set")
	}
	data := filepath.Join(root, "data", "scifact")
	index := fmt.Sprintf("rankbox-test-%d", time.Now().UnixNano())
	code, printed, errs := call("", "load", data, "-to", kind, "-url", at, "-index", index, "-journal", "none")
	if code != 0 || !strings.Contains(errs, "the index "+index+" has 5183") {
		t.Fatalf("%d %s", code, errs)
	}
	t.Cleanup(func() {
		q, _ := http.NewRequest("DELETE", at+"/"+index, nil)
		if a, err := http.DefaultClient.Do(q); err == nil {
			a.Body.Close()
		}
	})
	address := served(t, printed)
	figures := func(words ...string) string {
		code, run, errs := call("", append([]string{"search", "-quiet", "-t", "tag"}, words...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		file := filepath.Join(t.TempDir(), "run")
		if err := os.WriteFile(file, []byte(run), 0o666); err != nil {
			t.Fatal(err)
		}
		code, text, errs := call("", "eval", filepath.Join(data, "qrels/test.tsv"), file, "nDCG@10", "R@100")
		if code != 0 {
			t.Fatal(errs)
		}
		return text
	}
	here := figures(data, "-s", "bm25")
	there := figures(distantOf(t, data), "-s", "search(backend="+index+")", "-edge", address)
	if here != there {
		t.Errorf("here %s, in %s %s", here, kind, there)
	}
	t.Logf("bm25 here and in %s: %s", kind, strings.ReplaceAll(there, "\n", ", "))
	a, err := http.Post(address+"/api/v1/documents", "application/json",
		strings.NewReader(`{"backend":"`+index+`","ids":["4983","0"]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	// SciFact's corpus.jsonl has 4983 as its first document and no document 0
	if text, err := io.ReadAll(a.Body); err != nil || a.StatusCode != 200 ||
		!strings.Contains(string(text), "Microstructural development of human newborn cerebral white matter") ||
		strings.Contains(string(text), `"id":"0"`) {
		t.Errorf("%d %s %v", a.StatusCode, text, err)
	}
}
