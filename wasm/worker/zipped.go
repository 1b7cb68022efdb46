//go:build !first

package worker

import (
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
)

// zippedQueries are the files of a zip that holds queries and judgments in BEIR's layout and nothing else: the queries,
// and the judgments of one split. It is nil for any other file.
func (d *Device) zippedQueries(f message.File) []string {
	if !strings.EqualFold(path.Ext(f.Name), ".zip") {
		return nil
	}
	source, err := d.Files(f.ID)
	if err != nil {
		return nil
	}
	at, ok := source.(anywhere)
	if !ok {
		return nil
	}
	zip, err := collection.OpenZip(f.Name, at, int64(f.Size), collection.Limits{Bytes: fileBytes})
	if err != nil {
		return nil // reading it says why
	}
	const top = "zip/" // what is at the root of the zip is in a folder too
	var files []message.File
	for _, name := range zip.Files() {
		if !strings.HasPrefix(name, "__MACOSX/") {
			files = append(files, message.File{Name: top + name})
		}
	}
	if withoutCorpus(files) == "" {
		return nil
	}
	var names []string
	for _, f := range ofFolder(files) {
		names = append(names, strings.TrimPrefix(f.Name, top))
	}
	return names
}

// only keeps the contents of some files.
func only(got *intake.File, names []string) {
	got.Contents = slices.DeleteFunc(got.Contents, func(c *collection.Content) bool {
		return !slices.Contains(names, c.Name)
	})
}

// previewZip counts queries and judgments of a zip that holds nothing else.
func (v *previews) previewZip(f message.File, out *message.Previewed) error {
	names := v.device.zippedQueries(f)
	if names == nil {
		return nil
	}
	source, err := v.device.Files(f.ID)
	if err != nil {
		return err
	}
	got, err := intake.Read(f.Name, intake.Any, source,
		collection.Options{Limits: collection.Limits{Bytes: fileBytes}})
	if err != nil {
		return err
	}
	only(got, names)
	for _, c := range got.Contents {
		out.Queries += len(c.Queries)
		if c.Qrels != nil {
			out.Judgments += c.Qrels.Len()
		}
	}
	return nil
}
