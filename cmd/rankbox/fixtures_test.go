package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written are inputs as people write them.
var written = map[string]string{
	"matrix.json": `{"primary_k": 10, "k_values_for_metrics": [5, 10, 20], "top_k_values": [100, 200], "search_modes": ["dense", "hybrid"],
"use_reranker": [false, true], "rrf_k_values": [60], "score_thresholds": [null, 0.5]}`,
	"matrix-too-shallow.json": `{
  "k_values_for_metrics": [5, 10, 20],
  "top_k_values": [10], "search_modes": ["bm25"]}`,
	"benchmark.json": `{"schema_version": "1.0", "metadata": {"name": "Harbour sample", "description": "Every kind of reference"},
"queries": [{"query_key": "q1", "query_text": "ferry aground in fog", "relevant_docs": [
{"doc_ref": {"document_id": "hw-0001"}, "relevance_grade": 3},
{"doc_ref": {"uri": "file:///archive/hw-0002.txt"}, "relevance_grade": 2},
{"doc_ref": {"content_hash": "` + strings.Repeat("0", 64) + `"}, "relevance_grade": 1},
{"doc_ref": {"path": "archive/hw-0003.txt"}, "relevance_grade": 1},
{"doc_ref": {"file_name": "hw-0004.txt"}, "relevance_grade": 0}]}]}`,
}

// fixture is one of them: that of the reference data, verbatim, where there is one.
func fixture(t *testing.T, name string) string {
	t.Helper()
	if path := filepath.Join(os.Getenv("RANKBOX_SHARED"), "fixtures", name); os.Getenv("RANKBOX_SHARED") != "" &&
		exists(path) {
		return path
	}
	return file(t, name, written[name])
}

// The configuration of a retrieval service, verbatim: 2 depths, 2 modes, with and without a reranker, one k, 2
// thresholds are 16 runs. The 2 whose scores end at 2/(60 + 1) cannot reach .5.
func TestMatrixAsItIsWritten(t *testing.T) {
	code, out, errs := call("", "run", fixture(t, "matrix.json"), "-collection", wire, "-n")
	if code != 0 || !strings.HasPrefix(out, "14 runs; 2 combinations cannot be.\n") || strings.Count(out, "\n") != 17 {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	for _, top := range []string{"100", "200"} {
		if want := "refused\trrf(bm25, dense, k=60) >> cut(" + top +
			"), score >= 0.5\tno document can reach the score 0.5: scores of rrf end at 0.032787"; !strings.Contains(
			out, want) {
			t.Errorf("without %q:\n%s", want, out)
		}
	}
	code, out, errs = call("", "run", fixture(t, "matrix.json"), "-collection", wire, "-quiet")
	if code != 0 || strings.Contains(out, "-100.0 %") {
		t.Errorf("code %d, %s%.300s", code, errs, out)
	}
	code, _, errs = call("", "run", fixture(t, "matrix-too-shallow.json"), "-collection", wire)
	if code != 3 || !strings.Contains(errs, "line 3: read config matrix: top_k 10 is below the cutoff 20") {
		t.Errorf("code %d, %s", code, errs)
	}
}

// A benchmark that names documents in five ways: what is found counts, what is not is counted as PARTIAL, and the run
// goes on.
func TestBenchmarkAsItIsWritten(t *testing.T) {
	corpus := file(t, "corpus.jsonl", `{"_id":"hw-0001","title":"","text":"a"}
{"_id":"hw-0002","title":"","text":"b","metadata":{"uri":"file:///archive/hw-0002.txt"}}
{"_id":"hw-0003","title":"","text":"c","metadata":{"path":"archive/hw-0003.txt"}}
{"_id":"hw-0004","title":"","text":"d","metadata":{"file_name":"hw-0004.txt"}}
`)
	code, out, errs := call("", "convert", fixture(t, "benchmark.json"), "-corpus", corpus)
	if code != 0 || out != "q1 0 hw-0001 3\nq1 0 hw-0002 2\nq1 0 hw-0003 1\nq1 0 hw-0004 0\n" ||
		!strings.Contains(errs, "PARTIAL: 1 of 5 references") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
	run := file(t, "a.run", "q1 Q0 hw-0001 1 2 t\nq1 Q0 hw-0004 2 1 t\n")
	code, out, errs = call("", "compare", fixture(t, "benchmark.json"), run, "-corpus", corpus, "-m", "P@1")
	if code != 0 || !strings.Contains(errs, "PARTIAL") {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
}
