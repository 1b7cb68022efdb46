// Package spool holds the documents of a collection in a file while its bundle is built, so that they need not fit in
// memory.
package spool

import (
	"bufio"
	"fmt"
	"os"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
)

// Spool holds documents in a file of a folder, so that a collection need not fit in memory. It keeps their ids and
// where each begins. The first document makes the file, and the folder if there is none.
type Spool struct {
	folder string
	made   bool // the folder
	file   *os.File
	w      *bufio.Writer
	ids    []string
	starts []int64 // of each document, and the end of the last
	buf    []byte  // of the last document read
}

// New returns an empty Spool, which writes into folder.
func New(folder string) *Spool { return &Spool{folder: folder} }

func (s *Spool) open() error {
	if _, err := os.Stat(s.folder); err != nil {
		if err := os.MkdirAll(s.folder, 0o777); err != nil {
			return err
		}
		s.made = true
	}
	f, err := os.CreateTemp(s.folder, ".documents-*")
	if err != nil {
		return err
	}
	s.file, s.w, s.starts = f, bufio.NewWriterSize(f, 1<<20), []int64{0}
	return nil
}

// Close removes the file, and a folder that it made if there is nothing else in it.
func (s *Spool) Close() {
	if s.file == nil {
		return
	}
	s.file.Close()
	os.Remove(s.file.Name())
	if s.made {
		os.Remove(s.folder)
	}
}

// Add appends a document.
func (s *Spool) Add(d collection.Doc) error {
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	data := wire.Marshal((*spooledDoc)(&d))
	s.ids = append(s.ids, d.ID)
	s.starts = append(s.starts, s.starts[len(s.ids)-1]+int64(len(data)))
	if _, err := s.w.Write(data); err != nil {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	return nil
}

// Flush ends the adding of documents.
func (s *Spool) Flush() error {
	if s.file == nil {
		return nil
	}
	return s.w.Flush()
}

// Len returns the number of documents.
func (s *Spool) Len() int { return len(s.ids) }

// ID returns the id of document i, counted from 0 in the order of Add.
func (s *Spool) ID(i int) string { return s.ids[i] }

// Doc reads document i. It returns what a bundle holds of it.
func (s *Spool) Doc(i int) (*collection.Doc, error) {
	n := int(s.starts[i+1] - s.starts[i])
	if cap(s.buf) < n {
		s.buf = make([]byte, 2*n)
	}
	s.buf = s.buf[:n]
	if _, err := s.file.ReadAt(s.buf, s.starts[i]); err != nil {
		return nil, err
	}
	d := &collection.Doc{ID: s.ids[i]}
	if err := wire.Unmarshal(s.buf, (*spooledDoc)(d)); err != nil {
		return nil, fmt.Errorf("%s: document %q: %w", s.file.Name(), d.ID, err)
	}
	return d, nil
}

// spooledDoc is a document in the file: all that a bundle holds of it but the id.
type spooledDoc collection.Doc

func (d *spooledDoc) Wire(c *wire.Codec) {
	c.Fields(&d.Title, &d.Text, &d.Date, &d.Category)
	wire.List(c, &d.Entities, func(e *collection.Entity) { c.Fields(&e.Name, &e.Kind, &e.Confidence) })
	noted := d.News != nil
	c.Bool(&noted)
	if !noted {
		return
	}
	if c.Reading() {
		d.News = &collection.News{}
	}
	n := d.News
	c.Fields(&n.Time, &n.Byline, &n.Story, &n.DuplicateOf, &n.Updates)
}
