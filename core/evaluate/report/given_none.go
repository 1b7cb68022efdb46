//go:build first || (library && !notebook)

package report

import "github.com/rankbox/rankbox/core/base/say"

// The page's first program shows systems that rank here, and the library compares runs: no report of theirs is of given
// scores.

// Given reports that the report is not of given scores.
func (r *Report) Given() (noun string, given bool) { return "query", false }

// Count writes a number of queries.
func (r *Report) Count(n int) string { return say.Count(n, "query", "queries") }

// Plural is that of what a report is about.
func Plural(string) string { return "queries" }

// Words returns the sentence.
func (r *Report) Words(sentence string) string { return sentence }

func (r *Report) sayGiven() string { return "" }
