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
	}}, toOpenCollection, (*openCollection).adopt)
}

// content is the hash of the open collection without the queries and judgments of a workspace.
func (o *openCollection) content() string {
	if o.adopted == o.session && o.plain != nil {
		return o.plain.Ref().Hash
	}
	return o.session.Ref().Hash
}

// adopt gives the session the queries and judgments of a workspace, in place of those of the workspace before.
func (o *openCollection) adopt(_ message.Request, ask *message.AskAdopt) (*message.Adopted, error) {
	if o.session == nil {
		return nil, errNoCollection
	}
	if o.session.Ref().ID != ask.Collection {
		return nil, nil // another collection was opened meanwhile
	}
	w, err := workspace.Import("the workspace", ask.Zip, workspace.Limits{})
	if err != nil {
		return nil, err
	}
	if o.adopted != o.session || o.plain == nil {
		o.plain = o.session
	}
	b := o.plain.Bundle()
	m, err := w.Merge(b)
	if err != nil {
		return nil, err
	}
	out := &message.Adopted{Own: m.Own}
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
