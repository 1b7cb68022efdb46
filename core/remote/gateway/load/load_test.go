package load

import (
	"reflect"
	"strings"
	"testing"
)

// Requests and answers have the form of each engine's published reference (the comments of the engines name it, read
// 2026-11-25), with
// values by
// Rankbox. OpenSearch 2.19.1 and Weaviate 1.35.2 were also run: see scripts/cluster/README.md.

var two = []Doc{
	{ID: "a", Title: "A \"quay\"", Text: "boats\nand more", Date: "2024-05-04", Vector: []float32{0.5, -1}},
	{ID: "é/1", Text: ""},
}

func TestRequests(t *testing.T) {
	for _, x := range []struct {
		engine string
		docs   []Doc
		call   string
	}{
		{"opensearch", two, "POST /i/_bulk?filter_path=items.*.status,items.*.error.type,items.*.error.reason," +
			"items.*.error.caused_by.reason application/x-ndjson\n" +
			`{"index":{"_id":"a"}}` + "\n" +
			`{"text":"boats\nand more","title":"A \"quay\"","date":"2024-05-04","vector":[0.5,-1]}` + "\n" +
			`{"index":{"_id":"é/1"}}` + "\n" + `{"text":""}` + "\n"},
		{"weaviate", two, "POST /v1/batch/objects?consistency_level=ALL application/json\n" +
			`{"objects":[{"class":"i","id":"4e0be50a-3bb2-5a4d-8e4e-2a3bca1b2be4",` +
			`"properties":{"text":"boats\nand more",` +
			`"title":"A \"quay\"","date":"2024-05-04","docid":"a"},"vector":[0.5,-1]},` +
			`{"class":"i","id":"ID2","properties":{"text":"","docid":"é/1"}}]}`},
		{"qdrant", two[:1], "PUT /collections/i/points?wait=true application/json\n" +
			`{"points":[{"id":"ID1","vector":{"bm25":{"model":"qdrant/bm25","text":"A \"quay\" boats\nand more"},` +
			`"vector":[0.5,-1]},"payload":{"text":"boats\nand more","title":"A \"quay\"","date":"2024-05-04",` +
			`"docid":"a"}}]}`},
		{"vespa", two[1:], "POST /document/v1/i/i/docid/%C3%A9%2F1 application/json\n" +
			`{"fields":{"text":"","docid":"é/1"}}`},
	} {
		want := strings.NewReplacer("4e0be50a-3bb2-5a4d-8e4e-2a3bca1b2be4", UUID("a"), "ID1", UUID("a"), "ID2",
			UUID("é/1")).Replace(x.call)
		c := Find(x.engine).Write(&Target{Index: "i", Dimensions: 2}, x.docs)
		if got := c.Method + " " + c.Path + " " + c.Type + "\n" + string(c.Body); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", x.engine, got, want)
		}
	}
}

// The identifiers are those of Python 3.11: uuid.uuid5(uuid.NAMESPACE_DNS, id).
func TestUUID(t *testing.T) {
	for id, want := range map[string]string{"python.org": "886313e1-3b8a-5372-9b90-0c9aee199e5d",
		"é/1": "59d2fe86-42be-5144-88f0-0683744c5701"} {
		if got := UUID(id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, x := range []struct {
		name, engine, answer string
		want                 Result
		bad                  bool
	}{
		{"OpenSearch", "opensearch", `{"items":[{"index":{"status":201}},{"index":{"status":200}}]}`, Result{}, false},
		{"OpenSearch, a document that is refused and one that it cannot take now", "opensearch",
			`{"items":[{"index":{"status":400,"error":{"type":"mapper_parsing_exception","reason":"failed to ` +
				`parse field [date]",` +
				`"caused_by":{"type":"illegal_argument_exception","reason":"bad date"}}}},` +
				`{"index":{"status":429,"error":{"type":"rejected_execution_exception","reason":"queue is full"}}}]}`,
			Result{Busy: []int{1}, Refused: []Refusal{{0,
				"mapper_parsing_exception: failed to parse field [date]: bad date"}}}, false},
		{"an answer about fewer documents", "opensearch", `{"items":[{"index":{"status":201}}]}`, Result{}, true},
		{"no answer", "opensearch", `{"took":3`, Result{}, true},
		{"Weaviate", "weaviate", `[{"class":"i","id":"x","properties":{},"result":{"status":"SUCCESS"}},` +
			`{"result":{"status":"FAILED",` +
			`"errors":{"error":[{"message":"no such prop"},{"message":"second"}]}}}]`, Result{Refused: []Refusal{{1,
			"no such prop"}}}, false},
		{"Weaviate, a node that is late", "weaviate", `[{"result":{"status":"SUCCESS"}},{"result":{"status":"FAILED",` +
			`"errors":{"error":[{"message":"cannot achieve consistency level ALL: ` +
			`broadcast"}]}}}]`, Result{Busy: []int{1}}, false},
		{"Weaviate, fewer", "weaviate", `[]`, Result{}, true},
		{"Qdrant", "qdrant", `{"usage":null,"result":{"operation_id":0,"status":"completed"},"status":"ok",` +
			`"time":0.002}`, Result{}, false},
		{"Vespa", "vespa", `{"pathId":"/document/v1/i/i/docid/a","id":"id:i:i::a"}`, Result{}, false},
		{"Vespa, cut off", "vespa", `{"pathId":`, Result{}, true},
	} {
		got, err := Find(x.engine).Read([]byte(x.answer), two)
		if (err != nil) != x.bad || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s: %+v, %v, want %+v", x.name, got, err, x.want)
		}
	}
}

func TestWhy(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"root_cause":[{"type":"x","reason":"no such index [i]"}],"reason":"other"},"status":404}`: "no " +
			"such index [i]",
		`{"status":{"error":"Wrong input: Vector dimension error"},` +
			`"time":0.1}`: "Wrong input: Vector dimension error",
		`{"error":[{"message":"class name ` +
			`invalid"}]}`: "class name invalid",
		"<html>\n  gone </html>": "<html> gone </html>",
		"":                       "it gives no reason",
	} {
		if got := Why([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// Every engine has what the command line calls, and a target's own schema replaces the engine's.
func TestEngines(t *testing.T) {
	for _, e := range Engines {
		plain, with := string(e.Schema(&Target{Index: "Wire"})), string(e.Schema(&Target{Index: "Wire",
			Dimensions: 384}))
		if strings.Contains(plain, "384") || e.Name != "weaviate" && !strings.Contains(with, "384") {
			t.Errorf("%s: %s\n%s", e.Name, plain, with)
		}
		if e.Batch < 1 || e.InFlight < 1 || e.Backend(&Target{Index: "Wire"}) == "" {
			t.Errorf("%s: %+v", e.Name, e)
		}
		own := &Target{Index: "Wire", Schema: []byte("own")}
		if calls := e.Setup(own); len(calls) > 0 && string(calls[0].Body) != "own" || string(e.SchemaOf(own)) != "own" {
			t.Errorf("%s: its own schema is not used", e.Name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"items":[{"index":{"status":201}},{"index":{"status":429,"error":{"type":"a","reason":"b"}}}]}`)
	f.Add(`[{"result":{"status":"SUCCESS"}},{"result":{"errors":{"error":[{"message":"m"}]}}}]`)
	f.Fuzz(func(t *testing.T, body string) {
		Why([]byte(body))
		for _, e := range Engines {
			r, err := e.Read([]byte(body), two)
			if err != nil && (r.Busy != nil || r.Refused != nil) {
				t.Errorf("%s: a result beside an error", e.Name)
			}
			for _, x := range r.Refused {
				if x.Doc < 0 || x.Doc >= len(two) || len(x.Why) > longestWhy+3 {
					t.Errorf("%s: %+v", e.Name, x)
				}
			}
			for _, i := range r.Busy {
				if i < 0 || i >= len(two) {
					t.Errorf("%s: busy document %d of %d", e.Name, i, len(two))
				}
			}
		}
	})
}
