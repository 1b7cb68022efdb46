package fuse

import (
	"fmt"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Condorcet ranks by pairwise duels. Of two documents the one wins that more lists, or lists of more weight, rank
// higher. A list with only one of them ranks that one higher; a list with neither abstains. A document's score is
// its duels won minus those lost (Copeland), which also orders documents in a cycle. It is not safe for concurrent
// use.
//
// Sources: M. Montague, J. A. Aslam, "Condorcet fusion for improved retrieval", CIKM 2002; A. H. Copeland 1951.
// ranx 0.3.21 counts a list with neither document as a vote for the second, so its result depends on the comparison
// order. Its order differs between processes.
type Condorcet struct {
	Lists   []rank.Ranker
	Names   []string  // names of the lists, for explanations
	Weights []float64 // weights of the lists, ≥ 0
	Depth   int       // how many documents of each list take part, ≥ 1

	retrieved [][]rank.Hit
	docs      []uint32
	place     [][]int // by list: the rank of each document of docs, from 1; beyond all ranks if absent
	top       rank.Top
}

func (c *Condorcet) gather(q rank.Query, f rank.Filter) error {
	if c.retrieved == nil {
		c.retrieved, c.place = make([][]rank.Hit, len(c.Lists)), make([][]int, len(c.Lists))
	}
	c.docs = c.docs[:0]
	for i, l := range c.Lists {
		var err error
		if c.retrieved[i], err = l.Rank(q, c.Depth, f, c.retrieved[i]); err != nil {
			return fmt.Errorf("%s: %w", c.Names[i], err)
		}
		for _, h := range c.retrieved[i] {
			c.docs = append(c.docs, h.Doc)
		}
	}
	slices.Sort(c.docs)
	c.docs = slices.Compact(c.docs)
	for i, hits := range c.retrieved {
		c.place[i] = append(c.place[i][:0], make([]int, len(c.docs))...)
		for d := range c.place[i] {
			c.place[i][d] = math.MaxInt
		}
		for r, h := range hits {
			at, _ := slices.BinarySearch(c.docs, h.Doc)
			c.place[i][at] = r + 1
		}
	}
	return nil
}

// duels returns how many duels a document wins and loses.
func (c *Condorcet) duels(a int) (won, lost int) {
	for b := range c.docs {
		for_, against := 0.0, 0.0
		for i, place := range c.place {
			switch {
			case place[a] < place[b]:
				for_ += c.Weights[i]
			case place[b] < place[a]:
				against += c.Weights[i]
			}
		}
		switch {
		case for_ > against:
			won++
		case against > for_:
			lost++
		}
	}
	return won, lost
}

// Rank implements rank.Ranker. Cost: the squared number of documents of all lists, times the number of lists.
func (c *Condorcet) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := c.gather(q, f); err != nil {
		return dst[:0], err
	}
	c.top.Reset(k, dst)
	for a, d := range c.docs {
		won, lost := c.duels(a)
		c.top.Push(rank.Hit{Doc: d, Score: float64(won - lost)})
	}
	return c.top.Sorted(), nil
}

// Explain implements rank.Ranker: the duels won and lost, and the lists' own explanations, which add nothing
// themselves.
func (c *Condorcet) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := c.gather(q, f); err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{}
	at, ok := slices.BinarySearch(c.docs, d)
	if !ok {
		return out, nil
	}
	won, lost := c.duels(at)
	out.Score = float64(won - lost)
	out.Parts = []rank.Part{{Name: "duels won", Score: float64(won)}, {Name: "duels lost", Score: float64(-lost)}}
	for i := range c.Lists {
		if r := c.place[i][at]; r != math.MaxInt {
			out.Values = append(out.Values, rank.Value{Name: "rank in " + c.Names[i], Value: float64(r)})
		}
	}
	return out, nil
}
