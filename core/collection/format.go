package collection

// Format is the content and syntax of a file.
type Format string

// The readable formats.
const (
	Unknown Format = ""
	RunTREC Format = "run" // query Q0 document rank score tag
	// query iteration document grade; if the second column holds subtopics: diversity qrels
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
	CorpusTSV       Format = "corpus-tsv"     // id, tab, text, in a file declared to be a corpus: MS MARCO
	CorpusTREC      Format = "corpus-trec"    // <DOC> with <DOCNO>
	CorpusJSONL     Format = "corpus-jsonl"   // BEIR, or {"id", "contents"}
	QueriesJSONL    Format = "queries-jsonl"  // BEIR
	BenchmarkJSON   Format = "benchmark-json" // DESIGN, section 6
	DatasetJSON     Format = "dataset-json"   // DESIGN, section 6
	JudgedQueryJSON Format = "judged-json"    // DESIGN, section 6
	// {chunk: document}, or two columns named "chunk…" and "doc…"
	ChunkMap Format = "chunk-map"
	NPY      Format = "npy"  // NumPy
	Gzip     Format = "gzip" // any of the others, compressed
	Zip      Format = "zip"  // BEIR's layout, or files of any other format
)

// Content is the parsed content of a file. Several fields may be set: a CSV with scores and grades is a run and
// qrels, a zip in BEIR's layout a Collection. All others are nil or empty.
type Content struct {
	Name       string
	Format     Format
	Compressed bool  // the file was a gzip of Format
	Bytes      int64 // bytes read after decompression; for a zip, of all its files
	Lines      int

	Run       *Run
	Qrels     *Qrels
	Diversity *Diversity
	// Preferences come with Qrels derived from them.
	Preferences *Preferences
	Docs        []Doc
	Queries     []Query
	Chunks      map[string]string // chunk → document
	Benchmark   *Benchmark
	Collection  *Collection
	Vectors     *Array
	Files       []*Content // of a zip that is not in BEIR's layout

	Warnings []Warning
}

// AsRun turns qrels into a run if all numbers were whole, so that QrelsJSON was a guess: the grades become the
// scores. It leaves other formats unchanged.
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
	w.drop(NegativeGrade, NonIntegerGrade, EmptyQuery)
	w.add(NonStandardDialect, c.Name, 0, 1, nil, func() string {
		return "whole numbers for queries and documents: read as scores, because the judgments are in another file"
	})
	w.merge(list)
	c.Format, c.Run, c.Qrels, c.Warnings = RunJSON, r, nil, w.list
}
