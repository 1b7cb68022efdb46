package edge

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/gateway"
)

// The vectors that come through the edge from the encoder of scripts/embed/serve.py, in both of its wire formats, are those that were stored
// (all-MiniLM-L6-v2, float32, onnxruntime) within 1e-4. It runs where RANKBOX_ENCODER is the server's address.
func TestVectorsOfTheRealEncoder(t *testing.T) {
	at := os.Getenv("RANKBOX_ENCODER")
	if at == "" {
		t.Skip("RANKBOX_ENCODER is not set: python scripts/embed/serve.py prints the address")
	}
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		t.Skip("reference data absent: RANKBOX_SHARED is not set")
	}
	data, vectors := filepath.Join(root, "data", "scifact"), filepath.Join(root, "embeddings", "scifact")
	texts := map[string]string{}
	f, err := os.Open(filepath.Join(data, "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
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
	names, err := os.ReadFile(filepath.Join(vectors, "doc_ids.txt"))
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Fields(string(names))
	npy, err := os.ReadFile(filepath.Join(vectors, "all-MiniLM-L6-v2", "docs.npy"))
	if err != nil {
		t.Fatal(err)
	}
	rows := npy[len(npy)-len(ids)*384*4:] // behind the header: float32, little-endian, C order
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"backends":[{"id":"tei","kind":"tei","url":"%[1]s","does":["embed"],"dimensions":384},{"id":"openai","kind":"openai","url":"%[1]s/v1","model":"all-MiniLM-L6-v2","does":["embed"],"batch":8}]}`, at)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"tei", "openai"} {
		var input []string
		var want []byte
		for i := 0; i < len(ids); i += len(ids) / 12 {
			input = append(input, texts[ids[i]])
			want = append(want, rows[i*384*4:(i+1)*384*4]...)
		}
		body, _ := json.Marshal(map[string]any{"backend": id, "input": input})
		a := h.serve(&gateway.Call{Method: "POST", Path: "/api/v1/embed", ContentType: "application/json", Client: "test", Body: func(int) ([]byte, error) { return body, nil }})
		var got struct{ Vectors [][]float32 }
		if err := json.NewDecoder(bytes.NewReader(a.Body)).Decode(&got); err != nil || a.Status != 200 || len(got.Vectors) != len(input) {
			t.Fatalf("%s: %d %s, %v", id, a.Status, short(string(a.Body)), err)
		}
		worst := 0.0
		for i, v := range got.Vectors {
			for j, x := range v {
				worst = max(worst, math.Abs(float64(x)-float64(math.Float32frombits(binary.LittleEndian.Uint32(want[(i*384+j)*4:])))))
			}
		}
		t.Logf("%s: %d vectors, largest difference %.2g", id, len(input), worst)
		if worst > 1e-4 {
			t.Errorf("%s: a value differs by %g", id, worst)
		}
	}
}
