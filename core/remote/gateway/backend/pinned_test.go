package backend

import "testing"

// An index that is the same in another order of members is the same; another uuid, mapping or setting is another one.
// The aliases, which a search does not depend on, are no part of it.
func TestTheIdentityOfAMapping(t *testing.T) {
	of := func(body string) string {
		t.Helper()
		told, err := luceneMapping.Read(nil, []byte(body))
		if err != nil || told.Version == "" {
			t.Fatalf("%s: %+v %v", body, told, err)
		}
		return told.Version
	}
	const plain = `{"a":{"aliases":{},"mappings":{"p":{"x":{"type":"text","f":[1,true,null]},"y":{}}},` +
		`"settings":{"index":{"uuid":"u","n":"1"}}}}`
	want := of(plain)
	for _, same := range []string{
		`{"a":{"settings":{"index":{"n":"1","uuid":"u"}},"mappings":{"p":{"y":{},"x":{"f":[1,true,null],"type":"text"}}}}}`,
		`{"a":{"aliases":{"z":{}},"mappings":{"p":{"x":{"type":"text","f":[1,true,null]},"y":{}}},` +
			`"settings":{"index":{"uuid":"u","n":"1"}}}}`,
	} {
		if of(same) != want {
			t.Errorf("%s has another identity", same)
		}
	}
	for _, other := range []string{
		`{"a":{"mappings":{"p":{"x":{"type":"text","f":[1,true,null]},"y":{}}},"settings":{"index":{"uuid":"v","n":"1"}}}}`,
		`{"a":{"mappings":{"p":{"x":{"type":"text","f":[1,false,null]},"y":{}}},"settings":{"index":{"uuid":"u","n":"1"}}}}`,
		`{"b":{"mappings":{"p":{"x":{"type":"text","f":[1,true,null]},"y":{}}},"settings":{"index":{"uuid":"u","n":"1"}}}}`,
	} {
		if of(other) == want {
			t.Errorf("%s has the same identity", other)
		}
	}
	for _, bad := range []string{`{}`, `[]`, `{"error":"no such index"}`, ``} {
		if _, err := luceneMapping.Read(nil, []byte(bad)); err == nil {
			t.Errorf("%q is taken for an index", bad)
		}
	}
}

// Requests of a point in time, as the engines' pages have them.
func TestPointsInTime(t *testing.T) {
	s := &Settings{Index: "i"}
	search := Request{"/i/_search", []byte(`{"size":3}`)}
	for _, x := range []struct {
		kind         *Kind
		open, answer string
	}{
		{openSearch, "/i/_search/point_in_time?keep_alive=10m", `{"pit_id":"P","_shards":{},"creation_time":1}`},
		{elasticsearch, "/i/_pit?keep_alive=10m", `{"id":"P"}`},
	} {
		p := x.kind.Pin
		if r := p.Open(s); r.Path != x.open || r.Body == nil || len(r.Body) != 0 {
			t.Errorf("%s: %s %q", x.kind.Name, r.Path, r.Body)
		}
		id, err := p.Read([]byte(x.answer))
		if err != nil || id != "P" {
			t.Errorf("%s: %q %v", x.kind.Name, id, err)
		}
		if r := p.At(search, id); r.Path != "/_search" ||
			string(r.Body) != `{"pit":{"id":"P","keep_alive":"10m"},"size":3}` {
			t.Errorf("%s: %s %s", x.kind.Name, r.Path, r.Body)
		}
		for _, bad := range []string{`{}`, `{"id":3}`, `[]`} {
			if _, err := p.Read([]byte(bad)); err == nil {
				t.Errorf("%s: %s is taken for a point in time", x.kind.Name, bad)
			}
		}
	}
	if told, err := openSearch.Pin.ReadCount([]byte(`{"hits":{"total":{"value":7}}}`)); err != nil || told.Documents != "7" {
		t.Errorf("%+v %v", told, err)
	}
}
