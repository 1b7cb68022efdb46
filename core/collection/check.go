package collection

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Kinds of warnings about a run and qrels together.
const (
	MissingQuery    = "missing-query"     // judged, but not in the run; counts 0 unless it is skipped
	ExtraQuery      = "extra-query"       // in the run, but without judgments; left out
	NoCommonQuery   = "no-common-query"   // the run and the qrels have no query in common
	NoJudgedResults = "no-judged-results" // no document of the run is judged: the ids never meet
)

// Check compares a run with the qrels that it is to be measured by: queries that are missing on either side, and ids that never meet. The file
// of its warnings is name.
func Check(r *Run, q *Qrels, name string) []Warning {
	var w warner
	common, judged := 0, false
	var ranked []int32
	for i := range q.topics {
		id := q.topics[i].query
		k := r.Query(id)
		if k < 0 {
			if len(q.topics[i].docs) > 0 {
				w.add(MissingQuery, name, 0, 1, view(id), func() string { return "judged query " + strconv.Quote(id) + " is not in the run" })
			}
			continue
		}
		common++
		if !judged {
			ranked, _ = r.Grades(k, q, DocIDDescending, ranked, nil)
			judged = slices.ContainsFunc(ranked, func(g int32) bool { return g != Unjudged })
		}
	}
	for i := range r.lists {
		if id := r.lists[i].query; q.find(id) == nil {
			w.add(ExtraQuery, name, 0, 1, view(id), func() string { return "query " + strconv.Quote(id) + " of the run has no judgments" })
		}
	}
	switch {
	case len(q.topics) == 0 || len(r.lists) == 0:
	case common == 0:
		w.add(NoCommonQuery, name, 0, 1, nil, func() string {
			return "the run and the qrels have no query in common: the run has " + strconv.Quote(r.lists[0].query) + " …, the qrels " + strconv.Quote(q.topics[0].query) + " …"
		})
	case !judged:
		doc, other := "", ""
		for i := range r.lists {
			if e := r.Ranked(i, DocIDDescending, nil); len(e) > 0 {
				doc = e[0].Doc
				break
			}
		}
		for i := range q.topics {
			if d := q.topics[i].docs; len(d) > 0 {
				other = d[0].doc
				break
			}
		}
		w.add(NoJudgedResults, name, 0, 1, nil, func() string {
			return "no document of the run is judged: its ids look like " + strconv.Quote(doc) + ", those of the qrels like " + strconv.Quote(other)
		})
	}
	return w.list
}

// Fixable parts warnings into those that writing the run or qrels out again settles, as there is only one way to do it, and those that
// stay. Where there is something that its owner has to decide about, and that writing would decide for him (which of two scores, grades or run tags holds), all
// of them stay: such a file is not repaired.
func Fixable(list []Warning) (settled, left []Warning) {
	for _, w := range list {
		switch w.Kind {
		case ConflictingScore, ConflictingGrade, MixedTags, NonIntegerGrade, SpaceInID, EmptyQuery, DuplicateID, LoneSurrogate:
			return nil, list
		}
	}
	for _, w := range list {
		switch w.Kind {
		case DuplicateDocument, RankConflict, OddRank, UnsortedInput, InterleavedQueries, StraySpace, ExtraColumns, FiveColumns, NonStandardDialect, DuplicateJudgment, NumericID:
			settled = append(settled, w)
		default:
			left = append(left, w)
		}
	}
	return settled, left
}

// ChunkRule says to which document a retrieved chunk belongs.
type ChunkRule struct {
	Separator string            // what stands between the document id and the rest: "d7#3" with "#" is of d7; "" for none
	First     bool              // cut at the first separator instead of the last
	Map       map[string]string // chunk id to document id; looked up before Separator is
}

// Document returns the document of a chunk; ok is false where the rule says nothing about it, and the id is then the document's own.
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

// Collapse returns the run of documents that a run of chunks stands for: every document once, with the score of its best chunk ("first hit"). The order of
// the input is that of those chunks. The warnings count the ids that the rule says nothing about; they stay as they are.
func (r *Run) Collapse(rule ChunkRule, name string) (*Run, []Warning) {
	b := NewRunBuilder(r.Tag)
	b.lim = Limits{Queries: -1, Entries: -1}.withDefaults()
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
					return "the rule for chunks says nothing about " + strconv.Quote(e.Doc) + ", which stays as it is"
				})
			}
			if _, ok := seen[doc]; ok {
				continue
			}
			seen[doc] = struct{}{}
			keep = append(keep, Entry{doc, e.Score, e.Pos})
		}
		for _, k := range sorted(len(keep), func(i, j int32) int { return keep[i].Pos - keep[j].Pos }) {
			e := keep[k]
			b.add(view(query), view(e.Doc), e.Score, -1, 0)
		}
	}
	out, _ := b.Run()
	return out, w.list
}

// SuggestSeparator returns the separator that, cut at its last place, makes most of the run's ids those of judged documents; "" where none makes
// more of them judged than are already.
func SuggestSeparator(r *Run, q *Qrels) string {
	candidates := []string{"#", "%%", "::", "_", "-", ".", ":", "/", "|", "@", "$", "~", "+"}
	best, most := "", 0
	if !slices.ContainsFunc(r.lists, func(l list) bool { return l.n > 0 && l.flags&numeric == 0 }) {
		return "" // numbers have no separators
	}
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
				continue
			}
			for k, s := range candidates {
				if at := bytes.LastIndex(id, view(s)); at > 0 && has(id[:at]) {
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

// WithScores returns the run with every score replaced by f of it, and ranked again by the new ones: rounded to float32, as pytrec_eval keeps them, say. f must
// return finite numbers.
func (r *Run) WithScores(f func(float64) float64) *Run {
	b := NewRunBuilder(r.Tag)
	b.lim = Limits{Queries: -1, Entries: -1}.withDefaults()
	b.run.Metadata = r.Metadata
	var list []Entry
	for i := range r.lists {
		b.Touch(r.lists[i].query)
		list = r.Ranked(i, DocIDDescending, list)
		for _, k := range sorted(len(list), func(i, j int32) int { return list[i].Pos - list[j].Pos }) {
			e := list[k]
			b.add(view(r.lists[i].query), view(e.Doc), f(e.Score), -1, 0)
		}
	}
	out, _ := b.Run()
	return out
}

// ReadChunkMap reads which document each chunk belongs to: a JSON object {chunk: document}, or lines of chunk and document with a comma, a tab or white space in
// between, with or without a header (chunk…, doc…).
func ReadChunkMap(r io.Reader, name string, opt Options) (map[string]string, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	in := newLines(src)
	for len(in.buf) < 16 && !in.ended {
		if err := in.fill(); err != nil {
			return nil, err
		}
	}
	m := map[string]string{}
	put := func(line int, chunk, doc string) error {
		if chunk == "" || doc == "" {
			return parseError(name, line, errors.New("empty id"))
		}
		if old, ok := m[chunk]; ok && old != doc {
			return parseError(name, line, errors.New("chunk "+strconv.Quote(chunk)+" belongs to "+strconv.Quote(old)+" and to "+strconv.Quote(doc)))
		}
		if len(m) >= opt.Limits.Entries {
			return parseError(name, line, &LimitError{"Entries", "chunks", int64(opt.Limits.Entries), int64(len(m)) + 1})
		}
		m[chunk] = doc
		return nil
	}
	head := strings.TrimLeft(strings.TrimPrefix(string(in.buf[:min(len(in.buf), 4096)]), "\ufeff"), " \t\r\n")
	if strings.HasPrefix(head, "{") {
		d := &reading{name: name, opt: opt, c: &Content{}}
		j, err := d.json(io.MultiReader(strings.NewReader(string(in.buf)), src))
		if err != nil {
			return nil, err
		}
		for j.BeginObject(); j.More(); {
			line := j.Line()
			chunk := string(j.Key())
			doc := wordOf(j)
			if j.Err() != nil {
				break
			}
			if err := put(line, chunk, doc); err != nil {
				return nil, err
			}
		}
		return m, d.ended(j)
	}
	first := true
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
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
			return nil, parseError(name, in.line, errors.New("a line needs two ids: the chunk's and the document's"))
		}
		if first {
			first = false
			if strings.HasPrefix(strings.ToLower(chunk), "chunk") && columnOf(view(doc)) == colDoc {
				continue
			}
		}
		if err := put(in.line, chunk, doc); err != nil {
			return nil, err
		}
	}
	if len(m) == 0 {
		return nil, parseError(name, 0, errors.New("empty file"))
	}
	return m, nil
}
