package matrix

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/report"
)

// What a stage brings alone is what it adds to the pipeline without any.
func TestAStageAloneIsMeasuredFromThePipelineWithoutAny(t *testing.T) {
	out := finished(t, session(t), `{"ablate": "bm25 >> rm3 >> cut(10)", "measures": ["nDCG@10"]}`, 1)
	mean := map[string]float64{}
	for i, s := range out.Report.Systems {
		mean[s.Pipeline()] = out.Report.Columns[0].Means[i]
	}
	a := out.Ablation
	if a.Bare == 0 || a.Bare != mean["bm25"] {
		t.Fatalf("%v without any stage, want %v", a.Bare, mean["bm25"])
	}
	for i, name := range []string{"bm25 >> rm3", "bm25 >> cut(10)"} {
		if got, want := a.Stages[i].Alone, mean[name]-mean["bm25"]; got != want {
			t.Errorf("%s: alone %v, want %v", name, got, want)
		}
	}
}

// stores counts checkpoints.
type stores struct {
	Memory
	made int
}

func (s *stores) Append(b []byte) error { s.made++; return s.Memory.Append(b) }

// Of 12 queries and two runs. Where a query takes 60 ms a checkpoint is made each five of the 24, and one of what is
// left; where it takes 5 ms, each ten; where it takes 600 ms, after each. Before them all the head is written. What is
// told names the run that the last of the queries was of.
func TestCheckpointsAreMadeWhereItIsTime(t *testing.T) {
	s := session(t)
	for takes, want := range map[float64]string{60e3: "00111", 5e3: "011", 600e3: "000000000000111111111111"} {
		p, store, now := plan(t, s, `{"systems": ["bm25", "dense"], "measures": ["AP"]}`), &stores{}, 0.0
		x, err := Open(p, s, store)
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		o := Options{Clock: func() float64 { return now }, Progress: func(p Progress) { told += strconv.Itoa(p.Run) }}
		o.Cancel = func() bool { now += takes; return false }
		if err := x.Run(o); err != nil {
			t.Fatal(err)
		}
		if store.made != 1+len(want) || told != want {
			t.Errorf("%v µs a query: %d checkpoints, told of runs %s, want %s", takes, store.made, told, want)
		}
	}
}

// Two systems whose adjusted p-value is α can be told apart no more than those above it.
func TestWithinTheNoiseFromAlphaOn(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25", "dense"], "measures": ["AP"]}`, 1)
	r := out.Report
	for p, want := range map[float64]bool{report.Alpha: true, math.Nextafter(report.Alpha, 0): false} {
		r.Pairs[0].Adjusted = p
		if got := within(r, 0, 1); got != want {
			t.Errorf("p = %v: %v", p, got)
		}
	}
}

// Of patterns that hold equally often the one that stands first is named.
func TestOfPatternsThatHoldEquallyOftenTheFirstIsNamed(t *testing.T) {
	counts := [][]int{{0, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}
	_, worst, most := patternTable(1, counts, make([]string, 20))
	if worst != 1 || most != 2 {
		t.Errorf("%d, %d times", worst, most)
	}
}

// An error about a member that the text does not have names no line.
func TestAMemberThatTheTextLacksHasNoLine(t *testing.T) {
	text := InText([]byte(`{"systems": ["bm25"]}`), about("depth", "it is wrong")).Error()
	if strings.Contains(text, "line") || !strings.Contains(text, "it is wrong") {
		t.Error(text)
	}
}
