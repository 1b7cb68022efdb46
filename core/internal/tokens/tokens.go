// Package tokens estimates how many tokens a text has for a model whose tokenizer is not known, by the rule
// that providers give for English: four characters are one. It tokenizes nothing; what a provider counts takes
// the place of the estimate where it says so.
package tokens

import "unicode/utf8"

// Of returns the estimate of a text: a token for every four Unicode characters, and for what is left.
func Of(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }
