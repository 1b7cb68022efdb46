// Package classify predicts the type of a query from its words: factual, analytical, breaking or historical. It
// ranks nothing; stages use it to treat types differently.
//
// Order of the pipeline: query → signs (readable rules) → a weight for each sign and type, learned from the judged
// queries of the demo → the type with the largest sum.
package classify

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
)

// Type is a query type.
type Type int

// The types, in the order of the tables.
const (
	Factual    Type = iota // asks for a fact, a person or a thing
	Analytical             // asks for reasons, effects or opinions
	Breaking               // asks for recent events
	Historical             // asks for events long ago
)

// Types are the type names in collections.
var Types = []string{"factual", "analytical", "breaking", "historical"}

// String returns the name of a type.
func (t Type) String() string { return Types[t] }

// Class is the prediction for a query.
type Class struct {
	Type        Type
	Probability [4]float64 // by type; they sum to 1
	Signs       []string   // the rules that match the query, in their order
}

// Of classifies a query.
func Of(query string) Class { return model.Of(query) }

// Model is a weight for each sign and type. The first row is the intercept: len(m) == 1 + len(Signs).
type Model [][4]float64

// Of classifies a query. Of equal types the first wins.
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

// lowerWords returns the words of a query in lower case.
func lowerWords(query string) []string {
	return strings.FieldsFunc(strings.ToLower(query), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 || r == '\'')
	})
}

// rule is a sign of a query type.
type rule struct {
	name     string
	suggests Type // the type it suggests to a reader; its weights are learned
	matches  func(query string, words []string) bool
}

func oneOf(list ...string) func(string, []string) bool {
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

func startsWith(list ...string) func(string, []string) bool {
	first := oneOf(list...)
	return func(q string, words []string) bool { return len(words) > 0 && first(q, words[:1]) }
}

// year returns the first year from 1000 to 2999 among the words, or 0.
func year(words []string) int {
	for _, w := range words {
		if y, err := strconv.Atoi(w); err == nil && len(w) == 4 && y >= 1000 && y <= 2999 {
			return y
		}
	}
	return 0
}

// recent is the first year that counts as recent: today's news mentions this century.
const recent = 2000

// rules are the signs, in display order.
var rules = []rule{
	{"asks who, what, when, where or which", Factual, startsWith("who", "whose", "what", "when", "where", "which",
		"name", "list")},
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
	{"asks why", Analytical, oneOf("why", "reason", "reasons", "because", "cause", "causes", "blamed", "blame")},
	{"asks how", Analytical, func(q string, w []string) bool {
		s := " " + strings.Join(w, " ") + " "
		return oneOf("how")(q, w) && !strings.Contains(s, " how many ") && !strings.Contains(s, " how much ")
	}},
	{"asks for effects", Analytical, oneOf("effect", "effects", "impact", "impacts", "consequences", "toll", "means",
		"lesson", "lessons", "future", "role")},
	{"weighs one thing against another", Analytical, oneOf("against", "versus", "vs", "should", "better", "between",
		"compare", "compared", "pros", "debate", "do", "does")},
	{"is about many", Analytical, oneOf("people", "people's", "families", "shops", "pensioners", "workers", "jobs",
		"life", "residents")},
	{"asks for the latest", Breaking, oneOf("latest", "now", "today", "breaking", "live", "update", "updates", "just",
		"current", "new", "tonight", "yesterday")},
	{"tells what happens", Breaking, oneOf("aground", "bursts", "burst", "rush", "told", "hit", "hits", "off", "won",
		"wins", "win", "lift", "lifts", "recovered", "missing", "dead", "dies", "crash", "crashes", "collapses",
		"record", "called", "blackout", "evacuated", "explosion", "arrested", "found", "strikes", "resigns")},
	{"holds a month", Breaking, oneOf("january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december")},
	{"holds a year of this century", Breaking, func(_ string, w []string) bool { return year(w) >= recent }},
	{"holds an earlier year", Historical, func(_ string, w []string) bool { y := year(w); return y > 0 && y < recent }},
	{"speaks of the past", Historical, oneOf("history", "historical", "old", "ancient", "medieval", "former", "century",
		"centuries", "once", "lived", "war", "origin", "origins", "early", "drowned", "lost", "days", "past",
		"victorian", "tradition")},
}

// Rules returns the signs with the type that each suggests.
func Rules() (names []string, of []Type) {
	for _, r := range rules {
		names, of = append(names, r.name), append(of, r.suggests)
	}
	return names, of
}

// signs returns which rules match a query.
func signs(query string) []bool {
	w := lowerWords(query)
	out := make([]bool, len(rules))
	for i, r := range rules {
		out[i] = r.matches(query, w)
	}
	return out
}
