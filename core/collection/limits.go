package collection

// Limits bounds what the readers take in, so that a damaged or malicious file is refused with a reason instead of
// filling the memory. A zero field stands for the default given here, a negative one for no limit.
type Limits struct {
	Bytes     int64 // bytes of one file after decompression: 1 GiB
	Ratio     int64 // bytes after decompression for one byte before, once 4 MiB have come out: 100
	Line      int   // bytes of one line or JSON string: 16 MiB
	Depth     int   // JSON containers within one another: 64
	Documents int   // documents of a collection: 10,000,000
	Queries   int   // queries of a collection, run or qrels: 1,000,000
	Entries   int   // judgments of one qrels, lines of one run: 50,000,000
	Files     int   // files in a zip: 10,000

	JSONBytes     int64 // bytes of a benchmark, dataset or judged-query JSON: 10 MB
	JSONQueries   int   // queries in one: 1,000
	JSONJudgments int   // judgments of one query of one: 100
}

// withDefaults returns l with its zero fields filled in and its negative ones so large that they never bind.
func (l Limits) withDefaults() Limits {
	set64(&l.Bytes, 1<<30)
	set64(&l.Ratio, 100)
	set(&l.Line, 16<<20)
	set(&l.Depth, 64)
	set(&l.Documents, 10_000_000)
	set(&l.Queries, 1_000_000)
	set(&l.Entries, 50_000_000)
	set(&l.Files, 10_000)
	set64(&l.JSONBytes, 10_000_000)
	set(&l.JSONQueries, 1000)
	set(&l.JSONJudgments, 100)
	return l
}

// noLimits are for what has been read within limits before.
func noLimits() Limits { return Limits{Queries: -1, Entries: -1}.withDefaults() }

func set(field *int, value int) {
	if *field == 0 {
		*field = value
	} else if *field < 0 {
		*field = 1<<31 - 1
	}
}

func set64(field *int64, value int64) {
	if *field == 0 {
		*field = value
	} else if *field < 0 {
		*field = 1<<62 - 1
	}
}

// Together is how many bytes files may have together that are kept in limit bytes of memory: of a run, at most three
// quarters of its file are.
func Together(limit int64) int64 { return limit / 3 * 4 }

// Options is how something is read. The zero Options are fine.
type Options struct {
	Limits Limits
	Kind   Format // what Read takes the file for; Unknown: what Detect says
	// Prefer is RunTREC, QrelsTREC or CorpusJSONL: what Read takes a file for that may be that too, as integers per
	// query and document in JSON may be either of the first two, and short texts without titles documents. Unknown:
	// what is more common.
	Prefer Format
	// Columns are those of a table of scores that are read, by their names; nil for all that hold scores. It is for core/
	// scores.
	Columns []string
	Split   string // of a BEIR collection: see ReadBEIR
	// Elsewhere says that a BEIR folder has queries and qrels alone: no corpus is read, and qrels name documents that
	// nobody
	// here knows.
	Elsewhere bool
	// Doc, if set, takes each document as it is read, and Docs stays empty. An error from it stops the reader.
	Doc func(Doc) error
	// Progress, where set, is called about once a megabyte with the name of the file and the bytes read of it (after
	// decompression). An error that it returns stops the reader and comes back, wrapped in a ParseError.
	Progress func(file string, read int64) error
}

// keepDoc hands a document to Doc, or adds it to docs.
func (o *Options) keepDoc(docs *[]Doc, d Doc) error {
	if o.Doc != nil {
		return o.Doc(d)
	}
	*docs = append(*docs, d)
	return nil
}
