// Package pattern names what goes wrong with a query: each pattern is a file with its rule and what would mend it. It
// looks at what a system
// ranked, at the judgments and at the words; it ranks nothing and measures nothing.
package pattern

// Doc is a document that was ranked, or is relevant.
type Doc struct {
	ID       string
	Rank     int // from 1; 0 where it is not in the ranking
	Grade    float64
	Judged   bool
	Terms    map[string]bool // as the index has them; nil where they are not known
	Words    map[string]bool // in lower case, as written
	Length   float64         // in terms
	Year     string          // of its date, "" for none
	Shingles []uint64        // of its text
}

// Relevant reports whether it was judged so.
func (d *Doc) Relevant() bool { return d.Judged && d.Grade > 0 }

// Component is a system of the comparison that another one is made of.
type Component struct {
	Name string         // of the stage that worked on it: "rerank", "mmr", "rrf"
	Rank map[string]int // of its first Window documents
	More float64        // its value less that of the system
}

// Case is what a system did for a query.
type Case struct {
	Query    string
	Words    []string // of the query in lower case, as written
	Terms    []string // as the index has them
	Unknown  []string // words that no document has, with a spelling that some have in Spelled
	Spelled  []string
	Names    [][]string  // names of two or more words that the query has whole, their words in lower case
	Top      []Doc       // the first Window documents
	Relevant []Doc       // all relevant ones
	Found    int         // documents of the ranking
	All      int         // documents that have all of its terms
	Docs     int         // of the collection
	Inputs   []Component // systems that the last stages worked on
	Diverse  bool        // the last stage is there for variety
	Reranked bool        // the last stage is a reranker
}

// Window is how many documents of a ranking are looked at.
const Window = 10

// Pattern is a way to go wrong.
type Pattern struct {
	Name, Rule, Fix string
	holds           func(c *Case) (example string, ok bool)
}

// All lists them.
var All = []Pattern{vocabulary, names, dates, duplicates, unjudged, diversified, demoted, fusedAway, spelling, broad,
	narrow, length, lost}

// Match is a pattern that holds.
type Match struct {
	Pattern int // of All
	Example string
}

// Find returns the patterns that hold, in the order of All.
func Find(c *Case) (out []Match) {
	for i, p := range All {
		if example, ok := p.holds(c); ok {
			out = append(out, Match{i, example})
		}
	}
	return out
}

// missed are the relevant documents that are not among the first Window.
func (c *Case) missed() (out []*Doc) {
	for i := range c.Relevant {
		if d := &c.Relevant[i]; d.Rank == 0 || d.Rank > Window {
			out = append(out, d)
		}
	}
	return out
}

// wrong are the first n documents that are judged and not relevant.
func (c *Case) wrong(n int) (out []*Doc) {
	for i := range c.Top[:min(n, len(c.Top))] {
		if d := &c.Top[i]; d.Judged && !d.Relevant() {
			out = append(out, d)
		}
	}
	return out
}
