//go:build unix

package intake_test

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/internal/shared"
)

// costly are inputs of about n bytes that no file of a tool resembles. Those that do are grown of the files of every
// reader, see grown_test.go.
var costly = map[string]func(n int) string{
	"many keys with maps":    func(n int) string { return object(n, `{}`) },
	"many keys with texts":   func(n int) string { return object(n, `"x"`) },
	"many keys with numbers": func(n int) string { return object(n, `1`) },
	"many keys with lists":   func(n int) string { return object(n, `["a"]`) },
	"judgments in JSON":      func(n int) string { return object(n, `{"d1": 1, "d2": 0}`) },
	"scores in JSON":         func(n int) string { return object(n, `{"AP": 0.5}`) },
	"a list of empty maps":   func(n int) string { return "[" + repeat(n, `{},`) + "{}]" },
	"a list of judged queries": func(n int) string {
		return "[" + repeat(n, `{"query": "x", "relevant_articles": {"a": 1}},`) + `{"query": "y", "relevant_articles": {"a": 1}}]`
	},
	"lines of a golden set": func(n int) string { return lines(n, `{"query": "x%d", "expect": ["a"]}`) },
	"a golden set": func(n int) string {
		return `{"queries": [` + repeat(n, `{"query": "x", "expect": ["a"]},`) + `{"query": "x", "expect": ["a"]}]}`
	},
	"deep lists":       func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) },
	"deep maps":        func(n int) string { return strings.Repeat(`{"a":`, n/6) + "1" + strings.Repeat("}", n/6) },
	"a long name":      func(n int) string { return `{"` + strings.Repeat("a", n) + `": 1}` },
	"a long text":      func(n int) string { return strings.Repeat("a", n) },
	"a long line":      func(n int) string { return strings.Repeat("a b ", n/4) },
	"blank lines":      func(n int) string { return strings.Repeat("\n", n) },
	"a run":            func(n int) string { return lines(n, "q%d Q0 d%[1]d 1 0.5 run") },
	"a run of runs":    func(n int) string { return lines(n, "q Q0 d 1 0.5 run%d") },
	"a run repeated":   func(n int) string { return strings.Repeat("q Q0 d 1 0.5 run\n", n/17) },
	"qrels":            func(n int) string { return lines(n, "q%d 0 d%[1]d 1") },
	"qrels of a query": func(n int) string { return lines(n, "q 0 d%d 1") },
	"a sparse table":   func(n int) string { return "run,query,measure,value\n" + lines(n, "r%d,q%[1]d,AP,0.5") },
	"a table of measures": func(n int) string {
		return "run,query,measure,value\n" + lines(n, "r,q%d,m%[1]d,0.5")
	},
	"a wide table": func(n int) string {
		return "model" + list(n/2, ",t%d") + "\nx" + strings.Repeat(",.5", n/16) + "\n"
	},
	"trec_eval -q": func(n int) string { return lines(n, "map q%d 0.5") },
	"ir_measures":  func(n int) string { return lines(n, "q%d AP 0.5") },
	"a trace of one-document steps": func(n int) string {
		return lines(n, `{"query_id": "q", "step": %d, "docids": ["d%[1]d"]}`)
	},
	"a trace in one line": func(n int) string {
		return `{"query_id": "q", "result": [` + repeat(n, `{"type": "tool_call", "tool_name": "search", "output": "[{\"docid\": \"d\"}]"},`) +
			`{"type": "output_text", "output": "x"}]}`
	},
	"empty steps": func(n int) string {
		return `{"query_id": "q", "steps": [` + repeat(n, `{},`) + `{"retrieved": ["d"]}]}`
	},
	"steps": func(n int) string {
		return `{"query_id": "q", "steps": [` + list(n, `{"retrieved": ["d%d"]},`) + `{"retrieved": ["d"]}]}`
	},
	"answers that cite": func(n int) string {
		return lines(n, `{"query_id": "q%d", "answer": [{"text": "x", "citations": ["d"]}]}`)
	},
	"samples of Ragas": func(n int) string {
		return lines(n, `{"user_input": "q%d", "retrieved_context_ids": ["a"], "reference_context_ids": ["a"]}`)
	},
	"XML": func(n int) string {
		return "<topics>" + list(n, "<topic number=\"%d\"><query>x</query></topic>") + "</topics>"
	},
	"documents": func(n int) string { return lines(n, `{"_id": "d%d", "text": "x"}`) },
}

func repeat(n int, s string) string { return strings.Repeat(s, n/len(s)) }

// list is a pattern with the numbers from 0, about n bytes of it.
func list(n int, pattern string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, pattern, i)
	}
	return b.String()
}

func lines(n int, pattern string) string { return list(n, pattern+"\n") }

func object(n int, value string) string {
	return "{" + list(n, `"%d": `+value+",") + `"last": ` + value + "}"
}

// read opens a file as the page and the terminal do, and counts what a report of scores would hold.
func readCostly(text string) error {
	f, err := intake.Read("x", intake.Any, strings.NewReader(text), collection.Options{})
	if err != nil {
		return err
	}
	got := intake.Gather([]*intake.File{f}, intake.Rule{Scores: true, Traces: true})
	if got.Scores == nil {
		return nil
	}
	return got.Scores.Comparable(scores.Asked{})
}

// Reading takes time in proportion to the input, and little memory, or the input is refused at once: each input of 4 MB
// at most a dozen times as long as that of 1 MB, and at most 16 times its size + 64 MB of memory at once.
func TestNoInputCostsMoreThanItsSize(t *testing.T) {
	sizes := []int{100 << 10, 1 << 20, 4 << 20}
	if !shared.Long() {
		sizes = sizes[:2]
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // collect often, so that garbage is not counted
	for name, make := range costly {
		cost(t, name, sizes, make, readCostly)
	}
}

// cost reads an input of each size, and says where it takes more than the size allows.
func cost(t *testing.T, name string, sizes []int, make func(n int) string, read func(text string) error) {
	t.Helper()
	var took []time.Duration
	for i, size := range sizes {
		text := make(size)
		if len(text) > 2*size+1000 && !bytes.Contains([]byte(text), []byte("a")) {
			t.Fatalf("%s: %d bytes", name, len(text))
		}
		peak := watchMemory()
		start := spent(t)
		err := read(text)
		took = append(took, spent(t)-start)
		grew, most := peak(), uint64(16*len(text)+64<<20)
		if grew > most && (err == nil || took[i] > time.Second) {
			t.Errorf("%s: %d bytes take %d MB of memory", name, len(text), grew>>20)
		}
		if took[i] > 2*time.Second && err != nil || took[i] > 10*time.Second {
			t.Errorf("%s: %d bytes take %v: %v", name, len(text), took[i], err)
			return
		}
		if i > 0 && took[i] > time.Duration(3*size/sizes[i-1])*took[i-1] && took[i] > 2*time.Second {
			t.Errorf("%s: %d bytes take %v, %d take %v", name, size, took[i], sizes[i-1], took[i-1])
		}
		if testing.Verbose() {
			t.Logf("%s: %d bytes in %v, %d MB: %.80v", name, len(text), took[i], grew>>20, err)
		}
	}
}

// spent is the processor time of this process.
func spent(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watchMemory returns a function that says how many bytes more the heap held at once since.
func watchMemory() func() uint64 {
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	most, stop, done := before.HeapAlloc, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
	}()
	closed := false
	return func() uint64 {
		if !closed {
			closed = true
			close(stop)
			<-done
		}
		return most - before.HeapAlloc
	}
}
