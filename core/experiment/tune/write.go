package tune

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Finding says what came out, in sentences: what is best, what it is worth on queries held out, and whether that is
// more than there was.
func (r *Result) Finding(s say.Style) []string {
	a := &r.All
	v := func(x float64) string { return s.Number(x, 3) }
	out := []string{fmt.Sprintf(
		"Over all %s %s %s is best: %s %s on the queries that chose it, %s on queries held out (choosing flatters by "+
			"%s); the present %s has %s.",
		say.Count(a.Queries, "query", "queries"), r.Knob.Name, r.Knob.Values[a.Best], r.Measure, v(a.Tuned),
		v(a.HeldOut), s.Signed(a.Optimism, 3), r.Knob.Values[r.Knob.Start], v(a.Start))}
	gain := a.HeldOut - a.Start
	verdict := "that is within chance: keep your setting unless other judgments confirm the change"
	switch {
	case r.P < 0.05 && gain > 0:
		verdict = "more than chance explains"
	case r.P < 0.05:
		verdict = "less than your setting: keep yours"
	}
	out = append(out, fmt.Sprintf("Held out less the present: %s (95 %% %s, %s): %s.", s.Signed(gain, 3),
		s.Span(r.Low, r.High, 3), s.PIs(r.P), verdict))
	if len(r.Types) == 0 {
		return append(out, "By predicted type of query: no type has the ten queries that it takes to choose "+
			"and to judge.")
	}
	better := "use one value per type only if other judgments confirm it"
	if r.ByHeldOut <= a.HeldOut {
		better = "one value for all does as well or better"
	}
	return append(out, fmt.Sprintf(
		"With a value for each predicted type of query: %s tuned, %s held out, against %s held out with one value: %s.",
		v(r.ByTuned), v(r.ByHeldOut), v(a.HeldOut), better))
}

// Choices are the choices over all queries and by type, in this order.
func (r *Result) Choices() []*Choice {
	out := []*Choice{&r.All}
	for i := range r.Types {
		out = append(out, &r.Types[i])
	}
	return out
}

// Of says of which queries a choice is.
func (c *Choice) Of() string {
	if c.Type == "" {
		return "all"
	}
	return c.Type
}

// Text returns what came out as the terminal shows it.
func (r *Result) Text() string {
	var b bytes.Buffer
	s := say.Plain
	fmt.Fprintf(&b, "%s\n\n%-14s %8s %8s %8s %8s %8s %8s\n", r.Pipeline, "predicted type", "queries", "present", "best",
		"tuned", "held out", "optimism")
	for _, c := range r.Choices() {
		fmt.Fprintf(&b, "%-14s %8d %8s %8s %8s %8s %8s\n", c.Of(), c.Queries, s.Number(c.Start, 4),
			r.Knob.Values[c.Best], s.Number(c.Tuned, 4), s.Number(c.HeldOut, 4), s.Signed(c.Optimism, 4))
	}
	if len(r.Types) > 0 {
		b.WriteString("\nTypes are predicted from a query's words, as stages with by=type do it; the labels that a " +
			"collection gives its queries, which reports count, are others.\n")
	}
	fmt.Fprintf(&b, "\n%-12s %8s\n", r.Knob.Name, r.Measure)
	for i, v := range r.Knob.Values {
		mark := ""
		if i == r.Knob.Start {
			mark = "  present"
		}
		if i == r.All.Best {
			mark += "  best"
		}
		fmt.Fprintf(&b, "%-12s %8s%s\n", v, s.Number(r.Means[i], 4), mark)
	}
	b.WriteByte('\n')
	for _, line := range r.Finding(s) {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "\n%s\n", r.Best(r.All.Best))
	return b.String()
}

// JSON returns what came out as a file.
func (r *Result) JSON() []byte {
	var b bytes.Buffer
	quoted := func(list []string) string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = jsontext.Visible(s)
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	numbers := func(list ...float64) string {
		out := make([]string, len(list))
		for i, v := range list {
			out[i] = exact(v)
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	fmt.Fprintf(&b, "{\n  \"pipeline\": %s,\n  \"tuned_pipeline\": %s,\n  \"parameter\": %s,\n  \"measure\": %s,\n  "+
		"\"values\": %s,\n  \"means\": %s,\n  \"types\": \"predicted\",\n  \"choices\": [",
		jsontext.Visible(r.Pipeline.String()),
		jsontext.Visible(r.Best(r.All.Best).String()), jsontext.Visible(r.Knob.Name), jsontext.Visible(r.Measure),
		quoted(r.Knob.Values), numbers(r.Means...))
	for i, c := range r.Choices() {
		var folds []string
		for _, f := range c.Folds {
			folds = append(folds, r.Knob.Values[f])
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\"queries\": %s, \"count\": %d, \"best\": %s, \"present\": %s, \"tuned\": %s, "+
			"\"held_out\": %s, \"optimism\": %s, \"chosen_without_fold\": %s}", jsontext.Visible(c.Of()), c.Queries,
			jsontext.Visible(r.Knob.Values[c.Best]), exact(c.Start), exact(c.Tuned), exact(c.HeldOut),
			exact(c.Optimism), quoted(folds))
	}
	fmt.Fprintf(&b, "\n  ],\n  \"by_type_tuned\": %s,\n  \"by_type_held_out\": %s,\n  \"held_out_less_present_95\": "+
		"%s,\n  \"p\": %s\n}\n", exact(r.ByTuned), exact(r.ByHeldOut), numbers(r.Low, r.High), exact(r.P))
	return b.Bytes()
}

// exact writes a number with all its digits.
func exact(v float64) string {
	if v != v { // no interval with so few queries
		return "null"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
