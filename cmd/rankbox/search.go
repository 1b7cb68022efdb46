package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

func quote(s string) string {
	b, _ := json.Marshal(s)
	return say.Escaped(string(b))
}

// pipelines are the values of -s.
type pipelines []*pipeline.Node

func (p *pipelines) String() string { return "" }

// Set implements flag.Value.
func (p *pipelines) Set(s string) error {
	if preset := stage.PresetNamed(s); preset != nil {
		for _, s := range preset.Systems {
			if err := p.Set(s); err != nil {
				return err
			}
		}
		return nil
	}
	n, err := stage.Parse(s)
	if err != nil {
		return err
	}
	for _, m := range *p {
		if m.String() == n.String() {
			return fmt.Errorf("%s is given twice", n)
		}
	}
	*p = append(*p, n)
	return nil
}

func presetNames() string {
	var names []string
	for _, p := range stage.Presets {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// models returns the models that any of the pipelines needs.
func (p pipelines) models() []string {
	out := []string{}
	for _, n := range p {
		out = append(out, stage.Needs(n)...)
	}
	return out
}

// search writes a TREC run of a pipeline over the queries of a collection that have judgments, or over all where none
// has. Of several pipelines each run is a file in a folder.
func search(c *context, args []string) error {
	f := flag.NewFlagSet("search", flag.ContinueOnError)
	var systems pipelines
	f.Var(&systems, "s", "the pipeline, such as bm25(k1=0.9,b=0.4), or the name of a ready-made one: "+presetNames()+
		"; several with -o")
	k := f.Int("k", 100, "documents a query")
	tag := f.String("t", "", "the run's tag; default: the pipeline without spaces")
	folder := f.String("o", "",
		"write each run to a file in this folder, named after its tag, instead of standard output")
	format := f.String("f", "trec",
		"output: trec, or json with the document scores of every query; a terminal shows invisible characters escaped")
	about := f.Bool("metadata", false,
		"start each run with ir_metadata comment lines on how it was made; trec_eval cannot read comments")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var from opening
	from.flags(f)
	from.modelFlags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	switch {
	case !from.said(words) || len(systems) == 0:
		return usagef("want one collection and a pipeline (-s)")
	case *format != "trec" && (*format != "json" || *folder != ""):
		return usagef("-f %q is neither trec nor, without -o, json", *format)
	case *about && *format != "trec":
		return usagef("-metadata needs -f trec, not %s", *format)
	case *k < 1:
		return usagef("-k %d: want at least 1", *k)
	case len(systems) > 1 && *folder == "":
		return usagef("%d pipelines: name a folder for their runs (-o)", len(systems))
	case len(systems) > 1 && *tag != "":
		return usagef("-t %s: %d runs cannot have one tag", *tag, len(systems))
	}
	if !*about { // which says the hash of the whole collection
		from.models = systems.models()
	}
	s, warnings, err := from.session(c, words)
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "search", warnings)
	}
	if s, err = from.ready(c, s, systems...); err != nil {
		return err
	}
	out, end := c.file(*format)
	defer end()
	var failed error
	for _, n := range systems {
		if !*quiet {
			if err := sayLoss(c, s, n, *k); err != nil {
				return err
			}
		}
		name := cmp.Or(*tag, strings.ReplaceAll(n.String(), " ", ""))
		if *folder == "" && *format == "json" {
			fell, err := searchJSON(c, out, s, n, *k)
			return and(err, sayFell(n, fell))
		}
		var head collection.Metadata
		if *about {
			head = metadataOf(s.Ref(), n, name, *k)
		}
		if *folder == "" {
			fell, err := searchTo(c, out, s, n, name, *k, head)
			return and(err, sayFell(n, fell))
		}
		fell, err := searchFile(c, filepath.Join(*folder, fileName(name)+".run"), s, n, name, *k, head)
		if err != nil {
			return err
		}
		failed = and(failed, sayFell(n, fell))
	}
	return failed
}

// sayLoss says what a pipeline that does not compare everything in full misses of what the exact one finds, over all
// queries that are asked.
func sayLoss(c *context, s *experiment.Session, n *pipeline.Node, k int) error {
	kept, of := 0, 0
	for _, q := range asked(s) {
		a, b, err := s.Loss(n, rank.Query{ID: q.ID, Text: q.Text}, k, nil)
		if err != nil {
			return say.Faultf("rankbox", "query %s: %w", q.ID, err)
		}
		if b == 0 && of == 0 && stage.Precise(n) == n {
			return nil
		}
		kept, of = kept+a, of+b
	}
	if of > 0 {
		fmt.Fprintf(c.err, "rankbox search: %s keeps %.4f of the first %d of %s\n", n, float64(kept)/float64(of), k,
			stage.Precise(n))
	}
	return nil
}

// asked returns the queries that are searched for: those that have judgments, or all where none has.
func asked(s *experiment.Session) []report.Query {
	judged := s.Queries.JudgedIDs()
	if len(judged) == 0 {
		return s.Queries.Described()
	}
	return slices.DeleteFunc(s.Queries.Described(), func(q report.Query) bool { return !judged[q.ID] })
}

// fileName replaces what some systems do not allow in the name of a file.
func fileName(tag string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '_'
		}
		return r
	}, tag)
}

// searchFile writes the run of a pipeline to a file, whose folder is made where it is not there.
func searchFile(c *context, name string, s *experiment.Session, n *pipeline.Node, tag string, k int,
	head collection.Metadata) (fell int, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return 0, err
	}
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	if fell, err = searchTo(c, f, s, n, tag, k, head); err != nil {
		f.Close()
		return fell, err
	}
	return fell, f.Close()
}

// sayFell is the error of a system whose backend gave nothing for some queries, so that the order before it was
// written; nil for none.
func sayFell(n *pipeline.Node, queries int) error {
	if queries == 0 {
		return nil
	}
	return failedError{fmt.Errorf("%s: the backend did not answer for %s, which keep the order of the previous stage",
		n,
		say.Count(queries, "query", "queries"))}
}

// searchJSON writes the scores of the documents of every query as one object, in the form that is read as a run.
func searchJSON(c *context, w io.Writer, s *experiment.Session, n *pipeline.Node, k int) (fell int, err error) {
	var text bytes.Buffer
	if fell, err = searchTo(c, &text, s, n, "run", k, nil); err != nil {
		return fell, err
	}
	r, _, err := collection.ReadRun(&text, "run", collection.Options{})
	if err != nil {
		return fell, err
	}
	return fell, r.WriteJSON(w)
}

// searchTo writes the run of a pipeline, and before it what it says about itself, nothing where head is nil. fell is
// how many of its lists have the order before a backend that gave nothing.
func searchTo(c *context, w io.Writer, s *experiment.Session, n *pipeline.Node, tag string, k int,
	head collection.Metadata) (fell int, err error) {
	r, err := s.Rankers.Of(n)
	if err != nil {
		return 0, err
	}
	out := collection.NewRunWriter(w, tag)
	out.Head(head)
	var hits []rank.Hit
	strays, of, in := 0, 0, 0
	for _, q := range asked(s) {
		if c.stopped() {
			return fell, errStopped
		}
		if hits, err = r.Rank(rank.Query{ID: q.ID, Text: q.Text}, k, s.FilterFor(q.ID, nil), hits); err != nil {
			return fell, ofSystem(say.Faultf("rankbox", "query %s: %w", q.ID, err))
		}
		if built, ok := r.(stage.Ranker); ok {
			fell += min(1, len(stage.FellBack(built)))
			unknown, all := stage.Strays(built)
			strays, of, in = strays+unknown, of+all, in+min(1, unknown)
		}
		for j, h := range hits {
			if err := out.Write(q.ID, s.Bundle().Cards[h.Doc].ID, j+1, h.Score); err != nil {
				return fell, err
			}
		}
	}
	said := stage.SayStrays(strays, of, in)
	if 2*strays > of {
		return fell, and(out.Flush(), failedError{fmt.Errorf("%s: %s. Check that the index holds this collection "+
			"under the same ids",
			n, said)})
	}
	if strays > 0 {
		fmt.Fprintf(c.err, "rankbox search: warning: %s: %s\n", n, said)
	}
	return fell, out.Flush()
}

// haveModels says which of the models that are needed is not among those there are, before anything else is read.
func haveModels(need, have []string) error {
	for _, m := range need {
		if slices.Contains(have, m) {
			continue
		}
		if len(have) == 0 {
			return fmt.Errorf("there are no vectors of the model %q or any other%s", m, stage.MakeThem)
		}
		said := fmt.Sprintf("there are no vectors of the model %q, but of %s", m, strings.Join(have, ", "))
		if near := pipeline.Nearest(m, have); near != "" {
			said += "; did you mean " + near + "?"
		}
		return errors.New(said)
	}
	return nil
}
