package rerank

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Cluster groups the first documents of a ranking into topics by their words and leaves the ranking unchanged. It
// is deterministic. It is not safe for concurrent use.
//
// A document is a vector of length 1 with term weights (1 + ln tf) · ln(N/df). It omits words in fewer than two of
// the documents or in more than two thirds, which distinguish nothing. The first topic starts with the first
// document, each further one with the document least similar to the seeds so far. Then spherical k-means moves
// documents to the nearest mean until nothing changes, at most 20 times. The number of topics from Least to Most
// with the best silhouette wins; of equal ones, the smaller.
//
// Sources: I. S. Dhillon, D. S. Modha, "Concept Decompositions for Large Sparse Text Data Using Clustering",
// Machine Learning 42 (2001); P. J. Rousseeuw, "Silhouettes", J. Comput. Appl. Math. 20 (1987); T. F. Gonzalez,
// "Clustering to minimize the maximum intercluster distance", TCS 38 (1985).
type Cluster struct {
	rank.Ranker
	Index       *index.Index
	Depth       int // number of clustered documents, ≥ 1; the others belong to no topic
	Least, Most int // numbers of topics, 1 ≤ Least ≤ Most
	Words       int // number of words in a topic's name
	// Surface maps index terms to their spelling in the documents, or to the term itself if that is unknown.
	Surface func(terms []string, docs []uint32) []string
	// Tells reports whether a word may name a topic; nil accepts every word.
	Tells func(word string) bool

	account rank.Account
}

// Rank implements rank.Ranker. Cost: for each number of topics at most 20 · Depth · topics sparse products, and
// Depth² / 2 once.
func (c *Cluster) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	hits, err := c.Ranker.Rank(q, max(k, c.Depth), f, dst)
	c.account = rank.Account{}
	if err != nil {
		return hits, err
	}
	n := min(c.Depth, len(hits))
	if c.account.Groups = c.topics(hits[:n]); len(c.account.Groups) == 0 {
		c.account.Idle = true
		c.account.Note = say.Count(n, "document is", "documents are") + " too few for " + strconv.Itoa(c.Least) +
			" topics"
	}
	return hits[:min(k, len(hits))], nil
}

// Account implements rank.Accountable.
func (c *Cluster) Account() rank.Account { return c.account }

// Explain implements rank.Ranker: the ranking's own explanation, which topics leave unchanged.
func (c *Cluster) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	inner, err := c.Ranker.Explain(q, f, d)
	return rank.Part{Score: inner.Score, Parts: []rank.Part{rank.Before(inner)}}, err
}

// entry is a weighted term of a document.
type entry struct {
	term   uint32
	weight float64
}

// sparse is the vector of a document or a mean, ascending by term.
type sparse []entry

func dot(a, b sparse) float64 {
	s := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].term == b[j].term:
			s += float64(a[i].weight * b[j].weight)
			i++
			j++
		case a[i].term < b[j].term:
			i++
		default:
			j++
		}
	}
	return s
}

// unit returns v scaled to length 1.
func (v sparse) unit() sparse {
	s := 0.0
	for _, e := range v {
		s += float64(e.weight * e.weight)
	}
	if s = math.Sqrt(s); s > 0 {
		for i := range v {
			v[i].weight /= s
		}
	}
	return v
}

// vectors returns the documents as sparse vectors.
func (c *Cluster) vectors(hits []rank.Hit) []sparse {
	in := map[uint32]int{}
	for _, h := range hits {
		for _, t := range c.Index.Vector(h.Doc) {
			in[t.Term]++
		}
	}
	docs := float64(c.Index.Docs())
	out := make([]sparse, len(hits))
	for i, h := range hits {
		for _, t := range c.Index.Vector(h.Doc) {
			if n := in[t.Term]; n >= 2 && 3*n <= 2*len(hits) {
				w := float64((1 + float.Log(float64(t.TF))) *
					float.Log(docs/float64(c.Index.DF(index.Contents, t.Term))))
				out[i] = append(out[i], entry{t.Term, w})
			}
		}
		out[i].unit()
	}
	return out
}

// topics clusters documents and names the clusters.
func (c *Cluster) topics(hits []rank.Hit) []rank.Group {
	docs := c.vectors(hits)
	if len(hits) < 2*c.Least {
		return nil
	}
	alike := make([][]float64, len(docs))
	for i := range docs {
		alike[i] = make([]float64, len(docs))
		for j := range i {
			alike[i][j] = dot(docs[i], docs[j])
			alike[j][i] = alike[i][j]
		}
		alike[i][i] = 1
	}
	var best []int
	value, parts := math.Inf(-1), 0
	for k := c.Least; k <= c.Most && k <= len(docs); k++ {
		of := assignTopics(docs, alike, k)
		if s := silhouette(alike, of, k); s > value+1e-12 {
			best, value, parts = of, s, k
		}
	}
	groups := make([]rank.Group, parts)
	means := means(docs, best, parts)
	for i, g := range best {
		groups[g].Docs = append(groups[g].Docs, hits[i].Doc)
	}
	for g := range groups {
		groups[g].Name = c.name(means, g, groups[g].Docs)
	}
	groups = slices.DeleteFunc(groups, func(g rank.Group) bool { return len(g.Docs) == 0 })
	sort.SliceStable(groups, func(i, j int) bool { return len(groups[i].Docs) > len(groups[j].Docs) })
	return groups
}

// assignTopics returns the topic of each document.
func assignTopics(docs []sparse, alike [][]float64, k int) []int {
	begun := []int{0}
	for len(begun) < k {
		at, least := -1, math.Inf(1)
		for i := range docs {
			near := math.Inf(-1)
			for _, b := range begun {
				near = max(near, alike[i][b])
			}
			if near < least && !slices.Contains(begun, i) {
				at, least = i, near
			}
		}
		if at < 0 {
			break
		}
		begun = append(begun, at)
	}
	centres := make([]sparse, k)
	for g, i := range begun {
		centres[g] = docs[i]
	}
	of := make([]int, len(docs))
	for round := 0; round < 20; round++ {
		changed := false
		for i, d := range docs {
			at, near := 0, math.Inf(-1)
			for g, c := range centres {
				if s := dot(d, c); s > near {
					at, near = g, s
				}
			}
			changed = changed || of[i] != at
			of[i] = at
		}
		if !changed && round > 0 {
			break
		}
		centres = means(docs, of, k)
	}
	return of
}

// means returns the mean of each topic, scaled to length 1.
func means(docs []sparse, of []int, k int) []sparse {
	out := make([]sparse, k)
	for g := range out {
		sum := map[uint32]float64{}
		var terms []uint32
		for i, d := range docs {
			if of[i] != g {
				continue
			}
			for _, e := range d {
				if _, there := sum[e.term]; !there {
					terms = append(terms, e.term)
				}
				sum[e.term] += e.weight
			}
		}
		slices.Sort(terms)
		for _, t := range terms {
			out[g] = append(out[g], entry{t, sum[t]})
		}
		out[g].unit()
	}
	return out
}

// silhouette returns the mean of (b − a)/max(a, b) over the documents. a is the mean distance within the topic, b
// the mean distance to the nearest other topic. A document alone in its topic counts 0.
func silhouette(alike [][]float64, of []int, k int) float64 {
	total := 0.0
	for i := range of {
		sum, n := make([]float64, k), make([]int, k)
		for j := range of {
			if j != i {
				sum[of[j]] += 1 - alike[i][j]
				n[of[j]]++
			}
		}
		if n[of[i]] == 0 {
			continue
		}
		a, b := sum[of[i]]/float64(n[of[i]]), math.Inf(1)
		for g := range k {
			if g != of[i] && n[g] > 0 {
				b = min(b, sum[g]/float64(n[g]))
			}
		}
		if m := max(a, b); m > 0 && !math.IsInf(b, 1) {
			total += (b - a) / m
		}
	}
	return total / float64(len(of))
}

// extraWords is how many extra words name considers, because Tells may reject some.
const extraWords = 24

// name returns the most distinctive words of a topic: those whose weight in its mean most exceeds that in the other
// topics, among those that may name one.
func (c *Cluster) name(means []sparse, g int, docs []uint32) string {
	type word struct {
		term  uint32
		value float64
	}
	var words []word
	for _, e := range means[g] {
		others := 0.0
		for h := range means {
			if h == g {
				continue
			}
			if i, ok := slices.BinarySearchFunc(means[h], e.term, func(x entry, t uint32) int {
				return cmp.Compare(x.term, t)
			}); ok {
				others = max(others, means[h][i].weight)
			}
		}
		words = append(words, word{e.term, e.weight - others})
	}
	before := func(a, b word) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.term, b.term)) }
	sort.Slice(words, func(i, j int) bool { return before(words[i], words[j]) < 0 })
	var terms []string
	for _, w := range words[:min(c.Words+extraWords, len(words))] {
		terms = append(terms, c.Index.Term(w.term))
	}
	var names []string
	for _, w := range c.Surface(terms, docs) {
		if c.Tells == nil || c.Tells(w) {
			names = append(names, w)
		}
	}
	return strings.Join(names[:min(c.Words, len(names))], ", ")
}
