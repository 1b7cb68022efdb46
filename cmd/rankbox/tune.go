package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/experiment/tune"
	"github.com/rankbox/rankbox/core/measure"
)

// tuneWeights finds what the fusion of a pipeline should weigh, by the judged queries of a collection.
func tuneWeights(c *context, args []string) error {
	f := flag.NewFlagSet("tune", flag.ContinueOnError)
	var systems pipelines
	f.Var(&systems, "s", "the pipeline, such as wsum(bm25, dense)")
	by := f.String("m", measure.Defaults()[0], "the measure to choose by")
	format := f.String("o", "text",
		"output: text, json, or the settings of opensearch (a search pipeline) or weaviate (a hybrid query)")
	of := f.String("type", "",
		"with -o opensearch and weaviate: settings for one predicted query type, such as factual; default: for all")
	quiet := f.Bool("quiet", false, "no progress and no warnings on standard error")
	var from opening
	from.flags(f)
	from.modelFlags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	switch {
	case !from.said(words) || len(systems) != 1:
		return usagef("want one collection and one pipeline (-s)")
	case *format != "text" && *format != "json" && *format != "opensearch" && *format != "weaviate":
		return usagef("output %q is not text, json, opensearch or weaviate", *format)
	}
	from.models = systems.models()
	s, warnings, err := from.session(c, words)
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "tune", warnings)
	}
	from.silent = *quiet
	if s, err = from.ready(c, s, systems[0]); err != nil {
		return err
	}
	job, err := tune.Start(s, systems[0], *by)
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = job.Step(); err != nil {
			return ofSystem(err)
		}
	}
	if err := from.confirm(c); err != nil {
		return err
	}
	r, err := job.Result()
	if err != nil {
		return err
	}
	var choice *tune.Choice
	var have []string
	for _, x := range r.Choices() {
		if x.Type == *of {
			choice = x
		}
		have = append(have, x.Of())
	}
	if choice == nil {
		return fmt.Errorf("there are no settings for the predicted query type %q; there are for %s", *of,
			strings.Join(have, ", "))
	}
	data := []byte(r.Text())
	switch *format {
	case "json":
		data = r.JSON()
	case "opensearch":
		data, err = r.OpenSearch(choice)
	case "weaviate":
		data, err = r.Weaviate(choice)
	}
	if err != nil {
		return err
	}
	_, err = c.out.Write(data)
	return err
}
