//go:build !first

package worker

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

const (
	rankedChunks = 1000 // of each query
	spanDepth    = 5    // chunks of each query whose spans are measured, as in rankbox spans
)

// chunked is a collection of this device, and how its documents are split.
type chunked struct {
	bundle *bundle.Bundle
	fetch  bundle.Fetch
	way    string        // "whole" for documents
	chunks []chunk.Chunk // or the documents as chunks
}

// openChunked opens a kept collection as far as its chunks.
func openChunked(m *bundle.Manifest, fetch bundle.Fetch) (*chunked, error) {
	b, err := bundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	x := &chunked{bundle: b, fetch: fetch, way: "whole"}
	return x, x.read()
}

// read reads the chunks. The length of a whole document is not known: it is taken for a byte.
func (x *chunked) read() error {
	data, err := x.bundle.Beside(bundle.ChunksName, x.fetch)
	if err != nil {
		return err
	}
	if data == nil {
		for _, c := range x.bundle.Cards {
			x.chunks = append(x.chunks, chunk.Chunk{ID: c.ID, Document: c.ID, Ordinal: 1, Span: chunk.Span{End: 1}})
		}
		return nil
	}
	f, err := chunk.ReadFile(bundle.ChunksName, data)
	if err == nil {
		x.way, x.chunks = f.Chunking, f.Chunks
	}
	return err
}

// documents are the ends of the last chunks of all documents.
func (x *chunked) documents() map[string]int {
	out := map[string]int{}
	for _, c := range x.chunks {
		out[c.Document] = max(out[c.Document], c.Span.End)
	}
	return out
}

// chunkingsOf are the collections of this device that have the same documents, by their ids, in the order of how they
// are split. Of two that are split in the same way, the first in the order of ids counts.
func (d *Device) chunkingsOf(documents map[string]int) (out []*chunked, err error) {
	if d.Shelf == nil {
		return nil, nil
	}
	ids, err := d.Shelf.List()
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		m, err := d.manifestIn(ids, id)
		if err != nil || !strings.HasPrefix(id, UploadPrefix) {
			continue
		}
		x, err := openChunked(m, d.fetchOf(id))
		if err != nil {
			continue // damaged: opening it says so
		}
		own := x.documents()
		same := len(own) == len(documents)
		for doc := range own {
			_, ok := documents[doc]
			same = same && ok
		}
		if same && !slices.ContainsFunc(out, func(o *chunked) bool { return o.way == x.way }) {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b *chunked) int {
		return cmp.Or(boolOrder(b.way == "whole", a.way == "whole"), strings.Compare(a.way, b.way))
	})
	return out, nil
}

func boolOrder(a, b bool) int {
	if a == b {
		return 0
	} else if a {
		return 1
	}
	return -1
}

// measureWhole completes how long documents are, which is not known of those that are whole, from their chunks.
func measureWhole(all []*chunked, sizes map[string]int) {
	for _, x := range all {
		for doc, end := range x.documents() {
			sizes[doc] = max(sizes[doc], end)
		}
	}
	for _, x := range all {
		for k := range x.chunks {
			if c := &x.chunks[k]; x.way == "whole" {
				c.Span.End = sizes[c.Document]
			}
		}
	}
}

// chunkings makes runs of the systems over every chunking of the open collection's documents, for its judged queries.
// They are compared by the documents that they find, or by spans: the scores of each query then.
func (lr *localRuns) chunkings(r message.Request, s *message.Setting) (*intake.File, error) {
	if lr.open.session == nil {
		return nil, errNoCollection
	}
	open := &chunked{bundle: lr.open.session.Bundle(), fetch: lr.open.session.Fetch, way: "whole"}
	if err := open.read(); err != nil {
		return nil, err
	}
	sizes := open.documents()
	all, err := lr.device.chunkingsOf(sizes)
	if err != nil {
		return nil, err
	}
	if len(all) < 2 {
		return nil, errors.New("the documents of " + say.Visible(open.bundle.Manifest.Name) +
			" are split in one way on this device: split them again on Documents")
	}
	if n := len(all) * len(s.Chunkings); n > message.MaxRuns {
		return nil, errors.New(say.Count(n, "run", "runs") +
			" are more than are compared at once: open fewer systems on Search, or delete a chunking")
	}
	measureWhole(all, sizes)
	labels := chunk.Labels(lr.open.session.Queries.Qrels(), open.chunks)
	var whole []chunk.Chunk
	for _, doc := range slices.Sorted(maps.Keys(sizes)) {
		whole = append(whole, chunk.Chunk{ID: doc, Document: doc, Ordinal: 1, Span: chunk.Span{End: sizes[doc]}})
	}
	grades, _ := chunk.Grades(whole, labels)
	if grades.Len() == 0 {
		return nil, errors.New("no query of " + say.Visible(open.bundle.Manifest.Name) +
			" has judgments: grade some on Judge")
	}
	if s.Spans && !slices.ContainsFunc(labels, func(l chunk.Label) bool { return !l.Whole }) {
		return nil,
			errors.New(
				"the judgments are of whole documents, not of passages: grade chunks on Judge, or compare by document")
	}
	in := &compare.Input{Name: open.bundle.Manifest.Name, Qrels: grades, Queries: open.bundle.Queries}
	rows := [][]string{{"run", "query", "measure", "value"}}
	p := message.Progress{What: "Ranking", Total: len(all) * len(open.bundle.Queries), Unit: "queries"}
	for _, x := range all {
		runs, err := lr.rankChunks(r, x, s.Chunkings, open.bundle.Queries, grades, &p)
		if err != nil {
			return nil, err
		}
		rule := collection.ChunkRule{Map: make(map[string]string, len(x.chunks))}
		for _, c := range x.chunks {
			rule.Map[c.ID] = c.Document
		}
		var texts map[string]string
		for i, run := range runs {
			name := s.Chunkings[i] + ", " + x.way
			if s.Spans {
				if texts == nil {
					if texts, err = textsOf(x); err != nil {
						return nil, err
					}
				}
				rows = append(rows, spanRows(name, run, x.chunks, labels, texts)...)
				continue
			}
			byDocument, _ := run.Collapse(rule, name)
			in.Runs = append(in.Runs, compare.Named{Name: name, Run: byDocument})
		}
	}
	if !s.Spans {
		return &intake.File{Name: "the chunkings", Packed: &packed.File{Input: *in}}, nil
	}
	return intake.Read("chunkings.csv", intake.Any, strings.NewReader(sheet.CSV(rows)), collection.Options{})
}

// rankChunks returns the runs of systems over the chunks of a collection, for the judged queries.
func (lr *localRuns) rankChunks(r message.Request, x *chunked, systems []string, queries []collection.Query,
	grades *collection.Qrels, p *message.Progress) (out []*collection.Run, err error) {
	var judged []bundle.Judgment // so that queries are known by their ids
	for i, q := range queries {
		if grades.Has(q.ID) {
			judged = append(judged, bundle.Judgment{Query: i, Doc: x.chunks[0].ID, Grade: 1})
		}
	}
	s := experiment.NewSession(x.bundle, x.fetch).Adopt(queries, judged, x.bundle.Manifest.Hash)
	if enc := lr.open.encoder(); enc != nil {
		s.SetEncoder(enc)
	}
	builders := make([]*collection.RunBuilder, len(systems))
	for i := range builders {
		builders[i] = collection.NewRunBuilder("chunks")
	}
	stopped := lr.page.stopped(r, p)
	for _, q := range queries {
		p.Done++
		if !grades.Has(q.ID) {
			continue
		}
		if stopped() {
			return nil, errStopped
		}
		lists, problems, err := s.Rank(experiment.Spec{QueryID: q.ID, Systems: systems}, rankedChunks)
		if err != nil {
			return nil, err
		}
		for i, l := range lists {
			if problems[i] != "" {
				return nil, errors.New(systems[i] + ", " + x.way + ": " + problems[i])
			}
			if err := builders[i].Touch(q.ID); err != nil {
				return nil, err
			}
			for _, d := range l {
				if err := builders[i].Add(q.ID, d.Doc, d.Score); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, b := range builders {
		run, _ := b.Run()
		out = append(out, run)
	}
	return out, nil
}

// textsOf are the texts of documents that a collection is split from.
func textsOf(x *chunked) (map[string]string, error) {
	u, err := unsplitBundle(x.bundle, x.fetch)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, d := range u.src.Collection.Docs {
		out[d.ID] = d.Text
	}
	return out, nil
}

// spanRows are the span measures of a run, a query and measure a row.
func spanRows(name string, run *collection.Run, chunks []chunk.Chunk, labels []chunk.Label,
	texts map[string]string) (rows [][]string) {
	score := chunk.ScoreRun(run, spanDepth, chunks, labels, 1, func(doc string) string { return texts[doc] })
	at := strconv.Itoa(spanDepth)
	for i, q := range score.Queries {
		for _, m := range []struct {
			name  string
			value float64
		}{{"IoU@" + at, score.Scores[i].IoU}, {"token recall@" + at, score.Scores[i].Recall},
			{"token precision@" + at, score.Scores[i].Precision}} {
			rows = append(rows, []string{name, q, m.name, strconv.FormatFloat(m.value, 'g', -1, 64)})
		}
	}
	return rows
}
