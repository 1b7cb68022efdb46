package gateway

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// MetricsSecret is the name of the secret that readers of /metrics send as their bearer token. Without one there are no
// metrics.
const MetricsSecret = "METRICS_TOKEN"

// buckets of latencies, in seconds.
var buckets = []float64{0.1, 0.3, 0.5, 1, 2, 5}

// metrics count what the gateway did since it began. The zero metrics is ready. Where several instances serve an edge,
// each counts for itself: a series is of the instance that its label isolate names, so that rates are right whichever
// instance is scraped.
type metrics struct {
	mu       sync.Mutex
	isolate  string            // a name drawn when it is first read
	requests map[[2]string]int // route, status
	faults   map[[2]string]int // backend, what
	cache    map[[2]string]int // route, hit or miss
	latency  map[string]*histogram
	reranked map[string]*scored
	fell     map[string]int // backend → answers in the order of the input
	answers  map[string]int // backend → all rerank answers that are no error
	varied   map[string]*varied
	tokens   map[string]int // backend → tokens of its calls
	items    map[string]int // route → texts and documents
	bodies   map[string]int // route → answers that had items
	recent   recent
}

type histogram struct {
	in  [7]int // by bucket, the last one beyond all
	sum float64
}

// scored sums the scores that a reranker gave.
type scored struct {
	n             int
	sum, min, max float64
	answers       int     // of at least two documents
	spread        float64 // sum over those of the highest score less the lowest
}

// varied sums how much the documents of answers differ.
type varied struct {
	answers int // of at least two documents
	sum     float64
}

func (m *metrics) init() {
	if m.requests == nil {
		m.requests, m.faults, m.cache = map[[2]string]int{}, map[[2]string]int{}, map[[2]string]int{}
		m.latency, m.reranked = map[string]*histogram{}, map[string]*scored{}
		m.fell, m.answers, m.items, m.bodies = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
		m.tokens, m.varied = map[string]int{}, map[string]*varied{}
	}
}

// upstream counts what a backend did wrong, a retry, or a request kept from it.
func (m *metrics) upstream(id, what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init()
	m.faults[[2]string{id, what}]++
}

func (m *metrics) count(w *work, a *Answer, total time.Duration) {
	differ := diversity(w.first)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init()
	m.requests[[2]string{w.route, strconv.Itoa(a.Status)}]++
	if w.cache != "" {
		m.cache[[2]string{w.route, w.cache}]++
	}
	h := m.latency[w.route]
	if h == nil {
		h = &histogram{}
		m.latency[w.route] = h
	}
	at, _ := slices.BinarySearch(buckets, total.Seconds())
	h.in[at]++
	now := m.recent.at(w.start.Add(total))
	now.calls[at]++
	h.sum += total.Seconds()
	if w.tokens > 0 {
		m.tokens[w.backend] += w.tokens
	}
	if a.Status == 200 && w.items > 0 {
		m.items[w.route] += w.items
		m.bodies[w.route]++
	}
	if a.Status == 200 && strings.HasSuffix(w.route, "/rerank") {
		m.answers[w.backend]++
		now.answers++
		if w.fallback {
			m.fell[w.backend]++
			now.fell++
		}
	}
	if a.Status == 200 && len(w.first) > 1 {
		v := m.varied[w.backend]
		if v == nil {
			v = &varied{}
			m.varied[w.backend] = v
		}
		v.answers++
		v.sum += differ
	}
	if len(w.scores) == 0 {
		return
	}
	s := m.reranked[w.backend]
	if s == nil {
		s = &scored{min: w.scores[0], max: w.scores[0]}
		m.reranked[w.backend] = s
	}
	for _, x := range w.scores {
		s.n++
		s.sum += x
		now.scores++
		now.scoreSum += x
		s.min, s.max = min(s.min, x), max(s.max, x)
	}
	if len(w.scores) > 1 {
		spread := slices.Max(w.scores) - slices.Min(w.scores)
		s.answers++
		s.spread += spread
		now.spreads++
		now.spreadSum += spread
	}
}

// prometheus answers GET /metrics to who has the token, in Prometheus' text format 0.0.4.
func (w *work) prometheus(string) *Answer {
	token := w.host.Secret(MetricsSecret)
	if token == "" {
		return w.problem(notFound("no such address"))
	}
	if !same(w.call.Authorization, "Bearer "+token) {
		a := w.problem(&problem{status: 401, code: "unauthorised", title: "Not authorised",
			detail: "send the token of the metrics"})
		a.set("WWW-Authenticate", `Bearer realm="metrics"`)
		return a
	}
	return &Answer{Status: 200, Body: w.metrics.text(w.host),
		Headers: [][2]string{{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}}
}

// same compares in a time that depends on the lengths alone.
func same(a, b string) bool {
	diff := len(a) ^ len(b)
	for i := range min(len(a), len(b)) {
		diff |= int(a[i] ^ b[i])
	}
	return diff == 0
}

// Part is a part of the edge that its instances may have in common.
type Part string

const (
	Budgets       Part = "budgets"
	StoredAnswers Part = "answers"
	KeptSnapshots Part = "snapshots"
	OpenRooms     Part = "rooms"
	Breakers      Part = "breakers" // which never are
	Counts        Part = "metrics"  // likewise
)

// Parts are all of them.
var Parts = []Part{Budgets, StoredAnswers, KeptSnapshots, OpenRooms, Breakers, Counts}

// Sharing is a Host that says which parts all instances of the edge have in common. Of the others, and of all parts of
// a Host that does not say, each instance has its own.
type Sharing interface{ Shares(Part) bool }

// sharedName is the figure that says so.
const sharedName = "rankbox_shared"

func shares(h Host, p Part) float64 {
	if s, ok := h.(Sharing); ok && s.Shares(p) {
		return 1
	}
	return 0
}

func (m *metrics) text(h Host) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.init()
	if m.isolate == "" {
		var id [4]byte
		h.Random(id[:])
		m.isolate = hex.EncodeToString(id[:])
	}
	var b []byte
	head := func(name, kind, about string) {
		if name != sharedName {
			about = strings.TrimSuffix(about, ".") + ", of this instance."
		}
		b = append(b, "# HELP "+name+" "+about+"\n# TYPE "+name+" "+kind+"\n"...)
	}
	line := func(name, labels string, v float64) {
		b = append(b, name+"{"+labels+`,isolate="`+m.isolate+`"} `...)
		b = append(strconv.AppendFloat(b, v, 'g', -1, 64), '\n')
	}
	pairs := func(name, about, l1, l2 string, of map[[2]string]int) {
		head(name, "counter", about)
		for _, k := range sorted(of, func(x, y [2]string) int {
			return strings.Compare(x[0]+"\x00"+x[1], y[0]+"\x00"+y[1])
		}) {
			line(name, l1+`="`+k[0]+`",`+l2+`="`+k[1]+`"`, float64(of[k]))
		}
	}
	single := func(name, kind, about, label string, of map[string]int) {
		head(name, kind, about)
		for _, k := range sorted(of, strings.Compare) {
			line(name, label+`="`+k+`"`, float64(of[k]))
		}
	}
	head(sharedName, "gauge", "1 if all instances of this edge share a part, 0 if each has its own.")
	for _, p := range Parts {
		line(sharedName, `part="`+string(p)+`"`, shares(h, p))
	}
	pairs("rankbox_requests_total", "Calls by route and status.", "route", "status", m.requests)
	pairs("rankbox_upstream_events_total", "Faults, retries and requests kept back (open), by backend.", "backend",
		"event", m.faults)
	pairs("rankbox_cache_total", "Calls answered from the cache and not.", "route", "result", m.cache)
	head("rankbox_request_seconds", "histogram", "Time from a call's arrival to its answer, of this instance.")
	for _, route := range sorted(m.latency, strings.Compare) {
		h, n := m.latency[route], 0
		for i, limit := range append(buckets, 0) {
			n += h.in[i]
			le := "+Inf"
			if i < len(buckets) {
				le = strconv.FormatFloat(limit, 'g', -1, 64)
			}
			line("rankbox_request_seconds_bucket", `route="`+route+`",le="`+le+`"`, float64(n))
		}
		line("rankbox_request_seconds_sum", `route="`+route+`"`, h.sum)
		line("rankbox_request_seconds_count", `route="`+route+`"`, float64(n))
	}
	single("rankbox_rerank_answers_total", "counter", "Answers of reranking, fallbacks among them.", "backend",
		m.answers)
	single("rankbox_rerank_fallback_total", "counter", "Answers of reranking in the order of the input.", "backend",
		m.fell)
	single("rankbox_tokens_total", "counter",
		"Tokens of backends that are paid for, estimated if they do not say.",
		"backend", m.tokens)
	single("rankbox_items_total", "counter", "Texts and documents of answered calls.", "route", m.items)
	single("rankbox_item_answers_total", "counter", "Answered calls that had texts or documents.", "route", m.bodies)
	for _, part := range scoreFigures {
		head(part.name, part.kind, part.about)
		for _, id := range sorted(m.reranked, strings.Compare) {
			line(part.name, `backend="`+id+`"`, part.of(m.reranked[id]))
		}
	}
	m.writeVaried(head, line)
	m.recent.write(h.Now(), head, line)
	return b
}

func (m *metrics) writeVaried(head func(name, kind, about string), line func(name, labels string, v float64)) {
	ids := sorted(m.varied, strings.Compare)
	head("rankbox_rerank_diversity_sum", "counter", "Sum over answers of at least two documents of how much the words "+
		"of the first ten differ, from 0, all the same, to 1, none shared.")
	for _, id := range ids {
		line("rankbox_rerank_diversity_sum", `backend="`+id+`"`, m.varied[id].sum)
	}
	head("rankbox_rerank_diversity_count", "counter", "Answers of reranking of at least two documents.")
	for _, id := range ids {
		line("rankbox_rerank_diversity_count", `backend="`+id+`"`, float64(m.varied[id].answers))
	}
}

// scoreFigures are the figures of a reranker's scores.
var scoreFigures = []struct {
	name, kind, about string
	of                func(*scored) float64
}{
	{"rankbox_rerank_score_sum", "counter", "Sum of the scores that were given.",
		func(s *scored) float64 { return s.sum }},
	{"rankbox_rerank_score_count", "counter", "How many scores were given.",
		func(s *scored) float64 { return float64(s.n) }},
	{"rankbox_rerank_spread_sum", "counter",
		"Sum over answers of at least two documents of the highest score less the lowest.",
		func(s *scored) float64 { return s.spread }},
	{"rankbox_rerank_spread_count", "counter", "Answers of at least two documents.",
		func(s *scored) float64 { return float64(s.answers) }},
	{"rankbox_rerank_score_min", "gauge", "Lowest score.", func(s *scored) float64 { return s.min }},
	{"rankbox_rerank_score_max", "gauge", "Highest score.", func(s *scored) float64 { return s.max }},
}

func sorted[K comparable, V any](of map[K]V, order func(x, y K) int) []K {
	keys := make([]K, 0, len(of))
	for k := range of {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, order)
	return keys
}
