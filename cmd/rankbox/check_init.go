package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/project/documents"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// write writes a golden set to begin with: the judged queries of a collection, the most frequent queries of a log, or
// documents that their own titles should find.
func (x *checking) write() error {
	switch {
	case x.most < 1:
		return usagef("-n %d: want at least 1", x.most)
	case x.format != "" && exists(x.format):
		return usagef("%s already exists: name another file (-o)", x.format)
	}
	s := &golden.Set{Name: strings.TrimSuffix(filepath.Base(x.init), filepath.Ext(x.init)), Require: golden.Any, Within: golden.DefaultWithin}
	var err error
	if x.log {
		err = x.frequent(s)
	} else {
		err = x.titles(s)
	}
	if err != nil {
		return err
	}
	if len(s.Queries) == 0 {
		return fmt.Errorf("%s holds nothing to make queries from", x.init)
	}
	if err := x.begin(s); err != nil {
		return err
	}
	if x.format == "" {
		out, end := x.c.file("yaml")
		defer end()
		return golden.Write(out, s)
	}
	f, err := os.OpenFile(x.format, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := golden.Write(f, s); err != nil {
		f.Close()
		return err
	}
	fmt.Fprintf(x.c.err, "rankbox check: %s: %s%s. Edit the expected documents, then run: rankbox check %s\n",
		x.format, say.Count(len(s.Queries), "query", "queries"), x.begun(s), x.format)
	return f.Close()
}

// begin gives a set what can fail: a gate a little below the present results of its pipeline, and in a file these
// results as the baseline. A set without expected documents has neither.
func (x *checking) begin(s *golden.Set) error {
	if !slices.ContainsFunc(s.Queries, func(q golden.Query) bool { return q.Judged() }) {
		return nil
	}
	at := s.Results.Documents
	s.File, s.Results.Documents = x.format, x.init // as this process names it
	x.set = s
	if err := x.depth(); err != nil {
		return err
	}
	found, err := x.find()
	if err != nil {
		return err
	}
	r, err := x.measure(found)
	s.Top, s.Results.Documents = 0, at
	if err != nil {
		return err
	}
	col := &r.Columns[0]
	least := col.Low[0]
	if !(least > 0) { // no interval, or one from 0, which no run could fail
		least = float64(col.Means[0] * 0.9)
	}
	if least = math.Floor(float64(least*100)) / 100; least > 0 {
		g, err := gates.ParseGate(col.Measure + ">=" + say.Plain.Short(least))
		if err != nil {
			return err
		}
		s.Gates = append(s.Gates, g)
	}
	if x.format == "" {
		return nil
	}
	file := strings.TrimSuffix(x.format, filepath.Ext(x.format)) + ".rankbox"
	if exists(file) {
		return usagef("%s already exists: it would be the baseline; name another file (-o)", file)
	}
	s.Baseline = []string{filepath.Base(file)}
	return saveReport(file, r)
}

// begun says what begin added.
func (x *checking) begun(s *golden.Set) string {
	what := ""
	for _, g := range s.Gates {
		what += ", the gate " + g.Text
	}
	for _, b := range s.Baseline {
		what += ", and the present results as baseline in " + b
	}
	return what
}

// titles makes queries of a collection: those that are judged, else the titles of documents, evenly out of all.
func (x *checking) titles(s *golden.Set) error {
	var from opening
	from.limits = x.limits
	src, warnings, err := from.source(x.c, []string{x.init})
	if err != nil {
		return err
	}
	x.warn(warnings)
	at, err := x.relative()
	if err != nil {
		return err
	}
	s.Results = golden.Results{Pipeline: stage.Defaults[0], Documents: at}
	s.Measures = golden.DefaultMeasures()
	all := src.Collection
	s.Queries = golden.Topics(all.Queries)
	s.Judge(all.Qrels)
	s.Queries = slices.DeleteFunc(s.Queries, func(q golden.Query) bool { return !q.Judged() })
	for i := range s.Queries { // what was judged not to be relevant is left out: 0 is what it counts anyway
		q := &s.Queries[i]
		q.Expected = slices.DeleteFunc(q.Expected, func(g golden.Grade) bool { return g.Grade == 0 })
		slices.SortStableFunc(q.Expected, func(a, b golden.Grade) int { return cmp.Compare(b.Grade, a.Grade) })
	}
	if n := len(s.Queries); n > 0 {
		s.Require = golden.Measured     // graded judgments are made for measures
		if n > x.most && x.given["n"] { // evenly out of all
			some := make([]golden.Query, x.most)
			for i := range some {
				some[i] = s.Queries[i*n/x.most]
			}
			s.Queries = some
		}
		return nil
	}
	titled := slices.DeleteFunc(slices.Clone(all.Docs),
		func(d collection.Doc) bool { return strings.TrimSpace(d.Title) == "" })
	seen := map[string]bool{}
	titled = slices.DeleteFunc(titled, func(d collection.Doc) bool { // a title that comes again finds either
		text := strings.Join(strings.Fields(d.Title), " ")
		again := seen[text]
		seen[text] = true
		return again
	})
	n := min(len(titled), x.most)
	for i := range n {
		d := &titled[i*len(titled)/n]
		text := strings.Join(strings.Fields(d.Title), " ")
		q := golden.Topics([]collection.Query{{ID: text, Text: text}})[0]
		q.Expected = []golden.Grade{{Doc: d.ID, Grade: 1}}
		s.Queries = append(s.Queries, q)
	}
	if len(s.Queries) > 0 && !x.quiet {
		fmt.Fprintf(x.c.err,
			"rankbox check: warning: no query is judged, so the queries are document titles, which any "+
				"search finds easily: replace them with queries that people type\n")
	}
	return nil
}

// relative is the name of the documents as the golden set has it: relative to its folder.
func (x *checking) relative() (string, error) {
	if x.format == "" || filepath.IsAbs(x.init) {
		return filepath.ToSlash(x.init), nil
	}
	folder, err := filepath.Abs(filepath.Dir(x.format))
	if err != nil {
		return "", err
	}
	name, err := filepath.Abs(x.init)
	if err != nil {
		return "", err
	}
	if at, err := filepath.Rel(folder, name); err == nil {
		name = at
	}
	return filepath.ToSlash(name), nil
}

// frequent makes queries of a log: the most frequent first, without those that differ in case and spaces alone.
func (x *checking) frequent(s *golden.Set) error {
	f, shown, err := x.c.open(x.init)
	if err != nil {
		return err
	}
	defer f.Close()
	most := x.c.limits.Bytes
	if most <= 0 {
		most = mostFolder
	}
	b, err := within.All(f, 0, most)
	if err != nil {
		return &collection.ParseError{File: shown, Err: err}
	}
	var queries []collection.Query
	if got, err := collection.Read(shown, strings.NewReader(string(b)),
		collection.Options{Limits: x.c.limits}); err == nil {
		queries = got.Queries
	}
	if len(queries) == 0 {
		read, err := documents.File(shown, b, documents.Queries, false, documents.Limits{Bytes: most})
		if err != nil {
			return err
		}
		queries = read.Queries
	}
	count, first := map[string]int{}, []string{}
	for _, q := range queries {
		text := strings.Join(strings.Fields(q.Text), " ")
		key := strings.ToLower(text)
		if text == "" {
			continue
		}
		if count[key]++; count[key] == 1 {
			first = append(first, text)
		}
	}
	slices.SortStableFunc(first, func(a, b string) int {
		return cmp.Compare(count[strings.ToLower(b)], count[strings.ToLower(a)])
	})
	for _, text := range first[:min(len(first), x.most)] {
		s.Queries = append(s.Queries, golden.Topics([]collection.Query{{ID: text, Text: text}})[0])
	}
	return nil
}
