//go:build !first

package bm25

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// zipf generates documents whose words follow Zipf's law: word i of a million has frequency 1/(i + 2.7)
// (Mandelbrot). Lengths are lognormal.
type zipf struct {
	random *rand.Rand
	words  *rand.Zipf
	median float64 // words per document
	b      []byte
}

func newZipf(seed uint64, vocabulary uint64, median float64) *zipf {
	random := rand.New(rand.NewPCG(seed, 1))
	return &zipf{random: random, words: rand.NewZipf(random, 1.07, 2.7, vocabulary), median: median}
}

// text returns the text of a document. One word in four is repeated at once, as in real text.
func (z *zipf) text() string {
	z.b = z.b[:0]
	word := uint64(0)
	for n := int(z.median * math.Exp(z.random.NormFloat64()*.5)); n >= 0; n-- {
		if z.random.IntN(4) > 0 {
			word = z.words.Uint64()
		}
		z.b = append(z.b, 'w')
		z.b = append(strconv.AppendUint(z.b, word, 36), ' ')
	}
	return string(z.b)
}

// grown returns the index of n documents, and queries made from words of its documents.
func grown(t testing.TB, seed uint64, n, vocabulary int, median float64, titles bool,
	queries int) (*index.Index, []string) {
	return grownTo(t, io.Discard, seed, n, vocabulary, median, titles, queries)
}

// grownTo is grown that also writes the texts, one document a line.
func grownTo(t testing.TB, texts io.Writer, seed uint64, n, vocabulary int, median float64, titles bool,
	queries int) (*index.Index, []string) {
	a, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	z := newZipf(seed, uint64(vocabulary), median)
	b := index.NewBuilder(a)
	var asked []string
	for d := range n {
		body, title := z.text(), ""
		words := strings.Fields(body)
		if titles && z.random.IntN(5) > 0 {
			title = strings.Join(words[:min(len(words), 4)], " ")
		}
		b.Add(title, body)
		if _, err := io.WriteString(texts, strings.TrimSpace(body)+"\n"); err != nil {
			t.Fatal(err)
		}
		if d*queries/n < (d+1)*queries/n { // two to five words of one document
			var q []string
			for range 2 + z.random.IntN(4) {
				q = append(q, words[z.random.IntN(len(words))])
			}
			asked = append(asked, strings.Join(q, " "))
		}
	}
	return b.Build(), asked
}

// TestPrunedEqualsExhaustive compares the hits bit for bit over random collections, variants, k, k1, b, titles and
// filters.
func TestPrunedEqualsExhaustive(t *testing.T) {
	defer func(n int) { PruneFrom = n }(PruneFrom)
	random := rand.New(rand.NewPCG(7, 7))
	pruned, ties := 0, 0
	for c := range 12 {
		n := 1000 + random.IntN(12000)
		x, queries := grown(t, uint64(c), n, 5+random.IntN(5000), 2+random.Float64()*40, c%3 > 0, 25)
		for s := range 14 {
			p := Params{Variant: []string{"lucene", "robertson", "atire", "okapi", "bm25+", "bm25l", "bm25f"}[s%7],
				K1: []float64{.9, 1.2, 0, 3, 20, random.Float64()}[random.IntN(6)], B: []float64{.4, .75, 0, 1,
					random.Float64()}[random.IntN(5)],
				Delta: []float64{1, .5, 0}[random.IntN(3)], Epsilon: .25, Title: []float64{1, 1, 2,
					.3}[random.IntN(4)], Exact: random.IntN(4) == 0}
			r, err := New(x, p)
			if err != nil {
				t.Fatal(err)
			}
			if s%2 == 1 { // change the settings of an existing ranker
				p.K1, p.B = p.K1+.3, p.B/2
				PruneFrom = 0
				r.RankTerms(r.Terms(queries[0]), 5, nil, nil)
				if err := r.Set(p); err != nil {
					t.Fatal(err)
				}
			}
			for _, q := range queries {
				k := []int{1, 2, 10, 1 + random.IntN(max(1, n/rangeSize/8))}[random.IntN(4)]
				var f rank.Filter
				if random.IntN(2) == 0 {
					f = make(rank.Filter, (n+63)/64)
					for i := range f {
						f[i] = random.Uint64() & random.Uint64() & -uint64(random.IntN(2))
					}
				}
				terms := slices.Clone(r.Terms(q))
				for i := range terms { // some weights are zero, some fractional
					terms[i].Boost *= []float64{1, 1, 1, .3, 0}[random.IntN(5)]
				}
				PruneFrom = math.MaxInt
				want := r.RankTerms(terms, k, f, nil)
				PruneFrom = 0
				got := r.RankTerms(terms, k, f, nil)
				if !slices.EqualFunc(got, want, func(a, b rank.Hit) bool {
					return a.Doc == b.Doc && math.Float64bits(a.Score) == math.Float64bits(b.Score)
				}) {
					t.Fatalf("collection %d of %d, %+v, %q, k = %d, filter %v:\n got %v\nwant %v", c, n, p, q,
						k, f != nil, got, want)
				}
				r.job.K, r.job.Filter, r.job.Hits = k, f, nil
				if _, ok := r.pruned(terms, &r.job); ok {
					pruned++
				}
				for i := 1; i < len(want); i++ {
					if want[i].Score == want[i-1].Score {
						ties++
					}
				}
			}
		}
	}
	if pruned < 3000 || ties < 1000 { // of 4,200 queries
		t.Errorf("%d queries were pruned, %d ties", pruned, ties)
	}
}

// A title weight near zero and k1 = 0 turn a bound into 0·∞. Such settings are not pruned.
func TestBoundsThatAreNoNumbersAreNotUsed(t *testing.T) {
	a, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for range 1000 {
		b.Add("only", "text")
	}
	x := b.Build()
	id, _ := x.ID("only")
	for k1, want := range map[float64]bool{0: false, 1: true} {
		r, err := New(x, Params{Variant: "bm25f", K1: k1, B: .4, Title: 1e-300})
		if err != nil {
			t.Fatal(err)
		}
		r.job.K = 1
		if _, ok := r.pruned([]Term{{id, 1}}, &r.job); ok != want {
			t.Errorf("k1 = %v: pruned %v", k1, ok)
		}
	}
}

// Some pair of its range's frontier dominates every posting, and frontiers contain only pairs of postings.
func TestFrontierBoundsEveryPosting(t *testing.T) {
	x, _ := grown(t, 3, 3000, 50, 30, true, 1)
	r, err := New(x, Params{Variant: "lucene", K1: .9, B: .4, Title: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := r.pairs()
	for id := range x.Terms() {
		l := x.List(uint32(id))
		f := p.of(r, uint32(id), &l)
		at := 0
		for g, n := range f.pairs {
			front := f.tfs[at : at+int(n)]
			codes := f.codes[at : at+int(n)]
			at += int(n)
			reached := make([]bool, n)
			for i := f.starts[g]; i < f.starts[g+1]; i++ {
				d := l.Postings[i].Doc()
				tf, code := float32(r.tf(&l, int(i))), index.EncodeLength(uint32(x.Length(index.Contents, d)))
				if int(d>>rangeBits) != g {
					t.Fatalf("document %d in range %d", d, g)
				}
				bounded := false
				for j := range front {
					bounded = bounded || front[j] >= tf && codes[j] <= code
					reached[j] = reached[j] || front[j] == tf && codes[j] == code
				}
				if !bounded {
					t.Fatalf("term %d, document %d: (%v, %d) above %v, %v", id, d, tf, code, front, codes)
				}
			}
			if slices.Contains(reached, false) {
				t.Fatalf("term %d, range %d: %v, %v", id, g, front, codes)
			}
		}
	}
}

// The frontiers of an index are freed with it.
func TestFrontiersAreForgotten(t *testing.T) {
	count := func() (n int) {
		shared.Range(func(any, any) bool { n++; return true })
		return n
	}
	runtime.GC()
	before := count()
	func() {
		x, _ := grown(t, 1, 200, 20, 5, false, 1)
		r, err := New(x, Params{Variant: "lucene", K1: .9, B: .4, Title: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.pairs()
	}()
	for range 100 {
		runtime.GC()
		if count() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d indexes are kept, %d before", count(), before)
}

// save writes the files of RANKBOX_GROWTH_OUT except the texts.
func save(b *testing.B, folder string, x *index.Index, r *Ranker, queries []string) {
	best := make([][]rank.Hit, len(queries))
	for i, q := range queries {
		var err error
		if best[i], err = r.Rank(rank.Query{Text: q}, 10, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
	for name, v := range map[string]any{"queries.json": queries, "best.json": best} {
		data, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), data, 0o666)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "growth.index"), x.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGrowth ranks 1,000 queries of a synthetic collection of RANKBOX_GROWTH documents (default 100,000),
// exhaustively and pruned. median-µs and p95-µs are the median and the 95th percentile over the queries. With
// RANKBOX_GROWTH_OUT, a folder, it writes input for other tools: texts.txt, one document a line, queries.json,
// growth.index, and best.json, the documents and scores of the best 10 of each query.
func BenchmarkGrowth(b *testing.B) {
	defer func(n int) { PruneFrom = n }(PruneFrom)
	n := 100_000
	if s := os.Getenv("RANKBOX_GROWTH"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	texts, out := io.Discard, os.Getenv("RANKBOX_GROWTH_OUT")
	if out != "" {
		f, err := os.Create(filepath.Join(out, "texts.txt"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		texts = f
	}
	w := bufio.NewWriter(texts)
	x, queries := grownTo(b, w, 1, n, 1_000_000, 60, false, 1000)
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	r, err := New(x, Params{Variant: "lucene", K1: .9, B: .4, Title: 1})
	if err != nil {
		b.Fatal(err)
	}
	if out != "" {
		save(b, out, x, r, queries)
	}
	if s := os.Getenv("RANKBOX_GROWTH_TERMS"); s != "" { // queries with this many words instead
		words, err := strconv.Atoi(s)
		if err != nil {
			b.Fatal(err)
		}
		all := strings.Fields(strings.Join(queries, " "))
		for i := range queries {
			var q []string
			for j := range words {
				q = append(q, all[(i*7+j*13)%len(all)])
			}
			queries[i] = strings.Join(q, " ")
		}
	}
	for _, k := range []int{10, 100, 1000} {
		for _, from := range []int{math.MaxInt, 0} {
			b.Run(fmt.Sprintf("%d/top=%d/pruned=%v", n, k, from == 0), func(b *testing.B) {
				PruneFrom = from
				var took []time.Duration
				var hits []rank.Hit
				for b.Loop() {
					took = took[:0]
					for _, q := range queries {
						start := time.Now()
						hits, _ = r.Rank(rank.Query{Text: q}, k, nil, hits)
						took = append(took, time.Since(start))
					}
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "median-µs")
				b.ReportMetric(float64(took[len(took)*95/100].Nanoseconds())/1e3, "p95-µs")
			})
		}
	}
	b.Run(fmt.Sprintf("%d/frontiers", n), func(b *testing.B) {
		bytes, terms := 0, 0
		for b.Loop() {
			p := &pairs{terms: map[uint32]*frontier{}, codes: r.pairs().codes}
			bytes, terms = 0, 0
			for id := range x.Terms() {
				if l := x.List(uint32(id)); l.Len() >= n/rangeSize/2 {
					f := p.of(r, uint32(id), &l)
					bytes += 4*len(f.starts) + len(f.pairs) + 5*len(f.tfs)
					terms++
				}
			}
		}
		b.ReportMetric(float64(bytes)/1e6, "MB")
		b.ReportMetric(float64(terms), "terms")
		b.ReportMetric(float64(x.Stats(index.Contents).Postings), "postings")
	})
}
