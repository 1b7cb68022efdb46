package measure

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"
)

// Three queries: q1 with one relevant document at rank 2, q2 that the run lacks, q3 without a relevant document.
func smallTopics() []Topic {
	return []Topic{
		{Query: "q1", Ranked: []float64{Unjudged, 2, 0}, Judged: []float64{2, 0, 1}},
		{Query: "q2", Missing: true, Ranked: []float64{}, Judged: []float64{1}},
		{Query: "q3", Ranked: []float64{0, Unjudged}, Judged: []float64{0, 0}},
	}
}

func TestEvaluatePolicies(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		values string // RR, AP, NumRel per query
		rr     float64
	}{
		// Worked by hand: RR of q1 is 1/2; with condensed lists its relevant document is at rank 1; at level 3 there is
		// none.
		{"zero policy is trec_eval -c", Policy{}, "[q1 q2 q3] [[0.5 0 0] [0.25 0 0] [2 1 0]]", 0.5 / 3},
		{"missing skipped", Policy{Missing: MissingSkip}, "[q1 q3] [[0.5 0] [0.25 0] [2 0]]", 0.25},
		{"empty skipped", Policy{Empty: EmptySkip}, "[q1 q2] [[0.5 0] [0.25 0] [2 1]]", 0.25},
		{"both skipped", Policy{Missing: MissingSkip, Empty: EmptySkip}, "[q1] [[0.5] [0.25] [2]]", 0.5},
		{"condensed", Policy{Unjudged: Condensed}, "[q1 q2 q3] [[1 0 0] [0.5 0 0] [2 1 0]]", 1.0 / 3},
		{"level 2", Policy{Rel: 2}, "[q1 q2 q3] [[0.5 0 0] [0.5 0 0] [1 0 0]]", 0.5 / 3},
		{"level 3 leaves nothing", Policy{Rel: 3, Empty: EmptySkip}, "[] [[] [] []]", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Evaluate(smallTopics(), []Measure{mustParse(t, "RR"), mustParse(t, "AP"), mustParse(t, "NumRel")},
				c.policy)
			if got := fmt.Sprint(r.Queries, r.Values); got != c.values {
				t.Errorf("%s, want %s", got, c.values)
			}
			if got := r.Summary(0); math.Abs(got-c.rr) > 1e-15 {
				t.Errorf("mean %v, want %v", got, c.rr)
			}
			if got := r.Summary(2); got != sum(r.Values[2]) {
				t.Errorf("NumRel is summed up to %v", got)
			}
			if fmt.Sprint(r.Missing) != "[q2]" {
				t.Errorf("missing %v", r.Missing)
			}
		})
	}
}

func TestEvaluateSaysWhatWasMeasured(t *testing.T) {
	ms, err := ParseList("AP AP(rel=1) AP(rel=3) nDCG@5 nDCG(dcg='exp-log2') ERR@5 NumRet(rel=1) SDCG@5 " +
		"DCG(gains={1:3})")
	if err != nil {
		t.Fatal(err)
	}
	r := Evaluate(smallTopics(), ms, Policy{Rel: 2, Gain: Exponential, Unjudged: Condensed})
	var got []string
	for _, m := range r.Applied {
		got = append(got, m.String())
	}
	const want = "AP(rel=2,judged_only=True) AP(rel=3,judged_only=True) nDCG(dcg='exp-log2',judged_only=True)@5 " +
		"nDCG(dcg='exp-log2',judged_only=True) ERR@5 NumRet(rel=1) SDCG@5 DCG(gains={1:3},judged_only=True)"
	if strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}

func TestEvaluateTakesTheScaleFromAllQueries(t *testing.T) {
	topics := []Topic{
		{Query: "a", Ranked: []float64{1}, Judged: []float64{1}},
		{Query: "b", Ranked: []float64{4}, Judged: []float64{4}},
	}
	m := mustParse(t, "BPM@1")
	if v := m.Score(&Topic{Ranked: []float64{1}, Judged: []float64{1}}); v != 1 {
		t.Errorf("alone: %v", v)
	}
	if r := Evaluate(topics, []Measure{m}, Policy{}); r.Values[0][0] != 0.25 || r.Values[0][1] != 1 {
		t.Errorf("with a query of grade 4: %v", r.Values)
	}
}

func TestAggregates(t *testing.T) {
	r := &Result{
		Measures: []Measure{mustParse(t, "AP")}, Applied: []Measure{mustParse(t, "AP")},
		Queries: []string{"a", "b", "c", "d"}, Values: [][]float64{{0.5, 0, 1, 0.25}},
	}
	// Geometric mean as trec_eval's gm_map: (0.5 x 0.00001 x 1 x 0.25)^(1/4).
	if got, want := r.GeometricMean(0), math.Pow(0.5*1e-5*0.25, 0.25); math.Abs(got-want) > 1e-15 {
		t.Errorf("geometric mean %v, want %v", got, want)
	}
	if r.Mean(0) != 0.4375 || r.Median(0) != 0.375 {
		t.Errorf("mean %v, median %v", r.Mean(0), r.Median(0))
	}
	empty := &Result{Applied: []Measure{mustParse(t, "AP")}, Values: [][]float64{nil}}
	if empty.Mean(0) != 0 || empty.GeometricMean(0) != 0 || empty.Median(0) != 0 {
		t.Error("aggregates of no query are not 0")
	}
}

func TestOrder(t *testing.T) {
	ids := []string{"b", "a", "c", "é", "d"}
	scores := []float64{2, 2, math.NaN(), 2, 3}
	for _, c := range []struct {
		ties Ties
		want []int
	}{
		{DocIDDesc, []int{4, 3, 0, 1, 2}},
		{DocIDAsc, []int{4, 1, 0, 3, 2}},
		{Stable, []int{4, 0, 1, 3, 2}},
		{Input, []int{0, 1, 2, 3, 4}},
	} {
		if got := order(ids, scores, c.ties, false); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%d: %v, want %v", c.ties, got, c.want)
		}
	}
	if got := order([]string{"a", "b"}, []float64{10.00000001, 10}, DocIDDesc, true); !reflect.DeepEqual(got,
		[]int{1, 0}) {
		t.Errorf("in single precision the two scores are equal: %v", got)
	}
	if got := order([]string{"a", "b"}, []float64{math.Inf(-1), math.NaN()}, DocIDDesc, false); !reflect.DeepEqual(got,
		[]int{0, 1}) {
		t.Errorf("a score that is not a number comes after minus infinity: %v", got)
	}
	if got := order(nil, nil, DocIDDesc, false); len(got) != 0 {
		t.Errorf("empty: %v", got)
	}
}

func TestPolicyByName(t *testing.T) {
	var p Policy
	for _, kv := range [][2]string{{"ties", "docid-asc"}, {"missing", "skip"}, {"unjudged", "condensed"},
		{"gain", "exponential"}, {"empty", "skip"},
		{"rel", "2"}, {"depth", "100"}, {"precision", "single"}} {
		if err := p.Set(kv[0], kv[1]); err != nil {
			t.Fatal(err)
		}
	}
	const want = "ties=docid-asc missing=skip unjudged=condensed gain=exponential empty=skip rel=2 depth=100 " +
		"precision=single"
	if p.String() != want {
		t.Errorf("%s", p)
	}
	if s := (Policy{}).String(); s != "" {
		t.Errorf("the zero policy prints as %q", s)
	}
	for _, kv := range [][2]string{{"ties", "random"}, {"rel", "-1"}, {"rel", "x"}, {"depth", "1.5"}, {"luck", "yes"},
		{"", ""}} {
		if err := p.Set(kv[0], kv[1]); err == nil {
			t.Errorf("%v is accepted", kv)
		}
	}
	if p.String() != want {
		t.Errorf("a refused setting changed the policy: %s", p)
	}
	for _, s := range Switches() {
		if s.Doc == "" {
			t.Errorf("%s is not documented", s.Name)
		}
	}
}

func TestListTopic(t *testing.T) {
	l := List{
		Query: "q", IDs: []string{"a", "b", "c"}, Scores: []float64{1, 3, 3}, Grades: []float64{2, Unjudged,
			0}, Judged: []float64{2, 0},
		Subtopics: &Subtopics{Docs: [][]float64{{0}, {1}}, Ranked: []int32{1, -1, 0}},
	}
	tp := l.Topic(Policy{Depth: 2})
	if !reflect.DeepEqual(tp.Ranked, []float64{0, Unjudged}) || !reflect.DeepEqual(tp.Scores, []float64{3, 3}) ||
		!reflect.DeepEqual(tp.Subtopics.Ranked, []int32{0, -1}) {
		t.Errorf("%+v %+v", tp, tp.Subtopics)
	}
	if got := l.Topic(Policy{Ties: DocIDAsc}).Ranked; !reflect.DeepEqual(got, []float64{Unjudged, 0, 2}) {
		t.Errorf("%v", got)
	}
}

// A topic of hits scores as the same topic of ranks, with every measure.
func TestSparseTopicScoresAsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ms := variants(t)
	for range 200 {
		dense := randomTopic(rng, 20)
		dense.Prepare()
		sparse := &Topic{Hits: dense.hits, Retrieved: dense.n, Judged: dense.Judged, Scores: dense.Scores,
			Subtopics: dense.Subtopics, Preferences: dense.Preferences}
		for _, m := range ms {
			if a, b := m.Score(dense), m.Score(sparse); a != b {
				t.Fatalf("%s: %v dense, %v sparse", m, a, b)
			}
		}
	}
}

// Scoring a topic that has been scored before allocates nothing, with any measure; so does a new query in an old topic.
func TestScoreDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	tp := randomTopic(rng, 60)
	for _, m := range variants(t) {
		if n := testing.AllocsPerRun(20, func() { m.Score(tp) }); n != 0 {
			t.Errorf("%s: %v allocations", m, n)
		}
	}
	ranked, judged := tp.Ranked, tp.Judged
	m := mustParse(t, "nDCG@10")
	if n := testing.AllocsPerRun(20, func() {
		tp.Reset()
		tp.Ranked, tp.Judged = ranked, judged
		m.Score(tp)
	}); n != 0 {
		t.Errorf("a reused topic: %v allocations", n)
	}
}

// What trec_eval prints, on three queries that can be checked by eye.
func TestFormatTrecEval(t *testing.T) {
	for _, c := range []struct {
		name string
		o    TrecEval
		want string
	}{
		{"summary", TrecEval{Measures: []string{"runid", "num_q", "num_ret", "map", "P.1,2"}, RunID: "tag"},
			"runid                 \tall\ttag\nnum_q                 \tall\t2\nnum_ret               \tall\t5\nmap   " +
				"                \tall\t0.1250\nP_1                   \tall\t0.0000\nP_2                   " +
				"\tall\t0.2500\n"},
		{"-q -c -n", TrecEval{Measures: []string{"recip_rank", "relstring.2"}, PerQuery: true, Complete: true,
			NoSummary: true},
			"recip_rank            \tq1\t0.5000\nrelstring             \tq1\t'-2'\nrecip_rank            " +
				"\tq2\t0.0000\nrelstring             \tq2\t''\nrecip_rank            \tq3\t0.0000\nrelstring         " +
				"    \tq3\t'0-'\n"},
		{"-J", TrecEval{Measures: []string{"recip_rank"}, JudgedOnly: true}, "recip_rank            \tall\t0.5000\n"},
		{"-l 3", TrecEval{Measures: []string{"num_rel", "recip_rank"}, Level: 3},
			"num_rel               \tall\t0\nrecip_rank            \tall\t0.0000\n"},
		{"-M 1", TrecEval{Measures: []string{"recip_rank", "num_ret"}, MaxDocs: 1},
			"num_ret               \tall\t2\nrecip_rank            \tall\t0.0000\n"},
		{"-N", TrecEval{Measures: []string{"utility.0,0,0,1"}, Docs: 10}, "utility_0,0,0,1       \tall\t7.0000\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := c.o
			if o.Measures[0] == "relstring.2" {
				o.Measures = o.Measures[:1]
			}
			want := c.want
			if c.name == "-q -c -n" {
				want = strings.ReplaceAll(want, "relstring  ", "relstring_2")
			}
			var b bytes.Buffer
			if err := FormatTrecEval(&b, smallTopics(), o); err != nil {
				t.Fatal(err)
			}
			if b.String() != want {
				t.Errorf("got\n%swant\n%s", b.String(), want)
			}
		})
	}
	for _, bad := range [][]string{{"nonsense"}, {"P.0"}, {"P.5,5"}, {"P."}, {"map.3"}, {"utility.1,2"}, {"ndcg.5"},
		{"iprec_at_recall.2"}} {
		if err := FormatTrecEval(&bytes.Buffer{}, smallTopics(), TrecEval{Measures: bad}); err == nil {
			t.Errorf("-m %v is accepted", bad)
		}
	}
	if err := FormatTrecEval(&bytes.Buffer{}, nil, TrecEval{}); err == nil {
		t.Error("no topics: no error")
	}
	if err := FormatTrecEval(failing{}, smallTopics(), TrecEval{}); err == nil {
		t.Error("the writer's error is lost")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("full") }

var update = flag.Bool("update", false, "write testdata/bits.txt anew")

// The same bits on every platform: one row a measure, a hash over its variants on seeded topics, with their tie ranges
// and bounds. The file was written on amd64; go run ./build test runs this in wasm too.
func TestSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	rows := map[string]hash.Hash64{}
	ms := variants(t)
	put := func(m Measure, values ...float64) {
		h := rows[m.info.Name]
		if h == nil {
			h = fnv.New64a()
			rows[m.info.Name] = h
		}
		for _, v := range values {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	var topics []Topic
	for i := range 60 {
		tp := randomTopic(rng, 12)
		tp.Query = fmt.Sprint(i)
		for _, m := range ms {
			r := m.TieRange(tp)
			put(m, m.Score(tp), r.Low, r.High)
			if r, ok := m.Residual(tp); ok {
				put(m, r.Low, r.High)
			}
		}
		topics = append(topics, *tp)
	}
	r := Evaluate(topics, ms, Policy{})
	for i, m := range ms {
		put(m, r.Mean(i), r.GeometricMean(i))
	}
	const file = "testdata/bits.txt"
	if *update {
		var b strings.Builder
		for _, in := range All() {
			fmt.Fprintf(&b, "%016x %s\n", rows[in.Name].Sum64(), in.Name)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		kept[name] = sum
	}
	for _, in := range All() {
		switch now := fmt.Sprintf("%016x", rows[in.Name].Sum64()); kept[in.Name] {
		case now:
		case "":
			t.Errorf("%s has no row in %s: go test ./core/measure -run %s -update", in.Name, file, t.Name())
		default:
			t.Errorf("%s: hash %s, kept %s", in.Name, now, kept[in.Name])
		}
	}
}

func TestRegistrySpeaks(t *testing.T) {
	for _, in := range All() {
		if in.Range() == "" || in.Example.Setting() == "" {
			t.Errorf("%s: range %q, example of %q", in.Name, in.Range(), in.Example.Setting())
		}
		for i := range in.Params {
			if in.Params[i].Usual() == "" {
				t.Errorf("%s: nothing is said of %s where it is not given", in.Name, in.Params[i].Name)
			}
		}
	}
	for _, x := range Terms() {
		if x.Name == "" || x.Title == "" || x.Brief == "" || x.Use == "" {
			t.Errorf("%s: something is not said", x.Name)
		}
	}
}
