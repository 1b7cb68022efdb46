// Command runs is Rankbox's side of the benchmark of runs: bench.py starts it, natively and as js/wasm under Node, once
// for every figure, so that nothing is warm. It prints one line of JSON. See README.md in this folder.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// notations are the five measures of the benchmark.
var notations = []string{"nDCG@10", "AP", "RR@10", "R@1000", "P@10"}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "runs:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	name, args := "", append([]string{""}, args...)
	if len(args) > 1 {
		name, args = args[1], args[2:]
	}
	var out any
	var err error
	switch {
	case name == "make" && len(args) == 4:
		return makeFiles(args[0], args[1], args[2], args[3])
	case name == "measure" && len(args) == 3:
		out, err = timeOne(args[0], args[1], args[2])
	case name == "keep" && len(args) > 1:
		out, err = timeMany(args[0], args[1:])
	case name == "statistics" && len(args) == 0:
		out, err = timeStatistics()
	default:
		return fmt.Errorf("usage: runs make RUN QRELS QUERIES SEED | measure QRELS RUN VALUES | keep QRELS RUN... " +
			"| statistics")
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// memory is what the program holds, in bytes.
type memory struct {
	Live  uint64 `json:"live"`  // of the heap, after a collection
	Taken uint64 `json:"taken"` // from the system: in wasm the linear memory, which never shrinks
}

func held() memory {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return memory{m.HeapAlloc, m.Sys}
}

// clocked adds up the time that reading takes.
type clocked struct {
	r    io.Reader
	time time.Duration
}

func (c *clocked) Read(b []byte) (int, error) {
	start := time.Now()
	n, err := c.r.Read(b)
	c.time += time.Since(start)
	return n, err
}

// read reads a file as the worker of the page does: as a stream, of a kind that is found out.
func read(name string) (c *collection.Content, parse, file time.Duration, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, 0, err
	}
	defer f.Close()
	in := &clocked{r: f}
	start := time.Now()
	c, err = collection.Read(name, in, collection.Options{})
	return c, time.Since(start), in.time, err
}

func readQrels(name string) (*collection.Qrels, error) {
	c, _, _, err := read(name)
	if err != nil {
		return nil, err
	}
	if c.Qrels == nil {
		return nil, fmt.Errorf("%s holds %s, not qrels", name, c.Format)
	}
	return c.Qrels, nil
}

func readRun(name string) (r *collection.Run, parse, file time.Duration, err error) {
	c, parse, file, err := read(name)
	if err == nil && c.Run == nil {
		err = fmt.Errorf("%s holds %s, not a run", name, c.Format)
	}
	if err != nil {
		return nil, 0, 0, err
	}
	return c.Run, parse, file, nil
}

type one struct {
	Parse    float64            `json:"parse"`    // seconds, with reading the file
	File     float64            `json:"file"`     // seconds of them that reading the file took
	Evaluate float64            `json:"evaluate"` // seconds, the first time
	Again    float64            `json:"again"`    // seconds, the second time
	Entries  int                `json:"entries"`
	Bytes    int64              `json:"bytes"` // of the run, as Run.Bytes says
	Grown    int64              `json:"grown"` // of the live heap, by the run
	Memory   memory             `json:"memory"`
	Means    map[string]float64 `json:"means"`
}

// timeOne reads a run, measures it with the five measures, and writes the value of every query to a file.
func timeOne(qrelsFile, runFile, valuesFile string) (*one, error) {
	qrels, err := readQrels(qrelsFile)
	if err != nil {
		return nil, err
	}
	before := held()
	r, parse, file, err := readRun(runFile)
	if err != nil {
		return nil, err
	}
	out := &one{Parse: parse.Seconds(), File: file.Seconds(), Entries: r.Len(), Bytes: r.Bytes(),
		Means: map[string]float64{}}
	out.Memory = held()
	out.Grown = int64(out.Memory.Live) - int64(before.Live)
	start := time.Now()
	if _, err := evaluate(qrels, r); err != nil {
		return nil, err
	}
	out.Evaluate = time.Since(start).Seconds()
	start = time.Now()
	result, err := evaluate(qrels, r)
	if err != nil {
		return nil, err
	}
	out.Again = time.Since(start).Seconds()
	for i, m := range notations {
		out.Means[m] = result.Mean(i)
	}
	values := map[string][]float64{}
	for j, q := range result.Queries {
		for i := range notations {
			values[q] = append(values[q], result.Values[i][j])
		}
	}
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	return out, os.WriteFile(valuesFile, text, 0o666)
}

// evaluate joins a run with its judgments and measures every judged query.
func evaluate(qrels *collection.Qrels, r *collection.Run) (*measure.Result, error) {
	var ms []measure.Measure
	for _, n := range notations {
		m, err := measure.Parse(n)
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	queries := qrels.Queries()
	topics := make([]measure.Topic, len(queries))
	ranked := make([]float64, r.Len())
	for i, q := range queries {
		t := &topics[i]
		t.Query, t.Judged = q, qrels.Grades(q, nil)
		k := r.Query(q)
		if k < 0 {
			t.Missing, t.Ranked = true, []float64{}
			continue
		}
		n := r.Size(k)
		t.Ranked, t.Scores = r.Grades(k, qrels, collection.DocIDDescending, ranked[:0:n], nil)
		ranked = ranked[n:]
	}
	return measure.Evaluate(topics, ms, measure.Policy{}), nil
}

type many struct {
	Runs    int     `json:"runs"`
	Read    float64 `json:"read"`    // seconds, all of them
	Compare float64 `json:"compare"` // seconds: joined, measured, tested
	Bytes   int64   `json:"bytes"`   // of all runs, as Run.Bytes says
	Open    memory  `json:"open"`    // when all are read
	Memory  memory  `json:"memory"`  // when they are compared
	Finding string  `json:"finding"`
	Hash    string  `json:"hash"`
}

// timeMany reads runs, keeps them all, and compares them.
func timeMany(qrelsFile string, files []string) (*many, error) {
	qrels, err := readQrels(qrelsFile)
	if err != nil {
		return nil, err
	}
	out := &many{Runs: len(files)}
	in := compare.Input{Name: "made", Qrels: qrels, Measures: notations}
	start := time.Now()
	for i, f := range files {
		r, _, _, err := readRun(f)
		if err != nil {
			return nil, err
		}
		in.Runs = append(in.Runs, compare.Named{Name: "run" + strconv.Itoa(i+1), Run: r})
		out.Bytes += r.Bytes()
	}
	out.Read = time.Since(start).Seconds()
	out.Open = held()
	start = time.Now()
	c, err := compare.Open(in)
	if err != nil {
		return nil, err
	}
	found, err := c.Report(nil, nil)
	if err != nil {
		return nil, err
	}
	out.Compare = time.Since(start).Seconds()
	out.Memory = held()
	out.Finding, out.Hash = found.Sentence(say.Plain), found.Hash
	runtime.KeepAlive(c)
	return out, nil
}

type statistics struct {
	Systems  int     `json:"systems"`
	Queries  int     `json:"queries"`
	Measures int     `json:"measures"`
	Seconds  float64 `json:"seconds"` // the first time
	Again    float64 `json:"again"`   // the second time
	// seconds, the first time, of every test of every pair on one measure, which come after that
	Every float64 `json:"every"`
	Hash  string  `json:"hash"`
}

// timeStatistics makes a report of 20 systems × 300 queries × 5 measures: intervals, groups, every pair with its test.
// Then, as the page does where somebody opens them, all tests, effect sizes and corrections of every pair
// on its first measure.
func timeStatistics() (*statistics, error) {
	s := &statistics{Systems: 20, Queries: 300, Measures: 5}
	for _, t := range []*float64{&s.Seconds, &s.Again} {
		r := table(s.Systems, s.Queries, s.Measures)
		start := time.Now()
		if err := r.Conclude(report.Protocol{}, nil); err != nil {
			return nil, err
		}
		*t = time.Since(start).Seconds()
		s.Hash = r.Hash
		if s.Every > 0 {
			continue
		}
		start = time.Now()
		if _, err := r.Statistics(0, report.StatisticsOptions{}); err != nil {
			return nil, err
		}
		s.Every = time.Since(start).Seconds()
	}
	return s, nil
}

// table returns a report without its statistics: values of three decimals between 0 and 1 that grow a little from
// system to system.
func table(systems, queries, measures int) *report.Report {
	rnd := rand.New(rand.NewSource(1))
	r := &report.Report{}
	for s := range systems {
		r.Systems = append(r.Systems, report.System{Label: "system " + strconv.Itoa(s+1)})
	}
	for q := range queries {
		r.Queries = append(r.Queries, report.Query{ID: strconv.Itoa(q)})
	}
	for m := range measures {
		c := report.Column{Measure: notations[m%len(notations)]}
		for s := range systems {
			v := make([]float64, queries)
			for q := range v {
				sum := 0
				for range 12 { // about normal, in whole thousandths, so that it is the same everywhere
					sum += rnd.Intn(87)
				}
				v[q] = float64(min(max(sum-216+20*s, 0), 1000)) / 1000
			}
			c.Values = append(c.Values, v)
		}
		r.Measures = append(r.Measures, c.Measure)
		r.Columns = append(r.Columns, c)
	}
	return r
}

// What MS MARCO's passages have: their number, about the highest id of a query, and documents of a run for each query.
// Of its dev queries, 6,980 have 7,437 relevant passages: 6,590 have one, 331 two, 51 three and 8 four.
const (
	passages = 8841823
	queryIDs = 1102400
	depth    = 1000
)

// relevant returns how many relevant passages query i of n has, in the proportions of the dev queries.
func relevant(i, n int) int {
	switch at := i * 6980 / n; {
	case at < 8:
		return 4
	case at < 8+51:
		return 3
	case at < 8+51+331:
		return 2
	}
	return 1
}

// makeFiles writes a run of QUERIES × 1,000 documents in Anserini's format, and the qrels. The qrels depend on the
// number of queries only, the run on the seed too. Its scores descend, and stay different in single precision. Of the
// relevant documents it has about 86 in 100, and a third of those in the first ten.
func makeFiles(runFile, qrelsFile, queries, seed string) error {
	n, err := strconv.Atoi(queries)
	if err != nil {
		return err
	}
	s, err := strconv.ParseInt(seed, 10, 64)
	if err != nil {
		return err
	}
	runs, err := os.Create(runFile)
	if err != nil {
		return err
	}
	defer runs.Close()
	judged, err := os.Create(qrelsFile)
	if err != nil {
		return err
	}
	defer judged.Close()
	w, q := bufio.NewWriterSize(runs, 1<<20), bufio.NewWriter(judged)
	generate(w, q, n, s)
	for _, err := range []error{w.Flush(), q.Flush(), runs.Close(), judged.Close()} {
		if err != nil {
			return err
		}
	}
	return nil
}

func generate(w, judged *bufio.Writer, queries int, seed int64) {
	fixed, drawn := rand.New(rand.NewSource(0)), rand.New(rand.NewSource(seed))
	known := map[int]bool{}
	var line []byte
	for i := range queries {
		query := 1 + fixed.Intn(queryIDs)
		for known[query] {
			query = 1 + fixed.Intn(queryIDs)
		}
		known[query] = true
		at := map[int]int{} // rank → relevant document
		taken := make(map[int]bool, depth)
		for range relevant(i, queries) {
			doc := fixed.Intn(passages)
			for taken[doc] {
				doc = fixed.Intn(passages)
			}
			taken[doc] = true
			fmt.Fprintf(judged, "%d 0 %d 1\n", query, doc)
			if drawn.Intn(1000) >= 857 {
				continue
			}
			// 1 to 10, 11 to 100 and 101 to 1,000 are equally likely
			stretch := [][2]int{{1, 10}, {11, 90}, {101, 900}}[drawn.Intn(3)]
			rank := 0
			for ok := true; ok; _, ok = at[rank] {
				rank = stretch[0] + drawn.Intn(stretch[1])
			}
			at[rank] = doc
		}
		score := 15_000_000 + drawn.Intn(25_000_000) // millionths
		for rank := 1; rank <= depth; rank++ {
			doc, ok := at[rank]
			for !ok {
				if doc = drawn.Intn(passages); !taken[doc] {
					ok, taken[doc] = true, true
				}
			}
			line = strconv.AppendInt(line[:0], int64(query), 10)
			line = append(line, " Q0 "...)
			line = strconv.AppendInt(line, int64(doc), 10)
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(rank), 10)
			line = append(line, ' ')
			line = strconv.AppendInt(line, int64(score/1_000_000), 10)
			line = append(line, '.')
			line = append(line, strconv.Itoa(1_000_000 + score%1_000_000)[1:]...)
			line = append(line, " Anserini\n"...)
			w.Write(line)
			score -= 10 + drawn.Intn(20_000) // single precision tells 4 millionths apart here
			if rank < 50 {
				score -= drawn.Intn(100_000)
			}
		}
	}
}
