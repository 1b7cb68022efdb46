package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/remote/gateway"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// The scores that come through the edge from the cross-encoder of scripts/embed/serve.py, in TEI's and in Cohere's
// form, are those that the demo keeps as a run, of the first twenty documents of three queries. It runs where
// RANKBOX_RERANKER is the server's address.
func TestScoresOfTheRealCrossEncoder(t *testing.T) {
	at := os.Getenv("RANKBOX_RERANKER")
	if at == "" {
		t.Skip("RANKBOX_RERANKER is not set: python scripts/embed/serve.py --cross prints the address")
	}
	dir := os.DirFS(filepath.Join("..", "..", "site", "collections", "harbour-wire"))
	c, err := collection.ReadBEIR(dir, "", collection.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, d := range c.Docs {
		texts[d.ID] = strings.TrimSpace(d.Title + " " + d.Text)
	}
	runs, err := bundle.ReadRuns(dir, "runs")
	if err != nil || len(runs) != 1 {
		t.Fatal(runs, err)
	}
	config, err := gateway.ParseConfig(
		[]byte(fmt.Sprintf(`{"backends":[{"id":"tei","kind":"tei","url":"%[1]s","does":["rerank"]},{"id":"cohere",`+
			`"kind":"cohere","url":"%[1]s","model":"cross-encoder","does":["rerank"]}]}`, at)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := edge.New(config, edge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"tei", "cohere"} {
		worst := 0.0
		for i, q := range c.Queries[:3] {
			want := map[string]float64{}
			type document struct {
				ID   string `json:"id"`
				Text string `json:"text"`
			}
			var docs []document
			for _, e := range runs[0].Run.Ranked(i, collection.DocIDDescending, nil)[:20] {
				want[e.Doc] = 1 / (1 + math.Exp(-e.Score))
				docs = append(docs, document{e.Doc, texts[e.Doc]})
			}
			if runs[0].Run.Queries()[i] != q.ID {
				t.Fatalf("query %s is %s in the run", q.ID, runs[0].Run.Queries()[i])
			}
			body, _ := json.Marshal(map[string]any{"backend": id, "query": q.Text, "documents": docs})
			ask := httptest.NewRequest("POST", "/api/v1/rerank", bytes.NewReader(body))
			ask.Header.Set("Content-Type", "application/json")
			a := httptest.NewRecorder()
			h.ServeHTTP(a, ask)
			var got struct {
				Results []struct {
					ID    string
					Score float64
				}
			}
			if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil || a.Code != 200 ||
				len(got.Results) != len(docs) {
				t.Fatalf("%s: %d %s, %v", id, a.Code, a.Body, err)
			}
			for _, r := range got.Results {
				worst = max(worst, math.Abs(r.Score-want[r.ID]))
			}
		}
		t.Logf("%s: 60 scores, largest difference %.2g", id, worst)
		if worst > 2e-4 { // the run keeps three decimals of what the sigmoid is taken of
			t.Errorf("%s: a score differs by %g", id, worst)
		}
	}
}
