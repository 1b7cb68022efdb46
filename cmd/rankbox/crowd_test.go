package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A server that may hold four connections has four idle ones, and answers a fifth visitor at once, and an eighth. One
// that has four busy ones answers the fifth when one of them ends.
func TestIdleConnectionsMakeRoomForVisitors(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newCrowd(plain, 4+spare)
	if l.most != 4 {
		t.Fatalf("%d connections, want 4", l.most)
	}
	release := make(chan bool)
	server := &http.Server{ConnState: l.changed, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			<-release
		}
		io.WriteString(w, "here")
	})}
	go server.Serve(l)
	defer server.Close()
	ask := func(path string) (string, error) {
		// a connection of its own, which stays
		c := &http.Client{Transport: &http.Transport{}, Timeout: 20 * time.Second}
		a, err := c.Get("http://" + plain.Addr().String() + path)
		if err != nil {
			return "", err
		}
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		return string(b), err
	}
	for i := range 8 {
		if got, err := ask("/"); got != "here" {
			t.Fatalf("visitor %d: %q, %v", i+1, got, err)
		}
	}
	slow := make(chan string, 4)
	for range 4 {
		go func() {
			got, _ := ask("/slow")
			slow <- got
		}()
	}
	time.Sleep(200 * time.Millisecond)
	fifth := make(chan string, 1)
	go func() {
		got, _ := ask("/")
		fifth <- got
	}()
	select {
	case got := <-fifth:
		t.Errorf("a fifth connection was taken while four were busy: %q", got)
	case <-time.After(200 * time.Millisecond):
	}
	close(release)
	if got := <-fifth; got != "here" {
		t.Errorf("the fifth visitor got %q", got)
	}
	for range 4 {
		if got := <-slow; !strings.Contains(got, "here") {
			t.Errorf("a busy visitor got %q", got)
		}
	}
}
