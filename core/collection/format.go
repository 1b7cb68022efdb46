package collection

// Format is what a file holds, and how.
type Format string

// The formats that are read.
const (
	Unknown Format = ""
	RunTREC Format = "run" // query Q0 document rank score tag
	// query iteration document grade; with subtopics in the second column: diversity qrels
	QrelsTREC       Format = "qrels"
	PrefsTREC       Format = "prefs"          // trec_eval: query group subgroup document level
	QrelsTSV        Format = "qrels-tsv"      // BEIR: query, document, grade
	RunRanks        Format = "run-ranks"      // MS MARCO: query, document, rank
	RunJSON         Format = "run-json"       // {query: {document: score}}
	QrelsJSON       Format = "qrels-json"     // {query: {document: grade}}
	RunCSV          Format = "run-csv"        // with a header
	QrelsCSV        Format = "qrels-csv"      // with a header
	QueriesCSV      Format = "queries-csv"    // with a header
	CorpusCSV       Format = "corpus-csv"     // with a header
	QueriesTSV      Format = "queries-tsv"    // id, tab, text
	Topics          Format = "topics"         // TREC topics
	CorpusTSV       Format = "corpus-tsv"     // id, tab, text, where it was said to be a corpus: MS MARCO
	CorpusTREC      Format = "corpus-trec"    // <DOC> with <DOCNO>
	CorpusJSONL     Format = "corpus-jsonl"   // BEIR, or {"id", "contents"}
	QueriesJSONL    Format = "queries-jsonl"  // BEIR
	BenchmarkJSON   Format = "benchmark-json" // DESIGN, section 6
	DatasetJSON     Format = "dataset-json"   // DESIGN, section 6
	JudgedQueryJSON Format = "judged-json"    // DESIGN, section 6
	// which document each chunk belongs to: {chunk: document}, or two columns under "chunk…" and "doc…"
	ChunkMap Format = "chunk-map"
	NPY      Format = "npy"  // NumPy
	Gzip     Format = "gzip" // any of the others, compressed
	Zip      Format = "zip"  // BEIR's layout, or any of the others
)

// Content is what a file turned out to hold. Several fields may be set (a CSV with scores and grades is a run and
// qrels; a zip with BEIR's layout a Collection); those that are not are nil or empty.
type Content struct {
	Name       string
	Format     Format
	Compressed bool  // it was a gzip of Format
	Bytes      int64 // read, after decompression; of a zip, all its files
	Lines      int

	Run       *Run
	Qrels     *Qrels
	Diversity *Diversity
	// Preferences come with Qrels of what they say of relevance.
	Preferences *Preferences
	Docs        []Doc
	Queries     []Query
	Chunks      map[string]string // the document of each
	Benchmark   *Benchmark
	Collection  *Collection
	Vectors     *Array
	Files       []*Content // of a zip that is not in BEIR's layout

	Warnings []Warning
}

// AsRun makes a run of what was taken for qrels because all its numbers are whole, as QrelsJSON is: the grades are the
// scores. It does nothing with other formats.
func (c *Content) AsRun() {
	if c.Format != QrelsJSON || c.Qrels == nil {
		return
	}
	b := NewRunBuilder("")
	b.file, b.lim = c.Name, noLimits()
	for i := range c.Qrels.topics {
		t := &c.Qrels.topics[i]
		b.Touch(t.query)
		for k := range t.docs {
			b.add(view(t.query), view(t.docs[k].doc), float64(t.docs[k].grade), noRank, 0)
		}
	}
	r, list := b.Run()
	w := warner{list: c.Warnings}
	w.drop(NegativeGrade, LowGrade, EmptyQuery)
	w.add(NonStandardDialect, c.Name, 0, 1, nil, func() string {
		return "whole numbers for queries and documents: read as scores, because the judgments are in another file"
	})
	w.merge(list)
	c.Format, c.Run, c.Qrels, c.Warnings = RunJSON, r, nil, w.list
}
