//go:build js && !first

package worker

import (
	"errors"
	"syscall/js"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/internal/browser"
)

func init() {
	askEdge = func(method, path string, body []byte) (remote.Reply, error) {
		token := edgeKey
		if method == "GET" {
			if body != nil { // of the metrics
				token = string(body)
			}
			body = nil
		}
		return askEdgeAs(method, path, token, body)
	}
	askEdgeAs = func(method, path, token string, body []byte) (r remote.Reply, err error) {
		sent := js.Null()
		if body != nil {
			sent = browser.Array(body)
		}
		a, err := browser.Await(browser.Glue("ask").Invoke(method, path, sent, token))
		if err != nil {
			return r, errors.New("the edge cannot be reached")
		}
		return remote.Reply{Status: a.Get("status").Int(), Retry: a.Get("retry").Int(),
			Body: browser.Bytes(a.Get("body"))}, nil
	}
}
