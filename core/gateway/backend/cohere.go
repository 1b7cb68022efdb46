package backend

// cohere is Cohere's API, version 2.
var cohere = &Kind{
	Name:   "cohere",
	About:  "Cohere: embeddings and reranking, API version 2",
	Source: "https://docs.cohere.com/reference/embed and https://docs.cohere.com/reference/rerank",
	Auth:   bearer,
	Embed: &Embedding{
		Batch:   96,
		Outputs: []Output{Dense},
		Sized:   true,
		Ask: func(s *Settings, in Texts) Request {
			role := "search_document"
			if in.Role == Query {
				role = "search_query"
			}
			return Request{"/v2/embed", object(s.sized("output_dimension", "model", quote(s.Model), "texts",
				list(s.prefixed(in)),
				"input_type", quote(role), "embedding_types", `["float"]`, "truncate", `"END"`)...)}
		},
		Read: func(body []byte, in Texts) (Vectors, error) {
			var v Vectors
			r := reader(body)
			members(r, func(key string) bool {
				if key != "embeddings" {
					return false
				}
				members(r, func(key string) bool {
					if key != "float" {
						return false
					}
					v.Dense = vectors(r)
					return true
				})
				return true
			})
			return v, end(r)
		},
	},
	Rerank: &Reranking{
		Batch: 1000,
		Ask: func(s *Settings, query string, texts []string) Request {
			return Request{"/v2/rerank", object("model", quote(s.Model), "query", quote(query), "documents", list(texts))}
		},
		Read: scoresIn("results", "relevance_score"),
	},
	Fault: func(status int, body []byte) Fault {
		switch status {
		case 498: // the token is not valid any more
			return Unauthorised
		case 499: // cancelled
			return Busy
		}
		return ""
	},
}
