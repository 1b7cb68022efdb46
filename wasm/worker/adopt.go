//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

func init() {
	register(message.Adopt, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "Your queries and grades are saved, but this collection can't use them: " + p.What
		p.Do = "Reload the page. If it happens again, save the grades as qrels on Judge."
	}}, toJudging, (*judging).adopt)
}

// content is the hash of the open collection without the queries and judgments of a workspace.
func (o *openCollection) content() string {
	if o.adopted == o.session && o.plain != nil {
		return o.plain.Ref().Hash
	}
	return o.session.Ref().Hash
}

// handed is the workspace that the page gave last. A grade travels as an edit of it: a workspace of 30,000 grades is
// 3 MB, an edit 200 bytes.
type handed struct {
	collection string
	stream     int
	taken      int // bytes of records since the whole workspace
	workspace  *workspace.Workspace
}

// take applies edits, which may have come before. It reports whether they continue what was given.
func (g *handed) take(ask *message.AskAdopt) bool {
	if g.workspace == nil || g.collection != ask.Collection || g.stream != ask.Stream || ask.From > g.taken {
		return false
	}
	edits, lost := workspace.ReadJournal(ask.Records)
	if len(lost) > 0 {
		return false
	}
	for _, e := range edits {
		if _, err := g.workspace.Apply(e); err != nil {
			return false
		}
	}
	g.taken = max(g.taken, ask.From+len(ask.Records))
	return true
}

// adopt gives the session the queries and judgments of a workspace, in place of those of the workspace before.
func (jd *judging) adopt(_ message.Request, ask *message.AskAdopt) (*message.Adopted, error) {
	o := jd.open
	if o.session == nil {
		return nil, errNoCollection
	}
	if o.session.Ref().ID != ask.Collection {
		return nil, nil // another collection was opened meanwhile
	}
	g := &jd.handed
	if len(ask.Zip) > 0 {
		w, err := workspace.Import("the workspace", ask.Zip, workspace.Limits{})
		if err != nil {
			return nil, err
		}
		*g = handed{collection: ask.Collection, stream: ask.Stream, workspace: w}
	} else if !g.take(ask) {
		return &message.Adopted{Behind: true, Stream: ask.Stream}, nil
	}
	if o.adopted != o.session || o.plain == nil {
		o.plain = o.session
	}
	b := o.plain.Bundle()
	m, err := g.workspace.Merge(b)
	if err != nil {
		return nil, err
	}
	out := &message.Adopted{Own: m.Own, Stream: g.stream, Taken: g.taken}
	for _, t := range m.Theirs {
		out.Theirs = append(out.Theirs, message.JudgedBy{Query: t.Query, Document: t.Document, Grade: t.Grade})
	}
	o.session = o.plain.Adopt(m.Queries, m.Judgments, m.Hash)
	o.adopted = o.session
	out.Opened = *Describe(o.session)
	for i := len(b.Queries); i < len(out.Opened.Encoded); i++ {
		out.Opened.Encoded[i] = false // no model saw them: the static encoder answers
	}
	return out, nil
}
