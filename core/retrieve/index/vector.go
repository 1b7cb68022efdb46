package index

import "sync"

// Frequency is a term with its frequency in a document.
type Frequency struct {
	Term uint32
	TF   uint32
}

// vectors holds the postings by document, computed on first use.
type vectors struct {
	once  sync.Once
	ends  []uint32 // by document: its end in terms
	terms []Frequency
}

// Vector returns the terms of document d with their frequencies in its contents, ascending by term. The caller must
// not change the slice. The first call costs one step and eight bytes per posting.
func (x *Index) Vector(d uint32) []Frequency {
	v := &x.vectors
	v.once.Do(func() {
		v.ends = make([]uint32, x.Docs()+1)
		for _, p := range x.postings {
			v.ends[p.Doc()+1]++
		}
		for i := range x.Docs() {
			v.ends[i+1] += v.ends[i]
		}
		v.terms = make([]Frequency, len(x.postings))
		at := append([]uint32(nil), v.ends...)
		for id := range x.Terms() {
			l := x.List(uint32(id))
			for i, p := range l.Postings {
				tf, _ := l.TF(i)
				v.terms[at[p.Doc()]] = Frequency{Term: uint32(id), TF: tf}
				at[p.Doc()]++
			}
		}
	})
	return v.terms[v.ends[d]:v.ends[d+1]]
}
