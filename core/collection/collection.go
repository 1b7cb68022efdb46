// Package collection holds what a test collection is made of: documents, queries, qrels and the runs that are measured
// against them, with readers and writers of the formats people have. It is not an index and computes no measure.
//
// Order of the pipeline: bytes → source (gzip, limits, progress) → reader of a format (streaming, errors of type
// *ParseError with file and line) → Doc, Query, Qrels, Diversity, Run, Benchmark, Array → checks (counted, located
// warnings). Read takes anything and tells by its content what it is (see Detect); ReadRun, ReadQrels, ReadCorpus,
// ReadQueries, ReadNPY and ReadBEIR take what the caller knows.
//
// A run is joined with its judgments by Run.Grades. What the readers found odd, Check and Fixable say more about;
// writing a run or qrels out again settles what can be settled in one way only. A run of chunks becomes one of
// documents by Run.Collapse.
package collection

// Doc is one document. ID is unique in its collection; Title and Text may be empty (an empty document is reported and
// is never retrieved by a lexical system). The other fields are optional and are what filters and result lists show.
type Doc struct {
	ID       string
	Title    string
	Text     string
	Date     string // YYYY-MM-DD, or "" where unknown
	Category string
	Entities []Entity
	URI      string // where it came from: a URL, a path or a file name; "" where unknown
	Page     int    // the page within it, from 1; 0 where unknown
	News     *News  // nil where nothing of it is known
}

// News is what a newswire notes of an article. Everything is optional.
type News struct {
	Time        string   // of the day, as the source writes it
	Byline      string   // who wrote it
	Story       string   // the story that it belongs to
	Updates     []string // ids of earlier documents that it brings up to date
	DuplicateOf string   // the id of the document that it repeats
}

// Entity is a person, organisation or place that a document is about. Confidence is in [0,1].
type Entity struct {
	Name       string
	Kind       string // "person", "organisation", "place", "vessel" …: what the collection calls it
	Confidence float64
}

// Query is one information need (TREC: topic). Type, Difficulty and Domain are optional labels that aggregates group
// by; Description and Narrative are for whoever judges, and no system is given them.
type Query struct {
	ID         string
	Text       string
	Type       string
	Difficulty string
	Domain     string

	Description string // TREC's: the information need in a sentence
	Narrative   string // TREC's: what is relevant and what is not
}
