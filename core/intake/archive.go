//go:build !library

package intake

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/intake/trace"
)

// zipHead is how a zip begins.
var zipHead = []byte("PK\x03\x04")

// most is how many bytes a limit allows: its default is that of package collection.
func most(limit int64) int64 {
	switch {
	case limit == 0:
		return 1 << 30
	case limit < 0:
		return 1 << 62
	}
	return limit
}

// archive reads a zip in which some file is scores, traces or answers that cite, file by file. Any other zip is given
// back whole: package collection reads it.
func (f *File) archive(r io.Reader, role Role, opt collection.Options) (rest io.Reader, done bool, err error) {
	fail := func(err error) (io.Reader, bool, error) {
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	at, ok := r.(anywhere)
	if !ok {
		b, err := within.All(r, 0, most(opt.Limits.Bytes))
		if err != nil {
			return fail(err)
		}
		at, r = bytes.NewReader(b), bytes.NewReader(b)
	}
	size, err := at.Seek(0, io.SeekEnd)
	if err != nil {
		return fail(err)
	}
	a, err := collection.OpenZip(f.Name, at, size, opt.Limits)
	if err != nil {
		return r, false, nil // package collection says what is wrong
	}
	var names []string
	found := false
	for _, name := range a.Files() {
		if base := path.Base(name); strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, ".") {
			continue
		}
		if names = append(names, name); found {
			continue
		}
		if file, err := a.Open(name); err == nil {
			found = kindOf(name, begins(name, file), role) != ordinary
			file.Close()
		}
	}
	if !found {
		return r, false, nil
	}
	var tables []*scores.Table
	var tabled []string
	left := opt
	left.Limits.Bytes = most(opt.Limits.Bytes)
	for _, name := range names {
		if left.Limits.Bytes <= 0 { // another file has a byte at least
			all := most(opt.Limits.Bytes)
			return fail(&collection.LimitError{Limit: "Bytes", Unit: "bytes", Max: all, Got: all + 1})
		}
		part, err := f.entry(a, name, role, left)
		if err != nil {
			return nil, false, inside(f.Name, err)
		}
		left.Limits.Bytes -= part.Bytes
		if part.Scores != nil {
			tables, tabled = append(tables, part.Scores), append(tabled, name)
		}
		f.Contents, f.Traces = append(f.Contents, part.Contents...), append(f.Traces, part.Traces...)
		f.Bytes += part.Bytes
	}
	if len(tables) > 0 {
		if f.Scores, err = scores.Join(tabled, tables); err != nil {
			return nil, false, inside(f.Name, err)
		}
	}
	f.Traces, err = byFolder(Name(strings.TrimSuffix(f.Name, ".zip")), f.Traces)
	if err != nil {
		return nil, false, inside(f.Name, err)
	}
	return nil, true, nil
}

// entry reads a file of a zip.
func (f *File) entry(a *collection.Archive, name string, role Role, opt collection.Options) (*File, error) {
	file, err := a.Open(name)
	if err != nil {
		return nil, &collection.ParseError{File: name, Err: err}
	}
	defer file.Close()
	head := make([]byte, len(zipHead))
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, &collection.ParseError{File: name, Err: err}
	}
	head = head[:n]
	switch {
	case bytes.Equal(head, zipHead):
		return nil, &collection.ParseError{File: name, Err: errors.New("a zip within an archive is not opened")}
	case bytes.HasPrefix(head, []byte("RBX")):
		return nil, &collection.ParseError{File: name, Err: errors.New("a saved comparison among scores is not opened")}
	}
	// Only the stream: what lies behind the head is no file that is read here and there.
	return Read(name, role, struct{ io.Reader }{io.MultiReader(bytes.NewReader(head), file)}, opt)
}

// byFolder joins the traces of a zip that lie in one folder, a query a file, as BrowseComp-Plus writes them: they are
// those of one system, named after the folder, or after the zip.
func byFolder(name string, sets []*trace.Set) (out []*trace.Set, err error) {
	folders := map[string][]*trace.Set{}
	var order []string
	for _, s := range sets {
		folder := path.Dir(s.File)
		if len(s.Traces) > 1 {
			folder = s.File
		}
		if folders[folder] == nil {
			order = append(order, folder)
		}
		folders[folder] = append(folders[folder], s)
	}
	for _, folder := range order {
		list := folders[folder]
		if len(list) == 1 {
			out = append(out, list[0])
			continue
		}
		system := path.Base(folder)
		if folder == "." {
			system = name
		}
		joined, err := trace.Join(system, list)
		if err != nil {
			return nil, err
		}
		out = append(out, joined)
	}
	return out, nil
}

// inside puts the name of a zip before that of the file in it.
func inside(zip string, err error) error {
	if p, ok := errors.AsType[*collection.ParseError](err); ok && p.File != zip {
		return &collection.ParseError{File: zip + "/" + p.File, Line: p.Line, Unrecognised: p.Unrecognised, Err: p.Err}
	}
	return err
}
