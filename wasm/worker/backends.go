//go:build !first

package worker

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func init() { register(message.Behind, handler{}, toBackends, (*backends).offered) }

// askEdge sends to the edge of the site, nil where nothing can be sent.
var askEdge remote.Send

// backends are those of the edge, as the open collection sees it.
type backends struct {
	edge    *remote.Edge
	of      *experiment.Session
	lasting bool     // its answers are kept on this device
	asked   float64  // when the edge was asked what it declares
	distant *distant // nil if the documents are here
	key     savedKey

	open *openCollection
	page *page
}

func toBackends(e *Engine) *backends { return &e.backends }

// giveEdge gives the open session an edge of its own, whose answers are about that collection.
func (b *backends) giveEdge() {
	b.key.load()
	if b.edge != nil && b.of != b.open.session && b.remains() { // with the workspace, or with further ids
		b.of = b.open.session
		b.open.session.SetEdge(b.edge)
	}
	if b.edge == nil || b.of != b.open.session {
		b.edge, b.of, b.lasting = remote.New(askEdge), b.open.session, false
		b.edge.Allow(0) // a curve, an explanation, a link: what asks says how much it may spend
		b.open.session.SetEdge(b.edge)
	}
}

// offered answers Behind.
func (b *backends) offered(_ message.Request, ask *message.AskBehind) (*message.Offered, error) {
	if b.key.load(); ask.Save {
		if err := b.key.save(ask.Key); err != nil {
			return &message.Offered{Why: "The key was not saved: " + say.Sentence(err)}, nil
		}
		b.of = nil // an edge that asks with it
	}
	edge := remote.New(askEdge)
	o, err := edge.Offer()
	if err != nil {
		return &message.Offered{Why: say.Sentence(err), Private: err == remote.ErrKey, Keyed: edgeKey != ""}, nil
	}
	out := &message.Offered{Snapshots: o.Snapshots, Backends: o.Backends, Keyed: edgeKey != ""}
	if ask.Watch {
		if out.Watch, err = edge.Watch(ask.Token); err != nil {
			out.Unwatched = say.Sentence(err)
		}
	}
	return out, nil
}

// patient says how long an edge that asks to wait is waited for; the function that is returned takes it back.
func (b *backends) patient(f func() bool) (over func()) {
	edge := b.edge
	if edge == nil {
		return func() {}
	}
	edge.Patient = f
	return func() { edge.Patient = nil }
}

// hold lets figures of backends that changed since stand as they are, until the function that is returned:
// nothing is asked for them. fresh asks the edge whether they did.
func (b *backends) hold(t *trial, fresh bool) (release func()) {
	edge := b.edge
	if edge == nil || !t.remote {
		return func() {}
	}
	if fresh {
		edge.Refresh()
	}
	all := edge.Since(t.of)
	var said []string
	for _, c := range all {
		said = append(said, c.Said())
	}
	if t.changed = ""; len(said) > 0 {
		text := strings.Join(said, ". ")
		t.changed = strings.ToUpper(text[:1]) + text[1:] + ". These figures are of the earlier one."
	}
	return edge.Hold(all)
}

// lately is for how many microseconds what the edge declares is believed while people search.
const lately = 15e6

// asking takes the backends of pipelines as they are now: what they answered as others is not given.
func (b *backends) asking(systems []string) {
	if b.edge == nil {
		return
	}
	for _, text := range systems {
		n, err := stage.Parse(text)
		if err != nil {
			continue
		}
		for _, id := range stage.Backends(n) {
			if b.edge.Release(id); b.page.now()-b.asked > lately {
				b.edge.Refresh()
				b.asked = b.page.now()
			}
		}
	}
}

// spending lets the edge be asked for whatever it costs, until the function that is returned.
func (b *backends) spending() (end func()) {
	edge := b.edge
	if edge == nil {
		return func() {}
	}
	over := edge.Allow(math.MaxInt)
	return func() { over() }
}

// keptAnswers takes what backends answered before: on this device, and what a link names. Where they are to be
// renewed, what they answered before they changed is no longer given.
func (b *backends) keptAnswers(t *trial, renew bool) {
	b.edge.Refresh()
	t.of = map[string]string{}
	defer func() {
		if renew {
			if err := b.edge.Renew(t.backends); err != nil {
				t.note = say.Sentence(err)
			}
		}
		for _, id := range t.backends {
			if _, ok := t.of[id]; !ok || renew {
				t.of[id] = b.edge.Identity(id)
				if kept, ok := b.edge.Latest(id); ok && !renew {
					t.of[id] = kept
				}
			}
		}
	}()
	if t.matrix.Answers != "" {
		if err := b.edge.Fetch(t.matrix.Answers); err != nil {
			t.note = "The answers that this link names could not be had: " + say.Sentence(err) +
				" The edge is asked for the answers instead."
		} else {
			t.answers = t.matrix.Answers
			for _, id := range t.backends {
				if kept, ok := b.edge.Latest(id); ok {
					t.of[id] = kept
				}
			}
		}
	}
	hash := b.open.session.Ref().Hash
	if d := b.distant; d != nil {
		hash = d.hash
	}
	b.keepAnswers(b.open.session.Ref().ID, hash)
}

// keepAnswers takes the answers that this device keeps about a collection, and has new ones kept.
func (b *backends) keepAnswers(id, hash string) {
	if b.lasting || keepIn == nil {
		return
	}
	store, err := keepIn(keptAs("answers", id, hash))
	if err != nil {
		return
	}
	data, err := store.Load()
	if err != nil {
		return
	}
	whole, err := b.edge.Take(data)
	if err != nil || len(data) > mostKept { // of another version, or too long: it begins anew
		whole = 0
	}
	if whole < len(data) {
		if store.Cut(whole) != nil {
			return
		}
	}
	b.lasting = true
	b.edge.Keep = func(line []byte) error {
		if whole == 0 {
			line = append([]byte(remote.Head), line...)
		}
		whole += len(line)
		return store.Append(line)
	}
}

// publish gives the edge what its backends answered.
func (b *backends) publish(t *trial) {
	hash, err := b.edge.Publish()
	if err != nil {
		t.note = "The edge does not keep the answers: " + say.Sentence(err)
		return
	}
	t.answers, t.note = hash, ""
}
