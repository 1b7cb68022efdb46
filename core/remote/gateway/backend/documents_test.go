package backend

import (
	"reflect"
	"strings"
	"testing"
)

// Requests and answers are of the form of each engine's published reference. Read 2026-11-25: OpenSearch 2.19 (ids and
// terms queries, also run), Weaviate 1.35 (where filter, ContainsAny), Qdrant 1.15 (scroll points), Vespa 8 (in
// operator). Read 2026-11-26: Meilisearch 1.53 (meilisearch/documentation, assets/open-api/meilisearch-openapi.json,
// POST /indexes/{index_uid}/documents/fetch; ids since 1.14), Typesense 29 (typesense/typesense-website,
// docs-site/content/29.0/api/search.md, filter_by and its backticks), Milvus 2.5 (milvus.io/docs/v2.5.x/
// get-and-scalar-query.md, entities/get with its answer; Milvus 2.3.5, which PyPI has, was run, and takes and answers
// the same under /v1/vector/get, with 200 for a code of 0), PostgREST (PostgREST/postgrest,
// docs/references/api/functions.rst, functions with array parameters; the function was run in PostgreSQL 16).
func TestDocuments(t *testing.T) {
	want := []Stored{{"b", "B \"x\"", "text"}, {"a/1", "", "é"}}
	s := Settings{Index: "I", TitleField: "title", TextField: "text"}
	by := s
	by.IDField = "docid"
	for _, c := range []struct {
		kind            string
		s               Settings
		request, answer string
		none            string // the answer if there is none of them
	}{
		{"opensearch", s, `/I/_search {"size":2,"_source":["title","text"],"query":{"ids":{"values":["a/1","b"]}}}`,
			`{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"I","_id":"b","_score":1.0,` +
				`"_source":{"title":"B \"x\"","text":"text"}},{"_id":"a/1","_source":{"text":"é"}}]}}`,
			`{"hits":{"hits":[]}}`},
		{"elasticsearch", by, `/I/_search {"size":2,"_source":["docid","title","text"],` +
			`"query":{"terms":{"docid":["a/1","b"]}}}`,
			`{"hits":{"hits":[{"_id":"7","_source":{"docid":"b","title":"B \"x\"","text":"text"}},{"_id":"8",` +
				`"_source":{"docid":"a/1","text":"é","title":null}}]}}`,
			`{"hits":{"hits":[]}}`},
		{"weaviate", by, `/v1/graphql {"query":"{ Get { I(where: {path: [\"docid\"], operator: ContainsAny, ` +
			`valueText: [\"a/1\",\"b\"]}, limit: 2) { docid title text } } }"}`,
			`{"data":{"Get":{"I":[{"docid":"b","title":"B \"x\"","text":"text"},{"docid":"a/1","text":"é",` +
				`"title":null}]}}}`,
			`{"data":{"Get":{"I":[]}}}`},
		{"qdrant", by, `/collections/I/points/scroll {"filter":{"must":[{"key":"docid","match":{"any":["a/1",` +
			`"b"]}}]},"limit":2,"with_payload":["docid","title","text"]}`,
			`{"result":{"points":[{"id":"x","payload":{"docid":"b","title":"B \"x\"","text":"text"}},{"id":"y",` +
				`"payload":{"docid":"a/1","text":"é"}}],"next_page_offset":null},"status":"ok"}`,
			`{"result":{"points":[]}}`},
		{"vespa", by, `/search/ {"yql":"select docid, title, text from I where docid in (\"a/1\",\"b\")","hits":2}`,
			`{"root":{"id":"toplevel","children":[{"id":"id:I:I::b","relevance":0.0,"fields":{"docid":"b",` +
				`"title":"B \"x\"","text":"text"}},{"id":"z","fields":{"docid":"a/1","text":"é"}}]}}`,
			`{"root":{"id":"toplevel","relevance":1.0,"fields":{"totalCount":0}}}`},
		{"solr", by, `/solr/I/query {"query":{"terms":{"f":"docid","query":"a/1\nb","separator":"\n"}},"limit":2,` +
			`"fields":["docid","title","text"]}`,
			`{"responseHeader":{"status":0},"response":{"numFound":2,"start":0,"docs":[{"docid":"b",` +
				`"title":"B \"x\"","text":"text"},{"docid":"a/1","text":"é","title":null}]}}`,
			`{"response":{"numFound":0,"docs":[]}}`},
		{"meilisearch", by, `/indexes/I/documents/fetch {"ids":["a/1","b"],"fields":["docid","title","text"],` +
			`"limit":2}`,
			`{"results":[{"docid":"b","title":"B \"x\"","text":"text"},{"docid":"a/1","text":"é","title":null}],` +
				`"offset":0,"limit":2,"total":2}`,
			`{"results":[],"offset":0,"limit":2,"total":0}`},
		{"typesense", by, "/multi_search {\"searches\":[{\"collection\":\"I\",\"q\":\"*\"," +
			"\"filter_by\":\"docid:=[`a/1`,`b`]\",\"per_page\":2,\"include_fields\":\"docid,title,text\"}]}",
			`{"results":[{"facet_counts":[],"found":2,"out_of":9,"page":1,"hits":[{"highlights":[],` +
				`"document":{"docid":"b","title":"B \"x\"","text":"text"}},` +
				`{"document":{"docid":"a/1","text":"é"},"text_match":0}]}]}`,
			`{"results":[{"found":0,"hits":[]}]}`},
		{"milvus", by, `/v2/vectordb/entities/get {"collectionName":"I","id":["a/1","b"],` +
			`"outputFields":["docid","title","text"]}`,
			`{"code":0,"cost":0,"data":[{"docid":"b","title":"B \"x\"","text":"text"},` +
				`{"docid":"a/1","text":"é","title":null}]}`,
			`{"code":0,"cost":0,"data":[]}`},
		{"postgrest", s, `/rpc/I_documents {"ids":["a/1","b"]}`,
			`[{"id":"b","title":"B \"x\"","text":"text"},{"id":"a/1","title":null,"text":"é"}]`, `[]`},
	} {
		l := Find(c.kind).Search.Documents
		r := l.Ask(&c.s, []string{"a/1", "b"})
		if got := r.Path + " " + string(r.Body); got != c.request {
			t.Errorf("%s asks %s\nwant %s", c.kind, got, c.request)
		}
		if got, err := l.Read(&c.s, []byte(c.answer)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", c.kind, got, err)
		}
		if got, err := l.Read(&c.s, []byte(c.none)); err != nil || len(got) != 0 {
			t.Errorf("%s, none: %v, %v", c.kind, got, err)
		}
		for _, bad := range []string{``, `[{}]`, `null`, c.answer[:len(c.answer)-1], c.answer + "x"} {
			if got, err := l.Read(&c.s, []byte(bad)); err == nil {
				t.Errorf("%s: %s is read as %v", c.kind, bad, got)
			}
		}
	}
}

// A backtick would end the quotation of Typesense's filter, so an id with one is not asked for: it counts as unknown.
func TestBackticksDoNotEndAFilter(t *testing.T) {
	s := Settings{Index: "I", IDField: "id", TextField: "text"}
	r := Find("typesense").Search.Documents.Ask(&s, []string{"a", "x`] || id:!=[`y", "b,c"})
	if !strings.Contains(string(r.Body), "\"filter_by\":\"id:=[`a`,`b,c`]\"") {
		t.Errorf("%s", r.Body)
	}
}
