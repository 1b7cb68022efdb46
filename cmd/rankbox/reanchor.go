package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/project/documents/anchor"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// reanchoring holds the options of rankbox reanchor.
type reanchoring struct {
	labels, old, new, mapping string
	oldChunks, newChunks      string // bundles
	out, qrels, unsure        string // files to write
	before, after, measure    string
	format                    string
	limits                    limits
	layers                    []string // of labels: who gave them
}

func (x *reanchoring) flags(f *flag.FlagSet) {
	f.StringVar(&x.old, "old", "", "the `file` or folder of documents that were labelled, as index took it; without "+
		"it, quotes and positions decide, and more labels are unsure")
	f.StringVar(&x.new, "new", "", "the `file` or folder of documents as they are now")
	f.StringVar(&x.mapping, "map", "", "a `file` that says how columns of the documents are used, as index took it")
	f.StringVar(&x.oldChunks, "old-chunks", "", "the labels or the earlier run name chunks: their `bundle`")
	f.StringVar(&x.newChunks, "new-chunks", "", "the `bundle` of chunks to write grades for")
	f.StringVar(&x.out, "o", "", "write the labels that were found again to this `file`")
	f.StringVar(&x.qrels, "qrels", "", "write their grades to this `file`: of chunks with -new-chunks, else of "+
		"documents")
	f.StringVar(&x.unsure, "unsure", "", "write the labels that a person must look at to this `file`")
	f.StringVar(&x.before, "before", "", "the `run` over the old documents or chunks")
	f.StringVar(&x.after, "after", "", "the `run` over the new ones: says how much of a change is due to labels that "+
		"moved and how much to the retriever")
	f.StringVar(&x.measure, "m", measure.Defaults()[0], "the measure of -before and -after")
	f.StringVar(&x.format, "f", "text", "output: text or json")
	x.limits.flags(f)
}

func (x *reanchoring) check(words []string) error {
	switch {
	case len(words) != 1 || x.new == "":
		return usagef("want one file of labels and the documents as they are now (-new)")
	case x.oldChunks != "" && x.old == "":
		return usagef("-old-chunks needs -old, the documents that were cut")
	case (x.before == "") != (x.after == ""):
		return usagef("-before and -after go together")
	case x.before != "" && x.old == "":
		return usagef("-before needs -old, the documents that it ranked")
	}
	if err := checkTextOrJSON(x.format); err != nil {
		return err
	}
	x.labels = words[0]
	if _, err := measure.Parse(x.measure); err != nil {
		return usageError{err}
	}
	return nil
}

// reanchor finds labels again in documents that were edited, renamed or cut into other chunks.
func reanchor(c *context, args []string) error {
	f := flag.NewFlagSet("reanchor", flag.ContinueOnError)
	var x reanchoring
	x.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if err := x.check(words); err != nil {
		return err
	}
	c.limits = x.limits.Limits
	var old, new anchor.Units
	var oldIDs, newIDs []string
	if new, newIDs, err = x.units(c, x.new, x.newChunks); err != nil {
		return err
	}
	if x.old != "" {
		if old, oldIDs, err = x.units(c, x.old, x.oldChunks); err != nil {
			return err
		}
	}
	labels, err := x.read(c, old)
	if err != nil {
		return err
	}
	var renamed map[string]string
	if x.old != "" {
		renamed = anchor.Renamed(oldIDs, newIDs, old.Texts, new.Texts)
	}
	results := anchor.Anchors(labels, old.Texts, new.Texts, renamed)
	found, err := x.write(results, new)
	if err != nil {
		return err
	}
	var change *movement
	if x.before != "" {
		if change, err = x.change(c, labels, found, old, new, renamed); err != nil {
			return err
		}
	}
	out, end := c.output(x.format)
	defer end()
	if x.format == "json" {
		return reanchoredJSON(out, results, len(renamed), change)
	}
	return x.reanchoredText(out, results, len(renamed), change)
}

// units reads documents, and the chunks that they were cut into.
func (x *reanchoring) units(c *context, name, bundle string) (u anchor.Units, ids []string, err error) {
	from := opening{limits: x.limits}
	docs, err := from.documentsOf(c, name, x.mapping)
	if err != nil {
		return u, nil, err
	}
	u.Texts = textOf(docs)
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	if bundle != "" {
		file, err := readChunks(c, bundle, u.Texts)
		if err != nil {
			return u, nil, err
		}
		u.Chunks = file.Chunks
	}
	return u, ids, nil
}

// read reads the labels: passages, judgments of documents or chunks, or a workspace's grades that count.
func (x *reanchoring) read(c *context, old anchor.Units) (labels []chunk.Label, err error) {
	if isWorkspace(x.labels) {
		w, err := readWorkspace(x.labels, c.limits)
		if err != nil {
			return nil, err
		}
		q := collection.NewQrels()
		for _, r := range w.Resolve(nil) {
			q.Add(r.Query, r.Document, r.Grade)
		}
		labels = chunk.Labels(q, nil)
		for _, l := range labels {
			x.layers = append(x.layers, layerOf(w, l))
		}
	} else if labels, err = readLabels(c, x.labels); err != nil {
		return nil, err
	} else {
		x.layers = slices.Repeat([]string{strings.TrimSuffix(intake.Name(filepath.Base(x.labels)), ".qrels")},
			len(labels))
	}
	if old.Texts == nil {
		return labels, nil
	}
	at := make(map[string]chunk.Span, len(old.Chunks))
	of := make(map[string]string, len(old.Chunks))
	for _, k := range old.Chunks {
		at[k.ID], of[k.ID] = k.Span, k.Document
	}
	for i := range labels {
		l := &labels[i]
		if doc, ok := of[l.Document]; ok && l.Whole {
			l.Document, l.Span, l.Whole = doc, at[l.Document], false
		}
	}
	if err := chunk.Fit(labels, old.Texts); err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", x.labels, err)
	}
	return labels, nil
}

// layerOf is what the first layer is called that has the grade of a label, "" for none.
func layerOf(w *workspace.Workspace, l chunk.Label) string {
	for _, h := range w.Layers() {
		if g, ok := w.Layer(h.ID).Grade(l.Query, l.Document); ok && g == l.Grade && h.State == workspace.Counts {
			return h.Called()
		}
	}
	return ""
}

// write writes the files that were asked for, and returns the labels that were found again.
func (x *reanchoring) write(results []anchor.Result, new anchor.Units) (found []chunk.Label, err error) {
	for _, r := range results {
		if r.Status.Anchored() {
			found = append(found, r.New)
		}
	}
	var b bytes.Buffer
	for _, f := range []struct {
		name  string
		write func(w io.Writer) error
	}{
		{x.out, func(w io.Writer) error { return chunk.WriteLabels(w, found) }},
		{x.qrels, func(w io.Writer) error { return new.Grades(found).WriteTREC(w) }},
		{x.unsure, func(w io.Writer) error { return chunk.WriteUnsure(w, x.unsureLabels(results)) }},
	} {
		if f.name == "" {
			continue
		}
		b.Reset()
		if err := f.write(&b); err != nil {
			return nil, err
		}
		if err := os.WriteFile(f.name, b.Bytes(), 0o666); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// unsureLabels are labels that a person must look at: as they were, the passages that may be meant, and why.
func (x *reanchoring) unsureLabels(results []anchor.Result) (out []chunk.Unsure) {
	for i, r := range results {
		if r.Status == anchor.Unsure {
			out = append(out, chunk.Unsure{Query: r.Old.Query, Document: r.New.Document, Layer: x.layers[i],
				Grade: r.Old.Grade, Quote: r.Old.Quote, Span: r.New.Span, Candidate: r.New.Quote, Kept: r.Kept,
				Reason: r.Reason})
		}
	}
	return out
}

// movement is a change of a score in two steps.
type movement struct {
	Measure string  `json:"measure"`
	Queries int     `json:"queries"` // that have grades before and after
	Unit    string  `json:"unit"`
	Before  float64 `json:"before"`     // the earlier run with the earlier grades
	Moved   float64 `json:"relabelled"` // the earlier run at its new places, with the labels that were found again
	After   float64 `json:"after"`      // the run over the new documents with those labels
}

// change measures what the labels that moved and the retriever each change. Units are chunks if both sides are, and
// documents otherwise.
func (x *reanchoring) change(c *context, labels, found []chunk.Label, old, new anchor.Units,
	renamed map[string]string) (*movement, error) {
	before, _, err := ranking(c, x.before)
	if err != nil {
		return nil, err
	}
	after, _, err := ranking(c, x.after)
	if err != nil {
		return nil, err
	}
	if err := ranksAny(x.before, before, old, "-old and -old-chunks"); err != nil {
		return nil, err
	}
	if err := ranksAny(x.after, after, new, "-new and -new-chunks"); err != nil {
		return nil, err
	}
	m := &movement{Measure: x.measure, Unit: "chunk"}
	if old.Chunks == nil || new.Chunks == nil {
		m.Unit = "document"
		before, after = byDocument(before, old), byDocument(after, new)
		old.Chunks, new.Chunks = nil, nil
	}
	was, is := old.Grades(labels), new.Grades(found)
	was, is = common(was, is), common(is, was)
	if m.Queries = len(was.Queries()); m.Queries == 0 {
		return nil, fmt.Errorf("no query has grades before and after: nothing can be compared")
	}
	for _, s := range []struct {
		run    *collection.Run
		grades *collection.Qrels
		value  *float64
	}{{before, was, &m.Before}, {anchor.Translate(before, old, new, renamed), is, &m.Moved}, {after, is, &m.After}} {
		opened, err := compare.Open(compare.Input{Qrels: s.grades, Measures: []string{x.measure},
			Runs: []compare.Named{{Name: "run", Run: s.run}}})
		if err != nil {
			return nil, err
		}
		r, err := opened.Report(c.stop, nil)
		if err != nil {
			return nil, err
		}
		*s.value = r.Columns[0].Means[0]
	}
	return m, nil
}

// ranksAny is an error if a run ranks nothing of some units.
func ranksAny(name string, run *collection.Run, u anchor.Units, flags string) error {
	chunks := make(map[string]bool, len(u.Chunks))
	for _, k := range u.Chunks {
		chunks[k.ID] = true
	}
	var entries []collection.Entry
	first := ""
	for i := range run.Queries() {
		entries = run.Ranked(i, collection.DocIDDescending, entries)
		for _, e := range entries {
			if _, ok := u.Texts(e.Doc); chunks[e.Doc] || ok && u.Chunks == nil {
				return nil
			}
			if first == "" {
				first = e.Doc
			}
		}
	}
	return say.Faultf("rankbox", "%s ranks nothing that is there: its first id is %q. Check %s", name, first, flags)
}

// byDocument is a run of documents: that of its chunks if it ranks chunks.
func byDocument(run *collection.Run, u anchor.Units) *collection.Run {
	if u.Chunks == nil {
		return run
	}
	rule := collection.ChunkRule{Map: make(map[string]string, len(u.Chunks))}
	for _, k := range u.Chunks {
		rule.Map[k.ID] = k.Document
	}
	out, _ := run.Collapse(rule, "run")
	return out
}

// common are the grades of queries that other judgments have too.
func common(q, other *collection.Qrels) *collection.Qrels {
	out := collection.NewQrels()
	for _, query := range q.Queries() {
		if other.Has(query) {
			q.Each(query, func(doc string, grade float64) { out.Add(query, doc, grade) })
		}
	}
	return out
}

var statusMeaning = [...]string{"the same text at the same place", "the same text at another place",
	"the passage was edited", "a person must look", "the document or the passage is gone"}

func (x *reanchoring) reanchoredText(out io.Writer, results []anchor.Result, renamed int, change *movement) error {
	n := anchor.Count(results)
	for s, count := range n {
		fmt.Fprintf(out, "%-6s  %7s  %s\n", anchor.Status(s), say.Thousands(count), statusMeaning[s])
	}
	_, err := fmt.Fprintf(out, "%s of %s found again.\n", say.Thousands(n[0]+n[1]+n[2]),
		say.Count(len(results), "label was", "labels were"))
	if renamed > 0 {
		_, err = fmt.Fprintf(out, "%s found by the text.\n", say.Count(renamed, "renamed document was",
			"renamed documents were"))
	}
	reasons := map[string]int{}
	for _, r := range results {
		if r.Reason != "" {
			reasons[r.Status.String()+": "+r.Reason]++
		}
	}
	for _, reason := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		if d := reasons[b] - reasons[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}) {
		_, err = fmt.Fprintf(out, "  %s × %s\n", say.Thousands(reasons[reason]), reason)
	}
	if change == nil {
		return err
	}
	var plain say.Style
	_, err = fmt.Fprintf(out, "\n%s by %s over %s with grades before and after\n"+
		"  %s  earlier run, earlier labels\n  %s  labels and passages moved: the earlier run at its new places: %s\n"+
		"  %s  the retriever changed: the new run, the same labels: %s\n",
		change.Measure, change.Unit, say.Count(change.Queries, "query", "queries"),
		plain.Number(change.Before, 4), plain.Signed(change.Moved-change.Before, 4), plain.Number(change.Moved, 4),
		plain.Signed(change.After-change.Moved, 4), plain.Number(change.After, 4))
	return err
}

func reanchoredJSON(out io.Writer, results []anchor.Result, renamed int, change *movement) error {
	n := anchor.Count(results)
	text, err := json.Marshal(struct {
		Format  string    `json:"format"`
		Version int       `json:"version"`
		Kept    int       `json:"kept"`
		Moved   int       `json:"moved"`
		Edited  int       `json:"edited"`
		Unsure  int       `json:"unsure"`
		Lost    int       `json:"lost"`
		Renamed int       `json:"renamed_documents"`
		Change  *movement `json:"change,omitempty"`
	}{"rankbox-reanchored", 1, n[0], n[1], n[2], n[3], n[4], renamed, change})
	if err == nil {
		_, err = io.WriteString(out, say.Escaped(string(text))+"\n")
	}
	return err
}
