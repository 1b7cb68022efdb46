package gateway

import (
	"slices"
	"strings"
)

// origin says whether the page that calls may, and the origin that the answer names ("" where none is to be named). A
// call without an origin is no page's, or one of the site that the host itself serves.
func (w *work) origin() (allowed bool, cors string) {
	switch o := w.call.Origin; {
	case o == "", o == w.call.Self:
		return true, ""
	case slices.Contains(w.config.Origins, o):
		return true, o
	}
	return false, ""
}

func (w *work) withCORS(a *Answer, origin string) *Answer {
	if origin != "" {
		a.set("Access-Control-Allow-Origin", origin)
		a.set("Access-Control-Expose-Headers", "Server-Timing, Retry-After")
	}
	return a
}

// preflight answers a browser that asks whether a page may ask.
func (w *work) preflight(allowed bool, methods []string) *Answer {
	w.route = "preflight"
	if !allowed {
		return answerOf(&problem{status: 403, code: "origin", title: "Origin not allowed",
			detail: "this page may not use this edge"})
	}
	a := &Answer{Status: 204}
	if _, origin := w.origin(); origin != "" {
		a.set("Access-Control-Allow-Origin", origin)
		a.set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
		a.set("Access-Control-Allow-Headers", "Content-Type, Authorization")
		a.set("Access-Control-Max-Age", "600")
	}
	a.set("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")
	return a
}
