// Package intake turns a user's files into the input of a comparison: runs, judgments, queries, documents, chunk
// maps, zips of them, and saved comparisons. The page's worker and the command line both use it, so that equal
// files give equal comparisons. It opens no file and measures nothing; package compare joins by query.
//
// Order of the pipeline: name and reader → Read → File; all Files → Gather → compare.Input, with a report on each
// file.
package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/core/within"
)

// Role is the declared role of a file. Without one, the content decides. Integers by query and document in JSON are
// judgments, unless another file certainly has judgments: then they are scores.
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

// prefer converts a role to options of collection.Read.
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

// MaxPacked is the maximum size in bytes of a saved comparison or snapshot, before decompression.
const MaxPacked = 64 << 20

// File is a file after reading. Fields of other kinds are empty.
type File struct {
	Name     string
	Role     Role
	Contents []*collection.Content // one, or those of a zip
	Packed   *packed.File
	Snapshot *report.Report
	measured       // scores and traces
	Bytes    int64 // approximate memory that it keeps

	asRuns []*collection.Content // Contents with integers in JSON interpreted as scores
}

// Read reads a file of any known kind. opt holds limits and progress; the role sets its Kind and Prefer. If r is
// also an io.ReaderAt and io.Seeker, a zip is read in place, file by file.
func Read(name string, role Role, r io.Reader, opt collection.Options) (*File, error) {
	f := &File{Name: name, Role: role}
	head := make([]byte, 4)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, &collection.ParseError{File: name, Err: err}
	}
	head = head[:n]
	r = prepend(head, r)
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
		if kind := pageKind(name); ok && p.Unrecognised && kind != "" {
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

// handoutHead is the prefix of a page that contains a comparison.
const handoutHead = "<!do"

// unwrap reads the comparison in a page of package handout.
func (f *File) unwrap(r io.Reader, opt collection.Options) error {
	page, err := within.All(r, 0, MaxPacked)
	if errors.Is(err, within.ErrLong) {
		err = fmt.Errorf("a page of %w", err)
	}
	var data []byte
	if err == nil {
		data, err = handoutComparison(page)
	}
	if err != nil {
		return &collection.ParseError{File: f.Name, Err: err}
	}
	return f.unpack(bytes.NewReader(data), opt)
}

// randomAccess is a file with random access, as zips need.
type randomAccess interface {
	io.ReaderAt
	io.Seeker
}

// prepend prepends head to r.
func prepend(head []byte, r io.Reader) io.Reader {
	whole := io.MultiReader(bytes.NewReader(head), r)
	if at, ok := r.(randomAccess); ok {
		return struct {
			io.Reader
			randomAccess
		}{whole, at}
	}
	return whole
}

// unpack reads a saved comparison or snapshot within the device's limits.
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

// endings are removed from names.
var endings = []string{".gz", ".bz2", ".run", ".txt", ".trec", ".res", ".out", ".eval", ".json", ".jsonl", ".csv",
	".tsv"}

// Name returns the name of a run in a file: the last element of its path without the endings above, in any case.
// Endings are removed from the right while something remains: x.run.gz is x, and .run stays .run. A file in a zip
// has its own name, a run of a saved comparison its saved name, and a run from standard input its tag. Package
// compare distinguishes equal names: the second is "x (2)".
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

// scores returns the contents with integers in JSON interpreted as scores.
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
