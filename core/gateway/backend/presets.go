package backend

// Presets are kinds that are described: one variable a kind, and its line in Kinds.

var gemini = must("gemini", `{
	"about": "Gemini: embeddings",
	"source": "https://ai.google.dev/api/embeddings",
	"auth": {"header": "x-goog-api-key", "prefix": ""},
	"embed": {
		"path": "/v1beta/models/${model}:batchEmbedContents",
		"body": {"requests": "$each"},
		"each": {"model": "models/${model}", "content": {"parts": [{"text": "$text"}]}, "taskType": "$role",
			"outputDimensionality": "$dimensions"},
		"roles": {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"},
		"batch": 100, "list": "/embeddings", "vector": "/values"
	}
}`)

var mistral = must("mistral", `{
	"about": "Mistral: embeddings",
	"source": "https://docs.mistral.ai/api/endpoint/embeddings",
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "output_dimension": "$dimensions"},
		"batch": 64, "list": "/data", "vector": "/embedding", "index": "/index"
	}
}`)

var vllm = must("vllm", `{
	"about": "vLLM: embeddings and reranking",
	"source": "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "encoding_format": "float", "dimensions": "$dimensions"},
		"batch": 64, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"rerank": {
		"path": "/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents"},
		"batch": 256, "list": "/results", "index": "/index", "score": "/relevance_score"
	}
}`)

var infinity = must("infinity", `{
	"about": "infinity: embeddings and reranking",
	"source": "https://michaelfeil.github.io/infinity/",
	"embed": {
		"path": "/embeddings",
		"body": {"model": "$model", "input": "$texts", "encoding_format": "float"},
		"batch": 128, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"rerank": {
		"path": "/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents", "return_documents": false},
		"batch": 256, "list": "/results", "index": "/index", "score": "/relevance_score"
	}
}`)

// solr reads operators in a query, as its edismax does, but no fields.
var solr = must("solr", `{
	"about": "Solr: BM25, kNN",
	"source": "https://solr.apache.org/guide/solr/latest/query-guide/json-query-dsl.html",
	"auth": {"header": "Authorization", "prefix": "Basic "},
	"search": {
		"path": "/solr/${index}/query",
		"bodies": {
			"bm25": {"query": {"edismax": {"query": "$query", "qf": "$fields_by_space", "uf": "-*", "mm": "0"}},
				"limit": "$k",
				"fields": ["${id}", "score"]},
			"knn": {"query": {"knn": {"f": "$vector_field", "topK": "$k", "query": "${vector}"}}, "limit": "$k",
				"fields": ["${id}", "score"]}
		},
		"list": "/response/docs", "id": "/${id}", "score": "/score"
	}
}`)

var meilisearch = must("meilisearch", `{
	"about": "Meilisearch: its ranking rules, kNN, hybrid",
	"source": "https://www.meilisearch.com/docs/reference/api/search",
	"search": {
		"path": "/indexes/${index}/search",
		"bodies": {
			"bm25": {"q": "$query", "limit": "$k", "attributesToRetrieve": ["${id}"], "showRankingScore": true,
				"matchingStrategy": "last"},
			"knn": {"q": "$query", "vector": "$vector", "hybrid": {"embedder": "$vector_field", "semanticRatio": 1.0},
				"limit": "$k",
				"attributesToRetrieve": ["${id}"], "showRankingScore": true},
			"hybrid": {"q": "$query", "vector": "$vector", "hybrid": {"embedder": "$vector_field",
				"semanticRatio": 0.5}, "limit": "$k",
				"attributesToRetrieve": ["${id}"], "showRankingScore": true}
		},
		"list": "/hits", "id": "/${id}", "score": "/_rankingScore"
	}
}`)

var typesense = must("typesense", `{
	"about": "Typesense: its text match",
	"source": "https://typesense.org/docs/latest/api/federated-multi-search.html",
	"auth": {"header": "X-TYPESENSE-API-KEY", "prefix": ""},
	"search": {
		"path": "/multi_search",
		"bodies": {
			"bm25": {"searches": [{"collection": "$index", "q": "$query", "query_by": "$fields_by_comma",
				"prefix": false, "per_page": "$k",
				"include_fields": "${id}"}]}
		},
		"list": "/results/0/hits", "id": "/document/${id}", "score": "/text_match"
	}
}`)
