package backend

// qdrant is Qdrant's query API. BM25 needs a sparse vector field whose weights Qdrant makes itself (1.15 and later):
// TextFields names it.
//
// Source: https://api.qdrant.tech/api-reference/search/query-points
var qdrant = &Kind{
	Name:    "qdrant",
	Auth:    func(key string) (string, string) { return "api-key", key },
	Inspect: qdrantCount,
	Search: &Searching{
		Documents: qdrantDocuments,
		Path:      func(s *Settings) string { return "/collections/" + s.Index + "/points/query" },
		Templates: map[Mode]string{
			BM25: `{"query":{"text":"$query","model":"qdrant/bm25"},"using":"bm25","limit":"$k",` +
				`"with_payload":["${id}"]}`,
			KNN: `{"query":"$vector","using":"$vector_field","limit":"$k","with_payload":["${id}"]}`,
			Hybrid: `{"prefetch":[{"query":{"text":"$query","model":"qdrant/bm25"},"using":"bm25",` +
				`"limit":"$candidates"},{"query":"$vector","using":"$vector_field","limit":"$candidates"}],` +
				`"query":{"fusion":"rrf"},"limit":"$k","with_payload":["${id}"]}`,
		},
		Read: func(s *Settings, body []byte) ([]Hit, error) {
			var out []Hit
			r := reader(body)
			members(r, func(key string) bool {
				if key != "result" {
					return false
				}
				members(r, func(key string) bool {
					if key != "points" {
						return false
					}
					out = hitOf{"id", "score", "payload"}.hits(s, r)
					return true
				})
				return true
			})
			return out, end(r)
		},
	},
}
