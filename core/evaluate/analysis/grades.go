package analysis

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// GradeLists are rankings given as grades: one query a line, first document first.
type GradeLists []GradeList

// GradeList is the ranking of a query.
type GradeList struct {
	Grades   []float64 // of every rank; -1 for a document without a judgment
	Relevant int       // relevant documents of the query, those of the list among them
}

// The bounds of what is read.
const (
	maxGradeLists = 1000
	maxGrades     = 1000
	maxGrade      = 1000
)

// ReadGrades reads grades of ranked documents, one query a line, as "3 2 0 1 | relevant 5": a grade for each rank, "-"
// for a document without a judgment, and after "|" how many relevant documents the query has, where that is more than
// the list shows. The others have grade 1.
func ReadGrades(text string) (GradeLists, error) {
	var out GradeLists
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		fault := func(what string) error {
			return say.Faultf("analysis", "line %d: %s: write grades as in 3 2 0 1 | relevant 5", i+1, what)
		}
		list, rest, more := strings.Cut(line, "|")
		g := GradeList{}
		for _, word := range strings.Fields(strings.ReplaceAll(list, ",", " ")) {
			n, err := strconv.ParseFloat(word, 64)
			switch {
			case word == "-":
				n = -1
			case err != nil || !(n >= 0 && n <= maxGrade):
				return nil, fault(strconv.Quote(say.Brief(word, 30)) + " is no grade from 0 to 1000")
			}
			g.Grades = append(g.Grades, n)
			if n > 0 {
				g.Relevant++
			}
		}
		if len(g.Grades) == 0 || len(g.Grades) > maxGrades {
			return nil, fault(strconv.Itoa(len(g.Grades)) + " grades")
		}
		if more {
			w := strings.Fields(rest)
			if len(w) != 2 || w[0] != "relevant" {
				return nil, fault("after | stands no number of relevant documents")
			}
			n, err := strconv.Atoi(w[1])
			if err != nil || n < g.Relevant || n > 1e6 {
				return nil, fault(strconv.Quote(say.Brief(w[1], 30)) + " relevant documents, but the list has " +
					strconv.Itoa(g.Relevant))
			}
			g.Relevant = n
		}
		if out = append(out, g); len(out) > maxGradeLists {
			return nil, fault("more than 1000 lists")
		}
	}
	if len(out) == 0 {
		return nil, say.Faultf("analysis", "no grades: write them as in 3 2 0 1 | relevant 5")
	}
	return out, nil
}

// doc is the name of the document at a rank, from 1; names sort in the order of ranks.
func (GradeList) doc(rank int) string {
	s := strconv.Itoa(rank)
	return "d" + strings.Repeat("0", max(0, 7-len(s))) + s
}

// Run is a TREC run of the lists, whose scores fall from rank to rank.
func (l GradeLists) Run() string {
	var b strings.Builder
	for q, g := range l {
		for i := range g.Grades {
			b.WriteString("q" + strconv.Itoa(q+1) + " Q0 " + g.doc(i+1) + " " + strconv.Itoa(i+1) + " " +
				strconv.Itoa(len(g.Grades)-i) + " grades\n")
		}
	}
	return b.String()
}

// Qrels are TREC judgments of the lists, with the relevant documents that the lists lack.
func (l GradeLists) Qrels() string {
	var b strings.Builder
	for q, g := range l {
		line := func(rank int, grade float64) {
			b.WriteString("q" + strconv.Itoa(q+1) + " 0 " + g.doc(rank) + " " + say.Plain.Grade(grade) + "\n")
		}
		shown := 0
		for i, grade := range g.Grades {
			if grade >= 0 {
				line(i+1, grade)
			}
			if grade > 0 {
				shown++
			}
		}
		for i := shown; i < g.Relevant; i++ {
			line(len(g.Grades)+1+i-shown, 1)
		}
	}
	return b.String()
}
