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
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

func init() { does(message.Runs, onBench, (*Engine).compare) }

// compare answers Runs: it reads what is new, measures, tests, and says what came out.
func (e *Engine) compare(r message.Request, s *message.Setting) (*message.Compared, error) {
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
	if err := e.read(r, s); err != nil {
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

// read reads the files of the setting that are not read yet.
func (e *Engine) read(r message.Request, s *message.Setting) error {
	total, done := 0, 0
	var fresh []message.File
	used := int64(0)
	for _, f := range s.Files {
		if g := e.bench.files[f.ID]; g != nil {
			used += g.bytes
			continue
		}
		fresh = append(fresh, f)
		total += f.Size
	}
	limit := int64(s.Limit)
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
			if err := e.early(r, s, e.stopped(r, &p)); err != nil {
				return err
			}
		}
	}
	return nil
}

// early tells the means of the runs that are read while larger files are being read. It tells none where they might be others in the
// end: chunks that are still to be collapsed, queries that are left out because a run lacks them.
func (e *Engine) early(r message.Request, s *message.Setting, stopped func() bool) error {
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
