// Package predict says how hard a query will be without judgments: by its words before anything is ranked, and by what
// query likelihood
// ranks first. It measures nothing and ranks for itself alone.
package predict

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Parameters of the predictors that rank: those of their papers.
const (
	mu           = 1000 // Dirichlet's, of the scores that NQC and WIG look at
	depthNQC     = 100
	depthWIG     = 5
	depthClarity = 500
	lambda       = 0.6 // of the document in the models of clarity
)

// Predictor is one way to say how hard a query is: larger is easier.
type Predictor struct{ Name, Doc, Source string }

// Predictors lists them in the order of Values.
var Predictors = []Predictor{
	{"SCS", "simplified clarity: how far the query's words are from those of the collection, in bits",
		"He and Ounis 2004, Inferring Query Performance Using Pre-retrieval Predictors"},
	{"AvgICTF", "mean over its words of log2 of the collection's length over the word's frequency",
		"He and Ounis 2004, Inferring Query Performance Using Pre-retrieval Predictors"},
	{"AvgIDF", "mean over its words of ln(documents / documents with the word)",
		"Cronen-Townsend, Zhou and Croft 2004, A Language Modeling Framework for Selective Query Expansion"},
	{"SCQ", "similarity to the collection: the sum over its words of (1 + ln cf) · ln(1 + N/df)",
		"Zhao, Scholer and Tsegay 2008, Effective Pre-retrieval Query Performance Prediction Using Similarity and " +
			"Variability Evidence"},
	{"clarity", "how far the words of the first 500 documents are from those of the collection, in bits",
		"Cronen-Townsend, Zhou and Croft 2002, Predicting Query Performance"},
	{"NQC", "standard deviation of the first 100 scores over that of the collection as a document",
		"Shtok et al. 2012, Predicting Query Performance by Query-Drift Estimation"},
	{"WIG", "how far the first five scores are above that of the collection as a document, over the root of the " +
		"query's length", "Zhou and Croft 2007, Query Performance Prediction in Web Search Environments"},
}

// Values are what the predictors say of one query, in the order of Predictors; NaN where a predictor has nothing to go
// by.
type Values struct {
	Of      []float64
	Terms   int // of the query
	Unknown int // of them that no document has
	Found   int // documents that have one of the others
}

// Collection is an index whose queries are predicted. It keeps what queries have in common, and is not safe for use by
// several goroutines.
type Collection struct {
	x     *index.Index
	docs  float64
	words float64   // of the collection
	cf    []float64 // collection frequency of each term, -1 where it has not been asked for
	model []float64 // of clarity, by term; 0 between two queries
	has   []bool    // it has the term
}

// New returns the collection of an index.
func New(x *index.Index) *Collection {
	c := &Collection{x: x, docs: float64(x.Docs()), words: float64(x.Stats(index.Contents).Tokens),
		cf: make([]float64, x.Terms()), model: make([]float64, x.Terms()), has: make([]bool, x.Terms())}
	for i := range c.cf {
		c.cf[i] = -1
	}
	return c
}

// frequency is how often a term occurs in all documents together.
func (c *Collection) frequency(id uint32) float64 {
	if c.cf[id] < 0 {
		c.cf[id] = float64(c.x.CF(index.Contents, id))
	}
	return c.cf[id]
}

// Of predicts the terms of a query, each as often as it is written. Words that no document has say nothing to a
// predictor, and are counted.
func (c *Collection) Of(terms []string) Values {
	out := Values{Of: make([]float64, len(Predictors)), Terms: len(terms)}
	for i := range out.Of {
		out.Of[i] = math.NaN()
	}
	q := c.query(terms)
	out.Unknown = len(terms) - int(q.length)
	if q.length == 0 {
		return out
	}
	scs, ictf, idf, scq := 0.0, 0.0, 0.0, 0.0
	for _, t := range q.terms {
		share := t.count / q.length
		scs += float64(share * log2(share/t.collection))
		ictf += float64(t.count * log2(1/t.collection))
		idf += float64(t.count * float.Log(q.docs/t.df))
		scq += float64(t.count * (1 + float.Log(t.cf)) * float.Log(1+q.docs/t.df))
	}
	out.Of[0], out.Of[1], out.Of[2], out.Of[3] = scs, ictf/q.length, idf/q.length, scq
	found := q.rank()
	out.Found = len(found)
	out.Of[4] = q.clarity(found[:min(depthClarity, len(found))])
	corpus := 0.0
	for _, t := range q.terms {
		corpus += float64(t.count * float.Log(t.collection))
	}
	out.Of[5] = spread(found[:min(depthNQC, len(found))]) / math.Abs(corpus)
	above := 0.0
	top := found[:min(depthWIG, len(found))]
	for _, h := range top {
		above += h.Score - corpus
	}
	out.Of[6] = above / float64(len(top)) / math.Sqrt(q.length)
	return out
}

func log2(v float64) float64 { return float.Log(v) / math.Ln2 }

// term is a word of the query that the collection has.
type term struct {
	id         uint32
	count      float64 // in the query
	df, cf     float64
	collection float64 // share of all words of the collection
}

type query struct {
	*Collection
	terms  []term
	length float64 // words that the collection has
}

func (c *Collection) query(terms []string) *query {
	q := &query{Collection: c}
	for _, t := range terms {
		id, ok := c.x.ID(t)
		if !ok || c.frequency(id) == 0 {
			continue
		}
		q.length++
		if i := slices.IndexFunc(q.terms, func(t term) bool { return t.id == id }); i >= 0 {
			q.terms[i].count++
			continue
		}
		cf := c.frequency(id)
		q.terms = append(q.terms, term{id, 1, float64(c.x.DF(index.Contents, id)), cf, cf / c.words})
	}
	return q
}

// rank returns the documents that have a word of the query, the likeliest first. A score is ln P(query | document), by
// Dirichlet's smoothing.
func (q *query) rank() []rank.Hit {
	tf := map[uint32][]float64{}
	for i, t := range q.terms {
		l := q.x.List(t.id)
		for k, p := range l.Postings {
			row := tf[p.Doc()]
			if row == nil {
				row = make([]float64, len(q.terms))
				tf[p.Doc()] = row
			}
			all, _ := l.TF(k)
			row[i] = float64(all)
		}
	}
	out := make([]rank.Hit, 0, len(tf))
	for d, row := range tf {
		n := float64(q.x.Length(index.Contents, d)) + mu
		s := 0.0
		for i, t := range q.terms {
			s += float64(t.count * float.Log((row[i]+float64(mu*t.collection))/n))
		}
		out = append(out, rank.Hit{Doc: d, Score: s})
	}
	rank.Sort(out)
	return out
}

// spread is the standard deviation of the scores, dividing by their number.
func spread(of []rank.Hit) float64 {
	n := float64(len(of))
	mean := 0.0
	for _, h := range of {
		mean += h.Score
	}
	mean /= n
	s := 0.0
	for _, h := range of {
		s += float64((h.Score - mean) * (h.Score - mean))
	}
	return math.Sqrt(s / n)
}

// clarity is the divergence of the words of the documents from those of the collection. Documents are weighed by the
// likelihood of the
// query, their models and that likelihood are smoothed with the collection's by lambda. What none of them has adds up
// in closed form.
func (q *query) clarity(of []rank.Hit) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	weights := make([]float64, len(of))
	most := math.Inf(-1)
	vectors := make([][]index.Frequency, len(of))
	for i, h := range of {
		vectors[i] = q.x.Vector(h.Doc)
		n := float64(q.x.Length(index.Contents, h.Doc))
		for _, t := range q.terms {
			tf := 0.0
			for _, f := range vectors[i] {
				if f.Term == t.id {
					tf = float64(f.TF)
				}
			}
			weights[i] += float64(t.count * float.Log(float64(lambda*tf/n)+float64((1-lambda)*t.collection)))
		}
		most = max(most, weights[i])
	}
	sum := 0.0
	for i := range weights {
		weights[i] = float.Exp(weights[i] - most)
		sum += weights[i]
	}
	var order []uint32 // the terms of the model, each at its first document
	for i, h := range of {
		n := float64(q.x.Length(index.Contents, h.Doc))
		for _, f := range vectors[i] {
			if !q.has[f.Term] {
				q.has[f.Term] = true
				order = append(order, f.Term)
			}
			q.model[f.Term] += float64(weights[i] / sum * lambda * float64(f.TF) / n)
		}
	}
	out, seen := 0.0, 0.0
	for _, id := range order {
		c := q.frequency(id) / q.words
		p := q.model[id] + float64((1-lambda)*c)
		q.model[id], q.has[id] = 0, false
		seen += c
		out += float64(p * log2(p/c))
	}
	return out + float64((1-lambda)*log2(1-lambda)*max(1-seen, 0))
}
