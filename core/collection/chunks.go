package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// ChunkRule says to which document a retrieved chunk belongs.
type ChunkRule struct {
	// what stands between the document id and the rest: "d7#3" with "#" is of d7; "" for none
	Separator string
	First     bool              // cut at the first separator instead of the last
	Map       map[string]string // chunk id to document id; looked up before Separator is
}

// Document returns the document of a chunk; ok is false where the rule says nothing about it, and the id is then the
// document's own.
func (c ChunkRule) Document(chunk string) (doc string, ok bool) {
	if d, ok := c.Map[chunk]; ok {
		return d, true
	}
	if c.Separator == "" {
		return chunk, false
	}
	i := strings.LastIndex(chunk, c.Separator)
	if c.First {
		i = strings.Index(chunk, c.Separator)
	}
	if i <= 0 {
		return chunk, false
	}
	return chunk[:i], true
}

// WholeChunk is the kind of warning about ids that a ChunkRule says nothing about.
const WholeChunk = "whole-chunk"

// Collapse returns the run of documents that a run of chunks stands for: every document once, with the score of its
// best chunk ("first hit"). The order of the input is that of those chunks. The warnings count the ids that the rule
// says nothing about; they stay as they are.
func (r *Run) Collapse(rule ChunkRule, name string) (*Run, []Warning) {
	b := NewRunBuilder(r.Tag)
	b.lim = noLimits()
	b.run.Metadata = r.Metadata
	var w warner
	var list []Entry
	for i := range r.lists {
		query := r.lists[i].query
		b.Touch(query)
		list = r.Ranked(i, InputOrder, list)
		seen := make(map[string]struct{}, len(list))
		keep := list[:0]
		for _, e := range list {
			doc, ok := rule.Document(e.Doc)
			if !ok {
				w.add(WholeChunk, name, 0, 1, view(e.Doc), func() string {
					return "the rule for chunks does not cover " + strconv.Quote(e.Doc) + ", which is unchanged"
				})
			}
			if _, ok := seen[doc]; ok {
				continue
			}
			seen[doc] = struct{}{}
			keep = append(keep, Entry{doc, e.Score, e.Pos})
		}
		for _, k := range byPos(keep) {
			e := keep[k]
			b.add(view(query), view(e.Doc), e.Score, noRank, 0)
		}
	}
	out, _ := b.Run()
	return out, w.list
}

// SuggestSeparator returns the separator that, cut at its last place, makes most of the run's ids those of judged
// documents; "" where none makes more of them judged than are already.
func SuggestSeparator(r *Run, q *Qrels) string {
	candidates := []string{"#", "%%", "::", "_", "-", ".", ":", "/", "|", "@", "$", "~", "+"}
	best, most := "", 0
	hits := make([]int, len(candidates)+1)
	looked := 0
	var spelt [10]byte
	for i := range r.lists {
		t := q.find(r.lists[i].query)
		if t == nil {
			continue
		}
		has := func(id []byte) bool { return t.find(hashID(id), id) >= 0 }
		l := &r.lists[i]
		ids, _ := r.parts(l)
		rest := r.bytesOf(l)
		for k := range int(min(l.n, 100)) {
			var id []byte
			if ids != nil {
				id = strconv.AppendUint(spelt[:0], uint64(ids[k]), 10)
			} else {
				id, rest = cutID(rest)
			}
			if has(id) {
				hits[len(candidates)]++
			}
			if ids != nil {
				continue // numbers have no separators
			}
			for k, s := range candidates {
				if doc, cut := (ChunkRule{Separator: s}).Document(text(id)); cut && has(view(doc)) {
					hits[k]++
				}
			}
		}
		if looked++; looked == 1000 {
			break
		}
	}
	most = hits[len(candidates)]
	for k, s := range candidates {
		if hits[k] > most {
			best, most = s, hits[k]
		}
	}
	return best
}

// ReadChunkMap reads which document each chunk belongs to, in any of the forms of ChunkMap.
func ReadChunkMap(r io.Reader, name string, opt Options) (map[string]string, error) {
	opt.Kind = ChunkMap
	c, err := Read(name, r, opt)
	if err != nil {
		return nil, err
	}
	if c.Chunks == nil {
		return nil, parseError(name, 0, errors.New("a map of chunks does not come in a zip"))
	}
	return c.Chunks, nil
}

// mapsChunks reports whether a file says which document each chunk belongs to: two columns whose heading names them, or
// a JSON object of strings that is none of the other shapes.
func mapsChunks(head []byte) bool {
	text := strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff"))
	if strings.HasPrefix(text, "{") {
		j := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
		j.Reset(view(text))
		n := 0
		for j.BeginObject(); j.More(); j.Skip() {
			j.Key()
			if j.Peek() == '"' {
				n++
			} else if j.Err() == nil {
				return false
			}
		}
		j.End()
		cut, ok := errors.AsType[*jsontext.SyntaxError](j.Err())
		return n > 0 && (j.Err() == nil || ok && cut.Ended)
	}
	first, _, _ := strings.Cut(text, "\n")
	f := strings.FieldsFunc(strings.ToLower(first), func(r rune) bool {
		return r == ',' || r == '\t' || r == ' ' || r == '\r'
	})
	return len(f) == 2 && strings.HasPrefix(f[0], "chunk") && strings.HasPrefix(f[1], "doc")
}

// chunks reads a map of chunks: a JSON object, or lines of chunk and document with a comma, a tab or white space in
// between, with or without a header.
func (d *reading) chunks(in *lines, whole func() io.Reader) error {
	m := map[string]string{}
	put := func(line int, chunk, doc string) error {
		if chunk == "" || doc == "" {
			return d.fail(line, errors.New("empty id"))
		}
		if old, ok := m[chunk]; ok && old != doc {
			return d.fail(line, errors.New("chunk "+strconv.Quote(chunk)+" belongs to "+strconv.Quote(old)+" and to "+
				strconv.Quote(doc)))
		}
		if len(m) >= d.opt.Limits.Entries {
			return d.fail(line, &LimitError{"Entries", "chunks", int64(d.opt.Limits.Entries), int64(len(m)) + 1})
		}
		m[chunk] = doc
		return nil
	}
	d.c.Chunks = m
	head := strings.TrimLeft(strings.TrimPrefix(string(in.buf[:min(len(in.buf), 4096)]), "\ufeff"), " \t\r\n")
	if strings.HasPrefix(head, "{") {
		return d.chunksJSON(whole(), put)
	}
	first := true
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if blank(b) {
			continue
		}
		l := string(b)
		chunk, doc, ok := strings.Cut(l, "\t")
		if !ok {
			chunk, doc, ok = strings.Cut(l, ",")
		}
		if !ok {
			chunk, doc, ok = strings.Cut(strings.TrimSpace(l), " ")
		}
		chunk, doc = strings.TrimSpace(chunk), strings.TrimSpace(doc)
		if !ok || strings.ContainsAny(doc, "\t") {
			return d.fail(in.line, errors.New("a line needs two ids: the chunk's and the document's"))
		}
		if first {
			first = false
			if strings.HasPrefix(strings.ToLower(chunk), "chunk") && columnOf(view(doc)) == colDoc {
				continue
			}
		}
		if err := put(in.line, chunk, doc); err != nil {
			return err
		}
	}
	d.c.Lines = in.line
	if len(m) == 0 {
		return d.fail(0, errors.New("empty file"))
	}
	return nil
}

// chunksJSON reads {chunk: document}.
func (d *reading) chunksJSON(r io.Reader, put func(line int, chunk, doc string) error) error {
	j, err := d.json(r)
	if err != nil {
		return err
	}
	for j.BeginObject(); j.More(); {
		line := j.Line()
		chunk := string(j.Key())
		doc := wordOf(j)
		if j.Err() != nil {
			break
		}
		if err := put(line, chunk, doc); err != nil {
			return err
		}
	}
	return d.ended(j)
}
