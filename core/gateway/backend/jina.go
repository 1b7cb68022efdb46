package backend

// jina is Jina AI's API.
var jina = &Kind{
	Name:   "jina",
	About:  "Jina AI: embeddings and reranking",
	Source: "https://api.jina.ai/redoc",
	Auth:   bearer,
	Embed: &Embedding{
		Batch:   128,
		Outputs: []Output{Dense},
		Sized:   true,
		Ask: func(s *Settings, in Texts) Request {
			task := "retrieval.passage"
			if in.Role == Query {
				task = "retrieval.query"
			}
			return Request{"/v1/embeddings", object(s.sized("dimensions", "model", quote(s.Model), "input",
				list(s.prefixed(in)),
				"task", quote(task),
				"embedding_type", `"float"`)...)}
		},
		Read: indexed,
	},
	Rerank: &Reranking{
		Batch: 512,
		Ask: func(s *Settings, query string, texts []string) Request {
			return Request{"/v1/rerank", object("model", quote(s.Model), "query", quote(query), "documents", list(texts), "return_documents", "false")}
		},
		Read: scoresIn("results", "relevance_score"),
	},
}
