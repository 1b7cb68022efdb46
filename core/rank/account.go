package rank

// Account is what a ranker says of its last ranking beside the hits. Its slices are the ranker's own until it ranks
// again.
type Account struct {
	Note   string  // a sentence: what was decided for this query, or why the stage stood aside; "" for nothing
	Aside  bool    // the stage could not do its work, and the ranking is the one it was given
	Part   bool    // it could do a part of its work, and the rest of the ranking is the one it was given
	Below  int     // documents below its threshold, which it took out or put behind
	Gone   []Gone  // documents that it took out or put further down, in the order in which it met them
	Groups []Group // topics of the ranking, the largest first
}

// Gone is a document that a ranker took out of a ranking or put further down.
type Gone struct {
	Doc uint32
	By  uint32 // the document that it repeats; Doc where it is none
	Why string // a few words: "title like that of"
}

// Group is a topic of a ranking: its name and its documents in the order of the ranking.
type Group struct {
	Name string
	Docs []uint32
}

// Accountable is a ranker that says more of its last ranking than the hits.
type Accountable interface{ Account() Account }

// Card is what is known of a document beside its words.
type Card struct {
	ID, Title, Date, Category string // Date is YYYY-MM-DD, "" where it is not known
	Entities                  []Entity
}

// Entity is a name that a document holds, and how sure whoever found it was.
type Entity struct {
	Name, Kind string
	Confidence float64 // 0 to 1
}

// Before is the part of an explanation that stands for the ranking which a stage was given: what it adds is the score
// that it gave.
func Before(inner Part) Part {
	return Part{Name: "score before", Score: inner.Score, Parts: []Part{inner}}
}
