//go:build !first

package worker

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A clock that goes on by 70 ms a look lets messages in at every step: what is typed meanwhile is answered in the midst
// of the comparison, the newest only, and the figures do not change by that. What is long waits.
func TestAQuickQuestionIsAnsweredInTheMidstOfAComparison(t *testing.T) {
	var qrels, run bytes.Buffer
	for q := range 50 {
		for d := range 20 {
			fmt.Fprintf(&qrels, "q%d 0 d%d %d\n", q, d, d%3)
			fmt.Fprintf(&run, "q%d Q0 d%d 1 %d x\n", q, (d*7)%20, 20-d)
		}
	}
	files := map[int][]byte{1: qrels.Bytes(), 2: run.Bytes()}
	setting := &message.Setting{Files: []message.File{{ID: 1, Name: "t.qrels", Size: qrels.Len()},
		{ID: 2, Name: "a.run", Size: run.Len()}}}
	compare := func(busy bool) (string, []uint64) {
		var l line
		var order []uint64
		var hash string
		now := 0.0
		e := NewEngine(nil, func() float64 { now += 70_000; return now }, func(r message.Reply) {
			if r.Progress != nil {
				return
			}
			order = append(order, r.ID)
			if c, ok := r.Answer.(*message.Compared); ok {
				hash = c.Report.Hash
			}
		})
		e.Device.Files = func(id int) (io.Reader, error) { return bytes.NewReader(files[id]), nil }
		e.page.outdated = func(r message.Request) bool { return superfluous(r, l.newest) }
		e.page.turn = func() (message.Request, bool) { return l.takeOf(quick) }
		paused := 0
		e.page.pause = func() {
			if paused++; busy && paused == 3 {
				l.put(message.Request{ID: 2, Kind: message.Search})
				l.put(message.Request{ID: 3, Kind: message.Search})
				l.put(message.Request{ID: 4, Kind: message.Opinions})
			}
		}
		l.put(message.Request{ID: 1, Kind: message.Runs, Question: setting})
		for r, ok := l.take(); ok; r, ok = l.take() {
			e.Handle(r)
		}
		return hash, order
	}
	alone, _ := compare(false)
	hash, order := compare(true)
	if want := []uint64{3, 1, 4}; fmt.Sprint(order) != fmt.Sprint(want) {
		t.Errorf("answered in the order %v, want %v: the newest search, the comparison, what is long", order, want)
	}
	if hash == "" || hash != alone {
		t.Errorf("hash %q, alone %q", hash, alone)
	}
}
