package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/text"
)

// analyze prints the terms that an analyzer makes of a text.
func analyze(c *context, args []string) error {
	f := flag.NewFlagSet("analyze", flag.ContinueOnError)
	name := f.String("a", "lucene-english", "the analyzer")
	f.StringVar(name, "analyzer", "lucene-english", "the same as -a")
	format := f.String("o", "tsv",
		"output: tsv (term, start, end, word) or jsonl; offsets count bytes from 0, the end is exclusive")
	all := f.Bool("all", false, "also print dropped words, without a term")
	list := f.Bool("list", false, "print the names of the analyzers")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	out, end := c.output(*format)
	defer end()
	if *list {
		for _, name := range text.Names() {
			fmt.Fprintln(out, name)
		}
		return nil
	}
	if *format != "tsv" && *format != "jsonl" {
		return usagef("output %q is not tsv or jsonl", *format)
	}
	a, err := text.Get(*name)
	if err != nil {
		return usageError{err}
	}
	s := strings.Join(words, " ")
	if len(words) == 0 || len(words) == 1 && words[0] == "-" {
		b, err := within.All(c.in, 0, mostText)
		if err != nil {
			return fmt.Errorf("%s: %w", intake.StandardInput, err)
		}
		s = string(b)
	}
	a.Words(s, func(start, end int) {
		term, kept := a.Term(s[start:end])
		switch {
		case !kept && !*all:
		case *format == "jsonl":
			value := "null"
			if kept {
				value = quote(term)
			}
			fmt.Fprintf(out, "{\"term\":%s,\"start\":%d,\"end\":%d,\"word\":%s}\n", value, start, end,
				quote(s[start:end]))
		default:
			fmt.Fprintf(out, "%s\t%d\t%d\t%s\n", term, start, end, s[start:end])
		}
	})
	return nil
}
