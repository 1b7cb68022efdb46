package export

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// WriteStatistics writes the statistics of a report: as text, or as JSON where format is "json". agreements may be nil.
func WriteStatistics(w io.Writer, r *report.Report, s *report.Statistics, agreements []compare.Agreement,
	format string) error {
	var b builder
	if format == "json" {
		statisticsJSON(&b, r, s, agreements)
	} else {
		statisticsText(&b, r, s, agreements)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func statisticsText(b *builder, r *report.Report, s *report.Statistics, agreements []compare.Agreement) {
	c := s.Compared
	name := func(i int) string { return r.Letter(i) + " " + brief(r.Systems[i].Label) }
	b.line(s.Measure, ", ", r.Count(c.Queries), ", ", say.Count(len(c.Pairs), "pair", "pairs"), ". The ",
		report.TestTitle(c.Test), " decides, p", r.Corrected(), ".")
	b.line(r.Words(report.SayReason(c.Choice, say.Plain)))
	for _, x := range append(say.Alike(r.Doubts(say.Plain)), r.TestDoubts(s.Tests, say.Plain)...) {
		b.line("Warning: ", say.Visible(x))
	}
	b.line()
	rows := [][]string{{"run", "mean", "sd", "95 % interval", "groups"}}
	col := &r.Columns[slices.Index(r.Measures, s.Measure)]
	for i, x := range c.Systems {
		rows = append(rows, []string{name(i), say.Plain.Number(x.Mean, 4), say.Plain.Number(x.SD, 4),
			col.Interval(i, say.Plain, 4), x.Group})
	}
	lay(b, rows, func(i int) bool { return i > 0 && i < 4 })
	b.line(r.LettersMean("Runs"))
	for i := range s.Pairs {
		b.line()
		pairText(b, r, s, &s.Pairs[i], name)
	}
	if held := r.Together(s.Tests); len(s.Pairs) > 1 && held != "" {
		b.line()
		b.line(held)
	}
	if len(s.Orders) > 0 {
		b.line()
		rows = [][]string{{"order of the runs by", "Kendall tau", "tau AP", "RBO"}}
		for _, o := range s.Orders {
			rows = append(rows, []string{o.Measure, say.Plain.Number(o.Tau, 3), say.Plain.Number(o.TauAP, 3),
				say.Plain.Number(o.RBO, 3)})
		}
		lay(b, rows, func(i int) bool { return i > 0 })
		b.line("Against the order by ", s.Measure, ".")
	}
	if len(agreements) > 0 {
		b.line()
		rows = [][]string{{"rankings of", "queries", "common", "RBO", "Kendall tau", "tau AP"}}
		for _, a := range agreements {
			rows = append(rows, []string{r.Letter(a.A) + " and " + r.Letter(a.B), strconv.Itoa(a.Queries),
				say.Plain.Number(a.Common, 1), say.Plain.Number(a.RBO, 3), say.Plain.Number(a.Tau, 3),
				say.Plain.Number(a.TauAP, 3)})
		}
		lay(b, rows, func(i int) bool { return i > 0 })
		b.line("Means over the queries that both runs have, of their first ", strconv.Itoa(compare.AgreementDepth),
			" documents; the taus over the documents that both rank, the first run being the reference.")
	}
}

// pairText writes all tests of a pair, the corrections of the chosen one, effect sizes, power and equivalence.
func pairText(b *builder, r *report.Report, s *report.Statistics, p *report.PairStatistics, name func(int) string) {
	c := s.Compared
	b.line(name(p.J), " less ", name(p.I), ": ", say.Plain.Signed(p.Difference, 4),
		", 95 % interval, corrected, ", say.Plain.Span(p.Low, p.High, 4),
		"; better on ", strconv.Itoa(p.Better), ", worse on ", strconv.Itoa(p.Worse), ", equal on ",
		strconv.Itoa(p.Equal))
	b.line("  ", r.ConclusionOn(s.Tests).Between(p.J, p.I, say.Plain))
	if q, ok := s.Tests.Pair(p.I, p.J); ok {
		for _, more := range []string{r.Words(r.NoInterval(s.Tests, &q)), r.Unseen(s.Tests, &q, say.Plain)} {
			if more != "" {
				b.line("  ", more)
			}
		}
	}
	rows := [][]string{{"  test", "method", "n", "statistic", "p"}}
	for _, t := range p.Tests {
		n := report.TestTitle(t.Test)
		if t.Test == c.Test {
			n += ", which decides"
		}
		method := t.Method
		if t.Method == "monte-carlo" {
			method += " (" + strconv.Itoa(t.Draws) + ")"
		}
		rows = append(rows, []string{"  " + n, method, strconv.Itoa(t.N), say.Plain.Number(t.Statistic, 4),
			say.Plain.FineP(t.P)})
	}
	lay(b, rows, func(i int) bool { return i > 1 })
	var parts []string
	for k, x := range significance.Corrections() {
		parts = append(parts, x.Title+" "+say.Plain.FineP(p.Corrected[k]))
	}
	b.line("  p of the ", report.TestTitle(c.Test), " corrected: ", strings.Join(parts, ", "))
	b.line("  effect: d_z ", say.Plain.Number(p.Dz, 3), " (", say.Plain.Span(p.DzLow, p.DzHigh, 3),
		"), Hedges's g ", say.Plain.Number(p.G, 3), ", Cliff's delta ", say.Plain.Number(p.Cliff, 3),
		", better on a random query with probability ", say.Plain.Number(p.Superiority, 3))
	if c.Queries > 1 {
		needed := "no number of queries would show this one"
		switch n := p.Needed(); {
		case n != n:
			needed = "the differences do not vary"
		case n <= 1e9:
			needed = say.Count(int(math.Ceil(n-1e-9)), "query is", "queries are") + " needed to show one like this"
		}
		shows := "a difference of " + say.Plain.Number(p.Detectable, 4)
		if !report.MayDiffer(s.Measure, p.Detectable, c.Queries) {
			shows = "no difference that " + s.Measure + " can have"
		}
		b.line("  power: this many queries show ", shows, " in 4 of 5 experiments; ", needed)
		e := p.Equivalence
		b.line("  equivalence within ", say.Plain.Number(s.Margin, 4), ": ", say.Plain.PIs(e.P),
			" (TOST, 90 % interval ", say.Plain.Span(e.Low, e.High, 4), ")")
	}
}

func statisticsJSON(b *builder, r *report.Report, s *report.Statistics, agreements []compare.Agreement) {
	j := writer(b)
	c, col := s.Compared, &r.Columns[slices.Index(r.Measures, s.Measure)]
	j.Object("", func() {
		j.Str("format", "rankbox-statistics")
		j.Int("version", Version)
		j.Str("report", r.Hash)
		j.Str("measure", s.Measure)
		j.Int("queries", c.Queries)
		j.Str("test", c.Test)
		j.Str("correction", c.Correction)
		j.Num("alpha", c.Alpha)
		j.Str("why", report.SayReason(c.Choice, say.Plain))
		j.Strs("warnings", append(r.Doubts(say.Plain), r.TestDoubts(s.Tests, say.Plain)...))
		j.Num("detectable_d_z", c.DetectableEffect)
		j.List("runs", len(c.Systems), func(i int) {
			x := c.Systems[i]
			j.Object("", func() {
				j.Str("run", r.Systems[i].Label)
				j.Num("mean", x.Mean)
				j.Num("sd", x.SD)
				j.Str("groups", x.Group)
				j.interval(col.Low[i], col.High[i])
				if col.Low[i] != col.Low[i] {
					j.noInterval(col.NoInterval())
				}
			})
		})
		j.List("pairs", len(s.Pairs), func(i int) { j.statistics(r, s, &s.Pairs[i]) })
		j.List("orders", len(s.Orders), func(i int) {
			o := s.Orders[i]
			j.Object("", func() {
				j.Str("measure", o.Measure)
				j.Num("kendall_tau", o.Tau)
				j.Num("tau_ap", o.TauAP)
				j.Num("rbo", o.RBO)
			})
		})
		j.List("rankings", len(agreements), func(i int) {
			a := agreements[i]
			j.Object("", func() {
				j.pair(r, a.A, a.B)
				j.Int("queries", a.Queries)
				j.Num("common", a.Common)
				j.Num("rbo", a.RBO)
				j.Num("kendall_tau", a.Tau)
				j.Num("tau_ap", a.TauAP)
			})
		})
	})
	b.line()
}

func (j *jsonWriter) interval(low, high float64) {
	j.Object("interval", func() {
		j.Num("low", low)
		j.Num("high", high)
	})
}

// statistics is everything that is said of one pair.
func (j *jsonWriter) statistics(r *report.Report, s *report.Statistics, p *report.PairStatistics) {
	j.Object("", func() {
		j.pair(r, p.I, p.J)
		j.Num("difference", p.Difference)
		j.interval(p.Low, p.High)
		if q, ok := s.Tests.Pair(p.I, p.J); ok {
			j.noInterval(r.NoInterval(s.Tests, &q))
		}
		j.counts(p.Better, p.Worse, p.Equal)
		j.List("tests", len(p.Tests), func(k int) { j.result(p.Tests[k]) })
		j.Num("low", p.Low)
		j.Num("high", p.High)
		j.Num("p", p.P)
		j.Num("p_adjusted", p.Adjusted)
		j.Object("p_corrected", func() {
			for k, x := range significance.Corrections() {
				j.Num(x.Name, p.Corrected[k])
			}
		})
		j.Num("d_z", p.Dz)
		j.Num("d_z_low", p.DzLow)
		j.Num("d_z_high", p.DzHigh)
		j.Num("g_z", p.G)
		j.Num("cliffs_delta", p.Cliff)
		j.Num("probability_of_superiority", p.Superiority)
		if detectable := p.Detectable; report.MayDiffer(s.Measure, detectable, s.Compared.Queries) {
			j.Num("detectable_difference", detectable)
		} else {
			j.Num("detectable_difference", math.NaN())
		}
		j.Num("queries_needed", p.Needed())
		e := p.Equivalence
		j.Object("equivalence", func() {
			j.Num("margin", s.Margin)
			j.Num("p", e.P)
			j.Num("p_low", e.PLow)
			j.Num("p_high", e.PHigh)
			j.Num("low_90", e.Low)
			j.Num("high_90", e.High)
		})
	})
}

func (j *jsonWriter) result(t significance.Result) {
	j.Object("", func() {
		j.Str("test", t.Test)
		j.Str("method", t.Method)
		j.Int("n", t.N)
		j.Num("statistic", t.Statistic)
		j.Num("p", t.P)
		if t.Draws > 0 {
			j.Int("draws", t.Draws)
			j.Num("standard_error", t.Error)
		}
		if t.Test == "t" {
			j.Num("df", t.DF)
			j.Num("low", t.Low)
			j.Num("high", t.High)
		}
		if t.Method == "normal" {
			j.Num("z", t.Z)
		}
	})
}
