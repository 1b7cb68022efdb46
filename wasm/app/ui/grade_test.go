package ui

import (
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
)

func TestGradesAreShownWithTheirDecimals(t *testing.T) {
	for _, c := range []struct {
		grade              float64
		text, class, title string
	}{
		{experiment.NoGrade, "?", "grade q", "not judged"},
		{0, "0", "grade g0", "grade 0: not relevant"},
		{-1, "−1", "grade g0", "grade −1: not relevant"},
		{2, "2", "grade g2", "grade 2"},
		{7, "7", "grade g3", "grade 7"},
		{0.7, "0.7", "grade g1", "grade 0.7"}, // not the colour of grade 0
		{1.0 / 3, "0.33", "grade g1", "grade 0.3333333333333333"},
		{2.5, "2.5", "grade g3", "grade 2.5"},
	} {
		if text, class, title := GradeText(c.grade), GradeClass(c.grade), GradeTitle(c.grade); text != c.text ||
			class != c.class || title != c.title {
			t.Errorf("%v: %q, %q, %q", c.grade, text, class, title)
		}
	}
}
