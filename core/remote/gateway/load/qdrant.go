package load

import "github.com/rankbox/rankbox/core/internal/jsontext"

// qdrant is Qdrant 1.15 and later, which makes the weights of bm25 itself. A point has a UUID, so the document's id
// is in the
// payload's docid.
//
// Source: https://api.qdrant.tech/api-reference/points/upsert-points
var qdrant = &Engine{
	Name:     "qdrant",
	Batch:    500,
	InFlight: 2,
	Schema:   qdrantSchema,
	Setup: func(t *Target) []Call {
		schema := t.Schema
		if schema == nil {
			schema = qdrantSchema(t)
		}
		return []Call{
			{"PUT", "/collections/" + t.Index, "application/json", schema},
			{"PUT", "/collections/" + t.Index + "/index?wait=true", "application/json",
				[]byte(`{"field_name":"docid","field_schema":"keyword"}`)},
		}
	},
	Exists: func(status int, _ []byte) bool { return status == 409 },
	Write: func(t *Target, docs []Doc) Call {
		b := []byte(`{"points":[`)
		for i := range docs {
			d := &docs[i]
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"id":"`+UUID(d.ID)+`","vector":{"bm25":{"model":"qdrant/bm25","text":`...)
			words := d.Text
			if d.Title != "" {
				words = d.Title + " " + d.Text
			}
			b = append(jsontext.AppendQuote(b, words), '}')
			if d.Vector != nil {
				b = append(append(b, `,"vector":`...), d.vector()...)
			}
			b = member(d.fields(append(b, `},"payload":`...)), "docid", d.ID)
			b = append(b, "}}"...)
		}
		return Call{"PUT", "/collections/" + t.Index + "/points?wait=true", "application/json", append(b, "]}"...)}
	},
	Read: whole,
	Delete: func(t *Target, ids []string) Call {
		b := []byte(`{"points":[`)
		for i, id := range ids {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `"`+UUID(id)+`"`...)
		}
		return Call{"POST", "/collections/" + t.Index + "/points/delete?wait=true", "application/json",
			append(b, "]}"...)}
	},
	Finish: func(*Target) []Call { return nil },
	Backend: func(t *Target) string {
		s := `"index": "` + t.Index + `", "id_field": "docid", "title_field": "title", "text_field": "text"`
		if t.Dimensions > 0 {
			s += `, "vector_field": "vector"`
		}
		return s
	},
}

func qdrantSchema(t *Target) []byte {
	vector := ""
	if t.Dimensions > 0 {
		vector = `
  "vectors": {"vector": {"size": ` + number(t.Dimensions) + `, "distance": "Cosine"}},`
	}
	return []byte(`{` + vector + `
  "sparse_vectors": {"bm25": {"modifier": "idf"}}
}
`)
}
