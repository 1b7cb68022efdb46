package workspace

import "math/rand/v2"

// Pooled is a document of a query that is to be judged.
type Pooled struct{ Query, Document string }

// Split shares a pool out to judges, so that each document is judged by so many of them. Shares differ by at most each
// documents in size, a judge's documents of a query come together where they can, and each judge shares documents with
// at most 4·(each - 1) others. Within a query documents come in a random order, by the seed, so that no rank shows.
// each is from 1 to (judges + 1)/2, or the number of judges.
//
// Judge b has the b-th of equal pieces of the pool. In each further round r the pieces lie half a piece further, and b
// has piece b + 1 - 2r.
func Split(pool []Pooled, judges, each int, seed uint64) ([][]Pooled, error) {
	switch {
	case judges < 1 || each < 1:
		return nil, fault("a pool is split for at least one judge, and each document has at least one")
	case each != judges && 2*each-1 > judges:
		return nil, fault("of %d judges at most %d can judge each document, or all", judges, (judges+1)/2)
	case len(pool) < judges && each < judges:
		return nil, fault("the pool has %d documents, fewer than %d judges", len(pool), judges)
	}
	list := shuffled(pool, seed)
	out := make([][]Pooled, judges)
	n := len(list)
	for r := range each {
		for i, p := range list {
			b := r // all judge all
			if each < judges {
				b = i * judges / n
				if r > 0 {
					b = ((2*i*judges+n)/(2*n) + 2*r - 1) % judges
				}
			}
			out[b] = append(out[b], p)
		}
	}
	return out, nil
}

// shuffled brings the documents of each query together, in the order in which queries come, and shuffles them.
func shuffled(pool []Pooled, seed uint64) []Pooled {
	var queries []string
	of := map[string][]Pooled{}
	for _, p := range pool {
		if of[p.Query] == nil {
			queries = append(queries, p.Query)
		}
		of[p.Query] = append(of[p.Query], p)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	var out []Pooled
	for _, q := range queries {
		list := of[q]
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		out = append(out, list...)
	}
	return out
}
