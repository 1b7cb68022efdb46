package gateway_test

import (
	"fmt"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// still is a host whose one backend is always busy.
type still struct{ gateway.Ledger }

func (*still) Now() time.Time       { return time.Unix(1e9, 0) }
func (*still) Wait(time.Duration)   {}
func (*still) Secret(string) string { return "" }
func (*still) Fetch(*gateway.Upstream) (*gateway.Reply, error) {
	return &gateway.Reply{Status: 503}, nil
}
func (h *still) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	return h.Ledger.Spend(client, units, first, h.Now(), l)
}
func (s *still) Store() gateway.Store                      { return s }
func (*still) Recall(gateway.Kept, string) ([]byte, bool)  { return nil, false }
func (*still) Remember(gateway.Kept, string, []byte) error { return nil }
func (*still) Log([]byte)                                  {}
func (*still) Rooms() gateway.Rooms                        { return nil }
func (*still) Random([]byte)                               {}
func text(s string) func(int) ([]byte, error) {
	return func(int) ([]byte, error) { return []byte(s), nil }
}

// A reranker that is busy gives the order back in which the documents came, and the answer says so.
func Example() {
	c, err := gateway.ParseConfig(
		[]byte(`{"backends":[{"id":"cross","kind":"tei","url":"http://127.0.0.1:8081","does":["rerank"]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	a := gateway.New(c, &still{}).Serve(&gateway.Call{
		Method: "POST", Path: "/api/v1/rerank", ContentType: "application/json", Client: "192.0.2.1",
		Body: text(`{"backend":"cross","query":"harbour","documents":[{"id":"a","text":"A quay."},{"id":"b",` +
			`"text":"A hill."}]}`),
	})
	fmt.Println(a.Status, string(a.Body))
	// Output:
	// 200 {"backend":"cross","identity":"fe34028303dd61ce5ed8565e08fd8f994c4f629dcab658a1dc1c3151f350d2a4","model":"","revision":"","results":[{"index":0,"id":"a"},{"index":1,"id":"b"}],"fallback":{"order":"input","reason":"busy","why":"it answers with status 503: it is overloaded, or a proxy does not reach it"}}
}
