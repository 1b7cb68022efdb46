//go:build js

// Command edge is core/gateway as a Cloudflare worker on github.com/syumai/workers: what the gateway asks of its host, asked of the
// worker's runtime. It decides nothing of its own about what may be asked.
//
// It runs in two forms, by the same program. worker.mjs keeps one instance for all requests and starts another where that one has ended;
// the library's own worker.mjs starts one for each request. In both:
//
//   - no goroutine waits for another request's, and none sleeps: timers and streams belong to the request in which they began,
//     and end with it. Waiting is a promise of the request's own.
//   - the body of an answer is handed over as a whole. The library's pipe would end the program after the first answer.
//
// Ours hands requests, bodies and answers over in one call each, by way of the program's memory (direct.go): the library's conversion takes some two hundred.
package main

import (
	"net/http"
	"strings"
	"syscall/js"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare"

	"github.com/rankbox/rankbox/core/gateway"
)

// crash is set in builds for tests, which ask for a failure of the program.
var crash func(path string)

func failing(path string) {
	if crash != nil {
		crash(path)
	}
}

func main() {
	h := newHost()
	config, err := gateway.ParseConfig([]byte(variable("RANKBOX_CONFIG")))
	if err != nil { // said to who deployed it; callers are told that the edge failed
		console.Call("error", err.Error())
		serveDirect(h, func(*gateway.Call) *gateway.Answer { return gateway.Internal() })
		workers.ServeNonBlock(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { send(w, gateway.Internal()) }))
	} else {
		g := gateway.New(config, h)
		serveDirect(h, func(c *gateway.Call) *gateway.Answer { return answer(g, c) })
		workers.ServeNonBlock(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, in := call(r)
			failing(c.Path)
			a := answer(g, c)
			in.drain()
			send(w, a)
		}))
	}
	workers.Ready()
	select {}
}

// variable returns a variable or a secret, "" where there is none.
func variable(name string) string {
	if v := cloudflare.GetBinding(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

func call(r *http.Request) (*gateway.Call, *incoming) {
	length := r.ContentLength
	if r.Header.Get("Content-Length") == "" {
		length = -1
	}
	in := &incoming{from: stream(r.Body), length: length}
	return &gateway.Call{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery,
		Origin: one(r.Header, "Origin"), Self: r.URL.Scheme + "://" + r.URL.Host, ContentType: one(r.Header, "Content-Type"), Encoding: one(r.Header, "Content-Encoding"),
		Authorization: one(r.Header, "Authorization"), Asked: one(r.Header, "Access-Control-Request-Method"),
		Length: length, Client: gateway.ClientOf(one(r.Header, "Cf-Connecting-Ip")),
		Match: one(r.Header, "If-None-Match"),
		Body:  in.read,
	}, in
}

// one returns a header; of one with commas, all of its parts, as the library splits them.
func one(h http.Header, name string) string { return strings.Join(h.Values(name), ",") }

// answer answers a call even where the gateway panics.
func answer(g *gateway.Gateway, c *gateway.Call) (a *gateway.Answer) {
	defer func() {
		if recover() != nil {
			console.Call("error", `{"level":"error","panic":true}`)
			a = gateway.Internal()
		}
	}()
	return g.Serve(c)
}

// send hands an answer over as a whole.
func send(w http.ResponseWriter, a *gateway.Answer) {
	for _, h := range a.Headers {
		w.Header().Set(h[0], h[1])
	}
	w.WriteHeader(a.Status)
	whole := js.Null()
	if len(a.Body) > 0 {
		whole = bytes(a.Body)
	}
	w.(interface{ WriteRawJSBody(js.Value) }).WriteRawJSBody(whole)
}
