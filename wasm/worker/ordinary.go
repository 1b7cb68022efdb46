//go:build !first

package worker

import (
	"errors"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	docs "github.com/rankbox/rankbox/core/project/documents"
)

// markup says by a file's name that it is Markdown or HTML, which no format of a test collection is.
func markup(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml":
		return true
	}
	return false
}

// isCorpus says by a file's name that it holds the documents of a BEIR collection.
func isCorpus(name string) bool {
	kind, _, _ := strings.Cut(path.Base(name), ".")
	return kind == "corpus"
}

// unrecognised says that a file was refused because no format of a test collection was seen in it, and not for a line
// that is wrong.
func unrecognised(name string, err error) bool {
	var at *collection.ParseError
	if !errors.As(err, &at) || errors.Is(err, errStopped) {
		return false
	}
	var limit *collection.LimitError
	return !errors.As(err, &limit) && (at.Unrecognised || strings.EqualFold(path.Ext(name), ".json"))
}

// empty says that nothing of a collection was found in a file.
func empty(f *intake.File) bool {
	for _, c := range f.Contents {
		if len(c.Docs) > 0 || len(c.Queries) > 0 || c.Qrels != nil || c.Collection != nil || c.Vectors != nil {
			return false
		}
	}
	return true
}

// taken takes the fields of a document that is a file from where a person chose. A title that is not used stays in the
// text.
func taken(name string, got *docs.Read, from message.Pages) {
	if len(got.Docs) != 1 || len(got.Mapping.Text) > 0 || got.Docs[0].URI == "" {
		return
	}
	d := &got.Docs[0]
	if file := strings.TrimSuffix(path.Base(name), path.Ext(name)); from.FileTitle && d.Title != file {
		if d.Title != "" {
			before := d.Title + "\n\n"
			d.Text = before + d.Text
			for i := range got.Headings {
				got.Headings[i] += len(before)
			}
		}
		d.Title = file
	}
	if dir := path.Base(path.Dir(name)); from.FolderCategory && d.Category == "" && dir != "." && dir != "/" {
		d.Category = dir
	}
}

// documentRoles are the roles of files by what their names say.
var documentRoles = map[docs.Role]intake.Role{docs.Documents: intake.Corpus, docs.Queries: intake.Any,
	docs.Judgments: intake.Judgments}

// readDocuments reads a file, of which head is the beginning: as a format of test collections if it is one, otherwise,
// or if its columns are mapped, as an ordinary file. said is how it was read. Ids begin below root.
func readDocuments(f message.File, head []byte, mapped bool, read func(intake.Role) (*intake.File, error),
	plain func() (*docs.Read, error), root string) (got *intake.File, said []string, err error) {
	known := false
	if !mapped {
		if _, known, err = docs.Known(f.Name, head, int64(f.Size)); err != nil {
			return nil, nil, err
		}
	}
	if known {
		got, err = read(documentRoles[docs.RoleOf(f.Name)])
		if err == nil && !empty(got) || err != nil && !unrecognised(f.Name, err) {
			return got, nil, err
		}
	}
	r, second := plain()
	if err != nil && errors.Is(second, docs.ErrNoText) {
		return nil, nil, err // it says better what the file is
	}
	if second != nil {
		return nil, nil, second
	}
	for i := range r.Docs {
		if root != "" {
			r.Docs[i].ID = strings.TrimPrefix(r.Docs[i].ID, docs.ID(root)+"/")
		}
	}
	if len(r.Mapping.Text) > 0 || r.Mapping.Title != "" {
		said = append(said, f.Name+" was read as "+r.Kind+": "+r.Mapping.Said()+".")
	}
	for _, w := range r.Warnings {
		said = append(said, f.Name+": "+w+".")
	}
	return &intake.File{Contents: []*collection.Content{{Name: f.Name, Docs: r.Docs, Queries: r.Queries,
		Qrels: r.Qrels}}}, said, nil
}
