package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// explain takes the score of one document for one query apart.
func explain(c *context, args []string) error {
	f := flag.NewFlagSet("explain", flag.ContinueOnError)
	var systems pipelines
	f.Var(&systems, "s", "the pipeline, such as bm25(k1=0.9,b=0.4)")
	var from opening
	from.flags(f)
	format := f.String("o", "text", "output: text or json")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	place := words
	if len(words) >= 2 {
		place = words[:len(words)-2]
	}
	switch {
	case len(words) < 2 || !from.said(place) || len(systems) != 1:
		return usagef("want a collection, a query (its id or text), a document id and a pipeline (-s)")
	}
	if err := checkTextOrJSON(*format); err != nil {
		return err
	}
	query, doc := words[len(words)-2], words[len(words)-1]
	from.models = systems.models()
	s, warnings, err := from.session(c, place)
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "explain", warnings)
	}
	from.silent = *quiet
	if s, err = from.ready(c, s, systems[0]); err != nil {
		return err
	}
	spec := experiment.Spec{Systems: []string{systems[0].String()}, Query: query}
	for _, q := range s.Queries.Described() {
		if q.ID == query {
			spec.Query, spec.QueryID = "", q.ID
		}
	}
	why, err := s.Explain(spec, experiment.Focus{Document: doc})
	if err != nil {
		return err
	}
	if why.Problem != "" {
		return errors.New(why.Problem)
	}
	if err := from.confirm(c); err != nil {
		return err
	}
	out, end := c.output(*format)
	defer end()
	if *format == "json" {
		writePartJSON(out, &why.Part)
		fmt.Fprintln(out)
		return nil
	}
	writePart(out, &why.Part, 0)
	return nil
}

// writePart prints a part of a score, indented, and what it is made of.
func writePart(w io.Writer, p *rank.Part, depth int) {
	fmt.Fprintf(w, "%s%s  %s", strings.Repeat("  ", depth), strconv.FormatFloat(p.Score, 'g', 7, 64), p.Name)
	for i, v := range p.Values {
		fmt.Fprintf(w, "%s%s %s", map[bool]string{true: "  (", false: ", "}[i == 0], v.Name,
			strconv.FormatFloat(v.Value, 'g', 7, 64))
	}
	if len(p.Values) > 0 {
		fmt.Fprint(w, ")")
	}
	if p.Note != "" {
		fmt.Fprintf(w, ": %s", p.Note)
	}
	fmt.Fprintln(w)
	for i := range p.Parts {
		writePart(w, &p.Parts[i], depth+1)
	}
}

// writePartJSON prints {"name","score","values","note","parts"}.
func writePartJSON(w io.Writer, p *rank.Part) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	fmt.Fprintf(w, "{\"name\":%s,\"score\":%s,\"values\":{", quote(p.Name), number(p.Score))
	for i, v := range p.Values {
		fmt.Fprintf(w, "%s%s:%s", map[bool]string{true: "", false: ","}[i == 0], quote(v.Name), number(v.Value))
	}
	fmt.Fprint(w, "}")
	if p.Note != "" {
		fmt.Fprintf(w, ",\"note\":%s", quote(p.Note))
	}
	if len(p.Parts) > 0 {
		fmt.Fprint(w, ",\"parts\":[")
		for i := range p.Parts {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			writePartJSON(w, &p.Parts[i])
		}
		fmt.Fprint(w, "]")
	}
	fmt.Fprint(w, "}")
}
