// Package intake makes the input of a comparison of the files that somebody has: runs, judgments, queries, documents,
// maps of chunks, zips of them, saved comparisons. The page's worker and the command line both call it, so that the
// same files are the same comparison in both. It opens no file itself, measures nothing, and joins nothing by query:
// that is compare's.
//
// Order of the pipeline: name and reader → Read → File; all Files → Gather → compare.Input, and what is to be said of
// each file.
//
// # Names
//
// A run is named after the file it is from: the part behind the last slash or backslash, less its endings. Endings are
// .gz, .bz2, .run, .txt, .trec, .res, .out, .eval, .json, .jsonl, .csv and .tsv, in small or large letters; they are
// taken off from the right as long as there are any and something is left: x.run.gz is x, and .run stays .run. A file
// in a zip has its own name, not the zip's. A run of a saved comparison has the name that was saved. A run without a
// name, from standard input, has its tag. Runs of one name are told apart by compare: the second is "x (2)".
//
// # Order
//
// Runs are compared in the order in which their files are given, those of a zip or a folder in the order of their
// names. Judgments are taken from one file: the first that has any. Texts of queries are taken from all; of a query
// that appears twice, the last.
//
// # What a file is
//
// A Role that is said decides. Where none is said the content does. Whole numbers by query and document in JSON, which
// may be judgments or scores, are judgments, unless another file has some for certain: then they are scores.
//
// Files are rankings, judgments, scores (systems by items that were measured elsewhere, see core/intake/scores) or traces of
// agents (see core/intake/trace). Scores are compared alone: with judgments there is nothing left to measure of them, and
// they are never read as judgments.
package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Role is what a reader says that a file is.
type Role int

// The roles.
const (
	Any           Role = iota // what its content says
	Judgments                 // qrels in any form
	Runs                      // a run, or a zip of runs
	Queries                   // texts of queries
	Corpus                    // documents, in which the references of a benchmark are looked up
	Chunks                    // which document each chunk belongs to
	ScoreRows                 // a table of scores, each row a system: also {system: {item: score}} in JSON
	ScoreColumns              // a table of scores, each column a system
	ScoreMeasures             // a table of scores of one system, each column a measure
)

// prefer is what collection.Read is told.
func (r Role) prefer() collection.Options {
	switch r {
	case Judgments:
		return collection.Options{Prefer: collection.QrelsTREC}
	case Runs:
		return collection.Options{Prefer: collection.RunTREC}
	case Corpus:
		return collection.Options{Prefer: collection.CorpusJSONL}
	case Chunks:
		return collection.Options{Kind: collection.ChunkMap}
	}
	return collection.Options{}
}

// StandardInput is the name of the file that is standard input.
const StandardInput = "standard input"

// MaxPacked is how many bytes a saved comparison or snapshot may have, before decompression.
const MaxPacked = 64 << 20

// File is a file as it was read. What it is not is empty.
type File struct {
	Name     string
	Role     Role
	Contents []*collection.Content // one, or those of a zip
	Packed   *packed.File
	Snapshot *report.Report
	measured       // scores and traces
	Bytes    int64 // about what is kept of it, in memory

	asRuns []*collection.Content // Contents with whole numbers in JSON taken for scores
}

// Read reads a file of any kind that is known. opt says limits and whom to tell of the progress; its Kind and Prefer
// are the role's. A zip stays where it is where r is an io.ReaderAt and io.Seeker too: its files are read out of it one
// by one.
func Read(name string, role Role, r io.Reader, opt collection.Options) (*File, error) {
	f := &File{Name: name, Role: role}
	head := make([]byte, 4)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, &collection.ParseError{File: name, Err: err}
	}
	head = head[:n]
	r = behind(head, r)
	if bytes.Equal(head, []byte("RBXc")) || bytes.Equal(head, []byte("RBXr")) {
		return f, f.unpack(r, opt)
	}
	if bytes.Equal(head, []byte(handoutHead)) {
		return f, f.unwrap(r, opt)
	}
	if role != Queries && role != Corpus && role != Chunks {
		var done bool
		if r, done, err = f.measure(r, role, opt); done || err != nil {
			return f, err
		}
	}
	said := role.prefer()
	opt.Kind, opt.Prefer = said.Kind, said.Prefer
	c, err := collection.Read(name, r, opt)
	if err != nil {
		p, ok := errors.AsType[*collection.ParseError](err)
		if kind := page(name); ok && p.Unrecognised && kind != "" {
			p.Err = fmt.Errorf("it looks like %s, expected runs and qrels: to search it, use Add documents or "+
				"rankbox index", kind)
		}
		return nil, err
	}
	f.Contents = []*collection.Content{c}
	if len(c.Files) > 0 {
		f.Contents = c.Files
	}
	for _, c := range f.Contents {
		if c.Run != nil {
			f.Bytes += min(c.Run.Bytes(), c.Bytes)
		} else {
			f.Bytes += c.Bytes
		}
	}
	return f, nil
}

// handoutHead is how a page that holds a comparison begins.
const handoutHead = "<!do"

// unwrap reads what a page of package handout holds.
func (f *File) unwrap(r io.Reader, opt collection.Options) error {
	page, err := within.All(r, 0, MaxPacked)
	if errors.Is(err, within.ErrLong) {
		err = fmt.Errorf("a page of %w", err)
	}
	var data []byte
	if err == nil {
		data, err = handed(page)
	}
	if err != nil {
		return &collection.ParseError{File: f.Name, Err: err}
	}
	return f.unpack(bytes.NewReader(data), opt)
}

// anywhere is a file that is read here and there, as a zip is.
type anywhere interface {
	io.ReaderAt
	io.Seeker
}

// behind puts head back in front of r.
func behind(head []byte, r io.Reader) io.Reader {
	whole := io.MultiReader(bytes.NewReader(head), r)
	if at, ok := r.(anywhere); ok {
		return struct {
			io.Reader
			anywhere
		}{whole, at}
	}
	return whole
}

// unpack reads a saved comparison or snapshot within what the device takes in.
func (f *File) unpack(r io.Reader, opt collection.Options) error {
	all, err := within.All(r, 0, MaxPacked)
	if errors.Is(err, within.ErrLong) {
		err = fmt.Errorf("a saved comparison of %w", err)
	}
	if err != nil {
		return &collection.ParseError{File: f.Name, Err: err}
	}
	f.Bytes = int64(len(all))
	device := packed.Limits{Memory: int(min(opt.Limits.Bytes, math.MaxInt32))}
	if packed.IsReport(all) {
		f.Snapshot, err = device.UnpackReport(all)
	} else {
		var stop error
		device.Tell = func(int, int) bool {
			if opt.Progress != nil && stop == nil {
				stop = opt.Progress(f.Name, f.Bytes)
			}
			return stop == nil
		}
		f.Packed, err = device.Unpack(all)
		if stop != nil {
			return stop
		}
	}
	var limit *packed.LimitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limit):
	case errors.Is(err, wire.ErrDamaged):
		err = errors.New("this saved comparison is damaged: bytes were lost or changed")
	case errors.Is(err, packed.ErrNewer):
		err = errors.New("a later version of Rankbox saved this")
	default:
		err = errors.New("this is not a saved comparison")
	}
	return &collection.ParseError{File: f.Name, Err: err}
}

// endings are those that a name is shown without.
var endings = []string{".gz", ".bz2", ".run", ".txt", ".trec", ".res", ".out", ".eval", ".json", ".jsonl", ".csv",
	".tsv"}

// Name is the name of a run that is in a file of this name, as the package comment says.
func Name(file string) string {
	name := file[strings.LastIndexAny(file, `/\`)+1:]
	for again := true; again; {
		again = false
		for _, e := range endings {
			if n := len(name) - len(e); n > 0 && strings.EqualFold(name[n:], e) {
				name, again = name[:n], true
			}
		}
	}
	return name
}

// scores returns the contents with whole numbers in JSON taken for scores.
func (f *File) scores() []*collection.Content {
	if f.asRuns == nil {
		for _, c := range f.Contents {
			if c.Format == collection.QrelsJSON {
				run := *c
				run.AsRun()
				c = &run
			}
			f.asRuns = append(f.asRuns, c)
		}
	}
	return f.asRuns
}
