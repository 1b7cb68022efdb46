package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/gateway/load"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/within"
)

// loader writes the documents of one corpus into one index.
type loader struct {
	c       *context
	engine  *load.Engine
	target  *load.Target
	client  *http.Client
	base    string
	header  [2]string // with the key; empty without
	journal string    // file, "" for none
	skip    int
	quiet   bool
	vectors *dense.Vectors
	rows    map[string]int // of vectors, by document
	blocked time.Duration  // that the reader waited for requests

	before int    // documents that the journal says are written
	ids    string // the digest of their ids

	gate    gate
	mu      sync.Mutex
	ended   map[int]*batch // written, behind one that is not
	done    int            // documents before which all are written
	sent    int            // documents that this call wrote
	refused int
	failed  error
	shown   time.Time
	shownAt int
}

// batch is the documents of one request.
type batch struct {
	docs  []load.Doc
	first int    // place of the first one in the corpus
	ids   string // digest of the ids of the corpus to the end of the batch
}

// gate bounds the requests on their way: fewer after an answer that the engine is busy, slowly more after that.
type gate struct {
	mu          sync.Mutex
	most, limit int
	now         int
	fine        int       // successes since limit changed
	until       time.Time // before which nothing is sent
	since       time.Time // of the first failure behind the last success
}

// enter waits until a request may be sent.
func (g *gate) enter(stop func() bool) {
	for {
		g.mu.Lock()
		wait := time.Until(g.until)
		if wait <= 0 && g.now < g.limit {
			g.now++
			g.mu.Unlock()
			return
		}
		g.mu.Unlock()
		if stop() {
			return
		}
		time.Sleep(min(max(wait, time.Millisecond), 50*time.Millisecond))
	}
}

// leave counts an answer. patience is how long the engine has been busy without a success.
func (g *gate) leave(busy bool, after time.Duration) (patience time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now--
	if !busy {
		g.since = time.Time{}
		if g.fine++; g.fine >= 4*g.limit && g.limit < g.most {
			g.limit, g.fine = g.limit+1, 0
		}
		return 0
	}
	if g.since.IsZero() {
		g.since = time.Now()
	}
	g.limit, g.fine = max(1, g.limit/2), 0
	if t := time.Now().Add(after); t.After(g.until) {
		g.until = t
	}
	return time.Since(g.since)
}

const (
	longestBusy      = 5 * time.Minute // without a success, before the engine counts as gone
	mostEngineAnswer = 64 << 20
)

// sends are the goroutines that send batches.
type sends struct {
	l     *loader
	queue chan *batch
	group sync.WaitGroup
}

func (l *loader) start() *sends {
	l.ended = map[int]*batch{}
	s := &sends{l: l, queue: make(chan *batch)}
	for range l.gate.most {
		s.group.Go(func() {
			for b := range s.queue {
				if l.stopping() {
					continue
				}
				if err := l.deliver(b.docs, b.first); err != nil {
					l.fail(err)
				} else if err := l.written(b); err != nil {
					l.fail(err)
				}
			}
		})
	}
	return s
}

// push hands a batch on; it is an error that sending failed.
func (s *sends) push(b *batch) error {
	if s.l.stopping() {
		return s.l.err()
	}
	s.queue <- b
	return nil
}

func (s *sends) wait() error {
	close(s.queue)
	s.group.Wait()
	return s.l.err()
}

func (l *loader) stopping() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed != nil || l.c.stopped()
}

func (l *loader) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

func (l *loader) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = err
	}
}

// deliver sends documents until each is written or refused. A request that is refused as a whole is cut in two, until
// the
// document is alone that the engine does not take.
func (l *loader) deliver(docs []load.Doc, first int) error {
	pause := 250 * time.Millisecond
	for len(docs) > 0 {
		call := l.engine.Write(l.target, docs)
		l.gate.enter(l.stopping)
		status, body, retry, err := l.send(call)
		var result load.Result
		again := err != nil || status == 429 || status >= 502 && status <= 504
		if !again && status/100 == 2 {
			if result, err = l.engine.Read(body, docs); err != nil {
				l.gate.leave(false, 0)
				return l.failure(call, status, body, nil)
			}
			again = len(result.Busy) > 0
		}
		if !again {
			l.gate.leave(false, 0)
		} else if l.gate.leave(true, max(pause, retry)) > longestBusy {
			return l.failure(call, status, body, err)
		}
		if again {
			pause = min(2*pause, 30*time.Second)
		}
		if l.stopping() {
			return errStopped
		}
		switch {
		case again && len(result.Busy) == 0:
			continue
		case status/100 == 2:
		case (status == 400 || status == 413 || status == 422) && len(docs) > 1:
			half := len(docs) / 2
			if err := l.deliver(docs[:half], first); err != nil {
				return err
			}
			docs, first = docs[half:], first+half
			continue
		case status == 400 || status == 413 || status == 422:
			result.Refused = []load.Refusal{{Doc: 0, Why: load.Why(body)}}
		default:
			return l.failure(call, status, body, nil)
		}
		for _, r := range result.Refused {
			if err := l.refuse(&docs[r.Doc], first+r.Doc, r.Why); err != nil {
				return err
			}
		}
		left := make([]load.Doc, 0, len(result.Busy))
		for _, i := range result.Busy {
			left = append(left, docs[i])
		}
		docs = left
	}
	return nil
}

// refuse counts a document that the engine does not take.
func (l *loader) refuse(d *load.Doc, at int, why string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused++
	text := fmt.Sprintf("%s refuses document %s, number %s of the corpus: %s", l.engine.Name, say.Visible(d.ID),
		say.Thousands(at+1),
		say.Visible(why))
	if l.refused > l.skip {
		return errors.New(text + ". -skip N goes on after N such documents")
	}
	fmt.Fprintf(l.c.err, "rankbox load: warning: %s\n", text)
	return nil
}

// send sends a request and returns the whole answer. retry is how long the engine asks to wait.
func (l *loader) send(call load.Call) (status int, body []byte, retry time.Duration, err error) {
	q, err := http.NewRequest(call.Method, l.base+call.Path, bytes.NewReader(call.Body))
	if err != nil {
		return 0, nil, 0, err
	}
	if call.Type != "" {
		q.Header.Set("Content-Type", call.Type)
	}
	q.Header.Set("Accept", "application/json")
	if l.header[0] != "" {
		q.Header.Set(l.header[0], l.header[1])
	}
	a, err := l.client.Do(q)
	if err != nil {
		return 0, nil, 0, err
	}
	defer a.Body.Close()
	if body, err = within.All(a.Body, 0, mostEngineAnswer); err != nil {
		return 0, nil, 0, err
	}
	if n, err := strconv.Atoi(a.Header.Get("Retry-After")); err == nil && n > 0 && n < 3600 {
		retry = time.Duration(n) * time.Second
	}
	return a.StatusCode, body, retry, nil
}

// written counts a batch, and notes in the journal how far all documents are written.
func (l *loader) written(b *batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent += len(b.docs)
	l.ended[b.first] = b
	ids := ""
	for next := l.ended[l.done]; next != nil; next = l.ended[l.done] {
		delete(l.ended, l.done)
		l.done += len(next.docs)
		ids = next.ids
	}
	if now := time.Now(); !l.quiet && now.Sub(l.shown) >= 2*time.Second {
		if !l.shown.IsZero() {
			l.gate.mu.Lock()
			at := l.gate.limit
			l.gate.mu.Unlock()
			fmt.Fprintf(l.c.err, "rankbox load: %s documents written, %s a second, %s at once\n",
				say.Thousands(l.before+l.sent),
				say.Thousands(int(float64(l.sent-l.shownAt)/now.Sub(l.shown).Seconds())), say.Count(at, "request",
					"requests"))
		}
		l.shown, l.shownAt = now, l.sent
	}
	if ids == "" || l.journal == "" {
		return nil
	}
	return folder{l.journal}.Append(fmt.Appendf(nil, "{\"done\":%d,\"ids\":%q}\n", l.done, ids))
}

// journalHead is the first line of a journal: what the documents are written into.
type journalHead struct {
	Rankbox string `json:"rankbox"`
	Version int    `json:"version"`
	To      string `json:"to"`
	URL     string `json:"url"`
	Index   string `json:"index"`
	Vectors int    `json:"vectors"` // dimensions
}

// resume reads the journal, or makes one. If the index was made just now, an earlier journal is of one that is gone.
func (l *loader) resume(made bool) error {
	if l.journal == "" {
		return nil
	}
	head := journalHead{"load", 1, l.engine.Name, l.base, l.target.Index, l.target.Dimensions}
	line, err := json.Marshal(head)
	if err != nil {
		return err
	}
	data, err := readFile(l.journal, mostJournal)
	if errors.Is(err, os.ErrNotExist) || err == nil && (made || len(data) == 0) {
		if len(data) > 0 && !l.quiet {
			fmt.Fprintf(l.c.err, "rankbox load: %s is of an index that is gone, so it starts from 0\n", l.journal)
		}
		return os.WriteFile(l.journal, append(line, '\n'), 0o666)
	}
	if err != nil {
		return err
	}
	lines := strings.Split(string(data), "\n")
	var was journalHead
	if err := json.Unmarshal([]byte(lines[0]), &was); err != nil || was.Rankbox != "load" || was.Version != 1 {
		return fmt.Errorf("%s, line 1: this is no journal of rankbox load", l.journal)
	}
	if was != head {
		return fmt.Errorf("%s: it is of %s, index %s at %s with vectors of %d dimensions. Delete it, or name "+
			"another with -journal", l.journal,
			was.To, was.Index, was.URL, was.Vectors)
	}
	for i, text := range lines[1:] {
		var x struct {
			Done int
			IDs  string
		}
		if i == len(lines)-2 { // nothing, or a line that was cut off
			return l.cutJournal(len(data) - len(text))
		}
		if err := json.Unmarshal([]byte(text), &x); err != nil || x.Done < l.before || len(x.IDs) != 64 {
			return fmt.Errorf("%s, line %d: it is damaged. Delete it to start again", l.journal, i+2)
		}
		l.before, l.done, l.ids = x.Done, x.Done, x.IDs
	}
	return nil
}

// cutJournal takes a line off that was cut off, and says where the load goes on.
func (l *loader) cutJournal(whole int) error {
	if l.before > 0 && !l.quiet {
		fmt.Fprintf(l.c.err, "rankbox load: %s documents are written already, by %s\n", say.Thousands(l.before),
			l.journal)
	}
	return os.Truncate(l.journal, int64(whole))
}
