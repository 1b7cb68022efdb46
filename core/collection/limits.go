package collection

// Limits bounds the input of the readers, so that they refuse a damaged or malicious file with a reason instead of
// filling the memory. A zero field means the default given here, a negative one no limit.
type Limits struct {
	Bytes     int64 // bytes of one file after decompression: 1 GiB
	Ratio     int64 // bytes after decompression for one byte before, once 4 MiB have come out: 100
	Line      int   // bytes of one line or JSON string: 16 MiB
	Depth     int   // nesting depth of JSON containers: 64
	Documents int   // documents of a collection: 10,000,000
	Queries   int   // queries of a collection, run or qrels: 1,000,000
	Entries   int   // judgments of one qrels, lines of one run: 50,000,000
	Files     int   // files in a zip: 10,000

	JSONBytes     int64 // bytes of a benchmark, dataset or judged-query JSON: 10 MB
	JSONQueries   int   // queries in such a file: 1,000
	JSONJudgments int   // judgments of one query of such a file: 100
}

// withDefaults returns l with defaults for zero fields and unreachable values for negative ones.
func (l Limits) withDefaults() Limits {
	setDefault64(&l.Bytes, 1<<30)
	setDefault64(&l.Ratio, 100)
	setDefault(&l.Line, 16<<20)
	setDefault(&l.Depth, 64)
	setDefault(&l.Documents, 10_000_000)
	setDefault(&l.Queries, 1_000_000)
	setDefault(&l.Entries, 50_000_000)
	setDefault(&l.Files, 10_000)
	setDefault64(&l.JSONBytes, 10_000_000)
	setDefault(&l.JSONQueries, 1000)
	setDefault(&l.JSONJudgments, 100)
	return l
}

// noLimits is for data that has passed the limits before.
func noLimits() Limits { return Limits{Queries: -1, Entries: -1}.withDefaults() }

func setDefault(field *int, value int) {
	if *field == 0 {
		*field = value
	} else if *field < 0 {
		*field = 1<<31 - 1
	}
}

func setDefault64(field *int64, value int64) {
	if *field == 0 {
		*field = value
	} else if *field < 0 {
		*field = 1<<62 - 1
	}
}

// Together returns how many bytes of files fit in limit bytes of memory: a run takes at most three quarters of its
// file's size.
func Together(limit int64) int64 { return limit / 3 * 4 }

// Options says how to read a file. The zero Options are valid.
type Options struct {
	Limits Limits
	Kind   Format // the format for Read; Unknown: let Detect decide
	// Prefer is RunTREC, QrelsTREC or CorpusJSONL: the format for Read if the content fits several. Integers per
	// query and document in JSON fit the first two, and short texts without titles may be documents. Unknown: the
	// more common one.
	Prefer Format
	// Columns are those of a table of scores that are read, by their names; nil for all that hold scores. It is for core/
	// scores.
	Columns []string
	Split   string // of a BEIR collection: see ReadBEIR
	// Elsewhere says that a BEIR folder has queries and qrels alone: no corpus is read, and qrels name documents that
	// nobody
	// here knows.
	Elsewhere bool
	// Doc, if set, receives each document as it is read, and Docs stays empty. An error from it stops the reader.
	Doc func(Doc) error
	// Progress, if set, is called about once a megabyte with the name of the file and its bytes read so far (after
	// decompression). An error from it stops the reader and comes back wrapped in a ParseError.
	Progress func(file string, read int64) error
}

// keepDoc passes a document to Doc, or adds it to docs.
func (o *Options) keepDoc(docs *[]Doc, d Doc) error {
	if o.Doc != nil {
		return o.Doc(d)
	}
	*docs = append(*docs, d)
	return nil
}
