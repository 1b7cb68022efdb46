package lesson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// figureOf parses "cutoff a : 0.6 0.75": the figure, its data, and the targets of its goal. It refuses a goal that
// is met at the start or out of reach.
func (r *resolver) figureOf(text string) (out Block, err error) {
	what, targets, _ := strings.Cut(text, " : ")
	args := strings.Fields(what)
	if len(args) < 2 {
		return out, errors.New(`!figure is followed by its name, its data, and behind " : " the targets of its goal`)
	}
	out.Kind, out.Name = Figure, args[0]
	if figure.Named(out.Name) == nil {
		return out, fmt.Errorf("there is no figure %q", out.Name)
	}
	given := figure.Given{}
	for _, name := range args[1:] {
		switch f := r.facts[name].(type) {
		case *table:
			given.Tables = append(given.Tables, figure.Ranking{Name: f.system, Table: f.Table})
		case *comparison:
			given.Reports = append(given.Reports, f.Report)
		case graded:
			for _, a := range f {
				given.Graded = append(given.Graded, figure.Graded{Title: a.Title, First: a.First, Second: a.Second})
			}
		case scored:
			given.Scored = append(given.Scored, f...)
		case inverted:
			given.Postings = append(given.Postings, figure.Postings(f))
		case *answered:
			given.Answers = append(given.Answers, f.Answer)
		case *expanded:
			given.Expansions = append(given.Expansions, f.Expansion)
		case neighbours:
			given.Near = append(given.Near, figure.Neighbours(f))
		default:
			return out, fmt.Errorf("there is no data %q for a figure", name)
		}
	}
	for _, t := range strings.Fields(targets) {
		v, err := strconv.ParseFloat(t, 64)
		if err != nil {
			return out, fmt.Errorf("%q is no target", t)
		}
		given.Targets = append(given.Targets, v)
	}
	d, err := figure.Pack(out.Name, given)
	if err != nil {
		return out, fmt.Errorf("figure %s: %w", out.Name, err)
	}
	var links []string
	for _, t := range d.Tables {
		links = append(links, t.Longest())
	}
	out.Link = strings.Join(links, " ")
	out.Rows, out.Values, out.Targets = d.Rows, d.Values, d.Targets
	f, err := out.Figure()
	if err == nil {
		out.Note, err = figure.DescribeSolution(f)
	}
	if err != nil {
		err = fmt.Errorf("figure %s: %w", out.Name, err)
	}
	return out, err
}

// Figure returns the figure of a block of this kind.
func (b *Block) Figure() (figure.Figure, error) {
	d := figure.Data{Rows: b.Rows, Values: b.Values, Targets: b.Targets}
	for _, link := range strings.Fields(b.Link) {
		t, err := play.Decode(link)
		if err != nil {
			return nil, err
		}
		d.Tables = append(d.Tables, t)
	}
	return figure.New(b.Name, d)
}

// Remixes reports whether the block is a figure of one ranking, which a remix may replace.
func (b *Block) Remixes() bool {
	return b.Kind == Figure && b.Link != "" && !strings.Contains(b.Link, " ")
}
