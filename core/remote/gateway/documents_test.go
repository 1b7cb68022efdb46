package gateway

import (
	stdjson "encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// shelf is a Typesense that has every document whose id it is asked for, but for those that begin with x. It refuses
// more than 250 at once, as Typesense does.
type shelf struct {
	clock
	asked []int
}

func (s *shelf) Fetch(u *Upstream) (*Reply, error) {
	if u.Body == nil {
		return &Reply{Status: 404}, nil
	}
	var q struct {
		Searches []struct {
			Filter string `json:"filter_by"`
			N      int    `json:"per_page"`
		}
	}
	if err := stdjson.Unmarshal(u.Body, &q); err != nil {
		return nil, err
	}
	s.asked = append(s.asked, q.Searches[0].N)
	if q.Searches[0].N > 250 {
		return &Reply{Status: 422}, nil
	}
	ids := strings.Split(strings.TrimSuffix(strings.TrimPrefix(q.Searches[0].Filter, "id:=[`"), "`]"), "`,`")
	var hits []string
	for _, id := range ids {
		if !strings.HasPrefix(id, "x") {
			hits = append(hits, fmt.Sprintf(`{"document":{"id":%q,"title":"of %s"}}`, id, id))
		}
	}
	return &Reply{Status: 200, Body: []byte(`{"results":[{"hits":[` + strings.Join(hits, ",") + `]}]}`)}, nil
}

// 256 ids are a request of 250 and one of 6; of 256 documents three are not there.
func TestDocumentsAreAskedForInParts(t *testing.T) {
	config, err := ParseConfig([]byte(`{"backends":[{"id":"shop","kind":"typesense","url":"http://h","does":["search"],
		"index":"wire","id_field":"id","title_field":"title"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	h := &shelf{clock: clock{now: time.Unix(0, 0)}}
	ids := []string{"x1", "x2"}
	for i := range 253 {
		ids = append(ids, fmt.Sprint(i))
	}
	ids = append(ids, "x3")
	body, err := stdjson.Marshal(map[string]any{"backend": "shop", "ids": ids})
	if err != nil {
		t.Fatal(err)
	}
	a := New(config, h).Serve(&Call{Method: "POST", Path: "/api/v1/documents", ContentType: "application/json",
		Body: func(int) ([]byte, error) { return body, nil }})
	var got struct{ Documents []struct{ ID, Title string } }
	if err := stdjson.Unmarshal(a.Body, &got); err != nil || a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if len(got.Documents) != 253 || got.Documents[252].ID != "252" || got.Documents[252].Title != "of 252" ||
		fmt.Sprint(h.asked) != "[250 6]" {
		t.Errorf("%d documents, asked %v", len(got.Documents), h.asked)
	}
}
