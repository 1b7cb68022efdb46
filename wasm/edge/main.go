//go:build js

// Command edge is core/remote/gateway as a Cloudflare worker: what the gateway asks of its host, asked of the worker's
// runtime. It decides nothing of its own about what may be asked.
//
// worker.mjs keeps one instance for all requests and starts another if that one has ended. It hands requests, bodies
// and answers over in one call each, by way of the program's memory (direct.go). No goroutine waits for another
// request's, and none sleeps: timers and streams belong to the request in which they began, and end with it. The glue
// between Go and JavaScript, which gives the program its context, is that of github.com/syumai/workers.
package main

import (
	"syscall/js"

	"github.com/syumai/workers/cloudflare"

	"github.com/rankbox/rankbox/core/remote/gateway"
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
		h.serve(func(*gateway.Call) *gateway.Answer { return gateway.Internal() })
	} else {
		g := gateway.New(config, h)
		h.serve(func(c *gateway.Call) *gateway.Answer { return answer(g, c) })
	}
	select {}
}

// variable returns a variable or a secret, "" where there is none.
func variable(name string) string {
	if v := cloudflare.GetBinding(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

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
