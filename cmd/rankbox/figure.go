package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/present/handout"
)

// figureFlags are what compare is told of figures.
type figureFlags struct {
	name, pair, theme *string
}

// flags adds the flags of figures.
func (x *figureFlags) flags(f *flag.FlagSet) {
	var names []string
	for _, c := range chart.All() {
		names = append(names, c.Name)
	}
	x.name = f.String("figure", "", "the figure, if it is not the first argument: "+strings.Join(names, ", "))
	x.pair = f.String("pair", "", "two runs to compare, as A-B; by default the baseline and the best other run")
	x.theme = f.String("theme", chart.Themes()[0], "of SVG: "+strings.Join(chart.Themes(), ", "))
}

// figureFormats are the names of what a figure is written as.
func figureFormats() (out []string) {
	for _, x := range chart.Formats() {
		out = append(out, x.Name)
	}
	return out
}

// given says whether a figure is asked for.
func (x figureFlags) given() bool { return x.name != nil && *x.name != "" }

// check says what is wrong with them.
func (x figureFlags) check(format string) error {
	if _, err := chart.Lookup(*x.name); err != nil {
		return usageError{err}
	}
	if _, err := chart.LookupFormat(format); err != nil {
		return usageError{err}
	}
	if _, err := x.ground(); err != nil {
		return usageError{err}
	}
	return nil
}

func (x figureFlags) ground() (chart.Theme, error) {
	for i, name := range chart.Themes() {
		if name == *x.theme {
			return chart.Theme(i), nil
		}
	}
	return 0, fmt.Errorf("-theme %q is not one of %s", *x.theme, strings.Join(chart.Themes(), ", "))
}

// measures are those that the figure is drawn from beside the first one.
func (x figureFlags) measures(first string) []string {
	if !x.given() {
		return nil
	}
	f, err := chart.Lookup(*x.name)
	if err != nil || f.Measures == nil {
		return nil
	}
	return f.Measures(first)
}

// write draws the figure.
func (x figureFlags) write(w io.Writer, r *report.Report, about chart.Facts, format string) error {
	f, err := chart.Lookup(*x.name)
	if err != nil {
		return err
	}
	to, err := chart.LookupFormat(format)
	if err != nil {
		return err
	}
	ground, err := x.ground()
	if err != nil {
		return err
	}
	in := chart.NewInput(r, about, to)
	if *x.pair != "" {
		a, b, ok := strings.Cut(*x.pair, "-")
		if !ok {
			return usagef("-pair %q: want two runs, as A-B", *x.pair)
		}
		if in.A, err = r.Find(a); err != nil {
			return usageError{err}
		}
		if in.B, err = r.Find(b); err != nil {
			return usageError{err}
		}
	}
	var drawn []byte
	if to.Name == "svg" {
		drawn = handout.SVG(f, in, ground)
	} else if d := f.Draw(in); d != nil {
		drawn = []byte(to.Write(d, ground))
	}
	if drawn == nil {
		return fmt.Errorf("figure %s needs %s", f.Name, f.Needs)
	}
	_, err = w.Write(drawn)
	return err
}

// draw prints a figure.
func (x *comparing) draw() error {
	r, err := x.whole()
	if err != nil {
		return err
	}
	return x.figure.write(x.out, r, known(r, x.in, nil, nil), x.format)
}
