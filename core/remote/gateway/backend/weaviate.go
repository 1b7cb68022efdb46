package backend

import (
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// weaviate is Weaviate 1.25 and later, asked in GraphQL. Within a query stand a JSON string and a JSON array, which
// GraphQL reads alike.
//
// Source: https://docs.weaviate.io/weaviate/api/graphql/search-operators
var weaviate = &Kind{
	Name:    "weaviate",
	Auth:    bearer,
	Inspect: weaviateCount,
	Search: &Searching{
		Documents: weaviateDocuments,
		ByField:   true,
		Path:      func(s *Settings) string { return "/v1/graphql" },
		Templates: map[Mode]string{
			BM25: `{"query":"{ Get { ${index}(bm25: {query: ${query}, properties: ${fields}}, limit: ${k}) { ${id} ` +
				`_additional { score } } } }"}`,
			KNN: `{"query":"{ Get { ${index}(nearVector: {vector: ${vector}}, limit: ${k}) { ${id} _additional { ` +
				`distance } } } }"}`,
			Hybrid: `{"query":"{ Get { ${index}(hybrid: {query: ${query}, vector: ${vector}, properties: ${fields}, ` +
				`alpha: 0.5}, limit: ${k}) { ${id} _additional { score } } } }"}`,
		},
		Read: func(s *Settings, body []byte) ([]Hit, error) {
			var out []Hit
			found, failed := false, false
			r := reader(body)
			members(r, func(key string) bool {
				switch key {
				case "errors":
					failed = r.Peek() == '['
					return false
				case "data":
				default:
					return false
				}
				members(r, func(key string) bool {
					if key != "Get" {
						return false
					}
					members(r, func(key string) bool {
						if key != s.Index || r.Peek() != '[' {
							return false
						}
						for r.BeginArray(); r.More(); {
							out = append(out, weaviateHit(s, r))
						}
						found = true
						return true
					})
					return true
				})
				return true
			})
			if failed { // an error has status 200, and may lack the data
				return nil, Broken
			}
			if err := end(r); err != nil {
				return nil, err
			}
			if !found {
				return nil, errShape
			}
			return out, nil
		},
	},
}

// weaviateHit reads one object; its score is written as a string, and a distance counts as one minus it.
func weaviateHit(s *Settings, r *jsontext.Reader) Hit {
	var h Hit
	seen := false
	members(r, func(key string) bool {
		switch {
		case key == s.IDField:
			h.ID = scalar(r)
		case key == "_additional":
			members(r, func(key string) bool {
				switch {
				case key == "score" && r.Peek() == '"':
					x, err := strconv.ParseFloat(r.String(), 64)
					if err != nil {
						r.Fail(errShape)
					}
					h.Score, seen = x, true
				case key == "score":
					h.Score, seen = r.Float(), true
				case key == "distance":
					h.Score, seen = 1-r.Float(), true
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	if !seen || h.ID == "" {
		r.Fail(errShape)
	}
	return h
}
