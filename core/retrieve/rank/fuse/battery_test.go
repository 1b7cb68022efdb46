package fuse_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// battle is a line of the battery: the lists of a query, its relevant documents if it is for training, and ranx
// 0.3.21's result.
type battle struct {
	Lists    [][][2]float64 // document and score, best first, ties by document
	Relevant []uint32
	Fused    map[string][][2]float64 // "method norm"
}

// hits returns the lists in the form of rankers.
func (b *battle) hits() (out []fixed) {
	for _, l := range b.Lists {
		list := fixed{}
		for _, h := range l {
			list = append(list, rank.Hit{Doc: uint32(h[0]), Score: h[1]})
		}
		out = append(out, list)
	}
	return out
}

// differs returns why a fusion is not compared with ranx, as documented for the stages, or "".
func (b *battle) differs(method, norm string) string {
	switch {
	case strings.HasSuffix(method, "condorcet"):
		return "" // compared if ranx's own order is unique: see strict
	case norm == "borda" && ranked[method]:
		return "ranx adds what a list lacks in the order of a Python set, which changes with the process"
	case norm == "min-max-inverted" && (ranked[method] || method == "segfuse"):
		return "ranx ranks a list from its end once its scores are inverted; our ranks are those of the list"
	case norm == "borda" && method == "segfuse":
		return "ranx adds what a list lacks in the order of a Python set, which changes with the process"
	}
	if norm == "max" && !ranked[method] {
		for _, l := range b.Lists {
			if n := len(l); method == "max" && n > 0 && l[0][1] == 0 && l[n-1][1] < -1 {
				return "ranx raises scores below -1e9, here of a list whose largest score is 0, to -1e9"
			}
			if len(l) > 0 && l[0][1] < 0 {
				return "ranx divides by 1e-9 if the largest score is below 0"
			}
		}
	}
	return ""
}

// ranked lists the fusions that use only ranks.
var ranked = map[string]bool{"rrf": true, "isr": true, "log_isr": true, "logn_isr": true, "rbc": true,
	"bordafuse": true, "w_bordafuse": true,
	"probfuse": true, "slidefuse": true, "posfuse": true, "mapfuse": true, "bayesfuse": true}

// fusionOf returns our fusion of n lists, with its learner if it is trained.
func fusionOf(method string, n int, scale fuse.Scale) (fuse.Scale, fuse.Method, *fuse.Learner) {
	weights := []float64{0.7, 0.3}
	if n == 3 {
		weights = []float64{0.5, 0.3, 0.4}
	}
	learner := func(l fuse.Learner) (fuse.Scale, fuse.Method, *fuse.Learner) { return scale, nil, &l }
	switch method {
	case "sum":
		return scale, fuse.Sum, nil
	case "mnz":
		return scale, fuse.MNZ, nil
	case "anz":
		return scale, fuse.ANZ, nil
	case "min":
		return scale, fuse.Least, nil
	case "max":
		return scale, fuse.Most, nil
	case "med":
		return scale, fuse.Median, nil
	case "gmnz":
		return scale, fuse.GMNZ(0.5), nil
	case "wsum":
		return scale, fuse.Weighted(weights...), nil
	case "wmnz":
		return scale, fuse.WMNZ(weights...), nil
	case "mixed":
		return scale, fuse.Mixed(weights...), nil
	case "rrf":
		return fuse.Reciprocal(60), fuse.Sum, nil
	case "isr":
		return fuse.InverseSquare(), fuse.MNZ, nil
	case "log_isr":
		return fuse.InverseSquare(), fuse.Logarithmic(0), nil
	case "logn_isr":
		return fuse.InverseSquare(), fuse.Logarithmic(0.01), nil
	case "rbc":
		return fuse.Geometric(0.8), fuse.Sum, nil
	case "bordafuse":
		return fuse.Points(), fuse.Sum, nil
	case "w_bordafuse":
		return fuse.Points(), fuse.Weighted(weights...), nil
	case "probfuse":
		return learner(fuse.Probabilities(4))
	case "segfuse":
		return learner(fuse.Segments(scale))
	case "slidefuse":
		return learner(fuse.Sliding(2))
	case "posfuse":
		return learner(fuse.Positions())
	case "mapfuse":
		return learner(fuse.MeanPrecision())
	case "bayesfuse":
		return learner(fuse.Odds())
	}
	return scale, nil, nil
}

// fused returns our result for a battle, trained on lessons.
func fused(b *battle, lessons []*battle, method string, scale fuse.Scale) ([]rank.Hit, error) {
	n := len(b.Lists)
	names := make([]string, n)
	var given []rank.Ranker
	for _, l := range b.hits() {
		given = append(given, l)
	}
	if strings.HasSuffix(method, "condorcet") {
		r := &fuse.Condorcet{Lists: given, Names: names, Weights: []float64{1, 1, 1}[:n], Depth: 100}
		if method == "w_condorcet" {
			r.Weights = [][]float64{{0.7, 0.3}, {0.5, 0.3, 0.4}}[n-2]
		}
		return r.Rank(rank.Query{}, 100, nil, nil)
	}
	scale, join, learner := fusionOf(method, n, scale)
	if learner == nil {
		return (&fuse.Fusion{Lists: given, Names: names, Depth: 100, Scale: scale, Method: join}).Rank(rank.Query{},
			100, nil, nil)
	}
	r := &fuse.Trained{Names: names, Depth: 100, Folds: 2, Learner: *learner}
	answers := make([]lists, n)
	for i := range answers {
		answers[i] = lists{"": b.hits()[i]}
		r.Lists = append(r.Lists, answers[i])
	}
	for i, l := range lessons {
		id := fmt.Sprint("lesson ", i)
		j := fuse.Judged{Query: rank.Query{ID: id, Text: id}, Relevant: map[uint32]bool{}, Of: len(l.Relevant)}
		for _, d := range l.Relevant {
			j.Relevant[d] = true
		}
		r.Queries = append(r.Queries, j)
		for k, hits := range l.hits() {
			answers[k][id] = hits
		}
	}
	return r.Rank(rank.Query{}, 100, nil, nil)
}

// strict reports whether condorcet's order is unique: every list holds every document, no duel is even, there is no
// cycle, and the sums of duels are distinct.
func (b *battle) strict(got []rank.Hit) bool {
	for _, l := range b.Lists {
		if len(l) != len(got) {
			return false
		}
	}
	for i, h := range got {
		if h.Score != float64(len(got)-1-2*i) {
			return false
		}
	}
	return true
}

// check compares a result with ranx's: every score, and the order with ties sorted by document in both. Scores
// within 1e-9 differ by rounding and count as tied.
func (b *battle) check(method string, got []rank.Hit, want [][2]float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d documents, ranx %d", len(got), len(want))
	}
	scores := map[uint32]float64{}
	for _, w := range want {
		scores[uint32(w[0])] = w[1]
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }
	for i, h := range got {
		w, ok := scores[h.Doc]
		if !ok {
			return fmt.Errorf("document %d, which ranx does not have", h.Doc)
		}
		if strings.HasSuffix(method, "condorcet") {
			if uint32(want[i][0]) != h.Doc {
				return fmt.Errorf("rank %d: document %d, ranx %v", i+1, h.Doc, want[i][0])
			}
			continue
		}
		if !near(w, h.Score) {
			return fmt.Errorf("document %d: %v, ranx %v", h.Doc, h.Score, w)
		}
		if i == 0 {
			continue
		}
		before := got[i-1]
		if p := scores[before.Doc]; p < w && !near(p, w) || before.Score == h.Score && before.Doc > h.Doc {
			return fmt.Errorf("document %d (%v) stands above %d (%v)", before.Doc, p, h.Doc, w)
		}
	}
	return nil
}

// Oracle: ranx 0.3.21, 25 fusions and 7 norms. The repository holds a sample of 8 of the 175 for each of 300 random
// queries, with ties, gaps, single documents and negative scores. scripts/oracle/fusion/battery.py generates all
// for 10,000.
func TestBatteryOfFusionsEqualsRanx(t *testing.T) {
	path := "testdata/battery.jsonl.gz"
	all := os.Getenv("RANKBOX_FUSIONS")
	if all != "" {
		path = all
	}
	z := shared.Unpacked(t, path)
	in := json.NewDecoder(bufio.NewReaderSize(z, 1<<20))
	norms := map[string]fuse.Scale{"min-max": fuse.MinMax(), "min-max-inverted": fuse.MinMaxInverted(),
		"max": fuse.Largest(),
		"sum": fuse.Share(), "zmuv": fuse.Standard(), "rank": fuse.Place(), "borda": fuse.BordaShare()}
	var made map[string]any
	if err := in.Decode(&made); err != nil {
		t.Fatal(err)
	}
	lessons := map[int][]*battle{}
	compared, left, wrong, cases := map[string]int{}, map[string]int{}, map[string]int{}, 0
	for {
		b := &battle{}
		if err := in.Decode(b); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if b.Fused == nil {
			lessons[len(b.Lists)] = append(lessons[len(b.Lists)], b)
			continue
		}
		cases++
		for name, want := range b.Fused {
			method, norm, _ := strings.Cut(name, " ")
			if why := b.differs(method, norm); why != "" {
				left[why]++
				continue
			}
			got, err := fused(b, lessons[len(b.Lists)], method, norms[norm])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if strings.HasSuffix(method, "condorcet") &&
				!(norm != "borda" && norm != "min-max-inverted" && b.strict(got)) {
				left["condorcet with gaps, even duels or circles"]++
				continue
			}
			compared[method]++
			if err := b.check(method, got, want); err != nil {
				if wrong[name]++; wrong[name] < 3 {
					t.Errorf("%s of %v: %v", name, b.Lists, err)
				}
			}
		}
	}
	methods := 0
	for m, n := range compared {
		methods++
		if least := map[bool]int{true: 3, false: 30}[strings.HasSuffix(m, "condorcet")]; n < least {
			t.Errorf("only %d answers of %s were compared", n, m)
		}
	}
	if methods != 25 || cases < 300 {
		t.Errorf("%d fusions, want 25; %d cases", methods, cases)
	}
	if all != "" || t.Failed() {
		keys := make([]string, 0, len(compared))
		for k := range compared {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			t.Log(k, compared[k])
		}
		t.Log("left out", left, "wrong", wrong)
	}
}
