package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

const mostRedirects = 5

// refusal is an answer that trying again would not change.
type refusal struct{ error }

func (e refusal) Unwrap() error { return e.error }

func refusef(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// client downloads: through the proxies of the environment, with bounded redirects, none of them to another scheme but
// https.
func client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:    30 * time.Second,
			ResponseHeaderTimeout:  time.Minute,
			DisableCompression:     true, // sizes and offsets are those of the file
			ForceAttemptHTTP2:      true,
			MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > mostRedirects {
				return refusef("more than %d redirects", mostRedirects)
			}
			if from := via[len(via)-1].URL.Scheme; r.URL.Scheme != "https" && r.URL.Scheme != from {
				return refusef("refused a redirect from %s to %s", from, r.URL.Scheme)
			}
			return nil
		},
	}
}

// place is where a file comes from: an address or a file.
type place struct{ address, file string }

// sourceOf says where a file comes from.
func sourceOf(r *recipe.Recipe, f recipe.File, from string) (place, error) {
	remote := strings.HasPrefix(from, "https://") || strings.HasPrefix(from, "http://")
	switch {
	case from == "":
		return place{address: f.URL}, nil
	case remote && strings.HasSuffix(from, "/"):
		return place{address: from + f.Name}, nil
	case remote && len(r.Files) > 1:
		return place{}, fmt.Errorf("%s has %d files: end the address with / to download them by name", r.Name,
			len(r.Files))
	case remote:
		return place{address: from}, nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return place{}, err
	}
	if info.IsDir() {
		return place{file: filepath.Join(from, f.Name)}, nil
	}
	if len(r.Files) > 1 {
		return place{}, fmt.Errorf("%s has %d files: name their folder", r.Name, len(r.Files))
	}
	return place{file: from}, nil
}

// copy takes a file of this machine.
func (c *Cache) copy(ctx context.Context, f recipe.File, from, part string) error {
	if err := check(from, f); err != nil {
		return fmt.Errorf("%w: it differs from the recipe's file", err)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := c.create(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return c.explain(err)
	}
	_, err = io.Copy(out, io.LimitReader(reader{ctx, in}, f.Bytes+1))
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return c.explain(err)
	}
	return check(part, f) // as it was written, not as it was read
}

// reader stops when a context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}

// download brings a file to part, whole and checked. What an earlier call left there is continued.
func (c *Cache) download(ctx context.Context, r *recipe.Recipe, f recipe.File, address, part string) error {
	for failures, restarted := 0, false; ; {
		have := size(part)
		if have > f.Bytes {
			if err := os.Remove(part); err != nil {
				return err
			}
			have = 0
		}
		whole := have == 0
		if have < f.Bytes {
			err := c.get(ctx, f, address, part, have)
			var final refusal
			switch {
			case ctx.Err() != nil:
				return fmt.Errorf("stopped. %s of %s of %s are saved: continue with rankbox fetch %s",
					say.Bytes(size(part)), say.Bytes(f.Bytes), f.Name, r.Name)
			case errors.As(err, &final), err != nil && isDisk(err):
				return c.explain(err)
			case err != nil:
				if failures++; size(part) > have { // it got on
					failures = 1
				}
				if failures >= c.Tries {
					return fmt.Errorf("%s: %w, %d times in a row. %s of %s are saved: continue with rankbox fetch %s",
						address, err, failures, say.Bytes(size(part)), say.Bytes(f.Bytes), r.Name)
				}
				wait := c.Pause << (failures - 1)
				c.notice(fmt.Sprintf("%s: %v; trying again in %v", f.Name, err, wait))
				select {
				case <-time.After(wait):
				case <-ctx.Done():
				}
				continue
			}
		}
		err := check(part, f)
		var damaged *Damaged
		if err == nil || !errors.As(err, &damaged) {
			return err
		}
		if err := os.Remove(part); err != nil {
			return err
		}
		if !whole && !restarted { // pieces of two versions, perhaps
			restarted = true
			c.notice(f.Name + ": the resumed download has a wrong checksum; starting again")
			continue
		}
		return fmt.Errorf("%s returned a different file than the recipe describes: %s. Nothing was saved. The file "+
			"was replaced or damaged: "+
			"try again, or use a copy that you trust: rankbox fetch -from FILE %s", address, damaged.Why, r.Name)
	}
}

func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// isDisk reports whether an error is about a file of this machine.
func isDisk(err error) bool {
	var p *os.PathError
	return errors.As(err, &p)
}

func (c *Cache) notice(text string) {
	if c.Notice != nil {
		c.Notice(text)
	}
}

// get asks for what follows the bytes that part has, and appends it. Without an error part has all bytes.
func (c *Cache) get(ctx context.Context, f recipe.File, address, part string, have int64) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(c.Idle, func() { cancel(fmt.Errorf("no answer for %v", c.Idle)) })
	defer idle.Stop()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return refusal{err}
	}
	q.Header.Set("Accept-Encoding", "identity")
	q.Header.Set("User-Agent", "rankbox")
	if have > 0 {
		q.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
	}
	a, err := c.Client.Do(q)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		var u *url.Error
		if errors.As(err, &u) { // whose text repeats the address
			var final refusal
			if errors.As(u.Err, &final) {
				return refusef("%s: %w", address, u.Err)
			}
			return u.Err
		}
		return err
	}
	defer a.Body.Close()
	if have, err = c.accept(a, f, address, part, have); err != nil {
		return err
	}
	return c.receive(ctx, a, f, address, part, have, idle)
}

// accept refuses answers that are not the file, and returns where what follows begins: 0 if the server sends all of it.
func (c *Cache) accept(a *http.Response, f recipe.File, address, part string, have int64) (int64, error) {
	elsewhere := "If you have the file, use rankbox fetch -from FILE or -from URL"
	length := a.ContentLength
	switch {
	case a.StatusCode == http.StatusOK:
		have = 0
	case a.StatusCode == http.StatusPartialContent:
		var from, to, of int64
		if n, _ := fmt.Sscanf(a.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &of); n != 3 ||
			from != have || of != f.Bytes {
			os.Remove(part)
			return 0, fmt.Errorf("the server continues with %q instead of byte %d of %d", a.Header.Get("Content-Range"),
				have, f.Bytes)
		}
		if length >= 0 {
			length += have
		}
	case a.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		os.Remove(part)
		return 0, errors.New("the server cannot send that part of the file (416)")
	case a.StatusCode == http.StatusNotFound, a.StatusCode == http.StatusGone:
		return 0, refusef("%s is gone (%d): the file was moved or removed. %s", address, a.StatusCode, elsewhere)
	case a.StatusCode == http.StatusTooManyRequests, a.StatusCode >= 500:
		return 0, fmt.Errorf("the server answers %s", a.Status)
	default:
		return 0, refusef("%s: the server answers %s. %s", address, a.Status, elsewhere)
	}
	if kind := a.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
		return 0, refusal{webPage(address)}
	}
	if length >= 0 && length != f.Bytes {
		os.Remove(part) // of another version of the file
		return 0, refusef("%s has %s bytes, expected %s: the file was replaced. %s", address,
			say.Thousands(int(length)), say.Thousands(int(f.Bytes)), elsewhere)
	}
	return have, nil
}

// webPage is the error for a page in the place of a file.
func webPage(address string) error {
	return fmt.Errorf("%s returned a web page instead of the file: it was moved, or your network asks for a login. "+
		"Open the address in a browser to check", address)
}

// receive writes the body after the first have bytes of part.
func (c *Cache) receive(ctx context.Context, a *http.Response, f recipe.File, address, part string, have int64,
	idle *time.Timer) (err error) {
	flag := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if have == 0 {
		flag |= os.O_TRUNC
	}
	out, err := c.create(part, flag)
	if err != nil {
		return err
	}
	long := false
	defer func() {
		err = errors.Join(err, out.Sync(), out.Close())
		if long {
			os.Remove(part)
		}
	}()
	buffer := make([]byte, 64<<10)
	for first := have == 0; ; first = false {
		n, fault := a.Body.Read(buffer)
		idle.Reset(c.Idle)
		if first && looksLikePage(buffer[:n]) {
			return refusal{webPage(address)}
		}
		if long = have+int64(n) > f.Bytes; long {
			return refusef("%s is longer than the expected %s bytes: the file was replaced. The download was stopped",
				address, say.Thousands(int(f.Bytes)))
		}
		if n > 0 {
			if _, err := out.Write(buffer[:n]); err != nil {
				return err
			}
			have += int64(n)
			if c.Progress != nil {
				c.Progress(f.Name, have, f.Bytes)
			}
		}
		switch {
		case fault == nil:
		case context.Cause(ctx) != nil:
			return context.Cause(ctx)
		case have == f.Bytes && fault == io.EOF:
			return nil
		default:
			return errors.New("the connection ended after " + strconv.FormatInt(have, 10) + " of " +
				strconv.FormatInt(f.Bytes, 10) + " bytes")
		}
	}
}

// looksLikePage reports whether a file begins as web pages do.
func looksLikePage(head []byte) bool {
	head = bytes.ToLower(bytes.TrimSpace(head[:min(len(head), 256)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}
