package main

import (
	"bytes"
	gocontext "context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// answers are the lines that rankbox mcp writes for a text on standard input, which then ends.
func answers(t *testing.T, text string, args ...string) (out []map[string]any) {
	t.Helper()
	code, text, errs := call(text, append([]string{"mcp"}, args...)...)
	if code != 0 {
		t.Errorf("code %d, %s", code, errs)
	}
	for line := range strings.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		out = append(out, m)
	}
	return out
}

// Lines that are no message get an error of JSON-RPC each, the others their answer, though standard input ends at once
// (`rankbox mcp < file`).
func TestAssistantsLinesThatAreNone(t *testing.T) {
	_, qrels, alpha, _, _ := files(t)
	asked, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "last", "method": "tools/call",
		"params": map[string]any{"name": "measure_run", "arguments": map[string]any{"qrels": qrels, "run": alpha,
			"measures": []string{"AP"}}}})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", mostLine+1)
	codes := map[float64]int{}
	ids := map[any]map[string]any{}
	for _, m := range answers(t, hello+"not json\n{\n\n[]\n{\"jsonrpc\":\"2.0\"}\n"+long+"\n"+string(asked)) {
		if e, ok := m["error"].(map[string]any); ok && m["id"] == nil {
			codes[e["code"].(float64)]++
			continue
		}
		ids[m["id"]] = m
	}
	// not json, {, and the line that is too long; [] and the object without a method
	if codes[-32700] != 3 || codes[-32600] != 2 {
		t.Errorf("codes %v", codes)
	}
	if ids[1.0]["result"] == nil || ids["last"]["result"] == nil || !strings.Contains(fmt.Sprint(ids["last"]), "AP") {
		t.Errorf("answers %v", ids)
	}
}

// Whatever the lines are, the server ends at the end of its input.
func FuzzAssistantsLines(f *testing.F) {
	f.Add([]byte(hello + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"))
	f.Add([]byte(hello + "[{}]\n[1]\nnull\n\"\"\n{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}\n"))
	f.Add([]byte(hello +
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"))
	f.Fuzz(func(t *testing.T, in []byte) {
		l := newLines(bytes.NewReader(in), io.Discard)
		done := make(chan error, 1)
		go func() {
			var kept bytes.Buffer
			for {
				b := make([]byte, 100)
				n, err := l.Read(b)
				kept.Write(b[:n])
				if err != nil {
					for line := range bytes.Lines(kept.Bytes()) {
						if !json.Valid(line) {
							done <- fmt.Errorf("handed on: %q", line)
							return
						}
					}
					done <- nil
					return
				}
				l.lock.Lock() // every request is answered at once
				clear(l.open)
				l.lock.Unlock()
			}
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("it does not end")
		}
	})
}

// A request that is taken back stops the command that answers it, and the server goes on.
func TestAssistantsTakeRequestsBack(t *testing.T) {
	started, stopped := make(chan bool), make(chan bool)
	old := callCommand
	t.Cleanup(func() { callCommand = old })
	callCommand = func(c *context, args []string) int {
		if args[0] != "search" {
			return old(c, args)
		}
		close(started)
		for !c.stopped() {
			time.Sleep(time.Millisecond)
		}
		close(stopped)
		return 3
	}
	in, ask := io.Pipe()
	told, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- serveTools(&context{in: in, out: out, err: io.Discard}, nil) }()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(gocontext.Background(),
		&mcp.IOTransport{Reader: told, Writer: ask}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := gocontext.WithCancel(gocontext.Background())
	go func() {
		<-started
		cancel()
	}()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "search_collection",
		Arguments: map[string]any{"collection": wire, "pipeline": "bm25"}}); err == nil {
		t.Error("a request that was taken back has an answer")
	}
	select {
	case <-stopped:
	case <-time.After(20 * time.Second):
		t.Fatal("the command goes on")
	}
	_, qrels, alpha, _, _ := files(t)
	if got, err := s.CallTool(gocontext.Background(), &mcp.CallToolParams{Name: "measure_run",
		Arguments: map[string]any{"qrels": qrels, "run": alpha, "measures": []string{"AP"}}}); err != nil ||
		got.IsError {
		t.Errorf("the server does not go on: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Commands that take long stop when they are told to.
func TestCommandsStop(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	spec := writeSpec(t, `{"systems": ["bm25"], "measures": ["AP"]}`)
	for _, args := range [][]string{{"search", wire, "-s", "bm25", "-quiet"},
		{"run", spec, "-collection", wire, "-quiet"}, {"compare", qrels, alpha, beta}} {
		var out, errs bytes.Buffer
		if code := run(&context{in: strings.NewReader(""), out: &out, err: &errs, stop: func() bool { return true }},
			args); code != 3 || out.Len() > 0 {
			t.Errorf("%q: code %d, %.100s%s", args, code, out.String(), errs.String())
		}
	}
}

// Tools read regular files, those of -root alone where it is given: no device, no link out of it, no way up, nothing of
// the protocol's own input.
func TestAssistantsReadWhatTheyMay(t *testing.T) {
	dir, qrels, alpha, _, _ := files(t)
	outside := file(t, "outside.qrels", "q1 0 d1 1\n")
	link := filepath.Join(dir, "link.qrels")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(dir, "folder")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "corpus.jsonl")); err != nil {
		t.Fatal(err)
	}
	rooted, err := newFence(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		fence fence
		name  string
		says  string // "" where it may be read
	}{
		{fence{}, qrels, ""}, {fence{}, outside, ""}, {fence{}, dir, ""}, {fence{}, os.DevNull, "not a regular file"},
		{fence{}, "-", "standard input carries the protocol"},
		{rooted, qrels, ""}, {rooted, filepath.Base(qrels), ""}, {rooted, alpha, ""}, {rooted, outside, "-root"},
		{rooted, link, "-root"}, {rooted, folder, "corpus.jsonl is outside the folder"},
		{rooted, "../" + filepath.Base(filepath.Dir(outside)) + "/outside.qrels", "-root"},
		{rooted, "nothing", "no such file"}, {rooted, os.DevNull, "-root"},
	} {
		if name, err := x.fence.path(x.name); (err == nil) != (x.says == "") || err != nil &&
			!strings.Contains(err.Error(), x.says) {
			t.Errorf("%q within %q: %q, %v, want %q", x.name, x.fence.root, name, err, x.says)
		}
	}
	// what is refused, or wrong in a file, names no folder of this machine
	gone := filepath.Join(dir, "gone.qrels")
	if err := os.Symlink(filepath.Join(filepath.Dir(outside), "secret-name.qrels"), gone); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wrong.qrels"), []byte("q1 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{`{"file":"gone.qrels"}`, `{"file":"none.qrels"}`, `{"file":"wrong.qrels"}`,
		`{"file":"link.qrels"}`, `{"file":"."}`} {
		got := answers(t, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint_file",`+
			`"arguments":`+in+"}}\n", "-root", dir)
		if text := fmt.Sprint(got[len(got)-1]); strings.Contains(text, filepath.Dir(dir)) ||
			strings.Contains(text, "secret-name") {
			t.Errorf("%s names a path of the host: %.400s", in, text)
		}
	}
	if code, _, errs := call("", "mcp", "-root", qrels); code != 2 || !strings.Contains(errs, "is no folder") {
		t.Errorf("code %d, %s", code, errs)
	}
	for tool, in := range map[string]string{
		"measure_run":  `{"qrels":"/dev/null","run":"x","measures":["AP"]}`,
		"compare_runs": `{"qrels":"-","runs":["a"]}`, "lint_file": `{"file":"` + outside + `"}`,
		"search_collection": `{"collection":"..","pipeline":"bm25"}`,
		"run_experiment":    `{"spec":{"systems":["bm25"],"collection":"/"}}`,
	} {
		got := answers(t, hello+`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+
			`","arguments":`+in+"}}\n", "-root", dir)
		if text := fmt.Sprint(got[len(got)-1]); !strings.Contains(text, "isError:true") ||
			!strings.Contains(text, "-root") && !strings.Contains(text, "standard input") {
			t.Errorf("%s reads it: %.300s", tool, text)
		}
	}
}
