package learn

import "testing"

func TestAHeadStandsOverItsColumn(t *testing.T) {
	rows := [][]string{{"Rank", "Document", "Grade", "Term", "Value"}, {"1", "Fell guilty", "3", "–", "0.5000"}, {"", "sum", "", "1/2", "−0.5"}, {"2", "3 men", "?", "", "< 0.001"}}
	for i, want := range []string{"", "words", "", "", ""} {
		if got := Over(rows, i); got != want {
			t.Errorf("%s: %q, want %q", rows[0][i], got, want)
		}
	}
}
