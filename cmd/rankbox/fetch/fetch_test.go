package fetch

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// proxied counts what went through the proxy of the environment, which answers for hosts that do not exist. The
// standard library reads the variables once, so they are set before the first request; loopback addresses never go
// through it.
var proxied atomic.Int32

func TestMain(m *testing.M) {
	data := small()
	if url := os.Getenv("FETCH_TEST_CHILD"); url != "" { // one of the processes of TestTwoProcesses
		c, err := Default()
		if err != nil {
			panic(err)
		}
		n, err := c.Fetch(context.Background(), recipeText(data, url), "")
		fmt.Println(n, err)
		os.Exit(0)
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host != "collections.invalid" {
			http.Error(w, "not for this proxy", http.StatusBadGateway)
			return
		}
		proxied.Add(1)
		http.ServeContent(w, r, "x.zip", time.Time{}, bytes.NewReader(data))
	}))
	os.Setenv("HTTP_PROXY", proxy.URL)
	code := m.Run()
	proxy.Close()
	os.Exit(code)
}

// small is a collection in BEIR's layout with a file of noise, so that it takes several reads to receive.
func small() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	noise := make([]byte, 200_000)
	for i, x := range noise {
		noise[i] = x + byte(i*i>>3)
	}
	for _, f := range [][2]string{{"x/corpus.jsonl", `{"_id":"a","title":"Ferry","text":"A ferry."}` + "\n" +
		`{"_id":"b","title":"Train","text":"A train."}` + "\n"},
		{"x/queries.jsonl", `{"_id":"a","text":"ferry"}` + "\n" + `{"_id":"q","text":"train"}` + "\n"},
		{"x/qrels/test.tsv", "query-id\tcorpus-id\tscore\na\tb\t1\n"},
		{"x/qrels/dev.tsv", "query-id\tcorpus-id\tscore\nq\tb\t2\n"}, {"x/noise", string(noise)}} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f[0]})
		if err == nil {
			_, err = io.WriteString(w, f[1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func sum(data []byte) string {
	h := md5.Sum(data)
	return hex.EncodeToString(h[:])
}

// recipeOf makes a recipe of one file.
func recipeOf(t testing.TB, data []byte, address string) *recipe.Recipe {
	t.Helper()
	return recipeText(data, address)
}

func recipeText(data []byte, address string) *recipe.Recipe {
	r, err := recipe.Parse("x.recipe", fmt.Appendf(nil, `name: x
title: X
sentence: X.
domain: d
language: en
analyzer: lucene-english
layout: beir
file: x.zip %d %s %s
documents: 2
split: test 1 1
split: dev 1 1
licence: CC0 1.0
licence-source: here
citation: none
judged: by hand
remove-query: yes
`, len(data), sum(data), address))
	if err != nil {
		panic(err)
	}
	return r
}

// cacheOf returns a cache in a new folder that does not wait long, and what it noticed.
func cacheOf(t testing.TB) (*Cache, *[]string) {
	t.Helper()
	c := New(t.TempDir())
	c.Pause, c.Tries, c.Idle = time.Millisecond, 3, 5*time.Second
	var mutex sync.Mutex
	notices := &[]string{}
	c.Notice = func(s string) {
		mutex.Lock()
		defer mutex.Unlock()
		*notices = append(*notices, s)
	}
	return c, notices
}

// serve answers each request by the next of the handlers, the last one again and again, and keeps the Range of each.
func serve(t testing.TB, handlers ...http.HandlerFunc) (url string, ranges *[]string) {
	t.Helper()
	var mutex sync.Mutex
	ranges = &[]string{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		i := min(len(*ranges), len(handlers)-1)
		*ranges = append(*ranges, r.Header.Get("Range"))
		mutex.Unlock()
		handlers[i](w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/x.zip", ranges
}

// file answers with data, in parts if asked.
func file(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		http.ServeContent(w, r, "x.zip", time.Time{}, bytes.NewReader(data))
	}
}

// cut promises all of data from where it is asked to begin, and ends the connection after n bytes.
func cut(data []byte, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		from := 0
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		w.Header().Set("Content-Length", fmt.Sprint(len(data)-from))
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(data)-1, len(data)))
			w.WriteHeader(http.StatusPartialContent)
		}
		w.Write(data[from:min(from+n, len(data))])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }
}

// kept returns the names in the folder of a recipe but the lock.
func kept(t testing.TB, c *Cache, r *recipe.Recipe) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(c.Folder(r))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "lock" {
			names = append(names, e.Name())
		}
	}
	return names
}

func TestFetchThenOffline(t *testing.T) {
	data := small()
	url, ranges := serve(t, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	if err := c.Has(r); err == nil || err.Error() != "x is not on this machine. rankbox fetch x downloads 200 kB." {
		t.Error(err)
	}
	if _, _, err := c.Open(r, collection.Limits{}); err == nil ||
		!strings.Contains(err.Error(), "rankbox fetch x downloads") {
		t.Error(err)
	}
	seen := int64(0)
	c.Progress = func(name string, done, of int64) {
		if name != "x.zip" || done <= seen || of != int64(len(data)) {
			t.Errorf("%s: %d of %d after %d", name, done, of, seen)
		}
		seen = done
	}
	for i, want := range []int64{int64(len(data)), 0} {
		n, err := c.Fetch(t.Context(), r, "")
		if err != nil || n != want {
			t.Fatalf("call %d: %d bytes, %v", i, n, err)
		}
	}
	if len(*ranges) != 1 || seen != int64(len(data)) || c.Has(r) != nil {
		t.Errorf("requests %q, %d bytes seen, %v", *ranges, seen, c.Has(r))
	}
	got, err := c.Read(r, "", collection.Options{})
	if err != nil || len(got.Docs) != 2 || len(got.Queries) != 1 || !got.RemoveQuery || got.Name != "X" ||
		got.License != "CC0 1.0" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Whatever is brought in the end is the file itself.
func TestFetchGetsThere(t *testing.T) {
	data := small()
	n := fmt.Sprint(len(data))
	whole := func(w http.ResponseWriter, r *http.Request) { w.Write(data) } // knows no Range
	shifted := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Range", "bytes 5-9/"+n)
		w.WriteHeader(http.StatusPartialContent)
		w.Write(data[5:10])
	}
	redirect := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/x.zip" {
			http.Redirect(w, r, "/moved", http.StatusFound)
			return
		}
		file(data)(w, r)
	}
	for _, x := range []struct {
		name     string
		part     []byte // what an earlier call left
		handlers []http.HandlerFunc
		ranges   string
		notice   string
	}{
		{"the connection is cut and continued", nil, []http.HandlerFunc{cut(data, 70_000), cut(data, 70_000),
			file(data)}, ",bytes=70000-,bytes=140000-", "the connection ended after 70000 of " + n},
		{"an earlier call is continued", data[:100], []http.HandlerFunc{file(data)}, "bytes=100-", ""},
		{"an earlier call had everything", data, []http.HandlerFunc{file(data)}, "", ""},
		{"an earlier call had something else", []byte("something else"), []http.HandlerFunc{file(data)}, "bytes=14-,",
			"has a wrong checksum"},
		{"an earlier call had too much", append(bytes.Clone(data), 'x'), []http.HandlerFunc{file(data)}, "", ""},
		{"the server knows no Range", data[:100], []http.HandlerFunc{whole}, "bytes=100-", ""},
		{"the server continues elsewhere", data[:100], []http.HandlerFunc{shifted, file(data)}, "bytes=100-,",
			`continues with "bytes 5-9/`},
		{"the server cannot send that part", data[:100], []http.HandlerFunc{status(416), file(data)}, "bytes=100-,",
			"cannot send that part"},
		{"the server is busy", nil, []http.HandlerFunc{status(503), status(429), file(data)}, ",,", "503"},
		{"a redirect", nil, []http.HandlerFunc{redirect}, ",", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			url, ranges := serve(t, x.handlers...)
			r := recipeOf(t, data, url)
			c, notices := cacheOf(t)
			if x.part != nil {
				if err := os.MkdirAll(c.Folder(r), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(c.Folder(r), "x.zip.part"), x.part, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := c.Fetch(t.Context(), r, ""); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(c.Folder(r), "x.zip"))
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			if names := kept(t, c, r); len(names) != 1 {
				t.Errorf("kept %q", names)
			}
			if got := strings.Join(*ranges, ","); got != x.ranges {
				t.Errorf("ranges %q, want %q", got, x.ranges)
			}
			if got := strings.Join(*notices, "\n"); x.notice == "" != (got == "") || !strings.Contains(got, x.notice) {
				t.Errorf("notices %q, want %q", got, x.notice)
			}
		})
	}
}

func TestFetchRefuses(t *testing.T) {
	data := small()
	wrong := bytes.Clone(data)
	wrong[1000] ^= 1
	page := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>Log in</title>")
	}
	disguised := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/zip")
		w.(http.Flusher).Flush() // no length
		io.WriteString(w, "\n <HTML><title>Log in</title>")
	}
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		w.Write(data)
		w.Write(data)
	}
	truncated := func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		w.Write(data[:1000])
	}
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "ftp://127.0.0.1/x.zip", http.StatusFound)
	}
	loop := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x.zip", http.StatusFound) }
	hang := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Write(data[:10])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for _, x := range []struct {
		name    string
		handler http.HandlerFunc
		says    []string
		part    bool // something is kept to be continued
	}{
		{"wrong sum", file(wrong), []string{"returned a different file than the recipe describes",
			"its MD5 is " + sum(wrong) + ", expected " + sum(data), "Nothing was saved", "rankbox fetch -from FILE x"},
			false},
		{"too long, announced", file(append(bytes.Clone(data), 'x')), []string{"has 200,", "the file was replaced"},
			false},
		{"too long, unannounced", endless, []string{"is longer than the expected 200,", "the file was replaced"}, false},
		{"too short, announced", file(data[:5000]), []string{"has 5,000 bytes, expected 200,"}, false},
		{"too short, unannounced", truncated, []string{"the connection ended after 1000 of", "times in a row",
			"continue with rankbox fetch x"}, true},
		{"not found", status(404), []string{"is gone (404)", "-from"}, false},
		{"gone", status(410), []string{"(410)"}, false},
		{"forbidden", status(403), []string{"403 Forbidden"}, false},
		{"broken server", status(500), []string{"500 Internal Server Error, 3 times in a row"}, false},
		{"a web page", page, []string{"returned a web page instead of the file"}, false},
		{"a web page that says it is a zip", disguised, []string{"returned a web page"}, true},
		{"a redirect to another scheme", elsewhere, []string{"refused a redirect from http to ftp"}, false},
		{"redirects without end", loop, []string{"more than 5 redirects"}, false},
		{"silence", hang, []string{"no answer for 50ms", "10 bytes of 200 kB are saved"}, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			url, asked := serve(t, x.handler)
			r := recipeOf(t, data, url)
			c, _ := cacheOf(t)
			if x.name == "silence" {
				c.Idle = 50 * time.Millisecond
			}
			_, err := c.Fetch(t.Context(), r, "")
			if err == nil {
				t.Fatal("fetched")
			}
			if strings.Contains(x.name, "scheme") && len(*asked) != 1 {
				t.Errorf("asked %d times, want once: trying again changes nothing", len(*asked))
			}
			for _, s := range x.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v\nwant %s", err, s)
				}
			}
			for _, name := range kept(t, c, r) {
				if name != "x.zip.part" || !x.part {
					t.Errorf("kept %s", name)
				}
			}
			if c.Has(r) == nil {
				t.Error("it counts as fetched")
			}
		})
	}
}

func TestARedirectToPlainHTTPIsNotFollowed(t *testing.T) {
	data := small()
	plain, ranges := serve(t, file(data))
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, plain, http.StatusFound)
	}))
	defer secure.Close()
	r := recipeOf(t, data, secure.URL+"/x.zip")
	c, _ := cacheOf(t)
	c.Client.Transport = secure.Client().Transport
	if _, err := c.Fetch(t.Context(), r, ""); err == nil ||
		!strings.Contains(err.Error(), "refused a redirect from https to http") || len(*ranges) != 0 {
		t.Error(err, *ranges)
	}
}

func TestTheProxyOfTheEnvironmentIsUsed(t *testing.T) {
	data := small()
	r := recipeOf(t, data, "http://collections.invalid/x.zip")
	c, _ := cacheOf(t)
	before := proxied.Load()
	if _, err := c.Fetch(t.Context(), r, ""); err != nil || proxied.Load() != before+1 {
		t.Error(err, proxied.Load())
	}
}

func TestCancelKeepsWhatWasReceived(t *testing.T) {
	data := small()
	ctx, cancel := context.WithCancel(t.Context())
	url, ranges := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Write(data[:50_000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	c.Progress = func(_ string, done, _ int64) {
		if done == 50_000 {
			cancel()
		}
	}
	_, err := c.Fetch(ctx, r, "")
	if err == nil || err.Error() != "stopped. 50 kB of 200 kB of x.zip are saved: continue with rankbox fetch x" {
		t.Error(err)
	}
	if _, err := c.Fetch(t.Context(), r, ""); err != nil || (*ranges)[1] != "bytes=50000-" {
		t.Error(err, *ranges)
	}
}

// full is a disk that has room for n bytes.
type full struct {
	f *os.File
	n int
}

func (f *full) Sync() error  { return f.f.Sync() }
func (f *full) Close() error { return f.f.Close() }

func (f *full) Write(b []byte) (int, error) {
	if len(b) <= f.n {
		f.n -= len(b)
		return f.f.Write(b)
	}
	n, _ := f.f.Write(b[:f.n])
	f.n = 0
	return n, &os.PathError{Op: "write", Path: f.f.Name(), Err: syscall.ENOSPC}
}

func TestAFullDisk(t *testing.T) {
	data := small()
	url, ranges := serve(t, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	c.open = func(name string, flag int) (writer, error) {
		f, err := os.OpenFile(name, flag, 0o666)
		return &full{f, 1000}, err
	}
	_, err := c.Fetch(t.Context(), r, "")
	if err == nil || !strings.Contains(err.Error(),
		"no space left on device; free some space, or set another folder in RANKBOX_CACHE") || len(*ranges) != 1 {
		t.Error(err, *ranges)
	}
	local := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(local, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Fetch(t.Context(), r, local); err == nil || !strings.Contains(err.Error(), "free some space") {
		t.Error(err)
	}
	c.open = nil
	if _, err := c.Fetch(t.Context(), r, ""); err != nil || (*ranges)[1] != "bytes=1000-" {
		t.Error(err, *ranges)
	}
}

// /dev/full is a disk that is full in earnest.
func TestAFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	data := small()
	url, _ := serve(t, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	c.open = func(string, int) (writer, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }
	if _, err := c.Fetch(t.Context(), r, ""); err == nil || !strings.Contains(err.Error(), "free some space") {
		t.Error(err)
	}
}

func TestTwoAtOnceDownloadOnce(t *testing.T) {
	data := small()
	release := make(chan struct{})
	url, ranges := serve(t, func(w http.ResponseWriter, r *http.Request) {
		<-release
		file(data)(w, r)
	})
	r := recipeOf(t, data, url)
	first, _ := cacheOf(t)
	second := New(first.Dir)
	waits := make(chan string, 1)
	second.Notice = func(s string) { waits <- s }
	var both sync.WaitGroup
	var brought [2]int64
	var faults [2]error
	both.Go(func() { brought[0], faults[0] = first.Fetch(t.Context(), r, "") })
	for len(kept(t, first, r)) == 0 { // the first has the lock before its request is answered
		if _, err := os.Stat(filepath.Join(first.Folder(r), "lock")); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	both.Go(func() { brought[1], faults[1] = second.Fetch(t.Context(), r, "") })
	if s := <-waits; s != "another process is fetching x; waiting for it" {
		t.Error(s)
	}
	stopped, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if _, err := New(first.Dir).Fetch(stopped, r, ""); err == nil ||
		!strings.Contains(err.Error(), "stopped while another process was fetching x") {
		t.Error(err)
	}
	close(release)
	both.Wait()
	if faults != [2]error{} || brought != [2]int64{int64(len(data)), 0} || len(*ranges) != 1 {
		t.Error(faults, brought, *ranges)
	}
}

// Processes that share a cache: one downloads, the others find the file; or one is killed in the midst, and another
// continues.
func TestTwoProcesses(t *testing.T) {
	data := small()
	arrived, release := make(chan struct{}, 1), make(chan struct{})
	url, ranges := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.Write(data[:30_000])
		w.(http.Flusher).Flush()
		arrived <- struct{}{}
		<-r.Context().Done()
	}, func(w http.ResponseWriter, r *http.Request) {
		<-release
		file(data)(w, r)
	})
	dir := t.TempDir()
	child := func() (*exec.Cmd, *bytes.Buffer) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "FETCH_TEST_CHILD="+url, CacheVariable+"="+dir)
		var out bytes.Buffer
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c, &out
	}
	killed, _ := child()
	<-arrived
	part := filepath.Join(New(dir).Folder(recipeOf(t, data, url)), "x.zip.part")
	for size(part) < 30_000 {
		time.Sleep(time.Millisecond)
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed.Wait()
	a, saidA := child()
	b, saidB := child()
	time.Sleep(50 * time.Millisecond)
	close(release)
	if err := errors.Join(a.Wait(), b.Wait()); err != nil {
		t.Fatal(err)
	}
	said := []string{saidA.String(), saidB.String()}
	slices.Sort(said)
	if said[0] != "0 <nil>\n" || said[1] != fmt.Sprintf("%d <nil>\n", len(data)) {
		t.Errorf("%q", said)
	}
	if got := strings.Join(*ranges, ","); got != ",bytes=30000-" {
		t.Errorf("ranges %q", got)
	}
}

func TestFrom(t *testing.T) {
	data := small()
	url, _ := serve(t, file(data))
	r := recipeOf(t, data, "http://127.0.0.1:1/x.zip") // nobody is there
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "x.zip"), filepath.Join(dir, "bad.zip")
	for name, b := range map[string][]byte{good: data, bad: data[:900]} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct{ from, says string }{
		{"", "connection refused"}, {bad, "it has 900 bytes, expected 200,"},
		{filepath.Join(dir, "none"), "no such file"},
		{good, ""}, {dir, ""}, {url, ""}, {strings.TrimSuffix(url, "x.zip"), ""},
	} {
		c, _ := cacheOf(t)
		_, err := c.Fetch(t.Context(), r, x.from)
		if (err == nil) != (x.says == "") || err != nil && !strings.Contains(err.Error(), x.says) {
			t.Errorf("-from %s: %v, want %s", x.from, err, x.says)
		}
		if err != nil && c.Has(r) == nil {
			t.Errorf("-from %s: it counts as fetched", x.from)
		}
	}
	two := *r
	two.Files = append(two.Files[:1:1], recipe.File{Name: "y", Bytes: 1, MD5: sum([]byte("y")), URL: url})
	c, _ := cacheOf(t)
	for _, from := range []string{good, url} {
		if _, err := c.Fetch(t.Context(), &two, from); err == nil || !strings.Contains(err.Error(), "x has 2 files") {
			t.Error(err)
		}
	}
}

func TestWhatWasChangedInTheCacheIsRefusedAndReplaced(t *testing.T) {
	data := small()
	url, _ := serve(t, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	if _, err := c.Fetch(t.Context(), r, ""); err != nil {
		t.Fatal(err)
	}
	wrong := bytes.Clone(data)
	wrong[len(wrong)/2] ^= 1
	if err := os.WriteFile(filepath.Join(c.Folder(r), "x.zip"), wrong, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(r, "", collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "It was changed after the download: replace it with rankbox fetch x") {
		t.Error(err)
	}
	if n, err := c.Fetch(t.Context(), r, ""); err != nil || n != int64(len(data)) {
		t.Error(n, err)
	}
	if _, err := c.Read(r, "", collection.Options{}); err != nil {
		t.Error(err)
	}
}

func TestWriteFolder(t *testing.T) {
	data := small()
	url, _ := serve(t, file(data))
	r := recipeOf(t, data, url)
	c, _ := cacheOf(t)
	dir := filepath.Join(t.TempDir(), "out")
	if err := c.WriteFolder(r, dir, collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is not on this machine") {
		t.Error(err)
	}
	if _, err := c.Fetch(t.Context(), r, ""); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteFolder(r, dir, collection.Options{}); err != nil {
		t.Fatal(err)
	}
	for split, query := range map[string]string{"": "a", "dev": "q"} {
		got, err := collection.ReadBEIR(os.DirFS(dir), split, collection.Limits{})
		if err != nil || len(got.Docs) != 2 || len(got.Queries) != 1 || got.Queries[0].ID != query ||
			!got.RemoveQuery || got.Name != "X" {
			t.Errorf("%q: %+v, %v", split, got, err)
		}
	}
	if err := c.WriteFolder(r, dir, collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is not empty") {
		t.Error(err)
	}
}

func TestRecipesOfTheEnvironmentComeFirst(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(RecipesVariable, dir)
	if err := os.WriteFile(filepath.Join(dir, "scifact.recipe"), []byte("name: scifact\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Recipes(); err == nil ||
		!strings.Contains(err.Error(), `RANKBOX_RECIPES: scifact.recipe: the line "title: …" is missing`) {
		t.Error(err)
	}
	t.Setenv(RecipesVariable, "")
	if all, err := Recipes(); err != nil || len(all) != len(recipe.All()) {
		t.Error(len(all), err)
	}
	t.Setenv(CacheVariable, dir)
	if c, err := Default(); err != nil || c.Dir != dir {
		t.Error(c, err)
	}
}
