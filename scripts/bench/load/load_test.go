package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The service and the client understand each other, and what other programs write.
func TestBothEnds(t *testing.T) {
	in, end := io.Pipe()
	out, printed := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- run([]string{"serve"}, in, printed) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(strings.TrimSpace(address)+"/embed", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float32
	if err := json.NewDecoder(res.Body).Decode(&got); err != nil || len(got) != 1 || len(got[0]) != 384 ||
		got[0][0] != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	res.Body.Close()
	for name, args := range map[string][]string{"as fast as it goes": {"-seconds", "0.05"},
		"no time at all": {"-seconds", "0"}, "at even distances": {"-seconds", "0.1", "-rate", "200", "-at", "3"}} {
		var b bytes.Buffer
		if err := run(append([]string{"ask", strings.TrimSpace(address)}, args...), nil, &b); err != nil {
			t.Fatal(name, err)
		}
		var a asked
		if err := json.Unmarshal(b.Bytes(), &a); err != nil || a.Requests == 0 || a.P50 > a.P99 || a.P99 > a.Most ||
			strings.Contains(name, "even") && a.Requests > 22 {
			t.Errorf("%s: %s, %v", name, b.String(), err)
		}
	}
	end.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// An answer in chunks, as net/http writes a long one, is read to its end; another status is an error.
func TestAnswersOfOthers(t *testing.T) {
	seen := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen[string(body)] = true
		if len(seen) > 3 {
			w.WriteHeader(503)
			return
		}
		w.Write(bytes.Repeat([]byte("x"), 10000))
	}))
	defer s.Close()
	if _, err := (&asking{seconds: 60, at: 1}).ask(s.URL); err == nil || !strings.Contains(err.Error(), "503") ||
		len(seen) != 4 {
		t.Errorf("%v after %d different texts", err, len(seen))
	}
	for bad, text := range map[string]string{"length": "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
		"chunk":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"cut off": "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"} {
		if _, err := message(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Error(bad)
		}
	}
}
