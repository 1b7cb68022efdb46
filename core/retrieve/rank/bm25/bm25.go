// Package bm25 ranks by BM25 in its published variants. It uses words alone: no phrases, proximity or query
// expansion.
//
// Order of the pipeline: query text → analyzer of the index → distinct terms, boosted by their count → term scores
// summed by document → the best k.
package bm25

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Term is a term of a query, given by its id in the index.
type Term struct {
	ID    uint32
	Boost float64 // number of occurrences in the query, or any weight ≥ 0
}

// Ranker ranks one index by one variant. Each goroutine needs its own; several Rankers may share an index.
//
// A document's score is the sum over the query's terms of boost × idf × saturation. N is the number of documents,
// df the number that contain the term, tf its frequency in this one, and L = 1 − b + b·dl/avgdl:
//
//	variant    idf                                  saturation
//	lucene     ln(1 + (N − df + 0.5)/(df + 0.5))    tf/(tf + k1·L)
//	robertson  ln(max(1, (N − df + 0.5)/(df + 0.5)))  tf/(tf + k1·L)
//	atire      ln(N/df)                             tf·(k1 + 1)/(tf + k1·L)
//	okapi      ln((N − df + 0.5)/(df + 0.5)); negative ones become ε × the mean idf of all terms   as atire
//	bm25+      ln((N + 1)/df)                       as atire, + δ, also if tf = 0
//	bm25l      ln((N + 1)/(df + 0.5))               (k1 + 1)·(tf/L + δ)/(k1 + tf/L + δ), also if tf = 0
//	bm25f      lucene over two weighted fields
//
// lucene and bm25f equal Lucene's BM25Similarity and CombinedFieldQuery bit for bit: they add 32-bit term scores in
// double precision and round the sum to 32 bits. N and avgdl count the documents that have the field; lengths are
// quantised to a byte. The other variants use double precision, exact lengths and all documents. robertson and
// lucene omit the factor k1 + 1, which changes no ranking. okapi is rank_bm25's BM25Okapi, the rest are bm25s's.
// For bm25l rank_bm25 differs because of a defect.
//
// With a title weight w other than 1 every variant becomes a BM25F: tf = w·tf(title) + tf(text), dl likewise.
// lucene then equals bm25f. A weight of 0 ignores the title.
//
// Sources: Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond; Robertson, Zaragoza
// and Taylor 2004, Simple BM25 Extension to Multiple Weighted Fields; Kamphuis, de Vries, Boytsov and Lin 2020,
// Which BM25 Do You Mean?; Lv and Zhai 2011, Lower-Bounding Term Frequency Normalization and When Documents Are
// Very Long, BM25 Fails!
type Ranker struct {
	x        *index.Index
	analyzer *text.Analyzer
	p        Params
	form     form
	set      bool

	docCount    float64   // N in the formulas
	avgLength   float64   // avgdl
	invNorm     []float32 // single: 1/(k1·L) by document
	lengthCodes []byte    // single: Lucene's length byte by document, for codesFor
	codesFor    struct {
		form  form
		title float64
	}
	lengthNorm   []float64 // double: k1·L by document; bm25l: L
	okapiTitle   float64   // okapi: the title weight of mean, −1 before the first
	okapiMeanIDF float64   // okapi: mean idf

	job   Job
	prune pruner
	tfs   []float64
	words words
	terms []Term
}

// form selects the frequencies and the precision of the scores.
type form uint8

const (
	flat            form = iota // Lucene's BM25Similarity over contents
	combined                    // Lucene's CombinedFieldQuery
	doublePrecision             // the others
)

// New returns a ranker over x. It returns an error unless this version has the analyzer that made the index.
func New(x *index.Index, p Params) (*Ranker, error) {
	a, err := text.At(x.Analyzer())
	if err != nil {
		return nil, fmt.Errorf("bm25: %w", err)
	}
	r := &Ranker{x: x, analyzer: a, okapiTitle: -1}
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

// Set changes the settings. The ranker then equals one that New makes with them. Cost: a few operations a document,
// and memory when the form first changes between 32 bits and double. After an error the old settings remain.
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
		r.form = doublePrecision
	}
	if r.form == doublePrecision {
		r.setDouble()
	} else {
		r.setSingle()
	}
	r.job.Inv, r.job.Title = r.invNorm, float32(p.Title)
	r.prune = pruner{}
	return nil
}

// setSingle computes invNorm with Lucene's rounding: to 32 bits at every step.
func (r *Ranker) setSingle() {
	x := r.x
	if r.invNorm == nil {
		r.invNorm = make([]float32, x.Docs())
	}
	if r.form == flat {
		s := x.Stats(index.Contents)
		r.docCount, r.avgLength = float64(s.Docs), float64(float32(s.AvgLength()))
	} else {
		title, body := x.Stats(index.Title), x.Stats(index.Text)
		if r.p.Title == 0 {
			title = index.Stats{}
		}
		docCount := max(title.Docs, body.Docs)
		r.docCount, r.avgLength = float64(docCount), 0
		if docCount > 0 {
			// Lucene sums the weighted totals in a long, which truncates the fraction.
			total := math.Floor(float64(float64(float32(r.p.Title))*float64(title.Tokens))) + float64(body.Tokens)
			r.avgLength = float64(float32(total / r.docCount))
		}
	}
	inverse := func(dl float32) float32 { return r.p.inverse(dl, float32(r.avgLength)) }
	if r.p.Exact {
		for d := range r.invNorm {
			r.invNorm[d] = inverse(float32(r.length(uint32(d))))
		}
		return
	}
	var table [256]float32
	for i := range table {
		table[i] = inverse(float32(index.DecodeLength(byte(i))))
	}
	r.encodeLengths()
	for d, b := range r.lengthCodes {
		r.invNorm[d] = table[b]
	}
}

// encodeLengths computes lengthCodes unless they are current: it depends on the form and the title weight alone.
func (r *Ranker) encodeLengths() {
	key := r.codesFor
	key.form, key.title = r.form, r.p.Title
	if r.lengthCodes != nil && r.codesFor == key {
		return
	}
	if r.lengthCodes == nil {
		r.lengthCodes = make([]byte, r.x.Docs())
	}
	for d := range r.lengthCodes {
		r.lengthCodes[d] = r.lengthByte(uint32(d))
	}
	r.codesFor = key
}

// setDouble computes lengthNorm.
func (r *Ranker) setDouble() {
	x, p := r.x, &r.p
	if r.lengthNorm == nil {
		r.lengthNorm = make([]float64, x.Docs())
	}
	title := 0
	for _, n := range x.Lengths(index.Title) {
		title += int(n)
	}
	r.docCount, r.avgLength = float64(x.Docs()), 0
	if x.Docs() > 0 {
		r.avgLength = (float64(p.Title*float64(title)) + float64(x.Stats(index.Contents).Tokens-title)) / r.docCount
	}
	k := p.K1
	if p.Variant == "bm25l" {
		k = 1
	}
	for d := range r.lengthNorm {
		r.lengthNorm[d] = k * (1 - p.B + float64(float64(p.B*r.length(uint32(d)))/r.avgLength))
	}
	if p.Variant == "okapi" && r.okapiTitle != p.Title {
		r.okapiTitle, r.okapiMeanIDF = p.Title, r.meanIDF()
	}
}

// length returns the exact length of a document with its fields weighted; CombinedFieldQuery rounds it.
func (r *Ranker) length(d uint32) float64 {
	if r.form == flat || r.form == doublePrecision && r.p.Title == 1 {
		return float64(r.x.Length(index.Contents, d))
	}
	title, body := r.x.Length(index.Title, d), r.x.Length(index.Text, d)
	if r.form == combined {
		return math.Floor(float64(float32(float32(r.p.Title)*float32(title)) + float32(body) + 0.5))
	}
	return float64(r.p.Title*float64(title)) + float64(body)
}

// lengthByte returns Lucene's one-byte length of a document.
func (r *Ranker) lengthByte(d uint32) byte {
	if r.form == flat {
		return index.EncodeLength(uint32(r.x.Length(index.Contents, d)))
	}
	title := index.DecodeLength(index.EncodeLength(uint32(r.x.Length(index.Title, d))))
	body := index.DecodeLength(index.EncodeLength(uint32(r.x.Length(index.Text, d))))
	sum := float32(float32(r.p.Title)*float32(title)) + float32(body)
	return index.EncodeLength(uint32(math.Floor(float64(sum) + 0.5)))
}

// dl returns the document length that the score uses.
func (r *Ranker) dl(d uint32) float64 {
	if r.form == doublePrecision || r.p.Exact {
		return r.length(d)
	}
	return float64(index.DecodeLength(r.lengthByte(d)))
}

// df returns the document frequency that the idf uses.
func (r *Ranker) df(id uint32) int {
	switch {
	case r.p.Title == 0:
		return r.x.DF(index.Text, id)
	case r.form == combined:
		return max(r.x.DF(index.Title, id), r.x.DF(index.Text, id))
	}
	return r.x.DF(index.Contents, id)
}

// idf returns the weight of a term in df documents, 0 if df is 0. In Lucene's forms it is a 32-bit number.
func (r *Ranker) idf(df int) float64 {
	docFreq := float64(df)
	if df == 0 {
		return 0
	}
	switch r.p.Variant {
	case "robertson":
		return float.Log(max(1, (r.docCount-docFreq+0.5)/(docFreq+0.5)))
	case "atire":
		return float.Log(r.docCount / docFreq)
	case "okapi":
		if idf := r.okapi(docFreq); idf >= 0 {
			return idf
		}
		return r.p.Epsilon * r.okapiMeanIDF
	case "bm25+":
		return float.Log((r.docCount + 1) / docFreq)
	case "bm25l":
		return float.Log((r.docCount + 1) / (docFreq + 0.5))
	}
	return float64(float32(float.Log(1 + (r.docCount-docFreq+0.5)/(docFreq+0.5))))
}

func (r *Ranker) okapi(df float64) float64 { return float.Log(r.docCount-df+0.5) - float.Log(df+0.5) }

// meanIDF returns the mean of okapi's idf over all terms, including negative ones.
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

// saturation returns the factor of boost × idf for a term with weighted frequency tf in document d; double only.
func (r *Ranker) saturation(tf float64, d uint32) float64 {
	p := &r.p
	switch {
	case p.Variant == "bm25l":
		c := p.Delta
		if tf > 0 {
			c += tf / r.lengthNorm[d]
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
		return float64(tf*r.factor())/(tf+r.lengthNorm[d]) + p.Delta
	}
	return float64(tf*r.factor()) / (tf + r.lengthNorm[d])
}

// absent returns the saturation at tf = 0; double only.
func (r *Ranker) absent() float64 { return r.saturation(0, 0) }

// tf returns the weighted frequency at index i of a list, in 32 bits for Lucene's forms. It is 0 if only an ignored
// title has the term.
func (r *Ranker) tf(l *index.List, i int) float64 {
	all, title := l.TF(i)
	switch {
	case r.form == combined:
		return float64(float32(float32(r.p.Title)*float32(title)) + float32(all-title))
	case r.form == doublePrecision && r.p.Title != 1:
		return float64(r.p.Title*float64(title)) + float64(all-title)
	}
	return float64(all)
}

// termScore returns Lucene's term score.
func termScore(w, tf, inv float32) float32 { return w - w/(1+float32(tf*inv)) }

// Rank implements rank.Ranker. It omits documents without any term of the query. Scores of lucene and bm25f are
// 32-bit numbers.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return r.RankTerms(r.Terms(q.Text), k, f, dst), nil
}

// Terms returns the distinct terms of a text that the index has, in order of first occurrence, each boosted by its
// count. The list is valid until the next method call.
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

// word returns the term of a raw word. ok is false if the analyzer drops it or the index lacks it.
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

// RankTerms is Rank for an analysed query: distinct terms with their boosts. A term of boost 0 matches but adds
// nothing.
func (r *Ranker) RankTerms(terms []Term, k int, f rank.Filter, dst []rank.Hit) []rank.Hit {
	j := &r.job
	j.Lists, j.Single, j.Base, j.K, j.Filter, j.Hits = j.Lists[:0], r.form != doublePrecision, 0, k, f, dst
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
		case r.form == doublePrecision:
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

// addSingle accumulates a list in Lucene's forms when Run cannot: a frequency exceeds 254, or the title weight is
// 0.
func (r *Ranker) addSingle(l *index.List, w float32) {
	for i, p := range l.Postings {
		if tf := float32(r.tf(l, i)); tf > 0 {
			r.job.Acc[p.Doc()] += float64(termScore(w, tf, r.invNorm[p.Doc()]))
		}
	}
}

// addDouble accumulates a list in double precision: for each document its saturation minus that of an absent term.
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
	norm := r.lengthNorm[:len(acc)]
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

// word is a distinct query term to explain, with its boost.
type word struct {
	term  string
	boost float64
}

// Explain implements rank.Ranker. It returns a part for each distinct term of the query, including those that add
// nothing because tf or df is 0.
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

// ExplainTerms is Explain for an analysed query, as in RankTerms.
func (r *Ranker) ExplainTerms(terms []Term, d uint32) (rank.Part, error) {
	words := make([]word, len(terms))
	for i, t := range terms {
		words[i] = word{r.x.Term(t.ID), t.Boost}
	}
	return r.explain(words, terms, d)
}

// explain explains the score of words. terms are those of them that the index has.
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
			if r.form == doublePrecision {
				saturation = r.saturation(tf, d)
				part.Score = w.boost * idf * saturation
			} else if tf > 0 {
				saturation = float64(1 - 1/(1+float32(float32(tf)*r.invNorm[d])))
				part.Score = float64(termScore(float32(float32(w.boost)*float32(idf)), float32(tf), r.invNorm[d]))
			}
		}
		part.Values = []rank.Value{{Name: "boost", Value: w.boost}, {Name: "tf", Value: tf}, {Name: "df", Value: df},
			{Name: "idf", Value: idf},
			{Name: "saturation", Value: saturation}}
		sum += part.Score
		out.Parts = append(out.Parts, part)
	}
	out.Score = sum
	if r.form != doublePrecision {
		out.Score = float64(float32(sum))
	} else {
		// The ranking adds in another order, which changes the last bit. Report the ranking's score.
		only := make(rank.Filter, (r.x.Docs()+63)/64)
		only[d>>6] = 1 << (d & 63)
		if hits := r.RankTerms(terms, 1, only, nil); len(hits) == 1 {
			out.Score = hits[0].Score
		}
	}
	norm := 0.0
	if r.avgLength > 0 {
		norm = 1 - r.p.B + r.p.B*dl/r.avgLength
	}
	out.Values = []rank.Value{{Name: "k1", Value: r.p.K1}, {Name: "b", Value: r.p.B}, {Name: "N", Value: r.docCount},
		{Name: "dl", Value: dl},
		{Name: "avgdl", Value: r.avgLength}, {Name: "length norm", Value: norm}}
	return out, nil
}
