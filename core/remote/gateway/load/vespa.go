package load

// vespa is Vespa 8. A schema comes to it in an application package, which its own tools deploy, so Setup is empty.
//
// Source: https://docs.vespa.ai/en/reference/document-v1-api-reference.html
var vespa = &Engine{
	Name:     "vespa",
	Batch:    1,
	InFlight: 64,
	Schema: func(t *Target) []byte {
		vector, semantic := "", ""
		if t.Dimensions > 0 {
			n := number(t.Dimensions)
			vector = `
    field vector type tensor<float>(x[` + n + `]) {
      indexing: attribute | index
      attribute { distance-metric: angular }
    }`
			semantic = `
  rank-profile semantic {
    inputs { query(q) tensor<float>(x[` + n + `]) }
    first-phase { expression: closeness(field, vector) }
  }
  rank-profile hybrid inherits bm25 {
    inputs { query(q) tensor<float>(x[` + n + `]) }
    global-phase { expression: reciprocal_rank(bm25(title) + bm25(text)) + reciprocal_rank(closeness(field, vector)) }
  }`
		}
		return []byte(`schema ` + t.Index + ` {
  document ` + t.Index + ` {
    field docid type string { indexing: summary | attribute }
    field title type string { indexing: summary | index
      index: enable-bm25 }
    field text type string { indexing: summary | index
      index: enable-bm25 }
    field date type string { indexing: summary | attribute }
    field category type string { indexing: summary | attribute }` + vector + `
  }
  fieldset default { fields: title, text }
  rank-profile bm25 {
    first-phase { expression: bm25(title) + bm25(text) }
  }` + semantic + `
}
`)
	},
	Setup: func(*Target) []Call { return nil },
	Write: func(t *Target, docs []Doc) Call {
		d := &docs[0]
		b := member(d.fields([]byte(`{"fields":`)), "docid", d.ID)
		if d.Vector != nil {
			b = append(append(append(b, `,"vector":{"values":`...), d.vector()...), '}')
		}
		return Call{"POST", "/document/v1/" + t.Index + "/" + t.Index + "/docid/" + escaped(d.ID),
			"application/json",
			append(b, "}}"...)}
	},
	Read: whole,
	Delete: func(t *Target, ids []string) Call {
		return Call{"DELETE", "/document/v1/" + t.Index + "/" + t.Index + "/docid/" + escaped(ids[0]), "", nil}
	},
	Deletes: 1,
	Finish:  func(*Target) []Call { return nil },
	Backend: func(t *Target) string {
		s := `"index": "` + t.Index + `", "id_field": "docid", "title_field": "title", "text_field": "text"`
		if t.Dimensions > 0 {
			s += `, "vector_field": "vector"`
		}
		return s
	},
}
