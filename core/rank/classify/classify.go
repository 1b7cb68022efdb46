// Package classify says of which type a query is, by its words alone: factual, analytical, breaking or historical. It
// ranks nothing; stages that do another thing for another type ask it.
//
// Order of the pipeline: query → signs, rules that anybody can read → a weight for each sign and type, which were
// learned from the judged queries of the demo → the type with the largest sum.
package classify

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/float"
)

// Type is a type of queries.
type Type int

// The types, in the order of the tables.
const (
	Factual    Type = iota // asks for a fact, a person, a thing
	Analytical             // asks for reasons, effects, opinions
	Breaking               // asks for what has just happened
	Historical             // asks for what was long ago
)

// Types are their names, as collections write them.
var Types = []string{"factual", "analytical", "breaking", "historical"}

// String returns the name of a type.
func (t Type) String() string { return Types[t] }

// Class is what is said of a query.
type Class struct {
	Type        Type
	Probability [4]float64 // of each type; they add up to 1
	Signs       []string   // the rules that hold for the query, in their order
}

// Of classifies a query.
func Of(query string) Class { return model.Of(query) }

// Model is a weight for each sign and type, with one for no sign first: len(m) == 1 + len(Signs).
type Model [][4]float64

// Of classifies a query. Where nothing tells types apart, the first wins.
func (m Model) Of(query string) Class {
	x := signs(query)
	c := Class{}
	sum := m[0]
	for i, on := range x {
		if !on {
			continue
		}
		c.Signs = append(c.Signs, rules[i].name)
		for t := range sum {
			sum[t] += m[i+1][t]
		}
	}
	total := 0.0
	for t := range sum {
		c.Probability[t] = float.Exp(sum[t] - sum[0])
		total += c.Probability[t]
	}
	for t := range c.Probability {
		c.Probability[t] /= total
		if c.Probability[t] > c.Probability[c.Type] {
			c.Type = Type(t)
		}
	}
	return c
}

// words returns the words of a query in lower case.
func words(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 || r == '\'')
	})
}

// rule is a sign of a type.
type rule struct {
	name string
	of   Type // what it speaks for, to a reader; what it counts is learned
	is   func(query string, words []string) bool
}

func any(list ...string) func(string, []string) bool {
	return func(_ string, words []string) bool {
		for _, w := range words {
			for _, l := range list {
				if w == l {
					return true
				}
			}
		}
		return false
	}
}

func begins(list ...string) func(string, []string) bool {
	first := any(list...)
	return func(q string, words []string) bool { return len(words) > 0 && first(q, words[:1]) }
}

// year returns the first year from 1000 to 2999 among the words, 0 for none.
func year(words []string) int {
	for _, w := range words {
		if y, err := strconv.Atoi(w); err == nil && len(w) == 4 && y >= 1000 && y <= 2999 {
			return y
		}
	}
	return 0
}

// recent is the first year that counts as recent: the century that news of today speak of.
const recent = 2000

// rules are the signs, in the order in which they are told.
var rules = []rule{
	{"asks who, what, when, where or which", Factual, begins("who", "whose", "what", "when", "where", "which", "name",
		"list")},
	{"asks for a number", Factual, func(_ string, w []string) bool {
		s := " " + strings.Join(w, " ") + " "
		return strings.Contains(s, " how many ") || strings.Contains(s, " how much ") ||
			strings.Contains(s, " number ") || strings.Contains(s, " cost of ") || strings.Contains(s, " final ")
	}},
	{"holds a name", Factual, func(q string, _ []string) bool {
		for i, w := range strings.Fields(q) {
			if (i > 0 || strings.Count(q, " ") == 1) && w[0] >= 'A' && w[0] <= 'Z' {
				return true
			}
		}
		return false
	}},
	{"holds a number that is no year", Factual, func(_ string, words []string) bool {
		for _, w := range words {
			if _, err := strconv.Atoi(w); err == nil && year([]string{w}) == 0 {
				return true
			}
		}
		return false
	}},
	{"has three words at most", Factual, func(_ string, w []string) bool { return len(w) <= 3 }},
	{"asks why", Analytical, any("why", "reason", "reasons", "because", "cause", "causes", "blamed", "blame")},
	{"asks how", Analytical, func(q string, w []string) bool {
		s := " " + strings.Join(w, " ") + " "
		return any("how")(q, w) && !strings.Contains(s, " how many ") && !strings.Contains(s, " how much ")
	}},
	{"asks for effects", Analytical, any("effect", "effects", "impact", "impacts", "consequences", "toll", "means",
		"lesson", "lessons", "future", "role")},
	{"weighs one thing against another", Analytical, any("against", "versus", "vs", "should", "better", "between",
		"compare", "compared", "pros", "debate", "do", "does")},
	{"is about many", Analytical, any("people", "people's", "families", "shops", "pensioners", "workers", "jobs",
		"life", "residents")},
	{"asks for the latest", Breaking, any("latest", "now", "today", "breaking", "live", "update", "updates", "just",
		"current", "new", "tonight", "yesterday")},
	{"tells what happens", Breaking, any("aground", "bursts", "burst", "rush", "told", "hit", "hits", "off", "won",
		"wins", "win", "lift", "lifts", "recovered", "missing", "dead", "dies", "crash", "crashes", "collapses",
		"record", "called", "blackout", "evacuated", "explosion", "arrested", "found", "strikes", "resigns")},
	{"holds a month", Breaking, any("january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december")},
	{"holds a year of this century", Breaking, func(_ string, w []string) bool { return year(w) >= recent }},
	{"holds an earlier year", Historical, func(_ string, w []string) bool { y := year(w); return y > 0 && y < recent }},
	{"speaks of the past", Historical, any("history", "historical", "old", "ancient", "medieval", "former", "century",
		"centuries", "once", "lived", "war", "origin", "origins", "early", "drowned", "lost", "days", "past",
		"victorian", "tradition")},
}

// Rules returns the signs with the type that each is meant to speak for.
func Rules() (names []string, of []Type) {
	for _, r := range rules {
		names, of = append(names, r.name), append(of, r.of)
	}
	return names, of
}

// signs returns which rules hold for a query.
func signs(query string) []bool {
	w := words(query)
	out := make([]bool, len(rules))
	for i, r := range rules {
		out[i] = r.is(query, w)
	}
	return out
}
