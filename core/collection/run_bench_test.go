package collection

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"
)

var errEOF = io.EOF

// madeRun returns a run file of six columns: queries × depth lines, ids like MS MARCO's.
func madeRun(queries, depth int) []byte {
	var b bytes.Buffer
	x := uint64(12345)
	for q := range queries {
		for d := range depth {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			b.WriteString(strconv.Itoa(1000000 + q*7))
			b.WriteString(" Q0 ")
			b.WriteString(strconv.FormatUint(x%8841823, 10))
			b.WriteByte(' ')
			b.WriteString(strconv.Itoa(d + 1))
			b.WriteByte(' ')
			b.WriteString(strconv.FormatFloat(30-float64(d)*0.0213-float64(x%1000)/1e6, 'f', 6, 64))
			b.WriteString(" Anserini\n")
		}
	}
	return b.Bytes()
}

func BenchmarkReadRun(b *testing.B) {
	plain := madeRun(200, 1000)
	for _, bb := range []struct {
		name string
		data []byte
	}{
		{"ids=numbers", plain},
		{"ids=words", bytes.ReplaceAll(plain, []byte(" Q0 "), []byte(" Q0 FT"))},
		{"tabs", bytes.ReplaceAll(plain, []byte(" "), []byte("\t"))},
		{"padded", bytes.ReplaceAll(plain, []byte(" Anserini"), []byte("   Anserini"))},
		{"columns=5", bytes.ReplaceAll(plain, []byte(" Q0"), nil)},
		{"digits=17", bytes.ReplaceAll(plain, []byte(" Anserini"), []byte("12345678 Anserini"))},
		{"columns=8", bytes.ReplaceAll(plain, []byte(" Anserini"), []byte(" Anserini two more"))},
		{"depth=10", madeRun(20000, 10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(bb.data)))
			for b.Loop() {
				r, _, err := ReadRun(bytes.NewReader(bb.data), "made", Options{})
				if err != nil || r.Len() < 199000 {
					b.Fatal(r.Len(), err)
				}
			}
		})
	}
	zipped := gz(plain)
	b.Run("gzip", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		for b.Loop() {
			if _, _, err := ReadRun(bytes.NewReader(zipped), "made", Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGrades(b *testing.B) {
	data := madeRun(1000, 1000)
	r, _, err := ReadRun(bytes.NewReader(data), "made", Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, judged := range []int{1, 50, 1200} {
		q := NewQrels()
		for i, id := range r.Queries() {
			for k, e := range r.Ranked(i, DocIDDescending, nil) {
				if judged == 1 && k == 20 || judged > 1 && k%3 == 0 && k/3 < judged/2 {
					q.Add(id, e.Doc, 1)
				}
			}
			for k := range judged / 2 {
				q.Add(id, strconv.Itoa(9000000+k), 0)
			}
		}
		b.Run("judged="+strconv.Itoa(judged), func(b *testing.B) {
			var ranked []float64
			n := 0
			for b.Loop() {
				for i := range r.NumQueries() {
					ranked, _ = r.Grades(i, q, DocIDDescending, ranked, nil)
					n += int(ranked[0])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(r.Len()), "ns/entry")
		})
	}
}

func BenchmarkReadFormats(b *testing.B) {
	run, _, err := ReadRun(bytes.NewReader(madeRun(100, 1000)), "made", Options{})
	if err != nil {
		b.Fatal(err)
	}
	q := NewQrels()
	for i, id := range run.Queries() {
		for k, e := range run.Ranked(i, DocIDDescending, nil) {
			q.Add(id, e.Doc, float64(k%4))
		}
	}
	var docs []Doc
	for i := range 2000 {
		docs = append(docs, Doc{ID: strconv.Itoa(i), Title: "A title of some words",
			Text: strings.Repeat("Some text that a document holds, caf\u00e9 and all. ", 20)})
	}
	for _, bb := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"run-json", run.WriteJSON}, {"run-csv", run.WriteCSV}, {"qrels", q.WriteTREC}, {"qrels-tsv", q.WriteTSV},
		{"qrels-json", q.WriteJSON},
		{"corpus-jsonl", func(w io.Writer) error { return WriteCorpus(w, docs) }},
	} {
		var data bytes.Buffer
		if err := bb.write(&data); err != nil {
			b.Fatal(err)
		}
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(data.Len()))
			for b.Loop() {
				c, err := Read("made", bytes.NewReader(data.Bytes()), Options{})
				if err != nil || string(c.Format) != bb.name {
					b.Fatal(err)
				}
			}
		})
	}
}
