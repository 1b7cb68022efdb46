package edge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// A real Prometheus scrapes a real edge with the token, and runs scripts/deploy/alerts.yml with seconds in the place of
// minutes: nothing fires while all is well, and each alert fires for its own reason.
func TestAlertsInPrometheus(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	if _, err := exec.LookPath("prometheus"); err != nil {
		t.Skip("Prometheus is not here: apt-get install prometheus")
	}
	var slow, broken, low, same atomic.Bool
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		score := 0.9
		if low.Load() {
			score = 0.1
		}
		if slow.Load() {
			time.Sleep(2500 * time.Millisecond)
		}
		if broken.Load() && r.Method == "POST" {
			w.WriteHeader(500)
			return
		}
		second := score - 0.05
		if same.Load() {
			second = score
		}
		fmt.Fprintf(w, `[{"index":0,"score":%g},{"index":1,"score":%g}]`, score, second)
	}))
	defer service.Close()
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"limits":{"per_minute":1000000},"backends":[
		{"id":"ce","kind":"tei","url":%q,"model":"m","revision":"1","does":["rerank"]}]}`, service.URL)))
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(c, Options{Secret: func(string) string { return "token" }})
	if err != nil {
		t.Fatal(err)
	}
	edge := httptest.NewServer(h)
	defer edge.Close()
	stop := traffic(edge.URL)
	defer stop()
	at := prometheus(t, edge.URL)
	firing := func() (names []string) {
		var got struct {
			Data struct {
				Alerts []struct {
					State  string
					Labels map[string]string
				}
			}
		}
		read(t, at+"/api/v1/alerts", &got)
		for _, a := range got.Data.Alerts {
			if a.State == "firing" {
				names = append(names, a.Labels["alertname"])
			}
		}
		slices.Sort(names)
		return names
	}
	time.Sleep(20 * time.Second) // longer than the window and the wait of every rule
	if got := firing(); got != nil {
		t.Errorf("%q while all is well", got)
	}
	var rules struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	read(t, at+"/api/v1/rules", &rules)
	for _, r := range rules.Data.Groups[0].Rules {
		if r.Health != "ok" {
			t.Errorf("%s: %s %s", r.Name, r.Health, r.LastError)
		}
	}
	for _, x := range []struct {
		on   *atomic.Bool
		want string
	}{{&low, "RankboxEdgeLowScores"}, {&same, "RankboxEdgeSameScores"}, {&broken, "RankboxEdgeFallback"},
		{&slow, "RankboxEdgeSlow"}} {
		x.on.Store(true)
		until := time.Now().Add(90 * time.Second)
		for !slices.Contains(firing(), x.want) {
			if time.Now().After(until) {
				t.Fatalf("%s does not fire; %q do", x.want, firing())
			}
			time.Sleep(500 * time.Millisecond)
		}
		x.on.Store(false)
	}
}

// traffic asks an edge to rerank, ten times a second, until it is stopped.
func traffic(url string) (stop func()) {
	over := make(chan bool)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
			}
			go func() {
				body := fmt.Sprintf(`{"backend":"ce","query":"q",`+
					`"documents":[{"id":"a","text":"%d"},{"id":"b","text":"b"}]}`, n)
				res, err := http.Post(url+"/api/v1/rerank", "application/json", strings.NewReader(body))
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}()
		}
	}()
	return func() { close(over) }
}

// prometheus starts Prometheus on loopback, with the rules in seconds, and ends it with the test.
func prometheus(t *testing.T, edge string) (url string) {
	t.Helper()
	rules, err := os.ReadFile("../../../scripts/deploy/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	faster := regexp.MustCompile(`(\[|interval: |for: )(\d+)m`).ReplaceAllString(string(rules), "${1}${2}s")
	config := fmt.Sprintf(`global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: edge
    authorization: {credentials: token}
    static_configs: [{targets: [%q]}]
`, strings.TrimPrefix(edge, "http://"))
	for name, text := range map[string]string{"alerts.yml": faster, "prometheus.yml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	free := httptest.NewServer(nil)
	address := free.Listener.Addr().String()
	free.Close()
	c := exec.Command("prometheus", "--config.file="+filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	log := &logged{}
	c.Stderr = log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
	})
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		res, err := http.Get("http://" + address + "/-/ready")
		if err == nil {
			res.Body.Close()
			if res.StatusCode == 200 {
				return "http://" + address
			}
		}
		if time.Now().After(until) {
			t.Fatalf("Prometheus does not start: %v\n%s", err, log)
		}
	}
}

func read(t *testing.T, url string, to any) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(to); err != nil {
		t.Fatal(err)
	}
}
