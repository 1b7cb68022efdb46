package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// mostReply is how many bytes of an edge's answer are read.
const mostReply = 32 << 20

// behind gives a session the edge, and what is kept of its answers.
func (o *opening) behind(s *experiment.Session) error {
	if o.edge == "" && o.answers == "" {
		return nil
	}
	var send remote.Send
	if o.edge != "" {
		base, err := plainURL("-edge", o.edge)
		if err != nil {
			return err
		}
		send = sender(base)
	}
	e := remote.New(send)
	if o.answers != "" {
		if err := keepAnswers(e, o.answers); err != nil {
			return err
		}
	}
	s.SetEdge(e)
	return nil
}

// plainURL checks the value of a flag, which is an address without credentials, and takes a slash off its end.
func plainURL(flag, value string) (string, error) {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" ||
		u.Fragment != "" ||
		u.User != nil {
		return "", usagef("%s %s: want http://host or https://host", flag, value)
	}
	return strings.TrimSuffix(value, "/"), nil
}

// failedError says that a system could not answer: exit code 4. What the others gave is printed.
type failedError struct{ error }

// Said is what people are told.
func (e failedError) Said() string { return say.Told(e.error) }

// and is the error of two, either of which may be nil; that of a failed system is one.
func and(a, b error) error {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	both := fmt.Errorf("%s; %s", say.Told(a), say.Told(b))
	if _, ok := errors.AsType[failedError](errors.Join(a, b)); ok {
		return failedError{both}
	}
	return both
}

// ofSystem is the error of a query: a failed system where that is what it is.
func ofSystem(err error) error {
	if _, ok := errors.AsType[*rank.Unanswerable](err); ok {
		return failedError{err}
	}
	return err
}

// same stops where a backend is another than the one whose answers are kept, unless they are to be asked anew.
func (o *opening) same(s *experiment.Session, nodes ...*pipeline.Node) error {
	x, ok := s.Parts().(stage.Edged)
	if !ok || x.Edge() == nil {
		return nil
	}
	var all []string
	for _, n := range nodes {
		for _, b := range stage.Backends(n) {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	if o.renew {
		return x.Edge().Renew(all)
	}
	var said []string
	for _, c := range x.Edge().Changes(all) {
		said = append(said, c.Said())
	}
	if len(said) == 0 {
		return nil
	}
	return fmt.Errorf("%s. Use -renew to ask the backend again, or leave out -edge to use the saved answers",
		strings.Join(said, ". "))
}

// watched says on standard error why and for how long the edge waits, and ends the waits if the program is stopped.
// The questions of the command are in one ledger until confirm.
func (o *opening) watched(c *context, s *experiment.Session) {
	x, ok := s.Parts().(stage.Edged)
	if !ok || x.Edge() == nil || o.ledger != nil {
		return
	}
	o.ledger = x.Edge().Begin()
	x.Edge().Patient = func() bool { return !c.stopped() }
	if !o.silent {
		x.Edge().Waits = func(w remote.Wait) {
			text := w.Why + ": waiting " + strconv.Itoa(int((w.For+time.Second-1)/time.Second)) + " s"
			if w.Questions > 0 {
				text += ", then asking " + say.Count(w.Questions, "question", "questions") + " again"
			}
			fmt.Fprintln(c.err, "rankbox: "+text)
		}
	}
}

// confirm asks the backends of a command what they are behind their last answer, so that no figure is of two. It says
// which cannot be confirmed.
func (o *opening) confirm(c *context) error {
	if o.ledger == nil {
		return nil
	}
	changed, err := o.ledger.Confirm(true)
	if err == nil && len(changed) > 0 {
		err = failedError{fmt.Errorf("%w. Run again to ask it as it is now", changed[0])}
	}
	return err
}

// edgeKey is the environment variable with the key of a private edge.
const edgeKey = "RANKBOX_EDGE_KEY"

// sender sends to an edge, with the key of a private one: it follows no redirect.
func sender(base string) remote.Send {
	client := directClient(remote.InFlight)
	return func(method, path string, body []byte) (r remote.Reply, err error) {
		q, err := http.NewRequest(method, base+path, bytes.NewReader(body))
		if err != nil {
			return r, err
		}
		if key := os.Getenv(edgeKey); key != "" {
			q.Header.Set("Authorization", "Bearer "+key)
		}
		switch method {
		case "POST":
			q.Header.Set("Content-Type", "application/json")
		case "PUT":
			q.Header.Set("Content-Type", "application/octet-stream")
		}
		a, err := client.Do(q)
		if err != nil {
			return r, err
		}
		defer a.Body.Close()
		if r.Body, err = within.All(a.Body, 0, mostReply); errors.Is(err, within.ErrLong) {
			err = errors.New("the answer is too long")
		}
		r.Status = a.StatusCode
		r.Retry, _ = strconv.Atoi(a.Header.Get("Retry-After"))
		return r, err
	}
}

// keepAnswers takes the answers of a file, and adds what is new to it: the file is made with the first one.
func keepAnswers(e *remote.Edge, name string) error {
	data, err := readFile(name, remote.MaxAnswers)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	whole, err := e.Take(data)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", name, err)
	}
	if whole < len(data) { // a line that was cut off
		if err := os.Truncate(name, int64(whole)); err != nil {
			return err
		}
	}
	file := folder{name}
	e.Keep = func(line []byte) error {
		if whole == 0 {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
			line = append([]byte(remote.Head), line...)
		}
		whole += len(line)
		return file.Append(line)
	}
	return nil
}
