package load

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// weaviate is Weaviate 1.25 and later. An object has a UUID, so the document's id is in the property docid. An object
// counts as
// written if all of its replicas have it.
//
// Source: https://docs.weaviate.io/weaviate/api/rest#tag/batch/POST/batch/objects
var weaviate = &Engine{
	Name:     "weaviate",
	Batch:    500,
	InFlight: 4,
	Check: func(t *Target) error {
		if c := t.Index[0]; c < 'A' || c > 'Z' {
			return errors.New("a class of Weaviate begins with a capital letter")
		}
		return nil
	},
	Schema: weaviateSchema,
	Setup: func(t *Target) []Call {
		schema := t.Schema
		if schema == nil {
			schema = weaviateSchema(t)
		}
		return []Call{{"POST", "/v1/schema", "application/json", schema}}
	},
	Exists: func(status int, body []byte) bool {
		return status == 422 && strings.Contains(string(body), "already exists")
	},
	Write: func(t *Target, docs []Doc) Call {
		b := []byte(`{"objects":[`)
		for i := range docs {
			d := &docs[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"class":"`+t.Index+`","id":"`+UUID(d.ID)+`","properties":`...)
			b = member(d.fields(b), "docid", d.ID)
			b = append(b, '}')
			if d.Vector != nil {
				b = append(append(b, `,"vector":`...), d.vector()...)
			}
			b = append(b, '}')
		}
		return Call{"POST", "/v1/batch/objects?consistency_level=ALL", "application/json", append(b, "]}"...)}
	},
	Read: weaviateRead,
	Delete: func(t *Target, ids []string) Call {
		return Call{"DELETE", "/v1/objects/" + t.Index + "/" + UUID(ids[0]) + "?consistency_level=ALL", "", nil}
	},
	Deletes: 1,
	Finish:  func(*Target) []Call { return nil },
	Backend: func(t *Target) string {
		return `"index": "` + t.Index + `", "id_field": "docid", "text_fields": ["title", "text"], "title_field": ` +
			`"title", ` +
			`"text_field": "text"`
	},
}

func weaviateSchema(t *Target) []byte {
	return []byte(`{
  "class": "` + t.Index + `",
  "vectorizer": "none",
  "vectorIndexConfig": {"distance": "cosine"},
  "invertedIndexConfig": {"bm25": {"k1": 0.9, "b": 0.4}},
  "properties": [
    {"name": "docid", "dataType": ["text"], "tokenization": "field"},
    {"name": "title", "dataType": ["text"], "tokenization": "word"},
    {"name": "text", "dataType": ["text"], "tokenization": "word"},
    {"name": "date", "dataType": ["text"], "tokenization": "field", "indexSearchable": false},
    {"name": "category", "dataType": ["text"], "tokenization": "field", "indexSearchable": false}
  ]
}
`)
}

// weaviateRead reads [{"result":{"status":"SUCCESS"}}…], with result.errors.error[].message for an object that is
// refused.
func weaviateRead(body []byte, docs []Doc) (Result, error) {
	var out Result
	n := 0
	r := reader(body)
	for r.BeginArray(); r.More(); n++ {
		failed, why := false, ""
		members(r, func(key string) bool {
			if key != "result" {
				return false
			}
			members(r, func(key string) bool {
				switch {
				case key == "status" && r.Peek() == '"':
					failed = r.String() == "FAILED" || failed
				case key == "errors" && r.Peek() == '{':
					failed, why = true, weaviateErrors(r)
				default:
					return false
				}
				return true
			})
			return true
		})
		switch {
		case failed && weaviateLate(why):
			out.Busy = append(out.Busy, n)
		case failed:
			out.Refused = append(out.Refused, Refusal{n, short(why)})
		}
	}
	if err := end(r); err != nil {
		return Result{}, err
	}
	if n != len(docs) {
		return Result{}, errShape
	}
	return out, nil
}

// weaviateLate reports whether an object was not written because a node was late or away, so that it may be sent again.
func weaviateLate(why string) bool {
	for _, p := range []string{"consistency level", "replica", "deadline exceeded", "timeout", "connection refused",
		"EOF"} {
		if strings.Contains(why, p) {
			return true
		}
	}
	return false
}

// weaviateErrors reads the first message of {"error":[{"message":…}]}.
func weaviateErrors(r *jsontext.Reader) (why string) {
	members(r, func(key string) bool {
		if key != "error" || r.Peek() != '[' {
			return false
		}
		for r.BeginArray(); r.More(); {
			members(r, func(key string) bool {
				if key != "message" || r.Peek() != '"' || why != "" {
					return false
				}
				why = r.String()
				return true
			})
		}
		return true
	})
	return why
}
