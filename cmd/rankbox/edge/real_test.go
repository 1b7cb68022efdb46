package edge

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// prefixes are those of the models in RANKBOX_SHARED/embeddings: of queries and of documents.
var prefixes = map[string][2]string{
	"all-MiniLM-L6-v2":  {},
	"bge-small-en-v1.5": {"Represent this sentence for searching relevant passages: "},
	"e5-small-v2":       {"query: ", "passage: "},
}

// textsOf are the texts of a file in BEIR's layout, by id: title and text.
func textsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	texts := map[string]string{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d struct {
			ID    string `json:"_id"`
			Title string
			Text  string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		texts[d.ID] = strings.TrimSpace(d.Title + " " + d.Text)
	}
	return texts
}

// Vectors that come through the edge from the encoder of scripts/embed/serve.py, in both of its wire formats and with
// the prefixes of the configuration, have a cosine of at least .9999 with those that were stored (Cranfield's, float32,
// onnxruntime 1.31.1), for whichever of the three models it serves: 32 documents and all 225 queries. It runs if
// RANKBOX_ENCODER is the server's address.
func TestVectorsOfTheRealEncoder(t *testing.T) {
	at := os.Getenv("RANKBOX_ENCODER")
	if at == "" {
		t.Skip("RANKBOX_ENCODER is not set: python scripts/embed/serve.py prints the address")
	}
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		t.Skip("reference data absent: RANKBOX_SHARED is not set")
	}
	r, err := http.Get(at + "/info")
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		Model string `json:"model_id"`
	}
	err = json.NewDecoder(r.Body).Decode(&info)
	r.Body.Close()
	prefix, known := prefixes[info.Model]
	if err != nil || !known {
		t.Fatalf("the server has the model %q, %v", info.Model, err)
	}
	config, err := json.Marshal(map[string]any{"backends": []map[string]any{
		{"id": "tei", "kind": "tei", "url": at, "does": []string{"embed"}, "dimensions": 384,
			"query_prefix": prefix[0], "document_prefix": prefix[1]},
		{"id": "openai", "kind": "openai", "url": at + "/v1", "model": info.Model, "does": []string{"embed"},
			"batch":        8,
			"query_prefix": prefix[0], "document_prefix": prefix[1]},
	}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := gateway.ParseConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	data, vectors := filepath.Join(root, "data", "cranfield"), filepath.Join(root, "embeddings", "cranfield")
	for _, x := range []struct {
		role, texts, ids, vectors string
		most                      int
	}{
		{"document", "corpus.jsonl", "doc_ids.txt", "docs.npy", 32},
		{"query", "queries.jsonl", "query_ids.txt", "queries.npy", 225},
	} {
		texts := textsOf(t, filepath.Join(data, x.texts))
		names, err := os.ReadFile(filepath.Join(vectors, x.ids))
		if err != nil {
			t.Fatal(err)
		}
		ids := strings.Fields(string(names))
		npy, err := os.ReadFile(filepath.Join(vectors, info.Model, x.vectors))
		if err != nil {
			t.Fatal(err)
		}
		rows := npy[len(npy)-len(ids)*384*4:] // behind the header: float32, little-endian, C order
		for _, id := range []string{"tei", "openai"} {
			lowest, n := 1.0, 0
			for i := 0; i < len(ids); i += (len(ids) + x.most - 1) / x.most {
				if texts[ids[i]] == "" {
					continue
				}
				got := embedded(t, h, id, x.role, texts[ids[i]])
				lowest, n = min(lowest, cosine(got, rows[i*384*4:(i+1)*384*4])), n+1
			}
			t.Logf("%s by %s: %d vectors of %s, lowest cosine %.8f", info.Model, id, n, x.vectors, lowest)
			if lowest < .9999 || n < 30 {
				t.Errorf("%s by %s, %s: lowest cosine %g of %d", info.Model, id, x.vectors, lowest, n)
			}
		}
	}
}

// embedded is the vector of a text, by the edge.
func embedded(t *testing.T, h *Handler, backend, role, text string) []float32 {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"backend": backend, "role": role, "input": []string{text}})
	a := h.serve(&gateway.Call{Method: "POST", Path: "/api/v1/embed", ContentType: "application/json", Client: "test",
		Body: func(int) ([]byte, error) { return body, nil }})
	var got struct{ Vectors [][]float32 }
	if err := json.NewDecoder(bytes.NewReader(a.Body)).Decode(&got); err != nil || a.Status != 200 ||
		len(got.Vectors) != 1 || len(got.Vectors[0]) != 384 {
		t.Fatalf("%s: %d %s, %v", backend, a.Status, short(string(a.Body)), err)
	}
	return got.Vectors[0]
}

// cosine compares a vector with the bytes of another.
func cosine(a []float32, b []byte) float64 {
	dot, aa, bb := 0.0, 0.0, 0.0
	for i, x := range a {
		y := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:])))
		dot, aa, bb = dot+float64(float64(x)*y), aa+float64(float64(x)*float64(x)), bb+float64(y*y)
	}
	return dot / math.Sqrt(aa*bb)
}
