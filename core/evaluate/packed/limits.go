package packed

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/rankbox/rankbox/core/base/wire"
)

// Limits bound the input from an untrusted file or link before anything is allocated. Zero means the default.
type Limits struct {
	Runs     int // 1,000 in a file, MaxRuns in a link
	Measures int // 200
	Cells    int // runs × queries × measures: 50 million
	Memory   int // allocated bytes: at most 16 MB plus 64 times the input, which is also the default
	Tell     Tell
}

// MaxRuns is the maximum number of runs in a link, and of runs that the page compares at once.
const MaxRuns = 20

const (
	maxFileRuns = 1000
	maxMeasures = 200
	maxCells    = 50_000_000
	maxUnnamed  = 1 << 20 // judged documents without ids, only counted
)

// A LimitError says which limit a comparison exceeds.
type LimitError struct {
	// "runs", "measures", "values" (runs × queries × measures), "bytes of memory", "judged documents without a name"
	What     string
	Got, Max int // Got is 0 if counting stopped early
}

func (e *LimitError) Error() string {
	if e.Got == 0 {
		return fmt.Sprintf("it is too large: it would take more than %d %s", e.Max, e.What)
	}
	return fmt.Sprintf("it holds %d %s, more than the %d that are opened at once", e.Got, e.What, e.Max)
}

// withDefaults replaces zero fields; n is the size of the file in bytes.
func (l Limits) withDefaults(n int) Limits {
	if l.Runs <= 0 {
		l.Runs = maxFileRuns
	}
	if l.Measures <= 0 {
		l.Measures = maxMeasures
	}
	if l.Cells <= 0 {
		l.Cells = maxCells
	}
	most := 16_000_000 + 64*n
	if l.Memory <= 0 || l.Memory > most {
		l.Memory = most
	}
	return l
}

// check returns an error if runs, measures or queries are too many.
func (l Limits) check(runs, measures, queries int) error {
	switch {
	case runs > l.Runs:
		return &LimitError{"runs", runs, l.Runs}
	case measures > l.Measures:
		return &LimitError{"measures", measures, l.Measures}
	}
	if n := max(runs, 1) * max(measures, 1); queries > l.Cells/n {
		return &LimitError{"values", n * queries, l.Cells}
	}
	return nil
}

// Bytes that opening a comparison allocates, measured. FuzzUnpack checks them against the allocator.
const (
	costJudgment = 160     // a judged document
	costUnnamed  = 220     // a judged document with a synthetic id
	costQuery    = 900     // a query with judgments
	costTouch    = 700     // a query of a run
	costEntry    = 150     // a document of a ranking
	costSub      = 400     // a judgment of a subtopic
	costPrefer   = 600     // a document in a user's preferences
	costFixed    = 1 << 20 // the DEFLATE reader
)

// cost estimates the bytes that opening p allocates beyond p itself.
func (p *packed) cost() int {
	n := 0
	for i := range p.queries {
		q := &p.queries[i]
		n += costQuery + costJudgment*len(q.docs) + costSub*(len(q.subs)+len(q.topics))
		for _, u := range q.users {
			for _, s := range u.subs {
				n += costPrefer * (1 + len(s.docs))
			}
		}
		for _, g := range q.extra {
			n += costUnnamed * min(max(g.Count, 0), maxUnnamed+1)
		}
	}
	for i := range p.runs {
		r := &p.runs[i]
		n += costTouch * (1 + len(r.foreign))
		for _, l := range r.lists {
			if l.there {
				n += costTouch + costEntry*len(l.docs)
			}
		}
	}
	for _, id := range p.docs {
		n += 2 * len(id)
	}
	return n
}

// decode reads v from a payload, with at most room bytes.
func decode(payload []byte, v wire.Wirer, room int) (left int, err error) {
	left, err = wire.UnmarshalWithin(payload, v, room)
	if errors.Is(err, wire.ErrRoom) {
		return 0, &LimitError{"bytes of memory", 0, room}
	}
	if err != nil {
		return 0, errDamaged
	}
	return left, nil
}

const listSize = int(unsafe.Sizeof(packedList{}))
