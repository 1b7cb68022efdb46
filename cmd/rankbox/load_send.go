package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/remote/gateway/load"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
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

	remove bool              // documents that the corpus no longer has are deleted
	before int               // documents that the journal says are written
	known  map[uint64]uint64 // what is written of each, by keyOf and sumOf
	seen   map[uint64]bool   // documents of the corpus, by keyOf
	same   int               // that were written already, as they are
	gone   int               // that were deleted

	gate    gate
	mu      sync.Mutex
	sent    int // documents that this call wrote
	refused map[string]bool
	waited  time.Time // when a wait was told last
	failed  error
	shown   time.Time
	shownAt int
}

// batch is the documents of one request.
type batch struct {
	docs []load.Doc
	at   []int    // their places in the corpus, from 1
	sums []uint64 // of what is written of them
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
	s := &sends{l: l, queue: make(chan *batch)}
	for range l.gate.most {
		s.group.Go(func() {
			for b := range s.queue {
				if l.stopping() {
					continue
				}
				if err := l.deliver(b.docs, b.at); err != nil {
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
func (l *loader) deliver(docs []load.Doc, at []int) error {
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
		} else {
			l.sayWait(status, err, max(pause, retry))
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
			if err := l.deliver(docs[:half], at[:half]); err != nil {
				return err
			}
			docs, at = docs[half:], at[half:]
			continue
		case status == 400 || status == 413 || status == 422:
			result.Refused = []load.Refusal{{Doc: 0, Why: load.Why(body)}}
		default:
			return l.failure(call, status, body, nil)
		}
		for _, r := range result.Refused {
			if err := l.refuse(&docs[r.Doc], at[r.Doc], r.Why); err != nil {
				return err
			}
		}
		left, places := make([]load.Doc, 0, len(result.Busy)), []int(nil)
		for _, i := range result.Busy {
			left, places = append(left, docs[i]), append(places, at[i])
		}
		docs, at = left, places
	}
	return nil
}

// sayWait says that the engine is waited for, every few seconds.
func (l *loader) sayWait(status int, err error, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.quiet || time.Since(l.waited) < 2*time.Second {
		return
	}
	l.waited = time.Now()
	why := "does not take some documents yet"
	switch {
	case err != nil:
		why = "cannot be reached"
	case status == 429:
		why = "answers with status 429 (too many requests)"
	case status/100 != 2:
		why = "answers with status " + strconv.Itoa(status)
	}
	fmt.Fprintf(l.c.err, "rankbox load: %s %s: waiting %.1f s. %s documents are written\n", l.engine.Name, why,
		wait.Seconds(), say.Thousands(l.before+l.sent))
}

// persist sends a request that either succeeds as a whole or is sent again. What is not there is a success.
func (l *loader) persist(call load.Call) error {
	pause := 250 * time.Millisecond
	for {
		l.gate.enter(l.stopping)
		status, body, retry, err := l.send(call)
		again := err != nil || status == 429 || status >= 502 && status <= 504 ||
			bytes.Contains(body, []byte(`"errors":true`))
		switch patience := l.gate.leave(again, max(pause, retry)); {
		case again && patience > longestBusy || !again && status/100 != 2 && status != 404:
			return l.failure(call, status, body, err)
		case !again:
			return nil
		case l.stopping():
			return errStopped
		}
		l.sayWait(status, err, max(pause, retry))
		pause = min(2*pause, 30*time.Second)
	}
}

// refuse counts a document that the engine does not take.
func (l *loader) refuse(d *load.Doc, at int, why string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.refused == nil {
		l.refused = map[string]bool{}
	}
	l.refused[d.ID] = true
	text := fmt.Sprintf("%s refuses document %s, number %s of the corpus: %s", l.engine.Name, say.Visible(d.ID),
		say.Thousands(at),
		say.Visible(why))
	if len(l.refused) > l.skip {
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

// written counts a batch, and notes in the journal what is written.
func (l *loader) written(b *batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := &journalEntry{}
	for i := range b.docs {
		if id := b.docs[i].ID; !l.refused[id] {
			e.Written = append(e.Written, [2]string{id, strconv.FormatUint(b.sums[i], 16)})
		}
	}
	l.sent += len(e.Written)
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
	return l.note(e)
}

// note adds a line to the journal.
func (l *loader) note(e *journalEntry) error {
	if l.journal == "" || len(e.Written)+len(e.Gone) == 0 {
		return nil
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return folder{l.journal}.Append(append(line, '\n'))
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

// journalEntry is any other line: documents with the digest of what is written of them, or documents that were deleted.
type journalEntry struct {
	Written [][2]string `json:"written,omitempty"`
	Gone    []string    `json:"gone,omitempty"`
}

// resume reads the journal, or makes one. If the index was made just now, an earlier journal is of one that is gone.
func (l *loader) resume(made bool) error {
	l.known, l.seen = map[uint64]uint64{}, map[uint64]bool{}
	if l.journal == "" {
		return nil
	}
	head := journalHead{"load", 2, l.engine.Name, l.base, l.target.Index, l.target.Dimensions}
	line, err := json.Marshal(head)
	if err != nil {
		return err
	}
	data, err := readFile(l.journal, mostLoadJournal)
	if errors.Is(err, os.ErrNotExist) || err == nil && (made || len(data) == 0) {
		if len(data) > 0 && !l.quiet {
			fmt.Fprintf(l.c.err, "rankbox load: %s is of an index that is gone, so it starts from 0\n", l.journal)
		}
		return os.WriteFile(l.journal, append(line, '\n'), 0o666)
	}
	if err != nil {
		return err
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	var was journalHead
	if err := json.Unmarshal(first, &was); err != nil || was.Rankbox != "load" {
		return fmt.Errorf("%s, line 1: this is no journal of rankbox load", l.journal)
	}
	if was.Version != head.Version {
		return fmt.Errorf("%s: another version of Rankbox wrote it. Delete it: all documents are then written again "+
			"under their ids", l.journal)
	}
	if was != head {
		return fmt.Errorf("%s: it is of %s, index %s at %s with vectors of %d dimensions. Delete it, or name "+
			"another with -journal", l.journal,
			was.To, was.Index, was.URL, was.Vectors)
	}
	if whole := bytes.LastIndexByte(data, '\n') + 1; whole < len(data) { // a line that was cut off
		if err := os.Truncate(l.journal, int64(whole)); err != nil {
			return err
		}
	}
	damaged := false
	err = l.entries(func(e *journalEntry) {
		for _, w := range e.Written {
			sum, err := strconv.ParseUint(w[1], 16, 64)
			damaged = damaged || err != nil
			l.known[keyOf(w[0])] = sum
		}
		for _, id := range e.Gone {
			delete(l.known, keyOf(id))
		}
	})
	if damaged {
		err = fmt.Errorf("%s is damaged. Delete it: all documents are then written again under their ids", l.journal)
	}
	if l.before = len(l.known); err == nil && l.before > 0 && !l.quiet {
		fmt.Fprintf(l.c.err, "rankbox load: %s documents are written already, by %s\n", say.Thousands(l.before),
			l.journal)
	}
	return err
}

// mostLoadJournal is how many bytes of a journal are read: of some ten million documents.
const mostLoadJournal = 1 << 30

// entries reads the lines of the journal behind the first one.
func (l *loader) entries(each func(e *journalEntry)) error {
	if l.journal == "" {
		return nil
	}
	data, err := readFile(l.journal, mostLoadJournal)
	if err != nil {
		return err
	}
	for n, line := range bytes.Split(data, []byte("\n")) {
		var e journalEntry
		if n == 0 || len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s, line %d: it is damaged. Delete it: all documents are then written again under "+
				"their ids", l.journal, n+1)
		}
		each(&e)
	}
	return nil
}
