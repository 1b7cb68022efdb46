package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// proxies are configurations of real proxies in front of `rankbox serve -proxied`, as docs/edge.md has them. %[1]d is
// the proxy's port, %[2]s its folder, %[3]s the server behind it.
var proxies = []struct{ name, program, version, file, text string }{
	{"caddy", "caddy", "version", "Caddyfile", `{
	admin off
	auto_https off
}
https://127.0.0.1:%[1]d {
	bind 127.0.0.1
	tls %[2]s/cert.pem %[2]s/key.pem
	reverse_proxy %[3]s
}
`},
	{"nginx", "nginx", "-v", "nginx.conf", `daemon off;
worker_processes 1;
pid %[2]s/nginx.pid;
error_log stderr;
events {}
http {
	access_log off;
	client_body_temp_path %[2]s/body;
	proxy_temp_path %[2]s/proxy;
	fastcgi_temp_path %[2]s/fastcgi;
	uwsgi_temp_path %[2]s/uwsgi;
	scgi_temp_path %[2]s/scgi;
	server {
		listen 127.0.0.1:%[1]d ssl;
		ssl_certificate %[2]s/cert.pem;
		ssl_certificate_key %[2]s/key.pem;
		location / {
			proxy_pass http://%[3]s;
			proxy_set_header Host $http_host;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto $scheme;
		}
	}
}
`},
}

// behindProxy starts a proxy with a certificate of its own, and returns its origin and a client that trusts it.
func behindProxy(t *testing.T, program, file, text, server string) (string, *http.Client) {
	t.Helper()
	dir := t.TempDir()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	made := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	cert, err := x509.CreateCertificate(rand.Reader, made, made, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	for name, b := range map[string][]byte{
		"cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}),
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
		file:       fmt.Appendf(nil, text, port, dir, server),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"run", "--config", filepath.Join(dir, file), "--adapter", "caddyfile"}
	if program == "nginx" {
		args = []string{"-c", filepath.Join(dir, file)}
	}
	said, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	c.Stdout, c.Stderr = said, said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
		said.Close()
	})
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			conn.Close()
			break
		}
		if time.Now().After(until) {
			text, _ := os.ReadFile(said.Name())
			t.Fatalf("%s does not start: %v\n%s", program, err, text)
		}
	}
	pool := x509.NewCertPool()
	trusted, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(trusted)
	return fmt.Sprintf("https://127.0.0.1:%d", port), &http.Client{Timeout: 30 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

// Behind a real proxy with a certificate the site's own page may post, pages of other origins may not, and clients
// are told apart by the address that the proxy saw. What a client writes into the proxy's headers changes nothing.
func TestBehindAProxyWithACertificate(t *testing.T) {
	for _, p := range proxies {
		t.Run(p.name, func(t *testing.T) {
			if _, err := exec.LookPath(p.program); err != nil {
				t.Skipf("%s is not installed (apt-get install %[1]s)", p.program)
			}
			config := filepath.Join(t.TempDir(), "edge.json")
			service := httptest.NewServer(&crossEncoder{})
			t.Cleanup(service.Close)
			text := fmt.Sprintf(`{"limits":{"per_minute":12},"backends":[
				{"id":"ce","kind":"tei","url":%q,"does":["rerank"]}]}`, service.URL)
			if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			c := &context{out: io.Discard, err: io.Discard}
			h, err := (&serveFlags{addr: "127.0.0.1:0", hosts: []string{"127.0.0.1"}, proxied: true, config: config,
				quiet: true}).handler(c)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			at, client := behindProxy(t, p.program, p.file, p.text, server.Listener.Addr().String())
			post := func(headers ...string) (int, string) {
				t.Helper()
				q, err := http.NewRequest("POST", at+"/api/v1/rerank",
					strings.NewReader(`{"backend":"ce","query":"w1","documents":[{"id":"a","text":"w1 w2"}]}`))
				if err != nil {
					t.Fatal(err)
				}
				q.Header.Set("Content-Type", "application/json")
				for i := 0; i < len(headers); i += 2 {
					q.Header.Set(headers[i], headers[i+1])
				}
				r, err := client.Do(q)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Body.Close()
				var said struct{ Code string }
				json.NewDecoder(r.Body).Decode(&said)
				return r.StatusCode, said.Code
			}
			plain := "http" + strings.TrimPrefix(at, "https")
			for _, x := range []struct {
				headers []string
				want    int
			}{
				{nil, 200},
				{[]string{"Origin", at}, 200},
				{[]string{"Origin", at, "X-Forwarded-Proto", "http"}, 200},
				{[]string{"Origin", at, "X-Forwarded-For", "203.0.113.9"}, 200},
				{[]string{"Origin", plain}, 403},
				{[]string{"Origin", plain, "X-Forwarded-Proto", "http"}, 403},
				{[]string{"Origin", "https://evil.example"}, 403},
				{[]string{"Origin", "https://evil.example", "X-Forwarded-Host", "evil.example"}, 403},
			} {
				if got, code := post(x.headers...); got != x.want || x.want == 403 && code != "origin" {
					t.Errorf("%v: %d %s, want %d", x.headers, got, code, x.want)
				}
			}
			// by hand: 12 a minute are one client's, however many addresses it invents
			last := 0
			for i := range 13 {
				last, _ = post("Origin", at, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			}
			if last != http.StatusTooManyRequests {
				t.Errorf("a client with invented addresses gets %d", last)
			}
		})
	}
	// without -proxied nobody's word is believed
	h, err := (&serveFlags{addr: "127.0.0.1:0", quiet: true}).handler(&context{out: io.Discard, err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://127.0.0.1/api/v1/rerank", strings.NewReader("{}"))
	r.Header.Set("Origin", "https://127.0.0.1")
	r.Header.Set("X-Forwarded-Proto", "https")
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Errorf("without -proxied: %d %s", w.Code, w.Body)
	}
}
