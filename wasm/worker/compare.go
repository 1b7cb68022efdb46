//go:build !js || runs

package worker

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// bench is what the worker keeps for the Compare screen: the files it has read, and the last comparisons made of them.
type bench struct {
	files  map[int]*given
	link   string // the link that linked was read from
	linked *compare.Input
	kept   []*kept // the newest first

	// of the comparison that is being made
	first   *message.First
	firstOf []string                   // its measures
	means   map[int][]message.FirstRun // of a file
}

// given is a file as it was read.
type given struct {
	file     message.File
	contents []*collection.Content
	packed   *compare.Input
	snapshot *compare.Report
	chunks   map[string]string // which document each chunk belongs to
	bytes    int64             // about what is kept of it, in memory
	problem  string
	line     int
}

// kept is a comparison with what it was made of.
type kept struct {
	key    string // of the figures
	tests  string // how they are tested
	labels string // names of the runs and the baseline, which no figure depends on
	in     compare.Input
	c      *compare.Comparison
	report *compare.Report
	link   string
	save   compare.Saving
	tested map[int]*compare.Tested // a column
	looked looked
}

// keepComparisons is how many comparisons are kept, so that undo and a switch that is tried out cost nothing.
const keepComparisons = 4

// linkable is how many documents of all runs together are tried to be packed into a link: beyond it none has ever fitted.
const linkable = 30_000

// savable is how many documents of all runs together are saved as one file: ten times as many would take minutes, and be more than is
// opened again (maxPacked).
const savable = 2_000_000

// documents counts those of all runs.
func documents(in compare.Input) int {
	n := 0
	for _, run := range in.Runs {
		n += run.Run.Len()
	}
	return n
}

var errStopped = errors.New("worker: a newer request came")

// stopped reports whether the work on a request is no longer wanted. It lets messages in now and then, and tells the page that the
// worker is alive.
func (e *Engine) stopped(r message.Request, p *message.Progress) func() bool {
	last := e.now()
	return func() bool {
		now := e.now()
		if now-last < 60_000 {
			return false
		}
		e.tell(r, *p)
		if e.Pause != nil {
			e.Pause()
		}
		last = e.now()
		return e.Outdated != nil && e.Outdated(r)
	}
}

// now is the time in microseconds, 0 where there is no clock.
func (e *Engine) now() float64 {
	if e.clock == nil {
		return 0
	}
	return e.clock()
}

func (e *Engine) tell(r message.Request, p message.Progress) {
	if r.Kind == message.Runs {
		p.First = e.bench.first
	}
	e.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &p})
}

// compare answers Runs: it reads what is new, measures, tests, and says what came out.
func (e *Engine) compare(r message.Request) (*message.Compared, error) {
	s := r.Setting
	if s == nil {
		return nil, errors.New("the request is empty")
	}
	b := &e.bench
	start := e.now()
	b.first, b.means = nil, map[int][]message.FirstRun{}
	e.tell(r, message.Progress{What: "Comparing"})
	if b.files == nil {
		b.files = map[int]*given{}
	}
	for id := range b.files {
		if !slices.ContainsFunc(s.Files, func(f message.File) bool { return f.ID == id }) {
			delete(b.files, id)
		}
	}
	if err := e.read(r); err != nil {
		return nil, err
	}
	out := &message.Compared{Measures: s.Measures, Policy: s.Policy, Baseline: s.Baseline}
	in, err := e.gather(s, out)
	if err != nil {
		return nil, err
	}
	if in.Qrels == nil || in.Qrels.Len() == 0 {
		out.Need = "qrels"
		if len(in.Runs) == 0 {
			out.Need = "runs and qrels"
		}
	} else if len(in.Runs) == 0 {
		out.Need = "runs"
	}
	if out.Need != "" {
		return out, nil
	}
	if s.Chosen {
		in.Measures = s.Measures
		if in.Policy, in.Testing, err = compare.ReadPolicy(s.Policy); err != nil {
			return nil, err
		}
		in.Baseline = s.Baseline
	}
	if in.Baseline < 0 || in.Baseline >= len(in.Runs) {
		in.Baseline = 0
	}
	for i, o := range out.Origins {
		for _, n := range s.Names {
			if n.Origin == o && n.Name != "" {
				in.Runs[i].Name = n.Name
			}
		}
	}
	out.View = in.View.String()
	k, err := e.measured(r, s, in)
	if err != nil {
		return nil, err
	}
	out.Report, out.Link, out.Without = k.report, k.link, without(k.save)
	out.Measures, out.Policy, out.Baseline = k.report.Measures, compare.WritePolicy(in.Policy, in.Testing), in.Baseline
	for _, run := range in.Runs {
		if sep := collection.SuggestSeparator(run.Run, in.Qrels); sep != "" && s.Separator == "" {
			out.Separator = sep
			break
		}
	}
	for _, f := range s.Files {
		g := b.files[f.ID]
		if g == nil || g.snapshot == nil {
			continue
		}
		t := compare.DefaultThreshold
		if s.Relative > 0 {
			t.Relative = s.Relative
		}
		if s.Absolute > 0 {
			t.Absolute = s.Absolute
		}
		out.Snapshot = f.Name
		p := message.Progress{What: "Comparing with the snapshot"}
		change, err := compare.Regress(g.snapshot, k.report, t, e.stopped(r, &p))
		switch {
		case errors.Is(err, compare.ErrCancelled):
			return nil, errStopped
		case err != nil:
			out.Against = append(out.Against, sentence(strings.TrimPrefix(err.Error(), "compare: regress: ")))
		default:
			out.Regression = change.Changes
			out.Against = change.Warnings
		}
	}
	out.Saved = (e.now() - start) / 1000
	return out, nil
}

// without says what a link leaves out.
func without(s compare.Saving) string {
	var parts []string
	if s.Depth > 0 {
		parts = append(parts, "documents below rank "+strconv.Itoa(s.Depth))
	}
	if s.Names {
		parts = append(parts, "the ids of judged documents that no run has")
	}
	if s.Scores {
		parts = append(parts, "the scores, of which it keeps the order")
	}
	return strings.Join(parts, " and ")
}

// measured returns the comparison of an input, from those that are kept where it is there.
func (e *Engine) measured(r message.Request, s *message.Setting, in compare.Input) (*kept, error) {
	b := &e.bench
	if len(in.Measures) == 0 {
		in.Measures = in.Defaults()
	}
	// what the figures depend on, and nothing else
	plain := message.Setting{Files: s.Files, Link: s.Link, Example: s.Example, Measures: in.Measures, Policy: in.Policy.String(), Separator: s.Separator, First: s.First}
	k := &kept{key: string(wire.Marshal(&plain)), tests: in.Testing.String(), in: in, tested: map[int]*compare.Tested{}}
	k.labels = strconv.Itoa(in.Baseline)
	for _, run := range in.Runs {
		k.labels += "\x00" + run.Name
	}
	if i := slices.IndexFunc(b.kept, func(o *kept) bool { return o.key == k.key && o.tests == k.tests && o.labels == k.labels }); i >= 0 {
		found := b.kept[i]
		b.kept = slices.Insert(slices.Delete(b.kept, i, i+1), 0, found)
		return found, nil
	}
	var err error
	if k.c, err = compare.Open(in); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(b.kept, func(o *kept) bool { return o.key == k.key && o.tests == k.tests }); i >= 0 {
		k.report, k.tested, k.looked.statistics = k.c.Relabel(b.kept[i].report), b.kept[i].tested, b.kept[i].looked.statistics
	} else if i := slices.IndexFunc(b.kept, func(o *kept) bool { return o.key == k.key }); i >= 0 {
		p := message.Progress{What: "Testing the differences"}
		if k.report, err = k.c.Retest(b.kept[i].report, e.stopped(r, &p)); errors.Is(err, compare.ErrCancelled) {
			return nil, errStopped
		} else if err != nil {
			return nil, err
		}
	} else if err := e.measure(r, k); err != nil {
		return nil, err
	}
	entries := 0
	for _, run := range in.Runs {
		entries += run.Run.Len()
	}
	if entries <= linkable {
		if link, save, err := compare.Link(in); err == nil {
			k.link, k.save = link, save
		}
	}
	b.kept = slices.Insert(b.kept, 0, k)
	if len(b.kept) > keepComparisons {
		b.kept = b.kept[:keepComparisons]
	}
	return k, nil
}

// measure makes the report.
func (e *Engine) measure(r message.Request, k *kept) (err error) {
	p := message.Progress{What: "Measuring"}
	k.report, err = k.c.Report(e.stopped(r, &p), func(done, total int) {
		p.Done, p.Total = done, total
		if done == total {
			p = message.Progress{What: "Testing the differences"}
		}
	})
	if errors.Is(err, compare.ErrCancelled) {
		return errStopped
	}
	return err
}

// testOn returns the paired tests on a measure.
func (e *Engine) testOn(r message.Request, k *kept, measure string) (*compare.Tested, error) {
	column := slices.Index(k.report.Measures, measure)
	if t := k.tested[column]; t != nil {
		return t, nil
	}
	p := message.Progress{What: "Testing the differences"}
	t, err := k.report.TestOn(column, e.stopped(r, &p))
	if errors.Is(err, compare.ErrCancelled) {
		return nil, errStopped
	}
	if err == nil {
		k.tested[column] = t
	}
	return t, err
}

// read reads the files of the setting that are not read yet.
func (e *Engine) read(r message.Request) error {
	total, done := 0, 0
	var fresh []message.File
	used := int64(0)
	for _, f := range r.Setting.Files {
		if g := e.bench.files[f.ID]; g != nil {
			used += g.bytes
			continue
		}
		fresh = append(fresh, f)
		total += f.Size
	}
	limit := int64(r.Setting.Limit)
	if limit <= 0 {
		limit = 1 << 30
	}
	// The small ones first: the judgments are among them as a rule, and with them every run that is read gives its first figures.
	slices.SortStableFunc(fresh, func(a, b message.File) int { return cmp.Compare(a.Size, b.Size) })
	for _, f := range fresh {
		p := message.Progress{What: "Reading " + f.Name, Done: done, Total: total}
		e.tell(r, p)
		if e.Files == nil {
			return errors.New("there are no files here")
		}
		source, err := e.Files(f.ID)
		g := &given{file: f}
		if err == nil {
			stopped := e.stopped(r, &p)
			in := watch(source, func(n int) error {
				p.Done = min(done+n, done+f.Size)
				if stopped() {
					return errStopped
				}
				return nil
			})
			err = g.read(in, min(limit, collection.Together(limit-used)), stopped)
			if c, ok := source.(io.Closer); ok {
				c.Close()
			}
		}
		if errors.Is(err, errStopped) {
			return errStopped
		}
		if err != nil {
			g.problem = err.Error()
			if pe, ok := errors.AsType[*collection.ParseError](err); ok {
				g.problem, g.line = pe.Err.Error(), pe.Line
			}
			if _, ok := errors.AsType[*collection.LimitError](err); ok {
				g.problem += ": a file may have " + say.Bytes(limit) + " after decompression on this device, all files together " + say.Bytes(collection.Together(limit))
			}
		}
		done += f.Size
		used += g.bytes
		e.bench.files[f.ID] = g
		if done < total { // what is measured next is the whole of it
			p.Done = done
			if err := e.early(r, e.stopped(r, &p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// early tells the means of the runs that are read while larger files are being read. It tells none where they might be others in the
// end: chunks that are still to be collapsed, queries that are left out because a run lacks them.
func (e *Engine) early(r message.Request, stopped func() bool) error {
	s := r.Setting
	if s.Separator != "" || s.Link != "" || s.Example || strings.Contains(s.Policy, "missing=skip") {
		return nil
	}
	var judged *collection.Content
	for _, f := range s.Files {
		g := e.bench.files[f.ID]
		if g == nil {
			continue
		}
		if g.chunks != nil || g.packed != nil {
			return nil
		}
		for _, c := range g.contents {
			if judged == nil && c.Qrels != nil && c.Qrels.Len() > 0 && c.Format != collection.QrelsJSON { // which may turn out to be a run
				judged = c
			}
		}
	}
	if judged == nil {
		return nil
	}
	first := &message.First{}
	for _, f := range s.Files {
		g := e.bench.files[f.ID]
		if g == nil {
			continue
		}
		if runs, known := e.bench.means[f.ID]; known {
			first.Runs = append(first.Runs, runs...)
			continue
		}
		in := compare.Input{Qrels: judged.Qrels, Diversity: judged.Diversity, Preferences: judged.Preferences, Measures: s.Measures}
		if !s.Chosen {
			in.Measures = in.Defaults()
		}
		for _, c := range g.contents {
			if c.Run != nil {
				in.Runs = append(in.Runs, compare.Named{Name: stem(f.Name), Run: c.Run})
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
		means, err := c.Means(stopped)
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
		e.bench.means[f.ID] = runs
		e.bench.firstOf = c.Measures()
		first.Runs = append(first.Runs, runs...)
	}
	if len(first.Runs) == 0 {
		return nil
	}
	first.Measures = e.bench.firstOf
	e.bench.first = first
	return nil
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

// maxPacked is how large a saved comparison or snapshot may be, before decompression.
const maxPacked = 64 << 20

// read reads a file of any kind that is known.
func (g *given) read(r io.Reader, limit int64, stopped func() bool) error {
	if limit <= 0 {
		return &collection.ParseError{File: g.file.Name, Err: &collection.LimitError{Limit: "Bytes", Unit: "bytes", Max: 0, Got: int64(g.file.Size)}}
	}
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(r, head)
	head = head[:n]
	if errors.Is(err, errStopped) {
		return err
	}
	if at, ok := r.(anywhere); ok { // a zip stays where it is: its files are read out of it one by one
		r = struct {
			io.Reader
			anywhere
		}{io.MultiReader(bytes.NewReader(head), r), at}
	} else {
		r = io.MultiReader(bytes.NewReader(head), r)
	}
	if bytes.HasPrefix(head, []byte("RBXc")) || bytes.HasPrefix(head, []byte("RBXr")) {
		all, err := io.ReadAll(io.LimitReader(r, maxPacked+1))
		if err != nil {
			return err
		}
		if len(all) > maxPacked {
			return errors.New("a saved comparison of more than 64 MiB")
		}
		g.bytes = int64(len(all))
		if compare.IsReport(all) {
			g.snapshot, err = compare.UnpackReport(all)
		} else {
			g.packed, err = compare.Unpack(all)
		}
		return saved(err)
	}
	opt := collection.Options{Limits: collection.Limits{Bytes: limit}, Progress: func(string, int64) error {
		if stopped() {
			return errStopped
		}
		return nil
	}}
	if mapsChunks(head) {
		g.chunks, err = collection.ReadChunkMap(r, g.file.Name, opt)
		g.bytes = int64(g.file.Size)
		return err
	}
	c, err := collection.Read(g.file.Name, r, opt)
	if err != nil {
		return err
	}
	g.contents = []*collection.Content{c}
	if len(c.Files) > 0 {
		g.contents = c.Files
	}
	for _, c := range g.contents {
		if c.Run != nil {
			g.bytes += min(c.Run.Bytes(), c.Bytes)
		} else {
			g.bytes += c.Bytes
		}
	}
	return nil
}

// textsOf returns as documents what was read as queries for want of titles, where a benchmark asks for documents and there are none.
func (e *Engine) textsOf(files []message.File) (docs []collection.Doc) {
	asked := false
	for _, f := range files {
		g := e.bench.files[f.ID]
		if g == nil {
			continue
		}
		for _, c := range g.contents {
			asked = asked || c.Benchmark != nil
			if c.Format == collection.QueriesJSONL {
				for _, q := range c.Queries {
					docs = append(docs, collection.Doc{ID: q.ID, Text: q.Text})
				}
			}
		}
	}
	if !asked {
		return nil
	}
	return docs
}

// mapsChunks reports whether a file says which document each chunk belongs to: two columns whose heading names them, or a JSON
// object of strings.
func mapsChunks(head []byte) bool {
	text := strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff"))
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		rest = strings.TrimSpace(rest)
		if !strings.HasPrefix(rest, `"`) {
			return false
		}
		_, value, found := strings.Cut(rest[1:], `"`)
		value, colon := strings.CutPrefix(strings.TrimSpace(value), ":")
		return found && colon && strings.HasPrefix(strings.TrimSpace(value), `"`) && collection.Detect(head) == collection.Unknown
	}
	first, _, _ := strings.Cut(text, "\n")
	f := strings.FieldsFunc(strings.ToLower(first), func(r rune) bool { return r == ',' || r == '\t' || r == ' ' || r == '\r' })
	return len(f) == 2 && strings.HasPrefix(f[0], "chunk") && strings.HasPrefix(f[1], "doc")
}

// saved puts an error about a saved comparison into words.
func saved(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, wire.ErrDamaged):
		return errors.New("this saved comparison is damaged: bytes were lost or changed on its way")
	case errors.Is(err, compare.ErrNewer):
		return errors.New("this was saved by a later version of Rankbox: reload the page to get the present one")
	}
	return errors.New("this is no saved comparison")
}

// gather makes the input of a comparison of all files, and says of each what it is.
func (e *Engine) gather(s *message.Setting, out *message.Compared) (compare.Input, error) {
	var in compare.Input
	// Whole numbers in JSON are judgments, unless another file has some for certain: then they are scores.
	certain := false
	for _, f := range s.Files {
		if g := e.bench.files[f.ID]; g != nil {
			for _, c := range g.contents {
				certain = certain || c.Qrels != nil && c.Format != collection.QrelsJSON
			}
		}
	}
	for _, f := range s.Files {
		if g := e.bench.files[f.ID]; g != nil && certain {
			for _, c := range g.contents {
				c.AsRun()
			}
		}
	}
	judged := "" // the file that the judgments are from
	take := func(p *compare.Input) {
		if in.Qrels == nil {
			in.Name, in.Qrels, in.Diversity, in.Preferences = p.Name, p.Qrels, p.Diversity, p.Preferences
			in.Measures, in.Policy, in.Testing, in.Baseline, in.View = p.Measures, p.Policy, p.Testing, p.Baseline, p.View
		}
		in.Queries = append(in.Queries, p.Queries...)
	}
	// add takes the runs of a file, 0 for the link or the example, and reports whether there is room for them
	add := func(file int, runs ...compare.Named) bool {
		if len(in.Runs)+len(runs) > message.MaxRuns {
			return false
		}
		for _, run := range runs {
			n := 0
			for _, o := range out.Origins {
				if o.File == file {
					n++
				}
			}
			out.Origins = append(out.Origins, message.Origin{File: file, Run: n})
			in.Runs = append(in.Runs, run)
		}
		return true
	}
	const full = "20 runs are compared at once: take one out to make room for it" // message.MaxRuns
	if s.Link != "" {
		if e.bench.link != s.Link {
			p, err := compare.ReadLink(s.Link)
			if err != nil {
				return in, fmt.Errorf("this link could not be opened: %w", savedLink(err))
			}
			e.bench.link, e.bench.linked = s.Link, p
		}
		judged = "the link"
		take(e.bench.linked)
		add(0, e.bench.linked.Runs...)
	}
	if s.Example {
		p, err := e.example()
		if err != nil {
			return in, err
		}
		judged = "the example"
		take(p)
		add(0, p.Runs...)
	}
	rule := collection.ChunkRule{Separator: s.Separator, First: s.First}
	var docs []collection.Doc
	for _, f := range s.Files {
		if g := e.bench.files[f.ID]; g != nil {
			for chunk, doc := range g.chunks {
				if rule.Map == nil {
					rule.Map = map[string]string{}
				}
				rule.Map[chunk] = doc
			}
			for _, c := range g.contents {
				docs = append(docs, c.Docs...)
				if c.Collection != nil {
					docs = append(docs, c.Collection.Docs...)
				}
			}
		}
	}
	if len(docs) == 0 {
		docs = e.textsOf(s.Files)
	}
	type checked struct {
		file int
		run  *collection.Run
		name string
	}
	var checks []checked
	for _, f := range s.Files {
		g := e.bench.files[f.ID]
		d := message.FileRead{ID: f.ID, Name: f.Name}
		if g == nil {
			d.Problem = "it was not read"
			out.Files = append(out.Files, d)
			continue
		}
		d.Problem, d.Line = g.problem, g.line
		var what []string
		is := func(w string) {
			if !slices.Contains(what, w) {
				what = append(what, w)
			}
		}
		judge := func(q *collection.Qrels, div *collection.Diversity, prefs *collection.Preferences) {
			switch {
			case prefs != nil:
				is("preferences")
			case div != nil:
				is("qrels of subtopics")
			default:
				is("qrels")
			}
			d.Entries += q.Len()
			d.Queries = max(d.Queries, len(q.Queries()))
			if in.Qrels != nil {
				d.Problem = "the judgments are from " + judged + " already; remove one of the two"
				return
			}
			judged, in.Qrels, in.Diversity, in.Preferences = f.Name, q, div, prefs
		}
		if g.packed != nil {
			is("comparison")
			if in.Qrels != nil {
				d.Problem = "the judgments are from " + judged + " already; remove one of the two"
			} else {
				judged = f.Name
				take(g.packed)
				if !add(f.ID, g.packed.Runs...) {
					d.Problem = full
				}
				d.Queries, d.Entries = len(g.packed.Qrels.Queries()), g.packed.Qrels.Len()
				for _, run := range g.packed.Runs {
					d.Entries += run.Run.Len()
				}
			}
		}
		if g.chunks != nil {
			is("map of chunks")
			d.Entries = len(g.chunks)
		}
		if g.snapshot != nil {
			is("snapshot")
			d.Queries = len(g.snapshot.Queries)
		}
		for _, c := range g.contents {
			d.Lines += c.Lines
			settled, _ := collection.Fixable(c.Warnings)
			d.Fixable = d.Fixable || len(settled) > 0 && len(g.contents) == 1 && (c.Run != nil || c.Qrels != nil && c.Diversity == nil && c.Preferences == nil)
			for _, w := range c.Warnings {
				d.Notes = append(d.Notes, note(w, f.Name))
			}
			if c.Qrels != nil {
				judge(c.Qrels, c.Diversity, c.Preferences)
			}
			if q := c.Collection; q != nil {
				is("collection")
				in.Queries = append(in.Queries, q.Queries...)
				for _, w := range q.Warnings {
					d.Notes = append(d.Notes, note(w, f.Name))
				}
				if q.Qrels != nil && q.Qrels.Len() > 0 && c.Qrels == nil {
					judge(q.Qrels, nil, nil)
				}
			}
			if len(c.Queries) > 0 {
				is("queries")
				in.Queries = append(in.Queries, c.Queries...)
				d.Queries = max(d.Queries, len(c.Queries))
			}
			if len(c.Docs) > 0 {
				is("documents")
			}
			if c.Benchmark != nil {
				is("benchmark")
				if len(docs) == 0 {
					d.Problem = "its judgments name documents by references: drop the corpus beside it, so that they can be looked up"
				} else {
					res := c.Benchmark.Resolve(collection.NewResolver(docs), false)
					for _, w := range res.Warnings {
						d.Notes = append(d.Notes, note(w, f.Name))
					}
					in.Queries = append(in.Queries, res.Queries...)
					judge(res.Qrels, nil, nil)
				}
			}
			if c.Vectors != nil {
				is("vectors")
				d.Problem = "vectors are not compared here; runs and qrels are"
			}
			if c.Run != nil {
				is("run")
				d.Entries += c.Run.Len()
				d.Queries = max(d.Queries, c.Run.NumQueries())
				run := c.Run
				if s.Separator != "" || rule.Map != nil {
					var list []collection.Warning
					run, list = run.Collapse(rule, f.Name)
					for _, w := range list {
						d.Notes = append(d.Notes, note(w, f.Name))
					}
				}
				name := c.Name
				if len(g.contents) == 1 {
					name = f.Name
				}
				if !add(f.ID, compare.Named{Name: stem(name), Run: run}) {
					d.Problem = full
					continue
				}
				for i, other := range in.Runs[:len(in.Runs)-1] {
					if sameRun(other.Run, run) {
						d.Notes = append(d.Notes, message.Note{Message: "the run is the same as " + string(rune('A'+i)) + " (" + other.Name + "), ranking by ranking: was it dropped twice?"})
						break
					}
				}
				checks = append(checks, checked{len(out.Files), run, f.Name})
			}
		}
		if len(what) == 0 && d.Problem == "" {
			d.Problem = "it holds neither a run nor judgments"
		}
		d.What = strings.Join(what, " and ")
		out.Files = append(out.Files, d)
	}
	if in.Qrels != nil {
		for _, c := range checks {
			for _, w := range collection.Check(c.run, in.Qrels, c.name) {
				out.Files[c.file].Notes = append(out.Files[c.file].Notes, note(w, c.name))
			}
		}
	}
	return in, nil
}

// sameRun reports whether two runs have the same documents with the same scores for the same queries.
func sameRun(a, b *collection.Run) bool {
	if a.Len() != b.Len() || a.NumQueries() != b.NumQueries() {
		return false
	}
	var x, y []collection.Entry
	for i, q := range a.Queries() {
		j := b.Query(q)
		if j < 0 || a.Size(i) != b.Size(j) {
			return false
		}
		x, y = a.Ranked(i, collection.DocIDDescending, x), b.Ranked(j, collection.DocIDDescending, y)
		for k := range x {
			if x[k].Doc != y[k].Doc || x[k].Score != y[k].Score {
				return false
			}
		}
	}
	return true
}

func savedLink(err error) error {
	switch {
	case errors.Is(err, wire.ErrDamaged):
		return errors.New("it is damaged: characters were lost or changed on its way")
	case errors.Is(err, compare.ErrNewer):
		return errors.New("it was made by a later version of Rankbox")
	}
	return errors.New("it is no link of Rankbox")
}

// note puts a warning into words.
func note(w collection.Warning, file string) message.Note {
	n := message.Note{Line: w.Line, Count: w.Count, Message: w.Message}
	if w.File != file && w.File != "" {
		n.Message = w.File + ": " + n.Message
	}
	var more []string
	for i, p := range w.Places {
		if i > 0 && p.Line > 0 {
			more = append(more, strconv.Itoa(p.Line))
		}
	}
	if len(more) > 0 {
		n.Places = "also in line " + strings.Join(more, ", ")
		if w.Count > len(more)+1 {
			n.Places += " …"
		}
	}
	return n
}

// stem is a file's name without its folder and endings.
func stem(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, ending := range []string{".gz", ".run", ".txt", ".trec", ".res", ".json", ".csv", ".tsv", ".eval"} {
		if s, ok := strings.CutSuffix(name, ending); ok && s != "" {
			name = s
		}
	}
	return name
}

// exampleSystems are the runs of the example.
var exampleSystems = []struct{ name, notation string }{{"bm25", "bm25"}, {"dense", "dense"}, {"hybrid", "rrf(bm25, dense)"}}

// exampleDepth is how many documents of each query the example's runs hold.
const exampleDepth = 20

// example runs three systems on the open collection.
func (e *Engine) example() (*compare.Input, error) {
	if e.session == nil {
		return nil, errors.New("the example needs the demo collection, which is not open")
	}
	b := e.session.Bundle()
	in := &compare.Input{Name: b.Manifest.Name, Qrels: collection.NewQrels(), Queries: b.Queries}
	for _, j := range b.Judgments {
		in.Qrels.Add(b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	for _, x := range exampleSystems {
		n, err := pipeline.Parse(x.notation)
		if err != nil {
			return nil, err
		}
		ranker, err := e.session.Ranker(n)
		if err != nil {
			return nil, err
		}
		run := collection.NewRunBuilder(x.name)
		for _, q := range b.Queries {
			hits, err := ranker.Rank(rank.Query{ID: q.ID, Text: q.Text}, exampleDepth, nil, nil)
			if err != nil {
				continue // the query is missing in the run, which is what the report says then
			}
			for _, h := range hits {
				if err := run.Add(q.ID, b.Cards[h.Doc].ID, h.Score); err != nil {
					return nil, err
				}
			}
		}
		made, _ := run.Run()
		in.Runs = append(in.Runs, compare.Named{Name: x.name, Run: made})
	}
	return in, nil
}

// reasonsShown is how many documents of an explanation a row of the table shows.
const reasonsShown = 3

// ask answers a question about the comparison that was made last.
func (e *Engine) ask(r message.Request) (*message.Answer, error) {
	if len(e.bench.kept) == 0 || r.Ask == nil {
		return nil, errors.New("nothing is being compared")
	}
	k, a := e.bench.kept[0], r.Ask
	p := message.Progress{What: "Working"}
	stopped := e.stopped(r, &p)
	out := &message.Answer{Measure: a.Measure}
	switch r.Kind {
	case message.Reasons:
		for _, q := range a.Queries {
			if stopped() {
				return nil, errStopped
			}
			x, err := k.c.Explain(a.Measure, a.A, a.B, q)
			if err != nil {
				return nil, err
			}
			if len(x.Changes) > reasonsShown {
				x.Others += len(x.Changes) - reasonsShown
				x.Changes = x.Changes[:reasonsShown]
			}
			out.Reasons = append(out.Reasons, *x)
		}
	case message.Query:
		if len(a.Queries) != 1 {
			return nil, errors.New("one query is asked for at a time")
		}
		d := &message.Detail{Query: a.Queries[0], Measure: a.Measure}
		var err error
		if d.Sides, err = k.c.Sides(d.Query, a.Depth); err != nil {
			return nil, err
		}
		for i, s := range []int{a.A, a.B} {
			if i == 1 && a.A == a.B {
				break
			}
			u, err := k.c.Unfold(a.Measure, s, d.Query)
			if err != nil {
				return nil, err
			}
			if len(u.Rows) > unfoldedShown {
				u.Rows = u.Rows[:unfoldedShown]
			}
			d.Unfolded = append(d.Unfolded, *u)
		}
		if a.A != a.B {
			if d.Why, err = k.c.Explain(a.Measure, a.A, a.B, d.Query); err != nil {
				return nil, err
			}
		}
		said := []int{a.A, a.B}
		if a.A == a.B {
			said = said[:1]
		}
		if d.Said, err = k.c.Said(a.Measure, said, d.Query); err != nil {
			return nil, err
		}
		out.Detail = d
	case message.Opinions:
		var err error
		p.What = "Asking the other tools"
		if out.Opinions, err = k.c.Opinions(a.Measure, stopped); err != nil {
			if errors.Is(err, compare.ErrCancelled) {
				return nil, errStopped
			}
			return nil, err
		}
	case message.Tests:
		var err error
		if out.Tested, err = e.testOn(r, k, a.Measure); err != nil {
			return nil, err
		}
	case message.Export:
		return e.export(r, k)
	case message.Statistics, message.Agreement:
		return e.look(r, k)
	default:
		return nil, fmt.Errorf("request %d is not known", r.Kind)
	}
	return out, nil
}

// unfoldedShown is how many terms of a measure are sent to the page.
const unfoldedShown = 50

// export writes a file.
func (e *Engine) export(r message.Request, k *kept) (*message.Answer, error) {
	var b bytes.Buffer
	what := r.Ask.What
	out := &message.Answer{Type: "text/plain; charset=utf-8"}
	if what == "" { // what was asked before is wanted no longer
		return out, nil
	}
	format, queries := strings.CutSuffix(what, "-queries")
	if fix, ok := strings.CutPrefix(what, "fix "); ok {
		id, err := strconv.Atoi(fix)
		g := e.bench.files[id]
		if err != nil || g == nil || len(g.contents) != 1 {
			return nil, errors.New("that file is not open")
		}
		c := g.contents[0]
		switch {
		case c.Run != nil:
			err = c.Run.WriteTREC(&b)
			out.Name = stem(g.file.Name) + "-repaired.run"
		case c.Qrels != nil:
			err = c.Qrels.WriteTREC(&b)
			out.Name = stem(g.file.Name) + "-repaired.qrels"
		default:
			err = errors.New("only runs and qrels are written out again")
		}
		out.Bytes = b.Bytes()
		return out, err
	}
	switch what {
	case "comparison":
		entries := documents(k.in)
		if entries > savable {
			return nil, fmt.Errorf("runs of %d documents are too many for one file (%d fit): keep the run files, or save a snapshot of the report", entries, savable)
		}
		in := k.in
		in.View, _ = compare.ReadView(r.Ask.View) // what the page made; nothing depends on it
		data, err := compare.Pack(in, compare.Saving{})
		out.Name, out.Type, out.Bytes = "comparison.rankbox", "application/octet-stream", data
		return out, err
	case "snapshot":
		out.Name, out.Type, out.Bytes = "snapshot.rankbox-report", "application/octet-stream", k.report.Pack()
		return out, nil
	case "unjudged":
		p := message.Progress{What: "Looking for unjudged documents"}
		stopped := e.stopped(r, &p)
		open, err := k.c.Unjudged(compare.Window, func(done, total int) bool {
			p.Done, p.Total = done, total
			return !stopped()
		})
		if err != nil {
			return nil, errStopped
		}
		p = message.Progress{What: "Writing them", Total: len(open)}
		row := append([]string{"query", "document"}, k.c.Names()...)
		b.WriteString(compare.CSV([][]string{row}))
		for i, d := range open {
			if p.Done = i; stopped() {
				return nil, errStopped
			}
			row = append(row[:0], d.Query, d.ID)
			for _, rank := range d.Ranks {
				if rank > 0 {
					row = append(row, strconv.Itoa(rank))
				} else {
					row = append(row, "")
				}
			}
			b.WriteString(compare.CSV([][]string{row}))
		}
		out.Name, out.Type, out.Bytes = "unjudged.csv", "text/csv; charset=utf-8", b.Bytes()
		return out, nil
	}
	for _, f := range compare.Formats() {
		if f.Name == format {
			detail := compare.Detail{Queries: queries}
			if m := r.Ask.Measure; m != "" && m != k.report.Measures[0] && len(k.report.Systems) > 1 {
				t, err := e.testOn(r, k, m)
				if err != nil {
					return nil, err
				}
				detail.Tested = []*compare.Tested{t}
			}
			if err := k.report.Write(&b, format, detail); err != nil {
				return nil, err
			}
			out.Name, out.Type, out.Bytes = "comparison"+f.Ending, f.Type, b.Bytes()
			if queries {
				out.Name = "comparison-by-query" + f.Ending
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("there is no export %q", what)
}
