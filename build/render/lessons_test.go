package main

import "testing"

// An opening is whole sentences, of a dozen words at least where the text has them.
func TestAnOpeningIsWholeSentences(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one long sentence", "A jury in Kelmouth convicted Conrad Fell on Thursday of eleven counts of fraud. It " +
			"had taken six hours.",
			"A jury in Kelmouth convicted Conrad Fell on Thursday of eleven counts of fraud. …"},
		{"short sentences are put together",
			"1902. A Gannick shoots a trawl on Long Bank and writes down where. June 2024.",
			"1902. A Gannick shoots a trawl on Long Bank and writes down where. …"},
		{"a title and a time end nothing",
			"The results were put off once more on Tuesday evening by old Mr. Fell at 2.15 p.m. in the rain. He left.",
			"The results were put off once more on Tuesday evening by old Mr. Fell at 2.15 p.m. in the rain. …"},
		{"a quotation ends with its mark",
			`"I do not believe the rumours at all, but my neighbour in front does." He is a rigger.`,
			`"I do not believe the rumours at all, but my neighbour in front does." …`},
		{"a text without a second sentence", "Queues\n outside the bank.", "Queues outside the bank."},
		{"no text", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := opening(c.text); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}
