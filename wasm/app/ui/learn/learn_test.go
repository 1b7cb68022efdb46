package learn

import (
	"slices"
	"testing"
)

func TestAHeadStandsOverItsColumn(t *testing.T) {
	rows := [][]string{{"Rank", "Document", "Grade", "Term", "Value"}, {"1", "Fell guilty", "3", "–", "0.5000"},
		{"", "sum", "", "1/2", "−0.5"}, {"2", "3 men", "?", "", "< 0.001"}}
	for i, want := range []string{"", "words", "", "", ""} {
		if got := Over(rows, i); got != want {
			t.Errorf("%s: %q, want %q", rows[0][i], got, want)
		}
	}
}

// By hand: what is cut off most is given back first.
func TestMinutesAreRoundedToTheirSum(t *testing.T) {
	for _, c := range []struct {
		name  string
		takes []float64
		sum   int
		want  []int
	}{
		// × 9 / 9.5: 1.42 2.61 1.42 1.89 1.66
		{"the two that lose most get theirs back", []float64{1.5, 2.75, 1.5, 2, 1.75}, 9, []int{1, 3, 1, 2, 2}},
		{"whole ones stay", []float64{2, 3, 2, 2, 2}, 11, []int{2, 3, 2, 2, 2}},
		{"a short step gets a minute", []float64{0.2, 3, 2.8, 2, 2}, 10, []int{1, 3, 2, 2, 2}},
		{"a step that a remix lacks gets none", []float64{1.5, 2.5, 0, 2, 0}, 6, []int{2, 2, 0, 2, 0}},
		{"nothing", nil, 0, []int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Whole(c.takes, c.sum); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestBarsAreAsLongAsTheirNumbers(t *testing.T) {
	values := []float64{.2, -.4, 0}
	got := []string{Width(values, 0), Width(values, 1), Width(values, 2)}
	if !slices.Equal(got, []string{"150.0", "300.0", "0.0"}) {
		t.Error(got)
	}
}
