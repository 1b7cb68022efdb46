package edge

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// Every test of what the edge answers is run against both of its hosts: this process, and workerd.

// service is an HTTP server that speaks TEI's and OpenSearch's formats, well below /good, and in one wrong way below
// each other name.
type service struct {
	*httptest.Server
	mu    sync.Mutex
	seen  map[string]int // requests by first part of the path
	heads []http.Header
	texts []string
	docs  int // of its index
}

const key = "sk-canary-7f3a9c"

func newService(t testing.TB) *service {
	s := &service{seen: map[string]int{}}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[name]
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	if r.Method == "GET" { // about itself
		if said := s.about(name, path); said != "" {
			s.mu.Unlock()
			io.WriteString(w, said)
			return
		}
	} else {
		s.seen[name]++
	}
	n := s.seen[name]
	s.heads = append(s.heads, r.Header.Clone())
	s.texts = append(s.texts, string(body))
	s.mu.Unlock()
	switch name {
	case "busy":
		w.WriteHeader(429)
		io.WriteString(w, `{"error":"Model is overloaded","error_type":"Overloaded"}`)
	case "twice": // then it has time
		if n < 3 {
			w.WriteHeader(503)
			return
		}
		s.good(w, path, body)
	case "leaky":
		w.Header().Set("X-Upstream-Secret", key)
		w.WriteHeader(500)
		io.WriteString(w, "stack trace, Authorization: Bearer "+key+", http://10.0.0.7/internal, "+string(body))
	case "denied":
		w.WriteHeader(401)
		io.WriteString(w, `{"error":"key `+key+` is not valid"}`)
	case "long":
		w.WriteHeader(413)
		io.WriteString(w, "{\"error\":\"`inputs` must have less than 512 tokens\"}")
	case "redirect":
		http.Redirect(w, r, "/private/"+path, http.StatusTemporaryRedirect)
	case "slow":
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	case "drip":
		w.WriteHeader(200)
		for range 40 {
			io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(100 * time.Millisecond)
		}
	case "huge":
		w.WriteHeader(200)
		for range 4 {
			w.Write(bytes.Repeat([]byte(" "), 1<<20))
		}
	case "bomb":
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb())
	case "nonsense":
		io.WriteString(w, `[[1,"<script>alert(1)</script>"]]`)
	case "short":
		io.WriteString(w, `[]`)
	case "cut":
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, `[[`)
	case "reset":
		c, _, _ := w.(http.Hijacker).Hijack()
		c.Close()
	case "empty":
		w.WriteHeader(204)
	default:
		s.good(w, path, body)
	}
}

// about is what a service that works says of itself, in TEI's and OpenSearch's formats; "" goes the way of its
// name.
func (s *service) about(name, path string) string {
	switch {
	case name != "good":
		return ""
	case path == "info":
		return `{"model_id":"made/m","model_sha":null,"model_dtype":"float32","max_batch_tokens":1}`
	}
	return fmt.Sprintf(`{"_shards":{"total":2},"indices":{"wire":{"uuid":"u1","primaries":{"docs":{"count":%d}},
		"shards":{"0":[{"routing":{"primary":false},"seq_no":{"max_seq_no":7}},
		{"routing":{"primary":true},"seq_no":{"max_seq_no":7}}]}}}}`, s.docs)
}

// good answers as the real service would; a vector is the SHA-256 of its text, a score the text's length.
func (s *service) good(w http.ResponseWriter, path string, body []byte) {
	var q struct {
		Inputs, Texts []string
		Size          int
	}
	if err := json.Unmarshal(body, &q); err != nil {
		w.WriteHeader(422)
		return
	}
	var out []any
	switch path {
	case "embed":
		for _, text := range q.Inputs {
			sum := sha256.Sum256([]byte(text))
			out = append(out, []float32{float32(sum[0]) / 256, float32(sum[1]) / 256, float32(sum[2]) / 256})
		}
	case "embed_all":
		for range q.Inputs {
			out = append(out, [][]float32{{1, 2, 3}, {4, 5, 6}})
		}
	case "embed_sparse":
		for i := range q.Inputs {
			out = append(out, []map[string]any{{"index": i, "value": 0.5}})
		}
	case "rerank":
		for i := len(q.Texts) - 1; i >= 0; i-- { // not in the order of the texts
			out = append(out, map[string]any{"index": i, "score": float64(len(q.Texts[i])) / 1000})
		}
	default: // _search
		var hits []any
		for i := range min(q.Size, 3) {
			hits = append(hits, map[string]any{"_id": fmt.Sprintf("doc-%d", i), "_score": 3 - i,
				"_source": map[string]any{"title": "a quay", "text": strings.Repeat("é", 10_000+i)}})
		}
		json.NewEncoder(w).Encode(map[string]any{"hits": map[string]any{"hits": hits}})
		return
	}
	json.NewEncoder(w).Encode(out)
}

// bomb is 4 MB of spaces, compressed once: a busy machine takes as long for it as a host waits for an answer.
var bomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 4 {
		z.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	z.Close()
	return b.Bytes()
})

// configuration of the hosts: a backend below each name of the service.
func (s *service) configuration(limits string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"origins":["https://lab.example"],"snapshots":true,"limits":{%s},"backends":[`, limits)
	for _, name := range []string{"good", "other", "busy", "twice", "leaky", "denied", "long", "redirect", "slow",
		"drip", "huge", "bomb", "nonsense", "short", "cut", "empty"} {
		fmt.Fprintf(&b, `{"id":"%s","kind":"tei","url":"%s/%s","secret":"TEST_KEY","model":"m","revision":"1",`+
			`"does":["embed","rerank"],"outputs":["dense","tokens","sparse"],"batch":4},`, name, s.URL, name)
	}
	fmt.Fprintf(&b, `{"id":"gone","kind":"tei","url":"http://127.0.0.1:1","does":["embed","rerank"]},`)
	fmt.Fprintf(&b, `{"id":"nodes","kind":"tei","url":"http://127.0.0.1:1","also":["%[1]s/busy","%[1]s/reset",`+
		`"%[1]s/cut","%[1]s/good"],"model":"m","revision":"1","does":["embed"]},`, s.URL)
	fmt.Fprintf(&b, `{"id":"cluster","kind":"opensearch","url":"%s/good","does":["search"],"index":"wire",`+
		`"text_fields":["text"],"vector_field":"v","title_field":"title","text_field":"text","modes":["bm25",`+
		`"knn"],"embedder":"good"}]}`, s.URL)
	return b.String()
}

// subject is one host that is asked.
type subject struct {
	name, url string
	log       *logged
	pid       int // of the program that started it, 0 for this one
}

// logged is what a host logs.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// has waits for a line of the log that holds a text, and reports whether one came: workerd's takes a while.
func (l *logged) has(text string) bool {
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if found := strings.Contains(l.String(), text); found || time.Now().After(until) {
			return found
		}
	}
}

// wide are limits under which a test is not limited; the deadline lets slow services fail soon.
const wide = `"per_minute":1000000,"per_day":100000000,"deadline_ms":1500,"reply":1048576,"items":16,` +
	`"characters":2000,"total":8000,"body":65536,"snapshot":100000,"top_k":50`

// patient are those under which every service answers in time, however busy the machine is.
var patient = strings.Replace(wide, `"deadline_ms":1500`, `"deadline_ms":20000`, 1)

// native starts this process's host.
func native(t testing.TB, s *service, limits string, o Options) *subject {
	c, err := gateway.ParseConfig([]byte(s.configuration(limits)))
	if err != nil {
		t.Fatal(err)
	}
	log := &logged{}
	o.Log = log
	o.Secret = func(name string) string {
		return map[string]string{"TEST_KEY": key, "METRICS_TOKEN": "token", "CLIENT_KEYS": keySecret}[name]
	}
	h, err := New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &subject{"native", server.URL, log, 0}
}

var built struct {
	sync.Once
	dir string
	err error
}

// worker starts workerd with a build of the worker that fails when asked to. It skips where there is no workerd.
func worker(t testing.TB, s *service, limits string, stores bool) *subject {
	return workers(t, s, limits, stores, false)[0]
}

// workers starts one instance of the worker, or two that share the stores.
func workers(t testing.TB, s *service, limits string, stores, twice bool) []*subject {
	return started(t, s.configuration(limits), stores, twice)
}

// started is workers with a whole configuration.
func started(t testing.TB, configuration string, stores, twice bool) []*subject {
	root, _ := filepath.Abs("../../..")
	if _, err := os.Stat(filepath.Join(root, "node_modules", "miniflare")); err != nil {
		t.Skip("workerd is not here: npm ci")
	}
	if testing.Short() {
		t.Skip("-short")
	}
	built.Do(func() {
		built.dir = filepath.Join(root, ".cache", "edge-fault")
		c := exec.Command("go", "run", "./build", "edge", "-out", built.dir, "-tags", "fault")
		c.Dir = root
		if out, err := c.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%v\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	options, _ := json.Marshal(map[string]any{
		"folder": built.dir, "stores": stores, "twice": twice, "log": true,
		"bindings": map[string]string{"RANKBOX_CONFIG": configuration, "TEST_KEY": key, "METRICS_TOKEN": "token",
			"CLIENT_KEYS": keySecret},
	})
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, "node", "wasm/edge/miniflare.mjs", string(options))
	c.Dir = root
	log := &logged{}
	c.Stderr = log
	in, _ := c.StdinPipe()
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it then ends workerd, and itself
		done := make(chan struct{})
		go func() { c.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(time.Minute): // killed, it leaves its temporary folder
		}
		cancel()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("workerd does not start: %v\n%s", err, log)
	}
	var all []*subject
	for _, at := range strings.Fields(line) {
		all = append(all, &subject{"workerd", strings.TrimSuffix(at, "/"), log, c.Process.Pid})
	}
	return all
}

// everywhere runs a test against every host.
func everywhere(t *testing.T, limits string, test func(t *testing.T, s *service, h *subject)) {
	t.Run("native", func(t *testing.T) {
		s := newService(t)
		test(t, s, native(t, s, limits, Options{BodyTime: 500 * time.Millisecond}))
	})
	t.Run("workerd", func(t *testing.T) {
		s := newService(t)
		test(t, s, worker(t, s, limits, false))
	})
}

// reply is an answer of a host, checked against the contract.
type reply struct {
	status int
	head   http.Header
	body   []byte
}

func (r *reply) problem() string {
	var p struct{ Code, Pointer string }
	json.Unmarshal(r.body, &p)
	return strings.TrimSpace(fmt.Sprint(r.status, " ", p.Code, " ", p.Pointer))
}

// send sends a request. workerd closes a connection that was quiet for 5 seconds, which on a busy machine may be before
// we write to it, or while we do: a connection that ends without a byte of an answer is no answer, and the request is
// sent once more over one of its own, as browsers do.
func send(r *http.Request) (*http.Response, error) {
	answered := false
	res, err := http.DefaultTransport.RoundTrip(
		r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
			GotFirstResponseByte: func() { answered = true },
		})))
	if err == nil || answered {
		return res, err
	}
	again := r.Clone(r.Context())
	if again.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	return ownConnection.RoundTrip(again)
}

// ownConnection connects anew for each request. A request of the usual transport that says Close may go out over an
// idle connection all the same, which is as dead as the one before.
var ownConnection = &http.Transport{DisableKeepAlives: true}

// declares waits until services have said what they serve: on a busy machine that may take longer than the second that
// the gateway gives them.
func (h *subject) declares(t *testing.T, backends ...string) {
	t.Helper()
	for range 60 {
		all := string(h.ask(t, "GET", "/api/v1/backends", "").body)
		if !slices.ContainsFunc(backends, func(id string) bool {
			_, of, _ := strings.Cut(all, `{"id":"`+id+`"`)
			of, _, _ = strings.Cut(of, "}")
			return !strings.Contains(of, `"served":`) && !strings.Contains(of, `"version":`)
		}) {
			return
		}
		time.Sleep(1100 * time.Millisecond) // it asks them no more than once a second
	}
	t.Fatalf("%v do not say what they serve", backends)
}

// ask sends a request and holds the answer against the contract.
func (h *subject) ask(t testing.TB, method, path, body string, heads ...string) *reply {
	t.Helper()
	r, err := http.NewRequest(method, h.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == "POST" {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == "PUT" {
		r.Header.Set("Content-Type", "application/octet-stream")
	}
	for i := 0; i < len(heads); i += 2 {
		r.Header.Set(heads[i], heads[i+1])
	}
	res, err := send(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if method != "HEAD" && method != "OPTIONS" {
		plain, _, _ := strings.Cut(path, "?")
		for _, bad := range theContract(t).answer(method, plain, res.StatusCode, res.Header.Get("Content-Type"), b) {
			t.Errorf("%s %s %s\n%d %s\nis not as the contract says: %s", method, path, short(body), res.StatusCode,
				short(string(b)), bad)
		}
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Server-Timing": "edge;dur=",
		"Vary": "Origin", "Content-Security-Policy": "default-src 'none'"} {
		if !strings.Contains(res.Header.Get(name), want) {
			t.Errorf("%s %s %d: %s is %q", method, path, res.StatusCode, name, res.Header.Get(name))
		}
	}
	return &reply{res.StatusCode, res.Header, b}
}

var theContract = func() func(testing.TB) *contract {
	var once sync.Once
	var c *contract
	return func(t testing.TB) *contract {
		once.Do(func() { c = readContract(t) })
		return c
	}
}()

func short(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// Most of the time these tests wait: for services that are slow on purpose, and for workerd.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		f.Value.Set("5")
	}
	os.Exit(m.Run())
}
