package backend

import (
	"strings"
	"testing"
)

// Requests and answers are those of the references that the comments of the kinds name: TEI 1.8's /info, the index
// stats API of Elasticsearch and OpenSearch with level=shards, Weaviate's Aggregate, Qdrant's count, Vespa's
// totalCount.
func TestWhatServicesSayOfThemselves(t *testing.T) {
	shard := func(primary string) string {
		return `{"routing":{"state":"STARTED","primary":` + primary +
			`,"node":"n"},"seq_no":{"max_seq_no":4,"local_checkpoint":4}}`
	}
	primary, replica := shard("true"), shard("false")
	s := &Settings{Index: "Wire"}
	stats := func(shards string) string {
		return `{"_shards":{"total":4,"successful":4,"failed":0},"_all":{"primaries":{"docs":{"count":9}}},` +
			`"indices":{` +
			`"wire-2":{"uuid":"bbb","primaries":{"docs":{"count":5,"deleted":1}},"total":{"docs":{"count":10}},` +
			`"shards":{` +
			shards + `}},` +
			`"wire-1":{"uuid":"aaa","primaries":{"docs":{"count":4}},"shards":{"0":[` + primary + `]}}}}`
	}
	for _, c := range []struct {
		kind, request, answer string
		want                  Told
		bad                   []string
	}{
		{"tei", "/info ",
			`{"model_id":"org/m","model_sha":"ab12","model_dtype":"float16",` +
				`"model_type":{"embedding":{"pooling":"cls"}},"version":"1.8.0"}`,
			Told{Served: "org/m ab12 float16"}, []string{`[]`, `{"model_id":"org/m"`}},
		{"tei", "/info ", `{"model_id":"/data","model_sha":null}`, Told{Served: "/data"}, nil},
		// three primary shards whose greatest sequence number is 4: 15 writes
		{"opensearch", "/Wire/_stats/docs?level=shards ", stats(`"0":[` + replica + "," + primary + `],"1":[` +
			primary +
			`]`),
			Told{Version: "aaa bbb 15", Documents: "9"},
			[]string{`{}`, `{"indices":{}}`, stats(`"0":[` + replica + `]`),
				stats(`"0":[]`)}},
		{"weaviate", `/v1/graphql {"query":"{ Aggregate { Wire { meta { count } } } }"}`,
			`{"data":{"Aggregate":{"Wire":[{"meta":{"count":18}}]}}}`, Told{Documents: "18"},
			[]string{`{"data":{"Aggregate":{"Other":[{"meta":{"count":18}}]}}}`, `{"errors":[{"message":"x"}]}`}},
		{"qdrant", `/collections/Wire/points/count {"exact":true}`, `{"result":{"count":7},"status":"ok","time":0.1}`,
			Told{Documents: "7"}, []string{`{"result":{"count":"7"}}`, `{"status":"ok"}`}},
		{"vespa", `/search/ {"yql":"select * from Wire where true","hits":0}`,
			`{"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":12},"coverage":{"coverage":100}}}`,
			Told{Documents: "12"}, []string{`{"root":{}}`}},
	} {
		k := Find(c.kind)
		r := k.Inspect.Ask(s)
		if got := r.Path + " " + string(r.Body); got != c.request {
			t.Errorf("%s asks %s\nwant %s", c.kind, got, c.request)
		}
		if got, err := k.Inspect.Read(s, []byte(c.answer)); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.kind, got, err, c.want)
		}
		for _, bad := range c.bad {
			if got, err := k.Inspect.Read(s, []byte(bad)); err == nil {
				t.Errorf("%s takes %s as %+v", c.kind, bad, got)
			}
		}
	}
}

// FuzzInspections gives each kind what a service might say of itself: no bytes make it crash.
func FuzzInspections(f *testing.F) {
	f.Add(`{"model_id":"m","model_sha":null}`)
	f.Add(`{"indices":{"Wire":{"uuid":"u","primaries":{"docs":{"count":1}},"shards":{"0":[` +
		`{"routing":{"primary":true},"seq_no":{"max_seq_no":4}}]}}}}`)
	f.Add(`{"data":{"Aggregate":{"Wire":[{"meta":{"count":18}},1]}}}`)
	f.Add(`{"root":{"fields":{"totalCount":12}}}`)
	f.Fuzz(func(t *testing.T, answer string) {
		for _, k := range Kinds {
			if k.Inspect == nil {
				continue
			}
			if told, err := k.Inspect.Read(&Settings{Index: "Wire"}, []byte(answer)); err == nil && k.Embed == nil &&
				told.Documents == "" {
				t.Errorf("%s reads no number of documents out of %s", k.Name, answer)
			}
		}
	})
}

// A prefix stands before each text of its role, and dimensions are asked for by the name that each service has
// for them.
func TestPrefixesAndDimensions(t *testing.T) {
	s := &Settings{Model: "m", Prefix: map[Role]string{Query: "query: ", Document: "passage: "}, Dimensions: 256}
	for _, c := range []struct {
		kind string
		role Role
		want string
	}{
		{"openai", Query, `{"model":"m","input":["query: a"],"encoding_format":"float","dimensions":256}`},
		{"openai", Document, `{"model":"m","input":["passage: a"],"encoding_format":"float","dimensions":256}`},
		{"tei", Query, `{"inputs":["query: a"],"normalize":true,"truncate":true}`},
		{"tei", Document, `{"inputs":["passage: a"],"normalize":true,"truncate":true}`},
		{"cohere", Query,
			`{"model":"m","texts":["query: a"],"input_type":"search_query",` +
				`"embedding_types":["float"],"truncate":"END","output_dimension":256}`},
		{"jina", Document,
			`{"model":"m","input":["passage: a"],"task":"retrieval.passage",` +
				`"embedding_type":"float","dimensions":256}`},
		{"voyage", Document,
			`{"model":"m","input":["passage: a"],"input_type":"document","truncation":true,"output_dimension":256}`},
	} {
		if got := string(Find(c.kind).Embed.Ask(s, Texts{[]string{"a"}, c.role, Dense}).Body); got != c.want {
			t.Errorf("%s, %s: asks %s\nwant %s", c.kind, c.role, got, c.want)
		}
	}
}

// An answer of a part of the documents is none: a node is missing, and the edge may ask again.
func TestVespaAnswersOfAPartAreRefused(t *testing.T) {
	const answer = `{"root":{"coverage":{"coverage":50,"full":%},"children":[{"id":"id:w:w::1","relevance":1}]}}`
	k := Find("vespa")
	for full, want := range map[string]error{"true": nil, "false": Busy} {
		hits, err := k.Search.Read(&Settings{}, []byte(strings.Replace(answer, "%", full, 1)))
		if err != want || (err == nil) != (len(hits) == 1) {
			t.Errorf("full=%s: %v, %v", full, hits, err)
		}
	}
}
