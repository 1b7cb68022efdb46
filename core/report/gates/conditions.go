package gates

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/say"
)

// Conditions are what a build is told: what was checked of a report, and against what.
type Conditions struct {
	Checks []Check     // gates
	Sure   bool        // they fail only where it is no chance
	Change *Regression // since the snapshot, nil where there is none
}

// Failed counts the conditions that are not met.
func (v *Conditions) Failed() (n int) {
	for i := range v.Checks {
		if v.Checks[i].Fails(v.Sure) {
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
	n := len(v.Checks)
	if v.Change != nil {
		n += len(v.Change.Changes)
	}
	return n
}

// Sentence says in one how it went.
func (v *Conditions) Sentence() string {
	switch all, bad := v.Count(), v.Failed(); {
	case all == 0:
		return "Nothing was to be met."
	case bad == 0 && all == 1:
		return "The condition is met."
	case bad == 0:
		return "All " + strconv.Itoa(all) + " conditions are met."
	default:
		return strconv.Itoa(bad) + " of " + say.Count(all, "condition", "conditions") + " " + say.Verb(bad, "is", "are") + " not met."
	}
}

// Condition is one of them, as files for builds write it.
type Condition struct {
	Suite, Class, Name string
	Line, Rest         string // of its text
	Failed             bool
}

// List returns all of them, those that are not met as they come.
func (v *Conditions) List() (out []Condition) {
	for i := range v.Checks {
		c := &v.Checks[i]
		x := Condition{Suite: "gates", Class: c.Gate.Measure, Name: c.Gate.Text + ": " + c.System, Failed: c.Fails(v.Sure)}
		x.Line, x.Rest, _ = strings.Cut(strings.TrimRight(c.Text(v.Sure), "\n"), "\n")
		out = append(out, x)
	}
	if v.Change != nil {
		for _, c := range v.Change.Changes {
			x := Condition{Suite: "since the snapshot", Class: c.Measure, Name: c.Measure + " of " + c.System}
			x.Failed = c.Verdict == Regressed
			x.Line, x.Rest, _ = strings.Cut(strings.TrimRight((&Regression{Changes: []MeasureChange{c}}).String(), "\n"), "\n")
			out = append(out, x)
		}
	}
	return out
}
