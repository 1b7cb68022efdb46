package significance

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
)

// Oracle: irrCAC 0.4.4 (scipy 1.12.0) on 40 random tables with gaps, unused and single ratings;
// scripts/oracle/significance/gwet.py.
func TestGwetEqualsIrrCAC(t *testing.T) {
	b, err := os.ReadFile("testdata/gwet.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Cases []struct {
			Ratings                     [][]*int
			Identity, Linear, Quadratic [4]number
		}
	}
	if err := json.Unmarshal(b, &f); err != nil {
		t.Fatal(err)
	}
	c := &checker{t: t}
	for i, x := range f.Cases {
		table, grade := counted(x.Ratings)
		for w, want := range [][4]number{x.Identity, x.Linear, x.Quadratic} {
			got, err := GwetAC(table, grade, Weighting(w), 0)
			if err != nil {
				t.Fatal(err)
			}
			// they are rounded to 15 decimals
			c.near(fmt.Sprint("case ", i, " weighting ", w), got.Coefficient, want[0], 1e-12, 3e-15)
		}
	}
	c.done(120)
}

// counted turns ratings into numbers of raters by document and grade, with a grade that nobody gives.
func counted(ratings [][]*int) (table [][]int, grade []int) {
	grade = []int{0, 1, 2, 3, 4, 5, 6}
	for _, r := range ratings {
		row := make([]int, len(grade))
		for _, g := range r {
			if g != nil {
				row[slices.Index(grade, *g)]++
			}
		}
		table = append(table, row)
	}
	return table, grade
}

// By hand: two judges, four documents, both say 0 of three, and 0 and 1 of the fourth. P = 3/4, π = (7/8, 1/8),
// Pₑ = 2·(7/64)·2/2 = 7/32: AC1 = (24 - 7)/(32 - 7) = 17/25, where Cohen's κ is 0.
func TestGwetAgainstThePrevalenceOfOneGrade(t *testing.T) {
	got, err := GwetAC([][]int{{2, 0}, {2, 0}, {2, 0}, {1, 1}}, []int{0, 1}, Unweighted, 0.95)
	if err != nil || math.Abs(got.Coefficient-17.0/25) > 1e-15 || got.Documents != 4 {
		t.Errorf("%+v, %v; want 17/25 of 4", got, err)
	}
	kappa, _ := CohenKappa([]int{0, 0, 0, 0}, []int{0, 0, 0, 1}, Unweighted)
	if kappa != 0 {
		t.Errorf("Cohen's κ %v, want 0", kappa)
	}
	for name, table := range map[string][][]int{"one grade": {{2, 0}, {2, 0}}, "nothing rated twice": {{1, 0}, {0, 1}},
		"nothing": nil} {
		if got, err := GwetAC(table, []int{0, 1}, Quadratic, 0.95); err != nil || got.Coefficient == got.Coefficient {
			t.Errorf("%s: %+v, %v; want NaN", name, got, err)
		}
	}
	for name, table := range map[string][][]int{"row too short": {{2}}, "negative": {{2, -1}}} {
		if _, err := GwetAC(table, []int{0, 1}, Unweighted, 0.95); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
