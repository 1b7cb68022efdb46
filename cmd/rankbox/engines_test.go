package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// postTo sends JSON and returns the answer, which must be a success.
func postTo(t *testing.T, url string, value any) []byte {
	t.Helper()
	body, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode >= 300 {
		t.Fatalf("%s: %d %s %v", url, a.StatusCode, text[:min(len(text), 500)], err)
	}
	return text
}

// storedRows are the float32 vectors of a file of RANKBOX_SHARED/embeddings/scifact, by id.
func storedRows(t *testing.T, root, model, name, ids string) map[string][]float32 {
	t.Helper()
	dir := filepath.Join(root, "embeddings", "scifact")
	names, err := os.ReadFile(filepath.Join(dir, ids))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, model, name))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float32{}
	list := strings.Fields(string(names))
	b = b[len(b)-len(list)*384*4:] // behind the header: float32, little-endian, C order
	for i, id := range list {
		row := make([]float32, 384)
		for j := range row {
			row[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[(i*384+j)*4:]))
		}
		out[id] = row
	}
	return out
}

// figuresIn are nDCG@10 and R@100 of a run of SciFact.
func figuresIn(t *testing.T, data, run string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(file, []byte(run), 0o666); err != nil {
		t.Fatal(err)
	}
	code, text, errs := call("", "eval", filepath.Join(data, "qrels/test.tsv"), file, "nDCG@10", "R@100")
	if code != 0 {
		t.Fatal(errs)
	}
	return strings.Join(strings.Fields(text), " ")
}

// served starts an edge with one search backend.
func served(t *testing.T, backend string) string {
	t.Helper()
	config, err := gateway.ParseConfig([]byte(`{"limits":{"per_minute":100000},"backends":[` + backend + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	h, err := edge.New(config, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// nearest is the run of all queries by a backend's kNN, with the stored vectors.
func nearest(t *testing.T, root, at, backend string) string {
	t.Helper()
	var run strings.Builder
	for id, v := range storedRows(t, root, "all-MiniLM-L6-v2", "queries.npy", "query_ids.txt") {
		var a struct {
			Results []struct {
				ID    string
				Score float64
			}
		}
		text := postTo(t, at+"/api/v1/search", map[string]any{"backend": backend, "mode": "knn", "query": "q",
			"vector": v, "top_k": 100})
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		for i, r := range a.Results {
			fmt.Fprintf(&run, "%s Q0 %s %d %v tag\n", id, r.ID, i+1, r.Score)
		}
	}
	return run.String()
}

// exact are the figures of the exact search over all-MiniLM-L6-v2's vectors (trec_eval through pytrec_eval, README of
// the embeddings).
const exact = "nDCG@10 0.6451 R@100 0.9250"

// realEngine is the address of a variable, and the shared data.
func realEngine(t *testing.T, variable, program string) (at, root string) {
	t.Helper()
	if at = os.Getenv(variable); at == "" {
		t.Skipf("%s is not set: the address of scripts/cluster/%s", variable, program)
	}
	if root = os.Getenv("RANKBOX_SHARED"); root == "" {
		t.Skip("reference data absent: RANKBOX_SHARED is not set")
	}
	return at, root
}

// SciFact in a real Solr (9.10.1 by scripts/cluster/Solr.java) at the address RANKBOX_SOLR: its bm25 has the figures of
// bm25 here, and its kNN those of the exact search.
func TestSearchInSolr(t *testing.T) {
	at, root := realEngine(t, "RANKBOX_SOLR", "Solr.java")
	data := filepath.Join(root, "data", "scifact")
	c, err := collection.ReadBEIR(os.DirFS(data), "test", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	vectors := storedRows(t, root, "all-MiniLM-L6-v2", "docs.npy", "doc_ids.txt")
	for i := 0; i < len(c.Docs); i += 500 {
		var batch []map[string]any
		for _, d := range c.Docs[i:min(i+500, len(c.Docs))] {
			batch = append(batch, map[string]any{"id": d.ID, "title": d.Title, "text": d.Text,
				"all": d.Title + " " + d.Text, "vector": vectors[d.ID]})
		}
		postTo(t, at+"/solr/collection/update", batch)
	}
	postTo(t, at+"/solr/collection/update", map[string]any{"commit": map[string]any{}, "optimize": map[string]any{}})
	edge := served(t, fmt.Sprintf(`{"id":"solr","kind":"solr","url":%q,"does":["search"],"index":"collection",
		"id_field":"id","text_fields":["all"],"modes":["bm25","knn"],"vector_field":"vector",
		"title_field":"title","text_field":"text"}`, at))
	search := func(words ...string) string {
		t.Helper()
		code, run, errs := call("", append([]string{"search", "-quiet", "-t", "tag"}, words...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		return figuresIn(t, data, run)
	}
	here := search(data, "-s", "bm25")
	if there := search(distantOf(t, data), "-s", "search(backend=solr)", "-edge", edge); here != there {
		t.Errorf("bm25 here %s, in Solr %s", here, there)
	}
	// an id that is not there is left out
	var stored struct {
		Documents []struct{ ID, Title, Text string }
	}
	text := postTo(t, edge+"/api/v1/documents", map[string]any{"backend": "solr",
		"ids": []string{c.Docs[7].ID, "no, such", c.Docs[2].ID}})
	if err := json.Unmarshal(text, &stored); err != nil || len(stored.Documents) != 2 {
		t.Fatalf("%s %v", text, err)
	}
	for _, d := range stored.Documents {
		for _, want := range []collection.Doc{c.Docs[7], c.Docs[2]} {
			if d.ID == want.ID && (d.Title != want.Title || d.Text != want.Text) {
				t.Errorf("%+v, want %+v", d, want)
			}
		}
	}
	if got := figuresIn(t, data, nearest(t, root, edge, "solr")); got != exact {
		t.Errorf("kNN: %s, want %s", got, exact)
	}
}

// SciFact in a real PostgreSQL with pgvector, behind the adapter of scripts/cluster/postgres.py at the address
// RANKBOX_POSTGREST: its kNN has the figures of the exact search. Its text search is no BM25, so it only has to answer.
func TestSearchInPostgreSQL(t *testing.T) {
	at, root := realEngine(t, "RANKBOX_POSTGREST", "postgres.py")
	data := filepath.Join(root, "data", "scifact")
	edge := served(t, fmt.Sprintf(`{"id":"pg","kind":"postgrest","url":%q,"does":["search"],"index":"search",
		"modes":["bm25","knn"],"title_field":"title","text_field":"body"}`, at))
	if got := figuresIn(t, data, nearest(t, root, edge, "pg")); got != exact {
		t.Errorf("kNN: %s, want %s", got, exact)
	}
	code, run, errs := call("", "search", "-quiet", "-t", "tag", distantOf(t, data), "-s", "search(backend=pg)",
		"-edge",
		edge)
	if code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	t.Logf("ts_rank_cd: %s", figuresIn(t, data, run))
	storedAre(t, data, edge, "pg")
}

// storedAre compares the titles and texts that a backend returns with those of a corpus: the first 300, more than some
// engines return at once, and an id that is not there.
func storedAre(t *testing.T, data, at, backend string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type document struct {
		ID    string `json:"_id"`
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	want := map[string]document{}
	ids := []string{"no such document"}
	for line := range strings.Lines(string(text)) {
		var d document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		want[d.ID] = d
		if ids = append(ids, d.ID); len(ids) > 300 {
			break
		}
	}
	seen := 0
	for part := range slices.Chunk(ids, 256) {
		var a struct {
			Documents []struct{ ID, Title, Text string }
		}
		body := postTo(t, at+"/api/v1/documents", map[string]any{"backend": backend, "ids": part})
		if err := json.Unmarshal(body, &a); err != nil {
			t.Fatal(err)
		}
		for _, d := range a.Documents {
			seen++
			if w := want[d.ID]; d.Title != w.Title || d.Text != w.Text {
				t.Errorf("%s is %q, %q, want %q, %q", d.ID, d.Title, d.Text, w.Title, w.Text)
			}
		}
	}
	if seen != 300 {
		t.Errorf("%d of 300 documents", seen)
	}
}
