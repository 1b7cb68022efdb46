package collection

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"
)

// zip reads a zip: a collection in BEIR's layout, or file by file.
func (d *reading) zip(head []byte, r io.Reader) (*Content, error) {
	var at io.ReaderAt
	var size int64
	if s, ok := r.(io.Seeker); ok {
		if a, ok := r.(io.ReaderAt); ok {
			if n, err := s.Seek(0, io.SeekEnd); err == nil {
				at, size = a, n
			}
		}
	}
	if at == nil {
		b, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(head), r), d.opt.Limits.Bytes+1))
		if err != nil {
			return nil, d.fail(0, err)
		}
		at, size = bytes.NewReader(b), int64(len(b))
	}
	if size > d.opt.Limits.Bytes {
		return nil, d.fail(0, &LimitError{"Bytes", "bytes", d.opt.Limits.Bytes, size})
	}
	a, err := OpenZip(d.name, at, size, d.opt.Limits)
	if err != nil {
		return nil, err
	}
	d.c.Format = Zip
	if _, err := beirFolder(a); err == nil {
		c, err := ReadArchive(a, d.opt.Split, d.opt)
		if err != nil {
			return nil, within(d.name, err)
		}
		if c.Name == "" {
			c.Name = strings.TrimSuffix(d.name[strings.LastIndexByte(d.name, '/')+1:], ".zip")
		}
		d.c.Collection, d.c.Warnings = c, c.Warnings
		for i := range a.files {
			d.c.Bytes += a.files[i].size
		}
		return d.c, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, within(d.name, err)
	}
	left := d.opt
	for _, name := range a.Files() {
		base := name[strings.LastIndexByte(name, '/')+1:]
		if strings.HasPrefix(name, "__MACOSX/") {
			continue
		}
		f, err := a.open(name)
		if err != nil {
			return nil, within(d.name, parseError(name, 0, err))
		}
		// A zip within the zip is not opened; its files together are bounded like one.
		c, err := readFile(name, f, left)
		if err != nil {
			// .DS_Store and its like
			if _, bomb := errors.AsType[*LimitError](err); !bomb && strings.HasPrefix(base, ".") {
				continue
			}
			return nil, within(d.name, err)
		}
		if left.Limits.Bytes -= c.Bytes; left.Limits.Bytes <= 0 {
			return nil, d.fail(0, &LimitError{"Bytes", "bytes", d.opt.Limits.Bytes,
				d.opt.Limits.Bytes - left.Limits.Bytes})
		}
		d.c.Files = append(d.c.Files, c)
		d.c.Bytes += c.Bytes
	}
	if len(d.c.Files) == 0 {
		return nil, d.fail(0, errors.New("zip: it holds no files"))
	}
	return d.c, nil
}

// readFile reads a file of a zip, which may be a gzip but not a zip.
func readFile(name string, r io.Reader, opt Options) (*Content, error) {
	d := &reading{name: name, opt: opt, c: &Content{Name: name}}
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	d.c.Compressed = src.in != nil
	if err := d.content(src); err != nil {
		return nil, err
	}
	d.c.Bytes, d.c.Warnings = src.read, d.w.list
	return d.c, nil
}

// within puts the name of an archive before that of the file in it.
func within(archive string, err error) error {
	if pe, ok := errors.AsType[*ParseError](err); ok && pe.File != archive {
		file := archive
		if pe.File != "." {
			file += "/" + pe.File
		}
		return &ParseError{File: file, Line: pe.Line, Err: pe.Err}
	}
	return err
}
