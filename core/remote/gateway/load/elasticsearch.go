package load

// elasticsearch is Elasticsearch 8 and later.
//
// Source: https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk
var elasticsearch = &Engine{
	Name:     "elasticsearch",
	Batch:    2000,
	InFlight: 4,
	Check:    luceneName,
	Schema:   elasticSchema,
	Setup:    func(t *Target) []Call { return luceneSetup(t, elasticSchema(t)) },
	Exists:   luceneExists,
	Write:    luceneWrite,
	Read:     luceneRead,
	Delete:   luceneDelete,
	Finish:   luceneFinish,
	Backend:  luceneBackend,
}

func elasticSchema(t *Target) []byte {
	vector := ""
	if t.Dimensions > 0 {
		vector = ",\n      \"vector\": {\"type\": \"dense_vector\", \"dims\": " + number(t.Dimensions) +
			", \"index\": true, \"similarity\": \"cosine\"}"
	}
	return luceneSchema("", vector)
}
