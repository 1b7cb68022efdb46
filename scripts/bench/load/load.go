// Command load is both ends of the benchmark of the edge: a service that answers at once, and a client that keeps its
// connections. It writes and reads as little of HTTP as that takes, so that what the edge costs is seen beside it on
// the same processors; it is no client for anything else. See scripts/bench/edge.mjs, which starts it.
//
//	load serve                                 prints the address of the service and serves until its input ends
//	load ask URL [-seconds 5] [-at 32] [-rate 0]   asks URL and prints one line of JSON
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "serve":
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "http://%s\n", l.Addr())
		go serve(l)
		_, err = io.Copy(io.Discard, in)
		return errors.Join(err, l.Close())
	case len(args) > 1 && args[0] == "ask":
		f := flag.NewFlagSet("load ask", flag.ContinueOnError)
		a := asking{}
		f.Float64Var(&a.seconds, "seconds", 5, "for how long")
		f.IntVar(&a.at, "at", 32, "connections, each with one request at a time")
		f.Float64Var(&a.rate, "rate", 0,
			"requests a second at even distances, each timed from when it was due; 0: the next as soon as one "+
				"is answered")
		if err := f.Parse(args[2:]); err != nil {
			return err
		}
		got, err := a.ask(args[1])
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(got)
	}
	return errors.New("usage: load serve | load ask URL [-seconds N] [-at N] [-rate N]")
}

// serve answers every request with the vector of one text, 384 numbers, in TEI's form.
func serve(l net.Listener) {
	var vector [384]float32
	for i := range vector {
		vector[i] = float32(math.Sin(float64(i)))
	}
	body, _ := json.Marshal([][]float32{vector[:]}) // finite numbers
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) +
		"\r\n\r\n" + string(body))
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			r := bufio.NewReader(c)
			for {
				if _, err := message(r); err != nil {
					return
				}
				if _, err := c.Write(answer); err != nil {
					return
				}
			}
		}()
	}
}

// message reads a request or an answer, whole, and returns its first line. It knows a length and chunks.
func message(r *bufio.Reader) (first string, err error) {
	length, chunked := 0, false
	for n := 0; ; n++ {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		line = bytes.TrimRight(line, "\r\n")
		if n == 0 {
			first = string(line)
			continue
		}
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil || length < 0 {
				return "", fmt.Errorf("length %q", value)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	for chunked {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return "", err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return "", err
		}
		if _, err := r.Discard(int(size) + 2); err != nil { // and the end of the line
			return "", err
		}
		chunked = size > 0
	}
	_, err = r.Discard(length)
	return first, err
}

// asking is what is asked for.
type asking struct {
	seconds, rate float64
	at            int
}

// asked is what came of it; times are in milliseconds.
type asked struct {
	Requests int     `json:"requests"`
	Rate     float64 `json:"rate"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
	Most     float64 `json:"most"`
}

func (a *asking) ask(address string) (*asked, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	var (
		next   atomic.Int64
		group  sync.WaitGroup
		mu     sync.Mutex
		took   []float64
		failed error
	)
	connections := make([]net.Conn, a.at)
	for i := range connections {
		if connections[i], err = net.Dial("tcp", u.Host); err != nil {
			return nil, err
		}
		defer connections[i].Close()
	}
	salt := strconv.FormatInt(time.Now().UnixNano(), 36) // no text was asked for before
	begin := time.Now()
	until := begin.Add(time.Duration(a.seconds * float64(time.Second)))
	for _, c := range connections {
		group.Go(func() {
			own, err := a.over(c, u, salt, begin, until, &next)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, own...)
			failed = errors.Join(failed, err)
		})
	}
	group.Wait()
	if failed != nil {
		return nil, failed
	}
	slices.Sort(took)
	at := func(q float64) float64 { return took[min(len(took)-1, int(q*float64(len(took))))] }
	return &asked{Requests: len(took), Rate: float64(len(took)) / time.Since(begin).Seconds(), P50: at(.5),
		P99: at(.99), Most: took[len(took)-1]}, nil
}

// over asks over one connection until the time is over. Requests at even distances are taken from the same row by all.
// The first of all is asked however late it is: there is something to count on the slowest machine.
func (a *asking) over(c net.Conn, u *url.URL, salt string, begin, until time.Time, next *atomic.Int64) (took []float64,
	err error) {
	r := bufio.NewReaderSize(c, 16<<10)
	path := strings.TrimSuffix(u.Path, "/") + "/api/v1/embed"
	var out []byte
	for {
		n := next.Add(1) - 1
		due := time.Now()
		if a.rate > 0 {
			due = begin.Add(time.Duration(float64(n) / a.rate * float64(time.Second)))
		}
		if n > 0 && due.After(until) {
			return took, nil
		}
		time.Sleep(time.Until(due))
		body := `{"backend":"local","input":["a text that nobody asked for before, ` + salt + " " + strconv.FormatInt(n,
			10) + `"]}`
		out = append(out[:0], "POST "+path+" HTTP/1.1\r\nHost: "+u.Host+
			"\r\nContent-Type: application/json\r\nContent-Length: "...)
		out = append(append(strconv.AppendInt(out, int64(len(body)), 10), "\r\n\r\n"...), body...)
		if _, err := c.Write(out); err != nil {
			return nil, err
		}
		first, err := message(r)
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(first, "HTTP/1.1 200 ") {
			return nil, errors.New(first)
		}
		took = append(took, float64(time.Since(due).Microseconds())/1000)
	}
}
