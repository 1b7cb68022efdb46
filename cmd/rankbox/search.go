package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
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
	k := f.Int("k", evaluation.UncutDepth, "documents a query")
	tag := f.String("t", "", "the run's tag; default: the pipeline without spaces")
	folder := f.String("o", "",
		"write each run to a file in this folder, named after its tag, instead of standard output")
	format := f.String("f", "trec",
		"output: trec, or json with the document scores of every query; a terminal shows invisible characters escaped")
	about := f.Bool("metadata", false,
		"start each run with ir_metadata comment lines on how it was made; trec_eval cannot read comments")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	stages := f.String("stages", "", "also write what each stage did for each query to this `file`, as JSON: did it, "+
		"nothing to do it with, failed, or below the threshold")
	partial := f.Bool("partial", false, partialUsage)
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
	case len(systems) > 1 && *stages != "":
		return usagef("-stages takes one pipeline, not %d", len(systems))
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
	from.silent = *quiet
	for _, n := range systems {
		if why := stage.HasNothing(s.Parts(), n); why != "" {
			return fmt.Errorf("%s: %s", n, why)
		}
	}
	if s, err = from.ready(c, s, systems...); err != nil {
		return err
	}
	x := &searching{c: c, s: s, from: &from, k: *k, partial: *partial, stages: *stages}
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
			return x.json(out, n)
		}
		var head collection.Metadata
		if *about {
			head = metadataOf(s.Ref(), n, name, *k)
		}
		if *folder == "" {
			return x.to(out, n, name, head)
		}
		err := x.file(filepath.Join(*folder, fileName(name)+".run"), n, name, head)
		if _, ok := errors.AsType[failedError](err); err != nil && !ok {
			return err
		}
		failed = and(failed, err)
	}
	return failed
}

const partialUsage = "write figures or runs of systems to which a backend gave no answer for some queries; " +
	"exit code 4 all the same"

// searching is what rankbox search ranks.
type searching struct {
	c       *context
	s       *experiment.Session
	from    *opening
	k       int
	partial bool
	stages  string // a file for what the stages did, "" for none
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
		fmt.Fprintf(c.err, "rankbox search: %s finds %s of the documents that %s ranks among the first %d. That is no "+
			"measure: compare both systems with run\n", n, say.Plain.Percent(float64(kept)/float64(of), 1),
			stage.Precise(n), k)
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

// file writes the run of a pipeline to a file, whose folder is made where it is not there.
func (x *searching) file(name string, n *pipeline.Node, tag string, head collection.Metadata) error {
	var text bytes.Buffer
	err := x.to(&text, n, tag, head)
	if err != nil && text.Len() == 0 {
		return err
	}
	if made := os.MkdirAll(filepath.Dir(name), 0o777); made != nil {
		return made
	}
	if written := os.WriteFile(name, text.Bytes(), 0o666); written != nil {
		return written
	}
	return err
}

// json writes the scores of the documents of every query as one object, in the form that is read as a run.
func (x *searching) json(w io.Writer, n *pipeline.Node) error {
	var text bytes.Buffer
	err := x.to(&text, n, "run", nil)
	if err != nil && text.Len() == 0 {
		return err
	}
	r, _, wrong := collection.ReadRun(&text, "run", collection.Options{})
	if wrong != nil {
		return wrong
	}
	return and(r.WriteJSON(w), err)
}

// to writes the run of a pipeline, and before it what it says about itself, nothing where head is nil. A query to which
// a backend gave no answer is asked again at the end. If it has none then, nothing is written unless partial runs are
// wanted.
func (x *searching) to(w io.Writer, n *pipeline.Node, tag string, head collection.Metadata) error {
	r, err := x.s.Rankers.Of(n)
	if err != nil {
		return err
	}
	all := asked(x.s)
	lists, err := x.from.rankAll(x.c, r, len(all), x.k, func(i int) (rank.Query, rank.Filter) {
		return rank.Query{ID: all[i].ID, Text: all[i].Text}, x.s.FilterFor(all[i].ID, nil)
	})
	if err != nil {
		return ofSystem(err)
	}
	if err := x.from.confirm(x.c); err != nil {
		return err
	}
	return x.write(w, n, tag, head, all, lists)
}

// answer is what a pipeline answered to a query.
type answer struct {
	hits    []rank.Hit
	done    bool
	why     string // it is not
	strays  int
	of      int      // documents that search backends found
	nothing []string // search backends that found none
	did     []stage.Deed
	took    time.Duration
}

// rankAll ranks for n queries. Those to which a backend gave no answer are asked again at the end, as far as that may
// help.
func (o *opening) rankAll(c *context, r rank.Ranker, n, k int, query func(i int) (rank.Query, rank.Filter)) ([]answer,
	error) {
	lists := make([]answer, n)
	for again := true; again; {
		open := 0
		for i := range lists {
			if lists[i].done {
				continue
			}
			if c.stopped() {
				return nil, errStopped
			}
			q, f := query(i)
			if err := lists[i].rank(r, q, k, f); err != nil {
				name := q.ID
				if name == "" {
					name = strconv.Quote(say.Brief(q.Text, 80))
				}
				return nil, say.Faultf("rankbox", "query %s: %w", name, err)
			}
			if !lists[i].done {
				open++
			}
		}
		if again = open > 0 && o.ledger != nil; again {
			n, err := o.ledger.Again()
			if err != nil {
				return nil, errStopped
			}
			again = n > 0
		}
	}
	return lists, nil
}

// rank ranks for a query. The error is not one of a backend that gave nothing, which may answer later.
func (a *answer) rank(r rank.Ranker, q rank.Query, k int, f rank.Filter) error {
	began := time.Now()
	hits, err := r.Rank(q, k, f, nil)
	a.took = time.Since(began)
	if u, ok := errors.AsType[*rank.Unanswerable](err); ok && !u.Wrong {
		if _, ok := errors.AsType[*remote.Error](err); ok {
			a.why = u.Reason
			return nil
		}
	}
	if err != nil {
		return err
	}
	a.done, a.hits = true, hits
	if built, ok := r.(stage.Ranker); ok {
		if len(stage.FellBack(built)) > 0 {
			a.done, a.why = false, stage.WhyFell(built)
		}
		a.did = stage.Deeds(built)
		a.strays, a.of = stage.Strays(built)
		a.nothing = stage.FoundNothing(built)
	}
	return nil
}

// write writes the lists, unless they are no run of the pipeline, which the error says.
func (x *searching) write(w io.Writer, n *pipeline.Node, tag string, head collection.Metadata, all []report.Query,
	lists []answer) error {
	open, why := 0, ""
	strays, of, in := 0, 0, 0
	nothing := map[string]int{}
	for i := range lists {
		if !lists[i].done {
			open, why = open+1, lists[i].why
		}
		strays, of, in = strays+lists[i].strays, of+lists[i].of, in+min(1, lists[i].strays)
		for _, b := range lists[i].nothing {
			nothing[b]++
		}
	}
	if err := x.sayStages(n, all, lists); err != nil {
		return err
	}
	var failed error
	if open > 0 {
		failed = failedError{fmt.Errorf("%s: %d of %s %s no answer: %s", n, open, say.Count(len(all), "query", "queries"),
			say.Verb(open, "has", "have"), why)}
		if !x.partial || open == len(all) {
			return failed
		}
	}
	for _, b := range slices.Sorted(maps.Keys(nothing)) {
		if answered := len(all) - open; nothing[b] == answered {
			return failedError{fmt.Errorf("%s: %s", n,
				x.s.Parts().(stage.Edged).Edge().FoundNothing(b, answered))}
		}
	}
	out := collection.NewRunWriter(w, tag)
	out.Head(head)
	for i, q := range all {
		if !lists[i].done {
			continue
		}
		for j, h := range lists[i].hits {
			if err := out.Write(q.ID, x.s.Bundle().Cards[h.Doc].ID, j+1, h.Score); err != nil {
				return err
			}
		}
	}
	said := stage.SayStrays(strays, of, in)
	if 2*strays > of {
		failed = and(failed, failedError{fmt.Errorf("%s: %s. Check that the index holds this collection under the "+
			"same ids", n, said)})
	} else if strays > 0 {
		fmt.Fprintf(x.c.err, "rankbox search: warning: %s: %s\n", n, said)
	}
	return and(out.Flush(), failed)
}

// sayStages says what the stages of a pipeline did: over all queries on standard error, and for each in a file if one
// is asked for.
func (x *searching) sayStages(n *pipeline.Node, all []report.Query, lists []answer) error {
	var sum []stage.Tally
	for i := range lists {
		sum = stage.Add(sum, lists[i].did)
	}
	for i := range sum {
		if said := sum[i].Said(); said != "" && !x.from.silent {
			fmt.Fprintf(x.c.err, "rankbox search: %s: %s\n", n, said)
		}
	}
	if x.stages == "" {
		return nil
	}
	type did struct {
		Stage string `json:"stage"`
		State string `json:"state"`
		Moved *int   `json:"moved,omitempty"` // absent if it had no ranking before it
		Below int    `json:"below,omitempty"`
		Note  string `json:"note,omitempty"`
	}
	type asked struct {
		Query  string `json:"query"`
		Stages []did  `json:"stages"`
	}
	out := struct {
		Pipeline string  `json:"pipeline"`
		Queries  []asked `json:"queries"`
	}{n.String(), []asked{}}
	for i := range lists {
		q := asked{all[i].ID, []did{}}
		for _, d := range lists[i].did {
			one := did{d.Stage, d.State.String(), nil, d.Below, d.Note}
			if d.Moved >= 0 {
				one.Moved = &d.Moved
			}
			q.Stages = append(q.Stages, one)
		}
		out.Queries = append(out.Queries, q)
	}
	data, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(x.stages, append(data, '\n'), 0o666)
}

// haveModels says which of the models that are needed is not among those there are, before anything else is read.
func haveModels(need, have []string) error {
	for _, m := range need {
		if slices.Contains(have, m) {
			continue
		}
		said := fmt.Sprintf("there are no vectors of the model %q", m)
		if len(have) == 0 {
			return errors.New(said + " or any other" + stage.MakeThem)
		}
		said += ", but of " + strings.Join(have, ", ")
		if near := pipeline.Nearest(m, have); near != "" {
			return errors.New(said + "; did you mean " + near + "?")
		}
		return errors.New(said + stage.MakeThem)
	}
	return nil
}
