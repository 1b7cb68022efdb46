//go:build !first

package worker

import (
	"fmt"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

func init() {
	register(message.Pack, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The workspace could not be saved as a file: " + p.What
		p.Do = "Your queries and grades stay on this device. Judge saves them without the documents."
	}}, toUploads, (*uploads).pack)
}

// pack puts the documents of a collection that is kept on this device into its workspace. Those of a site's collection
// stay out: the
// workspace names them.
func (u *uploads) pack(_ message.Request, ask *message.AskPack) (*message.Saved, error) {
	w, err := workspace.Import("the workspace", ask.Zip, workspace.Limits{})
	if err != nil {
		return nil, err
	}
	name := ask.Collection
	if strings.HasPrefix(ask.Collection, UploadPrefix) && u.device.Shelf != nil {
		files, m, err := u.documents(ask.Collection)
		if err != nil {
			return nil, err
		}
		w.Bundle = files
		w.Documents = workspace.Documents{Collection: m.ID, Name: m.Name, Hash: m.Hash, Count: m.Documents}
		if safe := fileName(m.Name); safe != "" {
			name = safe
		}
	}
	b, err := w.ExportWithClicks() // of those that were sent
	if err != nil {
		return nil, err
	}
	return &message.Saved{Name: name + ".workspace.zip", Type: "application/zip", Bytes: b}, nil
}

// documents returns the files of a collection: from this device, or from a site that was made of it.
func (u *uploads) documents(id string) (map[string][]byte, *bundle.Manifest, error) {
	o := u.open
	if o.session == nil || o.session.Ref().ID != id || strings.HasPrefix(o.base, shelfPath) {
		return u.device.shelved(id)
	}
	m := o.plainly().Bundle().Manifest
	data, err := o.fetch(o.base+"manifest.json", func(int) {})
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{"manifest.json": data}
	for _, f := range m.Files {
		if files[f.Name], err = o.fetch(o.base+f.Name, func(int) {}); err != nil {
			return nil, nil, err
		}
	}
	return files, m, nil
}

// fileName is what of a name can stand in that of a file everywhere: letters, digits, "-" and "_", 60 at most.
func fileName(name string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_':
			return r
		}
		return '-'
	}, name)
	if len(safe) > 60 {
		safe = safe[:60]
	}
	return strings.Trim(safe, "-")
}

// workspaceIn opens a workspace that was given as the only file, and keeps its documents. It returns nil where the
// file is none.
func (u *uploads) workspaceIn(r message.Request, ask *message.AskUpload) (*message.Uploaded, error) {
	if len(ask.Files) != 1 || !strings.HasSuffix(strings.ToLower(ask.Files[0].Name), ".zip") {
		return nil, nil
	}
	f := ask.Files[0]
	source, err := u.device.Files(f.ID)
	if err != nil {
		return nil, err
	}
	at, ok := source.(io.ReaderAt)
	if !ok || !workspace.Is(at, int64(f.Size)) {
		return nil, nil
	}
	limit := int64(ask.Limit)
	if limit <= 0 {
		limit = fileBytes
	}
	u.page.tell(r, message.Progress{What: "Reading " + f.Name, Total: f.Size})
	b, err := within.All(source, int64(f.Size), limit)
	if err != nil {
		return nil, err
	}
	w, err := workspace.Import(f.Name, b, workspace.Limits{Bytes: limit})
	if err != nil {
		return nil, err
	}
	if w.ReadOnly != "" {
		return nil, fmt.Errorf("%s may only be read: %s", f.Name, w.ReadOnly)
	}
	out := &message.Uploaded{ID: w.Documents.Collection, Name: say.Visible(w.Documents.Name),
		Documents: w.Documents.Count, Queries: len(w.Queries()), Edits: w.Records()}
	for _, h := range w.Layers() {
		out.Judgments += w.Layer(h.ID).Graded()
	}
	if w.Bundle == nil {
		if strings.HasPrefix(out.ID, UploadPrefix) {
			ids, err := u.device.Shelf.List()
			if err == nil && len(ids[out.ID]) == 0 {
				return nil, fmt.Errorf("%s holds queries and judgments about %q, whose documents are not on this "+
					"device: open those first, the same files", f.Name, out.Name)
			}
		}
		return out, nil
	}
	m, err := bundle.ReadManifest(w.Bundle["manifest.json"])
	if err != nil {
		return nil, err
	}
	m.ID = idOf(m)
	m = u.vectorsOf(m)
	w.Bundle["manifest.json"] = m.JSON()
	d := described(m)
	d.Queries, d.Judgments, d.Edits = d.Queries+out.Queries, d.Judgments+out.Judgments, out.Edits
	d.Unkept, err = u.shelve(r, m, w.Bundle)
	d.Name = m.Name
	return &d, err
}
