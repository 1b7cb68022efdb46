package upload

import (
	"strconv"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
)

// Way is a way to split documents: its name in core/documents/chunk, in words, and what its windows are counted in.
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
func (u *Upload) SplitBy(name string) {
	for _, w := range Ways {
		if u.Draft != nil && w.Name == name {
			u.Draft.Way = w
			u.look()
		}
	}
}

// Window sets how long chunks are and how much they repeat.
func (u *Upload) Window(n, overlap int) {
	if u.Draft != nil && n > 0 && overlap >= 0 {
		u.Draft.Way.N, u.Draft.Way.Overlap = n, overlap
		u.look()
	}
}

// TurnDocument shows the document that stands by places after the one that is shown.
func (u *Upload) TurnDocument(by int) {
	d := u.Draft
	if d == nil || d.Seen == nil {
		return
	}
	if to := max(0, min(d.Seen.Sample.Of-1, d.Seen.Sample.At+by)); to != d.Document {
		d.Document = to
		u.look()
	}
}

// TakeFrom chooses where fields of files that are documents are from.
func (u *Upload) TakeFrom(p message.Pages) {
	if u.Draft != nil {
		u.Draft.Pages = p
		u.look()
	}
}

// SplitAgain begins to split a kept collection in another way.
func (u *Upload) SplitAgain(id string) {
	if u.Busy() || u.copied != "" || u.called(id) == "" {
		return
	}
	u.Made, u.App.Notices.Problem, u.deaths = nil, nil, 0
	u.Draft = newDraft()
	u.Draft.From, u.Draft.Name = id, u.called(id)
	u.Progress = &message.Progress{What: "Reading " + u.Draft.Name}
	u.App.Encoder.Load()
	u.look()
}

// CompareChunkings compares how the documents of the open collection are split, on Evaluate.
func (u *Upload) CompareChunkings(spans bool) {
	if c, ok := u.App.Screens.Other(share.Compare).(interface{ UseChunkings(spans bool) }); ok {
		c.UseChunkings(spans)
	}
}
