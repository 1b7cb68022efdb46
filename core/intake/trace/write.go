package trace

import (
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Formats are the forms that outcomes are written in.
var Formats = []string{"text", "json", "csv"}

// Write writes how agents did, step by step, and where each relevant document was found. r compares them if there are
// several, and is nil otherwise. CSV is a table of scores: query, run, measure, value.
func Write(w io.Writer, list []*Outcome, r *report.Report, format string) error {
	var b strings.Builder
	switch format {
	case "text":
		for i, o := range list {
			if i > 0 {
				line(&b)
			}
			writeText(&b, o)
		}
		if r != nil {
			line(&b)
			line(&b, say.Visible(r.Sentence(say.Plain)))
			line(&b, say.Visible(r.Note(say.Plain)))
		}
	case "json":
		writeJSON(&b, list, r)
	case "csv":
		t, err := Scores(list)
		if err != nil {
			return err
		}
		line(&b, "query,run,measure,value")
		for q, query := range t.Items {
			for s, system := range t.Systems {
				for m, name := range t.Measures {
					if v := t.Value(s, q, m); v == v {
						line(&b, sheet.Cell(query), ",", sheet.Cell(system), ",", sheet.Cell(name), ",",
							say.Exact(v))
					}
				}
			}
		}
	default:
		return say.Faultf("trace", "write: unknown format %q", format)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeText(b *strings.Builder, o *Outcome) {
	line(b, say.Brief(o.System, shown), ": ", o.sentence(say.Plain))
	line(b)
	x := o.Section(say.Plain)
	for _, t := range x.Tables {
		rows := [][]string{t.Columns}
		number := make([]bool, len(t.Columns))
		for _, r := range t.Rows {
			row := make([]string, len(r))
			for i := range r {
				row[i] = r[i].Said(say.Plain)
				number[i] = number[i] || r[i].Number
			}
			rows = append(rows, row)
		}
		b.WriteString(export.Columns(rows, func(i int) bool { return number[i] }))
		line(b, t.Caption)
		line(b)
	}
	for _, n := range o.Notes() {
		line(b, "Warning: ", say.Visible(n))
	}
}

func writeJSON(b *strings.Builder, list []*Outcome, r *report.Report) {
	j := &jsonWriter{jsontext.Writer{To: b}}
	j.Object("", func() {
		j.Str("format", "rankbox-trace")
		j.Int("version", export.Version)
		if r != nil {
			j.Str("finding", r.Sentence(say.Plain))
			j.Str("note", r.Note(say.Plain))
		}
		j.List("runs", len(list), func(i int) { j.traces(list[i]) })
	})
	line(b)
}

// jsonWriter writes outcomes as JSON.
type jsonWriter struct{ jsontext.Writer }

// shown is how many characters of a name or a query a table shows.
const shown = 80

// line writes a line of these parts.
func line(b *strings.Builder, parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

// traces are those of one system.
func (j *jsonWriter) traces(o *Outcome) {
	j.Object("", func() {
		j.Str("run", o.System)
		j.Str("measure", o.Hop)
		j.Int("queries", len(o.Queries))
		j.Num("recall", o.Recall)
		j.Num("merged", o.Merged)
		j.List("depths", len(o.Depths), func(i int) {
			d := o.Depths[i]
			j.Object("", func() {
				j.Int("k", d.K)
				j.Num("any", d.Any)
				j.Num("all", d.All)
			})
		})
		j.List("steps", len(o.Steps), func(i int) {
			x := o.Steps[i]
			j.Object("", func() {
				j.Int("step", x.Step)
				j.Int("queries", x.Queries)
				j.Num("recall", x.Recall)
				j.Int("found", x.New)
				j.Num("hop", x.Hop)
				if o.Tokens {
					j.Num("tokens", x.Tokens)
				}
			})
		})
		j.List("by_query", len(o.Queries), func(i int) { j.traced(o, &o.Queries[i]) })
		j.Strs("warnings", o.Notes())
	})
}

// traced is one query.
func (j *jsonWriter) traced(o *Outcome, q *Query) {
	j.Object("", func() {
		j.Str("query", q.ID)
		j.Int("relevant", q.Relevant)
		j.Num("merged", q.Merged)
		j.Nums("recall", q.Recall)
		j.Nums("hops", q.Hops)
		if o.Tokens {
			j.List("tokens", len(q.Tokens), func(i int) { j.Int("", q.Tokens[i]) })
		}
		j.List("found", len(q.Found), func(i int) {
			f := q.Found[i]
			j.Object("", func() {
				j.Str("document", f.Doc)
				j.Num("grade", f.Grade)
				if f.Step > 0 {
					j.Int("step", f.Step)
					j.Int("rank", f.Rank)
					j.Str("asked", f.Query)
				}
			})
		})
	})
}
