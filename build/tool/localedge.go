package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// localEdge builds the worker of the edge and runs it in workerd, with the encoder of scripts/embed behind it where a
// Python that has what it needs is there ($RANKBOX_PYTHON, or python3), and a cross-encoder where $RANKBOX_CROSS names
// the folder of one. It returns a handler that passes the edge's addresses on and all others to site, and says on
// standard error what there is. What it starts ends with ctx.
func (p *project) localEdge(ctx context.Context, origin string, site http.Handler) (http.Handler, error) {
	if !p.exists("node_modules/miniflare") {
		return nil, errors.New("workerd is not here: npm ci")
	}
	if err := p.step("edge", func() error { return p.edge(ctx, p.path(edgeDir), "") }); err != nil {
		return nil, err
	}
	config := map[string]any{"origins": []string{origin}, "snapshots": true, "backends": []any{}}
	if at, err := p.localEncoder(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "no encoder: %v\n", err)
	} else {
		config["backends"] = []any{map[string]any{"id": "minilm", "kind": "tei", "url": at, "model": "all-MiniLM-L6-v2",
			"revision": "1.20.0-beta30", "does": []string{"embed"}, "outputs": []string{"dense", "tokens"},
			"dimensions": 384}}
		fmt.Fprintf(os.Stderr, "encoder: all-MiniLM-L6-v2 at %s/info (TEI: /embed, /embed_all; OpenAI: "+
			"/v1/embeddings); as dense(backend=minilm)\n", at)
		if reranks(ctx, at) {
			config["backends"] = append(config["backends"].([]any),
				map[string]any{"id": "ce", "kind": "tei", "url": at, "model": "cross-encoder", "revision": "1",
					"does": []string{"rerank"}})
			fmt.Fprintf(os.Stderr, "cross-encoder at %s/info (TEI: /rerank; Cohere: /v2/rerank); as "+
				"rerank(backend=ce)\n", at)
		}
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	if _, err := gateway.ParseConfig(text); err != nil {
		return nil, err
	}
	options, err := json.Marshal(map[string]any{"folder": p.path(edgeDir), "stores": true,
		"bindings": map[string]string{"RANKBOX_CONFIG": string(text), gateway.MetricsSecret: "local"}})
	if err != nil {
		return nil, err
	}
	at, err := p.startLine(ctx, "node", "wasm/edge/miniflare.mjs", string(options))
	if err != nil {
		return nil, err
	}
	to, err := url.Parse(at)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "edge: %[1]s/api/v1/backends, %[1]s/healthz, %[1]s/metrics with the token local, drawn at "+
		"%[1]s/status; in workerd at %[2]shealthz\n", origin, at)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gateway.Owns(r.URL.Path) {
			proxy.ServeHTTP(w, r)
			return
		}
		site.ServeHTTP(w, r)
	}), nil
}

// reranks reports whether the server at an address scores pairs of texts, as TEI does where its model is a
// cross-encoder.
func reranks(ctx context.Context, at string) bool {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", at+"/rerank", strings.NewReader(`{"query":"a","texts":["a"]}`))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	a.Body.Close()
	return a.StatusCode == http.StatusOK
}

// localEncoder starts the encoder of scripts/embed and returns its address.
func (p *project) localEncoder(ctx context.Context) (string, error) {
	python := os.Getenv("RANKBOX_PYTHON")
	if python == "" {
		python = "python3"
	}
	if out, err := exec.CommandContext(ctx, python, "-c",
		"import numpy, onnxruntime, tokenizers").CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("%s: %s (scripts/embed/README.md; RANKBOX_PYTHON names another)", python,
			lines[len(lines)-1])
	}
	args := []string{"scripts/embed/serve.py"}
	if cross := os.Getenv("RANKBOX_CROSS"); cross != "" {
		args = append(args, "--cross", cross)
	}
	return p.startLine(ctx, python, args...)
}

// startLine starts a program that ends with ctx, and returns the first line that it prints: its address.
func (p *project) startLine(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = p.root
	c.Stderr = os.Stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 3 * time.Second
	in, err := c.StdinPipe() // held open: the worker ends when it closes
	if err != nil {
		return "", err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		c.Wait()
		return "", fmt.Errorf("%s does not start: %w", name, err)
	}
	go func() {
		io.Copy(io.Discard, lines)
		c.Wait()
		in.Close()
	}()
	return strings.TrimSpace(line), nil
}
