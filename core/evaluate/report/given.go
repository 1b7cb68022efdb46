//go:build !first && (!library || notebook)

package report

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Given reports whether the report is of scores that a file gives, not of rankings that were measured here: nothing
// is known of documents, judgments and ties. noun is what its queries are: "query", "task", "sample".
func (r *Report) Given() (noun string, given bool) {
	for _, w := range r.Warnings {
		if w.Kind == GivenScores && len(w.Names) == 1 {
			return w.Names[0], true
		}
	}
	return "query", false
}

// Count writes a number of queries, or of what the report has in their place: "41 tasks".
func (r *Report) Count(n int) string {
	noun, _ := r.Given()
	return say.Count(n, noun, Plural(noun))
}

// Plural is the plural of what a report is about.
func Plural(noun string) string {
	if noun == "query" {
		return "queries"
	}
	return noun + "s"
}

// Words writes a sentence about queries, without names, about what the report has in their place.
func (r *Report) Words(sentence string) string {
	noun, given := r.Given()
	if !given || noun == "query" {
		return sentence
	}
	many, upper := Plural(noun), func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	pairs := [][2]string{{"queries", many}, {"Queries", upper(many)}, {"query", noun}, {"Query", upper(noun)}}
	for _, x := range pairs {
		sentence = strings.ReplaceAll(sentence, x[0], x[1])
	}
	return sentence
}

// sayGiven says what figures of given scores do not say.
func (r *Report) sayGiven() string {
	noun, _ := r.Given()
	many, given := Plural(noun), ""
	switch noun {
	case "query", "sample":
		return "the scores are the file's: rankings, judgments and ties behind them are not known here"
	case "item":
		given = "if the items were chosen, as the tasks of a benchmark are, they are no random sample"
	default:
		given = "the " + many + " are no random sample of " + many
	}
	return given + ": intervals and tests say how much the order depends on which " + many +
		" are in the table, not how the systems would do on others"
}

// Find returns the place of a system by its name, letter or number from 1. The error names those that there are.
func (r *Report) Find(name string) (int, error) {
	for s := range r.Systems {
		if r.Systems[s].Label == name {
			return s, nil
		}
	}
	var names []string
	for s := range r.Systems {
		if strings.EqualFold(r.Letter(s), name) || strconv.Itoa(s+1) == name {
			return s, nil
		}
		names = append(names, r.Letter(s)+" "+r.Systems[s].Label)
	}
	return 0, say.Faultf("report", "there is no system %q (there are %s)", name, say.Few(names, 8))
}

// GroupsOf are the letters of the groups of a system, of a column's Groups: beyond 52 groups they have blanks between
// them.
func GroupsOf(groups []string, system int) []string {
	for _, g := range groups {
		if strings.Contains(g, " ") {
			return strings.Fields(groups[system])
		}
	}
	return strings.Split(groups[system], "")
}

// ShareGroup reports whether two systems have a group in common.
func ShareGroup(groups []string, a, b int) bool {
	for _, x := range GroupsOf(groups, a) {
		for _, y := range GroupsOf(groups, b) {
			if x == y {
				return true
			}
		}
	}
	return false
}

// MostResampled is how many pairs of a table of scores are tested by resampling: more of them take minutes, and the
// paired t test counts.
const MostResampled = 500

// SayMany has the report say that its test counts because the pairs are too many to resample, and nobody chose it.
func (r *Report) SayMany() { r.Test.sayMany() }

// SayMany says it of the tests on another measure of a report that says it.
func (t *Tests) SayMany(r *Report) {
	if r.Test.Written != "" {
		t.Test.sayMany()
	}
}

// sayMany writes it as the reason for the test, where there are so many pairs.
func (t *Test) sayMany() {
	x, err := significance.Lookup(t.Hand)
	if err != nil || t.Hand != "t" || t.Choice.Pairs <= MostResampled {
		return
	}
	t.Many = true
	t.Written = x.Title + t.Detail + ": " + say.Thousands(t.Choice.Pairs) + " pairs are too many to resample each. " +
		"It assumes: " + say.Lower(x.Assumes)
}

// HasRankings reports whether the rankings behind the figures are at hand: they are not where the report is of grades
// by rank, or of scores that a file gives.
func (r *Report) HasRankings() bool {
	for _, w := range r.Warnings {
		if w.Kind == GradesOnly || w.Kind == GivenScores {
			return false
		}
	}
	return true
}
