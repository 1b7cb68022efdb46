//go:build !first

package worker

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
)

// gather makes the input of a comparison of the link, the example and all files, and says of each file what it is.
func (cs *comparisons) gather(r message.Request, s *message.Setting, out *message.Compared) (*intake.Gathered, error) {
	var files []*intake.File
	var ids []int // of each; 0 for the link and the example
	if s.Link != "" {
		f, err := cs.imported.openLink(s.Link)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		ids = append(ids, 0)
	}
	if s.Example {
		p, err := cs.local.example()
		if err != nil {
			return nil, err
		}
		files, ids = append(files, &intake.File{Name: "the example", Packed: &packed.File{Input: *p}}), append(ids, 0)
	}
	if len(s.Chunkings) > 0 {
		f, err := cs.local.chunkings(r, s)
		if err != nil {
			return nil, err
		}
		files, ids = append(files, f), append(ids, 0)
	}
	if !s.Matrix.Empty() {
		p, err := cs.experiments.tried(r, &s.Matrix)
		if err != nil {
			return nil, err
		}
		files, ids = append(files, &intake.File{Name: "the experiment", Packed: &packed.File{Input: *p}}),
			append(ids, 0)
	}
	for _, f := range s.Files {
		if g := cs.imported.files[f.ID]; g != nil {
			file, err := edited(g.File, s)
			if err != nil {
				return nil, err
			}
			files, ids = append(files, file), append(ids, f.ID)
		}
	}
	got := intake.Gather(files, intake.Rule{Chunks: collection.ChunkRule{Separator: s.Separator, First: s.First},
		MaxRuns: message.MaxRuns, Scores: true, Traces: true})
	out.View = got.View.String()
	cs.titles = got.Titles
	if len(got.Sources) > 0 {
		got.Origins = got.Sources
	} else if len(got.Traces) > 0 {
		got.Origins = got.From
	}
	for _, o := range got.Origins {
		out.Origins = append(out.Origins, message.Origin{File: ids[o.File], Run: o.Run})
	}
	for _, f := range s.Files {
		read := message.FileRead{ID: f.ID, Name: f.Name, Problem: "it was not read"}
		for i, id := range ids {
			if id == f.ID {
				read = told(f, cs.imported.files[id], &got.Files[i])
			}
		}
		out.Files = append(out.Files, read)
	}
	return got, nil
}

// told puts what became of a file into words.
func told(f message.File, g *readFile, t *intake.Told) message.FileRead {
	d := message.FileRead{ID: f.ID, Name: f.Name, What: strings.Join(t.What, " and "), Lines: t.Lines,
		Queries: t.Queries, Entries: t.Entries, Fixable: t.Fixable}
	for _, w := range t.Warnings {
		d.Notes = append(d.Notes, note(w, f.Name))
	}
	if t.Problem != nil {
		d.Problem = say.Told(t.Problem)
	}
	if g.problem != "" {
		d.Problem, d.Line = g.problem, g.line
	}
	return d
}

func savedLink(err error) error {
	var limit *packed.LimitError
	switch {
	case errors.As(err, &limit):
		return limit
	case errors.Is(err, wire.ErrDamaged):
		return errors.New("it is damaged: characters were lost or changed on its way")
	case errors.Is(err, packed.ErrNewer):
		return errors.New("it was a later version of Rankbox made it")
	}
	return errors.New("it is no link of Rankbox")
}

// note puts a warning into words.
func note(w collection.Warning, file string) message.Note {
	n := message.Note{Line: w.Line, Count: w.Count, Message: w.Message}
	if w.File != file && w.File != "" {
		n.Message = w.File + ": " + n.Message
	}
	var more []string
	for i, p := range w.Places {
		if i > 0 && p.Line > 0 {
			more = append(more, strconv.Itoa(p.Line))
		}
	}
	if len(more) > 0 {
		n.Places = "also in line " + strings.Join(more, ", ")
		if w.Count > len(more)+1 {
			n.Places += " …"
		}
	}
	return n
}
