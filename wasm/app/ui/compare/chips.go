package compare

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Chip is a warning, or several of one kind, in a few words; it opens its text.
type Chip struct {
	Name, Label, Class string
	Texts              []string
}

// chipNames are the warnings of a report as chips name them, about one run and about several.
var chipNames = map[report.WarningKind]struct{ name, one, many string }{
	report.NoneShared:     {"no-shared", "1 run shares no query", "%d runs share no query"},
	report.MissingQueries: {"missing", "queries missing in 1 run", "queries missing in %d runs"},
	report.ForeignQueries: {"foreign", "unjudged queries in 1 run", "unjudged queries in %d runs"},
	report.NoneJudged:     {"none-judged", "no top document judged in 1 run", "no top document judged in %d runs"},
	report.TiesMatter:     {"ties", "tied scores in 1 run", "tied scores in %d runs"},
	report.TiesUntried:    {"ties-untried", "tie orders not all tried", "tie orders not all tried"},
	report.LeftOutMissing: {"left-out-missing", "queries left out", "queries left out"},
	report.LeftOutEmpty:   {"left-out-empty", "queries left out", "queries left out"},
	report.BarrenQueries:  {"barren", "queries without relevant documents", "queries without relevant documents"},
	report.NothingLeft:    {"nothing-left", "no query left", "no query left"},
	report.GivenScores:    {"given", "given scores", "given scores"},
	report.MissingScores:  {"missing-scores", "missing scores", "missing scores"},
	report.GradesOnly:     {"grades", "grades by rank only", "grades by rank only"},
	report.ListsEnd:       {"lists-end", "lists end early in 1 run", "lists end early in %d runs"},
	report.FellBack:       {"fell-back", "a backend failed in 1 run", "a backend failed in %d runs"},
}

// Chips are the warnings about the files, the runs, the judgments and the test, one chip a kind.
func (c *Tabs) Chips() []Chip {
	r := c.Compare.Runs.Report()
	var out []Chip
	add := func(x Chip) { out = append(out, x) }
	files := &Files{Compare: c.Compare}
	bad := Chip{Name: "files", Class: "chip warn"}
	for _, f := range files.Files() {
		if f.Problem != "" {
			bad.Texts = append(bad.Texts, say.Visible(f.Name)+": "+files.Problem(f))
		}
	}
	if n := len(bad.Texts); n > 0 {
		bad.Label = say.Count(n, "file not compared", "files not compared")
		add(bad)
	}
	if x, ok := c.unjudged(); ok {
		add(x)
	}
	done := map[report.WarningKind]bool{report.ManyUnjudged: true}
	for _, w := range r.Worst() {
		if done[w.Kind] {
			continue
		}
		done[w.Kind] = true
		x := Chip{Class: "chip warn"}
		for _, v := range r.Worst() {
			if v.Kind == w.Kind {
				x.Texts = append(x.Texts, say.Visible(r.Say(v, say.Page)))
			}
		}
		names, known := chipNames[w.Kind]
		switch n := len(x.Texts); {
		case !known: // of a later version, or written as a sentence
			x.Name, x.Label = "other", say.Count(n, "warning", "warnings")
		case n == 1:
			x.Name, x.Label = names.name, names.one
		default:
			x.Name, x.Label = names.name, strings.Replace(names.many, "%d", strconv.Itoa(n), 1)
		}
		x.Texts = say.Alike(x.Texts)
		if w.Kind == report.TiesMatter || w.Kind == report.BarrenQueries || w.Kind == report.GradesOnly ||
			w.Kind == report.GivenScores {
			x.Class = "chip"
		}
		if noun, given := r.Given(); given && w.Kind == report.GivenScores && noun != "query" && noun != "sample" {
			x.Label = report.Plural(noun) + " are no random sample"
		}
		add(x)
	}
	return append(out, c.doubts()...)
}

// unjudged is one chip, however many runs it is about.
func (c *Tabs) unjudged() (Chip, bool) {
	r := c.Compare.Runs.Report()
	low, high := 1.0, 0.0
	var open []string
	text := ""
	for _, w := range r.Warnings {
		if w.Kind == report.ManyUnjudged {
			text = r.Say(w, say.Page)
			open = append(open, r.Letter(w.System)+" "+say.Page.Percent(w.Low, 1))
			low, high = min(low, w.Low), max(high, w.Low)
		}
	}
	if len(open) == 0 {
		return Chip{}, false
	}
	top := strconv.Itoa(report.Window)
	if len(open) > 1 {
		text = "Many of the top " + top + " documents are unjudged and count as not relevant: " + say.And(open) +
			". Statistics shows how far judging them could move the scores."
	}
	share := say.Page.Percent(high, 0)
	if s := say.Page.Percent(low, 0); s != share {
		share = s + " to " + share
	}
	label := share + " of top " + top + " unjudged"
	return Chip{Name: "unjudged", Label: label, Class: "chip warn", Texts: []string{say.Visible(text)}}, true
}

// fewDoubts is how many doubts about the test have a chip each. More share one, so that the chips stay beside the tabs.
const fewDoubts = 2

// doubts are those about the test.
func (c *Tabs) doubts() []Chip {
	r := c.Compare.Runs.Report()
	t := &r.Test
	texts := r.TestDoubts(r.Tests(), say.Page)
	if len(texts) == 0 {
		return nil
	}
	if t.WrittenDoubts != nil || len(texts) > fewDoubts {
		label := say.Count(len(texts), "warning", "warnings") + " about the test"
		return []Chip{{Name: "test", Label: label, Class: "chip warn", Texts: texts}}
	}
	var out []Chip
	if t.Alone {
		label := r.Words("only 1 query")
		out = append(out, Chip{Name: "one-query", Label: label, Class: "chip warn", Texts: texts[:1]})
		texts = texts[1:]
	}
	for i, d := range t.Choice.Doubts {
		label := "about the test"
		switch d.Kind {
		case significance.SomeNotFinite:
			label = "scores that are not numbers"
		case significance.NeverDiffers:
			label = "runs that never differ"
		case significance.FewDiffer, significance.FewForSoMany:
			label = "few queries differ"
		case significance.ManyEqual:
			label = say.Count(d.N, "query does", "queries do") + " not differ"
		case significance.FewDecide:
			label = "few queries decide"
		case significance.OneOutweighs:
			which := say.Verb(t.Choice.Pairs, "the", "one")
			label = "1 query makes " + say.Page.Percent(d.Value, 0) + " of " + which + " difference"
		case significance.TiedRanks, significance.TiedApproximate:
			label = "tied differences"
		case significance.LittlePower:
			label = "little power"
		}
		name := "test-" + strconv.Itoa(i)
		out = append(out, Chip{Name: name, Label: r.Words(label), Class: "chip warn", Texts: texts[i : i+1]})
	}
	return out
}

// Open says whether the text of a chip is open.
func (c *Tabs) Open(name string) string { return strconv.FormatBool(name == c.Compare.View.Warning) }

// Warned is the text that is open.
func (c *Tabs) Warned() []string {
	for _, x := range c.Chips() {
		if x.Name == c.Compare.View.Warning {
			return x.Texts
		}
	}
	return nil
}
