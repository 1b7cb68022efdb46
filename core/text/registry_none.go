//go:build lessons

package text

// registry is empty: no lesson analyses a text.
var registry []Analyzer

var about []Info
