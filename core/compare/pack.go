package compare

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/inflate"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// # The packed form, versions 1 to 3
//
// "RBX", a byte for what it is ('c' a comparison, 'r' a report), a byte for the version, the CRC-32 (IEEE) of the payload in four
// bytes, least significant first, and the payload as a DEFLATE stream. The payload is written by wire: a report.Report, or an Input with
// the documents of all queries in one sorted list, each query's documents as places in it, and the runs as places in those.
//
// Version 2 of a comparison has the text of a View behind all that. A comparison without one is written as version 1, which older
// programs read too. Version 3 is that of a comparison with preferences, which stand behind the text of the View, empty or not.
//
// A link is the word "runs=", the packed bytes (always without a view) in URL-safe base64 without padding, "&x=" and the CRC-32 of the base64 in
// eight hexadecimal digits, so that its last character is never taken for the end of a sentence. A view follows as "&", its text, "&y=" and the
// CRC-32 of that text; programs that know of no view stop reading before it.

// MaxLink is the longest link in characters, without the #.
const MaxLink = 8192

// LinkPrefix is how a link of runs begins.
const LinkPrefix = "runs="

const linkSum = "&x="

const (
	packedInput   = 'c'
	packedReport  = 'r'
	packHead      = 9
	plainVersion  = 1 // the first of both kinds
	viewedVersion = 2 // of a comparison with a view
	prefsVersion  = 3 // of a comparison with preferences
	dataVersion   = 2 // of a report whose findings and warnings are data
)

// Errors of Unpack, UnpackReport and ReadLink. What is damaged wraps wire.ErrDamaged.
var (
	ErrForeign  = errors.New("compare: open: this is no Rankbox comparison")
	ErrNewer    = errors.New("compare: open: made by a later version of Rankbox")
	ErrTooLarge = errors.New("compare: make link: the runs do not fit")
)

var errDamaged = fmt.Errorf("compare: open: %w", wire.ErrDamaged)

// seal puts head and checksum around a payload.
func seal(kind, version byte, payload []byte) []byte {
	var b bytes.Buffer
	b.Write([]byte{'R', 'B', 'X', kind, version})
	sum := crc32.ChecksumIEEE(payload)
	b.Write([]byte{byte(sum), byte(sum >> 8), byte(sum >> 16), byte(sum >> 24)})
	w, _ := flate.NewWriter(&b, flate.BestCompression) // a known level
	w.Write(payload)                                   // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}

// unseal checks head and checksum and returns the version, which is at most newest, and the payload. What comes out is at most 1 MiB
// and 100 times what goes in.
func unseal(kind, newest byte, b []byte) (version byte, payload []byte, err error) {
	if len(b) < packHead || string(b[:3]) != "RBX" || b[3] != kind {
		return 0, nil, ErrForeign
	}
	version = b[4]
	if version > newest {
		return 0, nil, ErrNewer
	}
	if version == 0 {
		return 0, nil, errDamaged
	}
	most := int64(1<<20) + 100*int64(len(b))
	r := inflate.New(bytes.NewReader(b[packHead:]))
	payload, err = io.ReadAll(io.LimitReader(r, most+1))
	if err != nil || int64(len(payload)) > most {
		return 0, nil, errDamaged
	}
	if _, err := r.Byte(); err != io.EOF { // something stands behind the end
		return 0, nil, errDamaged
	}
	if sum := crc32.ChecksumIEEE(payload); b[5] != byte(sum) || b[6] != byte(sum>>8) || b[7] != byte(sum>>16) || b[8] != byte(sum>>24) {
		return 0, nil, errDamaged
	}
	return version, payload, nil
}

// IsReport reports whether b looks like a packed Report, IsInput whether like a packed Input.
func IsReport(b []byte) bool {
	return len(b) >= packHead && string(b[:3]) == "RBX" && b[3] == packedReport
}

// IsInput reports whether b looks like a packed Input.
func IsInput(b []byte) bool {
	return len(b) >= packHead && string(b[:3]) == "RBX" && b[3] == packedInput
}

// PackReport returns a report as a file: a snapshot to compare a later one against.
func PackReport(r *report.Report) []byte {
	return seal(packedReport, dataVersion, wire.Marshal((*snapshot2)(r)))
}

// UnpackReport reads what PackReport wrote, and what it wrote before: of version 1 the warnings are as they were written then.
func UnpackReport(b []byte) (*report.Report, error) {
	version, payload, err := unseal(packedReport, dataVersion, b)
	if err != nil {
		return nil, err
	}
	r := &report.Report{}
	if version == plainVersion {
		err = wire.Unmarshal(payload, &snapshot1{Report: r})
	} else {
		err = wire.Unmarshal(payload, (*snapshot2)(r))
	}
	if err != nil || !r.Whole() {
		return nil, errDamaged
	}
	return r, nil
}

// Saving says what a packed comparison does without.
type Saving struct {
	Scores bool // only the order of the documents is kept, and which of them are tied
	Names  bool // judged documents that no run has are counted by grade, without their ids
	Depth  int  // documents of every ranking, 0 for all: set as the policy "depth"
}

// packed is an Input as it is written.
type packed struct {
	name      string
	policy    string
	measures  []string
	baseline  int
	scores    bool
	docs      []string // all documents, in byte order
	queries   []packedQuery
	diverse   bool
	runs      []packedRun
	hasFields bool
	viewed    bool // version 2 or 3
	view      string
	preferred bool // version 3
	room      int  // bytes that the ids may still take while they are read
}

type packedQuery struct {
	id     string
	fields [4]string      // text, type, difficulty, domain
	docs   []int          // places in packed.docs, ascending
	judged []int          // a doc: 0 not judged, else grade + 1 (0 and below: grade)
	extra  []report.Grade // judged documents without a name
	topics []string       // names of subtopics
	subs   []packedSub    // their judgments
	users  []packedUser
}

// packedUser is what one user prefers.
type packedUser struct {
	name string
	subs []packedSubgroup
}

type packedSubgroup struct {
	name   string
	docs   []int // places in packedQuery.docs
	levels []float64
}

type packedSub struct{ doc, topic, grade int }

type packedRun struct {
	name, tag string
	foreign   []string
	lists     []packedList // a query
}

type packedList struct {
	there  bool
	docs   []int // places in packedQuery.docs, in the order of the file
	class  []int // order by score from 0, equal scores share
	scores []float64
}

// Wire walks the packed form.
func (p *packed) Wire(c *wire.Codec) {
	c.String(&p.name)
	c.String(&p.policy)
	c.Strings(&p.measures)
	c.Int(&p.baseline)
	for _, b := range []*bool{&p.scores, &p.diverse, &p.hasFields} {
		c.Bool(b)
	}
	// ids in order share their beginnings
	before, first := "", true
	wire.List(c, &p.docs, func(id *string) {
		n, rest := 0, ""
		if !c.Reading() {
			for n < len(before) && n < len(*id) && before[n] == (*id)[n] {
				n++
			}
			rest = (*id)[n:]
		}
		c.Int(&n)
		c.String(&rest)
		if c.Reading() {
			// rising order also keeps two ids from being the same
			if p.room -= n + len(rest); n < 0 || n > len(before) || n+len(rest) > maxID || p.room < 0 {
				c.Fail()
				return
			}
			if *id = before[:n] + rest; !first && *id <= before {
				c.Fail()
				return
			}
		}
		before, first = *id, false
	})
	wire.List(c, &p.queries, func(q *packedQuery) {
		c.String(&q.id)
		if p.hasFields {
			for i := range q.fields {
				c.String(&q.fields[i])
			}
		}
		ascending(c, &q.docs)
		items(c, &q.judged, len(q.docs))
		wire.List(c, &q.extra, func(g *report.Grade) { c.Int(&g.Grade); c.Int(&g.Count) })
		if p.diverse {
			c.Strings(&q.topics)
			wire.List(c, &q.subs, func(s *packedSub) { c.Int(&s.doc); c.Int(&s.topic); c.Int(&s.grade) })
		}
	})
	wire.List(c, &p.runs, func(r *packedRun) {
		c.String(&r.name)
		c.String(&r.tag)
		c.Strings(&r.foreign)
		if c.Reading() {
			r.lists = make([]packedList, len(p.queries))
		}
		for i := range r.lists {
			l := &r.lists[i]
			c.Bool(&l.there)
			if !l.there {
				continue
			}
			c.Ints(&l.docs)
			if p.scores {
				// the eight bytes of all scores side by side would not be shorter: most of their bits are noise
				reals(c, &l.scores, len(l.docs))
			} else {
				steps(c, &l.class, len(l.docs))
			}
		}
	})
	if p.viewed {
		c.String(&p.view)
	}
	if p.preferred {
		for i := range p.queries {
			wire.List(c, &p.queries[i].users, func(u *packedUser) {
				c.String(&u.name)
				wire.List(c, &u.subs, func(s *packedSubgroup) {
					c.String(&s.name)
					c.Ints(&s.docs)
					reals(c, &s.levels, len(s.docs))
				})
			})
		}
	}
}

// maxID is the longest id in bytes.
const maxID = 1 << 16

// ascending walks numbers that grow, as their differences.
func ascending(c *wire.Codec, v *[]int) {
	before := -1
	wire.List(c, v, func(x *int) {
		d := *x - before - 1
		c.Int(&d)
		if c.Reading() {
			if d < 0 || d > math.MaxInt32 || before > math.MaxInt32 {
				c.Fail()
				return
			}
			*x = before + 1 + d
		}
		before = *x
	})
}

// items walks n numbers whose count is known.
func items(c *wire.Codec, v *[]int, n int) {
	if c.Reading() {
		*v = make([]int, n)
	}
	for i := range *v {
		c.Int(&(*v)[i])
	}
}

func reals(c *wire.Codec, v *[]float64, n int) {
	if c.Reading() {
		*v = make([]float64, n)
	}
	for i := range *v {
		c.Float(&(*v)[i])
	}
}

// steps walks n numbers as differences from what is usual: one more than the one before.
func steps(c *wire.Codec, v *[]int, n int) {
	if c.Reading() {
		*v = make([]int, n)
	}
	before := -1
	for i := range *v {
		d := (*v)[i] - before - 1
		c.Int(&d)
		if c.Reading() {
			if d > math.MaxInt32 || d < -math.MaxInt32 {
				c.Fail()
				return
			}
			(*v)[i] = before + 1 + d
		}
		before = (*v)[i]
	}
}

// Pack returns in as a file that any Rankbox opens again, without what save says. The error says what cannot be packed.
func Pack(in Input, save Saving) ([]byte, error) {
	c, err := Open(in)
	if err != nil {
		return nil, err
	}
	if save.Depth > 0 && (c.in.Policy.Depth == 0 || c.in.Policy.Depth > save.Depth) {
		c.in.Policy.Depth = save.Depth
	}
	if c.in.Diversity != nil || c.in.Preferences != nil {
		save.Names = false // subtopics and preferences are of documents
	}
	p := &packed{name: in.Name, policy: WritePolicy(c.in.Policy, c.in.Protocol), baseline: in.Baseline, scores: !save.Scores, diverse: c.in.Diversity != nil,
		preferred: c.in.Preferences != nil}
	for _, m := range c.measures {
		p.measures = append(p.measures, m.String())
	}
	for _, n := range c.names {
		p.runs = append(p.runs, packedRun{name: n})
	}
	// every query with judgments, whatever the policy leaves out
	c.queries, c.place = nil, map[string]int{}
	for _, q := range c.in.Qrels.Queries() {
		if len(c.in.Qrels.Grades(q, nil)) > 0 {
			c.place[q] = len(c.queries)
			c.queries = append(c.queries, q)
			f := c.fields[q]
			p.hasFields = p.hasFields || f.Text != "" || f.Type != "" || f.Difficulty != "" || f.Domain != ""
		}
	}
	lists := make([][][]collection.Entry, len(c.runs)) // [run][query], in the order of the file
	all := map[string]int{}
	for s, run := range c.runs {
		lists[s] = make([][]collection.Entry, len(c.queries))
		p.runs[s].tag = run.Tag
		for _, q := range run.Queries() {
			if !c.in.Qrels.Has(q) {
				p.runs[s].foreign = append(p.runs[s].foreign, q)
			}
		}
		for q := range c.queries {
			lists[s][q] = c.kept(s, q)
			for _, e := range lists[s][q] {
				all[e.Doc] = 0
			}
		}
	}
	for _, q := range c.queries {
		c.in.Qrels.Each(q, func(doc string, _ int) {
			if !save.Names {
				all[doc] = 0
			}
		})
	}
	for id := range all {
		if len(id) > maxID {
			return nil, errors.New("compare: pack: the id " + strconv.Quote(id[:40]) + "… is longer than " + strconv.Itoa(maxID) + " bytes")
		}
		p.docs = append(p.docs, id)
	}
	slices.Sort(p.docs)
	for i, id := range p.docs {
		all[id] = i
	}
	for s := range p.runs {
		p.runs[s].lists = make([]packedList, len(c.queries))
	}
	for qi, q := range c.queries {
		f := c.fields[q]
		pq := packedQuery{id: q, fields: [4]string{f.Text, f.Type, f.Difficulty, f.Domain}}
		has := map[int]bool{}
		for s := range c.runs {
			for _, e := range lists[s][qi] {
				has[all[e.Doc]] = true
			}
		}
		extra := map[int]int{}
		c.in.Qrels.Each(q, func(doc string, grade int) {
			if i, ok := all[doc]; ok && (has[i] || !save.Names) {
				has[i] = true
			} else {
				extra[grade]++
			}
		})
		for i := range has {
			pq.docs = append(pq.docs, i)
		}
		slices.Sort(pq.docs)
		local := map[string]int{}
		for k, i := range pq.docs {
			local[p.docs[i]] = k
			code := 0
			if g, ok := c.in.Qrels.Grade(q, p.docs[i]); ok {
				code = encodeGrade(g)
			}
			pq.judged = append(pq.judged, code)
		}
		for g, n := range extra {
			pq.extra = append(pq.extra, report.Grade{Grade: g, Count: n})
		}
		slices.SortFunc(pq.extra, func(a, b report.Grade) int { return a.Grade - b.Grade })
		if d := c.in.Diversity; d != nil {
			pq.topics = d.Subtopics(q)
			d.Each(q, func(doc string, grades []collection.SubtopicGrade) {
				for _, g := range grades {
					pq.subs = append(pq.subs, packedSub{local[doc], g.Subtopic, g.Grade})
				}
			})
			slices.SortFunc(pq.subs, func(a, b packedSub) int { // so that the subtopics appear in their order
				if a.topic != b.topic {
					return a.topic - b.topic
				}
				return a.doc - b.doc
			})
		}
		if d := c.in.Preferences; d != nil {
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
		p.queries = append(p.queries, pq)
		for s := range c.runs {
			l := &p.runs[s].lists[qi]
			if l.there = c.runs[s].Query(q) >= 0; !l.there {
				continue
			}
			class := map[float64]int{}
			if !p.scores {
				var distinct []float64
				for _, e := range lists[s][qi] {
					distinct = append(distinct, e.Score)
				}
				slices.Sort(distinct)
				slices.Reverse(distinct)
				for i, v := range slices.Compact(distinct) {
					class[v] = i
				}
			}
			for _, e := range lists[s][qi] {
				l.docs = append(l.docs, local[e.Doc])
				l.class = append(l.class, class[e.Score])
				l.scores = append(l.scores, e.Score)
			}
		}
	}
	version := byte(plainVersion)
	if p.view = in.View.String(); p.view != "" {
		p.viewed, version = true, viewedVersion
	}
	if p.preferred {
		p.viewed, version = true, prefsVersion
	}
	return seal(packedInput, version, wire.Marshal(p)), nil
}

// encodeGrade makes 0 of no judgment.
func encodeGrade(g int) int {
	if g >= 0 {
		return g + 1
	}
	return g
}

// kept returns the entries that the policy's depth leaves, with all that are tied with the last of them, in the order of the file.
func (c *Comparison) kept(system, query int) []collection.Entry {
	depth := c.in.Policy.Depth
	c.in.Policy.Depth = 0
	list, _ := c.entries(system, query)
	c.in.Policy.Depth = depth
	out := slices.Clone(list)
	if depth > 0 && depth < len(out) {
		n := depth
		for c.in.Policy.Ties != measure.Input && n < len(out) && out[n].Score == out[depth-1].Score {
			n++
		}
		out = out[:n]
	}
	slices.SortFunc(out, byPos)
	return out
}

// Unpack reads what Pack wrote. Anything that is not whole is refused; ids and names may be anything.
func Unpack(b []byte) (*Input, error) {
	version, payload, err := unseal(packedInput, prefsVersion, b)
	if err != nil {
		return nil, err
	}
	p := &packed{viewed: version >= viewedVersion, preferred: version == prefsVersion, room: 1<<20 + 8*len(payload)}
	if err := wire.Unmarshal(payload, p); err != nil {
		return nil, errDamaged
	}
	in := &Input{Name: p.name, Measures: p.measures, Baseline: p.baseline, Qrels: collection.NewQrels()}
	if in.Policy, in.Protocol, err = ReadPolicy(p.policy); err != nil {
		return nil, ErrNewer
	}
	for _, m := range p.measures {
		if _, err := measure.Parse(m); err != nil {
			return nil, ErrNewer
		}
	}
	if in.View, err = ReadView(p.view); err != nil || version == viewedVersion && in.View == (View{}) {
		return nil, errDamaged
	}
	if len(p.runs) == 0 || in.Baseline < 0 || in.Baseline >= len(p.runs) {
		return nil, errDamaged
	}
	if p.diverse {
		in.Diversity = collection.NewDiversity()
	}
	if p.preferred {
		in.Preferences = collection.NewPreferences()
	}
	names := map[string]bool{}
	for _, id := range p.docs {
		names[id] = true
	}
	seen := map[string]bool{}
	total := 0
	for _, q := range p.queries {
		if seen[q.id] {
			return nil, errDamaged
		}
		seen[q.id] = true
		for k, i := range q.docs {
			if i >= len(p.docs) {
				return nil, errDamaged
			}
			switch g := q.judged[k]; {
			case g > math.MaxInt32 || g < -math.MaxInt32:
				return nil, errDamaged
			case g > 0:
				in.Qrels.Add(q.id, p.docs[i], g-1)
			case g < 0:
				in.Qrels.Add(q.id, p.docs[i], g)
			}
		}
		n := 0
		for _, g := range q.extra {
			if g.Count < 0 || g.Count > maxUnnamed || g.Grade > math.MaxInt32 || g.Grade < -math.MaxInt32 {
				return nil, errDamaged
			}
			if total += g.Count; total > maxUnnamed {
				return nil, errDamaged
			}
			for range g.Count {
				n++
				id := notRetrieved + strconv.Itoa(n) + ")"
				for names[id] {
					id += "'"
				}
				in.Qrels.Add(q.id, id, g.Grade)
			}
		}
		if q.fields != [4]string{} {
			in.Queries = append(in.Queries, collection.Query{ID: q.id, Text: q.fields[0], Type: q.fields[1], Difficulty: q.fields[2], Domain: q.fields[3]})
		}
		for _, s := range q.subs {
			if s.doc < 0 || s.doc >= len(q.docs) || s.topic < 0 || s.topic >= len(q.topics) {
				return nil, errDamaged
			}
			in.Diversity.Add(q.id, q.topics[s.topic], p.docs[q.docs[s.doc]], s.grade)
		}
		for _, u := range q.users {
			for _, s := range u.subs {
				for k, d := range s.docs {
					if d < 0 || d >= len(q.docs) || q.judged[d] == 0 || s.levels[k]-s.levels[k] != 0 {
						return nil, errDamaged
					}
					if in.Preferences.Add(q.id, u.name, s.name, p.docs[q.docs[d]], s.levels[k]) != nil {
						return nil, errDamaged
					}
				}
			}
		}
	}
	if in.Preferences != nil && in.Preferences.Check() != nil {
		return nil, errDamaged
	}
	for _, r := range p.runs {
		b := collection.NewRunBuilder(r.tag)
		for qi, l := range r.lists {
			if !l.there {
				continue
			}
			q := &p.queries[qi]
			if err := b.Touch(q.id); err != nil {
				return nil, errDamaged
			}
			used := make(map[int]bool, len(l.docs))
			for i, d := range l.docs {
				if d < 0 || d >= len(q.docs) || used[d] {
					return nil, errDamaged
				}
				used[d] = true
				score := 0.0
				if p.scores {
					score = l.scores[i]
				} else {
					score = -float64(l.class[i])
				}
				if err := b.Add(q.id, p.docs[q.docs[d]], score); err != nil {
					return nil, errDamaged
				}
			}
		}
		for _, q := range r.foreign {
			if seen[q] {
				return nil, errDamaged
			}
			if err := b.Touch(q); err != nil {
				return nil, errDamaged
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, Named{r.name, run})
	}
	if in.Qrels.Len() == 0 {
		return nil, errDamaged
	}
	return in, nil
}

// maxUnnamed bounds the judged documents that are counted instead of named.
const maxUnnamed = 1 << 20

// Link returns the fragment, without the #, that ReadLink turns into the same comparison, and what it does without: as little as
// makes it fit. The scores never fit; the report does not depend on them beyond their order. Saving.Depth is the largest cutoff of the
// measures where the whole rankings do not fit and every measure has one. The view is left out: WithView adds one. The error is
// ErrTooLarge with the sizes.
func Link(in Input) (fragment string, save Saving, err error) {
	in.View = View{}
	tries := []Saving{{Scores: true}, {Scores: true, Names: true}}
	if k := cutoff(in); k > 0 {
		tries = append(tries, Saving{Scores: true, Depth: k}, Saving{Scores: true, Names: true, Depth: k})
	}
	length := 0
	for _, save := range tries {
		b, err := Pack(in, save)
		if err != nil {
			return "", Saving{}, err
		}
		text := base64.RawURLEncoding.EncodeToString(b)
		s := LinkPrefix + text + linkSum + checksum(text)
		if len(s) <= MaxLink {
			return s, save, nil
		}
		length = len(s)
	}
	return "", Saving{}, fmt.Errorf("%w: the link would have %d characters, more than %d", ErrTooLarge, length, MaxLink)
}

// cutoff returns the depth to which every measure looks, 0 where one looks at everything.
func cutoff(in Input) int {
	k := 0
	for _, text := range in.Measures {
		m, err := measure.Parse(text)
		if err != nil || m.Cutoff() == 0 || in.Policy.Apply(m).String() != m.String() || in.Policy.Unjudged == measure.Condensed || strings.Contains(m.String(), "judged_only") {
			return 0
		}
		k = max(k, m.Cutoff())
	}
	return max(k, 0)
}

func checksum(s string) string {
	v := crc32.ChecksumIEEE([]byte(s))
	return strings.ToLower(say.Hex(v, 8))
}

// ReadLink reads a fragment that Link or WithView made. It accepts a leading # and what mail and chat programs add: blanks, line breaks
// and punctuation at the end.
func ReadLink(fragment string) (*Input, error) {
	link, view, err := SplitLink(fragment)
	if err != nil {
		return nil, err
	}
	text, _, _ := strings.Cut(link[len(LinkPrefix):], linkSum)
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errDamaged
	}
	in, err := Unpack(b)
	if err != nil {
		return nil, err
	}
	in.View = view
	return in, nil
}
