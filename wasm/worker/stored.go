//go:build !first

package worker

import (
	"errors"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Stored, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.Where = "the run that was dropped on the editor"
		p.Do = "The systems are as they were. Choose another file, or look at this one on Compare, which says what " +
			"is odd about it."
	}}, toOpenCollection, (*openCollection).stored)
}

// stored answers Stored: a file becomes a run that stages of the open collection rank by.
func (o *openCollection) stored(r message.Request, ask *message.AskStored) (*message.StoredRun, error) {
	if o.session == nil {
		return nil, errors.New("the collection is not open yet")
	}
	if len(ask.Files) == 0 {
		return &message.StoredRun{Names: o.session.Runs.Names()}, nil
	}
	if o.device.Files == nil {
		return nil, errors.New("there are no files here")
	}
	limit := int64(ask.Limit)
	if limit <= 0 {
		limit = fileBytes
	}
	out := &message.StoredRun{}
	for _, f := range ask.Files {
		p := message.Progress{What: "Reading " + f.Name, Total: f.Size}
		o.page.tell(r, p)
		source, err := o.device.Files(f.ID)
		if err != nil {
			return nil, err
		}
		stopped := o.page.stopped(r, &p)
		got, err := intake.Read(f.Name, intake.Any, watch(source, func(n int) error {
			if p.Done = min(n, f.Size); stopped() {
				return errStopped
			}
			return nil
		}), collection.Options{Limits: collection.Limits{Bytes: limit}})
		if errors.Is(err, errStopped) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		found := false
		for _, c := range got.Contents {
			if c.Run == nil {
				continue
			}
			found = true
			for _, w := range c.Warnings {
				out.Warnings = append(out.Warnings, w.String())
			}
			if err := o.give(out, runName(f.Name), c.Run); err != nil {
				return nil, err
			}
		}
		if !found {
			return nil, errors.New(f.Name +
				" is not a run: want lines of query, Q0, document, rank, score, name, as TREC has them")
		}
	}
	out.Names = o.session.Runs.Names()
	return out, nil
}

// give hands a run to the session, and says what of it is of the collection.
func (o *openCollection) give(out *message.StoredRun, name string, run *collection.Run) error {
	judged, here, lines := o.session.Queries.JudgedIDs(), 0, 0
	for i, q := range run.Queries() {
		if lines += run.Size(i); judged[q] {
			here++
		}
	}
	of := o.session.Ref().Name
	switch {
	case lines == 0:
		return errors.New(name + " holds no document for any query")
	case here == 0:
		return errors.New("none of the " + say.Count(len(run.Queries()), "query", "queries") + " of " + name +
			" is a judged one of " + of + ": it is of another collection, or calls its queries otherwise (" +
			say.Visible(run.Queries()[0]) + ")")
	}
	unknown := o.session.SetRun(name, run)
	if unknown == lines {
		o.session.DropRun(name)
		return errors.New("none of the documents of " + name + " is one of " + of + "'s")
	}
	out.Name = name
	out.Said = name + " answers " + say.Count(here, "judged query", "judged queries") + " of " +
		say.Page.Int(len(judged)) + " with " + say.Count(lines-unknown, "document", "documents") + "."
	if unknown > 0 {
		out.Said += " " + say.Count(unknown, "line is", "lines are") + " left out: " + of +
			" has no such query or document."
	}
	return nil
}

// runName is the name of a file as the notation can write it: letters, digits and + - . _, the first a letter.
func runName(file string) string {
	name := path.Base(file)
	for _, end := range []string{".gz", ".run", ".txt", ".trec", ".res"} {
		name = strings.TrimSuffix(name, end)
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("+-._", r) {
			return r
		}
		return '-'
	}, name)
	if name == "" || !(name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z') {
		name = "run-" + name
	}
	return say.Brief(name, 40)
}
