package gateway

import (
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// A backend's declaration is what its answers depend on, as far as the configuration and the service say: never
// where the service is. Its identity is the SHA-256 of the declaration. Every answer carries the identity, and
// every key of a stored answer has it.

const (
	toldFor     = 15 * time.Second // a service is asked about itself no more often while it is used
	toldAtLeast = time.Second / 5  // and no more often where a client asks for the declarations
	// a service that did not answer is left alone so long
	failedAtLeast = time.Second
	inspectTime   = time.Second
	mostTold      = 1 << 20 // bytes of what a service says of itself
	mostFact      = 400     // bytes of one text in it
)

// fact is a member of a declaration; value is JSON.
type fact struct{ name, value string }

// inspected is what a service last said of itself.
type inspected struct {
	told backend.Told
	at   time.Time // when it was last asked, or is being asked
	said time.Time // when it was asked what it said last; zero if it never answered

	failed bool   // it did not answer
	point  string // the id of its point in time, "" without one
}

// age returns how long ago a backend was asked what its declaration says, the oldest of it and its embedder; known is
// false if it never answered. A backend that says nothing of itself has no age.
func (g *Gateway) age(b *Backend, now time.Time) (age time.Duration, inspected, known bool) {
	known = true
	for ; b != nil; b = g.config.backend(b.Embedder) {
		if !b.inspected() {
			continue
		}
		inspected = true
		g.mu.Lock()
		x := g.inspected[b.ID]
		g.mu.Unlock()
		known = known && !x.said.IsZero()
		age = max(age, now.Sub(x.said))
	}
	return age, inspected, known
}

// inspected reports whether the service of a backend is asked about itself.
func (b *Backend) inspected() bool {
	return b.Kind.Inspect != nil && b.does(Finds) == (b.Kind.Search != nil)
}

// facts are the declaration of a backend in their one order.
func (g *Gateway) facts(b *Backend, told backend.Told) []fact {
	var out []fact
	text := func(name, value string) {
		if value != "" {
			out = append(out, fact{name, jsontext.Quote(value)})
		}
	}
	list := func(name string, values []string) {
		if len(values) > 0 {
			out = append(out, fact{name, string(quoteAll(nil, values))})
		}
	}
	text("kind", b.Kind.Name)
	text("format", b.Kind.Digest)
	text("model", b.Settings.Model)
	text("revision", b.Revision)
	if b.Dimensions > 0 {
		out = append(out, fact{"dimensions", strconv.Itoa(b.Dimensions)})
	}
	text("query_prefix", b.Settings.Prefix[backend.Query])
	text("document_prefix", b.Settings.Prefix[backend.Document])
	text("served", told.Served)
	text("index", b.Settings.Index)
	if b.By != backend.ByWrites {
		text("identity_by", string(b.By))
	}
	text("version", told.Version)
	if told.Documents != "" {
		out = append(out, fact{"documents", told.Documents})
	}
	if !b.does(Finds) {
		return out
	}
	text("id_field", b.Settings.IDField)
	list("text_fields", b.Settings.TextFields)
	text("vector_field", b.Settings.VectorField)
	text("title_field", b.Settings.TitleField)
	text("text_field", b.Settings.TextField)
	text("templates", b.templates())
	if e := g.config.backend(b.Embedder); e != nil {
		text("embedder", g.identity(e))
	}
	return out
}

// templates is the digest of the requests by which a backend searches.
func (b *Backend) templates() string {
	var all strings.Builder
	for _, m := range b.Modes {
		t := string(b.Settings.Templates[m])
		if t == "" {
			t = b.Kind.Search.Templates[m]
		}
		all.WriteString(string(m) + " " + strconv.Itoa(len(t)) + " " + t + "\n")
	}
	return sha256.Hex([]byte(all.String()))
}

// identity is the digest of a backend's declaration.
func (g *Gateway) identity(b *Backend) string {
	facts := g.facts(b, g.told(b, false))
	all := []byte("rankbox backend 1")
	for _, f := range facts {
		all = append(append(append(append(all, '\n'), f.name...), ' '), f.value...)
	}
	return sha256.Hex(all)
}

// told is what a service says of itself; fresh asks it even where that was done lately. Where it cannot be
// asked, it is what it said last.
func (g *Gateway) told(b *Backend, fresh bool) backend.Told {
	if !b.inspected() {
		return backend.Told{}
	}
	now, every := g.host.Now(), toldFor
	g.mu.Lock()
	known, asked := g.inspected[b.ID]
	if fresh {
		every = toldAtLeast
		if known.failed {
			every = failedAtLeast
		}
	}
	if b.By == backend.ByPoint && known.point == "" { // nothing can be searched before there is one
		every = failedAtLeast
	}
	if asked && now.Sub(known.at) < every || g.breakers[b.ID].failures >= tripAfter {
		g.mu.Unlock()
		return known.told
	}
	// whoever comes meanwhile has what is known; the first ones all ask, since none may wait for another's request
	if asked {
		known.at = now
		g.inspected[b.ID] = known
	}
	g.mu.Unlock()
	point := ""
	var told backend.Told
	var ok bool
	if b.By == backend.ByPoint {
		told, point, ok = g.hold(b, known.point)
	} else {
		told, ok = g.inspect(b)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	said := now
	if x := g.inspected[b.ID]; !ok {
		told, said, point = x.told, x.said, x.point
	} else if !asked && x.point != "" { // another call opened one meanwhile
		told, said, point = x.told, x.said, x.point
	}
	at := now
	if !ok { // one that hangs is left alone from the end of the wait on, or every request would wait for it
		at = g.host.Now()
	}
	g.inspected[b.ID] = inspected{told, at, said, !ok, point}
	return told
}

// hold opens a point in time of a backend, or asks whether the one that is open is still there.
func (g *Gateway) hold(b *Backend, open string) (told backend.Told, point string, ok bool) {
	pin := b.Kind.Pin
	count := func(id string) (told backend.Told, gone, ok bool) {
		reply, err := g.question(b, pin.Count(id))
		if err != nil || reply.Status != 200 {
			return told, err == nil && reply.Status == 404, false
		}
		told, err = pin.ReadCount(reply.Body)
		told.Version = "point in time " + sha256.Hex([]byte(id))
		return told, false, err == nil
	}
	if open != "" {
		told, gone, ok := count(open)
		if ok || !gone {
			return told, open, ok
		}
	}
	reply, err := g.question(b, pin.Open(&b.Settings))
	if err != nil || reply.Status/100 != 2 {
		return told, "", false
	}
	id, err := pin.Read(reply.Body)
	if err != nil {
		return told, "", false
	}
	told, _, ok = count(id)
	return told, id, ok
}

// question sends a request about a service to the first of its nodes that answers.
func (g *Gateway) question(b *Backend, r backend.Request) (reply *Reply, err error) {
	up := &Upstream{Body: r.Body, Limit: mostTold, Timeout: inspectTime, Headers: g.headers(b)}
	for _, node := range append([]string{b.URL}, b.Also...) {
		up.URL = node + r.Path
		if reply, err = g.host.Fetch(up); err == nil && !late(reply.Status) {
			return reply, nil
		}
	}
	return reply, err
}

// late reports whether a status says that another node, or the same one later, may answer.
func late(status int) bool { return status == 408 || status == 429 || status >= 500 }

// point is the id of a backend's point in time, "" without one.
func (g *Gateway) point(b *Backend) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.inspected[b.ID].point
}

// inspect asks a service about itself, node by node; false where none answers. One that does not know the
// question says nothing.
func (g *Gateway) inspect(b *Backend) (told backend.Told, ok bool) {
	k := b.Kind.Inspect
	if b.By == backend.BySettings {
		k = b.Kind.Mapping
	}
	r := k.Ask(&b.Settings)
	up := &Upstream{Body: r.Body, Limit: mostTold, Timeout: inspectTime, Headers: g.headers(b)}
	for _, node := range append([]string{b.URL}, b.Also...) {
		up.URL = node + r.Path
		reply, err := g.host.Fetch(up)
		switch {
		case err != nil || late(reply.Status):
			continue
		case reply.Status != 200:
			return told, true
		}
		told, err = k.Read(&b.Settings, reply.Body)
		if err != nil || len(told.Served)+len(told.Version)+len(told.Documents) > mostFact {
			continue
		}
		return told, true
	}
	return backend.Told{}, false
}

// headers are those of every request to a backend.
func (g *Gateway) headers(b *Backend) [][2]string {
	out := [][2]string{{"Content-Type", "application/json"}, {"Accept", "application/json"}, {"User-Agent",
		"rankbox-edge"}}
	out = append(out, b.Kind.Headers...)
	if b.SecretName != "" && b.Kind.Sign == "" {
		if key := g.host.Secret(b.SecretName); key != "" {
			name, value := b.Kind.Auth(key)
			out = append(out, [2]string{name, value})
		}
	}
	return out
}
