package intake

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/collection/identity"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
)

// Rule is how files become a comparison.
type Rule struct {
	Chunks  collection.ChunkRule // whose Map is added to by files that are maps
	MaxRuns int                  // how many runs are taken; 0 for all
	// Tables of scores are compared too; otherwise they are refused, with the command that does
	Scores bool
	Traces bool            // the same of traces of agents
	IDs    []identity.Rule // by which ids of runs are taken for those of the judgments; nil to the letter
}

// Gathered is a comparison, and what is to be said of the files it is made of.
type Gathered struct {
	Input   compare.Input
	View    packed.View       // what was looked at when what is compared was saved
	Origins []Origin          // of each run
	Files   []Told            // of each file
	Titles  map[string]string // of documents by id, as far as the files have them; nil for none
	Near    string            // the file of a run that has a third of the judged ids, or more, in another spelling only
	gatheredScores
}

// Origin says where a run is from.
type Origin struct {
	File int // index into the files
	Run  int // which of the runs of it
}

// Told is what became of a file.
type Told struct {
	What     []string // "run", "qrels", "queries", "comparison", "snapshot", …
	Lines    int
	Queries  int
	Entries  int // documents of runs, judgments of qrels
	Warnings []collection.Warning
	Fixable  bool  // written out again, some of the warnings are settled
	Problem  error // why it is not part of the comparison; nil where it is
}

// ErrNoCorpus is the problem of judgments that name documents by references where no file has the documents.
var ErrNoCorpus = errors.New("its judgments name documents by reference: add the file of the documents")

// SameRun is the kind of warning about a run that another file holds too.
const SameRun = "same-run"

// Gather makes the input of a comparison of all files. What keeps a file out of it is said in its Problem; Input.Qrels
// is nil where none has judgments.
func Gather(files []*File, rule Rule) *Gathered {
	g := &gathering{out: &Gathered{}, files: files, rule: rule}
	g.ambiguous()
	g.lookUps()
	for i, f := range files {
		g.at = i
		g.out.Files = append(g.out.Files, Told{})
		g.told = &g.out.Files[i]
		g.take(f)
	}
	g.finishScores()
	g.finishTraces()
	g.finishGolden()
	for _, d := range g.docs {
		if d.Title == "" {
			continue
		}
		if g.out.Titles == nil {
			g.out.Titles = map[string]string{}
		}
		g.out.Titles[d.ID] = d.Title
	}
	g.out.Input.Letters = g.out.Input.Letters.For(len(g.out.Input.Runs))
	if q := g.out.Input.Qrels; q != nil {
		for i, o := range g.out.Origins {
			if f := files[o.File]; f.Packed == nil {
				told, run := &g.out.Files[o.File], &g.out.Input.Runs[i]
				var list []collection.Warning
				if rule.IDs != nil {
					run.Run, list = identity.Repair(run.Run, q, rule.IDs, f.Name)
				}
				near, many := identity.Warnings(run.Run, q, f.Name)
				if many && g.out.Near == "" {
					g.out.Near = f.Name
				}
				told.Warnings = slices.Concat(list, near, told.Warnings)
				told.Warnings = append(told.Warnings, collection.Check(g.out.Input.Runs[i].Run, q, f.Name)...)
			}
		}
	}
	return g.out
}

// gathering is a Gather on its way.
type gathering struct {
	out    *Gathered
	files  []*File
	rule   Rule
	scores bool             // whole numbers in JSON are scores
	docs   []collection.Doc // in which references are looked up
	judged string           // the file that the judgments are from

	tables tables // of scores

	at   int // the file that is looked at
	told *Told
}

// contents are those of a file, read as they are meant.
func (g *gathering) contents(f *File) []*collection.Content {
	if g.scores && f.Role == Any {
		return f.scores()
	}
	return f.Contents
}

// ambiguous decides whether whole numbers in JSON are scores: where another file has judgments for certain.
func (g *gathering) ambiguous() {
	for _, f := range g.files {
		if f.Packed != nil || f.Role == Judgments {
			g.scores = true
		}
		for _, c := range f.Contents {
			if c.Qrels != nil && c.Format != collection.QrelsJSON || c.Collection != nil && c.Collection.Qrels != nil &&
				c.Collection.Qrels.Len() > 0 {
				g.scores = true
			}
		}
	}
}

// lookUps collects what other files are read with: maps of chunks and documents. What was read as queries for want of
// titles are documents where a benchmark asks for some and there are no others.
func (g *gathering) lookUps() {
	asked := false
	var texts []collection.Doc
	chunks := map[string]string{}
	for chunk, doc := range g.rule.Chunks.Map {
		chunks[chunk] = doc
	}
	for _, f := range g.files {
		for _, c := range f.Contents {
			for chunk, doc := range c.Chunks {
				chunks[chunk] = doc
			}
			g.docs = append(g.docs, c.Docs...)
			if c.Collection != nil {
				g.docs = append(g.docs, c.Collection.Docs...)
			}
			asked = asked || c.Benchmark != nil
			if c.Format == collection.QueriesJSONL && f.Role != Queries {
				for _, q := range c.Queries {
					texts = append(texts, collection.Doc{ID: q.ID, Text: q.Text})
				}
			}
		}
	}
	if len(chunks) > 0 {
		g.rule.Chunks.Map = chunks
	}
	if len(g.docs) == 0 && asked {
		g.docs = texts
	}
}

// is notes what a file is.
func (g *gathering) is(what string) {
	if !slices.Contains(g.told.What, what) {
		g.told.What = append(g.told.What, what)
	}
}

// problem keeps the first reason why a file is left out.
func (g *gathering) problem(err error) {
	if g.told.Problem == nil {
		g.told.Problem = err
	}
}

// take takes a file in.
func (g *gathering) take(f *File) {
	if f.Packed != nil {
		g.packed(f)
	}
	if f.Snapshot != nil {
		g.is("snapshot")
		g.told.Queries = len(f.Snapshot.Queries)
	}
	for _, c := range g.contents(f) {
		g.content(f, c)
	}
	g.scored(f)
	if len(g.told.What) == 0 {
		g.problem(errors.New("it holds neither a run nor judgments"))
	}
	g.said(f)
}

// said holds a file against the role that it was said to have.
func (g *gathering) said(f *File) {
	reads := ""
	if len(f.Contents) == 1 {
		reads = ": it looks like " + string(f.Contents[0].Format)
	}
	if slices.Contains(g.told.What, "scores") || slices.Contains(g.told.What, "traces") {
		return // finishScores says what it is
	}
	has := func(what ...string) bool {
		return slices.ContainsFunc(what, func(w string) bool { return slices.Contains(g.told.What, w) })
	}
	switch {
	case f.Role == Judgments && !has("golden set", "qrels", "preferences", "qrels of subtopics", "benchmark"):
		g.told.Problem = errors.New("it holds no judgments" + reads)
	case f.Role == Runs && !has("run"):
		g.told.Problem = errors.New("it is not a run" + reads)
	case f.Role == Queries && !has("queries", "collection", "benchmark"):
		g.told.Problem = errors.New("it holds no queries" + reads)
	case f.Role == Corpus && !has("documents", "collection"):
		g.told.Problem = errors.New("it holds no documents" + reads)
	}
}

// packed takes a saved comparison in.
func (g *gathering) packed(f *File) {
	g.is("comparison")
	in, p := &g.out.Input, f.Packed
	if in.Qrels != nil {
		g.twice()
		return
	}
	if p.Graded != nil && len(in.Runs) > 0 {
		g.problem(errGrades)
		return
	}
	g.judged = f.Name
	in.Name, in.Qrels, in.Diversity, in.Preferences = p.Name, p.Qrels, p.Diversity, p.Preferences
	in.Measures, in.Policy, in.Protocol, in.Baseline = p.Measures, p.Policy, p.Protocol, p.Baseline
	in.Graded = p.Graded
	g.out.View = p.View
	if places := p.View.Places(); places != nil {
		for range in.Runs {
			in.Letters = append(in.Letters, -1) // the runs before it take what is free
		}
		in.Letters = append(in.Letters, places...)
	}
	in.Queries = append(in.Queries, p.Queries...)
	g.run(p.Runs...)
	g.told.Queries, g.told.Entries = len(p.Qrels.Queries()), p.Qrels.Len()
	for _, run := range p.Runs {
		g.told.Entries += run.Run.Len()
	}
}

// errGrades says why runs are not added to a comparison by grades.
var errGrades = errors.New("grades by rank cannot be compared with other runs, since they name no documents; " +
	"ask for the .rankbox file of that comparison")

// twice says that there are judgments already.
func (g *gathering) twice() {
	g.problem(errors.New("the judgments are from " + g.judged + " already; remove one of the two"))
}

// run takes runs of the present file in, where there is room for all of them.
func (g *gathering) run(runs ...compare.Named) bool {
	in := &g.out.Input
	if g.rule.MaxRuns > 0 && len(in.Runs)+len(runs) > g.rule.MaxRuns {
		if len(runs) > g.rule.MaxRuns {
			g.problem(&packed.LimitError{What: "runs", Got: len(runs), Max: g.rule.MaxRuns})
		} else {
			g.problem(fmt.Errorf("the limit is %d runs: remove one to add it", g.rule.MaxRuns))
		}
		return false
	}
	n := 0
	for _, o := range g.out.Origins {
		if o.File == g.at {
			n++
		}
	}
	for i := range runs {
		g.out.Origins = append(g.out.Origins, Origin{g.at, n + i})
	}
	in.Runs = append(in.Runs, runs...)
	return true
}

// judge takes judgments in.
func (g *gathering) judge(f *File, q *collection.Qrels, div *collection.Diversity, prefs *collection.Preferences) {
	switch {
	case prefs != nil:
		g.is("preferences")
	case div != nil:
		g.is("qrels of subtopics")
	default:
		g.is("qrels")
	}
	g.told.Entries += q.Len()
	g.told.Queries = max(g.told.Queries, len(q.Queries()))
	in := &g.out.Input
	if in.Qrels != nil {
		g.twice()
		return
	}
	g.judged, in.Qrels, in.Diversity, in.Preferences = f.Name, q, div, prefs
}

// content takes in what a file, or a file of a zip, holds.
func (g *gathering) content(f *File, c *collection.Content) {
	may := func(r Role) bool { return f.Role == Any || f.Role == r }
	in, told := &g.out.Input, g.told
	told.Lines += c.Lines
	settled, _ := collection.Fixable(c.Warnings)
	told.Fixable = told.Fixable || len(settled) > 0 && len(f.Contents) == 1 &&
		(c.Run != nil || c.Qrels != nil && c.Diversity == nil && c.Preferences == nil)
	told.Warnings = append(told.Warnings, c.Warnings...)
	if c.Chunks != nil {
		g.is("map of chunks")
		told.Entries += len(c.Chunks)
	}
	if c.Qrels != nil && may(Judgments) {
		g.judge(f, c.Qrels, c.Diversity, c.Preferences)
	}
	if q := c.Collection; q != nil {
		g.is("collection")
		if f.Role != Corpus {
			in.Queries = append(in.Queries, q.Queries...)
		}
		if q.Qrels != nil && q.Qrels.Len() > 0 && c.Qrels == nil && may(Judgments) {
			g.judge(f, q.Qrels, nil, nil)
		}
	}
	if len(c.Queries) > 0 && f.Role != Corpus {
		g.is("queries")
		in.Queries = append(in.Queries, c.Queries...)
		told.Queries = max(told.Queries, len(c.Queries))
	}
	if len(c.Docs) > 0 {
		g.is("documents")
	}
	if c.Benchmark != nil {
		g.benchmark(f, c)
	}
	if c.Vectors != nil {
		g.is("vectors")
		g.problem(errors.New("vectors cannot be compared; add runs and qrels"))
	}
	if c.Run != nil && may(Runs) {
		g.ranking(f, c)
	}
}

// benchmark looks the references of a benchmark's judgments up.
func (g *gathering) benchmark(f *File, c *collection.Content) {
	g.is("benchmark")
	if f.Role == Queries {
		for _, q := range c.Benchmark.Queries {
			g.out.Input.Queries = append(g.out.Input.Queries, collection.Query{ID: q.Key, Text: q.Text})
		}
		return
	}
	if len(g.docs) == 0 {
		g.problem(ErrNoCorpus)
		return
	}
	r := c.Benchmark.Resolve(collection.NewResolver(g.docs), false)
	g.told.Warnings = append(g.told.Warnings, r.Warnings...)
	g.out.Input.Queries = append(g.out.Input.Queries, r.Queries...)
	g.judge(f, r.Qrels, nil, nil)
}

// ranking takes a run in.
func (g *gathering) ranking(f *File, c *collection.Content) {
	g.is("run")
	told, in := g.told, &g.out.Input
	told.Entries += c.Run.Len()
	told.Queries = max(told.Queries, c.Run.NumQueries())
	if in.Graded != nil {
		g.problem(errGrades)
		return
	}
	run := c.Run
	if g.rule.Chunks.Separator != "" || g.rule.Chunks.Map != nil {
		var list []collection.Warning
		run, list = run.Collapse(g.rule.Chunks, f.Name)
		told.Warnings = append(told.Warnings, list...)
	}
	name := Name(c.Name)
	if f.Name == StandardInput {
		name = run.Tag
	}
	if !g.run(compare.Named{Name: name, Run: run}) {
		return
	}
	for _, other := range in.Runs[:len(in.Runs)-1] {
		if sameRun(other.Run, run) {
			told.Warnings = append(told.Warnings, collection.Warning{Kind: SameRun, File: f.Name, Count: 1,
				Message: "the run is the same as " + other.Name + ", ranking by ranking: was it given twice?"})
			break
		}
	}
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
