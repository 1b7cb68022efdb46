//go:build !library

package intake

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/project/documents"
)

// records reads objects as the rows of a table: {"qid", "docno", "score"}, as data frames write their rows to JSON.
func (f *File) records(b []byte, opt collection.Options) (*collection.Content, error) {
	root, _, err := golden.ParseJSON(f.Name, b)
	if err != nil {
		return nil, err
	}
	t := &flat{}
	at := map[string]int{}
	for _, n := range root.Objects() {
		var row []string
		for _, m := range n.Members {
			i, had := at[m.Key]
			if !had {
				i = len(t.header)
				at[m.Key], t.header = i, append(t.header, m.Key)
			}
			for len(row) <= i {
				row = append(row, "")
			}
			row[i] = m.Value.AsText()
		}
		t.add(n, row...)
	}
	return f.content(t, opt)
}

// isSheet says by its name that a zip is an Excel sheet.
func isSheet(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".xlsx") }

// sheet reads the first sheet of a workbook as a table of a run, of judgments or of scores.
func (f *File) sheet(r io.Reader, role Role, opt collection.Options) error {
	b, err := within.All(r, 0, min(scores.MaxBytes, most(opt.Limits.Bytes)))
	if err != nil {
		return &collection.ParseError{File: f.Name, Err: err}
	}
	t := &flat{role: role, system: Name(strings.TrimSuffix(f.Name, f.Name[len(f.Name)-len(".xlsx"):]))}
	if t.header, t.rows, t.lines, err = documents.Sheet(f.Name, b, documents.Limits{Bytes: opt.Limits.Bytes}); err != nil {
		return err
	}
	f.Bytes = int64(len(b))
	if role != Judgments && role != Runs && scores.Detect(t.table()) != "" {
		return f.scoreRows(t)
	}
	opt.Prefer = role.prefer().Prefer
	c, err := f.content(t, opt)
	f.Contents = []*collection.Content{c}
	return err
}

// table is the rows as a CSV.
func (t *flat) table() []byte {
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	w.Write(t.header)
	for _, row := range t.rows {
		for len(row) < len(t.header) {
			row = append(row, "")
		}
		// A record is a line here, so that the reader's lines can be told back.
		for k := range row {
			row[k] = strings.ReplaceAll(row[k], "\n", " ")
		}
		w.Write(row)
	}
	w.Flush()
	return table.Bytes()
}

// line is the line of the file of a line of the table.
func (t *flat) line(n int) int {
	if n >= 2 && n-2 < len(t.lines) {
		return t.lines[n-2]
	}
	return n
}

// told gives an error of the table the line of the file.
func (t *flat) told(err error) error {
	if p, is := errors.AsType[*collection.ParseError](err); is {
		p.Line = t.line(p.Line)
	}
	return err
}

// content reads the rows as package collection reads a CSV of them.
func (f *File) content(t *flat, opt collection.Options) (*collection.Content, error) {
	c, err := collection.Read(f.Name, bytes.NewReader(t.table()), opt)
	if c != nil {
		for i := range c.Warnings {
			c.Warnings[i].Line = t.line(c.Warnings[i].Line)
			for k := range c.Warnings[i].Places {
				c.Warnings[i].Places[k].Line = t.line(c.Warnings[i].Places[k].Line)
			}
		}
	}
	return c, t.told(err)
}

// scoreRows reads the rows as package scores reads a CSV of them.
func (f *File) scoreRows(t *flat) (err error) {
	f.Scores, err = scores.Read(f.Name, t.system, t.table(), scores.Options{})
	return t.told(err)
}
