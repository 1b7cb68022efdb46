// Package packed serialises comparisons of runs, with their view, and reports as small files and links. Every later
// version opens them with the same figures. It joins no run with its judgments (see compare) and knows no pipeline
// (see share).
package packed

import (
	"bytes"
	"cmp"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/inflate"
)

// # The packed form, versions 1 to 6
//
// "RBX", a byte for what it is ('c' a comparison, 'r' a report), a byte for the version, the CRC-32 (IEEE) of the
// payload in four bytes, least significant first, and the payload as a DEFLATE stream. The payload is written by wire:
// a report.Report, or an Input with the documents of all queries in one sorted list, each query's documents as places
// in it, and the runs as places in those.
//
// Version 2 of a comparison has the text of a View behind all that, and in it the hash of the report as "hash=",
// in files of earlier versions as "digest=". A comparison without either is written as version 1, which older programs read too. Version 3 is that of a comparison with preferences,
// which stand behind the text of the View, empty or not.
// Version 4 is that of a comparison with runs that fell back: behind the text of the View it says whether there are
// preferences, and of each run the queries for which a backend gave nothing; then the preferences follow, where there
// are some.
//
// Version 6 is that of a comparison by grades, which has another payload: see byGrades and docs/links.md. Version 5 is
// the same with the hash of earlier versions.
//
// A link is the word "runs=", the packed bytes (always without a view, but with a hash) in URL-safe base64
// without padding, "&x=" and the CRC-32 of the base64 in
// eight hexadecimal digits, so that its last character is never taken for the end of a sentence. A view follows as "&",
// its text, "&y=" and the CRC-32 of that text; programs that know of no view stop reading before it.

// MaxLink is the longest link in characters, without the #.
const MaxLink = 8192

// LinkPrefix starts every link of runs.
const LinkPrefix = "runs="

const linkSum = "&x="

const (
	packedInput   = 'c'
	packedReport  = 'r'
	packHead      = 9
	plainVersion  = 1 // the first of both kinds
	viewedVersion = 2 // of a comparison with a view
	prefsVersion  = 3 // of a comparison with preferences
	fellVersion   = 4 // of a comparison with runs that fell back
	formerGrades  = 5 // of a comparison by grades with the hash of earlier versions
	gradesVersion = 6 // of a comparison by grades: see byGrades
	dataVersion   = 2 // of a report whose findings and warnings are data
	hashVersion   = 3 // of a report with the hash of its measured values, and the letters of its systems
)

// Errors of Unpack, UnpackReport and ReadLink, besides *LimitError. Errors of damage wrap wire.ErrDamaged.
var (
	ErrForeign  = say.Faultf("packed: open", "this is not a Rankbox comparison")
	ErrNewer    = say.Faultf("packed: open", "a later version of Rankbox made it")
	ErrTooLarge = errors.New("the runs do not fit")
)

var errDamaged = say.Faultf("packed: open", "%w", wire.ErrDamaged)

// seal adds head and checksum to a payload.
func seal(kind, version byte, payload []byte) []byte {
	return sealAt(flate.BestCompression, kind, version, payload, nil)
}

// head returns the bytes before a payload.
func head(kind, version byte, payload []byte) []byte {
	sum := crc32.ChecksumIEEE(payload)
	return []byte{'R', 'B', 'X', kind, version, byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)}
}

func sealAt(level int, kind, version byte, payload []byte, m *meter) []byte {
	var b bytes.Buffer
	b.Write(head(kind, version, payload))
	w, _ := flate.NewWriter(&b, level) // the level is valid
	const part = 1 << 18
	for i := 0; i < len(payload) && m.at(i, len(payload)); i += part {
		w.Write(payload[i:min(i+part, len(payload))]) // writing to a bytes.Buffer never fails
	}
	w.Close()
	return b.Bytes()
}

// unseal checks head and checksum. It returns the version, at most newest, the payload, and the remaining room in
// bytes. It measures the payload before allocating it: at most 1 MiB plus 100 times the input, and at most room. m
// may be nil.
func unseal(kind, newest byte, b []byte, room int, m *meter) (version byte, payload []byte, left int, err error) {
	if len(b) < packHead || string(b[:3]) != "RBX" || b[3] != kind {
		return 0, nil, 0, ErrForeign
	}
	version = b[4]
	if version > newest {
		return 0, nil, 0, ErrNewer
	}
	if version == 0 {
		return 0, nil, 0, errDamaged
	}
	most := int64(1<<20) + 100*int64(len(b))
	r := inflate.New(bytes.NewReader(b[packHead:]))
	size, err := io.Copy(io.Discard, &reading{r: io.LimitReader(r, most+1), m: m, n: int(most)})
	if err := m.err(); err != nil {
		return 0, nil, 0, err
	}
	if err != nil || size > most {
		return 0, nil, 0, errDamaged
	}
	if _, err := r.Byte(); err != io.EOF { // trailing bytes
		return 0, nil, 0, errDamaged
	}
	if left = room - costFixed - int(size); left < 0 {
		return 0, nil, 0, &LimitError{"bytes of memory", 0, room}
	}
	payload = make([]byte, size)
	if _, err := io.ReadFull(&reading{r: inflate.New(bytes.NewReader(b[packHead:])), m: m, n: int(size)},
		payload); err != nil {
		if err := m.err(); err != nil {
			return 0, nil, 0, err
		}
		return 0, nil, 0, errDamaged
	}
	if sum := crc32.ChecksumIEEE(payload); b[5] != byte(sum) || b[6] != byte(sum>>8) || b[7] != byte(sum>>16) ||
		b[8] != byte(sum>>24) {
		return 0, nil, 0, errDamaged
	}
	return version, payload, left, nil
}

// IsReport reports whether b begins like a packed report.
func IsReport(b []byte) bool {
	return len(b) >= packHead && string(b[:3]) == "RBX" && b[3] == packedReport
}

// File is the content of a file or link: a comparison and its view.
type File struct {
	compare.Input
	View   View
	Hash   string // of its report, 64 hex digits; "" where nobody computed one
	Former bool   // Hash is that of an earlier version, which no report has now
}

// Saving lists what a packed comparison omits.
type Saving struct {
	Scores bool // keep only the order of the documents and their ties
	Names  bool // count judged documents absent from every run by grade, without their ids
	Depth  int  // documents of every ranking, 0 for all: set as the policy "depth" if Documents are kept

	Documents bool // synthetic documents: only grades by rank are known
	Texts     bool // omit the texts of queries
}

// Pack returns in as a file that any Rankbox can open, without what save lists. The error says what cannot be
// packed.
func Pack(f File, save Saving) ([]byte, error) { return PackTelling(f, save, nil) }

// PackTelling is Pack with progress: six million documents take half a minute in a browser. The error is
// compare.ErrCancelled if tell stopped it.
func PackTelling(f File, save Saving, tell Tell) ([]byte, error) {
	if f.Former { // nothing computes that one any more
		f.Hash = ""
	}
	if f.Graded != nil {
		return packAgain(f)
	}
	m := &meter{tell: tell}
	c, err := compare.Open(f.Input)
	if err != nil {
		return nil, err
	}
	in := c.Input()
	if save.Depth > 0 && (in.Policy.Depth == 0 || in.Policy.Depth > save.Depth) {
		in.Policy.Depth = save.Depth
	}
	if in.Diversity != nil || in.Preferences != nil {
		save.Names = false // subtopics and preferences need document ids
	}
	p := &packed{name: in.Name, policy: compare.WritePolicy(in.Policy, in.Protocol), baseline: in.Baseline,
		scores: !save.Scores, diverse: in.Diversity != nil,
		preferred: in.Preferences != nil}
	p.measures = in.Measures
	for _, r := range in.Runs {
		p.runs = append(p.runs, packedRun{name: r.Name})
	}
	// every query with judgments, including those the policy excludes
	queries := c.Judged()
	fields := map[string]collection.Query{}
	for _, q := range in.Queries {
		fields[q.ID] = q
	}
	for _, q := range queries {
		x := fields[q]
		p.hasFields = p.hasFields || x.Text != "" || x.Type != "" || x.Difficulty != "" || x.Domain != ""
	}
	w := packing{p: p, in: &in, save: save, all: map[string]int{}, meter: m}
	m.stretch(250)
	if err := w.documents(c, queries); err != nil {
		return nil, err
	}
	m.stretch(500)
	for i, q := range queries {
		if !m.at(i, len(queries)) {
			return nil, m.err()
		}
		w.query(i, q, fields[q])
	}
	w.unanswered(queries)
	version := byte(plainVersion)
	if p.view = withHash(f.View.String(), f.Hash); p.view != "" {
		p.viewed, version = true, viewedVersion
	}
	if p.preferred {
		p.viewed, version = true, prefsVersion
	}
	if p.fallen {
		p.viewed, version = true, fellVersion
	}
	if err := (Limits{}).withDefaults(0).check(len(p.runs), len(p.measures), len(p.queries)); err != nil {
		return nil, err
	}
	m.stretch(550)
	p.meter = m
	payload := wire.Marshal(p)
	m.stretch(900)
	b := sealAt(flate.BestCompression, packedInput, version, payload, m)
	m.stretch(tellTotal)
	// Repetitive data may compress so well that readers refuse it as a decompression bomb: store it uncompressed.
	if _, _, err := unpackForm(b, Limits{}.withDefaults(len(b)), m); err != nil && m.err() == nil {
		b = sealAt(flate.NoCompression, packedInput, version, payload, m)
		if _, _, err := unpackForm(b, Limits{}.withDefaults(len(b)), m); err != nil && m.err() == nil {
			return nil, say.Faultf("packed: pack", "what is written could not be opened again: %w", err)
		}
	}
	if err := m.err(); err != nil {
		return nil, err
	}
	return b, nil
}

// packing is the state of packing a comparison.
type packing struct {
	p     *packed
	in    *compare.Input
	save  Saving
	lists [][][]collection.Entry // [run][query], in the order of the file
	all   map[string]int         // indices of the documents in packed.docs
	meter *meter
}

// documents reads the lists of the runs and sorts all documents.
func (w *packing) documents(c *compare.Comparison, queries []string) error {
	p, in := w.p, w.in
	w.lists = make([][][]collection.Entry, len(in.Runs)) // [run][query], in the order of the file
	for s, r := range in.Runs {
		run := r.Run
		w.lists[s] = make([][]collection.Entry, len(queries))
		p.runs[s].tag = run.Tag
		for _, q := range run.Queries() {
			if !in.Qrels.Has(q) {
				p.runs[s].foreign = append(p.runs[s].foreign, q)
			}
		}
		for q, id := range queries {
			// sorting the ids takes the rest of the stretch
			if q%16 == 0 && !w.meter.at(s*len(queries)+q, (len(in.Runs)+4)*len(queries)) {
				return w.meter.err()
			}
			w.lists[s][q] = c.Kept(s, id, in.Policy.Depth)
			for _, e := range w.lists[s][q] {
				w.all[e.Doc] = 0
			}
		}
	}
	for _, q := range queries {
		in.Qrels.Each(q, func(doc string, _ float64) {
			if !w.save.Names {
				w.all[doc] = 0
			}
		})
	}
	for id := range w.all {
		if len(id) > maxID {
			return say.Faultf("packed: pack", "the id %q… is longer than %d bytes", id[:40], maxID)
		}
		p.docs = append(p.docs, id)
	}
	slices.Sort(p.docs)
	for i, id := range p.docs {
		w.all[id] = i
	}
	for s := range p.runs {
		p.runs[s].lists = make([]packedList, len(queries))
	}
	return nil
}

// query packs query i: its documents, their judgments, and their positions in the runs.
func (w *packing) query(i int, q string, f collection.Query) {
	p, in := w.p, w.in
	pq := packedQuery{id: q, fields: [4]string{f.Text, f.Type, f.Difficulty, f.Domain}}
	has := map[int]bool{}
	for s := range in.Runs {
		for _, e := range w.lists[s][i] {
			has[w.all[e.Doc]] = true
		}
	}
	extra := map[float64]int{}
	in.Qrels.Each(q, func(doc string, grade float64) {
		if k, ok := w.all[doc]; ok && (has[k] || !w.save.Names) {
			has[k] = true
		} else {
			extra[grade]++
		}
	})
	for k := range has {
		pq.docs = append(pq.docs, k)
	}
	slices.Sort(pq.docs)
	local := map[string]int{}
	for k, at := range pq.docs {
		local[p.docs[at]] = k
		code := 0.0
		if g, ok := in.Qrels.Grade(q, p.docs[at]); ok {
			code = encodeGrade(g)
		}
		pq.judged = append(pq.judged, code)
	}
	for g, n := range extra {
		pq.extra = append(pq.extra, report.Grade{Grade: g, Count: n})
	}
	before := func(a, b report.Grade) int { return cmp.Compare(a.Grade, b.Grade) }
	sort.Slice(pq.extra, func(i, j int) bool { return before(pq.extra[i], pq.extra[j]) < 0 })
	w.users(&pq, local)
	p.queries = append(p.queries, pq)
	for s := range in.Runs {
		w.list(&p.runs[s].lists[i], in.Runs[s].Run.Query(q) >= 0, w.lists[s][i], local)
	}
}

// unanswered packs the queries for which a run's backend gave no answer.
func (w *packing) unanswered(queries []string) {
	for s, r := range w.in.Runs {
		fell := map[string]bool{}
		for _, q := range r.Fell {
			fell[q] = true
		}
		for i, q := range queries {
			if fell[q] {
				w.p.runs[s].unanswered, w.p.fallen = append(w.p.runs[s].unanswered, i), true
			}
		}
	}
}

// users packs a query's judgments of subtopics and preferences. local holds the indices of its documents.
func (w *packing) users(pq *packedQuery, local map[string]int) {
	in, q := w.in, pq.id
	if d := in.Diversity; d != nil {
		pq.topics = d.Subtopics(q)
		d.Each(q, func(doc string, grades []collection.SubtopicGrade) {
			for _, g := range grades {
				pq.subs = append(pq.subs, packedSub{local[doc], g.Subtopic, g.Grade})
			}
		})
		before := func(a, b packedSub) int { // keeps the order of the subtopics
			if a.topic != b.topic {
				return a.topic - b.topic
			}
			return a.doc - b.doc
		}
		sort.Slice(pq.subs, func(i, j int) bool { return before(pq.subs[i], pq.subs[j]) < 0 })
	}
	if d := in.Preferences; d != nil {
		ids := d.Documents(q)
		for _, g := range d.Groups(q) {
			u := packedUser{name: g.Name}
			for _, s := range g.Subgroups {
				sub := packedSubgroup{name: s.Name, levels: s.Levels}
				for _, k := range s.Docs {
					sub.docs = append(sub.docs, local[ids[k]])
				}
				u.subs = append(u.subs, sub)
			}
			pq.users = append(pq.users, u)
		}
	}
}

// list packs a run's ranking for a query.
func (w *packing) list(l *packedList, there bool, entries []collection.Entry, local map[string]int) {
	if l.there = there; !there {
		return
	}
	l.docs = make([]int, 0, len(entries))
	if w.p.scores {
		l.scores = make([]float64, 0, len(entries))
		for _, e := range entries {
			l.docs, l.scores = append(l.docs, local[e.Doc]), append(l.scores, e.Score)
		}
		return
	}
	var distinct []float64
	for _, e := range entries {
		distinct = append(distinct, e.Score)
	}
	slices.Sort(distinct)
	slices.Reverse(distinct)
	class := map[float64]int{}
	for i, v := range slices.Compact(distinct) {
		class[v] = i
	}
	for _, e := range entries {
		l.docs, l.class = append(l.docs, local[e.Doc]), append(l.class, class[e.Score])
	}
}

// encodeGrade leaves 0 to unjudged documents.
func encodeGrade(g float64) float64 {
	if g >= 0 && g == math.Trunc(g) {
		return g + 1
	}
	return g
}
