package packed

import (
	"math"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// packed is an Input in its serialised form.
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
	viewed    bool // versions 2 to 4
	view      string
	preferred bool // version 3, or flagged in version 4
	fallen    bool // version 4
	meter     *meter
}

type packedQuery struct {
	id     string
	fields [4]string      // text, type, difficulty, domain
	docs   []int          // indices in packed.docs, ascending
	judged []float64      // by doc: 0 not judged, else grade + 1; as it is if it is negative or has decimals
	extra  []report.Grade // judged documents without ids
	topics []string       // names of subtopics
	subs   []packedSub    // judgments of subtopics
	users  []packedUser
}

// packedUser holds the preferences of one user.
type packedUser struct {
	name string
	subs []packedSubgroup
}

type packedSubgroup struct {
	name   string
	docs   []int // indices in packedQuery.docs
	levels []float64
}

type packedSub struct {
	doc, topic int
	grade      float64
}

type packedRun struct {
	name, tag  string
	foreign    []string
	lists      []packedList // by query
	unanswered []int        // indices in packed.queries of queries without an answer from the backend, ascending
}

type packedList struct {
	there  bool
	docs   []int // indices in packedQuery.docs, in file order
	class  []int // rank of the score from 0; equal scores share it
	scores []float64
}

// Wire defines the packed form, field by field. It is frozen.
func (p *packed) Wire(c *wire.Codec) {
	c.Fields(&p.name, &p.policy, &p.measures, &p.baseline, &p.scores, &p.diverse, &p.hasFields)
	// Neighbouring sorted ids share prefixes.
	before, first := "", true
	wire.List(c, &p.docs, func(id *string) {
		n, rest := 0, ""
		if !c.Reading() {
			for n < len(before) && n < len(*id) && before[n] == (*id)[n] {
				n++
			}
			rest = (*id)[n:]
		}
		c.Fields(&n, &rest)
		if c.Reading() {
			// Ascending order also rules out duplicate ids.
			if n < 0 || n > len(before) || n+len(rest) > maxID {
				c.Fail()
				return
			}
			if !c.Take(n+len(rest), 1) {
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
		codeAscending(c, &q.docs)
		codeGrades(c, &q.judged, len(q.docs))
		wire.List(c, &q.extra, func(g *report.Grade) { g.Wire(c) })
		if p.diverse {
			c.Strings(&q.topics)
			wire.List(c, &q.subs, func(s *packedSub) {
				c.Fields(&s.doc, &s.topic)
				c.Grade(&s.grade)
			})
		}
	})
	wire.List(c, &p.runs, func(r *packedRun) {
		if !p.meter.at(0, 1) { // cancelled: the result is discarded
			c.Fail()
		}
		c.Fields(&r.name, &r.tag, &r.foreign)
		if c.Reading() {
			if !c.Take(len(p.queries), listSize) {
				return
			}
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
				// Grouping the eight bytes of all scores would not be shorter: most of their bits are noise.
				codeFloats(c, &l.scores, len(l.docs))
			} else {
				codeSteps(c, &l.class, len(l.docs))
			}
		}
	})
	if p.viewed {
		c.String(&p.view)
	}
	if p.fallen {
		c.Bool(&p.preferred)
		for i := range p.runs {
			codeAscending(c, &p.runs[i].unanswered)
		}
	}
	if p.preferred {
		for i := range p.queries {
			wire.List(c, &p.queries[i].users, func(u *packedUser) {
				c.String(&u.name)
				wire.List(c, &u.subs, func(s *packedSubgroup) {
					c.Fields(&s.name, &s.docs)
					codeFloats(c, &s.levels, len(s.docs))
				})
			})
		}
	}
}

// maxID is the longest id in bytes.
const maxID = 1 << 16

// codeAscending codes ascending numbers as differences.
func codeAscending(c *wire.Codec, v *[]int) {
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

// codeGrades codes n grades; the reader knows n.
func codeGrades(c *wire.Codec, v *[]float64, n int) {
	if c.Reading() {
		if !c.Take(n, 8) {
			return
		}
		*v = make([]float64, n)
	}
	for i := range *v {
		c.Grade(&(*v)[i])
	}
}

func codeFloats(c *wire.Codec, v *[]float64, n int) {
	if c.Reading() {
		if !c.Take(n, 8) {
			return
		}
		*v = make([]float64, n)
	}
	for i := range *v {
		c.Float(&(*v)[i])
	}
}

// codeSteps codes n numbers as differences from the expected next one, the previous + 1.
func codeSteps(c *wire.Codec, v *[]int, n int) {
	if c.Reading() {
		if !c.Take(n, 8) {
			return
		}
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
