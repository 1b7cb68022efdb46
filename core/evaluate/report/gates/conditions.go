package gates

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Conditions are what a build is told: what was checked of a report, and against what.
type Conditions struct {
	Checks  []Check     // gates
	Sure    bool        // they fail only where it is no chance
	Change  *Regression // since the snapshot, nil where there is none
	Queries []Expected  // of a golden set, those that expect something
	Notes   []string    // sentences about how much the queries can show
	More    []Section   // what else is to be read, a list each
}

// Section is a list beside the conditions.
type Section struct {
	Title string
	Lines []string
}

// Expected is a query that expects something of its results.
type Expected struct {
	Query, Text string   // Text is "" or the query's id where that is its text
	Reasons     []string // why it fails; none if it does not
	Instead     []string // the first documents that it found, if it fails
	Line        int      // of the golden set, 0 if it is not known
}

// Name is the query as lists show it: its text, behind its id where that is another.
func (e *Expected) Name() string {
	if e.Text == "" || e.Text == e.Query {
		return strconv.Quote(brief(e.Query))
	}
	return brief(e.Query) + " " + strconv.Quote(brief(e.Text))
}

// Lines returns the query as text: one line, and one of each further reason.
func (e *Expected) Lines() string {
	if len(e.Reasons) == 0 {
		return "passed  " + e.Name() + "\n"
	}
	var b builder
	b.line("FAILED  ", e.Name(), "  ", say.Visible(e.Reasons[0]))
	for _, r := range e.Reasons[1:] {
		b.line("    ", say.Visible(r))
	}
	if len(e.Instead) > 0 {
		var docs []string
		for _, d := range e.Instead {
			docs = append(docs, strconv.Quote(brief(d)))
		}
		b.line("    found instead: ", say.Visible(strings.Join(docs, ", ")))
	}
	return b.String()
}

// Failed counts the conditions that are not met.
func (v *Conditions) Failed() (n int) {
	for i := range v.Checks {
		if v.Checks[i].Fails(v.Sure) {
			n++
		}
	}
	for i := range v.Queries {
		if len(v.Queries[i].Reasons) > 0 {
			n++
		}
	}
	if v.Change != nil {
		for _, c := range v.Change.Changes {
			if c.Verdict == Regressed {
				n++
			}
		}
	}
	return n
}

// Count counts all of them.
func (v *Conditions) Count() int {
	n := len(v.Checks) + len(v.Queries)
	if v.Change != nil {
		n += len(v.Change.Changes)
	}
	return n
}

// Sentence says in one how it went.
func (v *Conditions) Sentence() string {
	switch all, bad := v.Count(), v.Failed(); {
	case all == 0:
		return "No expectations or gates to check."
	case bad == 0 && all == 1:
		return "The condition is met."
	case bad == 0:
		return "All " + strconv.Itoa(all) + " conditions are met."
	default:
		return strconv.Itoa(bad) + " of " + say.Count(all, "condition", "conditions") + " " + say.Verb(bad, "is",
			"are") + " not met."
	}
}

// The suites of conditions, in the order in which files for builds have them.
const (
	QuerySuite  = "queries"
	GateSuite   = "gates"
	ChangeSuite = "since the snapshot"
)

// Condition is one of them, as files for builds write it.
type Condition struct {
	Suite, Class, Name string
	Line, Rest         string // of its text
	Failed             bool
}

// List returns all of them, those that are not met as they come.
func (v *Conditions) List() (out []Condition) {
	for i := range v.Queries {
		e := &v.Queries[i]
		x := Condition{Suite: QuerySuite, Class: "query", Name: e.Name(), Failed: len(e.Reasons) > 0}
		x.Line, x.Rest, _ = strings.Cut(strings.TrimRight(e.Lines(), "\n"), "\n")
		out = append(out, x)
	}
	for i := range v.Checks {
		c := &v.Checks[i]
		x := Condition{Suite: GateSuite, Class: c.Gate.Measure, Name: c.Gate.Text + ": " + c.System}
		x.Failed = c.Fails(v.Sure)
		x.Line, x.Rest, _ = strings.Cut(strings.TrimRight(c.Text(v.Sure), "\n"), "\n")
		out = append(out, x)
	}
	if v.Change != nil {
		for _, c := range v.Change.Changes {
			x := Condition{Suite: ChangeSuite, Class: c.Measure, Name: c.Measure + " of " + c.System}
			x.Failed = c.Verdict == Regressed
			x.Line, x.Rest, _ = strings.Cut(strings.TrimRight((&Regression{Changes: []MeasureChange{c}}).String(),
				"\n"), "\n")
			out = append(out, x)
		}
	}
	return out
}
