package collection

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// Every reader takes as many as the limit allows, and names the line of the one too many, how many there are and the
// limit.
func TestLimitsOfEveryReader(t *testing.T) {
	benchmark := func(queries, judgments int) string {
		var b strings.Builder
		b.WriteString("{\"schema_version\": \"1.0\", \"metadata\": {}, \"queries\": [")
		for i := range queries {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n{\"query_key\": \"q%d\", \"query_text\": \"t\", \"relevant_docs\": [", i)
			for k := range judgments {
				if k > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "\n{\"doc_ref\": {\"document_id\": \"d%d\"}, \"relevance_grade\": 1}", k)
			}
			b.WriteString("]}")
		}
		return b.String() + "]}"
	}
	dataset := func(queries, judgments int) string {
		var q, j []string
		for i := range queries {
			q = append(q, fmt.Sprintf("\n\"q%d\": {\"text\": \"t\"}", i))
		}
		for i := range judgments {
			j = append(j, fmt.Sprintf("\n\"d%d\": 1", i))
		}
		return "{\"metadata\": {}, \"queries\": {" + strings.Join(q, ",") +
			"},\n\"documents\": {},\n\"qrels\": {\"q0\": {" + strings.Join(j, ",") + "}}}"
	}
	judged := func(queries, judgments int) string {
		var q, j []string
		for i := range judgments {
			j = append(j, fmt.Sprintf("\n\"d%d\": 1", i))
		}
		for range queries {
			q = append(q, "\n{\"query\": \"t\", \"relevant_articles\": {"+strings.Join(j, ",")+"}}")
		}
		return "[" + strings.Join(q, ",") + "]"
	}
	many := func(form string) func(n int) string {
		return func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, form, i)
			}
			return b.String()
		}
	}
	behind := func(head string, f func(int) string) func(int) string {
		return func(n int) string { return head + f(n) }
	}
	scores := func(form string) func(n int) string {
		return func(n int) string {
			var list []string
			for i := range n {
				list = append(list, fmt.Sprintf(form, i))
			}
			return "{" + strings.Join(list, ",\n") + "}"
		}
	}
	for _, c := range []struct {
		name  string
		text  func(n int) string
		limit func(n int) Limits
		kind  Format
		want  string // of three where two are allowed
	}{
		{"entries of a run", many("q Q0 d%d 1 1 t\n"), entries, Unknown,
			"line 3: 3 entries in a run are more than the limit of 2 (Entries)"},
		{"queries of a run", many("q%d Q0 d 1 1 t\n"), queries, Unknown,
			"line 3: 3 queries in a run are more than the limit of 2 (Queries)"},
		{"entries of ranks", many("q\td%d\t1\n"), entries, RunRanks,
			"line 3: 3 entries in a run are more than the limit of 2 (Entries)"},
		{"entries of a run in JSON", scores("\"q%d\": {\"d\": 1.5}"), entries, Unknown,
			"line 3: 3 entries are more than the limit of 2 (Entries)"},
		{"queries of a run in JSON", scores("\"q%d\": {\"d\": 1.5}"), queries, Unknown,
			"line 3: 3 queries in a run are more than the limit of 2 (Queries)"},
		{"entries of qrels in JSON", scores("\"q%d\": {\"d\": 1}"), entries, Unknown,
			"line 3: 3 entries are more than the limit of 2 (Entries)"},
		{"records of a CSV", behind("qid,docno,score\n", many("q,d%d,1\n")), entries, Unknown,
			"line 4: 3 records are more than the limit of 2 (Entries)"},
		{"queries of a CSV", behind("qid,text\n", many("q%d,x\n")), queries, Unknown,
			"line 4: 3 queries are more than the limit of 2 (Queries)"},
		{"documents of a CSV", behind("docno,text\n", many("d%d,x\n")), documents, Unknown,
			"line 4: 3 documents are more than the limit of 2 (Documents)"},
		{"judgments", many("q 0 d%d 1\n"), entries, Unknown,
			"line 3: 3 judgments are more than the limit of 2 (Entries)"},
		{"preferences", many("q u s d%d 1\n"), entries, PrefsTREC,
			"line 3: 3 judgments are more than the limit of 2 (Entries)"},
		{"queries of preferences", many("q%d u s d 1\n"), queries, PrefsTREC,
			"line 3: 3 queries are more than the limit of 2 (Queries)"},
		{"queries in lines", many("q%d\tx\n"), queries, Unknown,
			"line 3: 3 queries are more than the limit of 2 (Queries)"},
		{"queries in JSON lines", many("{\"_id\": \"q%d\", \"text\": \"x\"}\n"), queries, QueriesJSONL,
			"line 3: 3 queries are more than the limit of 2 (Queries)"},
		{"documents in JSON lines", many("{\"_id\": \"d%d\", \"text\": \"x\"}\n"), documents, CorpusJSONL,
			"line 3: 3 documents are more than the limit of 2 (Documents)"},
		{"documents of TREC", many("<DOC><DOCNO>d%d</DOCNO>x</DOC>\n"), documents, Unknown,
			"line 3: 3 documents are more than the limit of 2 (Documents)"},
		{"topics", many("<top><num>%d<title>x</top>\n"), queries, Unknown,
			"line 3: 3 queries are more than the limit of 2 (Queries)"},
		{"queries of a benchmark", func(n int) string {
			return benchmark(n, 0)
		}, jsonQueries, Unknown, "line 4: 3 queries are more than the limit of 2 (JSONQueries)"},
		{"judgments of a benchmark", func(n int) string {
			return benchmark(1, n)
		}, jsonJudgments, Unknown, "line 5: 3 judgments of a query are more than the limit of 2 (JSONJudgments)"},
		{"queries of a dataset", func(n int) string {
			return dataset(n, 1)
		}, jsonQueries, Unknown, "line 4: 3 queries are more than the limit of 2 (JSONQueries)"},
		{"judgments of a dataset", func(n int) string {
			return dataset(1, n)
		}, jsonJudgments, Unknown, "line 7: 3 judgments of a query are more than the limit of 2 (JSONJudgments)"},
		{"judged queries", func(n int) string {
			return judged(n, 0)
		}, jsonQueries, Unknown, "line 4: 3 queries are more than the limit of 2 (JSONQueries)"},
		{"judgments of a judged query", func(n int) string {
			return judged(1, n)
		}, jsonJudgments, Unknown, "line 5: 3 judgments of a query are more than the limit of 2 (JSONJudgments)"},
		{"bytes of a benchmark", func(n int) string {
			return benchmark(1, 1) + strings.Repeat(" ", n)
		}, func(n int) Limits { return Limits{JSONBytes: int64(len(benchmark(1, 1)) + n)} }, Unknown,
			fmt.Sprintf("line 1: %d bytes are more than the limit of %d (JSONBytes)", len(benchmark(1, 1))+3,
				len(benchmark(1, 1))+2)},
	} {
		if _, err := Read("f", strings.NewReader(c.text(2)), Options{Kind: c.kind, Limits: c.limit(2)}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := Read("f", strings.NewReader(c.text(3)), Options{Kind: c.kind, Limits: c.limit(2)}); err == nil ||
			err.Error() != "collection: read f: "+c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	z := func(n int) error {
		_, _, err := ReadZscores(strings.NewReader(many("q%d map 0.5 1\n")(n)+"q0 map 0.25 1\n"), "f",
			Options{Limits: entries(2)})
		return err
	}
	if err := z(2); err != nil {
		t.Error(err)
	}
	if err := z(3); err == nil ||
		err.Error() != "collection: read f: line 3: 3 deviations are more than the limit of 2 (Entries)" {
		t.Error(err)
	}
	weights := func(n int) error {
		_, err := ReadWeights(strings.NewReader(many("{\"id\": %d, \"vector\": {\"a\": 1}}\n")(n)), "f",
			Options{Limits: documents(2)}, func(string, map[string]float32) error {
				return nil
			})
		return err
	}
	if err := weights(2); err != nil {
		t.Error(err)
	}
	if err := weights(3); err == nil ||
		err.Error() != "collection: read f: line 3: 3 documents are more than the limit of 2 (Documents)" {
		t.Error(err)
	}
}

func entries(n int) Limits       { return Limits{Entries: n} }
func queries(n int) Limits       { return Limits{Queries: n} }
func documents(n int) Limits     { return Limits{Documents: n} }
func jsonQueries(n int) Limits   { return Limits{JSONQueries: n} }
func jsonJudgments(n int) Limits { return Limits{JSONJudgments: n} }

// What may go over several lines is bounded by the limit of a line: quoted records, documents and fields of topics.
func TestLimitOfWhatGoesOverLines(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, c := range []struct {
		name string
		text func(n int) string
		most int // as many as the limit of 1000 has room for
		want string
	}{
		// the text of the record up to the line end, which is counted
		{"a record", func(n int) string {
			return "qid,text\nq,\"" + x(n) + "\n\"\n"
		}, 1000 - 2, "line 2: 1001 bytes in a record are more than the limit of 1000 (Line)"},
		{"a document", func(n int) string {
			return "<DOC>\n<DOCNO>a</DOCNO>\n" + x(n) + "\n</DOC>\n"
		}, 1000 - 17 - 1 - 1, "line 4: 1001 bytes in a document are more than the limit of 1000 (Line)"},
		{"a topic", func(n int) string {
			return "<top>\n<num>1\n<title>\n" + x(n) + "\n</top>\n"
		}, 1000 - 1 - 1, "line 4: 1001 bytes in a field are more than the limit of 1000 (Line)"},
	} {
		if _, err := Read("f", strings.NewReader(c.text(c.most)), Options{Limits: Limits{Line: 1000}}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := Read("f", strings.NewReader(c.text(c.most+1)), Options{Limits: Limits{Line: 1000}}); err == nil ||
			err.Error() != "collection: read f: "+c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// The tables of documents × subtopics have 2^24 cells at most: 4096 of each.
func TestSubtopicCellsAtTheirBound(t *testing.T) {
	d := NewDiversity()
	for i := range 4096 {
		d.Add("q", strconv.Itoa(i), "d"+strconv.Itoa(i), 1)
		if named := d.topics[0].named != nil; named != (i+1 >= manySubtopics) {
			t.Fatalf("%d subtopics: looked up %v", i+1, named)
		}
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	d.Add("r", "0", "d", 1)
	want := `query "r" raises the judged documents × subtopics of all queries to 16777217, above the limit of ` +
		`16777216: is the second column really a subtopic?`
	if err := d.Check(); err == nil || err.Error() != want {
		t.Error(err)
	}
	// Judgments of one document for several subtopics are looked up from 32 on, and say what they were before.
	d = NewDiversity()
	for i := range 40 {
		if old, had := d.add([]byte("q"), []byte(strconv.Itoa(i)), []byte("d"), float64(i)); had {
			t.Fatal(i, old)
		}
		if looked := d.topics[0].graded != nil; looked != (i+1 >= manySubtopics) || looked &&
			len(d.topics[0].graded) != i+1 {
			t.Fatalf("%d judgments: %d looked up", i+1, len(d.topics[0].graded))
		}
		for k := range i + 1 {
			if old, had := d.add([]byte("q"), []byte(strconv.Itoa(k)), []byte("d"), float64(k)); !had || old != float64(k) {
				t.Fatalf("%v judgments: that of %v was %v, %v", i+1, k, old, had)
			}
		}
	}
	if d.Len() != 40 || len(d.Grades("q", "d")) != 40 {
		t.Error(d.Len())
	}
}

// A directory takes 64 KiB for each of its files and once more at most, and 46 bytes for each at least; a record that
// claims otherwise is refused before anything is read.
func TestSizeOfADirectory(t *testing.T) {
	end := func(files uint16, size, off uint32, before int) []byte {
		b := make([]byte, before, before+22)
		b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
		b = binary.LittleEndian.AppendUint16(b, files)
		b = binary.LittleEndian.AppendUint16(b, files)
		b = binary.LittleEndian.AppendUint32(b, size)
		b = binary.LittleEndian.AppendUint32(b, off)
		return append(b, 0, 0)
	}
	for _, c := range []struct {
		files     uint16
		size, off uint32
		before    int
		want      string
	}{
		{0, 1 << 16, 0, 1 << 16, ""}, {0, 1<<16 + 1, 0, 1<<16 + 1, "zip: damaged directory"},
		{0, 1 << 16, 1, 1 << 16, "zip: damaged directory"}, {0, 0, 7, 7, ""}, {0, 0, 8, 7, "zip: damaged directory"},
	} {
		b := end(c.files, c.size, c.off, c.before)
		// the file counts in both places of the record; the second is the one that counts
		binary.LittleEndian.PutUint16(b[len(b)-22+8:], 0)
		if got := says(b, Limits{}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	// An entry with the longest note and extra field, and one that the limit of 64 KiB for each lets through only
	// because it is once more.
	two := zipFiles(t, "", stored("a", "of a"))
	dir := bytes.Index(two, []byte("PK\x01\x02"))
	long := bytes.Clone(two[:len(two)-22])
	binary.LittleEndian.PutUint16(long[dir+32:], 65535)
	binary.LittleEndian.PutUint16(long[dir+30:], 65535-47)
	long = append(long, make([]byte, 65535+65535-47)...)
	size := uint32(len(long) - dir)
	if size != 46+1+65535+65535-47 {
		t.Fatal(size)
	}
	tail := end(1, size, uint32(dir), 0)
	binary.LittleEndian.PutUint16(tail[8:], 1)
	if got := says(append(long, tail...), Limits{}); got != "a: of a" {
		t.Errorf("%.100s", got)
	}
	// A local header whose extra field ends where the data no longer fit.
	for add, want := range map[int]string{0: "a: of a",
		len(two) - 31 - 4: "a: zip: damaged: its checksum does not match",
		len(two) - 31 - 3: "a: zip: damaged file header"} {
		b := bytes.Clone(two)
		binary.LittleEndian.PutUint16(b[28:], uint16(add))
		if got := says(b, Limits{}); got != want {
			t.Errorf("an extra field of %d: %s, want %s", add, got, want)
		}
	}
}
