//go:build first

package report

import "github.com/rankbox/rankbox/core/say"

// The first program shows systems that rank here: no report of it is of given scores.

// Count writes a number of queries.
func (r *Report) Count(n int) string { return say.Count(n, "query", "queries") }

// Words returns the sentence.
func (r *Report) Words(sentence string) string { return sentence }

func (r *Report) sayGiven() string { return "" }
