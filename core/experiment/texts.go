package experiment

import (
	"slices"
	"time"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Texts are the documents of a collection and what is made of their texts, which are fetched shard by shard.
type Texts struct {
	b       *bundle.Bundle
	fetch   bundle.Fetch
	shards  map[int][]string
	shingle map[uint32][]uint64
	twin    map[[2]uint32]bool   // whether two documents are near-duplicates
	words   map[uint32][2][]word // a document: of its title and of its text
	indexes map[string]*index.Index
	late    bool // texts that are missing are being fetched
	distant

	// Early takes the lists of a search whose texts take longer than Patience: they say "Loading the text …" instead.
	// nil if nobody wants them.
	Early func(*Results)
}

// Patience is how long a search waits for texts before Early gets its lists.
const Patience = 400 * time.Millisecond

func newTexts(b *bundle.Bundle, fetch bundle.Fetch) *Texts {
	return &Texts{b: b, fetch: fetch, shards: map[int][]string{}, shingle: map[uint32][]uint64{},
		twin: map[[2]uint32]bool{}, words: map[uint32][2][]word{},
		indexes: map[string]*index.Index{b.Manifest.Analyzer: b.Index}}
}

// Card returns what is known of a document beside its words.
func (x *Texts) Card(d uint32) rank.Card {
	c := &x.b.Cards[d]
	out := rank.Card{ID: c.ID, Title: c.Title, Date: c.Date, Category: c.Category}
	for _, e := range c.Entities {
		out.Entities = append(out.Entities, rank.Entity{Name: e.Name, Kind: e.Kind, Confidence: e.Confidence})
	}
	return out
}

// Text returns the text of document d, fetching its shard where it is not there yet.
func (x *Texts) Text(doc uint32) (string, error) {
	d := int(doc)
	if x.elsewhere() {
		err := x.bring([]int{d})
		t, _ := x.textOf(d)
		return t, err
	}
	n := d / x.b.Manifest.Shard
	t, ok := x.shards[n]
	if !ok {
		var err error
		if t, _, err = x.b.Texts(d, x.fetch); err != nil {
			return "", err
		}
		x.shards[n] = t
	}
	return t[d%x.b.Manifest.Shard], nil
}

// fetched returns the text of document d if it is there already.
func (x *Texts) fetched(d int) (t string, there bool) {
	if x.elsewhere() {
		return x.textOf(d)
	}
	shard, there := x.shards[d/x.b.Manifest.Shard]
	if there {
		t = shard[d%x.b.Manifest.Shard]
	}
	return t, there
}

// need fetches the shards of the texts of documents that are not there yet, all at once. If that takes long and there
// is an Early, late is called meanwhile.
func (x *Texts) need(docs []int, late func()) error {
	if x.elsewhere() {
		return x.bring(docs)
	}
	missing := map[int]int{} // shard → one of its documents
	for _, d := range docs {
		n := d / x.b.Manifest.Shard
		if _, ok := x.shards[n]; !ok {
			missing[n] = d
		}
	}
	type answer struct {
		shard int
		texts []string
		err   error
	}
	answers := make(chan answer, len(missing)+1)
	for n, d := range missing {
		go func() {
			t, _, err := x.b.Texts(d, x.fetch)
			answers <- answer{n, t, err}
		}()
	}
	const long = -1 // in the place of a shard
	if goesAhead && x.Early != nil && len(missing) > 0 {
		go func() {
			time.Sleep(Patience)
			answers <- answer{shard: long}
		}()
	}
	var first error
	for left := len(missing); left > 0; {
		a := <-answers
		if goesAhead && a.shard == long {
			late()
			continue
		}
		left--
		if a.err != nil {
			first = a.err
			continue
		}
		x.shards[a.shard] = a.texts
	}
	return first
}

// goAhead tells the lists of a search, described without the texts that are missing.
func (x *Texts) goAhead(out *Results, describe func()) {
	if !goesAhead {
		return
	}
	x.late = true
	describe()
	x.late = false
	early := *out
	early.Lists, early.Spent = slices.Clone(out.Lists), 0
	x.Early(&early)
}

// Index returns the index by an analyzer ("" for the collection's own), building it from the texts at the first time.
func (x *Texts) Index(analyzer string) (*index.Index, error) {
	if analyzer == "" {
		analyzer = x.b.Manifest.Analyzer
	}
	an, err := text.Get(analyzer)
	if err != nil {
		return nil, err
	}
	if made, ok := x.indexes[an.Name()]; ok {
		return made, nil
	}
	all := make([]int, len(x.b.Cards))
	for d := range all {
		all[d] = d
	}
	if err := x.need(all, nil); err != nil {
		return nil, err
	}
	b := index.NewBuilder(an)
	for d, c := range x.b.Cards {
		t, err := x.Text(uint32(d))
		if err != nil {
			return nil, err
		}
		b.Add(c.Title, t)
	}
	x.indexes[an.Name()] = b.Build()
	return x.indexes[an.Name()], nil
}

// idf is what a matched term is worth in an excerpt: ln(1 + (N − df + 0.5)/(df + 0.5)).
func idf(x *index.Index, term string) float64 {
	df := 0.0
	if id, ok := x.ID(term); ok {
		df = float64(x.DF(index.Contents, id))
	}
	return float.Log(1 + (float64(x.Docs())-df+0.5)/(df+0.5))
}

// maxTwins is of how many pairs a session keeps whether they are near-duplicates.
const maxTwins = 1 << 16

// twins says whether the texts of two documents are near-duplicates, which is not known where one was not fetched.
func (x *Texts) twins(a, b uint32) bool {
	s, ok := x.shinglesOf(a)
	t, ok2 := x.shinglesOf(b)
	if !ok || !ok2 {
		return false
	}
	pair := [2]uint32{min(a, b), max(a, b)}
	alike, known := x.twin[pair]
	if !known {
		if len(x.twin) >= maxTwins {
			clear(x.twin)
		}
		alike = text.Jaccard(s, t) >= text.NearDuplicate
		x.twin[pair] = alike
	}
	return alike
}

// shinglesOf returns the shingles of a document's text, if that is there.
func (x *Texts) shinglesOf(d uint32) (shingles []uint64, there bool) {
	if sh, ok := x.shingle[d]; ok {
		return sh, true
	}
	t, there := x.fetched(int(d))
	if there {
		x.shingle[d] = text.Shingles(t)
	}
	return x.shingle[d], there
}

// notLoaded stands where a text would. The ranking needs none; the next search fetches it again, and the page searches
// again by itself when the network is back.
const notLoaded = "The text of this document could not be loaded. Rank and score do not depend on it. " +
	"Search again when you are online."

// mark returns the title of a document and an excerpt of its text, with the words of the query marked; whole is false
// where its text is missing. The words of a document stay for the next query: finding and stemming them is most of what
// a keystroke would cost.
func (x *Texts) mark(m *marker, doc uint32) (title, excerpt []Segment, whole bool) {
	heading := x.b.Cards[doc].Title
	t, there := x.fetched(int(doc))
	if goesAhead && !there && x.late {
		return m.whole(heading), []Segment{{Text: "Loading the text …"}}, true
	}
	if !there {
		why := x.textMissing(int(doc))
		return m.whole(heading), []Segment{{Text: why}}, why != notLoaded
	}
	w, kept := x.words[doc]
	if !kept {
		if len(x.words) >= maxWords {
			clear(x.words)
		}
		w = [2][]word{m.words(heading), m.words(t)}
		x.words[doc] = w
	}
	return m.split(heading, w[0], 0, len(heading)), m.excerpt(t, w[1]), true
}

// maxWords is of how many documents a session keeps the words: about ten kilobytes each.
const maxWords = 1000
