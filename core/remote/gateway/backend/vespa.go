package backend

import "strings"

// vespa is Vespa's query API. Its schema must have the rank profiles bm25, semantic and hybrid, with query(q) as the
// vector.
//
// Source: https://docs.vespa.ai/en/reference/query-api-reference.html
var vespa = &Kind{
	Name:    "vespa",
	Auth:    bearer,
	Inspect: vespaCount,
	Search: &Searching{
		Documents: vespaDocuments,
		Path:      func(s *Settings) string { return "/search/" },
		Templates: map[Mode]string{
			BM25: `{"yql":"select * from ${index} where userQuery()","query":"$query","type":"tokenize",` +
				`"hits":"$k","ranking":"bm25"}`,
			KNN: `{"yql":"select * from ${index} where {targetHits:${candidates}}nearestNeighbor(${vector_field},` +
				`q)","input.query(q)":"$vector","hits":"$k","ranking":"semantic"}`,
			Hybrid: `{"yql":"select * from ${index} where userQuery() or ` +
				`({targetHits:${candidates}}nearestNeighbor(${vector_field},q))","query":"$query","type":"tokenize",` +
				`"input.query(q)":"$vector","hits":"$k","ranking":"hybrid"}`,
		},
		Read: func(s *Settings, body []byte) ([]Hit, error) {
			var out []Hit
			failed, partial := false, false
			r := reader(body)
			members(r, func(key string) bool {
				if key != "root" {
					return false
				}
				members(r, func(key string) bool {
					switch key {
					case "errors":
						failed = true
						return false
					case "coverage":
						members(r, func(key string) bool {
							if key != "full" {
								return false
							}
							partial = !r.Bool()
							return true
						})
						return true
					case "children":
					default:
						return false
					}
					out = hitOf{"id", "relevance", "fields"}.hits(s, r)
					return true
				})
				return true
			})
			if failed {
				return nil, Broken
			}
			if partial { // a node is missing: the order would not be the collection's
				return nil, Busy
			}
			for i, h := range out { // id:namespace:type::name
				if _, name, ok := strings.Cut(h.ID, "::"); ok && s.IDField == "" {
					out[i].ID = name
				}
			}
			return out, end(r)
		},
	},
}
