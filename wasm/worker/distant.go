//go:build !first

package worker

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// distant is the open collection if its documents are behind search backends. What is kept of it on this device are
// queries, judgments, the backend's name and identity, and the answers.
type distant struct {
	id      string // of the collection
	hash    string // of it without a workspace: answers are kept under it
	ids     *experiment.Gathering
	outside *remote.Outside
	whole   map[string]bool // backends that were asked all judged queries
}

// reachable is an error of programs that open no such collection.
func (b *backends) reachable(*bundle.Manifest) error { return nil }

// begin sees to it that a collection that was opened now has its own edge, and the answers that are kept, if its
// documents are elsewhere.
func (b *backends) begin(m *bundle.Manifest) {
	b.distant, b.of = nil, nil
	if m.Elsewhere == nil {
		return
	}
	b.giveEdge()
	x := &remote.Outside{Edge: b.edge, Sources: []string{m.Elsewhere.Backend}}
	b.distant = &distant{id: m.ID, hash: m.Hash, ids: experiment.NewGathering(b.edge), outside: x,
		whole: map[string]bool{}}
	b.open.session.SetOutside(x)
	b.keepAnswers(m.ID, m.Hash)
}

// remains reports whether the open collection is the one whose documents are elsewhere, in another session.
func (b *backends) remains() bool {
	d := b.distant
	return d != nil && d.id == b.open.session.Ref().ID
}

// askIDs asks the search backends of systems for the ids of documents, for so many tokens at most, any number if that
// is negative. The session knows the ids afterwards. stop is polled, and may be nil. late is set if it ended this.
func (b *backends) askIDs(systems, texts []string, spend int, stop func() bool) (spent int, late bool) {
	d := b.distant
	if d == nil || b.open.session == nil || !b.remains() {
		return 0, false
	}
	var searches []stage.Asking
	for _, system := range systems {
		n, err := stage.Parse(system)
		if err != nil || stage.NeedsDocuments(n) != "" {
			continue
		}
		for _, a := range stage.Searches(n) {
			if !slices.Contains(searches, a) {
				searches = append(searches, a)
			}
			if !slices.Contains(d.outside.Sources, a.Backend) {
				d.outside.Sources = append(d.outside.Sources, a.Backend)
			}
		}
	}
	if spend < 0 {
		spend = math.MaxInt
	}
	end := b.edge.Allow(spend)
	answered, of, _ := d.ids.Ask(searches, texts, func() bool {
		late = late || stop != nil && stop()
		return late
	})
	bill, _ := end()
	b.know(d.ids.Found)
	if judged := b.open.judgedTexts(); answered == of && len(judged) > 0 && slices.Equal(texts, judged) {
		b.checkIDs(searches)
	}
	return bill.Tokens, late && answered < of
}

// checkIDs holds the ids that backends found against those that are judged, once every judged query was asked.
func (b *backends) checkIDs(searches []stage.Asking) {
	d := b.distant
	changed := false
	foreign := d.ids.Foreign(b.open.session.Queries.Qrels())
	for _, a := range searches {
		d.whole[a.Backend] = true
		changed = changed || d.outside.Foreign[a.Backend] != foreign[a.Backend]
	}
	if changed {
		d.outside.Foreign = foreign
		b.open.session.SetOutside(d.outside)
	}
}

// know has the session know ids, with the same edge.
func (b *backends) know(ids map[string]bool) {
	if b.open.know(ids) {
		b.of = b.open.session
	}
}

// find gathers what a search needs, and takes off what may be spent.
func (b *backends) find(s *experiment.Spec) (spent int) {
	if b.distant == nil {
		return 0
	}
	spent, _ = b.askIDs(s.Systems, b.open.askedText(s), s.Spend, nil)
	if s.Spend > 0 {
		s.Spend = max(0, s.Spend-spent)
	}
	return spent
}

// findAll gathers what an evaluation needs. It reports whether a newer request made that superfluous.
func (b *backends) findAll(r message.Request, systems []string, spend int) (stopped bool) {
	if b.distant == nil {
		return false
	}
	p := message.Progress{Total: len(systems) * len(b.open.session.Queries.Described()), Unit: "rankings"}
	_, stopped = b.askIDs(systems, b.open.judgedTexts(), spend, b.page.stopped(r, &p))
	return stopped
}

// findOne gathers what an explanation needs: the list is one that was asked for, the document may be one that no
// list has.
func (b *backends) findOne(ask *message.AskWhy) {
	if b.distant == nil {
		return
	}
	b.find(&ask.Spec)
	if id := ask.Focus.Document; id != "" {
		b.know(map[string]bool{id: true})
	}
}

// unfoundIDs says which judged documents no backend found, once all judged queries were asked; "" before, and if all
// were found.
func (b *backends) unfoundIDs() string {
	d := b.distant
	if d == nil || len(d.whole) == 0 {
		return ""
	}
	if said := d.ids.SayMissing(b.open.session.Queries.Qrels()); said != "" {
		return said + "."
	}
	return ""
}

// unfound says that on the lists of judged queries.
func (b *backends) unfound(out *experiment.Results) {
	if !out.Judged {
		return
	}
	said := b.unfoundIDs()
	for i := range out.Lists {
		if l := &out.Lists[i]; l.Problem == "" && l.Note == "" {
			l.Note = said
		}
	}
}

// distantSource is a collection of queries and judgments, whose documents a backend has. why says that it returns no
// texts.
func distantSource(backend string, all *collection.Collection, name string) (src *bundle.Source, why []string,
	err error) {
	edge := remote.New(askEdge)
	b := edge.Declared(backend)
	if b == nil || !slices.Contains(b.Does, "search") {
		return nil, nil, errors.New("the edge has no search backend " + say.Visible(backend) +
			", or does not answer")
	}
	if name == "" {
		name = backend
	}
	experiment.Unread(all, nil)
	x := &bundle.Elsewhere{Backend: b.ID, Identity: b.Identity}
	if len(b.Modes) > 0 {
		x.Mode = b.Modes[0]
	}
	if s := (&remote.Outside{Edge: edge, Sources: []string{backend}}).Refusal(); s != "" {
		why = append(why, strings.ToUpper(s[:1])+s[1:]+". Lists show ids, and Judge has nothing to show.")
	}
	return &bundle.Source{ID: "upload", Name: say.Brief(say.Visible(name), 60), Shard: 1 << 16, Elsewhere: x,
		Origin: "queries and judgments from this device; the documents are in " + b.ID, Collection: all}, why, nil
}

// systemOf is the pipeline that searches a collection whose documents are elsewhere.
func systemOf(x *bundle.Elsewhere) string {
	text := "search(backend=" + x.Backend
	if x.Mode != "" {
		text += ",mode=" + x.Mode
	}
	n, err := stage.Parse(text + ")")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(n.String())
}
