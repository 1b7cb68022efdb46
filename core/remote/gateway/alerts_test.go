package gateway

import (
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clock is a host whose time is the test's: a backend takes as long, scores as high and fails as often as is set.
type clock struct {
	now   time.Time
	takes time.Duration
	score float64 // of the first document, the second has less
	same  bool    // the second has the same
	fails int     // every n-th request; 0 for none
	n     int
	id    byte // of the instance
}

func (c *clock) Now() time.Time                      { return c.now }
func (c *clock) Wait(d time.Duration)                { c.now = c.now.Add(d) }
func (c *clock) Secret(string) string                { return "token" }
func (c *clock) Store() Store                        { return c }
func (c *clock) Recall(Kept, string) ([]byte, bool)  { return nil, false }
func (c *clock) Remember(Kept, string, []byte) error { return nil }
func (c *clock) Log([]byte)                          {}
func (c *clock) Rooms() Rooms                        { return nil }
func (c *clock) Random(b []byte)                     { b[0] = c.id }
func (c *clock) Spend(string, int, bool, *Limits) (time.Duration, Refusal) {
	return 0, ""
}
func (c *clock) Fetch(u *Upstream) (*Reply, error) {
	if u.Body == nil { // about itself
		return &Reply{Status: 404}, nil
	}
	c.now = c.now.Add(c.takes)
	if c.n++; c.fails > 0 && c.n%c.fails == 0 {
		return &Reply{Status: 500}, nil
	}
	second := c.score - 0.05
	if c.same {
		second = c.score
	}
	body := fmt.Sprintf(`[{"index":0,"score":%g},{"index":1,"score":%g}]`, c.score, second)
	return &Reply{Status: 200, Body: []byte(body)}, nil
}

// scenes are what the gateway meets, and which alert it trips.
var scenes = []struct {
	name  string
	host  clock
	want  string
	after int // minutes, at the earliest
}{
	{"all is well", clock{takes: 200 * time.Millisecond, score: 0.8}, "", 0},
	{"two seconds are not slow", clock{takes: 1900 * time.Millisecond, score: 0.8}, "", 0},
	{"one failure in thirty", clock{takes: 200 * time.Millisecond, score: 0.8, fails: 30}, "", 0},
	{"slow", clock{takes: 3 * time.Second, score: 0.8}, "RankboxEdgeSlow", 5},
	{"one failure in ten", clock{takes: 200 * time.Millisecond, score: 0.8, fails: 10}, "RankboxEdgeFallback", 10},
	{"one score for all", clock{takes: 200 * time.Millisecond, score: 0.8, same: true}, "RankboxEdgeSameScores", 10},
	{"low scores", clock{takes: 200 * time.Millisecond, score: 0.3}, "RankboxEdgeLowScores", 10},
}

// history is what an edge says each of thirty minutes, at fifteen calls a minute. Of several instances, which share the
// calls, one after the other is asked.
func history(t *testing.T, c clock, instances int) (out []map[string]float64) {
	t.Helper()
	config, err := ParseConfig([]byte(`{"backends":[{"id":"cross","kind":"tei","url":"http://h","does":["rerank"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var hosts []*clock
	var all []*Gateway
	for i := range instances {
		host := c
		host.now, host.id = time.Unix(0, 0), byte(i)
		hosts, all = append(hosts, &host), append(all, New(config, &host))
	}
	for minute := range 30 {
		for i := range 15 {
			body := `{"backend":"cross","query":"q","documents":[{"id":"a","text":"b"},{"id":"c","text":"d"}]}`
			all[i%instances].Serve(&Call{Method: "POST", Path: "/api/v1/rerank", ContentType: "application/json",
				Body: func(int) ([]byte, error) { return []byte(body), nil }})
		}
		for _, h := range hosts {
			h.now = time.Unix(int64(minute+1)*60, 0)
		}
		a := all[minute%instances].Serve(&Call{Method: "GET", Path: "/metrics", Authorization: "Bearer token"})
		out = append(out, samples(t, a.Body))
	}
	return out
}

// The rules of scripts/deploy/alerts.yml, by the semantics of Prometheus 3 for the functions that they use, over what
// the gateway says each minute.
func TestAlertsTrip(t *testing.T) {
	rules := readAlerts(t)
	for _, c := range scenes {
		t.Run(c.name, func(t *testing.T) {
			since, fired := map[string]int{}, map[string]int{}
			whole := history(t, c.host, 1)
			for minute := range whole {
				for _, r := range rules {
					if !r.holds(t, whole[:minute+1]) {
						delete(since, r.name)
						continue
					}
					if _, ok := since[r.name]; !ok {
						since[r.name] = minute
					}
					if _, ok := fired[r.name]; !ok && minute-since[r.name] >= r.minutes {
						fired[r.name] = minute
					}
				}
			}
			for name, minute := range fired {
				if name != c.want || minute < c.after {
					t.Errorf("%s after %d minutes", name, minute)
				}
			}
			if c.want != "" && len(fired) == 0 {
				t.Errorf("%s does not trip", c.want)
			}
		})
	}
	if len(rules) != 4 {
		t.Errorf("%d rules", len(rules))
	}
}

// promtool, of Prometheus, runs the rules over the same minutes: of one instance, and of three of which a scrape meets
// one after the other, as at Cloudflare.
func TestAlertsByPromtool(t *testing.T) {
	if _, err := exec.LookPath("promtool"); err != nil {
		t.Skip("promtool is not here: apt-get install prometheus")
	}
	file, err := filepath.Abs(alerts)
	if err != nil {
		t.Fatal(err)
	}
	promtool := func(words ...string) {
		t.Helper()
		if out, err := exec.Command("promtool", words...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", words, err, out)
		}
	}
	promtool("check", "rules", file)
	for _, c := range scenes {
		for _, instances := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s, %d", c.name, instances), func(t *testing.T) {
				test := promtoolTest(t, file, history(t, c.host, instances), c.want, c.after)
				name := filepath.Join(t.TempDir(), "test.yml")
				if err := os.WriteFile(name, []byte(test), 0o666); err != nil {
					t.Fatal(err)
				}
				promtool("test", "rules", name)
			})
		}
	}
}

// promtoolTest is a test for promtool: want fires at the end, not before so many minutes, and no other alert ever.
func promtoolTest(t *testing.T, file string, history []map[string]float64, want string, after int) string {
	series := map[string][]string{}
	for minute, samples := range history {
		for name, v := range samples {
			if series[name] == nil {
				series[name] = slices.Repeat([]string{"_"}, len(history))
			}
			series[name][minute] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%q]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n", file)
	for _, name := range slices.Sorted(maps.Keys(series)) {
		fmt.Fprintf(&b, "      - series: '%s'\n        values: '%s'\n", name, strings.Join(series[name], " "))
	}
	b.WriteString("    alert_rule_test:\n")
	for _, r := range readAlerts(t) {
		for _, minute := range []int{1, max(1, after-1), len(history) - 1} {
			fmt.Fprintf(&b, "      - {eval_time: %dm, alertname: %s, exp_alerts: [", minute, r.name)
			if r.name == want && minute == len(history)-1 {
				fmt.Fprintf(&b, "{exp_annotations: {summary: %q}}", r.summary)
			}
			b.WriteString("]}\n")
		}
	}
	return b.String()
}

const alerts = "../../../scripts/deploy/alerts.yml"

type alert struct {
	name, expr, summary string
	minutes             int
}

func readAlerts(t *testing.T) (out []alert) {
	text, err := os.ReadFile(alerts)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "- alert":
			out = append(out, alert{name: value})
		case "expr":
			out[len(out)-1].expr = value
		case "summary":
			out[len(out)-1].summary = value
		case "for":
			n, err := strconv.Atoi(strings.TrimSuffix(value, "m"))
			if err != nil {
				t.Fatal(err)
			}
			out[len(out)-1].minutes = n
		}
	}
	return out
}

// samples reads Prometheus' text format; every line must be of it.
func samples(t *testing.T, text []byte) map[string]float64 {
	line := regexp.MustCompile(`^([a-z_]+\{([a-z_]+="[^"\\\n]*",?)+\}) (\S+)$`)
	out := map[string]float64{}
	for s := range strings.Lines(string(text)) {
		if s = strings.TrimSpace(s); strings.HasPrefix(s, "#") {
			continue
		}
		m := line.FindStringSubmatch(s)
		if m == nil {
			t.Fatalf("%q is no sample", s)
		}
		v, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		out[m[1]] = v
	}
	return out
}

var (
	rates    = regexp.MustCompile(`sum\(rate\((\w+)\[(\d+)m\]\)\)`)
	quantile = regexp.MustCompile(
		`^histogram_quantile\(([\d.]+), sum by \(le\) \(rate\((\w+)\[(\d+)m\]\)\)\) (>=?|<) ([\d.]+)$`)
	fraction = regexp.MustCompile(`^sum\(rate\(\w+\[\d+m\]\)\) / sum\(rate\(\w+\[\d+m\]\)\) (>=?|<) ([\d.]+)$`)
)

// holds says whether the expression has a value now. Both forms of the file are known, no other.
func (r alert) holds(t *testing.T, history []map[string]float64) bool {
	compare := func(v float64, op, limit string) bool {
		x, _ := strconv.ParseFloat(limit, 64)
		return !math.IsNaN(v) && (op == ">" && v > x || op == ">=" && v >= x || op == "<" && v < x)
	}
	if m := quantile.FindStringSubmatch(r.expr); m != nil {
		q, _ := strconv.ParseFloat(m[1], 64)
		return compare(histogramQuantile(q, increase(history, m[2], m[3])), m[4], m[5])
	}
	if m := fraction.FindStringSubmatch(r.expr); m != nil {
		parts := rates.FindAllStringSubmatch(r.expr, 2)
		var sums [2]float64
		for i, p := range parts {
			for _, v := range increase(history, p[1], p[2]) {
				sums[i] += v
			}
		}
		return compare(sums[0]/sums[1], m[1], m[2])
	}
	t.Fatalf("%s: %s is of no known form", r.name, r.expr)
	return false
}

// increase of every series of a metric over the last minutes, by its le label ("" without one), summed; none before
// there are two samples.
func increase(history []map[string]float64, metric, minutes string) map[string]float64 {
	n, _ := strconv.Atoi(minutes)
	out := map[string]float64{}
	if len(history) < 2 {
		return out
	}
	last, first := history[len(history)-1], history[max(0, len(history)-1-n)]
	for series, v := range last {
		name, labels, _ := strings.Cut(series, "{")
		if name != metric {
			continue
		}
		_, le, _ := strings.Cut(labels, `le="`)
		le, _, _ = strings.Cut(le, `"`)
		out[le] += v - first[series]
	}
	return out
}

// histogramQuantile interpolates within the bucket; of the last one it is the bound before.
func histogramQuantile(q float64, by map[string]float64) float64 {
	type bucket struct{ le, n float64 }
	var b []bucket
	for le, n := range by {
		x, _ := strconv.ParseFloat(le, 64)
		b = append(b, bucket{x, n})
	}
	slices.SortFunc(b, func(x, y bucket) int { return int(math.Copysign(1, x.le-y.le)) })
	if len(b) < 2 || b[len(b)-1].n == 0 {
		return math.NaN()
	}
	rank := q * b[len(b)-1].n
	i := slices.IndexFunc(b, func(x bucket) bool { return x.n >= rank })
	if i == len(b)-1 {
		return b[i-1].le
	}
	lo := bucket{}
	if i > 0 {
		lo = b[i-1]
	}
	return lo.le + (b[i].le-lo.le)*(rank-lo.n)/(b[i].n-lo.n)
}
