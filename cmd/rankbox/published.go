package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// figureRow is one figure of a collection: ours, and the published one if there is one.
type figureRow struct {
	System     string   `json:"system"`
	Measure    string   `json:"measure"`
	Ours       *float64 `json:"ours"`      // null: no vectors of the model are here
	Published  string   `json:"published"` // "" for none
	Difference *float64 `json:"difference"`
	Outside    bool     `json:"outside"` // by more than recipe.Tolerance, with no known reason
	Note       string   `json:"note,omitempty"`
	Source     string   `json:"source,omitempty"`
}

// reproduce measures known systems on a known collection and sets the published figures beside them.
func reproduce(c *context, args []string) error {
	f := flag.NewFlagSet("published", flag.ContinueOnError)
	at := f.String("at", "", "a `folder`, zip or bundle of the collection, instead of the fetched one; without "+
		"NAME, a folder of collections, each called after its recipe")
	k := f.Int("k", 1000, "documents a query")
	format := f.String("o", "text", "output: text, markdown or json")
	gate := f.Bool("gate", false,
		fmt.Sprintf("exit code 1 if a figure differs by more than %v from the published one without a known reason",
			recipe.Tolerance))
	quiet := f.Bool("quiet", false, "no progress and no warnings on standard error")
	var from opening
	from.flags(f)
	from.modelFlags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	every := len(words) == 0 && *at != ""
	switch {
	case every && from.corpus == "" && *format != "markdown":
		return usagef("figures of all collections are a page: add -o markdown")
	case !every && len(words) != 1 || from.corpus != "":
		return usagef("want the name of one collection; rankbox fetch -list names them")
	case *k < 1:
		return usagef("-k %d: want at least 1", *k)
	case *format != "text" && *format != "markdown" && *format != "json":
		return usagef("output %q is not text, markdown or json", *format)
	}
	all, err := fetch.Recipes()
	if err != nil {
		return err
	}
	far := func(n int) error {
		if *gate && n > 0 {
			return gateError{fmt.Errorf("%s more than %v from the published ones",
				say.Count(n, "figure is", "figures are"), recipe.Tolerance)}
		}
		return nil
	}
	if every {
		n, err := reproduceFolder(c, all, *at, from, *k, *quiet)
		if err != nil {
			return err
		}
		return far(n)
	}
	r := recipe.Named(all, words[0])
	if r == nil {
		return usageError{recipe.Unknown(all, words[0])}
	}
	if *at != "" {
		words[0] = *at
	}
	s, warnings, err := from.session(c, words)
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "published", warnings)
	}
	step := func(system string) {
		if !*quiet {
			fmt.Fprintf(c.err, "rankbox published: %s\n", system)
		}
	}
	rows, err := figures(s, r, *k, step)
	if err != nil {
		return err
	}
	out, end := c.output(*format)
	defer end()
	if err := writeFigures(out, r, rows, *format); err != nil {
		return err
	}
	return far(outside(rows))
}

func outside(rows []figureRow) (n int) {
	for _, x := range rows {
		if x.Outside {
			n++
		}
	}
	return n
}

// standardSystems are measured on every collection, and for every model that has vectors those of denseSystems.
var (
	standardMeasures = []string{"nDCG@10", "R@100"}
	standardSystems  = []string{"bm25", "bm25(title=2)", "bm25 >> rm3"}
	denseSystems     = []string{"dense(model=%s)", "rrf(bm25, dense(model=%s))"}
)

// figures measures every system that has a published figure, and the standard ones.
func figures(s *experiment.Session, r *recipe.Recipe, k int, step func(system string)) (rows []figureRow, err error) {
	systems, measures := slices.Clone(standardSystems), slices.Clone(standardMeasures)
	var have []string
	for _, m := range s.Models.All() {
		have = append(have, m.Name, m.Label)
		for _, d := range denseSystems {
			systems = append(systems, fmt.Sprintf(d, m.Name))
		}
	}
	for _, f := range r.Figures {
		systems, measures = append(systems, f.System), append(measures, f.Measure)
	}
	ms, err := measure.ParseList(strings.Join(dedupe(measures), " "))
	if err != nil {
		return nil, err
	}
	var nodes []*pipeline.Node
	for _, text := range systems {
		n, err := stage.Parse(text)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(nodes, func(m *pipeline.Node) bool { return m.String() == n.String() }) {
			nodes = append(nodes, n)
		}
	}
	for _, n := range nodes {
		var means []float64
		if haveModels(stage.Needs(n), have) == nil {
			step(n.String())
			if means, err = meansOf(s, n, ms, k); err != nil {
				return nil, err
			}
		}
		for i, m := range ms {
			published := false
			for _, f := range r.Figures {
				if f.System == n.String() && f.Measure == m.String() {
					published = true
					rows = append(rows, rowOf(r, n, m, means, i, &f))
				}
			}
			if !published && means != nil && slices.Contains(standardMeasures, m.String()) {
				rows = append(rows, rowOf(r, n, m, means, i, nil))
			}
		}
	}
	return rows, nil
}

// dedupe leaves the first of equal words.
func dedupe(words []string) (out []string) {
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// rowOf makes a row of our mean i, if there is one, and a published figure, nil for none.
func rowOf(r *recipe.Recipe, n *pipeline.Node, m measure.Measure, means []float64, i int, f *recipe.Figure) figureRow {
	row := figureRow{System: n.String(), Measure: m.String()}
	if means != nil {
		row.Ours = &means[i]
	} else {
		row.Note = "needs vectors: name their folder with -vectors"
	}
	if f == nil {
		return row
	}
	row.Published, row.Source = f.Value(), r.Source(f.Source).URL
	if means != nil {
		difference, far := f.Difference(math.Round(means[i]*1e4) / 1e4) // published figures have four places at most
		row.Difference, row.Outside, row.Note = &difference, far && f.Note == "", f.Note
		if row.Outside {
			row.Note = fmt.Sprintf("more than %v apart: a bug, or a difference to explain", recipe.Tolerance)
		}
	}
	return row
}

// meansOf ranks every judged query, k documents each, and returns the mean of each measure; a query without an answer
// counts 0.
func meansOf(s *experiment.Session, n *pipeline.Node, ms []measure.Measure, k int) ([]float64, error) {
	r, err := s.Rankers.Of(n)
	if err != nil {
		return nil, err
	}
	judged := s.Queries.JudgedIDs()
	var topics []measure.Topic
	for i, q := range s.Queries.Described() {
		if !judged[q.ID] {
			continue
		}
		hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, k, s.FilterFor(q.ID, nil), nil)
		if err != nil {
			return nil, say.Faultf("rankbox", "%s: query %s: %w", n, q.ID, err)
		}
		var t measure.Topic
		s.Queries.Topic(&t, i, hits)
		topics = append(topics, t)
	}
	x := measure.Evaluate(topics, ms, measure.Policy{})
	means := make([]float64, len(ms))
	for i := range ms {
		means[i] = x.Summary(i)
	}
	return means, nil
}

// writeFigures prints rows.
func writeFigures(w io.Writer, r *recipe.Recipe, rows []figureRow, format string) error {
	if format == "json" {
		data, err := json.MarshalIndent(struct {
			Collection string      `json:"collection"`
			Tolerance  float64     `json:"tolerance"`
			Figures    []figureRow `json:"figures"`
		}{r.Name, recipe.Tolerance, rows}, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\n", data)
		}
		return err
	}
	line := func(cells ...string) string { return strings.Join(cells, "\t") }
	if format == "markdown" {
		line = func(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }
	}
	number := func(v *float64, layout string) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf(layout, *v)
	}
	var b strings.Builder
	b.WriteString(line("system", "measure", "ours", "published", "difference", "note") + "\n")
	if format == "markdown" {
		b.WriteString("|---|---|--:|--:|--:|---|\n")
	}
	for _, x := range rows {
		system, published := x.System, x.Published
		if published == "" {
			published = "–"
		}
		if format == "markdown" {
			system = "`" + system + "`"
		}
		b.WriteString(line(system, x.Measure, number(x.Ours, "%.4f"), published, number(x.Difference, "%+.4f"),
			x.Note) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
