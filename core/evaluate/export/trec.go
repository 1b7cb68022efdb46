package export

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// asTREC is what reads trec_eval reads.
var asTREC = Format{"trec", "TREC (trec_eval's lines)", ".txt", "text/plain; charset=utf-8", byQuery, writeTREC}

func writeTREC(b *builder, r *report.Report, d Detail) {
	row := func(measure, query, value string) {
		if pad := 22 - utf8.RuneCountInString(measure); pad > 0 {
			measure += strings.Repeat(" ", pad)
		}
		b.line(measure, "\t", query, "\t", value)
	}
	for s, sys := range r.Systems {
		if d.Queries {
			for q, t := range r.Queries {
				for m, c := range r.Columns {
					row(r.Measures[m], word(t.ID), say.Plain.Number(c.Values[s][q], 4))
				}
			}
		}
		row("runid", "all", word(sys.Label))
		row("num_q", "all", strconv.Itoa(len(r.Queries)))
		if n := len(r.Fell(s)); n > 0 {
			row("fell_back", "all", strconv.Itoa(n))
		}
		for m, c := range r.Columns {
			row(r.Measures[m], "all", say.Plain.Number(c.Means[s], 4))
		}
	}
}

// word returns s as one word of a TREC file.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == ' ' || r == 0xa0 || r == 0x3000 {
			return '_'
		}
		return r
	}, say.Visible(s))
	if s == "" {
		return "_"
	}
	return s
}
