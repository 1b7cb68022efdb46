//go:build js

// Command board shows the finished figures of a comparison's link while the program with every screen is on its way: it
// reads the link, computes the report and hands its board to site/js/board.js as text. It has no screen and no worker
// (docs/adr/0009-a-program-of-lessons.md).
package main

import (
	"syscall/js"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

func main() {
	r := read(js.Global().Get("location").Get("hash").String())
	if r == nil {
		return // the page says what is wrong with the link
	}
	head := []any{"System"}
	for _, m := range r.Measures {
		head = append(head, m)
	}
	var rows []any
	for _, s := range r.Ranking() {
		row := []any{say.Visible(r.Systems[s].Label)}
		for m := range r.Columns {
			row = append(row, cell(r, m, s))
		}
		rows = append(rows, row)
	}
	js.Global().Get("rankbox").Call("board", say.Visible(r.Sentence(say.Page)), head, rows)
}

// read is the report of a link, nil if it is none.
func read(fragment string) *report.Report {
	f, err := packed.ReadLink(fragment)
	if err != nil {
		r, _, err := packed.ReadReportLink(fragment)
		if err != nil {
			return nil
		}
		return r
	}
	r, err := compare.Compare(f.Input, nil, nil)
	if err != nil {
		return nil
	}
	return r
}

// cell is a mean with its interval, as the board prints them.
func cell(r *report.Report, m, s int) string {
	c := &r.Columns[m]
	switch {
	case r.Unanswered(s):
		return say.Page.None()
	case measure.JudgedShare(r.Measures[m]):
		return say.Page.Percent(c.Means[s], 0)
	case c.Low[s] != c.Low[s]:
		return say.Page.Number(c.Means[s], 3)
	}
	return say.Page.Number(c.Means[s], 3) + " (" + c.Interval(s, say.Page, 3) + ")"
}
