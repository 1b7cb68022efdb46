package backend

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Requests and answers of the presets, with values by Rankbox. Mistral v1, vLLM 0.10, Solr 9, Meilisearch 1.15 and
// Typesense 29 have the form of the vendor's documentation (the comments of presets.go, read 2026-11-25). Not read
// there: the batches of Gemini v1beta, which partly have the form of its client, and the rerank answer of infinity
// 0.0.77 ("results"; an older version has "data"). Milvus v2.5 (its answer in v2.4), PostgREST 13, Azure OpenAI v1,
// Ollama 0.40, llama.cpp and the embeddings of Bedrock were read 2026-11-26, and so were, below github.com:
//
//   - vLLM's /pooling: vllm-project/vllm, docs/models/pooling_models/README.md (the task is to be sent),
//     vllm/entrypoints/pooling/pooling/protocol.py (the answer), and tests/entrypoints/pooling/embed/test_online.py,
//     test_pooling_embed (one flat vector a text).
//   - Voyage's contextual embeddings: voyage-ai/typescript-sdk, generated from Voyage's OpenAPI document,
//     src/api/types/ContextualizedEmbedResponse*.ts, and the whole answer in tests/custom/auto-chunking-wire.test.ts.
//   - Bedrock's reranking by InvokeModel: opensearch-project/documentation-website,
//     _tutorials/reranking/reranking-cohere-bedrock.md, request and answer as sent. Amazon's own pages describe another
//     API for it (Rerank of bedrock-agent-runtime).
func TestPresetsEmbed(t *testing.T) {
	for _, c := range []struct {
		kind            string
		s               Settings
		role            Role
		request, answer string
	}{
		{"gemini", Settings{Model: "gemini-embedding-001", Dimensions: 2}, Query,
			`/v1beta/models/gemini-embedding-001:batchEmbedContents {"requests":[` +
				`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a quay"}]},` +
				`"taskType":"RETRIEVAL_QUERY","outputDimensionality":2},` +
				`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a \"hill\""}]},` +
				`"taskType":"RETRIEVAL_QUERY","outputDimensionality":2}]}`,
			`{"embeddings":[{"values":[0.5,-0.25]},{"values":[1,2]}]}`},
		{"gemini", Settings{Model: "gemini-embedding-001"}, Document,
			`/v1beta/models/gemini-embedding-001:batchEmbedContents {"requests":[` +
				`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a quay"}]},` +
				`"taskType":"RETRIEVAL_DOCUMENT"},` +
				`{"model":"models/gemini-embedding-001","content":{"parts":[{"text":"a \"hill\""}]},` +
				`"taskType":"RETRIEVAL_DOCUMENT"}]}`,
			`{"embeddings":[{"values":[0.5,-0.25]},{"values":[1,2]}]}`},
		{"mistral", Settings{Model: "mistral-embed"}, Query,
			`/v1/embeddings {"model":"mistral-embed","input":["a quay","a \"hill\""]}`,
			`{"id":"e","object":"list","data":[{"object":"embedding","embedding":[1,2],"index":1},` +
				`{"object":"embedding","embedding":[0.5,-0.25],"index":0}],` +
				`"model":"mistral-embed","usage":{"prompt_tokens":15,"total_tokens":15,"completion_tokens":0}}`},
		{"vllm", Settings{Model: "intfloat/e5-small", Dimensions: 2, Prefix: map[Role]string{Query: "query: "}}, Query,
			`/v1/embeddings {"model":"intfloat/e5-small","input":["query: a quay","query: a \"hill\""],` +
				`"encoding_format":"float","dimensions":2}`,
			`{"id":"embd-1","object":"list","created":1,"model":"m","data":[{"index":0,"object":"embedding",` +
				`"embedding":[0.5,-0.25]},{"index":1,"object":"embedding","embedding":[1,2]}],` +
				`"usage":{"prompt_tokens":8,"total_tokens":8}}`},
		{"infinity", Settings{Model: "m"}, Query,
			`/embeddings {"model":"m","input":["a quay","a \"hill\""],"encoding_format":"float"}`,
			`{"object":"list","data":[{"object":"embedding","embedding":[0.5,-0.25],"index":0},` +
				`{"object":"embedding","embedding":[1,2],"index":1}],"model":"m","usage":{"prompt_tokens":8,` +
				`"total_tokens":8},"id":"infinity-1","created":1}`},
		{"azure", Settings{Model: "text-embedding-3-small", Dimensions: 2}, Query,
			`/openai/v1/embeddings {"model":"text-embedding-3-small","input":["a quay","a \"hill\""],` +
				`"encoding_format":"float","dimensions":2}`,
			`{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5,-0.25]},` +
				`{"object":"embedding","index":1,"embedding":[1,2]}],"model":"text-embedding-3-small",` +
				`"usage":{"prompt_tokens":5,"total_tokens":5}}`},
		{"ollama", Settings{Model: "all-minilm"}, Query,
			`/api/embed {"model":"all-minilm","input":["a quay","a \"hill\""],"truncate":true}`,
			`{"model":"all-minilm","embeddings":[[0.5,-0.25],[1,2]],"total_duration":14143917,` +
				`"load_duration":1019500,"prompt_eval_count":8}`},
		{"llama-cpp", Settings{Model: "GPT-4"}, Query,
			`/v1/embeddings {"model":"GPT-4","input":["a quay","a \"hill\""],"encoding_format":"float"}`,
			`{"model":"GPT-4","object":"list","usage":{"prompt_tokens":8,"total_tokens":8},"data":[` +
				`{"embedding":[0.5,-0.25],"index":0,"object":"embedding"},` +
				`{"embedding":[1,2],"index":1,"object":"embedding"}]}`},
		{"vllm-pooling", Settings{Model: "m"}, Query,
			`/pooling {"model":"m","task":"embed","input":["a quay","a \"hill\""],"encoding_format":"float"}`,
			`{"id":"pool-1","object":"list","created":1,"model":"m","data":[{"index":0,"object":"pooling",` +
				`"data":[0.5,-0.25]},{"index":1,"object":"pooling","data":[1,2]}],` +
				`"usage":{"prompt_tokens":8,"total_tokens":8,"completion_tokens":0}}`},
		{"bedrock", Settings{Model: "cohere.embed-english-v3"}, Query,
			`/model/cohere.embed-english-v3/invoke {"texts":["a quay","a \"hill\""],"input_type":"search_query"}`,
			`{"embeddings":[[0.5,-0.25],[1,2]],"id":"b2","response_type":"embeddings_floats","texts":["a quay","b"]}`},
		{"voyage-context", Settings{Model: "voyage-context-3", Dimensions: 2}, Query,
			`/v1/contextualizedembeddings {"inputs":[["a quay"],["a \"hill\""]],"input_type":"query",` +
				`"model":"voyage-context-3","output_dimension":2}`,
			`{"object":"list","data":[{"object":"list","data":[{"object":"embedding","embedding":[0.5,-0.25],` +
				`"index":0}],"index":0},{"object":"list","data":[{"object":"embedding","embedding":[1,2],` +
				`"index":0}],"index":1}],"model":"voyage-context-3","usage":{"total_tokens":8}}`},
	} {
		k := Find(c.kind)
		in := Texts{Texts: two.Texts, Role: c.role, Output: Dense}
		r := k.Embed.Ask(&c.s, in)
		if got := r.Path + " " + string(r.Body); got != c.request {
			t.Errorf("%s asks %s\nwant %s", c.kind, got, c.request)
		}
		got, err := k.Embed.Read([]byte(c.answer), in)
		if err == nil {
			err = got.Check(in)
		}
		if err != nil || !reflect.DeepEqual(got, Vectors{Dense: both}) {
			t.Errorf("%s: %v, %v", c.kind, got, err)
		}
		one := Texts{Texts: []string{"a"}, Output: Dense}
		for _, bad := range []string{``, `null`, `{}`, `[]`, c.answer, c.answer[:len(c.answer)-1]} {
			v, err := k.Embed.Read([]byte(bad), one)
			if err == nil {
				err = v.Check(one)
			}
			if err == nil {
				t.Errorf("%s: %s is read as %v", c.kind, bad, v)
			}
		}
	}
}

// Titan takes one text a request, and answers with one vector.
func TestOneTextARequest(t *testing.T) {
	k, s := Find("bedrock-titan"), Settings{Model: "amazon.titan-embed-text-v2:0", Dimensions: 256}
	in := Texts{Texts: []string{`a "quay"`}, Role: Query, Output: Dense}
	r := k.Embed.Ask(&s, in)
	if got := r.Path + " " + string(r.Body); k.Sign != "bedrock" || k.Embed.Batch != 1 ||
		got != `/model/amazon.titan-embed-text-v2:0/invoke `+
			`{"inputText":"a \"quay\"","dimensions":256,"normalize":true}` {
		t.Errorf("asks %s", got)
	}
	answer := `{"embedding":[0.5,-0.25],"inputTextTokenCount":4,"embeddingsByType":{"float":[0.5,-0.25]}}`
	v, err := k.Embed.Read([]byte(answer), in)
	if err != nil || !reflect.DeepEqual(v, Vectors{Dense: both[:1]}) {
		t.Errorf("%v, %v", v, err)
	}
	for _, bad := range []string{``, `null`, `{}`, `[]`, `{"embedding":[]}`, answer[:len(answer)-1]} {
		if v, err = k.Embed.Read([]byte(bad), in); err == nil && v.Check(in) == nil {
			t.Errorf("%s is read as %v", bad, v)
		}
	}
	_, err = Describe("x", []byte(`{"sign":"S3","embed":{"path":"/","body":{},"list":"","vector":""}}`))
	if err == nil || !strings.Contains(err.Error(), "sign is not the name") {
		t.Error(err)
	}
}

// The answer that opensearch-project/documentation-website recorded of cohere.rerank-v3-5:0 at Bedrock, whole.
func TestBedrockReranks(t *testing.T) {
	got, err := Find("bedrock").Rerank.Read([]byte(`{"results":[{"index":2,"relevance_score":0.7190094},` +
		`{"index":0,"relevance_score":0.32418242},{"index":1,"relevance_score":0.07456104},` +
		`{"index":3,"relevance_score":0.06124987}]}`))
	if err != nil {
		t.Fatal(err)
	}
	in, err := InOrder(got, 4)
	if want := []float64{0.32418242, 0.07456104, 0.7190094, 0.06124987}; err != nil || !slices.Equal(in, want) {
		t.Errorf("%v, %v", in, err)
	}
}

// A server of vLLM that is asked for a vector for each token answers with lists of vectors, which are none of a text.
func TestTokenVectorsAreNoTextVectors(t *testing.T) {
	in := Texts{Texts: []string{"a"}, Output: Dense}
	v, err := Find("vllm-pooling").Embed.Read([]byte(`{"id":"pool-1","object":"list","created":1,"model":"m",`+
		`"data":[{"index":0,"object":"pooling","data":[[0.5,-0.25],[1,2]]}],"usage":{"prompt_tokens":2}}`), in)
	if err == nil && v.Check(in) == nil {
		t.Errorf("read as %v", v)
	}
}

func TestPresetsRerankAndSearch(t *testing.T) {
	r := Find("bedrock").Rerank.Ask(&Settings{Model: "cohere.rerank-v3-5:0"}, "q", []string{"low", "high"})
	if got := r.Path + " " + string(r.Body); got != `/model/cohere.rerank-v3-5:0/invoke {"query":"q",`+
		`"documents":["low","high"],"api_version":2}` {
		t.Errorf("bedrock asks %s", got)
	}
	for _, kind := range []string{"vllm", "infinity", "llama-cpp"} {
		path := map[string]string{"llama-cpp": "/v1"}[kind] + "/rerank"
		more := map[string]string{"infinity": `,"return_documents":false`}[kind]
		r := Find(kind).Rerank.Ask(&Settings{Model: "m"}, "q", []string{"low", "high"})
		if got, want := r.Path+" "+string(r.Body), path+` {"model":"m","query":"q","documents":["low",`+
			`"high"]`+more+`}`; got != want {
			t.Errorf("%s asks %s", kind, got)
		}
		s, err := Find(kind).Rerank.Read([]byte(`{"id":"rerank-1","model":"m","usage":{"total_tokens":56},"results":[` +
			`{"index":1,"document":{"text":"high"},"relevance_score":0.998},{"index":0,"document":null,` +
			`"relevance_score":0.0005}]}`))
		if want := []Score{{1, 0.998}, {0, 0.0005}}; err != nil || !reflect.DeepEqual(s, want) {
			t.Errorf("%s: %v, %v", kind, s, err)
		}
	}
	s := Settings{Index: "wire", IDField: "docid", TextFields: []string{"title^2", "text"}, VectorField: "vec"}
	for _, c := range []struct {
		kind            string
		mode            Mode
		request, answer string
	}{
		{"solr", BM25, `/solr/wire/query {"query":{"simple":{"query":"a quay","qf":"title^2 text","q.operators":"",` +
			`"q.op":"OR"}},"limit":2,"fields":["docid","score"]}`,
			`{"responseHeader":{"status":0,"QTime":1},"response":{"numFound":2,"start":0,"maxScore":1.5,` +
				`"docs":[{"docid":"b","score":1.5},{"docid":"a","score":0.25}]}}`},
		{"solr", KNN, `/solr/wire/query {"query":{"knn":{"f":"vec","topK":2,"query":"[0.5,-0.25]"}},"limit":2,` +
			`"fields":["docid","score"]}`,
			`{"response":{"docs":[{"docid":"b","score":1.5},{"docid":"a","score":0.25}]}}`},
		{"meilisearch", BM25, `/indexes/wire/search {"q":"a quay","limit":2,"attributesToRetrieve":["docid"],` +
			`"showRankingScore":true,"matchingStrategy":"last"}`,
			`{"hits":[{"docid":"b","_rankingScore":1.5},{"docid":"a","_rankingScore":0.25}],"query":"a quay",` +
				`"processingTimeMs":0,"limit":2,"offset":0,"estimatedTotalHits":2}`},
		{"typesense", BM25, `/multi_search {"searches":[{"collection":"wire","q":"a quay","query_by":"title^2,` +
			`text","prefix":false,"per_page":2,"include_fields":"docid"}]}`,
			`{"results":[{"found":2,"hits":[{"document":{"docid":"b"},"highlights":[],"text_match":1.5},` +
				`{"document":{"docid":"a"},"text_match":0.25}],"out_of":3,"page":1}]}`},
		{"milvus", BM25, `/v2/vectordb/entities/search {"collectionName":"wire","data":["a quay"],` +
			`"annsField":"title^2,text","limit":2,"outputFields":["docid"]}`,
			`{"code":0,"cost":0,"data":[{"distance":1.5,"docid":"b"},{"distance":0.25,"docid":"a"}]}`},
		{"milvus", KNN, `/v2/vectordb/entities/search {"collectionName":"wire","data":[[0.5,-0.25]],` +
			`"annsField":"vec","limit":2,"outputFields":["docid"]}`,
			`{"code":0,"data":[{"distance":1.5,"docid":"b"},{"distance":0.25,"docid":"a"}]}`},
		{"postgrest", BM25, `/rpc/wire {"mode":"bm25","query":"a quay","k":2}`,
			`[{"id":"b","score":1.5},{"id":"a","score":0.25}]`},
		{"postgrest", KNN, `/rpc/wire {"mode":"knn","query":"a quay","k":2,"vector":"[0.5,-0.25]"}`,
			`[{"id":"b","score":1.5},{"id":"a","score":0.25}]`},
	} {
		k := Find(c.kind)
		q := Search{Mode: c.mode, Query: "a quay", K: 2}
		if c.mode == KNN {
			q.Vector = both[0]
		}
		r, err := k.Ask(&s, q)
		if got := r.Path + " " + string(r.Body); err != nil || got != c.request {
			t.Errorf("%s asks %s, %v\nwant %s", c.kind, got, err, c.request)
		}
		hits, err := k.Search.Read(&s, []byte(c.answer))
		if want := []Hit{{"b", 1.5}, {"a", 0.25}}; err != nil || !reflect.DeepEqual(hits, want) {
			t.Errorf("%s: %v, %v", c.kind, hits, err)
		}
		other := strings.NewReplacer("docid", "other", `"id"`, `"other"`).Replace(c.answer)
		for _, bad := range []string{``, `{}`, `[{}]`, c.answer[:len(c.answer)-1], other} {
			if hits, err := k.Search.Read(&s, []byte(bad)); err == nil {
				t.Errorf("%s: %s is read as %v", c.kind, bad, hits)
			}
		}
	}
	if name, value := Find("typesense").Auth("k"); name != "X-TYPESENSE-API-KEY" || value != "k" {
		t.Errorf("%s: %s", name, value)
	}
}

func TestDescriptionsAreChecked(t *testing.T) {
	for text, said := range map[string]string{
		`{}`:                      "no embed, no rerank and no search",
		`{"embed":{"path":"/e"}}`: "embed has no body",
		`{"embed":{"path":"e"}}`:  "a path begins with /",
		`{"rerank":{"path":"/r","body":{"q":"$question"},"list":"/a","index":"/i",` +
			`"score":"/s"}}`: "there is no $question",
		`{"rerank":{"path":"/${host}","body":{},"list":"/a","index":"/i",` +
			`"score":"/s"}}`: "there is no ${host}",
		`{"rerank":{"path":"/r","body":{},"list":"a","index":"/i",` +
			`"score":"/s"}}`: "no JSON pointer",
		`{"search":{"path":"/s","bodies":{"fuzzy":{}},"list":"/a","id":"/i",` +
			`"score":"/s"}}`: "there is no mode fuzzy",
		`{"search":{"path":"/s","bodies":{"bm25":{"q":"$nothing"}},"list":"/a","id":"/i",` +
			`"score":"/s"}}`: "there is no $nothing",
		`{"headers":{"X A":"1"},"rerank":{"path":"/r","body":{},"list":"/a","index":"/i","score":"/s"}}`: "a " +
			"header is not",
		`{"auth":{"header":"X\r\nY"},"rerank":{"path":"/r","body":{},"list":"/a","index":"/i","score":"/s"}}`: "a " +
			"header is not",
		`{"embed":{"path":"/e","body":{},"list":"/a","vector":"/v",` +
			`"batch":0}}`: "batch is not",
		`{"embed":{"path":"/e","body":"$dimensions","list":"",` +
			`"vector":""}}`: "not $dimensions alone",
		`{"method":"PUT"}`:                                        "there is no member method",
		`{"faults":[{"status":200,"is":"busy"}]}`:                 "a fault has a status",
		`{"faults":[{"status":429,"is":"tired"}]}`:                "a fault has a status",
		`{"faults":[{"status":429,"is":"busy","means":"later"}]}`: "faults have no member means",
		`{"embed":`: "",
	} {
		if _, err := Describe("http", []byte(text)); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v, want %s", text, err, said)
		}
	}
	k, err := Describe("http", []byte(`{"headers":{"X-Version":"2"},"embed":{"path":"/${model}/e","body":{"n":1,`+
		`"input":"$texts","size":"$dimensions","x":[null,"$dimensions",true]},"list":"","vector":""}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := k.Embed.Ask(&Settings{Model: "a b?"}, two)
	if got := r.Path + string(r.Body); got != `/a%20b%3F/e{"n":1,"input":["a quay","a \"hill\""],"x":[null,true]}` {
		t.Error(got)
	}
	if v, err := k.Embed.Read([]byte(`[[0.5,-0.25],[1,2]]`), two); err != nil || !reflect.DeepEqual(v.Dense, both) {
		t.Errorf("%v, %v", v, err)
	}
}

// The digest is part of a backend's identity: what changes no answer does not change it.
func TestTheDigestIsOfWhatAnswersDependOn(t *testing.T) {
	const search = `"search":{"path":"/s","bodies":{"bm25":{"q":"$query"}},"list":"/a","id":"/i","score":"/s"}`
	of := func(text string) string {
		t.Helper()
		k, err := Describe("http", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return k.Digest
	}
	base := of(`{` + search + `}`)
	for _, same := range []string{"{\n\t" + strings.ReplaceAll(search, ":", ": ") + "}",
		`{` + search + `,"documents":{"path":"/d","body":{"ids":"$ids"},"list":"/a","id":"/i"}}`,
		`{"faults":[{"status":429,"is":"unauthorised"}],` + search + `}`} {
		if of(same) != base {
			t.Errorf("%s has another digest", same)
		}
	}
	for _, other := range []string{`{` + strings.Replace(search, `"/i"`, `"/j"`, 1) + `}`,
		`{"headers":{"X-Version":"2"},` + search + `}`, `{` + strings.Replace(search, "$query", "${query}", 1) + `}`} {
		if of(other) == base {
			t.Errorf("%s has the same digest", other)
		}
	}
}

// No description makes the program panic, and a kind that it takes makes requests that are JSON.
func FuzzDescribe(f *testing.F) {
	f.Add(`{"auth":{"header":"X","prefix":""},"headers":{"Y":"1"},"embed":{"path":"/e",`+
		`"body":{"a":"$texts","b":"$each"},"each":{"t":"$text"},"batch":3,"roles":{"query":"q"},"list":"/a/0",`+
		`"vector":"/v","index":"/i"}}`, `{"a":[[{"v":[1],"i":0}]]}`)
	f.Add(`{"rerank":{"path":"/r","body":{"q":"$query","d":"$documents"},"list":"/a~1b","index":"/i",`+
		`"score":"/s"},"search":{"path":"/${index}","bodies":{"bm25":{"q":"$query"}},"list":"","id":"/${id}",`+
		`"score":"/s"}}`, `[{"i":0,"s":"1"}]`)
	f.Fuzz(func(t *testing.T, description, answer string) {
		k, err := Describe("http", []byte(description))
		if err != nil {
			return
		}
		check := func(r Request) {
			d := reader(r.Body)
			d.Skip()
			if end(d) != nil && r.Body != nil {
				t.Errorf("%s is no JSON", r.Body)
			}
		}
		s := &Settings{Model: "m\"", Index: "i", IDField: "i", TextFields: []string{"t"}}
		if k.Embed != nil {
			check(k.Embed.Ask(s, two))
			k.Embed.Read([]byte(answer), two)
		}
		if k.Rerank != nil {
			check(k.Rerank.Ask(s, "q\"", []string{"a"}))
			k.Rerank.Read([]byte(answer))
		}
		if k.Search != nil {
			if r, err := k.Ask(s, Search{Mode: BM25, Query: "q\"", K: 1}); err == nil {
				check(r)
			}
			k.Search.Read(s, []byte(answer))
		}
	})
}
