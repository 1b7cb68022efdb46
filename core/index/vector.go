package index

import "sync"

// Frequency is a term of a document and how often it occurs there.
type Frequency struct {
	Term uint32
	TF   uint32
}

// vectors are the postings turned round, made when first asked for.
type vectors struct {
	once  sync.Once
	ends  []uint32 // of each document in terms
	terms []Frequency
}

// Vector returns the terms of document d with their frequencies in its contents, by term ascending. The slice must not
// be changed. The first call costs one step and eight bytes a posting.
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
