//go:build !first

package worker

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	docs "github.com/rankbox/rankbox/core/project/documents"
)

// keptSample is the beginning of a kept collection, whose chunks are previewed again and again.
type keptSample struct {
	id        string
	documents int
	docs      []collection.Doc
	headings  map[int][]int
}

// previewKept shows how documents of a kept collection are split again.
func (v *previews) previewKept(r message.Request, ask *message.AskPreview) (*message.Previewed, error) {
	if v.device.Shelf == nil {
		return nil, errGone
	}
	if v.sample == nil || v.sample.id != ask.From {
		v.page.tell(r, message.Progress{What: "Reading the documents"})
		all, err := v.device.unsplit(ask.From)
		if err != nil {
			return nil, err
		}
		all.sort()
		list := all.src.Collection.Docs
		v.sample = &keptSample{ask.From, len(list), slices.Clone(list[:min(len(list), sampleDocs)]),
			all.headings}
	}
	k := v.sample
	return &message.Previewed{Documents: k.documents, Exact: true,
		Sample: sampleOf(k.docs, k.headings, ask.Chunking, ask.Document)}, nil
}

// fields counts what a file has that is a document.
func (s *seeing) fields(d *collection.Doc) {
	if s.out.Fields == nil {
		for _, name := range []string{"id", "title", "text", "date", "category", "url"} {
			s.out.Fields = append(s.out.Fields, message.Field{Name: name})
		}
	}
	s.out.Pages++
	for i, value := range []string{d.ID, d.Title, d.Text, d.Date, d.Category, d.URI} {
		f := &s.out.Fields[i]
		if value == "" || f.Name == "url" && docs.ID(value) == docs.ID(s.root+d.ID) {
			continue
		}
		if f.Found++; f.Example == "" {
			f.Example = say.Brief(strings.Join(strings.Fields(value[:min(len(value), 4*previewField)]), " "),
				previewField)
		}
	}
}

// sample takes some of the first documents.
func (s *seeing) sample(list []collection.Doc) {
	s.docs = append(s.docs, list[:min(len(list), max(0, sampleDocs-len(s.docs)))]...)
}
