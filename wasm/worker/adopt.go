//go:build !first

package worker

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/core/workspace"
)

func init() {
	does(message.Adopt, job{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "Your queries and grades are saved, but this collection can't use them: " + p.What
		p.Do = "Reload the page. If it happens again, save the grades as qrels on Judge."
	}}, (*Engine).adopt)
}

// adopt gives the session the queries and judgments of a workspace, in place of those of the workspace before.
func (e *Engine) adopt(_ message.Request, ask *message.AskAdopt) (*message.Adopted, error) {
	if e.session == nil {
		return nil, errNoCollection
	}
	if e.session.Ref().ID != ask.Collection {
		return nil, nil // another collection was opened meanwhile
	}
	w, err := workspace.Import("the workspace", ask.Zip, workspace.Limits{})
	if err != nil {
		return nil, err
	}
	if e.adopted != e.session || e.plain == nil {
		e.plain = e.session
	}
	b := e.plain.Bundle()
	queries, judgments, theirs, err := merged(b, w)
	if err != nil {
		return nil, err
	}
	out := &message.Adopted{Theirs: theirs}
	hash := b.Manifest.Hash
	if own := queries[len(b.Queries):]; len(own) > 0 || !slices.Equal(judgments, b.Judgments) {
		hash = adoptedHash(hash, queries, judgments)
		for _, q := range own {
			out.Own = append(out.Own, q.ID)
		}
	}
	e.session = e.plain.Adopt(queries, judgments, hash)
	e.adopted = e.session
	out.Opened = *Describe(e.session)
	for i := len(b.Queries); i < len(out.Opened.Encoded); i++ {
		out.Opened.Encoded[i] = false // no model saw them: the static encoder answers
	}
	return out, nil
}

// merged returns the queries and judgments of a collection together with those of a workspace, and the collection's grades of documents
// that the workspace grades too.
func merged(b *bundle.Bundle, w *workspace.Workspace) (queries []collection.Query, judgments []bundle.Judgment, theirs []message.JudgedBy, err error) {
	queries = slices.Clone(b.Queries)
	place := map[string]int{}
	for i, q := range queries {
		place[q.ID] = i
	}
	for _, q := range w.Queries() {
		if _, there := place[q.ID]; there {
			return nil, nil, nil, say.Faultf("worker", "%s has a query %q already", b.Manifest.Name, q.ID)
		}
		place[q.ID] = len(queries)
		queries = append(queries, collection.Query{ID: q.ID, Text: q.Text})
	}
	imported := make([]workspace.Judgment, len(b.Judgments))
	for i, j := range b.Judgments {
		imported[i] = workspace.Judgment{Query: b.Queries[j.Query].ID, Document: j.Doc, Grade: j.Grade, Graded: true}
	}
	graded := map[[2]string]bool{}
	for _, r := range w.Resolve(nil) {
		graded[[2]string{r.Query, r.Document}] = true
	}
	for _, j := range imported {
		if graded[[2]string{j.Query, j.Document}] {
			theirs = append(theirs, message.JudgedBy{Query: j.Query, Document: j.Document, Grade: j.Grade})
		}
	}
	if len(graded) == 0 {
		return queries, b.Judgments, nil, nil
	}
	for _, r := range w.Resolve(imported) {
		if i, ok := place[r.Query]; ok { // a grade of a query that was removed counts again when the query is back
			judgments = append(judgments, bundle.Judgment{Query: i, Doc: r.Document, Grade: r.Grade})
		}
	}
	slices.SortStableFunc(judgments, func(x, y bundle.Judgment) int { return x.Query - y.Query })
	return queries, judgments, theirs, nil
}

// adoptedHash is the content hash of a collection whose queries and judgments are others.
func adoptedHash(documents string, queries []collection.Query, judgments []bundle.Judgment) string {
	var s strings.Builder
	s.WriteString("adopted\n" + documents + "\n")
	for _, q := range queries {
		s.WriteString(say.Visible(q.ID) + "\t" + q.Text + "\n")
	}
	for _, j := range judgments {
		s.WriteString(say.Page.Int(j.Query) + "\t" + j.Doc + "\t" + say.Page.Int(j.Grade) + "\n")
	}
	return workspace.Digest([]byte(s.String()))
}
