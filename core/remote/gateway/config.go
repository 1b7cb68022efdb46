package gateway

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// Config is what a gateway serves, for whom, and how much.
type Config struct {
	Origins   []string // of pages that may use it, "https://example.org"; "null" and "*" are refused
	Limits    Limits
	Keys      *Keys // nil: nobody needs one
	Snapshots bool
	Rooms     bool // classes may vote; true unless a configuration says otherwise
	Quiet     bool // no line of the log for each call
	Backends  []Backend
}

// Limits bound one call and one client. All are checked before anything is sent.
type Limits struct {
	Body       int // bytes of a request
	Snapshot   int // bytes of a snapshot
	Items      int // texts to embed, documents to rerank
	Characters int // Unicode characters of one text or query
	Total      int // characters of all texts of a call
	TopK       int
	PerMinute  int // calls of one client
	PerDay     int // units of one client: a call is one, each text or document beyond the first one more
	AllPerDay  int // units of all clients together; 0: as many as they like
	// TokensPerDay and AllTokensPerDay are those of one client and of all together, of backends that have a
	// secret; 0: as many as they like
	TokensPerDay, AllTokensPerDay int
	Reply                         int // bytes of a service's answer
	RoomsPerDay                   int // rooms that one client opens
	RoomPerMinute                 int // calls of one client for rooms: a class may share one address
	Voters                        int // of a room
	Deadline                      time.Duration
}

// Defaults are the limits where a configuration says nothing.
var Defaults = Limits{
	Body: 1 << 20, Snapshot: 4 << 20, Items: 256, Characters: 20_000, Total: 400_000, TopK: 1000, PerMinute: 600,
	PerDay: 200_000, TokensPerDay: 20_000_000, AllTokensPerDay: 200_000_000, Reply: 32 << 20,
	Deadline:    15 * time.Second,
	RoomsPerDay: 200, RoomPerMinute: 24_000, Voters: 1000,
}

// Does is what a backend is for.
type Does string

const (
	Embeds  Does = "embed"
	Reranks Does = "rerank"
	Finds   Does = "search"
)

// Backend is one service, as the configuration names it.
type Backend struct {
	ID         string
	Kind       *backend.Kind
	URL        string   // without a slash at its end
	Also       []string // other nodes of the same cluster, asked where one is not there
	SecretName string   // of the host; "" for none
	Revision   string
	Does       []Does
	Outputs    []backend.Output // of an embedding backend
	Modes      []backend.Mode   // of a search backend
	Dimensions int              // of its vectors; 0 where it is not said
	// AsksDimensions says whether the service is asked for Dimensions; nil: where its kind can be.
	AsksDimensions *bool
	Batch          int        // 0: the kind's
	Embedder       string     // the backend that makes the query's vector where a call brings none
	Price          *Price     // nil: it is not said
	By             backend.By // of a search backend: what its identity is made of
	Settings       backend.Settings
}

// Price is what a backend's provider charges. It is told to clients, who say what a plan may cost, and is no part of
// the backend's identity.
type Price struct {
	PerMillion float64 // tokens
	Currency   string  // three capital letters (ISO 4217)
}

func (c *Config) backend(id string) *Backend {
	for i := range c.Backends {
		if c.Backends[i].ID == id {
			return &c.Backends[i]
		}
	}
	return nil
}

// ParseConfig reads a configuration: JSON, in which nothing may be that is not known. The error says where.
func ParseConfig(text []byte) (*Config, error) {
	c := &Config{Limits: Defaults, Rooms: true}
	d := newDecoder(text, 24)
	d.object(func(key string) bool {
		switch key {
		case "origins":
			c.Origins = d.strings(100, 300)
		case "snapshots":
			c.Snapshots = d.r.Bool()
		case "rooms":
			c.Rooms = d.r.Bool()
		case "quiet":
			c.Quiet = d.r.Bool()
		case "limits":
			c.Limits.read(d)
		case "keys":
			c.Keys = readKeys(d)
		case "backends":
			d.array(100, func() { c.Backends = append(c.Backends, readBackend(d)) })
		default:
			return false
		}
		return true
	})
	if p := d.end(); p != nil {
		return nil, fmt.Errorf("gateway: configuration: %s: %s", p.pointer, p.detail)
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("gateway: configuration: %w", err)
	}
	return c, nil
}

func (l *Limits) read(d *decoder) {
	d.object(func(key string) bool {
		to := map[string]*int{"body": &l.Body, "snapshot": &l.Snapshot, "items": &l.Items, "characters": &l.Characters,
			"total": &l.Total, "top_k": &l.TopK, "per_minute": &l.PerMinute, "per_day": &l.PerDay,
			"reply": &l.Reply}[key]
		if to == nil {
			to = map[string]*int{"rooms_per_day": &l.RoomsPerDay, "room_per_minute": &l.RoomPerMinute,
				"voters": &l.Voters}[key]
		}
		if to := map[string]*int{"tokens_per_day": &l.TokensPerDay,
			"all_tokens_per_day": &l.AllTokensPerDay, "all_per_day": &l.AllPerDay}[key]; to != nil {
			*to = d.int(0, 1<<40)
			return true
		}
		if key == "deadline_ms" {
			l.Deadline = time.Duration(d.int(1, 120_000)) * time.Millisecond
			return true
		}
		if to == nil {
			return false
		}
		*to = d.int(1, 1<<30)
		return true
	})
}

// described is the kind of a backend that the configuration describes.
const described = "http"

func readBackend(d *decoder) Backend {
	var b Backend
	kind := ""
	var description []byte
	d.object(func(key string) bool {
		switch key {
		case "id":
			b.ID = d.string(64)
		case "kind":
			kind = d.string(64)
		case "url":
			b.URL = strings.TrimSuffix(d.string(500), "/")
		case "also":
			for _, u := range d.strings(20, 500) {
				b.Also = append(b.Also, strings.TrimSuffix(u, "/"))
			}
		case "secret":
			b.SecretName = d.string(100)
		case "model":
			b.Settings.Model = d.string(200)
		case "revision":
			b.Revision = d.string(200)
		case "does":
			for _, s := range d.strings(3, 20) {
				b.Does = append(b.Does, Does(s))
			}
		case "outputs":
			for _, s := range d.strings(3, 20) {
				b.Outputs = append(b.Outputs, backend.Output(s))
			}
		case "modes":
			for _, s := range d.strings(3, 20) {
				b.Modes = append(b.Modes, backend.Mode(s))
			}
		case "dimensions":
			b.Dimensions = d.int(1, backend.MaxDimensions)
		case "ask_dimensions":
			whole := d.r.Bool()
			b.AsksDimensions = &whole
		case "query_prefix":
			b.prefix(backend.Query, d.string(1000))
		case "document_prefix":
			b.prefix(backend.Document, d.string(1000))
		case "batch":
			b.Batch = d.int(1, 10_000)
		case "price":
			b.Price = readPrice(d)
		case "identity":
			b.By = backend.By(d.string(20))
		case "embedder":
			b.Embedder = d.string(64)
		case "index":
			b.Settings.Index = d.string(200)
		case "id_field":
			b.Settings.IDField = d.string(200)
		case "text_fields":
			b.Settings.TextFields = d.strings(20, 200)
		case "vector_field":
			b.Settings.VectorField = d.string(200)
		case "http":
			description = backend.Copy(d.r)
		case "title_field":
			b.Settings.TitleField = d.string(200)
		case "text_field":
			b.Settings.TextField = d.string(200)
		case "templates":
			b.Settings.Templates = map[backend.Mode][]byte{}
			d.object(func(key string) bool {
				if !slices.Contains(backend.Modes, backend.Mode(key)) {
					return false
				}
				b.Settings.Templates[backend.Mode(key)] = d.template()
				return true
			})
		default:
			return false
		}
		return true
	})
	b.Kind = kindOf(d, kind, description)
	return b
}

func readPrice(d *decoder) *Price {
	p := &Price{}
	d.object(func(key string) bool {
		switch key {
		case "million_tokens":
			p.PerMillion = d.r.Float()
		case "currency":
			p.Currency = d.string(3)
		default:
			return false
		}
		return true
	})
	if p.PerMillion <= 0 || p.PerMillion > 1e6 || len(p.Currency) != 3 ||
		strings.Trim(p.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		d.fail(`a price has a million_tokens above 0 and a currency such as "USD"`)
	}
	return p
}

// template reads a request of a search, as JSON or as a string of JSON.
func (d *decoder) template() []byte {
	if d.r.Peek() == '{' {
		return backend.Copy(d.r)
	}
	return []byte(d.string(20_000))
}

// kindOf is the kind of that name, or the one that is described.
func kindOf(d *decoder, name string, description []byte) *backend.Kind {
	if d.r.Err() != nil {
		return nil
	}
	if (name == described) != (description != nil) {
		d.fail("kind http needs a member http that describes it, and no other kind has one")
		return nil
	}
	if name == described {
		k, err := backend.Describe(described, description)
		if wrong, ok := errors.AsType[*backend.DescriptionError](err); ok {
			d.fail("http: " + wrong.Err.Error())
		}
		return k
	}
	k := backend.Find(name)
	if k == nil {
		d.fail("unknown kind")
	}
	return k
}

func (b *Backend) prefix(r backend.Role, text string) {
	if b.Settings.Prefix == nil {
		b.Settings.Prefix = map[backend.Role]string{}
	}
	b.Settings.Prefix[r] = text
}

// check says what of a configuration contradicts itself.
func (c *Config) check() error {
	for _, o := range c.Origins {
		if scheme, host, ok := strings.Cut(o, "://"); !ok || scheme != "https" && scheme != "http" || host == "" ||
			strings.ContainsAny(host, "/*?#@ ") {
			return fmt.Errorf("origin %s is not scheme://host", jsontext.Quote(o))
		}
	}
	if err := c.Keys.check(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range c.Backends {
		b := &c.Backends[i]
		if err := b.check(c); err != nil {
			return fmt.Errorf("backend %s: %w", jsontext.Quote(b.ID), err)
		}
		if seen[b.ID] {
			return fmt.Errorf("backend %s appears twice", jsontext.Quote(b.ID))
		}
		seen[b.ID] = true
	}
	return nil
}

func (b *Backend) check(c *Config) error {
	for _, u := range append([]string{b.URL}, b.Also...) {
		if scheme, rest, _ := strings.Cut(u, "://"); scheme != "https" && scheme != "http" || rest == "" ||
			strings.ContainsAny(rest, "@?# \\") {
			return errors.New("url is not http(s)://host/path without user, query and fragment")
		}
	}
	switch {
	case !isID(b.ID):
		return errors.New("an id is 1 to 40 of a-z, 0-9 and -")
	case len(b.Does) == 0:
		return errors.New("does is empty")
	case strings.ContainsAny(b.Settings.Index, "/?#%\\\"{} ") || strings.Contains(b.Settings.Index, ".."):
		return errors.New("index is not a plain name")
	}
	for _, does := range b.Does {
		k := b.Kind
		if does == Embeds && k.Embed == nil || does == Reranks && k.Rerank == nil || does == Finds && k.Search == nil ||
			does != Embeds && does != Reranks && does != Finds {
			return fmt.Errorf("kind %s does not %s", k.Name, jsontext.Quote(string(does)))
		}
	}
	if b.By == "" {
		b.By = backend.ByWrites
	}
	switch {
	case b.By != backend.ByWrites && b.By != backend.BySettings && b.By != backend.ByPoint:
		return errors.New("identity is strict, settings or point-in-time")
	case b.By == backend.BySettings && b.Kind.Mapping == nil, b.By == backend.ByPoint && b.Kind.Pin == nil:
		return fmt.Errorf("kind %s has no identity by %s", b.Kind.Name, b.By)
	}
	if b.Settings.Prefix != nil && !b.does(Embeds) {
		return errors.New("query_prefix and document_prefix are for backends that embed")
	}
	if b.AsksDimensions != nil && *b.AsksDimensions && (b.Dimensions == 0 || b.Kind.Embed == nil ||
		!b.Kind.Embed.Sized) {
		return fmt.Errorf(
			"ask_dimensions needs dimensions, and a kind that takes them; %s does not or they are missing",
			b.Kind.Name)
	}
	if b.does(Embeds) {
		if b.Kind.Embed.Sized && (b.AsksDimensions == nil || *b.AsksDimensions) {
			b.Settings.Dimensions = b.Dimensions
		}
		if len(b.Outputs) == 0 {
			b.Outputs = []backend.Output{backend.Dense}
		}
		for _, o := range b.Outputs {
			if !slices.Contains(b.Kind.Embed.Outputs, o) {
				return fmt.Errorf("kind %s has no output %s", b.Kind.Name, jsontext.Quote(string(o)))
			}
		}
	}
	if b.texts() && !b.does(Finds) {
		return errors.New("title_field and text_field are for backends that search")
	}
	if b.does(Finds) {
		return b.checkSearch(c)
	}
	return nil
}

// checkSearch checks what concerns a backend that searches.
func (b *Backend) checkSearch(c *Config) error {
	if l := b.Kind.Search.Documents; b.texts() && (l == nil || l.ByField && b.Settings.IDField == "") {
		return errors.New("title_field and text_field need an id_field here")
	}
	for _, name := range []string{b.Settings.IDField, b.Settings.TitleField, b.Settings.TextField} {
		if b.texts() && strings.ContainsAny(name, "{}()[]:,;\"'\\ ") { // it stands within a query
			return errors.New("id_field, title_field and text_field are plain names")
		}
	}
	if b.Settings.Index == "" || b.Settings.IDField == "" && b.Kind.Search.ByField {
		return errors.New("search needs an index, and this kind an id_field")
	}
	if len(b.Modes) == 0 {
		b.Modes = []backend.Mode{backend.BM25}
	}
	for _, m := range b.Modes {
		if _, own := b.Settings.Templates[m]; b.Kind.Search.Templates[m] == "" && !own {
			return fmt.Errorf("there is no template for mode %s", jsontext.Quote(string(m)))
		}
	}
	for m, t := range b.Settings.Templates {
		if err := backend.CheckTemplate(t); err != nil {
			return fmt.Errorf("mode %s: %w", m, err)
		}
	}
	if b.Embedder != "" {
		if e := c.backend(b.Embedder); e == nil || !e.does(Embeds) {
			return fmt.Errorf("embedder %s does not embed", jsontext.Quote(b.Embedder))
		}
	}
	return nil
}

// texts reports whether the backend returns titles or texts of documents.
func (b *Backend) texts() bool { return b.Settings.TitleField != "" || b.Settings.TextField != "" }

func (b *Backend) does(d Does) bool { return slices.Contains(b.Does, d) }

// describe appends what the page may know of a backend: what it is for, its declaration, and the digest of
// that.
func (g *Gateway) describe(out []byte, b *Backend) []byte {
	out = append(out, `{"id":"`+b.ID+`","does":`...)
	out = quoteAll(out, b.Does)
	if len(b.Outputs) > 0 {
		out = append(out, `,"outputs":`...)
		out = quoteAll(out, b.Outputs)
	}
	if len(b.Modes) > 0 {
		out = append(out, `,"modes":`...)
		out = quoteAll(out, b.Modes)
	}
	identity := g.identity(b)
	for _, f := range g.facts(b, g.told(b, false)) {
		out = append(out, `,"`+f.name+`":`+f.value...)
	}
	if b.Price != nil {
		out = append(out, `,"price":{"million_tokens":`...)
		out = strconv.AppendFloat(out, b.Price.PerMillion, 'f', -1, 64)
		out = append(out, `,"currency":"`+b.Price.Currency+`"}`...)
	}
	return append(out, `,"identity":"`+identity+`"}`...)
}

func (l *Limits) describe(out []byte) []byte {
	sep := byte('{')
	for _, x := range []struct {
		name string
		n    int
	}{{"body", l.Body}, {"snapshot", l.Snapshot}, {"items", l.Items}, {"characters", l.Characters}, {"total",
		l.Total}, {"top_k", l.TopK}, {"per_minute", l.PerMinute}, {"per_day", l.PerDay}, {"all_per_day", l.AllPerDay},
		{"tokens_per_day", l.TokensPerDay}, {"all_tokens_per_day", l.AllTokensPerDay},
		{"rooms_per_day", l.RoomsPerDay}, {"room_per_minute", l.RoomPerMinute}, {"voters", l.Voters}} {
		out = append(out, sep)
		out = append(out, `"`+x.name+`":`+strconv.Itoa(x.n)...)
		sep = ','
	}
	return append(out, '}')
}

func quoteAll[T ~string](out []byte, list []T) []byte {
	out = append(out, '[')
	for i, s := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsontext.AppendQuote(out, string(s))
	}
	return append(out, ']')
}

// isID says whether a text may be the id of a backend: a name, never an address.
func isID(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 40
}

// isHash says whether a text is a SHA-256 in lower-case hexadecimal.
func isHash(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'f') && (c < '0' || c > '9') {
			return false
		}
	}
	return len(s) == 64
}
