package backend

// voyage is Voyage AI's API.
var voyage = &Kind{
	Name:   "voyage",
	About:  "Voyage AI: embeddings and reranking",
	Source: "https://docs.voyageai.com/reference/embeddings-api and https://docs.voyageai.com/reference/reranker-api",
	Auth:   bearer,
	Embed: &Embedding{
		Batch:   128,
		Outputs: []Output{Dense},
		Sized:   true,
		Ask: func(s *Settings, in Texts) Request {
			role := in.Role
			if role == "" {
				role = Document
			}
			return Request{"/v1/embeddings", object(s.sized("output_dimension", "model", quote(s.Model), "input",
				list(s.prefixed(in)),
				"input_type", quote(string(role)), "truncation", "true")...)}
		},
		Read: indexed,
	},
	Rerank: &Reranking{
		Batch: 1000,
		Ask: func(s *Settings, query string, texts []string) Request {
			return Request{"/v1/rerank", object("model", quote(s.Model), "query", quote(query), "documents", list(texts), "return_documents", "false", "truncation", "true")}
		},
		Read: scoresIn("data", "relevance_score"),
	},
}
