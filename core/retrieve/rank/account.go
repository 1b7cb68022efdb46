package rank

// Account is a ranker's report on its last ranking. The ranker owns its slices and overwrites them with the next
// ranking.
type Account struct {
	Note   string  // a sentence: what was decided for this query, or why the stage stood aside; "" for nothing
	Aside  bool    // the stage could not do its work, and the ranking is the one it was given
	Idle   bool    // it had nothing to do its work with for this query, so the order is the one it was given
	Part   bool    // it could do a part of its work, and the rest of the ranking is the one it was given
	Below  int     // documents below its threshold, which it took out or put behind
	Gone   []Gone  // documents that it took out or put further down, in the order in which it met them
	Groups []Group // topics of the ranking, the largest first
}

// Gone is a document that a ranker removed or demoted.
type Gone struct {
	Doc uint32
	By  uint32 // the document that it repeats; Doc itself if none
	Why string // a short reason: "title like that of"
}

// Group is a topic of a ranking: its name and its documents in rank order.
type Group struct {
	Name string
	Docs []uint32
}

// Accountable is a ranker that can report on its last ranking.
type Accountable interface{ Account() Account }

// Card holds the metadata of a document.
type Card struct {
	ID, Title, Date, Category string // Date is YYYY-MM-DD, "" if unknown
	Entities                  []Entity
}

// Entity is a name in a document, with the confidence of its annotator.
type Entity struct {
	Name, Kind string
	Confidence float64 // 0 to 1
}

// Before is the explanation of a stage's input: it adds the score that the input had.
func Before(inner Part) Part {
	return Part{Name: "score before", Score: inner.Score, Parts: []Part{inner}}
}
