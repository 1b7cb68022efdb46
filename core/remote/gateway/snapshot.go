package gateway

import (
	"strconv"

	"github.com/rankbox/rankbox/core/internal/sha256"
)

// A snapshot is bytes under their hash. It is never read here, and never shown by a browser as anything: a file to be
// saved.

// readSnapshot answers GET /api/v1/snapshots/{sha256}.
func (w *work) readSnapshot(hash string) *Answer {
	if !w.config.Snapshots {
		return w.problem(notFound("this edge does not store snapshots"))
	}
	body, ok := w.host.Store().Recall(Snapshots, hash)
	if !ok || sha256.Hex(body) != hash { // what was damaged where it is kept is not there
		return w.problem(notFound("no such snapshot"))
	}
	return &Answer{Status: 200, Body: body, Headers: [][2]string{
		{"Content-Type", "application/octet-stream"},
		{"Content-Disposition", `attachment; filename="` + hash[:12] + `.rankbox"`},
		{"Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'"},
		{"Cross-Origin-Resource-Policy", "cross-origin"},
		{"Cache-Control", "public, max-age=31536000, immutable"},
	}}
}

// writeSnapshot answers PUT /api/v1/snapshots/{sha256}. A unit of the daily budget is 16 kB.
func (w *work) writeSnapshot(hash string) *Answer {
	limit := w.config.Limits.Snapshot
	switch {
	case !w.config.Snapshots:
		return w.problem(notFound("this edge does not store snapshots"))
	case w.call.Encoding != "" && w.call.Encoding != "identity":
		return w.problem(&problem{status: 415, code: "type", title: "Unsupported encoding",
			detail: "send the body as it is"})
	case w.call.ContentType != "application/octet-stream": // no form of another page can send this without asking first
		return w.problem(&problem{status: 415, code: "type", title: "Unsupported type",
			detail: "send application/octet-stream"})
	case w.call.Length > int64(limit):
		return w.problem(tooLarge("", "more than "+strconv.Itoa(limit)+" bytes"))
	}
	body, p := w.read(limit)
	if p != nil {
		return w.problem(p)
	}
	w.items = 1
	if p := w.spend(len(body)>>14, false); p != nil {
		return w.problem(p)
	}
	if len(body) == 0 || sha256.Hex(body) != hash {
		return w.problem(&problem{status: 422, code: "hash", title: "Not the snapshot of this address",
			detail: "the SHA-256 of the body differs"})
	}
	status := 201
	if _, ok := w.host.Store().Recall(Snapshots, hash); ok {
		status = 200
	} else if err := w.host.Store().Remember(Snapshots, hash, body); err != nil {
		return w.problem(&problem{status: 507, code: "too-large", title: "No room",
			detail: "the edge cannot store more snapshots"})
	}
	a := json([]byte(`{"sha256":"` + hash + `","bytes":` + strconv.Itoa(len(body)) + `}`))
	a.Status = status
	return a
}
