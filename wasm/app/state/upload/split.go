package upload

import (
	"strconv"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// Way is a way to split documents: its name in core/project/documents/chunk, in words, and what its windows are counted in.
type Way struct {
	Name, Said string
	Unit       string // "" if it has no windows
	N, Overlap int
}

// Ways are those that are offered, the usual one first.
var Ways = []Way{
	{Name: "whole", Said: "whole documents"},
	{Name: "paragraphs", Said: "paragraphs"},
	{Name: "headings", Said: "sections, by headings"},
	{Name: "sentences", Said: "sentences", Unit: "sentences", N: 3, Overlap: 1},
	{Name: "words", Said: "words", Unit: "words", N: 200, Overlap: 40},
}

// splitting is how the documents of a draft are split.
type splitting struct {
	Way      Way
	Document int    // which of the documents that were read is shown
	From     string // the id of a kept collection that is split again, "" for files
	Name     string // what that one is called
}

// Chunking is the choice as it is written, "" for whole documents.
func (s *splitting) Chunking() string {
	switch w := &s.Way; {
	case w.Name == Ways[0].Name:
		return ""
	case w.Unit != "":
		return w.Name + "(n=" + strconv.Itoa(w.N) + ",overlap=" + strconv.Itoa(w.Overlap) + ")"
	default:
		return w.Name
	}
}

// SplitBy chooses a way by its name.
func (im *Import) SplitBy(name string) {
	for _, w := range Ways {
		if im.Draft != nil && w.Name == name {
			im.Draft.Way = w
			im.look()
		}
	}
}

// Window sets how long chunks are and how much they repeat.
func (im *Import) Window(n, overlap int) {
	if im.Draft != nil && n > 0 && overlap >= 0 {
		im.Draft.Way.N, im.Draft.Way.Overlap = n, overlap
		im.look()
	}
}

// TurnDocument shows the document that stands by places after the one that is shown.
func (im *Import) TurnDocument(by int) {
	d := im.Draft
	if d == nil || d.Seen == nil {
		return
	}
	if to := max(0, min(d.Seen.Sample.Of-1, d.Seen.Sample.At+by)); to != d.Document {
		d.Document = to
		im.look()
	}
}

// TakeFrom chooses where fields of files that are documents are from.
func (im *Import) TakeFrom(p message.Pages) {
	if im.Draft != nil {
		im.Draft.Pages = p
		im.look()
	}
}

// SplitAgain begins to split a kept collection in another way.
func (im *Import) SplitAgain(id string) {
	if im.making.Busy() || im.shelf.copied != "" || im.shelf.called(id) == "" {
		return
	}
	im.making.Made, im.app.Notices.Problem, im.making.deaths = nil, nil, 0
	im.Draft = newDraft()
	im.Draft.From, im.Draft.Name = id, im.shelf.called(id)
	im.making.Progress = &message.Progress{What: "Reading " + im.Draft.Name}
	im.app.Encoder.Load()
	im.look()
}

// CompareChunkings compares how the documents of the open collection are split, on Evaluate.
func (u *Upload) CompareChunkings(spans bool) {
	if c, ok := u.App.Screens.Other(share.Compare).(interface{ UseChunkings(spans bool) }); ok {
		c.UseChunkings(spans)
	}
}
