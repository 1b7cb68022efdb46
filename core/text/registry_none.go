//go:build lessons

package text

// registry is empty, because no lesson analyses text.
var registry []Analyzer

var about []Info
