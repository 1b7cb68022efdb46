// Package collection holds test collections: documents, queries, qrels and runs, with readers and writers of the
// common formats. It builds no index and computes no measure.
//
// Order of the pipeline: bytes → source (gzip, limits, progress) → streaming reader of a format (errors are
// *ParseError with file and line) → Doc, Query, Qrels, Diversity, Run, Benchmark, Array → checks (counted, located
// warnings). Read detects the format; ReadRun, ReadQrels and the others take a known one. Run.Grades joins a run
// with its judgments; Run.Collapse maps chunks to documents.
package collection

// Doc is one document. ID is unique in its collection. Title and Text may be empty: such a document is reported,
// and no lexical system retrieves it. Filters and result lists use the optional fields.
type Doc struct {
	ID       string
	Title    string
	Text     string
	Date     string // YYYY-MM-DD, or "" if unknown
	Category string
	Entities []Entity
	URI      string // origin: a URL, a path or a file name; "" if unknown
	Page     int    // page within the origin, from 1; 0 if unknown
	News     *News  // nil if unknown
}

// News holds a newswire's notes on an article. Every field is optional.
type News struct {
	Time        string   // time of day, as the source writes it
	Byline      string   // the author
	Story       string   // the story it belongs to
	Updates     []string // ids of the earlier documents it updates
	DuplicateOf string   // id of the document it repeats
}

// Entity is a person, organisation or place that a document mentions. Confidence is in [0,1].
type Entity struct {
	Name       string
	Kind       string // the collection's own label: "person", "organisation", "place", "vessel" …
	Confidence float64
}

// Query is one information need (TREC: topic). Aggregates group by the optional Type, Difficulty and Domain.
// Description and Narrative are for assessors; systems never see them.
type Query struct {
	ID         string
	Text       string
	Type       string
	Difficulty string
	Domain     string

	Description string // TREC's: the information need in a sentence
	Narrative   string // TREC's: what is relevant and what is not
}
