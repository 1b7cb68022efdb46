// Package bm25 ranks by BM25 in the variants that people publish with. It ranks by words alone: no phrases, no
// proximity, no expansion of the query.
//
// Order of the pipeline: query text → analyzer of the index → distinct terms, a repeated word boosted by its count →
// term scores added up a document (accumulate) → the best k.
//
// The score of a document is the sum over the query's terms of boost × idf × saturation. With N documents, df of them
// holding the term, tf occurrences in this one, and L = 1 − b + b·dl/avgdl:
//
//	variant    idf                                  saturation
//	lucene     ln(1 + (N − df + 0.5)/(df + 0.5))    tf/(tf + k1·L)
//	robertson  ln(max(1, (N − df + 0.5)/(df + 0.5)))  tf/(tf + k1·L)
//	atire      ln(N/df)                             tf·(k1 + 1)/(tf + k1·L)
//	okapi      ln((N − df + 0.5)/(df + 0.5)); negative ones become ε × the mean idf of all terms   as atire
//	bm25+      ln((N + 1)/df)                       as atire, + δ, also where tf = 0
//	bm25l      ln((N + 1)/(df + 0.5))               (k1 + 1)·(tf/L + δ)/(k1 + tf/L + δ), also where tf = 0
//	bm25f      lucene over two weighted fields
//
// lucene and bm25f are Lucene's BM25Similarity and CombinedFieldQuery bit for bit: 32-bit term scores added in double
// and rounded to 32 bits once; N and avgdl count the documents that have the field; lengths are quantised to a byte.
// The others work in double precision, with exact lengths and all documents counted. robertson and lucene leave out the
// factor k1 + 1, which changes no ranking. okapi is rank_bm25's BM25Okapi, the rest bm25s's (which for bm25l differs
// from rank_bm25, by a defect of the latter).
//
// A title weight w other than 1 makes every variant a BM25F: tf = w·tf(title) + tf(text), dl likewise. lucene is then
// the same as bm25f. A weight of 0 leaves the title out.
//
// Sources: Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond; Robertson, Zaragoza and
// Taylor 2004, Simple BM25 Extension to Multiple Weighted Fields; Kamphuis, de Vries, Boytsov and Lin 2020, Which BM25
// Do You Mean?; Lv and Zhai 2011, Lower-Bounding Term Frequency Normalization and When Documents Are Very Long, BM25
// Fails!
package bm25

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Term is a term of a query, named by its id in the index.
type Term struct {
	ID    uint32
	Boost float64 // how often it occurs in the query, or any weight ≥ 0
}

// Ranker ranks one index by one variant. It is not safe for use by several goroutines at once; several Rankers of one
// index are.
type Ranker struct {
	x        *index.Index
	analyzer *text.Analyzer
	p        Params
	form     form
	set      bool

	n       float64   // N of the formulas
	avg     float64   // avgdl
	inv     []float32 // single: 1/(k1·L) by document
	coded   []byte    // single: length by document as Lucene keeps it, for codedOf
	codedOf struct {
		form  form
		title float64
	}
	norm   []float64 // double: k1·L by document; bm25l: L
	meanOf float64   // okapi: the title weight for which mean was made, −1 for none
	mean   float64   // okapi: mean idf

	job   Job
	prune pruner
	tfs   []float64
	words words
	terms []Term
}

// form is how scores are made: from which frequencies and in which precision.
type form uint8

const (
	flat     form = iota // Lucene's over contents
	combined             // Lucene's CombinedFieldQuery
	double               // the others
)

// New returns a ranker over x. The analyzer that made the index must be known in the same version.
func New(x *index.Index, p Params) (*Ranker, error) {
	a, err := text.At(x.Analyzer())
	if err != nil {
		return nil, fmt.Errorf("bm25: %w", err)
	}
	r := &Ranker{x: x, analyzer: a, meanOf: -1}
	if err := r.Set(p); err != nil {
		return nil, err
	}
	r.job.Acc = make([]float64, x.Docs())
	for i := range r.job.Acc {
		r.job.Acc[i] = Untouched
	}
	return r, nil
}

// Params returns the settings.
func (r *Ranker) Params() Params { return r.p }

// Set changes the settings to what New would make of them. Cost: a few operations a document, and memory only where it
// is the first of its kind (32 bits or double). After an error the old ones hold.
func (r *Ranker) Set(p Params) error {
	if err := p.check(); err != nil {
		return err
	}
	if r.set && r.p == p {
		return nil
	}
	r.p, r.set = p, true
	switch {
	case p.Variant == "bm25f" || p.Variant == "lucene" && p.Title != 1:
		r.form = combined
	case p.Variant == "lucene":
		r.form = flat
	default:
		r.form = double
	}
	if r.form == double {
		r.setDouble()
	} else {
		r.setSingle()
	}
	r.job.Inv, r.job.Title = r.inv, float32(p.Title)
	r.prune = pruner{}
	return nil
}

// setSingle makes inv as Lucene does: everything is rounded to 32 bits at every step.
func (r *Ranker) setSingle() {
	x := r.x
	if r.inv == nil {
		r.inv = make([]float32, x.Docs())
	}
	if r.form == flat {
		s := x.Stats(index.Contents)
		r.n, r.avg = float64(s.Docs), float64(float32(s.AvgLength()))
	} else {
		title, body := x.Stats(index.Title), x.Stats(index.Text)
		if r.p.Title == 0 {
			title = index.Stats{}
		}
		n := max(title.Docs, body.Docs)
		r.n, r.avg = float64(n), 0
		if n > 0 {
			// Lucene adds the weighted totals up in a long, which drops what follows the point
			total := math.Floor(float64(float64(float32(r.p.Title))*float64(title.Tokens))) + float64(body.Tokens)
			r.avg = float64(float32(total / r.n))
		}
	}
	inverse := func(dl float32) float32 { return r.p.inverse(dl, float32(r.avg)) }
	if r.p.Exact {
		for d := range r.inv {
			r.inv[d] = inverse(float32(r.length(uint32(d))))
		}
		return
	}
	var table [256]float32
	for i := range table {
		table[i] = inverse(float32(index.DecodeLength(byte(i))))
	}
	r.code()
	for d, b := range r.coded {
		r.inv[d] = table[b]
	}
}

// code makes coded, where it is not that of the settings already: it depends on the form and the title's weight alone.
func (r *Ranker) code() {
	of := r.codedOf
	of.form, of.title = r.form, r.p.Title
	if r.coded != nil && r.codedOf == of {
		return
	}
	if r.coded == nil {
		r.coded = make([]byte, r.x.Docs())
	}
	for d := range r.coded {
		r.coded[d] = r.lengthByte(uint32(d))
	}
	r.codedOf = of
}

// setDouble makes norm.
func (r *Ranker) setDouble() {
	x, p := r.x, &r.p
	if r.norm == nil {
		r.norm = make([]float64, x.Docs())
	}
	title := 0
	for _, n := range x.Lengths(index.Title) {
		title += int(n)
	}
	r.n, r.avg = float64(x.Docs()), 0
	if x.Docs() > 0 {
		r.avg = (float64(p.Title*float64(title)) + float64(x.Stats(index.Contents).Tokens-title)) / r.n
	}
	k := p.K1
	if p.Variant == "bm25l" {
		k = 1
	}
	for d := range r.norm {
		r.norm[d] = k * (1 - p.B + float64(float64(p.B*r.length(uint32(d)))/r.avg))
	}
	if p.Variant == "okapi" && r.meanOf != p.Title {
		r.meanOf, r.mean = p.Title, r.meanIDF()
	}
}

// length returns the exact length of a document as this ranker weighs its fields; CombinedFieldQuery rounds it.
func (r *Ranker) length(d uint32) float64 {
	if r.form == flat || r.form == double && r.p.Title == 1 {
		return float64(r.x.Length(index.Contents, d))
	}
	title, body := r.x.Length(index.Title, d), r.x.Length(index.Text, d)
	if r.form == combined {
		return math.Floor(float64(float32(float32(r.p.Title)*float32(title)) + float32(body) + 0.5))
	}
	return float64(r.p.Title*float64(title)) + float64(body)
}

// lengthByte returns the length of a document as Lucene keeps it.
func (r *Ranker) lengthByte(d uint32) byte {
	if r.form == flat {
		return index.EncodeLength(uint32(r.x.Length(index.Contents, d)))
	}
	title := index.DecodeLength(index.EncodeLength(uint32(r.x.Length(index.Title, d))))
	body := index.DecodeLength(index.EncodeLength(uint32(r.x.Length(index.Text, d))))
	sum := float32(float32(r.p.Title)*float32(title)) + float32(body)
	return index.EncodeLength(uint32(math.Floor(float64(sum) + 0.5)))
}

// dl returns the length of a document that its score is made with.
func (r *Ranker) dl(d uint32) float64 {
	if r.form == double || r.p.Exact {
		return r.length(d)
	}
	return float64(index.DecodeLength(r.lengthByte(d)))
}

// df returns the document frequency that the idf of a term is made of.
func (r *Ranker) df(id uint32) int {
	switch {
	case r.p.Title == 0:
		return r.x.DF(index.Text, id)
	case r.form == combined:
		return max(r.x.DF(index.Title, id), r.x.DF(index.Text, id))
	}
	return r.x.DF(index.Contents, id)
}

// idf returns the weight of a term in df documents, 0 where that is none; for the forms of Lucene it is a 32-bit
// number.
func (r *Ranker) idf(df int) float64 {
	n := float64(df)
	if df == 0 {
		return 0
	}
	switch r.p.Variant {
	case "robertson":
		return float.Log(max(1, (r.n-n+0.5)/(n+0.5)))
	case "atire":
		return float.Log(r.n / n)
	case "okapi":
		if idf := r.okapi(n); idf >= 0 {
			return idf
		}
		return r.p.Epsilon * r.mean
	case "bm25+":
		return float.Log((r.n + 1) / n)
	case "bm25l":
		return float.Log((r.n + 1) / (n + 0.5))
	}
	return float64(float32(float.Log(1 + (r.n-n+0.5)/(n+0.5))))
}

func (r *Ranker) okapi(df float64) float64 { return float.Log(r.n-df+0.5) - float.Log(df+0.5) }

// meanIDF returns the mean of okapi's idf over all terms, those below 0 included.
func (r *Ranker) meanIDF() float64 {
	count := make([]int, r.x.Docs()+1)
	terms := 0
	for id := range r.x.Terms() {
		if df := r.df(uint32(id)); df > 0 {
			count[df]++
			terms++
		}
	}
	if terms == 0 {
		return 0
	}
	var sum float64
	for df, n := range count {
		if n > 0 {
			sum += float64(float64(n) * r.okapi(float64(df)))
		}
	}
	return sum / float64(terms)
}

// factor returns k1 + 1, which robertson leaves out.
func (r *Ranker) factor() float64 {
	if r.p.Variant == "robertson" {
		return 1
	}
	return r.p.K1 + 1
}

// saturation returns what boost × idf is multiplied by where the term occurs tf times (weighted) in document d; double
// only.
func (r *Ranker) saturation(tf float64, d uint32) float64 {
	p := &r.p
	switch {
	case p.Variant == "bm25l":
		c := p.Delta
		if tf > 0 {
			c += tf / r.norm[d]
		}
		if c == 0 {
			return 0
		}
		return float64((p.K1+1)*c) / (p.K1 + c)
	case tf == 0 && p.Variant == "bm25+":
		return p.Delta
	case tf == 0:
		return 0
	case p.Variant == "bm25+":
		return float64(tf*r.factor())/(tf+r.norm[d]) + p.Delta
	}
	return float64(tf*r.factor()) / (tf + r.norm[d])
}

// absent returns the saturation where tf = 0; double only.
func (r *Ranker) absent() float64 { return r.saturation(0, 0) }

// tf returns the weighted frequency at place i of a list, to 32 bits for the forms of Lucene; 0 where the document
// counts as one without the term.
func (r *Ranker) tf(l *index.List, i int) float64 {
	all, title := l.TF(i)
	switch {
	case r.form == combined:
		return float64(float32(float32(r.p.Title)*float32(title)) + float32(all-title))
	case r.form == double && r.p.Title != 1:
		return float64(r.p.Title*float64(title)) + float64(all-title)
	}
	return float64(all)
}

// single returns Lucene's term score.
func single(w, tf, inv float32) float32 { return w - w/(1+float32(tf*inv)) }

// Rank implements rank.Ranker. Documents that hold none of the query's terms are not returned. Scores of lucene and
// bm25f are 32-bit numbers.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return r.RankTerms(r.Terms(q.Text), k, f, dst), nil
}

// Terms returns the distinct terms of a text that the index has, in order of first occurrence, each boosted by how
// often it occurs. The list is good until the next call of a method.
func (r *Ranker) Terms(s string) []Term {
	r.terms = r.terms[:0]
	r.analyzer.Words(s, func(start, end int) {
		id, ok := r.word(s[start:end])
		if !ok {
			return
		}
		for i := range r.terms {
			if r.terms[i].ID == id {
				r.terms[i].Boost++
				return
			}
		}
		r.terms = append(r.terms, Term{ID: id, Boost: 1})
	})
	return r.terms
}

// word returns the term of a raw word; ok is false where it is dropped or the index does not have it.
func (r *Ranker) word(raw string) (id uint32, ok bool) {
	s, known := r.words.get(raw)
	if !known {
		if term, ok := r.analyzer.Term(raw); ok {
			if id, ok := r.x.ID(term); ok {
				s.term = id + 1
			}
		}
	}
	return s.term - 1, s.term > 0
}

// RankTerms is Rank for a query that is analysed already: distinct terms with their boosts. A term of boost 0 adds
// nothing but is matched.
func (r *Ranker) RankTerms(terms []Term, k int, f rank.Filter, dst []rank.Hit) []rank.Hit {
	j := &r.job
	j.Lists, j.Single, j.Base, j.K, j.Filter, j.Hits = j.Lists[:0], r.form != double, 0, k, f, dst
	if canPrune && r.x.Docs() >= PruneFrom {
		if hits, ok := r.pruned(terms, j); ok {
			return hits
		}
		j.Base = 0
	}
	for _, t := range terms {
		l := r.x.List(t.ID)
		idf := r.idf(r.df(t.ID))
		switch {
		case r.form == double:
			w := t.Boost * idf
			r.addDouble(&l, w)
			j.Base += float64(w * r.absent())
		case l.Large() || r.p.Title == 0:
			r.addSingle(&l, float32(t.Boost)*float32(idf))
		default:
			add := Weighted{Postings: l.Postings, Weight: float32(t.Boost) * float32(idf)}
			if r.form == combined {
				add.Titles = l.Titles
			}
			j.Lists = append(j.Lists, add)
		}
	}
	return Run(j)
}

// addSingle accumulates a list in the forms of Lucene where Run cannot: a frequency is above 254, or the title weighs
// 0.
func (r *Ranker) addSingle(l *index.List, w float32) {
	for i, p := range l.Postings {
		if tf := float32(r.tf(l, i)); tf > 0 {
			r.job.Acc[p.Doc()] += float64(single(w, tf, r.inv[p.Doc()]))
		}
	}
}

// addDouble accumulates a list in double: of each document the saturation less that of one without the term.
func (r *Ranker) addDouble(l *index.List, w float64) {
	r.tfs = r.tfs[:0]
	if l.Large() || r.p.Title != 1 {
		for i := range l.Postings {
			r.tfs = append(r.tfs, r.tf(l, i))
		}
	} else {
		for _, p := range l.Postings {
			r.tfs = append(r.tfs, float64(uint32(p)&255))
		}
	}
	acc := r.job.Acc
	norm := r.norm[:len(acc)]
	if r.p.Variant == "bm25l" {
		k1, delta, absent := r.p.K1, r.p.Delta, r.absent()
		for i, tf := range r.tfs {
			if tf > 0 {
				d := l.Postings[i].Doc()
				c := tf/norm[d] + delta
				acc[d] += float64(w * (float64((k1+1)*c)/(k1+c) - absent))
			}
		}
		return
	}
	factor := r.factor()
	for i, tf := range r.tfs {
		if tf > 0 {
			d := l.Postings[i].Doc()
			acc[d] += float64(w * (float64(tf*factor) / (tf + norm[d])))
		}
	}
}

// word is a distinct term of a query that is explained, and how much it counts.
type word struct {
	term  string
	boost float64
}

// Explain implements rank.Ranker. There is a part for each distinct term of the query, also for those that add nothing:
// their tf or df is 0.
func (r *Ranker) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	var words []word
	r.analyzer.Each(q.Text, func(term string, _, _ int) {
		for i := range words {
			if words[i].term == term {
				words[i].boost++
				return
			}
		}
		words = append(words, word{term, 1})
	})
	return r.explain(words, r.Terms(q.Text), d)
}

// ExplainTerms is Explain for a query that is analysed already, as RankTerms has it.
func (r *Ranker) ExplainTerms(terms []Term, d uint32) (rank.Part, error) {
	words := make([]word, len(terms))
	for i, t := range terms {
		words[i] = word{r.x.Term(t.ID), t.Boost}
	}
	return r.explain(words, terms, d)
}

// explain explains the score of the words, which terms are those of the index of.
func (r *Ranker) explain(words []word, terms []Term, d uint32) (rank.Part, error) {
	if int(d) >= r.x.Docs() {
		return rank.Part{}, fmt.Errorf("bm25: explain document %d: there are %d", d, r.x.Docs())
	}
	dl := r.dl(d)
	var out rank.Part
	var sum float64
	for _, w := range words {
		part := rank.Part{Name: w.term}
		var tf, df, idf, saturation float64
		if id, ok := r.x.ID(w.term); ok {
			l := r.x.List(id)
			if i, ok := l.Find(d); ok {
				tf = r.tf(&l, i)
			}
			df = float64(r.df(id))
			idf = r.idf(int(df))
			if r.form == double {
				saturation = r.saturation(tf, d)
				part.Score = w.boost * idf * saturation
			} else if tf > 0 {
				saturation = float64(1 - 1/(1+float32(float32(tf)*r.inv[d])))
				part.Score = float64(single(float32(float32(w.boost)*float32(idf)), float32(tf), r.inv[d]))
			}
		}
		part.Values = []rank.Value{{Name: "boost", Value: w.boost}, {Name: "tf", Value: tf}, {Name: "df", Value: df},
			{Name: "idf", Value: idf},
			{Name: "saturation", Value: saturation}}
		sum += part.Score
		out.Parts = append(out.Parts, part)
	}
	out.Score = sum
	if r.form != double {
		out.Score = float64(float32(sum))
	} else {
		// the list adds up in another order, which shows in the last bit: the score is the list's
		only := make(rank.Filter, (r.x.Docs()+63)/64)
		only[d>>6] = 1 << (d & 63)
		if hits := r.RankTerms(terms, 1, only, nil); len(hits) == 1 {
			out.Score = hits[0].Score
		}
	}
	norm := 0.0
	if r.avg > 0 {
		norm = 1 - r.p.B + r.p.B*dl/r.avg
	}
	out.Values = []rank.Value{{Name: "k1", Value: r.p.K1}, {Name: "b", Value: r.p.B}, {Name: "N", Value: r.n},
		{Name: "dl", Value: dl},
		{Name: "avgdl", Value: r.avg}, {Name: "length norm", Value: norm}}
	return out, nil
}
