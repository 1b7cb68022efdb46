package lesson

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/measure"
)

// A thousand seeds for each level: a right order exists; the ideal, the worst and the shown one are wrong; the
// feedback names the unmet conditions. For every tenth seed of the two shorter levels all orders are tried: the
// right ones are those that meet both conditions by the registry.
func TestEveryOrderThatMeetsTheConditionsIsRight(t *testing.T) {
	worth := func(notation string, ranked []float64) float64 {
		m, err := measure.Parse(notation)
		if err != nil {
			t.Fatal(err)
		}
		return m.Score(&measure.Topic{Query: "q", Ranked: ranked, Judged: ranked, TopGrade: 3})
	}
	different := map[string]bool{}
	right, wrong := 0, 0
	for level := 1; level <= Levels; level++ {
		for i := range 1000 {
			e := Make("order", level, "student "+strconv.Itoa(i))
			different[e.Question+e.Given[0]] = true
			n := len(e.Order)
			shown, ideal := make([]int, n), make([]int, n)
			for j := range n {
				shown[j], ideal[j] = j, j
			}
			slices.SortStableFunc(ideal, func(a, b int) int { return int(e.Order[b]) - int(e.Order[a]) })
			worst := slices.Clone(ideal)
			slices.Reverse(worst)
			for _, o := range [][]int{shown, ideal, worst} {
				v := e.CheckOrder(o)
				if v.Right || v.Mistake == "" || !strings.Contains(e.Says(v), v.Mistake) {
					t.Fatalf("%s\n%v: %+v", e.Question, o, v)
				}
			}
			example := strings.Fields(strings.TrimPrefix(e.Working, "one right order is "))
			var ranked []float64
			for _, g := range example {
				d, _ := strconv.Atoi(g)
				ranked = append(ranked, float64(d))
			}
			if v := e.order(ranked); !v.Right || !strings.HasPrefix(e.Says(v), "Right: ") {
				t.Fatalf("%s: %v is none: %+v", e.Question, ranked, v)
			}
			if i%100 != 0 || level == Levels {
				continue
			}
			for number := 0; ; number++ {
				places, ok := OrderOf(number, n)
				if !ok {
					break
				}
				if OrderNumber(places) != number {
					t.Fatalf("order %d is numbered %d", number, OrderNumber(places))
				}
				ranked := make([]float64, n)
				for j, p := range places {
					ranked[j] = e.Order[p]
				}
				want := worth(e.Goals[0].Measure, ranked) >= e.Goals[0].Value-1e-9 &&
					worth(e.Goals[1].Measure, ranked) < e.Goals[1].Value-1e-9
				if e.CheckEntry(number).Right != want {
					t.Fatalf("%s\n%v: right is %v", e.Question, ranked, !want)
				}
				if want {
					right++
				} else {
					wrong++
				}
			}
		}
	}
	if len(different) < 2000 || right == 0 || wrong == 0 {
		t.Errorf("%d different ones; %d right orders, %d wrong ones", len(different), right, wrong)
	}
}

// By hand: of three documents 2 1 0 is the last order, with number 2 × 2 + 1.
func TestOrdersAreNumbered(t *testing.T) {
	if n := OrderNumber([]int{2, 1, 0}); n != 5 {
		t.Errorf("2 1 0 is number %d", n)
	}
	for _, n := range []int{-1, 6, 1 << 40} {
		if _, ok := OrderOf(n, 3); ok {
			t.Errorf("there is no order %d", n)
		}
	}
	e := &Exercise{Answer: 0.5, Wrong: []Mistake{{0.25, "halved it"}}}
	if v := e.CheckEntry(Entry(0.25)); v.Mistake != "halved it" || e.EntryText(2500) != "0.250" {
		t.Errorf("%+v, %s", v, e.EntryText(2500))
	}
}
