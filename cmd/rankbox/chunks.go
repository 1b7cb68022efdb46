package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// chunking is how index cuts documents, if it does.
type chunking struct {
	written, separator, labels string
	parsed                     *chunk.Chunking
	rests                      []chunk.Rest // of the documents
}

func (x *chunking) flags(f *flag.FlagSet) {
	f.StringVar(&x.written, "chunk", "", "cut documents into chunks, which are indexed instead: "+
		strings.Join(chunk.Usages(), ", ")+"; docs/documents.md")
	f.StringVar(&x.separator, "separator", "", "with -chunk: what stands between a document's id and the number of "+
		"its chunk (default "+chunk.Separator+")")
	f.StringVar(&x.labels, "labels", "", "with -chunk: a `file` of graded passages, a JSON object a line: query, "+
		"document, start, end, quote, grade")
}

// check reads the chunking before any file is read.
func (x *chunking) check() (err error) {
	if x.written == "" {
		if x.separator != "" || x.labels != "" {
			return usagef("-separator and -labels need -chunk")
		}
		return nil
	}
	x.separator = cmp.Or(x.separator, chunk.Separator)
	if x.parsed, err = chunk.Parse(x.written); err != nil {
		return usageError{err}
	}
	return nil
}

// apply makes a collection of chunks of one of documents: grades and labels of documents become those of their chunks.
// It returns nil if nothing is cut.
func (x *chunking) apply(c *context, src *bundle.Source, headings map[int][]int, quiet bool) ([]chunk.Chunk, error) {
	if x.parsed == nil {
		return nil, nil
	}
	if len(src.Vectors)+len(src.Tokens)+len(src.Weights)+len(src.Runs) > 0 {
		return nil, errors.New("the collection holds vectors or runs of whole documents, which are none of chunks: " +
			"index its corpus.jsonl with -corpus, -queries and -qrels")
	}
	all := src.Collection
	labels := chunk.Labels(all.Qrels, nil)
	if x.labels != "" {
		more, err := readLabels(c, x.labels)
		if err != nil {
			return nil, err
		}
		if err := chunk.Fit(more, textOf(all.Docs)); err != nil {
			return nil, say.Faultf("rankbox", "%s: %w", x.labels, err)
		}
		labels = append(labels, more...)
	}
	chunks, err := x.parsed.Split(all.Docs, func(i int) []int { return headings[i] }, x.separator)
	if err != nil {
		return nil, err
	}
	x.rests = chunk.Rests(all.Docs, func(i int) []int { return headings[i] }, chunks)
	grades, lost := chunk.Grades(chunks, labels)
	if len(lost) > 0 && !quiet {
		fmt.Fprintf(c.err, "rankbox index: warning: %s for no chunk: the first is for the document %s and the query "+
			"%s\n",
			say.Count(len(lost), "label counts", "labels count"), say.Visible(lost[0].Document),
			say.Visible(lost[0].Query))
	}
	cut := *all
	cut.Docs, cut.Qrels = chunk.Docs(all.Docs, chunks), grades
	src.Collection = &cut
	return chunks, nil
}

// beside adds the file of spans to a bundle, and what the chunks leave out of their documents.
func (x *chunking) beside(src *bundle.Source, chunks []chunk.Chunk) error {
	if x.parsed == nil {
		return nil
	}
	spans, rest, err := chunk.Files(&chunk.File{Chunking: x.parsed.String(), Separator: x.separator, Chunks: chunks},
		x.rests)
	if err != nil {
		return err
	}
	src.Beside = append(src.Beside, bundle.Beside{Name: bundle.ChunksName, Data: spans},
		bundle.Beside{Name: chunk.RestFileName, Data: rest})
	return nil
}

// said is what a bundle holds, in words.
func (x *chunking) said(documents int, chunks []chunk.Chunk) string {
	if x.parsed == nil {
		return say.Count(documents, "document", "documents")
	}
	n := 0
	for i := range chunks {
		if chunks[i].Ordinal == 1 {
			n++
		}
	}
	return say.Count(len(chunks), "chunk", "chunks") + " of " + say.Count(n, "document", "documents") + " by " +
		x.parsed.String()
}

// readLabels reads labels of passages, or judgments of documents in any format that eval reads.
func readLabels(c *context, name string) ([]chunk.Label, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	most := cmp.Or(max(c.limits.Bytes, 0), 1<<30)
	b, err := within.All(f, 0, most)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", shown, err)
	}
	head := bytes.TrimSpace(bytes.TrimPrefix(b[:min(len(b), 1<<16)], []byte("\ufeff")))
	labels, fault := chunk.ReadLabels(shown, b)
	if fault == nil && len(labels) > 0 {
		return labels, nil
	}
	got, err := collection.Read(shown, bytes.NewReader(b), collection.Options{Prefer: collection.QrelsTREC,
		Limits: c.limits})
	if err == nil && got.Qrels != nil {
		return chunk.Labels(got.Qrels, nil), nil
	}
	if bytes.HasPrefix(head, []byte("{")) && fault != nil {
		return nil, fault
	}
	if err != nil {
		return nil, err
	}
	return nil, say.Faultf("rankbox", "%s holds neither labels nor judgments: it looks like %s", shown, got.Format)
}

// textOf returns the texts of documents by id.
func textOf(docs []collection.Doc) func(id string) (string, bool) {
	at := make(map[string]int, len(docs))
	for i := range docs {
		at[docs[i].ID] = i
	}
	return func(id string) (string, bool) {
		i, ok := at[id]
		if !ok {
			return "", false
		}
		return docs[i].Text, true
	}
}

// readChunks reads the spans of a bundle of chunks: its folder, or the file in it. Spans beyond the documents' texts
// are refused.
func readChunks(c *context, name string, text func(id string) (string, bool)) (*chunk.File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, bundle.ChunksName)
	}
	b, err := readFile(name, cmp.Or(max(c.limits.Bytes, 0), 1<<30))
	if err != nil {
		return nil, err
	}
	file, err := chunk.ReadFile(name, b)
	if err != nil {
		return nil, err
	}
	for _, x := range file.Chunks {
		if t, ok := text(x.Document); !ok {
			return nil, say.Faultf("rankbox", "%s: the chunk %q is of a document that is not there", name, x.ID)
		} else if x.Span.End > len(t) {
			return nil, say.Faultf("rankbox", "%s: the chunk %q ends at byte %d, but the text of its document has %s: "+
				"these are other documents", name, x.ID, x.Span.End, say.Count(len(t), "byte", "bytes"))
		}
	}
	return file, nil
}

// spanSystem is a run of chunks and its score.
type spanSystem struct {
	name, chunking string
	score          chunk.RunScore
}

// spans measures runs of chunks against labelled passages: token recall, precision and IoU.
func spans(c *context, args []string) error {
	f := flag.NewFlagSet("spans", flag.ContinueOnError)
	documents := f.String("documents", "", "the `file` or folder of documents that were cut, as index took it")
	mapping := f.String("map", "", "a `file` that says how columns of the documents are used, as index took it")
	depth := f.Int("k", 5, "how many chunks of each query count")
	level := f.Int("rel", 1, "lowest relevant grade")
	each := f.Bool("q", false, "print every query")
	format := f.String("o", "text", "output: text or json")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var from opening
	from.limits.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	switch {
	case len(words) < 2 || *documents == "":
		return usagef("want labels, runs as RUN=BUNDLE, and the documents that were cut (-documents)")
	case *depth < 1:
		return usagef("-k %d: want at least 1", *depth)
	}
	if err := checkTextOrJSON(*format); err != nil {
		return err
	}
	docs, err := from.documentsOf(c, *documents, *mapping)
	if err != nil {
		return err
	}
	text := textOf(docs)
	labels, err := readLabels(c, words[0])
	if err == nil {
		err = chunk.Fit(labels, text)
	}
	if err != nil {
		return err
	}
	var systems []spanSystem
	for _, w := range words[1:] {
		run, folder, ok := strings.Cut(w, "=")
		if !ok || run == "" || folder == "" {
			return usagef("%q is not RUN=BUNDLE: a run of chunks, and the bundle that holds them", w)
		}
		ranked, warnings, err := ranking(c, run)
		if err != nil {
			return err
		}
		if !*quiet {
			warn(c, "spans", warnings)
		}
		file, err := readChunks(c, folder, text)
		if err != nil {
			return err
		}
		s := spanSystem{run, file.Chunking, chunk.ScoreRun(ranked, *depth, file.Chunks, labels, *level,
			func(id string) string { t, _ := text(id); return t })}
		if n := len(s.score.Unknown); n > 0 {
			return say.Faultf("rankbox", "%s ranks %s that %s lacks: the first is %q", run,
				say.Count(n, "id", "ids"), folder, s.score.Unknown[0])
		}
		if len(s.score.Queries) == 0 {
			return say.Faultf("rankbox", "%s has no label with a grade of %d or more", words[0], *level)
		}
		systems = append(systems, s)
	}
	out, end := c.output(*format)
	defer end()
	if *format == "json" {
		return spansJSON(out, systems, *depth, *level)
	}
	return spansText(out, systems, *depth, *each)
}

// documentsOf reads documents as index does.
func (o *opening) documentsOf(c *context, name, mapping string) ([]collection.Doc, error) {
	var err error
	if c.limits = o.limits.Limits; mapping != "" {
		if o.mapping, err = readMapping(c, mapping); err != nil {
			return nil, err
		}
	}
	src, _, err := o.source(c, []string{name})
	if err != nil {
		return nil, err
	}
	return src.Collection.Docs, nil
}

// spansText prints a table of systems, and with each their queries.
func spansText(out io.Writer, systems []spanSystem, depth int, each bool) error {
	name := len("run")
	for _, s := range systems {
		name = max(name, utf8.RuneCountInString(say.Visible(s.name)))
	}
	fmt.Fprintf(out, "%-*s  %9s  %9s  %9s  %7s  %s\n", name, "run", "recall", "precision", "IoU", "queries", "chunking")
	row := func(label string, s chunk.SpanScore, n int, chunking string) {
		fmt.Fprintf(out, "%-*s  %9.4f  %9.4f  %9.4f  %7d  %s\n", name, say.Visible(label), s.Recall, s.Precision, s.IoU,
			n,
			chunking)
	}
	for _, s := range systems {
		row(s.name, s.score.Mean, len(s.score.Queries), s.chunking)
	}
	_, err := fmt.Fprintf(out, "Tokens are words. Means over queries with a relevant passage; the first %s of each "+
		"count.\n",
		say.Count(depth, "chunk", "chunks"))
	for _, s := range systems {
		if !each {
			break
		}
		fmt.Fprintf(out, "\n%s\n", say.Visible(s.name))
		for i, q := range s.score.Queries {
			x := s.score.Scores[i]
			_, err = fmt.Fprintf(out, "  %s  recall %.4f, precision %.4f, IoU %.4f: %d relevant, %d retrieved, %d "+
				"common\n",
				say.Visible(q), x.Recall, x.Precision, x.IoU, x.Relevant, x.Retrieved, x.Common)
		}
	}
	return err
}

// spansJSON writes every figure.
func spansJSON(out io.Writer, systems []spanSystem, depth, level int) error {
	type score struct {
		Query     string  `json:"query,omitempty"`
		Recall    float64 `json:"recall"`
		Precision float64 `json:"precision"`
		IoU       float64 `json:"iou"`
		Relevant  int     `json:"relevant"`
		Retrieved int     `json:"retrieved"`
		Common    int     `json:"common"`
	}
	type system struct {
		Run      string  `json:"run"`
		Chunking string  `json:"chunking"`
		Mean     score   `json:"mean"`
		Queries  []score `json:"queries"`
	}
	as := func(q string, s chunk.SpanScore) score {
		return score{q, s.Recall, s.Precision, s.IoU, s.Relevant, s.Retrieved, s.Common}
	}
	all := struct {
		Format  string   `json:"format"`
		Version int      `json:"version"`
		Depth   int      `json:"depth"`
		Level   int      `json:"level"`
		Systems []system `json:"systems"`
	}{"rankbox-spans", 1, depth, level, nil}
	for _, s := range systems {
		x := system{s.name, s.chunking, as("", s.score.Mean), nil}
		for i, q := range s.score.Queries {
			x.Queries = append(x.Queries, as(q, s.score.Scores[i]))
		}
		all.Systems = append(all.Systems, x)
	}
	text, err := json.Marshal(all)
	if err == nil {
		_, err = io.WriteString(out, say.Escaped(string(text))+"\n")
	}
	return err
}
