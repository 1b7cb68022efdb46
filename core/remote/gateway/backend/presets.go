package backend

// Presets are kinds that are described: one variable a kind, and its line in Kinds.

// openAI is the format of OpenAI's embeddings, which many servers have too. It takes 2,048 texts at once, others
// fewer. Without quota it is no use to come later.
//
// Source: https://platform.openai.com/docs/api-reference/embeddings/create
var openAI = must("openai", `{
	"embed": {
		"path": "/embeddings",
		"body": {"model": "$model", "input": "$texts", "encoding_format": "float", "dimensions": "$dimensions"},
		"batch": 256, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"faults": [
		{"status": 400, "says": "context_length_exceeded", "is": "too-long"},
		{"status": 400, "says": "maximum context length", "is": "too-long"},
		{"status": 429, "says": "insufficient_quota", "is": "unauthorised"}
	]
}`)

// cohere has status 498 for a token that is not valid any more, and 499 for a request that was cancelled.
//
// Source: https://docs.cohere.com/reference/embed and https://docs.cohere.com/reference/rerank
var cohere = must("cohere", `{
	"embed": {
		"path": "/v2/embed",
		"body": {"model": "$model", "texts": "$texts", "input_type": "$role", "embedding_types": ["float"],
			"truncate": "END", "output_dimension": "$dimensions"},
		"roles": {"query": "search_query", "document": "search_document"},
		"batch": 96, "list": "/embeddings/float", "vector": ""
	},
	"rerank": {
		"path": "/v2/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents"},
		"batch": 1000, "list": "/results", "index": "/index", "score": "/relevance_score"
	},
	"faults": [{"status": 498, "is": "unauthorised"}, {"status": 499, "is": "busy"}]
}`)

// jina is Jina AI: embeddings and reranking.
//
// Source: https://api.jina.ai/redoc
var jina = must("jina", `{
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "task": "$role", "embedding_type": "float",
			"dimensions": "$dimensions"},
		"roles": {"query": "retrieval.query", "document": "retrieval.passage"},
		"batch": 128, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"rerank": {
		"path": "/v1/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents", "return_documents": false},
		"batch": 512, "list": "/results", "index": "/index", "score": "/relevance_score"
	}
}`)

// voyage is Voyage AI: embeddings and reranking.
//
// Source: https://docs.voyageai.com/reference/embeddings-api and https://docs.voyageai.com/reference/reranker-api
var voyage = must("voyage", `{
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "input_type": "$role", "truncation": true,
			"output_dimension": "$dimensions"},
		"batch": 128, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"rerank": {
		"path": "/v1/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents", "return_documents": false,
			"truncation": true},
		"batch": 1000, "list": "/data", "index": "/index", "score": "/relevance_score"
	}
}`)

// gemini is Gemini: embeddings.
//
// Source: https://ai.google.dev/api/embeddings
var gemini = must("gemini", `{
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

// mistral is Mistral: embeddings.
//
// Source: https://docs.mistral.ai/api/endpoint/embeddings
var mistral = must("mistral", `{
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "output_dimension": "$dimensions"},
		"batch": 64, "list": "/data", "vector": "/embedding", "index": "/index"
	}
}`)

// vllm is vLLM: embeddings and reranking.
//
// Source: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
var vllm = must("vllm", `{
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

// infinity is infinity: embeddings and reranking.
//
// Source: https://michaelfeil.github.io/infinity/
var infinity = must("infinity", `{
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

// solr takes a query as words: the simple parser without its operators, where edismax would leave out what follows a
// hyphen. The scores of several fields are added.
//
// Source: https://solr.apache.org/guide/solr/latest/query-guide/other-parsers.html
var solr = must("solr", `{
	"auth": {"header": "Authorization", "prefix": "Basic "},
	"search": {
		"path": "/solr/${index}/query",
		"bodies": {
			"bm25": {"query": {"simple": {
				"query": "$query", "qf": "$fields_by_space", "q.operators": "", "q.op": "OR"}},
				"limit": "$k",
				"fields": ["${id}", "score"]},
			"knn": {"query": {"knn": {"f": "$vector_field", "topK": "$k", "query": "${vector}"}}, "limit": "$k",
				"fields": ["${id}", "score"]}
		},
		"list": "/response/docs", "id": "/${id}", "score": "/score"
	},
	"documents": {
		"path": "/solr/${index}/query",
		"body": {"query": {"terms": {"f": "$id", "query": "$ids_by_line", "separator": "\n"}}, "limit": "$n",
			"fields": "$stored"},
		"list": "/response/docs", "id": "/${id}"
	}
}`)

// meilisearch returns documents by its primary key, which id_field must be for it.
//
// Source: https://www.meilisearch.com/docs/reference/api/search
var meilisearch = must("meilisearch", `{
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
	},
	"documents": {
		"path": "/indexes/${index}/documents/fetch",
		"body": {"ids": "$ids", "fields": "$stored", "limit": "$n"},
		"list": "/results", "id": "/${id}"
	}
}`)

// typesense is Typesense: its text match.
//
// Source: https://typesense.org/docs/latest/api/federated-multi-search.html
var typesense = must("typesense", `{
	"auth": {"header": "X-TYPESENSE-API-KEY", "prefix": ""},
	"search": {
		"path": "/multi_search",
		"bodies": {
			"bm25": {"searches": [{"collection": "$index", "q": "$query", "query_by": "$fields_by_comma",
				"prefix": false, "per_page": "$k",
				"include_fields": "${id}"}]}
		},
		"list": "/results/0/hits", "id": "/document/${id}", "score": "/text_match"
	},
	"documents": {
		"path": "/multi_search",
		"body": {"searches": [{"collection": "$index", "q": "*", "filter_by": "$filter_by_ids", "per_page": "$n",
			"include_fields": "$stored_by_comma"}]},
		"batch": 250, "list": "/results/0/hits", "id": "/document/${id}", "fields": "/document"
	}
}`)

// milvus has a vector for each entity, and for bm25 a sparse one that a BM25 function makes from its text:
// text_fields names that field, vector_field the other. With the metric L2 its distances rank the wrong way round. It
// returns documents by its primary key, which id_field must be for it.
//
// Source: https://milvus.io/api-reference/restful/v2.5.x/v2/Vector%20(v2)/Search.md
var milvus = must("milvus", `{
	"search": {
		"path": "/v2/vectordb/entities/search",
		"bodies": {
			"bm25": {"collectionName": "$index", "data": ["$query"], "annsField": "$fields_by_comma", "limit": "$k",
				"outputFields": ["${id}"]},
			"knn": {"collectionName": "$index", "data": ["$vector"], "annsField": "$vector_field", "limit": "$k",
				"outputFields": ["${id}"]}
		},
		"list": "/data", "id": "/${id}", "score": "/distance"
	},
	"documents": {
		"path": "/v2/vectordb/entities/get",
		"body": {"collectionName": "$index", "id": "$ids", "outputFields": "$stored"},
		"list": "/data", "id": "/${id}"
	}
}`)

// postgrest calls a function of PostgreSQL whose name is the index: (mode text, query text, k int, vector text). It
// returns rows of id and score. Titles and texts come from a second one, NAME_documents(ids text[]), with rows of id,
// title_field and text_field. scripts/cluster/postgres.py has both for pgvector.
//
// Source: https://docs.postgrest.org/en/v13/references/api/functions.html
var postgrest = must("postgrest", `{
	"search": {
		"path": "/rpc/${index}",
		"bodies": {
			"bm25": {"mode": "bm25", "query": "$query", "k": "$k"},
			"knn": {"mode": "knn", "query": "$query", "k": "$k", "vector": "${vector}"},
			"hybrid": {"mode": "hybrid", "query": "$query", "k": "$k", "vector": "${vector}"}
		},
		"list": "", "id": "/id", "score": "/score"
	},
	"documents": {
		"path": "/rpc/${index}_documents",
		"body": {"ids": "$ids"},
		"list": "", "id": "/id"
	}
}`)

// azure is Azure OpenAI: embeddings; the model is the name of the deployment.
//
// Source: https://learn.microsoft.com/en-us/azure/ai-foundry/openai/latest
var azure = must("azure", `{
	"auth": {"header": "api-key", "prefix": ""},
	"embed": {
		"path": "/openai/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "encoding_format": "float", "dimensions": "$dimensions"},
		"batch": 64, "list": "/data", "vector": "/embedding", "index": "/index"
	}
}`)

// ollama is Ollama: embeddings.
//
// Source: https://docs.ollama.com/api/embed
var ollama = must("ollama", `{
	"embed": {
		"path": "/api/embed",
		"body": {"model": "$model", "input": "$texts", "truncate": true, "dimensions": "$dimensions"},
		"batch": 64, "list": "/embeddings", "vector": ""
	}
}`)

// llamaCpp is llama.cpp: embeddings and reranking.
//
// Source: https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
var llamaCpp = must("llama-cpp", `{
	"embed": {
		"path": "/v1/embeddings",
		"body": {"model": "$model", "input": "$texts", "encoding_format": "float"},
		"batch": 64, "list": "/data", "vector": "/embedding", "index": "/index"
	},
	"rerank": {
		"path": "/v1/rerank",
		"body": {"model": "$model", "query": "$query", "documents": "$documents"},
		"batch": 256, "list": "/results", "index": "/index", "score": "/relevance_score"
	}
}`)

// vllmPooling is for models that vLLM's other address does not embed with. Without a task some versions answer with a
// vector for each token.
//
// Source: https://docs.vllm.ai/en/latest/models/pooling_models/
var vllmPooling = must("vllm-pooling", `{
	"embed": {
		"path": "/pooling",
		"body": {"model": "$model", "task": "embed", "input": "$texts", "encoding_format": "float"},
		"batch": 64, "list": "/data", "vector": "/data", "index": "/index"
	}
}`)

// voyageContext embeds each text as a document of one chunk, and a query as such.
//
// Source: https://docs.voyageai.com/reference/contextualized-embeddings-api
var voyageContext = must("voyage-context", `{
	"embed": {
		"path": "/v1/contextualizedembeddings",
		"body": {"inputs": "$each", "input_type": "$role", "model": "$model", "output_dimension": "$dimensions"},
		"each": ["$text"],
		"batch": 64, "list": "/data", "vector": "/data/0/embedding", "index": "/index"
	}
}`)

// bedrock has Cohere's models at Amazon: some embed, others rerank.
//
// Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
var bedrock = must("bedrock", `{
	"sign": "bedrock",
	"embed": {
		"path": "/model/${model}/invoke",
		"body": {"texts": "$texts", "input_type": "$role"},
		"roles": {"query": "search_query", "document": "search_document"},
		"batch": 96, "list": "/embeddings", "vector": ""
	},
	"rerank": {
		"path": "/model/${model}/invoke",
		"body": {"query": "$query", "documents": "$documents", "api_version": 2},
		"batch": 1000, "list": "/results", "index": "/index", "score": "/relevance_score"
	}
}`)

// bedrockTitan is Amazon Bedrock: Titan's embeddings, a text a request.
//
// Source: https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
var bedrockTitan = must("bedrock-titan", `{
	"sign": "bedrock",
	"embed": {
		"path": "/model/${model}/invoke",
		"body": {"inputText": "$text", "dimensions": "$dimensions", "normalize": true},
		"batch": 1, "list": "", "vector": "/embedding"
	}
}`)
