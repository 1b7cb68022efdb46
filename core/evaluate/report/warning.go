package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
)

// Warning is what is doubtful about the runs or the judgments, as data. Which of the figures are set depends on the
// kind.
type Warning struct {
	Kind      WarningKind
	System    int // that it is about, -1 for none
	Column    int // -1 for none
	N         int
	Low, High float64
	Names     []string
	Text      string // of AsWritten
}

// WarningKind says what is doubtful.
type WarningKind string

// The kinds of warnings.
const (
	AsWritten WarningKind = "as written" // Text: out of a report that was saved when warnings were sentences
	// no query of the run is judged: Names are a query of the judgments and one of the run
	NoneShared     WarningKind = "none shared"
	MissingQueries WarningKind = "missing queries" // N judged queries that the run lacks, Names the first of them
	ForeignQueries WarningKind = "foreign queries" // N queries of the run that nobody judged
	NoneJudged     WarningKind = "none judged"     // no document among the first Window is judged
	ManyUnjudged   WarningKind = "many unjudged"   // Low is their share
	TiesMatter     WarningKind = "ties matter"     // N documents; their order moves the measure between Low and High
	TiesUntried    WarningKind = "ties untried"    // in N queries not every order of ties was tried
	LeftOutMissing WarningKind = "left out: missing"
	LeftOutEmpty   WarningKind = "left out: empty"
	BarrenQueries  WarningKind = "barren queries" // N judged queries without a relevant document
	NothingLeft    WarningKind = "nothing left"   // no query to compare on
	GradesOnly     WarningKind = "grades only"    // no documents are known. N is the depth of the rankings, 0 for whole
	// Names is what the queries are: the scores are a file's and were not measured here
	GivenScores WarningKind = "given scores"
	// N scores that the table lacks, Names the first of them, Text what became of them
	MissingScores WarningKind = "missing scores"
	// Names are the N measures of a table that no query which is compared has from every system
	MeasuresLeftOut WarningKind = "measures left out"
	PartlyScored    WarningKind = "partly scored" // the column is over N queries: those that every system has a score of
	// Names are all N queries for which a backend did not answer, so that the order before it was measured
	FellBack WarningKind = "fell back"
	// N is the depth at which the lists of the run end, Text what that means for a measure without a cutoff
	ListsEnd WarningKind = "lists end"
)

// Wire walks the warning.
func (w *Warning) Wire(c *wire.Codec) {
	c.Fields((*string)(&w.Kind), &w.System, &w.Column, &w.N, &w.Low, &w.High, &w.Names, &w.Text)
}

// fits checks that a warning has what saying it needs.
func (w *Warning) fits(r *Report) bool {
	if w.System < -1 || w.System >= len(r.Systems) || w.Column < -1 || w.Column >= len(r.Columns) {
		return false
	}
	switch w.Kind {
	case NoneShared:
		return len(w.Names) == 2
	case ManyUnjudged:
		return w.System >= 0 && len(r.Columns) > 0 && len(r.Coverage) > 0
	case TiesMatter, TiesUntried, PartlyScored:
		return w.Column >= 0
	case GivenScores:
		return len(w.Names) == 1 && w.Names[0] != ""
	}
	return true
}

// manyUnjudged is the share of unjudged documents from which they are a doubt, movedByTies the change of a mean from
// which ties are.
const (
	manyUnjudged = 0.2
	movedByTies  = 0.001
)

// CoverageWarnings says what is odd about the runs as they were read; ids returns a query of the judgments and one of a
// run, to be named where they share none.
func (r *Report) CoverageWarnings(ids func(system int) []string) []Warning {
	var out []Warning
	for s := range r.Coverage {
		u := &r.Coverage[s]
		add := func(w Warning) { w.System = s; out = append(out, w) }
		if u.Queries == 0 && u.Foreign > 0 {
			add(Warning{Kind: NoneShared, Column: -1, Names: ids(s)})
			continue
		}
		if n := r.Systems[s].Missing; n > 0 {
			add(Warning{Kind: MissingQueries, Column: -1, N: n, Names: u.Missing})
		}
		if u.Foreign > 0 {
			add(Warning{Kind: ForeignQueries, Column: -1, N: u.Foreign})
		}
		if share := u.Share(); share == 1 {
			add(Warning{Kind: NoneJudged, Column: -1})
		} else if share > manyUnjudged {
			add(Warning{Kind: ManyUnjudged, Column: -1, Low: share})
		}
		for m := range r.Columns {
			if c := &r.Columns[m]; u.Tied > 0 && c.TieHigh[s]-c.TieLow[s] >= movedByTies {
				add(Warning{Kind: TiesMatter, Column: m, N: u.Tied, Low: c.TieLow[s], High: c.TieHigh[s]})
				break
			}
		}
	}
	return out
}

// Say writes a warning in words.
func (r *Report) Say(w Warning, style say.Style) string {
	text := r.sayWarning(w, style)
	if w.System >= 0 && w.Kind != AsWritten {
		return r.Systems[w.System].Label + ": " + text
	}
	return text
}

func (r *Report) sayWarning(w Warning, style say.Style) string {
	first := "its first " + style.Int(Window) + " documents"
	switch w.Kind {
	case AsWritten:
		return w.Text
	case NoneShared:
		return "no query of the run is judged: the judgments are of queries like " + w.Names[0] +
			", the run has queries like " + w.Names[1]
	case MissingQueries:
		text := say.Count(w.N, "judged query is not in the run and counts as an empty list: ",
			"judged queries are not in the run and count as empty lists: ") + strings.Join(w.Names, ", ")
		if w.N > len(w.Names) {
			text += " …"
		}
		return text
	case ForeignQueries:
		return say.Count(w.N, "query has no judgments and is left out", "queries have no judgments and are left out")
	case NoneJudged:
		return "none of " + first + " is judged for any query: do the ids of run and qrels look alike?"
	case ManyUnjudged:
		text := style.Percent(w.Low, 1) + " of " + first + " are unjudged and count as not relevant"
		if c := &r.Columns[0]; c.ResidualLow[w.System] < c.ResidualHigh[w.System] {
			text += ": judged after all, they could bring its " + c.Measure + " anywhere from " +
				style.Span(c.ResidualLow[w.System], c.ResidualHigh[w.System], 4)
		}
		return text
	case TiesMatter:
		return say.Count(w.N, "document shares", "documents share") +
			" a score with another one; their order alone moves " + r.Measures[w.Column] + " between " +
			style.Number(w.Low, 4) + " and " + style.Number(w.High, 4)
	case TiesUntried:
		return "in " + say.Count(w.N, "query", "queries") +
			" not every order of tied documents was tried: the range of " + r.Measures[w.Column] +
			" over them may be wider than it says"
	case LeftOutMissing:
		return say.Count(w.N, "judged query is", "judged queries are") +
			" left out because not every run has a list (missing=skip): all runs are compared on the same queries"
	case LeftOutEmpty:
		return say.Count(w.N, "judged query is", "judged queries are") +
			" left out because no document is relevant (empty=skip)"
	case BarrenQueries:
		return say.Count(w.N, "judged query has no relevant document and counts 0 for every run",
			"judged queries have no relevant document and count 0 for every run")
	case FellBack:
		return SayFell(w.N)
	case ListsEnd:
		return w.Text
	case GradesOnly:
		return "this comes from a link of grades by rank: " +
			"ties, unjudged documents and single documents cannot be analysed"
	case GivenScores:
		return r.sayGiven()
	case MissingScores:
		return say.Count(w.N, "score is", "scores are") + " missing (" + say.Few(w.Names, 6) + "): " + w.Text
	case MeasuresLeftOut:
		return say.And(w.Names) + " " + say.Verb(w.N, "is", "are") + r.Words(" left out: no query that is compared has ") +
			say.Verb(w.N, "it", "them") + " from every system. To compare by another measure, name it first with -m"
	case PartlyScored:
		return r.Measures[w.Column] + " is over " + say.Thousands(w.N) + " of " + r.Count(len(r.Queries)) +
			": those for which every system has it"
	case NothingLeft:
		return "no query is left to compare on"
	}
	return string(w.Kind) // of a later version
}

// SayFell says for how many queries a backend did not answer.
func SayFell(queries int) string {
	return "for " + say.Count(queries, "query", "queries") +
		" the backend did not answer, so they keep the previous order"
}

// GradesOnly reports whether the report is of grades by rank, so that nothing can be asked about documents.
func (r *Report) GradesOnly() bool {
	for _, w := range r.Warnings {
		if w.Kind == GradesOnly {
			return true
		}
	}
	return false
}

// Fell are the queries for which a backend gave a system nothing, in the order of the warning.
func (r *Report) Fell(system int) []string {
	for _, w := range r.Warnings {
		if w.Kind == FellBack && w.System == system {
			return w.Names
		}
	}
	return nil
}

// severity orders warnings: those first that leave figures without a meaning, then those that change many, then those
// that change some. What is not listed comes last.
var severity = []WarningKind{NothingLeft, NoneShared, NoneJudged, FellBack, MissingQueries, MissingScores, ManyUnjudged,
	TiesMatter, TiesUntried}

// Worst are the warnings, the worst first; of one kind, that which is about more.
func (r *Report) Worst() []Warning {
	rank := func(w Warning) int {
		if i := slices.Index(severity, w.Kind); i >= 0 {
			return i
		}
		return len(severity)
	}
	out := slices.Clone(r.Warnings)
	slices.SortStableFunc(out, func(a, b Warning) int {
		if c := cmp.Compare(rank(a), rank(b)); c != 0 || rank(a) == len(severity) {
			return c
		}
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(b.Low, a.Low))
	})
	return out
}

// Doubts are the warnings in words, the worst first. What people read shows them through say.Alike.
func (r *Report) Doubts(style say.Style) []string {
	var out []string
	for _, w := range r.Worst() {
		out = append(out, r.Say(w, style))
	}
	return out
}
