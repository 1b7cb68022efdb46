package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rankbox/rankbox/build/static"
)

// serve builds the site, serves it on a loopback address and prints that address alone on a line of standard output.
// What is being done goes to standard error.
func serve(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := fs.String("addr", "127.0.0.1:0", "loopback `address` to listen on; port 0 is a free one")
	open := fs.Bool("open", false, "open the address in the browser")
	watch := fs.Bool("watch", false, "build again when a source changes")
	built := fs.Bool("built", false,
		"do not build: serve what is in the folder already; with -watch, read it again when it changes")
	from := fs.String("from", "", "with -built: serve this `folder` instead of the published one")
	edge := fs.Bool("edge", false, "start the edge and an encoder behind it too, and say what they offer")
	quiet := fs.Bool("quiet", false, "print the address and errors only")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	if err := loopback(*addr); err != nil {
		return usageError{err.Error()}
	}
	if *from != "" && !*built {
		return usageError{"-from needs -built"}
	}
	if *quiet {
		p.log = io.Discard
	}
	p.quick = *watch
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	defer listener.Close()

	dir := *from
	if dir == "" {
		config, err := p.netlify()
		if err != nil {
			return err
		}
		dir = p.path(config.Publish)
	}
	handler := &static.Handler{}
	load := func(ctx context.Context) error {
		if !*built {
			if err := p.site(ctx); err != nil {
				return err
			}
		}
		return p.load(handler, dir)
	}
	w := newWatcher(p, dir, *built)
	if err := load(ctx); err != nil {
		if !*watch || ctx.Err() != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "build: %v\nwaiting for a change\n", err)
	}
	var all http.Handler = handler
	if *edge {
		if all, err = p.localEdge(ctx, "http://"+listener.Addr().String(), handler); err != nil {
			return err
		}
	}
	if *watch {
		go w.run(ctx, load)
	}
	return answer(ctx, listener, all, *open)
}

// answer prints the address and serves it until the context ends.
func answer(ctx context.Context, listener net.Listener, handler http.Handler, open bool) error {
	server := &http.Server{Handler: ownHost(listener.Addr(), handler), ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	url := "http://" + listener.Addr().String() + "/"
	fmt.Println(url)
	if open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(os.Stderr, "build: open the browser: %v\n", err)
		}
	}
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
		end, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := server.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
		return nil
	}
}

// load gives a handler a folder, the headers of netlify.toml and those that the folder brings.
func (p *project) load(h *static.Handler, dir string) error {
	config, err := p.netlify()
	if err != nil {
		return err
	}
	if !exist(dir) {
		return fmt.Errorf("%s is not there: build it with go run ./build site", dir)
	}
	site, err := static.Load(os.DirFS(dir))
	if err != nil {
		return err
	}
	own, err := os.ReadFile(filepath.Join(dir, static.HeadersFile))
	if err != nil {
		return err
	}
	if config, err = config.With(bytes.NewReader(own)); err != nil {
		return err
	}
	h.Replace(site, config)
	return nil
}

// ownHost refuses requests that name another host than the address that is listened on: a page elsewhere whose name is
// made to lead here could read what is served otherwise (DNS rebinding).
func ownHost(addr net.Addr, h http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(addr.String())
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, p, err := net.SplitHostPort(r.Host)
		if err != nil || p != port || loopbackHost(host) != nil {
			http.Error(w, "this server answers to its own address only", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// loopback refuses addresses that other machines can reach: the server is for this machine's own browser.
func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", addr, err)
	}
	if err := loopbackHost(host); err != nil {
		return fmt.Errorf("-addr %s: %w", addr, err)
	}
	return nil
}

func loopbackHost(host string) error {
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return errors.New("only loopback addresses (127.0.0.1, [::1], localhost) are served")
	}
	return nil
}

func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	default:
		return exec.Command("xdg-open", url).Start()
	}
}
