package collection

import (
	"strings"
	"testing"
)

// Every JSON that is read says where a key is there again: those that name queries and documents by what is repeated,
// the others by the key.
func TestARepeatedKeyIsAWarningWithItsLine(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a run's document", "{\"q1\": {\"d1\": 2.5,\n\"d1\": 1.5}}", "conflicting-score×1@2"},
		{"a run's query", "{\"q1\": {\"d1\": 2.5},\n\"q1\": {\"d2\": 1.5}}", "duplicate-id×1@2"},
		{"judgments", "{\"q1\": {\"d1\": 2,\n\"d1\": 2}}", "duplicate-judgment×1@2"},
		{"a dataset",
			"{\"metadata\":{},\"queries\":{\"q1\":{\"query_id\":\"q1\",\"text\":\"t\",\n\"text\":\"u\"}},\"documents\":{\"d1\":{\"doc_id\":\"d1\",\"text\":\"x\"}},\n\"qrels\":{\"q1\":{\"d1\":1}}}",
			"repeated-key×1@2"},
		{"a dataset's parts",
			"{\"queries\":{\"q1\":{\"query_id\":\"q1\",\"text\":\"t\"}},\"documents\":{\"d1\":{\"doc_id\":\"d1\",\"text\":\"x\"}},\"qrels\":{\"q1\":{\"d1\":1}},\n\"documents\":{}}",
			"repeated-key×1@2"},
		{"judged queries", "[{\"query\":\"one\",\"type\":\"a\",\"relevant_articles\":{\"a1\":2},\n\"query\":\"two\"}]",
			"repeated-key×1@2"},
		{"a benchmark",
			"{\"schema_version\":\"1.0\",\"metadata\":{},\"queries\":[{\"query_key\":\"q\",\"query_text\":\"t\",\n\"query_text\":\"u\",\"relevant_docs\":[{\"doc_ref\":{\"document_id\":\"a\"},\n\"relevance_grade\":1,\"relevance_grade\":2}]}]}",
			"repeated-key×2@2"},
		{"a corpus",
			"{\"_id\":\"d0\",\"title\":\"t\",\"text\":\"x\"}\n{\"_id\":\"d1\",\"title\":\"t\",\"text\":\"x\",\"text\":\"y\"}\n",
			"repeated-key×1@2"},
		{"queries", "{\"_id\":\"q0\",\"text\":\"x\"}\n{\"_id\":\"q1\",\"text\":\"x\",\"text\":\"y\"}\n",
			"repeated-key×1@2"},
	} {
		got := mustRead(t, c.text, Options{})
		list := got.Warnings
		if got.Collection != nil {
			list = append(list, got.Collection.Warnings...)
		}
		if all := kinds(list); !strings.Contains(all, c.want) {
			t.Errorf("%s: %q, want %q", c.name, all, c.want)
		}
	}
}
