package backend

// elasticsearch is Elasticsearch 8 and later. Its hybrid search needs a licence that has reciprocal rank fusion.
//
// Source: https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-search
var elasticsearch = &Kind{
	Name:    "elasticsearch",
	Auth:    func(key string) (string, string) { return "Authorization", "ApiKey " + key },
	Inspect: luceneStats,
	Mapping: luceneMapping,
	Pin:     pinning("/_pit", "id"),
	Search: &Searching{
		Path: searchPath,
		Templates: map[Mode]string{
			BM25: lucene,
			KNN: `{"size":"$k","_source":["${id}"],"knn":{"field":"$vector_field","query_vector":"$vector",` +
				`"k":"$k","num_candidates":"$candidates"}}`,
			Hybrid: `{"size":"$k","_source":["${id}"],"retriever":{"rrf":{"rank_window_size":"$candidates",` +
				`"retrievers":[{"standard":{"query":{"multi_match":{"query":"$query","fields":"$fields"}}}},` +
				`{"knn":{"field":"$vector_field","query_vector":"$vector","k":"$candidates",` +
				`"num_candidates":"$candidates"}}]}}}`,
		},
		Read:      luceneHits,
		Documents: luceneDocuments,
	},
}

// lucene asks Elasticsearch and OpenSearch alike: the words of a text, in fields with weights.
const lucene = `{"size":"$k","_source":["${id}"],"query":{"multi_match":{"query":"$query","fields":"$fields",` +
	`"type":"most_fields"}}}`

func searchPath(s *Settings) string { return "/" + s.Index + "/_search" }

// luceneHits reads hits.hits[]: _id or a field of _source, and _score.
func luceneHits(s *Settings, body []byte) ([]Hit, error) {
	var out []Hit
	partial := false
	r := reader(body)
	members(r, func(key string) bool {
		switch key {
		case "timed_out":
			partial = r.Bool()
			return true
		case "_shards":
			members(r, func(key string) bool {
				if key != "failed" {
					return false
				}
				partial = partial || r.Int() > 0
				return true
			})
			return true
		case "hits":
		default:
			return false
		}
		members(r, func(key string) bool {
			if key != "hits" {
				return false
			}
			out = hitOf{"_id", "_score", "_source"}.hits(s, r)
			return true
		})
		return true
	})
	if err := end(r); err != nil {
		return nil, err
	}
	if partial { // a shard is missing: the order would not be the collection's
		return nil, Busy
	}
	return out, nil
}
