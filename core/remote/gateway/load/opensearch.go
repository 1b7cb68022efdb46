package load

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// openSearch is OpenSearch 2 and later. Vectors need its k-NN plugin, which is part of its distribution.
//
// Source: https://docs.opensearch.org/docs/latest/api-reference/document-apis/bulk/
var openSearch = &Engine{
	Name:     "opensearch",
	Batch:    2000,
	InFlight: 4,
	Check:    luceneName,
	Schema:   openSearchSchema,
	Setup:    func(t *Target) []Call { return luceneSetup(t, openSearchSchema(t)) },
	Exists:   luceneExists,
	Write:    luceneWrite,
	Read:     luceneRead,
	Delete:   luceneDelete,
	Finish:   luceneFinish,
	Backend:  luceneBackend,
}

func openSearchSchema(t *Target) []byte {
	vector, knn := "", ""
	if t.Dimensions > 0 {
		knn = "\n    \"index.knn\": true,"
		vector = ",\n      \"vector\": {\"type\": \"knn_vector\", \"dimension\": " + number(t.Dimensions) +
			", \"method\": {\"name\": \"hnsw\", \"engine\": \"lucene\", \"space_type\": \"cosinesimil\"}}"
	}
	return luceneSchema(knn, vector)
}

// luceneSchema is an index that ranks as bm25 does here: Lucene's English analyzer, k1 0.9, b 0.4, title and text in
// one
// field. Titles and texts are stored as they are. One shard, so that idf is the collection's. Nothing can be searched
// before
// Finish, which saves work meanwhile.
func luceneSchema(setting, field string) []byte {
	return []byte(`{
  "settings": {` + setting + `
    "number_of_shards": 1,
    "number_of_replicas": 0,
    "refresh_interval": "-1",
    "similarity": {"rankbox": {"type": "BM25", "k1": 0.9, "b": 0.4}}
  },
  "mappings": {
    "dynamic": false,
    "properties": {
      "all": {"type": "text", "analyzer": "english", "similarity": "rankbox"},
      "title": {"type": "text", "index": false, "copy_to": "all"},
      "text": {"type": "text", "index": false, "copy_to": "all"},
      "date": {"type": "keyword"},
      "category": {"type": "keyword"}` + field + `
    }
  }
}
`)
}

// luceneName says what is wrong with the name of an index.
func luceneName(t *Target) error {
	if strings.ToLower(t.Index) != t.Index || strings.HasPrefix(t.Index, "_") || strings.HasPrefix(t.Index, "-") {
		return errors.New("an index has a name in lower case that begins with a letter or digit")
	}
	return nil
}

func luceneSetup(t *Target, schema []byte) []Call {
	if t.Schema != nil {
		schema = t.Schema
	}
	return []Call{{"PUT", "/" + t.Index, "application/json", schema}}
}

func luceneExists(status int, body []byte) bool {
	return status == 400 && strings.Contains(string(body), "resource_already_exists_exception")
}

// luceneWrite is a bulk request: each document under its id, so that writing it again changes nothing. Of the answer
// only the
// statuses and errors are sent, in the order of the documents.
func luceneWrite(t *Target, docs []Doc) Call {
	n := 0
	for i := range docs {
		n += len(docs[i].ID) + len(docs[i].Title) + len(docs[i].Text) + 12*len(docs[i].Vector) + 80
	}
	b := make([]byte, 0, n)
	for i := range docs {
		d := &docs[i]
		b = jsontext.AppendQuote(append(b, `{"index":{"_id":`...), d.ID)
		b = d.fields(append(b, "}}\n"...))
		if d.Vector != nil {
			b = append(append(b, `,"vector":`...), d.vector()...)
		}
		b = append(b, "}\n"...)
	}
	return Call{"POST", "/" + t.Index + "/_bulk?filter_path=items.*.status,items.*.error.type," +
		"items.*.error.reason,items.*.error.caused_by.reason",
		"application/x-ndjson", b}
}

// luceneDelete is a bulk request as well.
func luceneDelete(t *Target, ids []string) Call {
	var b []byte
	for _, id := range ids {
		b = append(jsontext.AppendQuote(append(b, `{"delete":{"_id":`...), id), "}}\n"...)
	}
	return Call{"POST", "/" + t.Index + "/_bulk?filter_path=errors", "application/x-ndjson", b}
}

// luceneRead reads {"items":[{"index":{"status":201}}…]}.
func luceneRead(body []byte, docs []Doc) (Result, error) {
	var out Result
	n := 0
	r := reader(body)
	members(r, func(key string) bool {
		if key != "items" {
			return false
		}
		for r.BeginArray(); r.More(); n++ {
			members(r, func(string) bool {
				luceneItem(r, n, &out)
				return true
			})
		}
		return true
	})
	if err := end(r); err != nil {
		return Result{}, err
	}
	if n != len(docs) {
		return Result{}, errShape
	}
	return out, nil
}

// luceneItem reads what became of document n.
func luceneItem(r *jsontext.Reader, n int, out *Result) {
	status, kind, why := 0, "", ""
	text := func(to *string) bool {
		if r.Peek() != '"' {
			return false
		}
		*to = r.String()
		return true
	}
	members(r, func(key string) bool {
		switch key {
		case "status":
			status = int(r.Int())
			return true
		case "error":
			members(r, func(key string) bool {
				switch key {
				case "type":
					return text(&kind)
				case "reason":
					return text(&why)
				case "caused_by":
					members(r, func(key string) bool {
						cause := ""
						if key != "reason" || !text(&cause) {
							return false
						}
						why += ": " + cause
						return true
					})
					return true
				}
				return false
			})
			return true
		}
		return false
	})
	switch {
	case status/100 == 2:
	case status == 429 || status == 503:
		out.Busy = append(out.Busy, n)
	default:
		if why == "" {
			why = "status " + number(status)
		}
		out.Refused = append(out.Refused, Refusal{n, short(strings.TrimPrefix(kind+": "+why, ": "))})
	}
}

// luceneFinish makes the documents searchable.
func luceneFinish(t *Target) []Call {
	return []Call{
		{"PUT", "/" + t.Index + "/_settings", "application/json", []byte(`{"index":{"refresh_interval":null}}`)},
		{"POST", "/" + t.Index + "/_refresh", "application/json", nil},
	}
}

func luceneBackend(t *Target) string {
	s := `"index": "` + t.Index + `", "text_fields": ["all"], "title_field": "title", "text_field": "text"`
	if t.Dimensions > 0 {
		s += `, "vector_field": "vector"`
	}
	return s
}

var errShape = errors.New("load: the answer does not match the documents")
