package backend

import (
	"reflect"
	"testing"
)

// Requests and answers are of the form of each engine's published reference (read 2026-11-25): OpenSearch 2.19 (ids
// and terms
// queries, also run), Weaviate 1.35 (where filter, ContainsAny), Qdrant 1.15 (scroll points), Vespa 8 (in operator).
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
		for _, bad := range []string{``, `[]`, `null`, c.answer[:len(c.answer)-1], c.answer + "x"} {
			if got, err := l.Read(&c.s, []byte(bad)); err == nil {
				t.Errorf("%s: %s is read as %v", c.kind, bad, got)
			}
		}
	}
}
