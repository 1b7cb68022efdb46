package remote

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Watch is how an edge does, by its metrics and its health.
type Watch struct {
	Instance string // that counted: other instances of the edge have counts of their own
	Routes   []Route
	Backends []Service
	Windows  []Window
}

// Window is the figure of an alert rule over the last minutes.
type Window struct {
	Figure  string // p95_seconds, fallback_share, score_mean, score_spread
	Minutes int
	Value   float64 // of no calls it is 0
	N       int     // calls, answers or scores
	Limit   float64
	Below   bool // it is exceeded below the limit, not above
}

// Exceeded says whether the figure is beyond its limit.
func (w *Window) Exceeded() bool {
	return w.N > 0 && (w.Below && w.Value < w.Limit || !w.Below && w.Value > w.Limit)
}

// Buckets are the upper ends of the latency's buckets, in seconds; a last one has all that took longer.
var Buckets = []float64{0.1, 0.3, 0.5, 1, 2, 5}

// Route is one address of the edge.
type Route struct {
	Name         string
	Calls        int
	Failed       int   // answered with a status of 500 or more
	Buckets      []int // len == len(Buckets)+1: calls by the time that they took
	Hits, Misses int   // of the cache
	Items        int   // texts and documents of answered calls
	Answered     int   // calls that had some
}

// Service is one backend.
type Service struct {
	ID               string
	State            string // of its breaker: closed, open, half-open; "" where it is not told
	Events           []Event
	Reranked, Fell   int // answers of reranking, and those of them in the order of the input
	Scores           int
	Sum              float64
	Lowest, Greatest float64 // NaN where there is no score
}

// Event is a fault, a retry or a request that was kept back, and how often.
type Event struct {
	Name string
	N    int
}

// Watch asks how the edge does; token is that of its metrics, "" for its health alone.
func (e *Edge) Watch(token string) (*Watch, error) {
	if e.send == nil {
		return nil, errors.New("there is no edge here")
	}
	r, err := e.send("GET", "/healthz", nil)
	if err != nil {
		return nil, errors.New("the edge cannot be reached")
	}
	w := &Watch{}
	if r.Status != 200 || !w.readHealth(r.Body) {
		return nil, errors.New("what answers there is no edge")
	}
	if token == "" {
		return w, nil
	}
	switch r, err = e.send("GET", "/metrics", []byte(token)); {
	case err != nil:
		return w, errors.New("the edge cannot be reached")
	case r.Status == 401:
		return w, errors.New("the edge does not take this token")
	case r.Status == 404:
		return w, errors.New("the edge has no metrics: it was started without the secret METRICS_TOKEN")
	case r.Status != 200 || !w.readMetrics(string(r.Body)):
		return w, errors.New("the metrics cannot be read")
	}
	return w, nil
}

func (w *Watch) readHealth(body []byte) bool {
	r := reader(body)
	fine := false
	object(r, map[string]func(){
		"status": func() { fine = r.String() == "ok" },
		"backends": func() {
			for r.BeginObject(); r.More(); {
				id := string(r.Key())
				w.service(id).State = r.String()
			}
		},
	})
	r.End()
	return fine && r.Err() == nil && len(w.Backends) <= 100
}

func (w *Watch) service(id string) *Service {
	i := slices.IndexFunc(w.Backends, func(s Service) bool { return s.ID == id })
	if i < 0 {
		i = len(w.Backends)
		w.Backends = append(w.Backends, Service{ID: id, Lowest: math.NaN(), Greatest: math.NaN()})
	}
	return &w.Backends[i]
}

func (w *Watch) route(name string) *Route {
	i := slices.IndexFunc(w.Routes, func(r Route) bool { return r.Name == name })
	if i < 0 {
		i = len(w.Routes)
		w.Routes = append(w.Routes, Route{Name: name, Buckets: make([]int, len(Buckets)+1)})
	}
	return &w.Routes[i]
}

// window is that of a figure and a number of minutes, as they are written.
func (w *Watch) window(figure, minutes string) *Window {
	n, _ := strconv.Atoi(minutes)
	i := slices.IndexFunc(w.Windows, func(x Window) bool { return x.Figure == figure && x.Minutes == n })
	if i < 0 {
		i = len(w.Windows)
		w.Windows = append(w.Windows, Window{Figure: figure, Minutes: n})
	}
	return &w.Windows[i]
}

// mostSeries is how many lines of metrics are read.
const mostSeries = 10_000

// readMetrics reads the edge's own series out of Prometheus' text format; others are passed over.
func (w *Watch) readMetrics(text string) bool {
	lines := strings.Split(text, "\n")
	if len(lines) > mostSeries {
		return false
	}
	for _, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		head, value, ok := strings.Cut(line, "} ")
		name, labels, there := strings.Cut(head, "{")
		v, err := strconv.ParseFloat(value, 64)
		if !ok || !there || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
		of := map[string]string{}
		for _, l := range strings.Split(labels, ",") {
			k, v, ok := strings.Cut(l, "=")
			if !ok || len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
				return false
			}
			of[k] = v[1 : len(v)-1]
		}
		if !w.take(name, of, v) {
			return false
		}
	}
	for i := range w.Routes { // buckets are cumulative as they are told
		b := w.Routes[i].Buckets
		for j := len(b) - 1; j > 0; j-- {
			b[j] -= b[j-1]
		}
		if slices.Min(b) < 0 {
			return false
		}
	}
	return true
}

// take takes one line, false where it is not as the edge writes it.
func (w *Watch) take(name string, of map[string]string, v float64) bool {
	n := int(v)
	w.Instance = of["isolate"]
	switch name {
	case "rankbox_requests_total":
		r := w.route(of["route"])
		if r.Calls += n; of["status"] >= "500" {
			r.Failed += n
		}
	case "rankbox_cache_total":
		if of["result"] == "hit" {
			w.route(of["route"]).Hits += n
		} else {
			w.route(of["route"]).Misses += n
		}
	case "rankbox_request_seconds_bucket":
		at := len(Buckets)
		if of["le"] != "+Inf" {
			le, err := strconv.ParseFloat(of["le"], 64)
			if at = slices.Index(Buckets, le); err != nil || at < 0 {
				return false
			}
		}
		w.route(of["route"]).Buckets[at] = n
	case "rankbox_items_total":
		w.route(of["route"]).Items = n
	case "rankbox_item_answers_total":
		w.route(of["route"]).Answered = n
	case "rankbox_upstream_events_total":
		s := w.service(of["backend"])
		s.Events = append(s.Events, Event{of["event"], n})
	case "rankbox_rerank_answers_total":
		w.service(of["backend"]).Reranked = n
	case "rankbox_rerank_fallback_total":
		w.service(of["backend"]).Fell = n
	case "rankbox_rerank_score_sum":
		w.service(of["backend"]).Sum = v
	case "rankbox_rerank_score_count":
		w.service(of["backend"]).Scores = n
	case "rankbox_rerank_score_min":
		w.service(of["backend"]).Lowest = v
	case "rankbox_rerank_score_max":
		w.service(of["backend"]).Greatest = v
	case "rankbox_recent":
		w.window(of["figure"], of["minutes"]).Value = v
	case "rankbox_recent_count":
		w.window(of["figure"], of["minutes"]).N = n
	case "rankbox_recent_limit":
		x := w.window(of["figure"], of["minutes"])
		x.Limit, x.Below = v, of["exceeded"] == "below"
	}
	return len(w.Routes) <= 100 && len(w.Backends) <= 100 && len(w.Windows) <= 100
}

// Within returns a time within which a share of the calls were answered: the upper end of its bucket, +Inf where that
// is the last.
func (r *Route) Within(share float64) float64 {
	all, sum := 0, 0
	for _, n := range r.Buckets {
		all += n
	}
	for i, n := range r.Buckets[:len(Buckets)] {
		if sum += n; float64(sum) >= float64(share*float64(all)) {
			return Buckets[i]
		}
	}
	return math.Inf(1)
}
