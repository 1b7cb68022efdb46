package backend

// tei is Hugging Face's Text Embeddings Inference: one model a server, which embeds, gives a vector a token, weights of
// terms, or reranks.
//
// Source: https://huggingface.github.io/text-embeddings-inference/
var tei = &Kind{
	Name: "tei",
	Auth: bearer,
	Embed: &Embedding{
		Batch:   32, // --max-client-batch-size
		Outputs: []Output{Dense, Tokens, Sparse},
		Ask: func(s *Settings, in Texts) Request {
			switch in.Output {
			case Tokens:
				return Request{"/embed_all", object("inputs", list(s.prefixed(in)), "truncate", "true")}
			case Sparse:
				return Request{"/embed_sparse", object("inputs", list(s.prefixed(in)), "truncate", "true")}
			}
			return Request{"/embed", object("inputs", list(s.prefixed(in)), "normalize", "true", "truncate", "true")}
		},
		Read: func(body []byte, in Texts) (Vectors, error) {
			var v Vectors
			r := reader(body)
			switch in.Output {
			case Dense:
				v.Dense = vectors(r)
			case Tokens:
				for r.BeginArray(); r.More(); {
					v.Tokens = append(v.Tokens, vectors(r))
				}
			case Sparse:
				for r.BeginArray(); r.More(); {
					weights := []Weight{}
					for r.BeginArray(); r.More(); {
						var w Weight
						members(r, func(key string) bool {
							switch key {
							case "index":
								n := r.Int()
								if n < 0 || n > 1<<31 {
									r.Fail(errShape)
								}
								w.Index = uint32(n)
							case "value":
								w.Value = float32(r.Float())
							default:
								return false
							}
							return true
						})
						weights = append(weights, w)
					}
					v.Sparse = append(v.Sparse, weights)
				}
			}
			return v, end(r)
		},
	},
	Inspect: teiInfo,
	Rerank: &Reranking{
		Batch: 32,
		Ask: func(s *Settings, query string, texts []string) Request {
			return Request{"/rerank", object("query", quote(query), "texts", list(texts), "raw_scores", "false",
				"return_text", "false", "truncate", "true")}
		},
		Read: func(body []byte) ([]Score, error) {
			r := reader(body)
			s := scores(r, "score")
			return s, end(r)
		},
	},
	Fault: func(status int, body []byte) Fault {
		switch {
		case status == 413 && says(body, "batch size"):
			return Refused
		case status == 424: // the model does not do what was asked, or failed
			return Broken
		case status == 422: // cannot be tokenised
			return Refused
		}
		return ""
	},
}
