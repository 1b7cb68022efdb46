package load

import "testing"

// The requests that take documents out, as the engines' pages have them.
func TestDelete(t *testing.T) {
	target := &Target{Index: "i"}
	for _, x := range []struct {
		engine             *Engine
		method, path, body string
	}{
		{openSearch, "POST", "/i/_bulk?filter_path=errors", `{"delete":{"_id":"a\"b"}}` + "\n" + `{"delete":{"_id":"c"}}` + "\n"},
		{elasticsearch, "POST", "/i/_bulk?filter_path=errors", `{"delete":{"_id":"a\"b"}}` + "\n" + `{"delete":{"_id":"c"}}` + "\n"},
		{qdrant, "POST", "/collections/i/points/delete?wait=true", `{"points":["` + UUID(`a"b`) + `","` + UUID("c") + `"]}`},
		{weaviate, "DELETE", "/v1/objects/i/" + UUID(`a"b`) + "?consistency_level=ALL", ""},
		{vespa, "DELETE", "/document/v1/i/i/docid/a%22b", ""},
	} {
		ids := []string{`a"b`, "c"}
		if x.engine.Deletes == 1 {
			ids = ids[:1]
		}
		if c := x.engine.Delete(target, ids); c.Method != x.method || c.Path != x.path || string(c.Body) != x.body {
			t.Errorf("%s: %s %s %s", x.engine.Name, c.Method, c.Path, c.Body)
		}
	}
}
