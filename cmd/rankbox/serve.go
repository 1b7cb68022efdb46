package main

import (
	stdcontext "context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rankbox/rankbox/build/static"
	"github.com/rankbox/rankbox/cmd/rankbox/edge"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// embedded is the built site with its netlify.toml, in a binary that was made with it (go run ./build binary).
var embedded fs.FS

// serveFlags are the words of rankbox serve.
type serveFlags struct {
	addr, site, config, snapshots string
	hosts                         []string
	proxied, quiet                bool
	key, expires                  string
}

// serve serves the built site and, with a configuration, the gateway, and prints the address alone on a line of
// standard output.
func serve(c *context, args []string) error {
	var s serveFlags
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.StringVar(&s.addr, "addr", "127.0.0.1:8080",
		"`address` to listen on; if other machines can reach it, give -host too")
	f.StringVar(&s.site, "site", "",
		"`folder` of the built site, with netlify.toml beside or in it; default: the site embedded in this program")
	f.StringVar(&s.config, "config", "", "`file` with the gateway's configuration; secrets come from the environment")
	f.StringVar(&s.snapshots, "snapshots", "",
		"`folder` to save snapshots in, and allow them if there is no -config; without it they stay in memory")
	f.Func("host", "`name` of this server, repeatable; requests for other names are refused", func(name string) error {
		s.hosts = append(s.hosts, name)
		return nil
	})
	f.BoolVar(&s.proxied, "proxied", false,
		"the server runs behind your proxy: believe the last entries of X-Forwarded-For and X-Forwarded-Proto")
	f.StringVar(&s.key, "new-key", "", "print a key of this `id` for a private edge and end; "+
		"the secret that -config names is read from the environment")
	f.StringVar(&s.expires, "expires", "", "last `day` of the new key, such as 2027-01-31; default: in 365 days")
	f.BoolVar(&s.quiet, "quiet", false, "log no requests")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usagef("serve takes no arguments")
	}
	if s.key != "" {
		return s.newKey(c)
	}
	if s.expires != "" {
		return usagef("-expires is the last day of a -new-key")
	}
	handler, err := s.handler(c)
	if err != nil {
		return err
	}
	// What is kept is small and most of a request is garbage: it is collected when the heap has grown ninefold, up to a
	// gigabyte (docs/edge.md).
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(800))
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	}
	ctx, stop := signal.NotifyContext(stdcontext.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, "http://"+listener.Addr().String()+"/")
	var changed func(net.Conn, http.ConnState)
	if files := mostFilesOpen(); files > 0 {
		within := newCrowd(listener, files)
		listener, changed = within, within.changed
	}
	server := &http.Server{Handler: handler, ConnState: changed,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 20 * time.Second,
		WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	end, cancel := stdcontext.WithTimeout(stdcontext.Background(), 10*time.Second) // requests under way are answered
	defer cancel()
	if err := server.Shutdown(end); err != nil && !errors.Is(err, stdcontext.DeadlineExceeded) {
		return err
	}
	return nil
}

// newKey prints a key for a private edge.
func (s *serveFlags) newKey(c *context) error {
	config, err := s.readConfig()
	if err != nil {
		return err
	}
	if config.Keys == nil {
		return usagef("-new-key needs a -config with \"keys\"")
	}
	last := time.Now().AddDate(0, 0, 365)
	if s.expires != "" {
		if last, err = time.Parse(time.DateOnly, s.expires); err != nil {
			return usagef("-expires %s is not a day such as 2027-01-31", say.Visible(s.expires))
		}
	}
	secret := os.Getenv(config.Keys.SecretName)
	if secret == "" {
		return usagef("set %s in the environment: keys are made with it", config.Keys.SecretName)
	}
	key, err := gateway.NewKey(secret, s.key, last)
	if err != nil {
		return say.Faultf("rankbox", "%w", err)
	}
	fmt.Fprintln(c.out, key)
	return nil
}

// readConfig reads the configuration; without a file there is one that has no backend.
func (s *serveFlags) readConfig() (*gateway.Config, error) {
	if s.config == "" {
		return &gateway.Config{Limits: gateway.Defaults, Snapshots: s.snapshots != "", Rooms: true}, nil
	}
	text, err := readFile(s.config, mostText)
	if err != nil {
		return nil, err
	}
	config, err := gateway.ParseConfig(text)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", s.config, err)
	}
	return config, nil
}

// handler is what the flags ask for.
func (s *serveFlags) handler(c *context) (http.Handler, error) {
	host, _, err := net.SplitHostPort(s.addr)
	if err != nil {
		return nil, usagef("-addr %s: %v", s.addr, err)
	}
	ip := net.ParseIP(host)
	if local := host == "localhost" || ip != nil && ip.IsLoopback(); !local && len(s.hosts) == 0 {
		return nil, usagef("other machines can reach -addr %s: name the host that they use with -host", s.addr)
	}
	site, err := s.openSite()
	if err != nil {
		return nil, err
	}
	config, err := s.readConfig()
	if err != nil {
		return nil, err
	}
	if s.snapshots != "" && !config.Snapshots {
		return nil, usagef("-snapshots %s: %s allows none: set \"snapshots\": true in it", s.snapshots, s.config)
	}
	o := edge.Options{Secret: os.Getenv, Snapshots: s.snapshots, Proxied: s.proxied}
	if !s.quiet {
		o.Log = c.err
	}
	own, err := edge.New(config, o)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.named(r.Host):
			http.Error(w, "this server only answers requests for its own name", http.StatusMisdirectedRequest)
		case gateway.Owns(r.URL.Path):
			own.ServeHTTP(w, r)
		case site != nil:
			site.ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	}), nil
}

// named says whether a request asks for this server, not for a name of another that was made to lead here.
func (s *serveFlags) named(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if len(s.hosts) > 0 {
		return slices.ContainsFunc(s.hosts, func(name string) bool { return strings.EqualFold(name, host) })
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// openSite returns the built site, nil where there is none.
func (s *serveFlags) openSite() (http.Handler, error) {
	files := embedded
	toml := static.ConfigFile
	if s.site != "" {
		if _, err := os.Stat(s.site); err != nil {
			return nil, err
		}
		files = os.DirFS(s.site)
		if _, err := fs.Stat(files, toml); err != nil {
			toml = filepath.Join(filepath.Dir(filepath.Clean(s.site)), "netlify.toml")
		} else {
			toml = filepath.Join(s.site, toml)
		}
	}
	if files == nil {
		return nil, nil
	}
	var headers fs.File
	var err error
	if s.site != "" {
		headers, err = os.Open(toml)
	} else {
		headers, err = files.Open(toml)
	}
	if err != nil {
		return nil, err
	}
	defer headers.Close()
	config, err := static.ReadConfig(headers)
	if err != nil {
		return nil, err
	}
	site, err := static.Load(files)
	if err != nil {
		return nil, err
	}
	own, err := files.Open(static.HeadersFile)
	if err != nil {
		return nil, err
	}
	defer own.Close()
	if config, err = config.With(own); err != nil {
		return nil, err
	}
	h := &static.Handler{}
	h.Replace(site, config)
	return h, nil
}
