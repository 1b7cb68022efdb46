//go:build !first

package worker

import (
	"errors"
	"io"
	"sort"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
)

// fileBytes is how large a file may be, decompressed, unless the page sets another limit.
const fileBytes = 1 << 30

// roles is what Setting.Systems says of files.
var roles = map[string]intake.Role{"rows": intake.ScoreRows, "columns": intake.ScoreColumns,
	"measures": intake.ScoreMeasures}

// readFile is a file as it was read.
type readFile struct {
	*intake.File
	problem string // why it could not be read
	line    int
}

// read reads the file from r. limit is how many bytes it may have after decompression.
func (g *readFile) read(r io.Reader, f message.File, role intake.Role, limit int64, stopped func() bool) error {
	if limit <= 0 {
		return &collection.ParseError{File: f.Name, Err: &collection.LimitError{Limit: "Bytes", Unit: "bytes", Max: 0,
			Got: int64(f.Size)}}
	}
	within := collection.Limits{Bytes: limit}
	got, err := intake.Read(f.Name, role, r, collection.Options{Limits: within, Progress: func(string, int64) error {
		if stopped() {
			return errStopped
		}
		return nil
	}})
	if err == nil {
		g.File = got
	}
	return err
}

// read reads the files of the setting that are not read yet.
func (im *imported) read(r message.Request, s *message.Setting) error {
	total, done := 0, 0
	var fresh []message.File
	used := int64(0)
	for _, f := range s.Files {
		if g := im.files[f.ID]; g != nil {
			used += g.Bytes
			continue
		}
		fresh = append(fresh, f)
		total += f.Size
	}
	limit := int64(s.Limit)
	if limit <= 0 {
		limit = fileBytes
	}
	// The small ones first: the judgments are among them as a rule, and with them every run that is read gives its
	// first figures.
	sort.SliceStable(fresh, func(i, j int) bool { return fresh[i].Size < fresh[j].Size })
	for _, f := range fresh {
		p := message.Progress{What: "Reading " + f.Name, Done: done, Total: total}
		im.page.tell(r, p)
		if im.device.Files == nil {
			return errors.New("there are no files here")
		}
		source, err := im.device.Files(f.ID)
		g := &readFile{File: &intake.File{Name: f.Name}}
		if err == nil {
			stopped := im.page.stopped(r, &p)
			in := watch(source, func(n int) error {
				p.Done = min(done+n, done+f.Size)
				if stopped() {
					return errStopped
				}
				return nil
			})
			err = g.read(in, f, roles[s.Systems], min(limit, collection.Together(limit-used)), stopped)
			if c, ok := source.(io.Closer); ok {
				c.Close()
			}
		}
		if errors.Is(err, errStopped) {
			return errStopped
		}
		if err != nil {
			g.problem = say.Told(err)
			if pe, ok := errors.AsType[*collection.ParseError](err); ok {
				g.problem, g.line = say.Told(pe.Err), pe.Line
			}
			if _, ok := errors.AsType[*collection.LimitError](err); ok {
				g.problem += ": a file may have " + say.Bytes(limit) +
					" after decompression on this device, all files together " + say.Bytes(collection.Together(limit))
			}
		}
		done += f.Size
		used += g.Bytes
		im.files[f.ID] = g
		if done < total { // what is measured next is the whole of it
			p.Done = done
			if err := im.early(r, s, im.page.stopped(r, &p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// early tells the means of the runs that are read while larger files are being read. It tells none where they might be
// others in the end: chunks that are still to be collapsed, queries that are left out because a run lacks them.
func (im *imported) early(r message.Request, s *message.Setting, stopped func() bool) error {
	if s.Separator != "" || s.Link != "" || s.Here() || strings.Contains(s.Policy, "missing=skip") {
		return nil
	}
	judged := im.judged(s)
	if judged == nil {
		return nil
	}
	first := &message.First{}
	for _, f := range s.Files {
		g := im.files[f.ID]
		if g == nil {
			continue
		}
		if runs, known := im.means[f.ID]; known {
			first.Runs = append(first.Runs, runs...)
			continue
		}
		in := compare.Input{Qrels: judged.Qrels, Diversity: judged.Diversity, Preferences: judged.Preferences,
			Measures: s.Measures}
		if !s.Chosen {
			in.Measures = in.Defaults()
		}
		for _, c := range g.Contents {
			if c.Run != nil {
				in.Runs = append(in.Runs, compare.Named{Name: intake.Name(c.Name), Run: c.Run})
			}
		}
		if len(in.Runs) == 0 {
			continue
		}
		if s.Chosen {
			var err error
			if in.Policy, _, err = compare.ReadPolicy(s.Policy); err != nil {
				return nil // said later
			}
		}
		c, err := compare.Open(in)
		if err != nil {
			return nil // said later
		}
		means, err := c.Evaluation.Means(stopped)
		if err != nil {
			return errStopped
		}
		var runs []message.FirstRun
		for i, name := range c.Names() {
			run := message.FirstRun{Name: name}
			for m := range means {
				run.Means = append(run.Means, means[m][i])
			}
			runs = append(runs, run)
		}
		im.means[f.ID] = runs
		im.firstOf = c.Measures()
		first.Runs = append(first.Runs, runs...)
	}
	if len(first.Runs) == 0 {
		return nil
	}
	first.Measures = im.firstOf
	im.page.first = map[message.Kind]*message.First{message.Runs: first}
	return nil
}

// judged returns the first judgments of the files, nil if there are none or if the files bring more than runs and
// judgments.
func (im *imported) judged(s *message.Setting) (first *collection.Content) {
	for _, f := range s.Files {
		g := im.files[f.ID]
		if g == nil {
			continue
		}
		if g.Packed != nil {
			return nil
		}
		for _, c := range g.Contents {
			if c.Chunks != nil {
				return nil
			}
			// JSON may turn out to be a run
			if first == nil && c.Qrels != nil && c.Qrels.Len() > 0 && c.Format != collection.QrelsJSON {
				first = c
			}
		}
	}
	return first
}

// watched calls step with the count of bytes that were read so far; an error of it ends the reading.
type watched struct {
	r    io.Reader
	n    int
	step func(n int) error
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.r.Read(b)
	w.n += n
	if stop := w.step(w.n); stop != nil {
		return 0, stop
	}
	return n, err
}

// anywhere is a file that is read here and there, as a zip is.
type anywhere interface {
	io.ReaderAt
	io.Seeker
}

// watchedAnywhere is watched over one.
type watchedAnywhere struct {
	watched
	anywhere
}

func (w *watchedAnywhere) ReadAt(b []byte, at int64) (int, error) {
	n, err := w.anywhere.ReadAt(b, at)
	w.n += n
	if stop := w.step(w.n); stop != nil {
		return 0, stop
	}
	return n, err
}

// watch makes r call step; where r can be read here and there, so can what it returns.
func watch(r io.Reader, step func(n int) error) io.Reader {
	w := watched{r: r, step: step}
	if at, ok := r.(anywhere); ok {
		return &watchedAnywhere{w, at}
	}
	return &w
}
