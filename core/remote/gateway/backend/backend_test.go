package backend

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// Requests and answers are of the form that each service's published reference gives (the comments of the kinds),
// with values by Rankbox; those of hosted services as of 2025, TEI 1.8, Elasticsearch 9, OpenSearch 2.19, Weaviate
// 1.35, Qdrant 1.15, Vespa 8.

var (
	two  = Texts{Texts: []string{"a quay", "a \"hill\""}, Role: Query, Output: Dense}
	both = []Vector{VectorOf([]float32{0.5, -0.25}), VectorOf([]float32{1, 2})}
)

func TestEmbedding(t *testing.T) {
	cases := []struct {
		name, kind string
		in         Texts
		request    string
		answer     string
		want       Vectors
	}{
		{"OpenAI, out of order", "openai", two,
			`/embeddings {"model":"m","input":["a quay","a \"hill\""],"encoding_format":"float"}`,
			`{"object":"list","data":[{"object":"embedding","index":1,"embedding":[1,2]},{"object":"embedding",` +
				`"index":0,"embedding":[0.5,-0.25]}],"model":"m","usage":{"prompt_tokens":8,"total_tokens":8}}`,
			Vectors{Dense: both}},
		{"TEI", "tei", two, `/embed {"inputs":["a quay","a \"hill\""],"normalize":true,"truncate":true}`,
			`[[0.5,-0.25],[1,2]]`, Vectors{Dense: both}},
		{"TEI, tokens", "tei", Texts{two.Texts, Document, Tokens},
			`/embed_all {"inputs":["a quay","a \"hill\""],"truncate":true}`, `[[[0.5,-0.25]],[[1,2],[3,4]]]`,
			Vectors{Tokens: [][]Vector{{VectorOf([]float32{0.5, -0.25})},
				{VectorOf([]float32{1, 2}), VectorOf([]float32{3, 4})}}}},
		{"TEI, sparse", "tei", Texts{two.Texts, Document, Sparse},
			`/embed_sparse {"inputs":["a quay","a \"hill\""],"truncate":true}`, `[[{"index":1012,"value":0.5}],[]]`,
			Vectors{Sparse: [][]Weight{{{1012, 0.5}}, {}}}},
		{"Cohere", "cohere", two,
			`/v2/embed {"model":"m","texts":["a quay","a \"hill\""],"input_type":"search_query",` +
				`"embedding_types":["float"],"truncate":"END"}`,
			`{"id":"da6e","embeddings":{"float":[[0.5,-0.25],[1,2]]},"texts":["a quay","a hill"],` +
				`"meta":{"api_version":{"version":"2"},"billed_units":{"input_tokens":2}}}`, Vectors{Dense: both}},
		{"Jina", "jina", Texts{two.Texts, Document, Dense},
			`/v1/embeddings {"model":"m","input":["a quay","a \"hill\""],"task":"retrieval.passage",` +
				`"embedding_type":"float"}`,
			`{"model":"m","object":"list","usage":{"total_tokens":6},"data":[{"object":"embedding","index":0,` +
				`"embedding":[0.5,-0.25]},{"object":"embedding","index":1,"embedding":[1,2]}]}`, Vectors{Dense: both}},
		{"Voyage", "voyage", two,
			`/v1/embeddings {"model":"m","input":["a quay","a \"hill\""],"input_type":"query","truncation":true}`,
			`{"object":"list","data":[{"object":"embedding","embedding":[0.5,-0.25],"index":0},{"object":"embedding",` +
				`"embedding":[1,2],"index":1}],"model":"m","usage":{"total_tokens":10}}`, Vectors{Dense: both}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := Find(c.kind)
			r := k.Embed.Ask(&Settings{Model: "m"}, c.in)
			if got := r.Path + " " + string(r.Body); got != c.request {
				t.Errorf("asks %s\nwant %s", got, c.request)
			}
			got, err := k.Embed.Read([]byte(c.answer), c.in)
			if err == nil {
				err = got.Check(c.in)
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
			for _, bad := range []string{``, `null`, `{}`, `[]`, `{"data":[]}`,
				`{"data":[{"index":5,"embedding":[1]}]}`,
				`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
				`{"embeddings":{"float":[[1],[1,2]]}}`, `[[1],[1,2]]`, `[[1e99],[1]]`, c.answer[:len(c.answer)-1],
				c.answer + "x"} {
				v, err := k.Embed.Read([]byte(bad), c.in)
				if err == nil {
					err = v.Check(c.in)
				}
				if err == nil {
					t.Errorf("%s: read as %v", bad, v)
				}
			}
		})
	}
}

func TestReranking(t *testing.T) {
	texts := []string{"low", "high"}
	cases := []struct{ kind, request, answer string }{
		{"tei", `/rerank {"query":"q","texts":["low","high"],"raw_scores":false,"return_text":false,"truncate":true}`,
			`[{"index":1,"score":0.9},{"index":0,"score":0.1}]`},
		{"cohere", `/v2/rerank {"model":"m","query":"q","documents":["low","high"]}`,
			`{"results":[{"index":1,"relevance_score":0.9},{"index":0,"relevance_score":0.1}],"id":"07734bd2",` +
				`"meta":{"api_version":{"version":"2"},"billed_units":{"search_units":1}}}`},
		{"jina", `/v1/rerank {"model":"m","query":"q","documents":["low","high"],"return_documents":false}`,
			`{"model":"m","usage":{"total_tokens":6},"results":[{"index":1,"relevance_score":0.9},{"index":0,` +
				`"relevance_score":0.1}]}`},
		{"voyage", `/v1/rerank {"model":"m","query":"q","documents":["low","high"],"return_documents":false,` +
			`"truncation":true}`, `{"object":"list","data":[{"relevance_score":0.9,"index":1},{"relevance_score":0.1,` +
			`"index":0}],"model":"m","usage":{"total_tokens":26}}`},
	}
	for _, c := range cases {
		t.Run(c.kind, func(t *testing.T) {
			k := Find(c.kind)
			r := k.Rerank.Ask(&Settings{Model: "m"}, "q", texts)
			if got := r.Path + " " + string(r.Body); got != c.request {
				t.Errorf("asks %s\nwant %s", got, c.request)
			}
			s, err := k.Rerank.Read([]byte(c.answer))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := InOrder(s, 2); err != nil || got[0] != 0.1 || got[1] != 0.9 {
				t.Errorf("%v, %v", got, err)
			}
			for _, bad := range []string{``, `[]`, `{"results":[]}`,
				strings.Replace(c.answer, `"index":1`, `"index":0`, 1),
				strings.Replace(c.answer, `"index":1`, `"index":2`, 1),
				strings.Replace(c.answer, `"index":1`, `"index":-1`, 1), strings.Replace(c.answer, `0.9`, `null`, 1),
				strings.Replace(c.answer, `0.9`, `1e999`, 1)} {
				s, err := k.Rerank.Read([]byte(bad))
				if err == nil {
					_, err = InOrder(s, 2)
				}
				if err == nil {
					t.Errorf("%s: read as %v", bad, s)
				}
			}
		})
	}
}

func TestSearching(t *testing.T) {
	s := &Settings{Index: "Wire", IDField: "docid", TextFields: []string{"title^2", "text"}, VectorField: "vec"}
	hits := []Hit{{"d2", 1.5}, {"d1", 0.25}}
	lucene := `{"took":5,"timed_out":false,"_shards":{"total":3,"successful":3,"skipped":0,"failed":0},` +
		`"hits":{"total":{"value":2,"relation":"eq"},"max_score":1.5,"hits":[{"_index":"Wire","_id":"x","_score":1.5,` +
		`"_source":{"docid":"d2"}},{"_index":"Wire","_id":"y","_score":0.25,"_source":{"docid":"d1"}}]}}`
	cases := []struct {
		kind, path, answer string
		bm25, knn, hybrid  string // a part of each request
	}{
		{"elasticsearch", "/Wire/_search", lucene, `"multi_match":{"query":"a \"b\"","fields":["title^2","text"]`,
			`"knn":{"field":"vec","query_vector":[0.5,1],"k":2,"num_candidates":100}`, `"rrf":{`},
		{"opensearch", "/Wire/_search", lucene, `"multi_match":{"query":"a \"b\"","fields":["title^2","text"]`,
			`"knn":{"vec":{"vector":[0.5,1],"k":2}}`, `"hybrid":{"queries":[`},
		{"weaviate", "/v1/graphql",
			`{"data":{"Get":{"Wire":[{"docid":"d2","_additional":{"score":"1.5"}},{"docid":"d1",` +
				`"_additional":{"distance":0.75}}]}}}`,
			`Wire(bm25: {query: \"a \\\"b\\\"\", properties: [\"title^2\",\"text\"]}, limit: 2) { docid`,
			`nearVector: {vector: [0.5,1]}`, `hybrid: {query: \"a \\\"b\\\"\", vector: [0.5,1]`},
		{"qdrant", "/collections/Wire/points/query",
			`{"time":0.002,"status":"ok","result":{"points":[{"id":7,"version":3,"score":1.5,` +
				`"payload":{"docid":"d2"}},{"id":8,"version":3,"score":0.25,"payload":{"docid":"d1"}}]}}`,
			`"query":{"text":"a \"b\"","model":"qdrant/bm25"}`, `"query":[0.5,1],"using":"vec","limit":2`,
			`"fusion":"rrf"`},
		{"vespa", "/search/", `{"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":2},` +
			`"coverage":{"coverage":100},"children":[{"id":"id:wire:wire::1","relevance":1.5,"source":"wire",` +
			`"fields":{"docid":"d2"}},{"id":"id:wire:wire::2","relevance":0.25,"fields":{"docid":"d1"}}]}}`,
			`"query":"a \"b\"","type":"tokenize","hits":2`, `nearestNeighbor(vec,q)","input.query(q)":[0.5,1]`,
			`userQuery() or ({targetHits:100}`},
	}
	for _, c := range cases {
		t.Run(c.kind, func(t *testing.T) {
			k := Find(c.kind)
			for mode, part := range map[Mode]string{BM25: c.bm25, KNN: c.knn, Hybrid: c.hybrid} {
				r, err := k.Ask(s, Search{Mode: mode, Query: `a "b"`, Vector: VectorOf([]float32{0.5, 1}), K: 2})
				if err != nil || r.Path != c.path || !json.Valid(r.Body) || !strings.Contains(string(r.Body), part) {
					t.Errorf("%s: %s %s, %v; wants %s", mode, r.Path, r.Body, err, part)
				}
			}
			if got, err := k.Search.Read(s, []byte(c.answer)); err != nil || !reflect.DeepEqual(got, hits) {
				t.Errorf("%v, %v", got, err)
			}
			for _, bad := range []string{``, `[]`, c.answer[:len(c.answer)-1],
				strings.Replace(c.answer, "docid", "other", 1), strings.Replace(c.answer, `1.5`, `null`, 2)} {
				if got, err := k.Search.Read(s, []byte(bad)); err == nil {
					t.Errorf("%s: read as %v", bad, got)
				}
			}
		})
	}
	for kind, answer := range map[string]string{
		"opensearch": `{"timed_out":false,"_shards":{"total":3,"successful":2,"failed":1},"hits":{"hits":[]}}`,
		"weaviate": `{"data":{"Get":{"Wire":null}},"errors":[{"locations":[],"message":"explorer: get class: ` +
			`vector search","path":["Get"]}]}`,
		"vespa": `{"root":{"errors":[{"code":3,"summary":"Illegal query"}]}}`,
	} {
		var f Fault
		if _, err := Find(kind).Search.Read(s, []byte(answer)); !errors.As(err, &f) {
			t.Errorf("%s: %v is no fault", kind, err)
		}
	}
}

// A text of the page stays a text, whatever is in it: in JSON, and in the query languages that stand within JSON.
func TestTemplatesKeepTextsTexts(t *testing.T) {
	evil := "\"}}]} ${index} $k \\\" ){ _additional { id } } } # \u2028 \x00"
	s := &Settings{Index: "Wire", IDField: "docid", TextFields: []string{"text"}, VectorField: "vec"}
	for _, k := range Kinds {
		if k.Search == nil {
			continue
		}
		for mode := range k.Search.Templates {
			plain, err1 := k.Ask(s, Search{Mode: mode, Query: "x", Vector: VectorOf([]float32{1}), K: 1})
			r, err2 := k.Ask(s, Search{Mode: mode, Query: evil, Vector: VectorOf([]float32{1}), K: 1})
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			var a, b any
			if json.Unmarshal(plain.Body, &a) != nil || json.Unmarshal(r.Body, &b) != nil {
				t.Errorf("%s %s: not JSON: %s", k.Name, mode, r.Body)
			}
			if x, y := shape(a), shape(b); x != y {
				t.Errorf("%s %s: another shape:\n%s\n%s", k.Name, mode, x, y)
			}
			if k.Name == "weaviate" && mode != KNN { // GraphQL: the text is one literal
				q := b.(map[string]any)["query"].(string)
				literal := q[strings.Index(q, `query: "`)+7:]
				var back string
				if err := json.NewDecoder(strings.NewReader(literal)).Decode(&back); err != nil || back != evil {
					t.Errorf("%s: %q, %v", mode, back, err)
				}
			}
		}
	}
	for _, bad := range []string{`{"a":"$nothing"}`, `{"a":"${nothing}"}`, `{"a":"${k"}`, `{"a":1`, `{"a":1} x`, ``} {
		if CheckTemplate([]byte(bad)) == nil {
			t.Errorf("%s is taken for a template", bad)
		}
	}
}

// shape is a JSON value without what its strings say.
func shape(v any) string {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]string{}
		for k, x := range v {
			out[k] = shape(x)
		}
		b, _ := json.Marshal(out)
		return string(b)
	case []any:
		out := ""
		for _, x := range v {
			out += shape(x) + ","
		}
		return "[" + out + "]"
	case string:
		return "text"
	}
	return "value"
}

func TestFaults(t *testing.T) {
	cases := []struct {
		kind   string
		status int
		body   string
		want   Fault
	}{
		{"openai", 401, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error",` +
			`"code":"invalid_api_key"}}`, Unauthorised},
		{"openai", 429, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`,
			Busy},
		{"openai", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota",` +
			`"code":"insufficient_quota"}}`, Unauthorised},
		{"openai", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens",` +
			`"type":"invalid_request_error","code":null}}`, TooLong},
		{"openai", 404, `{"error":{"message":"The model does not exist","code":"model_not_found"}}`, Broken},
		{"openai", 500, ``, Broken},
		{"tei", 429, `{"error":"Model is overloaded","error_type":"Overloaded"}`, Busy},
		{"tei", 413, "{\"error\":\"batch size 64 > maximum allowed batch size 32\",\"error_type\":\"Validation\"}",
			Refused},
		{"tei", 413,
			"{\"error\":\"`inputs` must have less than 512 tokens. Given: 600\",\"error_type\":\"Validation\"}",
			TooLong},
		{"tei", 422, `{"error":"Tokenization error","error_type":"Tokenizer"}`, Refused},
		{"tei", 424, `{"error":"Inference failed","error_type":"Backend"}`, Broken},
		{"cohere", 498, `{"message":"invalid token"}`, Unauthorised},
		{"cohere", 400, `{"message":"invalid request: text is too long"}`, TooLong},
		{"jina", 402, `{"detail":"Insufficient account balance"}`, Unauthorised},
		{"jina", 422, `{"detail":[{"loc":["body","input"],"msg":"field required"}]}`, Refused},
		{"voyage", 400, `{"detail":"Request to model failed. The max allowed tokens per submitted batch is 120000. ` +
			`too many tokens"}`, TooLong},
		{"elasticsearch", 404, `{"error":{"type":"index_not_found_exception"}}`, Broken},
		{"elasticsearch", 429, `{"error":{"type":"es_rejected_execution_exception"}}`, Busy},
		{"opensearch", 503, `{"error":{"type":"cluster_block_exception"}}`, Busy},
		{"weaviate", 422, `{"error":[{"message":"invalid"}]}`, Refused},
		{"qdrant", 403, `{"status":{"error":"forbidden"}}`, Unauthorised},
		{"vespa", 504, `{"root":{"errors":[{"code":12,"summary":"Timed out"}]}}`, Busy},
		{"tei", 302, ``, Broken}, // a redirect is no answer
	}
	for _, c := range cases {
		if got := Find(c.kind).FaultOf(c.status, []byte(c.body)); got != c.want {
			t.Errorf("%s %d %s: %s, want %s", c.kind, c.status, c.body, got, c.want)
		}
	}
}

// Whatever a service sends is read or refused; nothing panics, and what is read is what was asked for.
func FuzzAnswers(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[1]}]}`)
	f.Add(`[[{"index":1,"score":1,"value":1}]]`)
	f.Add(`{"results":[{"index":0,"relevance_score":1}],"embeddings":{"float":[[1]]}}`)
	f.Add(`{"hits":{"hits":[{"_id":"a","_score":1}]},"result":{"points":[{"id":1,"score":1}]},` +
		`"root":{"children":[{"id":"a::b","relevance":1}]},"data":{"Get":{"W":[{"i":"a",` +
		`"_additional":{"score":"1"}}]}}}`)
	f.Add(`{"hits":{"hits":[{"_id":"a","_source":{"i":"a","t":"b"}}]},"result":{"points":[{"payload":{"i":"a"}}]},` +
		`"root":{"children":[{"fields":{"i":"a"}}]},"data":{"Get":{"W":[{"i":"a"}]}}}`)
	f.Add(`[{"index":0,"score":-1.5},{"index":1,"score":2}]`)
	f.Add(`{"results":[{"index":0,"relevance_score":-1.5}],"data":[{"index":0,"relevance_score":-0.5}]}`)
	f.Add(`{"hits":{"hits":[{"_id":"a","_score":-1.5}]},"result":{"points":[{"id":1,"score":-0.5}]},` +
		`"root":{"children":[{"id":"a","relevance":-2}]}}`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, k := range Kinds {
			if k.Embed != nil {
				for _, o := range k.Embed.Outputs {
					in := Texts{Texts: []string{"a"}, Output: o}
					if v, err := k.Embed.Read([]byte(s), in); err == nil && v.Check(in) == nil &&
						len(v.Dense)+len(v.Tokens)+len(v.Sparse) != 1 {
						t.Errorf("%s: %v", k.Name, v)
					}
				}
			}
			if k.Rerank != nil {
				if v, err := k.Rerank.Read([]byte(s)); err == nil {
					at := scored[k.Name]
					if want, ok := plainly(s, at.list, at.score); ok && len(want) == len(v) {
						for i := range v {
							if v[i].Score != want[i] {
								t.Errorf("%s: document %d has score %v, want %v", k.Name, i, v[i].Score, want[i])
							}
						}
					}
					if x, err := InOrder(v, 1); err == nil && len(x) != 1 {
						t.Errorf("%s: %v", k.Name, x)
					}
				}
			}
			if k.Search != nil {
				if l := k.Search.Documents; l != nil {
					docs, err := l.Read(&Settings{Index: "W", IDField: "i", TitleField: "t"}, []byte(s))
					for _, d := range docs {
						if err == nil && (d.ID == "" || d.Text != "") {
							t.Errorf("%s: %+v", k.Name, d)
						}
					}
				}
				for _, id := range []string{"", "i"} {
					hits, err := k.Search.Read(&Settings{Index: "W", IDField: id}, []byte(s))
					at := scored[k.Name]
					if want, ok := plainly(s, at.list, at.score); ok && err == nil && len(want) == len(hits) {
						for i := range hits {
							if hits[i].Score != want[i] {
								t.Errorf("%s: hit %d has score %v, want %v", k.Name, i, hits[i].Score, want[i])
							}
						}
					}
					for _, h := range hits {
						if err == nil && h.ID == "" {
							t.Errorf("%s: a hit without id", k.Name)
						}
					}
				}
			}
			k.FaultOf(400, []byte(s))
		}
	})
}

// scored is where a kind's answer has its scores: the members that lead to the list, and the one of each entry.
var scored = map[string]struct {
	list  []string
	score string
}{
	"tei": {nil, "score"}, "cohere": {[]string{"results"}, "relevance_score"},
	"jina": {[]string{"results"}, "relevance_score"}, "voyage": {[]string{"data"}, "relevance_score"},
	"elasticsearch": {[]string{"hits", "hits"}, "_score"}, "opensearch": {[]string{"hits", "hits"}, "_score"},
	"qdrant": {[]string{"result", "points"}, "score"}, "vespa": {[]string{"root", "children"}, "relevance"},
}

// plainly reads the scores of an answer by encoding/json; ok is false where it is of another form.
func plainly(text string, list []string, score string) (out []float64, ok bool) {
	var v any
	if score == "" || json.Unmarshal([]byte(text), &v) != nil {
		return nil, false
	}
	for _, name := range list {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	entries, ok := v.([]any)
	for _, e := range entries {
		m, _ := e.(map[string]any)
		x, number := m[score].(float64)
		out, ok = append(out, x), ok && number
	}
	return out, ok
}

// Scores below 0, as cross-encoders and log probabilities have them, stay below 0.
func TestScoresKeepTheirSign(t *testing.T) {
	for kind, answer := range map[string]string{
		"tei": `[{"index":0,"score":-1.5}]`, "cohere": `{"results":[{"index":0,"relevance_score":-1.5}]}`,
		"jina":   `{"results":[{"index":0,"relevance_score":-1.5}]}`,
		"voyage": `{"data":[{"index":0,"relevance_score":-1.5}]}`,
	} {
		if got, err := Find(kind).Rerank.Read([]byte(answer)); err != nil || len(got) != 1 || got[0].Score != -1.5 {
			t.Errorf("%s: %v, %v", kind, got, err)
		}
	}
	for kind, answer := range map[string]string{
		"elasticsearch": `{"hits":{"hits":[{"_id":"a","_score":-1.5}]}}`,
		"opensearch":    `{"hits":{"hits":[{"_id":"a","_score":-1.5}]}}`,
		"qdrant":        `{"result":{"points":[{"id":"a","score":-1.5}]}}`,
		"vespa":         `{"root":{"children":[{"id":"a","relevance":-1.5}]}}`,
		"weaviate":      `{"data":{"Get":{"W":[{"i":"a","_additional":{"score":"-1.5"}}]}}}`,
	} {
		s := &Settings{Index: "W"}
		if kind == "weaviate" {
			s.IDField = "i"
		}
		if got, err := Find(kind).Search.Read(s, []byte(answer)); err != nil || len(got) != 1 || got[0].Score != -1.5 {
			t.Errorf("%s: %v, %v", kind, got, err)
		}
	}
}

// What a template is filled with never makes it anything else than JSON.
func FuzzTemplate(f *testing.F) {
	f.Add(`{"a":"$query","${index}":["${query} $k"]}`, "text")
	f.Add(Find("weaviate").Search.Templates[BM25], `"}`)
	f.Fuzz(func(t *testing.T, template, query string) {
		b, err := fill([]byte(template), &Settings{Index: "i", TextFields: []string{"t"}},
			Search{Query: query, K: 3, Vector: VectorOf([]float32{1})})
		if err == nil && !json.Valid(b) {
			t.Errorf("%q with %q: %q", template, query, b)
		}
	})
}
