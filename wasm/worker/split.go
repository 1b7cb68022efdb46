//go:build !first

package worker

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// split makes a collection of chunks of one of documents, and grades chunks by the rule of chunk.Grades. Without a
// chunking it stays as it is, and carries where headings are. It returns the chunks, or the documents as chunks.
func (a *collected) split(written string) ([]chunk.Chunk, error) {
	all := a.src.Collection
	headings := func(i int) []int { return a.headings[i] }
	if written == "" {
		chunks := chunk.Whole(all.Docs)
		rests := chunk.Rests(all.Docs, headings, chunks)
		if len(rests) == 0 {
			return chunks, nil
		}
		byID := make(map[string]chunk.Rest, len(rests))
		for _, r := range rests {
			byID[r.Document] = r
		}
		rests = rests[:0]
		for _, id := range slices.Sorted(maps.Keys(byID)) { // in whatever order the files came
			rests = append(rests, byID[id])
		}
		var b bytes.Buffer
		err := chunk.WriteRests(&b, rests)
		a.src.Beside = append(a.src.Beside, bundle.Beside{Name: chunk.RestFileName, Data: b.Bytes()})
		return chunks, err
	}
	way, err := chunk.Parse(written)
	if err != nil {
		return nil, err
	}
	a.sort()
	all = a.src.Collection
	chunks, err := way.Split(all.Docs, headings, chunk.Separator)
	if err != nil {
		return nil, err
	}
	spans, rest, err := chunk.Files(&chunk.File{Chunking: way.String(), Separator: chunk.Separator, Chunks: chunks},
		chunk.Rests(all.Docs, headings, chunks))
	if err != nil {
		return nil, err
	}
	a.src.Beside = append(a.src.Beside, bundle.Beside{Name: bundle.ChunksName, Data: spans},
		bundle.Beside{Name: chunk.RestFileName, Data: rest})
	grades, lost := chunk.Grades(chunks, chunk.Labels(all.Qrels, nil))
	if len(lost) > 0 {
		a.warnings = append(a.warnings, say.Count(len(lost), "judgment is", "judgments are")+
			" of documents that are not there.")
	}
	cut := *all
	cut.Docs, cut.Qrels = chunk.Docs(all.Docs, chunks), grades
	a.src.Collection = &cut
	a.src.Origin += ". " + say.Count(len(chunks), "chunk", "chunks") + " of " +
		say.Count(len(all.Docs), "document", "documents") + " by " + way.String()
	a.src.Name = say.Brief(a.src.Name, mostName-len(by)-len(way.String())) + by + way.String()
	return chunks, nil
}

// by stands between the name of a collection and how it is split.
const by = " by "

// sort sorts documents by their ids, so that the same documents give the same files in whatever order they came.
func (a *collected) sort() {
	docs := a.src.Collection.Docs
	order := make([]int, len(docs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(docs[x].ID, docs[y].ID) })
	sorted := make([]collection.Doc, len(docs))
	headings := make(map[int][]int, len(a.headings))
	for i, from := range order {
		sorted[i] = docs[from]
		if h, ok := a.headings[from]; ok {
			headings[i] = h
		}
	}
	whole := *a.src.Collection
	whole.Docs = sorted
	a.src.Collection, a.headings = &whole, headings
}

// unsplit is a kept collection with its documents whole again.
type unsplit struct {
	collected
	chunks []chunk.Chunk // as it is kept; nil if documents are
	given  []chunk.Label // the grades of the collection itself
}

// unsplitBundle reads the documents of an open one.
func unsplitBundle(b *bundle.Bundle, fetch bundle.Fetch) (*unsplit, error) {
	m := b.Manifest
	out := &unsplit{}
	out.headings = map[int][]int{}
	docs := make([]collection.Doc, len(b.Cards))
	at := make(map[string]int, len(docs))
	for i := 0; i < len(docs); {
		texts, _, err := b.Texts(i, fetch)
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			c := b.Cards[i]
			docs[i] = collection.Doc{ID: c.ID, Title: c.Title, Date: c.Date, Category: c.Category,
				Entities: c.Entities, Text: t}
			at[c.ID] = i
			i++
		}
	}
	queries := slices.Clone(b.Queries)
	needs, err := b.Needs(fetch)
	if err != nil {
		return nil, err
	}
	for i, n := range needs {
		queries[i].Description, queries[i].Narrative = n.Description, n.Narrative
	}
	qrels := collection.NewQrels()
	for _, j := range b.Judgments {
		qrels.Add(b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	all := &collection.Collection{Docs: docs, Queries: queries, Qrels: qrels, RemoveQuery: m.RemoveQuery}
	out.src = &bundle.Source{ID: "upload", Analyzer: m.Analyzer, Name: m.Name, Licence: m.Licence, Origin: origin,
		Collection: all}
	if err := out.join(b, fetch, at); err != nil {
		return nil, err
	}
	out.given, all.Qrels = chunk.Labels(qrels, out.chunks), collection.NewQrels()
	for _, model := range m.Models {
		if !model.Static() {
			out.warnings = append(out.warnings, "The vectors of "+say.Visible(model.Label)+" stay with "+
				say.Visible(m.Name)+": they are not of these chunks.")
		}
	}
	return out, nil
}

// join puts chunks together to documents. at is where each chunk is.
func (u *unsplit) join(b *bundle.Bundle, fetch bundle.Fetch, at map[string]int) error {
	spans, err := b.Beside(bundle.ChunksName, fetch)
	if err != nil {
		return err
	}
	data, err := b.Beside(chunk.RestFileName, fetch)
	if err != nil {
		return err
	}
	rests := map[string]chunk.Rest{}
	if data != nil {
		if rests, err = chunk.ReadRests(chunk.RestFileName, data); err != nil {
			return err
		}
	}
	all := u.src.Collection
	if spans == nil {
		for i := range all.Docs {
			if r, ok := rests[all.Docs[i].ID]; ok && r.Headings != nil {
				u.headings[i] = r.Headings
			}
		}
		return nil
	}
	if data == nil {
		return errors.New("it does not hold what its chunks leave out of the documents: open the documents themselves")
	}
	f, err := chunk.ReadFile(bundle.ChunksName, spans)
	if err != nil {
		return err
	}
	u.chunks = f.Chunks
	u.src.Name = strings.TrimSuffix(u.src.Name, by+f.Chunking)
	var docs []collection.Doc
	for from, to := 0, 0; from < len(f.Chunks); from = to {
		var texts []string
		for to = from; to < len(f.Chunks) && f.Chunks[to].Document == f.Chunks[from].Document; to++ {
			i, ok := at[f.Chunks[to].ID]
			if !ok {
				return errors.New("the chunk " + say.Visible(f.Chunks[to].ID) + " is missing")
			}
			texts = append(texts, all.Docs[i].Text)
			u.chunks[to].Doc = len(docs)
		}
		d := all.Docs[at[f.Chunks[from].ID]]
		d.ID = f.Chunks[from].Document
		r := rests[d.ID]
		if d.Text, err = chunk.Join(f.Chunks[from:to], texts, r); err != nil {
			return err
		}
		if r.Headings != nil {
			u.headings[len(docs)] = r.Headings
		}
		docs = append(docs, d)
	}
	all.Docs = docs
	return nil
}

// splitAgain makes a second collection of the documents of one that is kept. Its queries and grades come along.
func (u *uploads) splitAgain(r message.Request, ask *message.AskUpload) (*message.Uploaded, error) {
	u.page.tell(r, message.Progress{What: "Reading the documents"})
	was, err := u.device.unsplit(ask.From)
	if err != nil {
		return nil, err
	}
	chunks, err := was.split(ask.Chunking)
	if err != nil {
		return nil, err
	}
	grades, lost := chunk.Grades(chunks, was.given)
	was.src.Collection.Qrels = grades
	var w *workspace.Workspace
	if len(ask.Zip) > 0 {
		if w, err = workspace.Import("the workspace", ask.Zip, workspace.Limits{}); err != nil {
			return nil, err
		}
	}
	out, err := u.make(r, &was.collected)
	if err != nil || out == nil || w == nil {
		return out, err
	}
	edits, more := carried(w, was.chunks, chunks)
	if out.Edits = edits; len(lost)+more > 0 {
		out.Warnings = append(out.Warnings, say.Count(len(lost)+more, "judgment has", "judgments have")+
			" no place in the new chunks: it stays with the collection that was split.")
	}
	return out, nil
}

// carried are the edits of a workspace about chunks as edits about other chunks of the same documents, in records of a
// journal. Grades follow the rule of chunk.Grades, layer by layer. A note goes to the chunk that shares most with the
// one it was about. lost is how many judgments count for no chunk.
func carried(w *workspace.Workspace, old, new []chunk.Chunk) (records []byte, lost int) {
	c := &carrying{was: make(map[string]*chunk.Chunk, len(old)), of: chunk.ByDocument(new),
		layers: map[string]*carriedLayer{},
		notes:  map[[3]string]*workspace.Edit{}}
	for i := range old {
		c.was[old[i].ID] = &old[i]
	}
	for _, e := range w.All() {
		switch e.Kind {
		case workspace.SetGrade:
			c.grade(&e)
		case workspace.SetNote:
			c.note(e)
		case workspace.UnsetGrade, workspace.SetName:
		case workspace.SetSpec:
			if e.Form != workspace.Pool && e.Form != workspace.Unsure { // those name the documents as they were
				records = workspace.AppendRecord(records, &e)
			}
		default:
			records = workspace.AppendRecord(records, &e)
		}
	}
	document := make(map[string]string, len(new))
	for i := range new {
		document[new[i].ID] = new[i].Document
	}
	for _, layer := range c.order {
		l := c.layers[layer]
		grades, gone := chunk.Grades(new, chunk.Labels(l.grades, old))
		lost += len(gone)
		for _, q := range grades.Queries() {
			grades.Each(q, func(id string, grade float64) {
				records = workspace.AppendRecord(records, &workspace.Edit{Kind: workspace.SetGrade, Layer: layer,
					Query: q, Document: id, Grade: grade, Stamp: l.latest[[2]string{q, document[id]}]})
			})
		}
	}
	for _, key := range c.noted {
		records = workspace.AppendRecord(records, c.notes[key])
	}
	return records, lost
}

// carrying gathers grades and notes of a workspace.
type carrying struct {
	was    map[string]*chunk.Chunk // by id
	of     map[string][]chunk.Chunk
	layers map[string]*carriedLayer
	order  []string                      // of the layers
	notes  map[[3]string]*workspace.Edit // by layer, query and chunk
	noted  [][3]string
}

// carriedLayer is the grades of a layer, and the stamp of the latest for each query and document.
type carriedLayer struct {
	grades *collection.Qrels
	latest map[[2]string]workspace.Stamp
}

// document is what a chunk is of; an id that is of no chunk is a document's.
func (c *carrying) document(id string) string {
	if k := c.was[id]; k != nil {
		return k.Document
	}
	return id
}

func (c *carrying) grade(e *workspace.Edit) {
	l := c.layers[e.Layer]
	if l == nil {
		l = &carriedLayer{collection.NewQrels(), map[[2]string]workspace.Stamp{}}
		c.layers[e.Layer], c.order = l, append(c.order, e.Layer)
	}
	l.grades.Add(e.Query, e.Document, e.Grade)
	if at := [2]string{e.Query, c.document(e.Document)}; e.Stamp.Compare(l.latest[at]) > 0 {
		l.latest[at] = e.Stamp
	}
}

func (c *carrying) note(e workspace.Edit) {
	to := c.of[c.document(e.Document)]
	if len(to) == 0 || e.Text == "" {
		return
	}
	k := to[0]
	if was := c.was[e.Document]; was != nil {
		if best, ok := chunk.Best(to, was.Span); ok {
			k = best
		}
	}
	key := [3]string{e.Layer, e.Query, k.ID}
	if n := c.notes[key]; n != nil {
		text := n.Text + "\n" + e.Text
		n.Text = strings.ToValidUTF8(text[:min(len(text), workspace.MaxText)], "")
		return
	}
	e.Document = k.ID
	c.notes[key], c.noted = &e, append(c.noted, key)
}

// sampleOf shows how a document is split, and how long the chunks of all documents are that were read.
func sampleOf(docs []collection.Doc, headings map[int][]int, chunking string, at int) (s message.Sample) {
	if len(docs) == 0 {
		return s
	}
	at = max(0, min(at, len(docs)-1))
	d := &docs[at]
	s = message.Sample{At: at, Of: len(docs), ID: d.ID, Title: say.Brief(d.Title, previewCell)}
	for _, n := range [][2]string{{"date", d.Date}, {"category", d.Category}, {"url", d.URI}} {
		if n[1] != "" && n[1] != d.ID {
			s.Notes = append(s.Notes, n[0]+": "+say.Brief(n[1], previewCell))
		}
	}
	way, err := chunk.Parse(cmp.Or(chunking, "whole"))
	if err != nil {
		s.Problem = say.Sentence(err)
		return s
	}
	own := way.Spans(d.Text, headings[at])
	s.Chunks = len(own)
	end := 0
	for _, x := range own[:min(len(own), previewPieces)] {
		again := min(max(end, x.Start), x.End)
		p := message.Piece{Words: len(chunk.Words(d.Text[x.Start:x.End]))}
		p.Again, p.Text = passage(d.Text[x.Start:again]), passage(d.Text[again:x.End])
		s.Pieces, end = append(s.Pieces, p), x.End
	}
	all := make([]chunk.Chunk, 0, len(docs))
	for i := range docs {
		for _, x := range way.Spans(docs[i].Text, headings[i]) {
			all = append(all, chunk.Chunk{Doc: i, Span: x})
		}
	}
	l := chunk.Measure(docs, all)
	s.All, s.Median, s.Longest = len(all), l.Median, l.Longest
	return s
}

// passage is a text as it is shown: with its lines, and cut.
func passage(text string) string {
	var lines []string
	left := 2 * previewCell
	for line := range strings.Lines(text) {
		line = say.Brief(strings.TrimRight(line, "\r\n"), left)
		lines = append(lines, line)
		if left -= utf8.RuneCountInString(line) + 1; left <= 1 {
			lines[len(lines)-1] = strings.TrimSuffix(line, "…") + "…"
			break
		}
	}
	return strings.Join(lines, "\n")
}
