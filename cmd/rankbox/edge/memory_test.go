package edge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The largest answer of this test: 256 vectors of 4,096 numbers, 12.6 MB of JSON.
const (
	largeTexts      = 256
	largeDimensions = 4096
)

// memoryOf is a figure of /proc/PID/status, in bytes.
func memoryOf(t *testing.T, pid int, name string) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(b), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == name+":" {
			n, _ := strconv.Atoi(f[1])
			return n << 10
		}
	}
	t.Fatalf("no %s in %s", name, b)
	return 0
}

// workerdOf is the process of workerd that a program started.
func workerdOf(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		t.Skipf("the processes of this system are not told: %v", err)
	}
	for _, child := range strings.Fields(string(b)) {
		n, _ := strconv.Atoi(child)
		if name, _ := os.ReadFile("/proc/" + child + "/comm"); strings.HasPrefix(string(name), "workerd") {
			return n
		}
	}
	t.Fatalf("no workerd among the processes %s", b)
	return 0
}

// Six answers of 12.6 MB at once add at most 128 MB to workerd, the program included, and all of them are whole. A
// client that does not read its answer holds up nobody for long.
func TestSixLargeAnswersFitAWorker(t *testing.T) {
	row := "[" + strings.Repeat("0.123456789,", largeDimensions-1) + "0.5]"
	var list []string
	for i := range largeTexts {
		list = append(list, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, row))
	}
	large := []byte(`{"object":"list","data":[` + strings.Join(list, ",") + `]}`)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			w.WriteHeader(404)
			return
		}
		io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "/chunked/embeddings") { // of a length that is not announced
			for rest := large; len(rest) > 0; rest = rest[min(len(rest), 1<<20):] {
				w.Write(rest[:min(len(rest), 1<<20)])
				w.(http.Flusher).Flush()
			}
			return
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(large)))
		w.Write(large)
	}))
	t.Cleanup(service.Close)
	for _, name := range []string{"announced", "chunked"} {
		t.Run(name, func(t *testing.T) {
			h := started(t, fmt.Sprintf(`{"limits":{"per_minute":100000,"deadline_ms":60000},"backends":[{"id":"big",
				"kind":"openai","model":"m","url":%q,"does":["embed"],"batch":256}]}`, service.URL+"/"+name), false,
				false)[0]
			pid := workerdOf(t, h.pid)
			before := memoryOf(t, pid, "VmRSS")
			ask := func(n int) (int, error) {
				texts := make([]string, largeTexts)
				for i := range texts {
					texts[i] = fmt.Sprintf("%d %d", n, i)
				}
				body, _ := json.Marshal(map[string]any{"backend": "big", "input": texts})
				r, err := http.Post(h.url+"/api/v1/embed", "application/json", bytes.NewReader(body))
				if err != nil {
					return 0, err
				}
				defer r.Body.Close()
				b, err := io.ReadAll(r.Body)
				if err != nil || r.StatusCode != 200 {
					return 0, fmt.Errorf("%d %s %v", r.StatusCode, short(string(b)), err)
				}
				return strings.Count(string(b), "0.123456789"), nil
			}
			var all sync.WaitGroup
			begin := time.Now()
			for n := range 6 {
				all.Go(func() {
					if numbers, err := ask(n); err != nil || numbers != largeTexts*(largeDimensions-1) {
						t.Errorf("answer %d has %d numbers, %v", n, numbers, err)
					}
				})
			}
			all.Wait()
			added := memoryOf(t, pid, "VmHWM") - before
			t.Logf("%d MB added to %d MB, in %v", added/1e6, before/1e6, time.Since(begin).Round(time.Millisecond))
			if added > 128e6 {
				t.Errorf("six answers of %.1f MB add %d MB", float64(len(large))/1e6, added/1e6)
			}
			// who asks and reads nothing, and who asks and leaves
			for _, leaves := range []bool{false, true} {
				c, err := net.Dial("tcp", strings.TrimPrefix(h.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				body := fmt.Sprintf(`{"backend":"big","input":[%s"%t"]}`, strings.Repeat(`"x",`, largeTexts-1), leaves)
				fmt.Fprintf(c, "POST /api/v1/embed HTTP/1.1\r\nHost: edge\r\nContent-Type: application/json\r\n"+
					"Content-Length: %d\r\n\r\n%s", len(body), body)
				time.Sleep(200 * time.Millisecond)
				if leaves {
					c.Close()
				}
			}
			begin = time.Now()
			if _, err := ask(7); err != nil || time.Since(begin) > 20*time.Second {
				t.Errorf("behind two such clients: %v after %v", err, time.Since(begin))
			}
			t.Logf("behind two such clients: %v", time.Since(begin).Round(time.Millisecond))
		})
	}
}
